#!/usr/bin/env bash
# Connects the official MCP clients to the server over stdio, HTTP and HTTPS, and checks what each of them sees.
#
# The server is the example `scripted`: the product's server over a scripted phone.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
cd "$tests/clients"

# connect TRANSPORT TARGET...: lets every client, in every era it knows, connect to a URL or start a command.
connect() {
  local transport=$1
  shift
  try "typescript-1 legacy $transport" "$node" typescript-1.mjs legacy "$@"
  try "typescript-2 legacy $transport" "$node" typescript-2.mjs legacy "$@"
  try "typescript-2 auto $transport" "$node" typescript-2.mjs auto "$@"
  try "python legacy $transport" "$python" python.py legacy "$@"
  try "python auto $transport" "$python" python.py auto "$@"
}

try() {
  local name=$1
  shift
  timeout "$CLIENT_LIMIT" "$@" </dev/null >"$work/client.log" 2>&1 || fail "$name"
  echo "ok $name"
}

# Seconds one client may take.
readonly CLIENT_LIMIT=60

install_packages
build_example scripted
new_identity

connect stdio "$example" stdio

start http "$example" serve --listen 127.0.0.1:0
http=$(address_of http)
connect http "$http"

start https "$example" serve --listen 127.0.0.1:0 --tls
https=$(address_of https)
export NODE_EXTRA_CA_CERTS=$FINGERTIP_HOME/tls/certificate.pem
export SSL_CERT_FILE=$FINGERTIP_HOME/tls/certificate.pem
connect https "$https"
