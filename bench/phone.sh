#!/usr/bin/env bash
# Time of tool calls on the demo phone through the real adb: the host's share, since that phone answers at once.
#
# The same screens, the same adb server and the same harness for both drivers of Fingertip and for the peer mobile-mcp (its
# mode that, like the shell driver, installs nothing). A tap holds its finger down for 50 ms, as a person does; by the
# agent those pass on the phone's clock and are part of the time. JVM=yes runs the Java agent instead of the one the demo
# phone serves itself. Counts how often the `adb` program was started: never during a call.
# Needs adb (apt-get install adb). Peers are installed from npm into a scratch folder; without network, PEERS=no.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/lib.sh"
cd "$root"

adb=$(command -v adb) || fail 'adb is missing: apt-get install adb'
export ANDROID_ADB_SERVER_PORT=${ADB_PORT:-15137} ADB_MDNS=0 FINGERTIP_HOME=$work/home
port=${PHONE_PORT:-15655}

cargo build --release --quiet --package fingertip
# Apart, because this phone can run the Java agent and the program's own cannot.
cargo build --release --quiet --package fingertip-sim --example phone
program=$target/release/fingertip

if [[ ${JVM:-no} == yes ]]; then
  agent/build.sh --jvm "$work"
  export FINGERTIP_AGENT_JVM=$work/fingertip-agent-jvm.jar
fi
start phone "$target/release/examples/phone" "$port"
unset FINGERTIP_AGENT_JVM
# A server that an earlier run left behind may still know that run's phone.
"$adb" kill-server 2>/dev/null || true
"$adb" start-server 2>/dev/null
until "$adb" connect "127.0.0.1:$port" | grep -q 'connected to'; do sleep 0.2; done
serial=127.0.0.1:$port

# An adb that counts how often it is started stands before the real one.
mkdir "$work/bin"
printf '#!/bin/sh\necho started >>"%s"\nexec "%s" "$@"\n' "$work/adb-starts" "$adb" >"$work/bin/adb"
chmod +x "$work/bin/adb"
touch "$work/adb-starts"
starts() { wc -l <"$work/adb-starts"; }

open_calculator() { "$adb" -s "$serial" shell am start -n com.android.calculator2/.Calculator >/dev/null; }

# Five hundred elements and more: a long list of notes, all of it in view on a very tall screen.
open_long_screen() {
  "$adb" -s "$serial" shell 'wm size 1080x8000; wm density 72; am start -n com.fingertip.demo.notes/.NotesActivity' >/dev/null
}
reset_screen() { "$adb" -s "$serial" shell 'wm size reset; wm density reset' >/dev/null; }

open_long_screen
python3 bench/phone.py notes 200 "$program" stdio --writes-per-second 1000 --target "android:$serial" --driver agent
elements=$("$adb" -s "$serial" exec-out uiautomator dump /dev/tty | grep -o '<node' | wc -l)
((elements >= 500)) || fail "the long screen has $elements elements"
reset_screen

echo "the long screen has $elements elements"
echo '| server | call | min ms | p50 ms | p95 ms | of that computed by the server, ms |'
echo '|---|---|---|---|---|---|'
for driver in agent shell; do
  open_calculator
  PATH=$work/bin:$PATH python3 bench/phone.py "fingertip, $driver" '[
    ["screen", "get_screen_state", {}],
    ["screen and screenshot", "get_screen_state", {"include_screenshot": true}],
    ["tap", "tap", {"x": 540, "y": 400}],
    ["find element", "find_elements", {"by": "text", "value": "7"}],
    ["click by id", "click_element", {"element_id": "@clear"}],
    ["click, changes told", "click_element", {"element_id": "button \"(, left parenthesis\"", "see": "changes"}],
    ["home key", "press_home", {}]
  ]' "$program" stdio --writes-per-second 1000 --target "android:$serial" --driver "$driver"
  open_long_screen
  PATH=$work/bin:$PATH python3 bench/phone.py "fingertip, $driver" '[
    ["long screen", "get_screen_state", {}],
    ["tap on it", "tap", {"x": 540, "y": 10}]
  ]' "$program" stdio --writes-per-second 1000 --target "android:$serial" --driver "$driver"
  reset_screen
done
echo "adb programs started by fingertip: $(starts)"
open_calculator
python3 bench/phone.py wake 30 "$program" stdio --writes-per-second 1000 --target "android:$serial"

if [[ ${PEERS:-yes} == yes ]]; then
  install_packages
  mkdir "$work/peers"
  npm=$(dirname "$node")/../lib/node_modules/npm/bin/npm-cli.js
  (cd "$work/peers" && PATH=$(dirname "$node"):$PATH "$node" "$npm" install --silent --no-audit --no-fund @mobilenext/mobile-mcp@1.0.4)
  : >"$work/adb-starts"
  open_calculator
  PATH=$work/bin:$(dirname "$node"):$PATH MOBILEMCP_LEGACY_ROBOT=1 MOBILEMCP_DISABLE_TELEMETRY=1 \
    python3 bench/phone.py mobile-mcp-1.0.4 "[
    [\"screen\", \"mobile_list_elements_on_screen\", {\"device\": \"$serial\"}],
    [\"tap\", \"mobile_click_on_screen_at_coordinates\", {\"device\": \"$serial\", \"x\": 540, \"y\": 400}]
  ]" "$node" "$work/peers/node_modules/@mobilenext/mobile-mcp/lib/index.js" --stdio
  echo "adb programs started by mobile-mcp: $(starts)"
fi
"$adb" kill-server
