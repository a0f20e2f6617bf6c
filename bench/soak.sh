#!/usr/bin/env bash
# Ten clients for as long as told, with faults switched on and off; see bench/soak.py for what is checked.
#
#   bench/soak.sh [CALLS]          one million calls unless told otherwise
#   bench/soak.sh --minutes 10     as many as fit
#
# Runs the release build; PROFILE=debug takes the other. Needs adb and python3; the full disk needs root, to mount a small one,
# and the clock jump libfaketime (Debian package faketime): what is left out is said, and fails in CI.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/lib.sh"

profile=${PROFILE:-release}
size=(--calls "${1:-1000000}")
if [[ ${1:-} == --minutes ]]; then
  size=(--minutes "${2:-10}")
fi

# Megabytes the audit log has, and the file that a jump of the clock is written to.
readonly DISK=256
clock=$work/clock
disk=$work/disk
# The folder of libfaketime, which differs by machine.
faketime=$(find /usr/lib -name libfaketimeMT.so.1 -print -quit 2>/dev/null || true)

left_out() {
  [[ -z ${CI:-} ]] || fail "$1"
  echo "left out: $1"
}

unmount() {
  # The servers are still running, and hold it.
  ! mountpoint --quiet "$disk" || umount --lazy "$disk"
}

options=()
[[ $profile != release ]] || options=(--release)
# Two builds: the phone has faults, the program under test must not.
(cd "$root" && cargo build --quiet "${options[@]}" --package fingertip)
(cd "$root" && cargo build --quiet "${options[@]}" --package fingertip-sim --example phone)
fingertip=$target/$profile/fingertip
phone=$target/$profile/examples/phone
command -v adb >/dev/null || fail "adb is missing (Debian package adb)"
new_identity
export FINGERTIP_LOG=error FINGERTIP_AUDIT_MAX_BYTES=1000000000

ANDROID_ADB_SERVER_PORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export ANDROID_ADB_SERVER_PORT ADB_MDNS=0 HOME=$work/adb-home
mkdir -p "$HOME" "$disk"
start adb-server adb nodaemon server
sleep 1

phones=()
for number in 1 2 3 4; do
  start "phone-$number" "$phone" 0
  serial=$(address_of "phone-$number")
  adb connect "$serial" >/dev/null
  phones+=("$serial")
done

options=()
if ((EUID == 0)) && mount -t tmpfs -o "size=${DISK}m,mode=700" tmpfs "$disk" 2>/dev/null; then
  at_end=unmount
  options+=(--disk "$disk")
else
  left_out "the full disk, for lack of the right to mount one"
fi
serve=("$fingertip" serve --listen 127.0.0.1:0 --writes-per-second 1000 --audit-file "$disk/audit.jsonl"
  --target "android:${phones[0]}" --target "android:${phones[1]}")
if [[ -n $faketime ]]; then
  echo +0 >"$clock"
  options+=(--clock "$clock")
  # Only the wall clock: that of deadlines cannot jump.
  serve=(env LD_PRELOAD="$faketime" FAKETIME_TIMESTAMP_FILE="$clock" FAKETIME_NO_CACHE=1 DONT_FAKE_MONOTONIC=1
    FAKETIME_DONT_FAKE_MONOTONIC=1 "${serve[@]}")
else
  left_out "the clock jump, for lack of libfaketime (Debian package faketime)"
fi
start http "${serve[@]}"
http=${started[-1]}
url=$(address_of http)

# Its output is the result; what the servers said is shown after a failure.
python3 "$root/bench/soak.py" "${size[@]}" --phones "$(IFS=,; echo "${phones[*]}")" --http "$http,$url" \
  --stdio "$fingertip" --audit "$disk/audit.jsonl" "${options[@]}"
