#!/usr/bin/env bash
# Fuzzes every parser of foreign bytes, or the ones named, for SECONDS each (60 by default).
#
#   bench/fuzz.sh [SECONDS [TARGET...]]
#
# Optimized, but with overflow checks and assertions. Under a limit of address space: a parser that takes memory a foreign
# length only claims ends with an error. What is not survived is kept in fuzz/finds/; make it a test beside the parser, and
# put it into fuzz/corpus/TARGET/ when it is small.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly MAX_KILOBYTES=3000000
seconds=${1:-60}
shift $(($# > 0 ? 1 : 0))

export CARGO_PROFILE_DEV_OPT_LEVEL=${FUZZ_OPT_LEVEL:-1}
cargo build --quiet --package fingertip-fuzz --target-dir target/fuzz
ulimit -v "$MAX_KILOBYTES"
exec target/fuzz/debug/fingertip-fuzz --seconds "$seconds" "$@"
