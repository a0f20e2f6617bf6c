#!/usr/bin/env bash
# Tries the static binaries for phones: all scenarios of the demo phone, through the official Python client and the real adb.
# Whether Android lets an app run such a program is seen on the way: the arm64 one runs under qemu, which writes down its
# system calls, to be held against Android's own lists; the x86_64 one runs natively under the filter made from them.
#
#   tests/static/run.sh [PROFILE]    `dev` unless told otherwise, which is built in a third of the time that `dist` takes
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=tests/phone/adb.sh
source "$tests/phone/adb.sh"
profile=${1:-dev}

# Seconds one run of the scenarios may take, and one reply.
readonly RUN_LIMIT=600 REPLY_LIMIT=30
readonly LOOK='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_screen_state","arguments":{}}}'
# Page sizes of phones go up to 16 KiB, of other arm64 kernels to 64 KiB.
readonly LEAST_ALIGNMENT=65536
# The first Android whose apps may make all of the calls.
readonly FIRST=8.0

for program in adb qemu-aarch64-static readelf; do
  command -v "$program" >/dev/null || fail "$program is missing (Debian packages adb, qemu-user-static, binutils)"
done

"$root/scripts/package-static" --profile "$profile"
suffix=-$profile
[[ $profile != dist ]] || suffix=
declare -A binary
for architecture in aarch64 x86_64; do
  binary[$architecture]=$root/dist/fingertip-phone-$architecture$suffix
done

# static ARCHITECTURE: the binary asks for no loader and no library, and fits every page size.
static() {
  local file=${binary[$1]} headers alignment
  headers=$(readelf --program-headers --wide "$file")
  ! grep -qE '^ *INTERP' <<<"$headers" || fail "$file asks for a loader"
  ! readelf --dynamic --wide "$file" | grep -q NEEDED || fail "$file asks for libraries"
  while read -r alignment; do
    ((alignment >= LEAST_ALIGNMENT)) || fail "$file has a segment aligned to $alignment"
  done < <(awk '$1 == "LOAD" { print $NF }' <<<"$headers")
  echo "ok $1 is static and fits pages of $((LEAST_ALIGNMENT / 1024)) KiB"
}
static aarch64
static x86_64

install_packages
build_product
new_identity
new_adb
start_adb_server

export FINGERTIP_TRANSCRIPT=$transcript/static FINGERTIP_SECRET_NOTE='open "sesame"'

# scenarios NAME COMMAND...: runs a server by that command and uses all of its tools on a phone of its own; then asks it over
# HTTPS, which makes system calls of its own.
scenarios() {
  local name=$1 address reply
  shift
  connect "phone-$name"
  timeout "$RUN_LIMIT" "$python" "$tests/phone/suite.py" agent "$serial" "$@" stdio --target "android:$serial" --driver agent \
    2>>"$work/$name.log" | sed "s/^ok /ok $name, /"
  start "$name-https" "$@" serve --target "android:$serial" --listen 127.0.0.1:0 --tls
  address=$(address_of "$name-https")
  reply=$(curl --silent --show-error --fail --max-time "$REPLY_LIMIT" --cacert "$FINGERTIP_HOME/tls/certificate.pem" \
    --header "Authorization: Bearer $FINGERTIP_TOKEN" --header 'Content-Type: application/json' --data "$LOOK" "$address")
  [[ $reply == *'note:structural-only nodes'* ]] || fail "$name over HTTPS: $reply"
  adb disconnect "$serial" >/dev/null
  echo "ok $name, HTTPS"
}

scenarios x86_64-filtered "$(command -v python3)" "$tests/static/filter.py" "$FIRST" "${binary[x86_64]}"
# qemu writes a trace for each process.
scenarios arm64 qemu-aarch64-static -strace -D "$work/%d.trace" "${binary[aarch64]}"
"$python" "$tests/static/syscalls.py" "$FIRST" "$work"/*.trace
