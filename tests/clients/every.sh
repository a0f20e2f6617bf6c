# shellcheck shell=bash
# Every official client, in every era of the protocol that it knows. Sourced after tests/lib.sh.

# Seconds one client may take.
readonly CLIENT_LIMIT=60

# every_client NAME TYPESCRIPT_1 TYPESCRIPT_2 PYTHON TARGET...: runs these scripts against a URL or a command.
every_client() {
  local name=$1 first=$2 second=$3 third=$4
  shift 4
  # shellcheck disable=SC2154 # node and python are set by install_packages
  {
    try "$name, typescript-1 legacy" "$node" "$first" legacy "$@"
    try "$name, typescript-2 legacy" "$node" "$second" legacy "$@"
    try "$name, typescript-2 auto" "$node" "$second" auto "$@"
    try "$name, python legacy" "$python" "$third" legacy "$@"
    try "$name, python auto" "$python" "$third" auto "$@"
  }
}

# try NAME COMMAND...: runs one client.
try() {
  local name=$1
  shift
  # shellcheck disable=SC2154 # work is set by tests/lib.sh
  timeout "$CLIENT_LIMIT" "$@" </dev/null >"$work/client.log" 2>&1 || fail "$name"
  echo "ok $name"
}
