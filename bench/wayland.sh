#!/usr/bin/env bash
# Looking, pressing and typing on sway beside X11: the same applications and the same calls, in turns, each on a desktop of
# its own. Prints the medians.
#
# Usage: wayland.sh    ROUNDS=3 by default; a debug build with PROFILE=debug
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/lib.sh"
# shellcheck source=tests/desktop/session.sh
source "$tests/desktop/session.sh"
cd "$root"

install_desktop
if [[ ${PROFILE:-release} == debug ]]; then
  build_product
else
  cargo build --release --quiet --package fingertip
  fingertip=$target/release/fingertip
fi
new_identity
export PYTHONPATH=$tests/desktop PYTHONDONTWRITEBYTECODE=1

for ((round = 1; round <= ${ROUNDS:-3}; round++)); do
  for kind in x11 sway; do
    begin_session "$kind-$round" "$kind"
    /usr/bin/python3 "$root/bench/wayland.py" measure "$fingertip" "$kind" >>"$work/times"
    end_session
  done
done
/usr/bin/python3 "$root/bench/wayland.py" table "$work/times"
