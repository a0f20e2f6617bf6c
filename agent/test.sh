#!/usr/bin/env bash
# Tests the agent without a phone.
#
#   test.sh [--unit]    --unit: only the tests of the Java code, which need nothing but a JDK
#
# 1. The unit and program tests, on the desktop fakes (needs a JDK).
# 2. dist/ is made from the sources in the tree: it is built again and compared (JDK 17, python3 with pip).
# 3. The dex is whole: dexdump checks and lists it, and baksmali (dexlib2), which shares no code with dexdump, takes it apart and
#    smali puts it together again (Debian: dexdump, libsmali-java).
# 4. Stubs and fakes agree with Android's own listing, where FINGERTIP_ANDROID_API names it.
# 5. Every member of Android that is touched, hidden ones too, is in the compiled framework of a release (Debian: maven;
#    check-framework.sh --all for every release).
#
# On Debian what is missing is installed; elsewhere it is named.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# What is sent to a phone, and what it loads.
readonly MAX_BYTES=100000 MAX_DEX_BYTES=110000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

need() {
    local program=$1 package=$2
    command -v "$program" >/dev/null && return
    if ! command -v apt-get >/dev/null; then
        echo "$program is missing (Debian: $package)" >&2
        exit 1
    fi
    echo "installing $package"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "$package" >/dev/null
}

say() {
    printf '== %s\n' "$1"
}

compile() {
    local out=$1
    shift
    mkdir -p "$out"
    # shellcheck disable=SC2046 # no path here has a blank in it
    javac --release 8 -encoding UTF-8 -Werror -Xlint:all,-options,-serial,-try -d "$out" $(find "$@" -name '*.java' | sort)
}

need javac openjdk-17-jdk-headless
say "tests of the Java code"
compile "$work/tests" src fakes tests
java -cp "$work/tests" dev.fingertip.tests.Tests
if [ "${1:-}" = --unit ]; then
    exit
fi

say "the product is made from these sources"
need python3 python3
./build.sh --to "$work/product"
(cd dist && grep fingertip-agent.jar SHA256 | sha256sum --check --quiet)
python3 - dist/fingertip-agent.jar "$work/product/fingertip-agent.jar" dist/SHA256 "$MAX_BYTES" "$MAX_DEX_BYTES" <<'PYTHON'
import hashlib, os, sys, zipfile
committed, built, hashes, most, most_loaded = sys.argv[1:]
dexes = []
for path in (committed, built):
    with zipfile.ZipFile(path) as jar:
        assert jar.namelist() == ["classes.dex"], jar.namelist()
        dexes.append(jar.read("classes.dex"))
assert dexes[0] == dexes[1], "dist/ was not made from these sources: run agent/build.sh and commit what it makes"
assert hashlib.sha256(dexes[0]).hexdigest() in open(hashes).read(), "dist/SHA256 does not have the hash of the dex"
size = os.path.getsize(committed)
assert size < int(most) and len(dexes[0]) < int(most_loaded), f"the product has {size} bytes, its dex {len(dexes[0])}"
print(f"{size} bytes, dex {len(dexes[0])} bytes, the same as committed")
PYTHON

say "the dex is whole"
need dexdump dexdump
need baksmali libsmali-java
dexdump -d dist/fingertip-agent.jar >"$work/dump"
classes=$(grep -c "Class descriptor" "$work/dump")
baksmali disassemble --output "$work/smali" dist/fingertip-agent.jar
taken=$(find "$work/smali" -name '*.smali' | wc -l)
smali assemble --output "$work/again.dex" "$work/smali"
dexdump -f "$work/again.dex" >/dev/null
if [ "$classes" != "$taken" ] || ! grep -q "Ldev/fingertip/agent/Main;" "$work/dump"; then
    echo "dexdump sees $classes classes, baksmali $taken" >&2
    exit 1
fi
echo "dexdump and baksmali see the same $classes classes"

say "stubs and fakes say what Android says"
if [ -n "${FINGERTIP_ANDROID_API:-}" ]; then
    compile "$work/stubs" stubs
    compile "$work/fakes" src fakes
    ./check-signatures.py "$FINGERTIP_ANDROID_API" "$work/stubs" stubs "$work/fakes" fakes
    # A check that cannot fail proves nothing.
    mkdir -p "$work/lie/android/os"
    echo 'package android.os; public final class SystemClock { public static int uptimeMillis() { return 0; } }' \
        >"$work/lie/android/os/SystemClock.java"
    compile "$work/lies" "$work/lie"
    if ./check-signatures.py "$FINGERTIP_ANDROID_API" "$work/stubs" stubs "$work/lies" lies >"$work/said"; then
        echo "a wrong signature was not noticed" >&2
        exit 1
    fi
    grep -q "lies: Android has no static int SystemClock.uptimeMillis()" "$work/said"
else
    echo "left out: FINGERTIP_ANDROID_API is not set"
fi

say "every member of Android is in the framework itself"
need mvn maven
./check-framework.sh
