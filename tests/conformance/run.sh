#!/usr/bin/env bash
# Runs the official MCP conformance suites against the product's HTTP transport, with its token check on.
#
# The fixtures the suites ask for are in crates/fingertip-mcp/examples/conformance. Scenarios of the optional tasks
# extension (tasks-*) are left out: Fingertip does not offer it, and the suite itself does not score them.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

# run SUITE NAME CHECKS OPTION...: runs one suite; at least CHECKS checks must pass and none may fail.
run() {
  local suite=$1 name=$2 checks=$3
  shift 3
  # The tally decides; the suite's own exit code also counts what the tally leaves out.
  "$node" "$tests/node_modules/$suite/dist/index.js" server --url "$proxy/mcp" --output-dir "$work/$name" "$@" \
    >"$work/$name.log" 2>&1 || true
  [[ -d $work/$name ]] || fail "$name wrote no results"
  echo -n "$name: "
  "$node" "$tests/conformance/tally.mjs" "$work/$name" "$checks" tasks- || fail "$name"
}

install_packages
build_example conformance
new_identity
start server "$example" 127.0.0.1:0
server=$(address_of server)
UPSTREAM=$server TOKEN=$FINGERTIP_TOKEN start proxy "$node" "$tests/conformance/bearer-proxy.mjs"
proxy=$(address_of proxy)

run conformance-stable conformance-0.1.16 46 --suite all
run conformance-next conformance-0.2.0-at-2025-11-25 83 --requirements 2025-11-25
run conformance-next conformance-0.2.0-at-2026-07-28 152 --requirements 2026-07-28
