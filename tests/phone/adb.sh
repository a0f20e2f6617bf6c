# shellcheck shell=bash
# The real adb and demo phones that it is connected to. Sourced after tests/lib.sh, which sets what
# is read here: `work`, `python` (install_packages) and `fingertip` (build_product).
# shellcheck disable=SC2154

# Gives adb a port of this run's own, so that it sees no phones but ours, and a folder for its keys.
new_adb() {
  ANDROID_ADB_SERVER_PORT=$("$python" -c \
    'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  ADB_MDNS=0
  HOME=$work/adb-home
  mkdir -p "$HOME"
  export ANDROID_ADB_SERVER_PORT ADB_MDNS HOME
}

adb_server_runs() {
  (: <"/dev/tcp/127.0.0.1/$ANDROID_ADB_SERVER_PORT") 2>/dev/null
}

# In the foreground of a job, so that it ends with the run.
start_adb_server() {
  local tenth
  start adb-server adb nodaemon server
  for ((tenth = 0; tenth < START_LIMIT; tenth++)); do
    adb_server_runs && return
    sleep 0.1
  done
  fail "the adb server did not start within $((START_LIMIT / 10)) seconds"
}

# connect NAME: switches a phone on, connects adb to it, and sets `serial`. It has faults and runs the Java agent, as
# `build_product` builds it with the features of the tests.
connect() {
  local said
  start "$1" "$fingertip" sim --port 0
  serial=$(address_of "$1")
  said=$(adb connect "$serial")
  [[ $said == "connected to"* ]] || fail "adb does not connect: $said"
}
