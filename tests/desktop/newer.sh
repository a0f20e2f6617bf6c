#!/usr/bin/env bash
# The scenarios of Wayland on the compositors of the next Debian, in a chroot: sway 1.10, KWin 6.3 and GNOME Shell 48, with
# the program that is built here.
#
# Usage: newer.sh [GROUP...]    needs root; the chroot is made once, of two gigabytes, in target/newer or where
#                               NEWER_FOLDER says
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=tests/desktop/session.sh
source "$tests/desktop/session.sh"

readonly SUITE=trixie
readonly NEWER_GROUPS=(sway sway/calculator sway/editor kwin kwin/calculator gnome gnome_refused gnome_mutter)
readonly NEWER_PACKAGES=(
  ca-certificates python3 python3-venv procps util-linux binutils grep
  dbus dbus-bin dbus-daemon at-spi2-core libatk-adaptor fonts-dejavu-core libegl-mesa0 libgl1-mesa-dri
  galculator gnome-calculator kcalc mousepad
  python3-pyatspi python3-gi python3-gi-cairo gir1.2-gtk-3.0 gir1.2-gtk-4.0 gir1.2-adw-1 gir1.2-atspi-2.0
  python3-pyqt5 python3-pyqt6 qt6-qpa-plugins qt6-wayland qtwayland5 sway swaybg swaylock wl-clipboard grim
  gnome-shell libglib2.0-bin pipewire pipewire-bin wireplumber xdg-desktop-portal xdg-desktop-portal-gnome
  gstreamer1.0-tools gstreamer1.0-pipewire gstreamer1.0-plugins-base gstreamer1.0-plugins-good
  kwin-wayland kwin-style-breeze libkf6service-bin
)
chroot=${NEWER_FOLDER:-$target/newer}

((EUID == 0)) || fail 'a chroot is made and entered as root'

# The system, and the official client for its Python. What is made half is thrown away.
make_chroot() {
  local packages new=$chroot.new site
  [[ ! -e $chroot/made ]] || return 0
  install_debian mmdebstrap
  packages=$(IFS=,; echo "${NEWER_PACKAGES[*]}")
  rm -rf "$new" "$chroot"
  mkdir -p "$new"
  echo "making a chroot of $SUITE"
  mmdebstrap --quiet --variant=minbase --aptopt='APT::Install-Recommends "false"' --include="$packages" "$SUITE" "$new"
  chroot "$new" python3 -m venv --without-pip /opt/client
  site=$(chroot "$new" /opt/client/bin/python -c 'import sys; print("%d%d" % sys.version_info[:2], sys.path[-1])')
  grep -v '^nodejs' "$tests/requirements.txt" >"$work/requirements"
  "$python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --implementation cp \
    --python-version "${site%% *}" --target "$new${site#* }" --requirement "$work/requirements"
  cat "$tests/requirements.txt" "$tests/package-lock.json" >"$new/opt/client/.installed"
  mkdir -p "$new/fingertip"
  touch "$new/made"
  mv "$new" "$chroot"
}

# Runs the groups in it, with mounts that nobody else sees and that are gone with it.
run_inside() {
  cp "$fingertip" "$chroot/usr/local/bin/fingertip"
  mkdir -p "$tests/.venv"
  # shellcheck disable=SC2016 # for the shell inside
  unshare --mount --fork bash -euc '
    chroot=$1 root=$2
    shift 2
    mount --bind "$root" "$chroot/fingertip"
    mount --bind "$chroot/opt/client" "$chroot/fingertip/tests/.venv"
    for folder in proc dev dev/shm; do mount --bind "/$folder" "$chroot/$folder"; done
    exec chroot "$chroot" env --ignore-environment PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin HOME=/root LANG=C.UTF-8 \
      PROGRAM=/usr/local/bin/fingertip /fingertip/tests/desktop/run.sh "$@"
  ' - "$chroot" "$root" "$@"
}

if (($# > 0)); then groups=("$@"); else groups=("${NEWER_GROUPS[@]}"); fi
install_packages
build_product
make_chroot
run_inside "${groups[@]}"
