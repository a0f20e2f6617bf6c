#!/usr/bin/env bash
# What tasks cost: calls, tokens (o200k) and seconds of ten tasks on the demo phone, reached through the real adb, played by a
# script with the fewest sensible calls: ours beside mobile-mcp 1.0.4 with its batches. Fails when one of ours does not succeed.
# Needs adb (apt-get install adb); tokenizer and peer are installed from npm into a scratch folder. PROFILE=debug takes that build.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/lib.sh"
cd "$root"

adb=$(command -v adb) || fail 'adb is missing: apt-get install adb'
export ANDROID_ADB_SERVER_PORT=${ADB_PORT:-15141} ADB_MDNS=0 FINGERTIP_HOME=$work/home
port=${PHONE_PORT:-15659}
profile=${PROFILE:-release}
if [[ $profile == release ]]; then cargo build --release --quiet --package fingertip; else cargo build --quiet --package fingertip; fi
program=$target/$profile/fingertip

install_packages
mkdir "$work/peers"
npm=$(dirname "$node")/../lib/node_modules/npm/bin/npm-cli.js
(cd "$work/peers" && PATH=$(dirname "$node"):$PATH "$node" "$npm" install --silent --no-audit --no-fund \
  @mobilenext/mobile-mcp@1.0.4 gpt-tokenizer@4.0.0)

"$adb" kill-server 2>/dev/null || true
"$adb" start-server 2>/dev/null
PATH=$(dirname "$node"):$PATH MOBILEMCP_LEGACY_ROBOT=1 MOBILEMCP_DISABLE_TELEMETRY=1 \
  python3 bench/tasks.py "$adb" "127.0.0.1:$port" "$program" "$node" "$work/peers"
"$adb" kill-server
