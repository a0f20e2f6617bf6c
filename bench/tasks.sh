#!/usr/bin/env bash
# What tasks cost: calls, tokens (o200k) and seconds of ten tasks on the demo phone, reached through the real adb, played by a
# script with the fewest sensible calls: ours beside mobile-mcp 1.0.4 with its batches. Fails when one of ours does not succeed.
# Needs adb (apt-get install adb).
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/lib.sh"
cd "$root"
# shellcheck source=bench/peers.sh
source bench/peers.sh

python3 bench/tasks.py "$adb" "127.0.0.1:${PHONE_PORT:-15657}" "$program" "$node" "$peers"
