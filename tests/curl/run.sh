#!/usr/bin/env bash
# Makes the curl calls of the tool reference as they are written there, host and token apart, and a few hostile ones.
#
# Each is one POST without initialize and without a session; the reply must be plain JSON. The server is the example
# `scripted`: the product's server over a scripted phone.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

passed=0

# call DATA: a call of the reference; the reply must be JSON and open no session.
call() {
  local status
  status=$(curl -X POST "$url" \
    -H "Authorization: Bearer $FINGERTIP_TOKEN" \
    -H "Content-Type: application/json" \
    -d "$1" "${observe[@]}")
  { tr -d '\n' <"$work/reply" && echo; } >>"$transcript/curl"
  data=$1
  label=$(grep -Eo '"name": "[a-z_]+"' <<<"$data" | cut -d '"' -f 4)
  [[ $status == 200 ]] || fail "HTTP $status for $label"
  grep -qi '^content-type: application/json' "$work/headers" || fail "$label got no JSON"
  ! grep -qi '^mcp-session-id:' "$work/headers" || fail "$label opened a session"
}

# expect KIND VALUE: checks the reply to the last call; see expect.py.
expect() {
  python3 "$tests/curl/expect.py" "$work/reply" "$@" || fail "$label"
  echo "ok $label: $*"
  passed=$((passed + 1))
}

# find BY VALUE: sets `id` to that of the first such element.
find() {
  call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "find_elements", "arguments": { "by": "'"$1"'", "value": "'"$2"'" } }
  }'
  id=$(grep -Eo 'node_[0-9a-f]+' "$work/reply" | head -n 1) || fail "no element with $1 $2"
}

# expect_field TEXT: looks at the field itself, for a reply alone proves nothing.
expect_field() {
  call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "get_element_details", "arguments": { "ids": ["'"$field"'"] } }
  }'
  expect text $'id\ttext\tdesc\n'"$field"$'\t'"$1"$'\tSearch contacts'
}

# expect_status STATUS WHAT CURL_ARGUMENT...: any other request.
expect_status() {
  local wanted=$1 what=$2 status
  shift 2
  status=$(curl "${observe[@]}" "$@") || fail "$what"
  [[ $status == "$wanted" ]] || fail "$what: HTTP $status instead of $wanted"
  echo "ok $what: $status"
  passed=$((passed + 1))
}

build_example scripted
new_identity
# Everything is logged, to be scanned at the end.
export FINGERTIP_LOG=trace
start server "$example" serve --listen 127.0.0.1:0
url=$(address_of server)
# The reference says localhost.
url=${url/127.0.0.1/localhost}
observe=(--silent --show-error --max-time 30
  --dump-header "$work/headers" --output "$work/reply" --write-out '%{http_code}')

# The reference's ids and texts are placeholders that the scripted phone does not know: those calls must say so, and are
# made again with what is on its screen.
call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "find_elements", "arguments": { "by": "text", "value": "Submit" } }
  }'
expect json '{"elements": []}'
find text Save
button=$id
find resource_id id/search
field=$id

call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "click_element", "arguments": { "element_id": "node_abc123" } }
  }'
expect error element_not_found
call "${data/node_abc123/$button}"
expect text "Click performed on element '$button'"

call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "long_click_element", "arguments": { "element_id": "node_abc123" } }
  }'
expect error element_not_found
call "${data/node_abc123/$field}"
expect text "Long-click performed on element '$field'"

call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "set_text", "arguments": { "element_id": "node_abc123", "text": "Hello World" } }
  }'
expect error element_not_found
call "${data/node_abc123/$field}"
expect text "Text set on element '$field'"
expect_field 'Hello World'

call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "scroll_to_element", "arguments": { "element_id": "node_abc123" } }
  }'
expect error element_not_found
call "${data/node_abc123/$button}"
expect text "Element '$button' is already visible"

# The next three act on the field that has the focus.
call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "click_element", "arguments": { "element_id": "'"$field"'" } }
  }'
expect text "Click performed on element '$field'"

call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "clear_text", "arguments": {} }
  }'
expect text 'Text cleared successfully'
expect_field -

call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "input_text", "arguments": { "text": "Hello World" } }
  }'
expect text 'Text input completed (11 characters)'
expect_field 'Hello World'

call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "press_key", "arguments": { "key": "ENTER" } }
  }'
expect text "Key 'ENTER' pressed successfully"

call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "set_clipboard", "arguments": { "text": "Hello from MCP" } }
  }'
expect text 'Clipboard set successfully (14 characters)'

call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "get_clipboard", "arguments": {} }
  }'
expect json '{"text": "Hello from MCP"}'

call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "wait_for_element", "arguments": { "by": "text", "value": "10", "timeout": 5000 } }
  }'
expect json '{"found": false}'
call "${data/\"10\"/\"Ada\"}"
expect json '{"found": true}'

call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "wait_for_idle", "arguments": { "timeout": 3000 } }
  }'
expect json '{"message": "UI is idle"}'

readonly LIST='{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
json=(-H 'Content-Type: application/json')
authorized=(-H "Authorization: Bearer $FINGERTIP_TOKEN" "${json[@]}")

expect_status 200 'health without a token' "${url%/mcp}/health"
grep -q '"status":"healthy"' "$work/reply" || fail 'health does not say healthy'
expect_status 401 'no token' "${json[@]}" -d "$LIST" "$url"
grep -qi '^www-authenticate: Bearer' "$work/headers" || fail '401 without WWW-Authenticate'
grep -q '"error":"unauthorized"' "$work/reply" || fail '401 without a JSON body'
expect_status 401 'a wrong token' -H 'Authorization: Bearer wrong' "${json[@]}" -d "$LIST" "$url"
expect_status 401 'an empty token' -H 'Authorization: Bearer ' "${json[@]}" -d "$LIST" "$url"
expect_status 403 'a foreign Host' -H 'Host: example.com' "${authorized[@]}" -d "$LIST" "$url"
expect_status 403 'a foreign Origin' -H 'Origin: https://example.com' "${authorized[@]}" -d "$LIST" "$url"

label='malformed JSON'
expect_status 400 "$label" "${authorized[@]}" -d '{"jsonrpc":' "$url"
expect rpc_error -32700
label='a batch'
expect_status 400 "$label" "${authorized[@]}" -d "[$LIST]" "$url"
expect rpc_error -32600

start https "$example" serve --listen 127.0.0.1:0 --tls
url=$(address_of https)
! curl "${observe[@]}" "${url%/mcp}/health" >/dev/null 2>&1 || fail 'an unknown certificate was trusted'
observe+=(--cacert "$FINGERTIP_HOME/tls/certificate.pem")
expect_status 200 'health over HTTPS' "${url%/mcp}/health"
call '{
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": { "name": "press_back", "arguments": {} }
  }'
expect text 'Back button press executed successfully'

scan 20
echo "$passed checks passed"
