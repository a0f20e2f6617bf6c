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

# shellcheck source=tests/phone/adb.sh
source "$tests/phone/adb.sh"

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
