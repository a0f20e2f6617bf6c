#!/usr/bin/env bash
# Uses real applications on a desktop through the official Python client: GTK 3, GTK 4, Qt, Chromium, Firefox, LibreOffice,
# Swing, Tk and xterm under Xvfb with a window manager, and some of them in Wayland sessions. Each group of scenarios has a
# desktop of its own; each effect is checked by a second observation.
#
# Usage: run.sh [GROUP...]    all groups but those of KWin by default; `sway/GROUP` and `kwin/GROUP` are that group on
#                             sway or KWin instead of X; `kwin` has what only KWin gives; `gnome/GROUP` is on GNOME Shell
#                             by Mutter's own interface
#        run.sh --newer [GROUP...]    those of Wayland, on the compositors of the next Debian; see newer.sh
#
# PROGRAM names a program that was built already, on a machine where all packages are installed.
set -euo pipefail
if [[ ${1:-} == --newer ]]; then
  exec "$(dirname "${BASH_SOURCE[0]}")/newer.sh" "${@:2}"
fi
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=tests/desktop/session.sh
source "$tests/desktop/session.sh"
cd "$tests/desktop"

# Seconds one group of scenarios may take.
readonly GROUP_LIMIT=400
# A machine that is busy with other things must not fail a test: the limits are far from what reading takes.
readonly PATIENCE=get_ui_tree=30,find_element=20,get_focused_element=5,list_windows=5
readonly GROUPS_OF_SCENARIOS=(
  calculator editor browser long_lists windows opening observe faults device_tools pointing choosing wayland sway
  sway/calculator sway/editor sway/opening sway/pointing gnome gnome_mutter gnome_refused
  demo_phone files office web secrets_kept notes swing treeless walks
)

# The desktop tools on the demo phone, which needs no desktop.
on_the_demo_phone() {
  timeout "$GROUP_LIMIT" "$python" demo_phone.py "$fingertip" stdio --target demo --tools device,desktop
}

# Grants the program what KWin keeps for allowed ones, as its user would, and makes that known as Plasma does. It is a copy
# in a folder that the session's user can read; what it tells of itself before is looked at by the scenarios.
allow_on_kwin() {
  # KWin reads the whole program before it trusts it, at each connection: without what is for debuggers that is quick.
  strip -o "$session/fingertip" "$fingertip"
  command[0]=$session/fingertip
  export FINGERTIP_HOME=$session/home/fingertip
  "${session_user[@]}" "$session/fingertip" doctor --target desktop >"$work/doctor-before.log" 2>&1 || true
  grep -q 'fingertip init --kde' "$work/doctor-before.log" || fail 'doctor does not tell how KWin is allowed'
  "${session_user[@]}" "$session/fingertip" init --kde --yes >/dev/null
  "${session_user[@]}" "$(command -v kbuildsycoca6 || command -v kbuildsycoca5)" --noincremental >/dev/null 2>&1
  # KWin looks for new entries every one and a half seconds.
  sleep 2
}

if (($# > 0)); then chosen=("$@"); else chosen=("${GROUPS_OF_SCENARIOS[@]}"); fi

if [[ -n ${PROGRAM:-} ]]; then
  fingertip=$PROGRAM python=$tests/.venv/bin/python
else
  install_desktop
  [[ " ${chosen[*]}" != *' kwin'* ]] || install_debian "${KWIN_PACKAGES[@]}"
  install_packages
  build_product
fi
new_identity
export PYTHONPATH=$tests/phone PYTHONDONTWRITEBYTECODE=1

failed=()
for group in "${chosen[@]}"; do
  if [[ $group == demo_phone ]]; then
    on_the_demo_phone || failed+=("$group")
    continue
  fi
  case $group in
    wayland) begin_session "$group" weston ;;
    sway) begin_session "$group" sway ;;
    gnome/*) begin_session "on-${group/\//-}" gnome ;;
    gnome*) begin_session "$group" gnome ;;
    sway/*) begin_session "on-${group/\//-}" sway ;;
    kwin) begin_session "$group" kwin ;;
    kwin/*) begin_session "on-${group/\//-}" kwin ;;
    *) begin_session "$group" ;;
  esac
  command=("$fingertip" stdio --target desktop)
  export FINGERTIP_HOME=$work/home
  case $group in
    kwin | kwin/*) allow_on_kwin ;;
  esac
  # Where an application hangs, the usual limits are what is tested.
  [[ $group == faults ]] || command+=(--timeout "$PATIENCE")
  # What is blocked unless its owner allows it.
  [[ $group != secrets_kept ]] || command+=(--allow-app keepassxc)
  [[ $group != treeless ]] || command+=(--allow-app xterm)
  # What GNOME gives without asking anybody, where the owner chose so.
  [[ $group != gnome_mutter && $group != gnome/* ]] || command+=(--gnome-access mutter)
  timeout "$GROUP_LIMIT" "${session_user[@]}" "$python" suite.py "${group#*/}" "${command[@]}" || failed+=("$group")
  end_session
done
((${#failed[@]} == 0)) || fail "scenarios failed: ${failed[*]}"
