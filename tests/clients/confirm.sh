#!/usr/bin/env bash
# Lets the official MCP clients meet a server with --confirm, over stdio and HTTP, in both eras of the protocol: a yes
# lets a call act, everything else does not.
#
# The server is the example `scripted`: the product's server over a scripted phone.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
cd "$tests/clients"

# Seconds one client may take.
readonly CLIENT_LIMIT=60

# ask TRANSPORT TARGET...: every client, in every era it knows, with a URL or a command.
ask() {
  local transport=$1
  shift
  try "typescript-1 legacy $transport" "$node" confirm-1.mjs legacy "$@"
  try "typescript-2 legacy $transport" "$node" confirm-2.mjs legacy "$@"
  try "typescript-2 auto $transport" "$node" confirm-2.mjs auto "$@"
  try "python legacy $transport" "$python" confirm.py legacy "$@"
  try "python auto $transport" "$python" confirm.py auto "$@"
}

try() {
  local name=$1
  shift
  timeout "$CLIENT_LIMIT" "$@" </dev/null >"$work/client.log" 2>&1 || fail "confirm $name"
  echo "ok confirm $name"
}

install_packages
build_example scripted
new_identity

ask stdio "$example" stdio --confirm set_text

start http "$example" serve --listen 127.0.0.1:0 --confirm set_text
http=$(address_of http)
ask http "$http"

# A client without a session and without elicitation, such as plain curl, is refused.
refused=$(curl -s -X POST "$http" -H "Authorization: Bearer $FINGERTIP_TOKEN" -H 'Content-Type: application/json' \
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set_text","arguments":{"element_id":"node_1","text":"x"}}}')
grep -q 'this client cannot ask' <<<"$refused" || fail "confirm curl: $refused"
echo "ok confirm curl"
