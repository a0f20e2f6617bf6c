#!/usr/bin/env bash
# Makes the calls of the reference of the first interface as they are written there, host and token apart, on the demo
# phone, and compares the replies with those it documents. What a call did is looked at a second time.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

passed=0

# call DATA: a call of the reference; the reply must be JSON.
call() {
  local status
  status=$(curl -X POST "$url/v1/tools/call" \
    -H "Authorization: Bearer $FINGERTIP_TOKEN" \
    -H "Content-Type: application/json" \
    -d "$1" "${observe[@]}")
  label=$(grep -Eo '"name": *"[a-z_]+"' <<<"$1" | cut -d '"' -f 4)
  [[ $status == 200 ]] || fail "HTTP $status for $label"
  grep -qi '^content-type: application/json' "$work/headers" || fail "$label got no JSON"
}

# tool NAME ARGUMENTS: any other call.
tool() {
  call '{ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "'"$1"'", "arguments": '"$2"' } }'
}

# expect KIND ID VALUE...: checks the last reply; see expect.py.
expect() {
  python3 "$tests/v1/expect.py" "$work/reply" "$@" || fail "$label"
  echo "ok $label: $1"
  passed=$((passed + 1))
}

# expect_text ID TEXT: the last reply is this text and nothing else.
expect_text() {
  expect result "$1" '[{"type": "text", "text": "'"$2"'"}]'
}

# expect_app PACKAGE: looks which app is in front, for a reply alone proves nothing.
expect_app() {
  tool wait_for_idle '{ "timeout": 5000 }'
  tool get_current_app '{}'
  expect json 1 '{"packageName": "'"$1"'"}'
}

# expect_status STATUS WHAT CURL_ARGUMENT...: any other request.
expect_status() {
  local wanted=$1 status
  label=$2
  shift 2
  status=$(curl "${observe[@]}" "$@") || fail "$label"
  [[ $status == "$wanted" ]] || fail "$label: HTTP $status instead of $wanted"
  echo "ok $label: $status"
  passed=$((passed + 1))
}

# expect_panel NAME [not]: looks whether the system shows this part of its panels; only quick settings have a slider.
expect_panel() {
  tool find_elements '{ "by": "resource_id", "value": "com.android.systemui:id/'"$1"'" }'
  if [[ ${2-} == not ]]; then
    ! first_id >/dev/null || fail "$1 is there already"
  else
    first_id >/dev/null || fail "$1 is not there"
  fi
}

# first_id: prints the first id of the last reply.
first_id() {
  grep -Eo 'node_[0-9a-f]+' "$work/reply" | head -n 1
}

build_product
new_identity
observe=(--silent --show-error --max-time 60
  --dump-header "$work/headers" --output "$work/reply" --write-out '%{http_code}')
start server "$fingertip" serve --target demo --v1 --listen 127.0.0.1:0
url=$(address_of server)
authorized=(-H "Authorization: Bearer $FINGERTIP_TOKEN" -H 'Content-Type: application/json')

expect_status 200 'tools/list' "${authorized[@]}" "$url/v1/tools/list"
# Those of the reference but the clipboard, which a phone without an agent on it lacks: what cannot be done is not listed.
names=$(python3 -c 'import json, sys
tools = json.load(open(sys.argv[1]))["result"]["tools"]
assert all(list(tool) == ["name", "description", "inputSchema"] for tool in tools), tools
print(*(tool["name"] for tool in tools if "clipboard" not in tool["name"]))' "$work/reply")
[[ $names == "get_accessibility_tree capture_screenshot get_current_app get_screen_info \
press_back press_home press_recents open_notifications open_quick_settings get_device_logs \
tap long_press double_tap swipe scroll pinch custom_gesture \
find_elements click_element long_click_element set_text scroll_to_element \
input_text clear_text press_key wait_for_element wait_for_idle" ]] || fail "listed are: $names"

# The reference's examples show the calculator.
tool find_elements '{ "by": "text", "value": "Calculator" }'
icon=$(first_id) || fail 'the demo phone shows no calculator'
tool click_element '{ "element_id": "'"$icon"'" }'
expect_text 1 "Click performed on element '$icon'"
expect_app com.android.calculator2

call '{
  "jsonrpc": "2.0",
  "id": 1,
  "method": "tools/call",
  "params": {
    "name": "get_accessibility_tree",
    "arguments": {}
  }
}'
expect tree 1 '{"className":"android.widget.FrameLayout","text":null,"contentDescription":null,"resourceId":null,
  "bounds":{"left":0,"top":0,"right":1080,"bottom":2400},"clickable":false,"longClickable":false,"focusable":false,
  "scrollable":false,"editable":false,"enabled":true,"visible":true}'
expect labels 1 7 8 9

call '{
  "jsonrpc": "2.0",
  "id": 2,
  "method": "tools/call",
  "params": {
    "name": "capture_screenshot",
    "arguments": {}
  }
}'
expect image 2 1080x2400
default_size=$(wc -c <"$work/reply")

call '{
  "jsonrpc": "2.0",
  "id": 2,
  "method": "tools/call",
  "params": {
    "name": "capture_screenshot",
    "arguments": {
      "quality": 50
    }
  }
}'
expect image 2 1080x2400
(($(wc -c <"$work/reply") < default_size)) || fail 'quality 50 is not smaller than 80'

call '{
  "jsonrpc": "2.0",
  "id": 3,
  "method": "tools/call",
  "params": {
    "name": "get_current_app",
    "arguments": {}
  }
}'
expect result 3 '[{"type": "text",
  "text": "{\"packageName\":\"com.android.calculator2\",\"activityName\":\".Calculator\"}"}]'

call '{
  "jsonrpc": "2.0",
  "id": 4,
  "method": "tools/call",
  "params": {
    "name": "get_screen_info",
    "arguments": {}
  }
}'
expect result 4 '[{"type": "text",
  "text": "{\"width\":1080,\"height\":2400,\"densityDpi\":420,\"orientation\":\"portrait\"}"}]'

call '{
  "jsonrpc": "2.0",
  "id": 5,
  "method": "tools/call",
  "params": {
    "name": "press_back",
    "arguments": {}
  }
}'
expect_text 5 'Back button press executed successfully'
expect_app com.android.launcher3

call '{
  "jsonrpc": "2.0",
  "id": 7,
  "method": "tools/call",
  "params": {
    "name": "press_recents",
    "arguments": {}
  }
}'
expect_text 7 'Recents button press executed successfully'
tool wait_for_idle '{ "timeout": 5000 }'
tool find_elements '{ "by": "text", "value": "Calculator" }'
recent=$(first_id) || fail 'recents does not show the calculator'
tool click_element '{ "element_id": "'"$recent"'" }'
expect_app com.android.calculator2

call '{
  "jsonrpc": "2.0",
  "id": 6,
  "method": "tools/call",
  "params": {
    "name": "press_home",
    "arguments": {}
  }
}'
expect_text 6 'Home button press executed successfully'
expect_app com.android.launcher3
expect_panel notification_stack_scroller not

call '{
  "jsonrpc": "2.0",
  "id": 8,
  "method": "tools/call",
  "params": {
    "name": "open_notifications",
    "arguments": {}
  }
}'
expect_text 8 'Open notifications executed successfully'
expect_panel notification_stack_scroller
expect_panel slider not

call '{
  "jsonrpc": "2.0",
  "id": 9,
  "method": "tools/call",
  "params": {
    "name": "open_quick_settings",
    "arguments": {}
  }
}'
expect_text 9 'Open quick settings executed successfully'
expect_panel slider
tool press_home '{}'

call '{
  "jsonrpc": "2.0",
  "id": 10,
  "method": "tools/call",
  "params": {
    "name": "get_device_logs",
    "arguments": {}
  }
}'
expect logs 10 com.android.calculator2

call '{
  "jsonrpc": "2.0",
  "id": 10,
  "method": "tools/call",
  "params": {
    "name": "get_device_logs",
    "arguments": {
      "last_lines": 50,
      "tag": "MCP:ServerService",
      "level": "W"
    }
  }
}'
expect result 10 '[{"type": "text", "text": "{\"logs\":\"\",\"line_count\":0,\"truncated\":false}"}]'
# The last two filters work too.
tool get_device_logs '{ "last_lines": 1, "until": "2000-01-01T00:00:00Z" }'
expect json 1 '{"line_count": 0}'
tool get_device_logs '{ "last_lines": 1, "since": "2000-01-01T00:00:00Z" }'
expect json 1 '{"line_count": 1, "truncated": true}'
tool get_device_logs '{ "package_name": "com.example.absent" }'
expect json 1 '{"line_count": 0, "truncated": false}'
tool get_device_logs '{ "last_lines": 1, "package_name": "com.android.calculator2" }'
expect json 1 '{"line_count": 1}'

# The errors of the reference.
for quality in 0 101; do
  tool capture_screenshot '{ "quality": '$quality' }'
  expect error 1 -32602 "'quality' must be a whole number from 1 to 100, got $quality"
done
tool get_device_logs '{ "last_lines": 1001 }'
expect error 1 -32602 "'last_lines'"
tool get_device_logs '{ "level": "X" }'
expect error 1 -32602 "'level'"
tool no_such_tool '{}'
expect error 1 -32601 'Unknown tool: no_such_tool'
tool click_element '{ "element_id": "node_abc123" }'
expect error 1 -32002 "'node_abc123' was not found"
tool set_text '{ "element_id": "'"$icon"'", "text": "Hello World" }'
expect error 1 -32003 'is not editable'
expect_status 400 'malformed JSON' "${authorized[@]}" -d '{"jsonrpc":' "$url/v1/tools/call"
expect error null -32700 'not valid JSON'
expect_status 400 'a batch' "${authorized[@]}" -d '[{"jsonrpc":"2.0","id":1,"method":"tools/call"}]' "$url/v1/tools/call"
expect error null -32600 'batches'

# Behind the same door as /mcp, and not to be seen there.
expect_status 401 'no token' "$url/v1/tools/list"
expect_status 403 'a foreign Origin' -H 'Origin: https://example.com' "${authorized[@]}" "$url/v1/tools/list"
expect_status 200 'tools/list at /mcp' "${authorized[@]}" -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' "$url"
! grep -q '"get_accessibility_tree"' "$work/reply" || fail 'v1 is visible at /mcp'

# Without a phone. What answers at this port is no adb, so that none is asked or started.
port=${url%/mcp}
export ANDROID_ADB_SERVER_PORT=${port##*:}
start https "$fingertip" serve --target android --v1 --tls --listen 127.0.0.1:0
url=$(address_of https)
observe+=(--cacert "$FINGERTIP_HOME/tls/certificate.pem")
call '{
  "jsonrpc": "2.0",
  "id": 1,
  "method": "tools/call",
  "params": {
    "name": "get_accessibility_tree",
    "arguments": {}
  }
}'
expect error 1 -32001 'No device is attached'

start current "$fingertip" serve --target demo --listen 127.0.0.1:0
url=$(address_of current)
expect_status 404 'without --v1' "${authorized[@]}" "$url/v1/tools/list"

echo "$passed checks passed"
