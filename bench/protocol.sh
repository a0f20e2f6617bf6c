#!/usr/bin/env bash
# Cost of the protocol itself: Fingertip beside the least servers on the official TypeScript and Python SDKs, over stdio, in one
# run with a shuffled order. PROFILE=debug takes that build; BENCH_CALLS and BENCH_STARTS say how many.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/lib.sh"
cd "$root"

profile=${PROFILE:-release}
if [[ $profile == release ]]; then cargo build --release --quiet --package fingertip; else cargo build --quiet --package fingertip; fi
install_packages
new_identity
python3 bench/protocol.py "$target/$profile/fingertip" "$node" "$python"
