#!/usr/bin/env bash
# How cost grows: with the nodes of a screen, 100 to 100,000 of them, in the tree model alone (`cargo bench -p fingertip-core`); and with
# the clients, 1 to 100 of them calling at once over HTTP, beside the least servers on the official TypeScript and Python SDKs.
# The servers come in a shuffled order, each with the load on the same machine. BENCH_SECONDS says how long each load lasts,
# BENCH_NODES=no leaves the tree model out, PROFILE=debug takes that build. Needs wrk, and installs it from Debian.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/lib.sh"
# shellcheck source=tests/desktop/session.sh
source "$tests/desktop/session.sh"
# shellcheck disable=SC2034 # read by lib.sh: there is no session to end
at_end=:
cd "$root"
# shellcheck source=bench/build.sh
source bench/build.sh

install_debian wrk
build_program
install_packages
new_identity

if [[ ${BENCH_NODES:-yes} == yes ]]; then
  if [[ $profile == release ]]; then measured=(); else measured=(--profile dev --all-features); fi
  cargo bench --quiet --package fingertip-core "${measured[@]}" -- --quick --noplot >"$work/nodes" 2>/dev/null
  python3 bench/growth.py nodes "$work/nodes"
  echo
fi

echo '| server | call | clients | calls a second | p50 ms | p99 ms | CPU a call, us | memory after, MB |'
echo '|---|---|---|---|---|---|---|---|'

# load NAME TOOL ADDRESS: that many clients, one after another.
load() {
  local clients port=${3#*://*:}
  await "$1" bash -c ": </dev/tcp/127.0.0.1/${port%%/*}"
  for clients in 1 10 100; do
    cat >"$work/call.lua" <<LUA
wrk.method = "POST"
wrk.headers["Authorization"] = "Bearer $FINGERTIP_TOKEN"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Accept"] = "application/json, text/event-stream"
wrk.body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"$2","arguments":{}}}'
LUA
    python3 bench/growth.py clients "$1" "$2" "$clients" "${started[-1]}" \
      wrk -t 1 -c "$clients" -d "${BENCH_SECONDS:-10}s" -s "$work/call.lua" --latency "$3"
  done
}

ours() {
  start ours "$program" serve --target demo --listen 127.0.0.1:0
  address=$(address_of ours)
  load 'fingertip, demo phone' get_clipboard "$address"
  load 'fingertip, demo phone' get_screen_state "$address"
}

typescript() {
  start typescript "$node" bench/minimal/server.mjs 0
  address=$(address_of typescript)
  load 'minimal server, TypeScript SDK 1.32.2' get_clipboard "$address"
}

# shellcheck disable=SC2154 # lib.sh sets it
python() {
  start python "$python" bench/minimal/server.py 0
  address=$(address_of python)
  load 'minimal server, Python SDK 2.3.0' get_clipboard "$address"
}

mapfile -t servers < <(printf '%s\n' ours typescript python | shuf)
for server in "${servers[@]}"; do
  "$server"
  kill "${started[-1]}"
  wait "${started[-1]}" 2>/dev/null || true
  unset 'started[-1]'
done
