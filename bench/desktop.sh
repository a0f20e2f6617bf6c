#!/usr/bin/env bash
# Time of reading and pressing real applications on a Linux desktop, beside plain pyatspi and two other servers in the same run.
#
# Each application is alone on a desktop of its own, and only one reader is on the accessibility bus at a time: listeners of
# another would cost the application time. The order of the readers is reversed in the second round.
# Needs what tests/desktop/run.sh needs, and installs it. The peers are installed from PyPI and npm into a scratch folder;
# without network, or to be quick, PEERS=no. PROFILE=debug takes that build. BENCH_ROUNDS says how often a call is timed in each
# of its two turns, BENCH_MANY for how many calls a server's memory is watched, BENCH_QUICK=yes leaves all but the smallest
# application and one press out.
#
# Usage: desktop.sh [APPLICATION...]    all applications by default
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/lib.sh"
# shellcheck source=tests/desktop/session.sh
source "$tests/desktop/session.sh"
cd "$root"

# shellcheck source=bench/build.sh
source bench/build.sh

trees=(mousepad gtk4-widget-factory table_qt6 long_column long_list long_page)
searches=(long_list long_page) presses=(form_gtk3 gnome-calculator form_qt6)
if [[ ${BENCH_QUICK:-no} == yes ]]; then trees=(mousepad) searches=() presses=(form_gtk3); fi
if (($# > 0)); then trees=("$@"); fi

install_desktop
build_program
build_part fingertip-linux read
if [[ ${PEERS:-yes} == yes ]]; then
  install_packages
  npm=$(dirname "$node")/../lib/node_modules/npm/bin/npm-cli.js
  export PEERS_FOLDER=$work/peers NODE=$node
  python3 -m venv "$PEERS_FOLDER"
  pip() { "$PEERS_FOLDER/bin/pip" --disable-pip-version-check "$@"; }
  pip install --quiet --no-deps cua-driver==0.37.0 xa11y==0.15.4
  # It works with the first protocol library only, and says not so; the bindings that it would build are Debian's.
  pip --python /usr/bin/python3 install --quiet --quiet --target "$PEERS_FOLDER/linux-desktop-mcp" 'mcp<2'
  pip --python /usr/bin/python3 install --quiet --quiet --target "$PEERS_FOLDER/linux-desktop-mcp" --no-deps linux-desktop-mcp==0.1.0
  (cd "$PEERS_FOLDER" && PATH=$(dirname "$node"):$PATH "$node" "$npm" install --silent --no-audit --no-fund agent-device@0.21.5 gpt-tokenizer@4.0.0)
fi
new_identity
export PYTHONPATH=$tests/desktop PYTHONDONTWRITEBYTECODE=1

measure() {
  local name=$1
  shift
  begin_session "$name"
  /usr/bin/python3 "$root/bench/desktop.py" "$@" "$program" "$part"
  end_session
}

echo '| application | reader | part | nodes | tokens | D-Bus calls | times | min ms | p50 ms | p95 ms |'
echo '|---|---|---|---|---|---|---|---|---|---|'
for application in "${trees[@]}"; do measure "$application" tree "$application"; done

echo
echo '| application | call | times | min ms | p50 ms | p95 ms |'
echo '|---|---|---|---|---|---|'
for application in "${searches[@]}"; do measure "find-$application" find "$application"; done
for application in "${presses[@]}"; do measure "press-$application" press "$application"; done

echo
echo '| server, screens of mousepad one after another | calls | CPU a call, ms | memory after, MB | programs started a call |'
echo '|---|---|---|---|---|'
measure many many mousepad
