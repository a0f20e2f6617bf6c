#!/usr/bin/env bash
# Time of tool calls on the demo phone through the real adb: the host's share, since that phone answers at once.
#
# The same screens, the same adb server and the same harness for both drivers of Fingertip and for the peer mobile-mcp (its default
# mode, and the one that, like the shell driver, installs nothing); and the Python libraries uiautomator2 and adbutils. A tap holds its finger down for 50 ms, as a person does; by the
# agent those pass on the phone's clock and are part of the time. JVM=yes runs the Java agent instead of the one the demo
# phone serves itself. Counts how often the `adb` program was started: never during a call. The servers come in an order that is
# shuffled anew each time. BENCH_ROUNDS says how often each call is made, BENCH_NOTES=no leaves out the long screen, PROFILE=debug
# takes that build.
# Needs adb (apt-get install adb). Peers are installed from npm into a scratch folder; without network, PEERS=no.
#
#   bench/phone.sh --page             instead: what a page that is open costs: calls with and without one, and ten pictures a second
#   bench/phone.sh --page MINUTES     instead: memory over so many minutes with a page open over a screen that never rests
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/lib.sh"
cd "$root"

page=no minutes=0
if [[ ${1:-} == --page ]]; then page=yes minutes=${2:-0}; fi
adb=$(command -v adb) || fail 'adb is missing: apt-get install adb'
export ANDROID_ADB_SERVER_PORT=${ADB_PORT:-15137} ADB_MDNS=0 FINGERTIP_HOME=$work/home
port=${PHONE_PORT:-15655}

# shellcheck source=bench/build.sh
source bench/build.sh
build_program
# Apart, because this phone can run the Java agent and the program's own cannot.
build_part fingertip-sim phone

if [[ ${JVM:-no} == yes ]]; then
  agent/build.sh --jvm "$work"
  export FINGERTIP_AGENT_JVM=$work/fingertip-agent-jvm.jar
fi
start phone "$part" "$port"
unset FINGERTIP_AGENT_JVM
# Ends what a peer leaves running: programs from the folder it was installed into, by this script and for it alone.
end_peer_programs() {
  local process
  for process in /proc/[0-9]*; do
    if [[ $(readlink "$process/exe" 2>/dev/null) == "$work/peers/"* ]]; then
      kill "${process#/proc/}" 2>/dev/null || true
    fi
  done
}

end_all() {
  end_peer_programs
  "$adb" kill-server 2>/dev/null || true
}
# shellcheck disable=SC2034 # read by lib.sh
at_end=end_all
# A server that an earlier run left behind may still know that run's phone.
end_all
"$adb" start-server 2>/dev/null
until "$adb" connect "127.0.0.1:$port" | grep -q 'connected to'; do sleep 0.2; done
serial=127.0.0.1:$port

if [[ $page == yes ]]; then
  new_identity
  for driver in agent shell; do
    start "server-$driver" "$program" serve --listen 127.0.0.1:0 --writes-per-second 1000 --target "android:$serial" --driver "$driver"
    server=${started[-1]} address=$(address_of "server-$driver")
    # `fingertip ui` makes its link from what the server keeps once it listens.
    until "$program" ui >/dev/null 2>&1; do sleep 0.1; done
    echo "by the $driver driver:"
    python3 bench/page.py "$server" "$address" "$program" "$serial" "$minutes"
    kill "$server"
    wait "$server" || true
    # Memory is that of the page, which no driver changes.
    ((minutes == 0)) || break
  done
  exit
fi

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

long=${BENCH_NOTES:-yes}
if [[ $long == yes ]]; then
  open_long_screen
  python3 bench/phone.py notes 200 "$program" stdio --writes-per-second 1000 --target "android:$serial" --driver agent
  elements=$("$adb" -s "$serial" exec-out uiautomator dump /dev/tty | grep -o '<node' | wc -l)
  ((elements >= 500)) || fail "the long screen has $elements elements"
  reset_screen
  echo "the long screen has $elements elements"
fi

# ours DRIVER
ours() {
  open_calculator
  PATH=$work/bin:$PATH python3 bench/phone.py "fingertip, $1" '[
    ["screen", "get_screen_state", {}],
    ["screen and screenshot", "get_screen_state", {"include_screenshot": true}],
    ["tap", "tap", {"x": 540, "y": 400}],
    ["find element", "find_elements", {"by": "text", "value": "7"}],
    ["click by id", "click_element", {"element_id": "@clear"}],
    ["click, changes told", "click_element", {"element_id": "button \"(, left parenthesis\"", "see": "changes"}],
    ["home key", "press_home", {}]
  ]' "$program" stdio --writes-per-second 1000 --target "android:$serial" --driver "$1"
  [[ $long == yes ]] || return 0
  open_long_screen
  PATH=$work/bin:$PATH python3 bench/phone.py "fingertip, $1" '[
    ["long screen", "get_screen_state", {}],
    ["tap on it", "tap", {"x": 540, "y": 10}]
  ]' "$program" stdio --writes-per-second 1000 --target "android:$serial" --driver "$1"
  reset_screen
}

# mobile_mcp MODE [VARIABLE=VALUE]
mobile_mcp() {
  open_calculator
  env "PATH=$work/peer-bin:$(dirname "$node"):$PATH" MOBILEMCP_DISABLE_TELEMETRY=1 "${@:2}" \
    python3 bench/phone.py "mobile-mcp 1.0.4, $1" "[
    [\"screen\", \"mobile_list_elements_on_screen\", {\"device\": \"$serial\"}],
    [\"tap\", \"mobile_click_on_screen_at_coordinates\", {\"device\": \"$serial\", \"x\": 540, \"y\": 400}]
  ]" "$node" "$work/peers/node_modules/@mobilenext/mobile-mcp/lib/index.js" --stdio
  end_peer_programs
}

libraries() {
  open_calculator
  env "PATH=$work/peer-bin:$PATH" ANDROID_ADB_SERVER_HOST=127.0.0.1 "$work/libraries/bin/python" bench/phone_libraries.py "$serial" "${BENCH_ROUNDS:-60}"
}

blocks=('ours agent' 'ours shell')
if [[ ${PEERS:-yes} == yes ]]; then
  install_packages
  mkdir "$work/peers" "$work/peer-bin"
  sed "s:adb-starts:peer-adb-starts:" "$work/bin/adb" >"$work/peer-bin/adb"
  chmod +x "$work/peer-bin/adb"
  touch "$work/peer-adb-starts"
  npm=$(dirname "$node")/../lib/node_modules/npm/bin/npm-cli.js
  (cd "$work/peers" && PATH=$(dirname "$node"):$PATH "$node" "$npm" install --silent --no-audit --no-fund @mobilenext/mobile-mcp@1.0.4)
  python3 -m venv "$work/libraries"
  "$work/libraries/bin/pip" install --quiet --disable-pip-version-check uiautomator2==3.7.1 adbutils==2.12.0
  blocks+=('mobile_mcp default' 'mobile_mcp legacy MOBILEMCP_LEGACY_ROBOT=1' 'libraries')
fi

echo '| server | call | min ms | p50 ms | p95 ms | of that computed by the server, ms |'
echo '|---|---|---|---|---|---|'
mapfile -t blocks < <(printf '%s\n' "${blocks[@]}" | shuf)
for block in "${blocks[@]}"; do
  read -ra words <<<"$block"
  "${words[@]}"
done
echo "adb programs started by fingertip: $(starts)"
if [[ ${PEERS:-yes} == yes ]]; then
  echo "adb programs started by the others: $(wc -l <"$work/peer-adb-starts")"
fi
open_calculator
python3 bench/phone.py wake "${BENCH_ROUNDS:-30}" "$program" stdio --writes-per-second 1000 --target "android:$serial"
