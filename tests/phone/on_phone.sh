#!/usr/bin/env bash
# `fingertip phone` through the real adb: the program itself is pushed to a demo phone and run there, which means by this
# computer, on the phone's files and sockets and with a stand-in for its shell; an official client uses it with adb gone. Then
# the same on a phone that shares no code with the demo phone, with real processes, and the shell and tools of Android.
#
#   tests/phone/on_phone.sh [BINARY]    the program for the phone; this build of it unless given
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
cd "$tests/phone"

# Seconds the run may take.
readonly RUN_LIMIT=300

for program in adb mksh toybox; do
  command -v "$program" >/dev/null || fail "$program is missing (Debian package $program)"
done
install_packages
build_product
FINGERTIP_HOME=$work/home
HOME=$work/adb-home
ANDROID_ADB_SERVER_PORT=$("$python" -c \
  'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
ADB_MDNS=0
mkdir "$HOME" "$work/phone"
export FINGERTIP_HOME HOME ANDROID_ADB_SERVER_PORT ADB_MDNS

end_adb_server() { adb kill-server 2>/dev/null || true; }
# shellcheck disable=SC2034 # read by lib.sh
at_end=end_adb_server

# A phone has no room for what debuggers need.
binary=${1:-$work/fingertip-stripped}
[[ $# -gt 0 ]] || strip -o "$binary" "$fingertip"

start phone env FINGERTIP_SIM_PROGRAMS="$work/phone" "$fingertip" sim --port 0
serial=$(address_of phone)
[[ $(adb connect "$serial" 2>/dev/null) == *"connected to"* ]] || fail "adb does not connect"
timeout "$RUN_LIMIT" "$python" on_phone.py demo "$serial" "$fingertip" "$binary"

"$python" other_phone.py make "$work/other"
start other "$tests/static/inside.sh" "$work/other" "$python" "$tests/phone/other_phone.py" serve
serial=$(address_of other)
[[ $(adb connect "$serial" 2>/dev/null) == *"connected to"* ]] || fail "adb does not connect to the other phone"
timeout "$RUN_LIMIT" "$python" on_phone.py "$work/other" "$serial" "$fingertip" "$binary"
echo "ok the same on another phone"
