#!/usr/bin/env bash
# The page at /ui in a real browser: Debian's Chromium, driven by playwright-core, over the demo phone inside the program.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
cd "$tests/page"

# Seconds one run may take.
readonly RUN_LIMIT=110

command -v chromium >/dev/null || fail "chromium is missing (Debian package chromium)"
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
for log in page confirm looking; do
  for ((tenth = 0; tenth < START_LIMIT; tenth++)); do
    grep -q '^page: ' "$work/$log.log" && break
    sleep 0.1
  done
done

# Screenshots of the views, where somebody wants to look at them.
timeout "$RUN_LIMIT" "$node" page.mjs "$fingertip" "$work/page.log" "$address" "$confirm" "$python" "${1:-}"
timeout "$RUN_LIMIT" "$node" app.mjs "$address" "$looking"
