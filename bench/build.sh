# How the benchmarks build what they measure; to be sourced after tests/lib.sh. PROFILE=debug takes the build of the tests.
# shellcheck shell=bash disable=SC2034,SC2154 # lib.sh sets root and target; who sources this uses what is set here
profile=${PROFILE:-release}

# Builds the program, and sets `program` to it.
build_program() {
  if [[ $profile == release ]]; then
    (cd "$root" && cargo build --release --quiet --package fingertip)
  else
    build_product
  fi
  program=$target/$profile/fingertip
}

# build_part PACKAGE EXAMPLE: builds that too, and sets `part` to it.
build_part() {
  if [[ $profile == release ]]; then
    (cd "$root" && cargo build --release --quiet --package "$1" --example "$2")
  else
    build_example "$2"
  fi
  part=$target/$profile/examples/$2
}
