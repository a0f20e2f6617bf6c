#!/usr/bin/env bash
# Time of reading and pressing real applications on a Linux desktop, beside plain pyatspi and two other servers in the same run.
#
# Each application is alone on a desktop of its own, and only one reader is on the accessibility bus at a time: listeners of
# another would cost the application time. The order of the readers is reversed in the second round.
# Needs what tests/desktop/run.sh needs, and installs it. The peers are installed from PyPI and npm into a scratch folder;
# without network, or to be quick, PEERS=no.
#
# Usage: desktop.sh [APPLICATION...]    all applications by default
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/lib.sh"
# shellcheck source=tests/desktop/session.sh
source "$tests/desktop/session.sh"
cd "$root"

readonly APPLICATIONS=(mousepad gtk4-widget-factory table_qt6 long_column long_list long_page)

if (($# > 0)); then chosen=("$@"); else chosen=("${APPLICATIONS[@]}"); fi

install_desktop
cargo build --release --quiet --package fingertip
cargo build --release --quiet --package fingertip-linux --example read
if [[ ${PEERS:-yes} == yes ]]; then
  install_packages
  npm=$(dirname "$node")/../lib/node_modules/npm/bin/npm-cli.js
  export PEERS_FOLDER=$work/peers NODE=$node
  python3 -m venv "$PEERS_FOLDER"
  "$PEERS_FOLDER/bin/pip" install --quiet --disable-pip-version-check --no-deps cua-driver==0.37.0
  (cd "$PEERS_FOLDER" && PATH=$(dirname "$node"):$PATH "$node" "$npm" install --silent --no-audit --no-fund agent-device@0.21.5)
fi
new_identity
export PYTHONPATH=$tests/desktop PYTHONDONTWRITEBYTECODE=1

measure() {
  local name=$1
  shift
  begin_session "$name"
  /usr/bin/python3 "$root/bench/desktop.py" "$@" "$target/release/fingertip" "$target/release/examples/read"
  end_session
}

echo '| application | reader | part | nodes | D-Bus calls | min ms | median ms |'
echo '|---|---|---|---|---|---|---|'
for application in "${chosen[@]}"; do measure "$application" tree "$application"; done

echo
echo '| application | call | min ms | median ms |'
echo '|---|---|---|---|'
for application in long_list long_page; do measure "find-$application" find "$application"; done
for application in form_gtk3 gnome-calculator form_qt6; do measure "press-$application" press "$application"; done
