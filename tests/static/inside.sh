#!/usr/bin/env bash
# Runs a program as if it were on a demo phone: /system and /data are the phone's, all else is this computer's.
#
#   inside.sh FOLDER COMMAND ARGUMENT...    FOLDER is what FINGERTIP_SIM_PROGRAMS names to the demo phone
#
# In a mount namespace of its own, so that nothing of it stays; root is not needed where users may have namespaces.
set -euo pipefail

# shellcheck disable=SC2016 # expanded by the inner shell
exec unshare --user --map-root-user --mount bash -euc '
  mount -t tmpfs -o mode=755 phone /mnt
  for entry in /*; do
    if [[ -L $entry ]]; then
      cp --no-dereference "$entry" /mnt
    elif [[ -d $entry && ! $entry =~ ^/(mnt|data|system)$ ]]; then
      mkdir "/mnt$entry"
      mount --rbind "$entry" "/mnt$entry"
    fi
  done
  for entry in /data /system; do
    mkdir "/mnt$entry"
    mount --bind "$0$entry" "/mnt$entry"
  done
  exec chroot /mnt "$@"' "$@"
