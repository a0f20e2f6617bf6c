#!/usr/bin/env bash
# Cost of the protocol itself: Fingertip beside the least servers on the official TypeScript and Python SDKs, over stdio, in one
# run with a shuffled order. PROFILE=debug takes that build; BENCH_CALLS and BENCH_STARTS say how many.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/lib.sh"
cd "$root"

# shellcheck source=bench/build.sh
source bench/build.sh
build_program
install_packages
new_identity
python3 bench/protocol.py "$program" "$node" "$python"
