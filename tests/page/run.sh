#!/usr/bin/env bash
# The page at /ui in a real browser: Debian's Chromium, driven by playwright-core, over the demo phone inside the program, over
# phones that adb is connected to, and over windows of GTK on a desktop of its own.
#
#   tests/page/run.sh [FOLDER]    FOLDER is given a picture of each view
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=tests/desktop/session.sh
source "$tests/desktop/session.sh"
# shellcheck source=tests/phone/adb.sh
source "$tests/phone/adb.sh"
cd "$tests/page"

# Seconds one run may take.
readonly RUN_LIMIT=200 VIEWS_LIMIT=400

command -v adb >/dev/null || fail "adb is missing (Debian package adb)"
install_desktop
install_packages
build_product
new_identity

start page "$fingertip" serve --target demo --listen 127.0.0.1:0
address=$(address_of page)
start confirm "$fingertip" serve --target demo --listen 127.0.0.1:0 --confirm tap
confirm=$(address_of confirm)
start looking "$fingertip" serve --target demo --listen 127.0.0.1:0 --read-only
looking=$(address_of looking)
# The banner with its link comes once the devices are there.
ready() {
  local tenth
  for ((tenth = 0; tenth < START_LIMIT; tenth++)); do
    grep -q '^page: ' "$work/$1.log" && return
    sleep 0.1
  done
  fail "$1 printed no link"
}
for log in page confirm looking; do ready "$log"; done

timeout "$RUN_LIMIT" "$node" page.mjs "$fingertip" "$work/page.log" "$address" "$confirm" "$python"
timeout "$RUN_LIMIT" "$node" app.mjs "$address" "$looking"

# Servers that nobody has used yet.
start fresh "$fingertip" serve --target demo --listen 127.0.0.1:0 --read-only
fresh=$(address_of fresh)
ready fresh
timeout "$VIEWS_LIMIT" "$node" views.mjs "$fingertip" "$address" "$confirm" "$fresh" "${1:-}"

new_adb
start_adb_server
connect first
first=$serial
connect second
second=$serial
start late "$fingertip" sim --port 0
late=$(address_of late)
start phones "$fingertip" serve --target "android:$first" --target "android:$second" --listen 127.0.0.1:0
phones=$(address_of phones)
start waiting "$fingertip" serve --target "android:$late" --listen 127.0.0.1:0
waiting=$(address_of waiting)
for log in phones waiting; do ready "$log"; done
timeout "$RUN_LIMIT" "$node" coming_and_going.mjs "$fingertip" "$phones" "$first" "$second" "$waiting" "$late" "${1:-}"
# Before adb: a server that misses it starts another one, which would stay.
for process in "${started[@]: -2}"; do
  kill "$process"
  wait "$process" || true
done

begin_session page
start form /usr/bin/python3 "$tests/desktop/apps/form_gtk3.py"
form=${started[-1]}
start choices /usr/bin/python3 "$tests/desktop/apps/choices_gtk3.py"
start desktop "$fingertip" serve --target desktop --listen 127.0.0.1:0
desktop=$(address_of desktop)
ready desktop
timeout "$RUN_LIMIT" "$node" desktop.mjs "$fingertip" "$desktop" "$form" "$work/form.log" "$work/choices.log" "${1:-}"
end_session
