#!/usr/bin/env bash
# Lets the official MCP clients meet a server with --confirm, over stdio and HTTP, in both eras of the protocol: a yes
# lets a call act, everything else does not.
#
# The server is the example `scripted`: the product's server over a scripted phone.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
cd "$tests/clients"
# shellcheck source=tests/clients/every.sh
source "$tests/clients/every.sh"

ask() { every_client "confirm $1" confirm-1.mjs confirm-2.mjs confirm.py "${@:2}"; }

install_packages
build_example scripted
new_identity

ask stdio "$example" stdio --confirm set_text

start http "$example" serve --listen 127.0.0.1:0 --confirm set_text
http=$(address_of http)
ask http "$http"

# A client without a session and without elicitation, such as plain curl, is refused.
refused=$(curl -s -X POST "$http" -H "Authorization: Bearer $FINGERTIP_TOKEN" -H 'Content-Type: application/json' \
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set_text","arguments":{"element_id":"node_0001","text":"x"}}}')
grep -q 'this client cannot ask' <<<"$refused" || fail "confirm curl: $refused"
echo "ok confirm curl"
