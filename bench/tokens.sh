#!/usr/bin/env bash
# What a screen costs a model: tokens (o200k) of our table, of our lean lines and of the peer mobile-mcp for the same screens of
# the demo phone, reached through the real adb. Says which texts of the peer's answer the lean lines lack, and fails when they do.
# Also counts the list of tools.
# Needs adb (apt-get install adb); tokenizer and peer are installed from npm into a scratch folder. PROFILE=debug takes that build.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/lib.sh"
cd "$root"

adb=$(command -v adb) || fail 'adb is missing: apt-get install adb'
export ANDROID_ADB_SERVER_PORT=${ADB_PORT:-15139} ADB_MDNS=0 FINGERTIP_HOME=$work/home
port=${PHONE_PORT:-15657}
profile=${PROFILE:-release}
if [[ $profile == release ]]; then cargo build --release --quiet --package fingertip; else cargo build --quiet --package fingertip; fi
program=$target/$profile/fingertip

install_packages
mkdir "$work/peers"
npm=$(dirname "$node")/../lib/node_modules/npm/bin/npm-cli.js
(cd "$work/peers" && PATH=$(dirname "$node"):$PATH "$node" "$npm" install --silent --no-audit --no-fund \
  @mobilenext/mobile-mcp@1.0.4 gpt-tokenizer@4.0.0)

start phone "$program" sim --port "$port"
"$adb" kill-server 2>/dev/null || true
"$adb" start-server 2>/dev/null
until "$adb" connect "127.0.0.1:$port" | grep -q 'connected to'; do sleep 0.2; done

PATH=$(dirname "$node"):$PATH MOBILEMCP_LEGACY_ROBOT=1 MOBILEMCP_DISABLE_TELEMETRY=1 \
  python3 bench/tokens.py "$adb" "127.0.0.1:$port" "$program" "$node" "$work/peers"
"$adb" kill-server
