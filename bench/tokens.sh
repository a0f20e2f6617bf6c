#!/usr/bin/env bash
# What a screen costs a model: tokens (o200k) of our table, of our lean lines and of the peer mobile-mcp for the same screens of
# the demo phone, reached through the real adb. Says which texts of the peer's answer the lean lines lack, and fails when they do.
# Also counts the list of tools. With FINGERTIP_DUMPS, a folder of dumps of real phones, these are counted and compared too.
# Needs adb (apt-get install adb).
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/lib.sh"
cd "$root"
# shellcheck source=bench/peers.sh
source bench/peers.sh

serial=127.0.0.1:${PHONE_PORT:-15657}
start phone "$program" sim --port "${serial#*:}"
until "$adb" connect "$serial" | grep -q 'connected to'; do sleep 0.2; done
python3 bench/tokens.py "$adb" "$serial" "$program" "$node" "$peers"

if [[ -n ${FINGERTIP_DUMPS:-} ]]; then
  build_example phone
  start recorded "$example" 0
  serial=$(address_of recorded)
  until "$adb" connect "$serial" | grep -q 'connected to'; do sleep 0.2; done
  python3 bench/tokens.py "$adb" "$serial" "$program" "$node" "$peers" "$FINGERTIP_DUMPS"/*.xml
fi
