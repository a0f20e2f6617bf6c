#!/usr/bin/env bash
# Builds the on-device agent.
#
#   build.sh             makes dist/fingertip-agent.jar and dist/SHA256 from the sources
#   build.sh --to DIR    the same, into DIR
#   build.sh --jvm DIR   makes DIR/fingertip-agent-jvm.jar: the same sources with the desktop fakes, for any JDK from 9 on
#
# The product is the same byte for byte wherever it is made: one major version of the JDK, one d8 (known by its hash),
# sorted inputs, no timestamps. Only the compression of the zip may differ with the zlib at hand, which is why the dex inside
# has a hash of its own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=agent/d8.sh
source ./d8.sh

readonly JDK=17
readonly MIN_API=26

java_home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sources() {
    find "$@" -name '*.java' | LC_ALL=C sort
}

# Compiles the folders $3... into $1 against the class path $2; warnings are errors.
compile() {
    local out=$1 path=$2
    shift 2
    mkdir -p "$out"
    # shellcheck disable=SC2046 # no path here has a blank in it
    "$java_home/bin/javac" --release 8 -g:lines -encoding UTF-8 -Werror -Xlint:all,-options,-serial,-try \
        -cp "$path" -d "$out" $(sources "$@")
}

product() {
    local out=$1 version d8_jar
    version=$("$java_home/bin/javac" -version 2>&1 | sed -E 's/^javac ([0-9]+).*/\1/')
    if [ "$version" != "$JDK" ]; then
        echo "the agent is made with JDK $JDK, and this is $version: set JAVA_HOME" >&2
        exit 1
    fi
    d8_jar=$(d8 "$work")
    compile "$work/stubs" "" stubs
    compile "$work/classes" "$work/stubs" src
    (cd "$work/stubs" && "$java_home/bin/jar" --create --file "$work/stubs.jar" .)
    mkdir -p "$work/dex" "$out"
    # R8 leaves out what is never called and changes nothing else: names and lines in a stack trace stay as in the sources.
    # shellcheck disable=SC2046
    "$java_home/bin/java" -cp "$d8_jar" com.android.tools.r8.R8 --release --min-api "$MIN_API" --lib "$java_home" \
        --lib "$work/stubs.jar" --pg-conf keep.pro --output "$work/dex" $(find "$work/classes" -name '*.class' | LC_ALL=C sort)
    python3 - "$work/dex/classes.dex" "$out/fingertip-agent.jar" <<'PYTHON'
import sys, zipfile
entry = zipfile.ZipInfo("classes.dex", date_time=(1980, 1, 1, 0, 0, 0))
entry.compress_type = zipfile.ZIP_DEFLATED
entry.create_system = 3
entry.external_attr = 0o644 << 16
with open(sys.argv[1], "rb") as dex, zipfile.ZipFile(sys.argv[2], "w") as jar:
    jar.writestr(entry, dex.read(), compresslevel=9)
PYTHON
    (cd "$out" && sha256sum fingertip-agent.jar >SHA256)
    (cd "$work/dex" && sha256sum classes.dex) >>"$out/SHA256"
}

case ${1:-} in
    "") product dist ;;
    --to) product "$2" ;;
    --jvm)
        compile "$work/jvm" "" src fakes
        mkdir -p "$2"
        "$java_home/bin/jar" --create --file "$2/fingertip-agent-jvm.jar" -C "$work/jvm" .
        ;;
    *)
        sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
        exit 2
        ;;
esac
