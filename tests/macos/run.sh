#!/usr/bin/env bash
# Drives the whole server over the simulated Mac with the official Python client. Every effect is checked in the model behind
# the simulated Mac, through a socket that the server knows nothing of. Each group of scenarios has a Mac of its own.
#
# Usage: run.sh [GROUP...]    all groups by default
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
cd "$tests/macos"

# Seconds one group of scenarios may take.
readonly GROUP_LIMIT=300
readonly GROUPS_OF_SCENARIOS=(reading acting device_tools faults permissions)

if (($# > 0)); then chosen=("$@"); else chosen=("${GROUPS_OF_SCENARIOS[@]}"); fi

install_packages
build_example simulated_mac
new_identity
export PYTHONDONTWRITEBYTECODE=1

failed=()
for group in "${chosen[@]}"; do
  export SIMULATED_MAC_CONTROL=$work/$group.socket
  # System Settings is blocked unless its owner allows it.
  timeout "$GROUP_LIMIT" "$python" suite.py "$group" "$example" stdio --target desktop \
    --allow-app com.apple.systempreferences || failed+=("$group")
done
((${#failed[@]} == 0)) || fail "scenarios failed: ${failed[*]}"
