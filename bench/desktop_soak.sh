#!/usr/bin/env bash
# Opens whatever menus, dialogs and tabs eight applications offer, by our tools, at random; see tests/desktop/soak.py for what
# is checked after each action.
#
#   bench/desktop_soak.sh [ACTIONS [APPLICATION...]]    500 actions in each of all applications unless told otherwise
#
# SEED=7 chooses other actions than SEED=1. Runs the release build; PROFILE=debug takes the other. Needs what
# tests/desktop/run.sh needs, and installs it.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/lib.sh"
# shellcheck source=tests/desktop/session.sh
source "$tests/desktop/session.sh"
cd "$root"

readonly APPLICATIONS=(thunar mousepad galculator writer calc keepassxc gnome-text-editor firefox)
profile=${PROFILE:-release}
actions=${1:-500}
if (($# > 1)); then chosen=("${@:2}"); else chosen=("${APPLICATIONS[@]}"); fi

install_desktop
install_packages
if [[ $profile == release ]]; then
  cargo build --quiet --release --package fingertip
else
  cargo build --quiet --package fingertip
fi
fingertip=$target/$profile/fingertip
new_identity
export PYTHONPATH=$tests/phone PYTHONDONTWRITEBYTECODE=1

failed=()
for application in "${chosen[@]}"; do
  begin_session "$application"
  "$python" tests/desktop/soak.py "$application" "$actions" "${SEED:-1}" \
    "$fingertip" stdio --target desktop --allow-app keepassxc --writes-per-second 1000 || failed+=("$application")
  end_session
done
((${#failed[@]} == 0)) || fail "not well: ${failed[*]}"
