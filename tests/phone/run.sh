#!/usr/bin/env bash
# Uses the demo phone through the official Python client: inside the program, and through the real adb as if it were a
# phone of its own; by the agent, its Java code on a JVM included, and by shell commands for what those can do; as two
# phones at a time; and with the desktop tools. Each effect is checked by a second observation.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
cd "$tests/phone"

# Seconds one run of the scenarios may take.
readonly RUN_LIMIT=300

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

command -v adb >/dev/null || fail "adb is missing (Debian package adb)"
install_packages
build_product
new_identity

new_adb

# Everything is logged, to be scanned at the end.
export FINGERTIP_LOG=trace FINGERTIP_TRANSCRIPT=$transcript/phone

# A text that the scenarios write by its name; quotes and backslashes are written in many ways.
readonly WRITTEN='open "sesame" \ it is us'
export FINGERTIP_SECRET_NOTE=$WRITTEN

# suite DRIVER (demo | SERIAL): runs the scenarios.
suite() {
  local target=demo
  [[ $2 == demo ]] || target=android:$2
  timeout "$RUN_LIMIT" "$python" suite.py "$1" "$2" "$fingertip" stdio --target "$target" --driver "$1" \
    2>>"$work/server.log"
}

suite agent demo
suite shell demo
# Five hundred steps by what replies tell; each is held against a fresh look.
timeout "$RUN_LIMIT" "$python" seeing.py 500 1 "$fingertip" stdio --target demo 2>>"$work/server.log"
! adb_server_runs || fail "the demo phone started an adb server"
echo "ok demo without adb"
timeout "$RUN_LIMIT" "$python" blocked.py "$fingertip" stdio --target demo --block-app com.fingertip.demo.notes \
  2>>"$work/server.log"
timeout "$RUN_LIMIT" "$python" desktop_tools.py "$fingertip" stdio --target demo --tools desktop,press_home \
  2>>"$work/server.log"

start_adb_server
connect phone-1
suite agent "$serial"
first=$serial

# The scenarios leave what they saved, so each run has a phone of its own.
connect phone-shell
suite shell "$serial"
adb disconnect "$serial"

# The same with the real agent. Without a JDK nothing proves it, so CI must have one.
if command -v javac >/dev/null; then
  "$root/agent/build.sh" --jvm "$work"
  export FINGERTIP_AGENT_JVM=$work/fingertip-agent-jvm.jar
  connect phone-java
  unset FINGERTIP_AGENT_JVM
  suite agent "$serial"
  echo "ok the Java agent"
  adb disconnect "$serial"
else
  [[ -z ${CI:-} ]] || fail "a JDK is missing (Debian package default-jdk-headless)"
  echo "skipped: the Java agent, for lack of a JDK"
fi

connect phone-2
timeout "$RUN_LIMIT" "$python" two_phones.py "$first" "$serial" "$fingertip" stdio --target android 2>>"$work/server.log"

scan 300 "$("$python" -c 'import apps; print(apps.SECRET)')" "$WRITTEN"
