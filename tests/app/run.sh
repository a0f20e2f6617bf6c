#!/usr/bin/env bash
# Fingertip's app without a phone: its own Java on fakes of Android's classes, connected to a demo phone through the bridge
# of the agent's tests, with the real server as its child; an official client uses it. Then on Android's own classes
# (framework.sh), then its package.
#
#   tests/app/run.sh [--package | --java]    only the package, or only the Java
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=tests/phone/adb.sh
source "$tests/phone/adb.sh"
cd "$tests/app"

# Seconds the scenarios may take.
readonly RUN_LIMIT=240
# Maven keeps what it fetches at home, and d8 its cache; adb gets another home below.
real_home=$HOME

java_tests() {
  local classes=$work/classes
  mkdir -p "$classes" "$work/main" "$work/generated" "$work/app" "$work/libraries"
  # What aapt would generate.
  "$python" resources.py "$root/app/res/values/strings.xml" >"$work/generated/R.java"
  # shellcheck disable=SC2046 # no path here has a blank in it
  javac --release 8 -encoding UTF-8 -Werror -Xlint:all,-options,-serial,-try -d "$classes" \
    $(find "$root"/agent/{src,fakes} "$root"/app/{src,fakes,tests} "$work/generated" -name '*.java')
  javac --release 8 -Xlint:-options -cp "$classes" -d "$work/main" "$root/app/tests-main/dev/fingertip/agent/Main.java"
  ln -s "$fingertip" "$work/libraries/libfingertip.so"
  new_adb
  # shellcheck disable=SC2034 # read by lib.sh
  at_end=end_adb_server
  export APP_HOME=$work/app APP_LIBRARIES=$work/libraries APP_RESOURCES=$root/app/res
  export FINGERTIP_AGENT_JVM=$work/main:$classes
  start_adb_server
  connect phone
  unset FINGERTIP_AGENT_JVM
  PYTHONPATH=$tests/phone timeout "$RUN_LIMIT" "$python" app.py "$serial" "$work/app"
}

end_adb_server() { adb kill-server 2>/dev/null || true; }

package_tests() {
  local binary=$work/fingertip-stripped
  strip -o "$binary" "$fingertip"
  HOME=$real_home "$root/scripts/package-apk" --server "x86_64=$binary" --throw-away-key --out "$work/fingertip.apk" | tee "$work/first.txt"
  HOME=$real_home "$root/scripts/package-apk" --server "x86_64=$binary" --unsigned --out "$work/again.apk" >"$work/again.txt"
  "$python" package.py "$root" "$work/fingertip.apk" "$work/again.apk" "$binary" \
    "$(grep ^unsigned: "$work/first.txt")" "$(grep ^unsigned: "$work/again.txt")"
}

install_packages
build_product
if [[ ${1:-} != --package ]]; then
  java_tests
  HOME=$real_home ./framework.sh
fi
[[ ${1:-} == --java ]] || package_tests
