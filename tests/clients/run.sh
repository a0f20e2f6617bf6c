#!/usr/bin/env bash
# Connects the official MCP clients to the server over stdio, HTTP and HTTPS, and checks what each of them sees.
#
# The server is the example `scripted`: the product's server over a scripted phone.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
cd "$tests/clients"
# shellcheck source=tests/clients/every.sh
source "$tests/clients/every.sh"

connect() { every_client "$1" typescript-1.mjs typescript-2.mjs python.py "${@:2}"; }

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

build_example toy_platform
try "toy platform, python" "$python" toy.py "$example" stdio
