#!/usr/bin/env bash
# Checks the agent and the app against Android's own compiled framework (org.robolectric:android-all on Maven Central, hidden members
# included): check-framework.py says what.
#
#   check-framework.sh          the newest release but one, as CI does (185 MB the first time)
#   check-framework.sh --all    every supported release, Android 8.0 to 16 (1.6 GB)
#
# Nothing of the jars becomes part of the product; they stay in Maven's own folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# SDK=version on Maven Central.
readonly RELEASES=(
    "26=8.0.0_r4-robolectric-r1" "27=8.1.0-robolectric-4611349" "28=9-robolectric-4913185-2" "29=10-robolectric-5803371"
    "30=11-robolectric-6757853" "31=12-robolectric-7732740" "32=12.1-robolectric-8229987" "33=13-robolectric-9030017"
    "34=14-robolectric-10818077" "35=15-robolectric-12650502" "36=16-robolectric-13921718"
)
readonly USUAL=35=15-robolectric-12650502

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case ${1:-} in
    "") chosen=("$USUAL") ;;
    --all) chosen=("${RELEASES[@]}") ;;
    *)
        sed -n '5,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
        exit 2
        ;;
esac

# Compiles the folder $3 into $1 against the class path $2.
compile() {
    # shellcheck disable=SC2046 # no path here has a blank in it
    javac --release 8 -nowarn -Xlint:-options -encoding UTF-8 -cp "$2" -d "$1" $(find "$3" -name '*.java' | sort)
}

jars=()
for release in "${chosen[@]}"; do
    version=${release#*=}
    mvn --quiet --batch-mode -Dstyle.color=never dependency:copy \
        -Dartifact="org.robolectric:android-all:$version" -DoutputDirectory="$work"
    jars+=("${release%%=*}=$work/android-all-$version.jar")
done
compile "$work/stubs" "" stubs
compile "$work/classes" "$work/stubs" src
# The app is compiled against the usual framework, with what aapt would generate; newer ones are beyond JDK 17.
mkdir "$work/generated"
python3 ../tests/app/resources.py ../app/res/values/strings.xml >"$work/generated/R.java"
mkdir "$work/app"
# shellcheck disable=SC2046 # no path here has a blank in it
javac --release 8 -nowarn -Xlint:-options -encoding UTF-8 -cp "$work/android-all-${USUAL#*=}.jar:$work/classes" -d "$work/app" \
    "$work/generated/R.java" $(find ../app/src -name '*.java' | sort)
./check-framework.py "$work/classes" "$work/stubs" "$work/app" "${jars[@]}"

# A check that cannot fail proves nothing.
mkdir -p "$work/lie/android/os"
cat >"$work/lie/android/os/SystemClock.java" <<'JAVA'
package android.os;
public final class SystemClock { public static int uptimeMillis() { return 0; } }
JAVA
echo 'final class Lie { static int time() { return android.os.SystemClock.uptimeMillis(); } }' >"$work/Lie.java"
javac --release 8 -nowarn -Xlint:-options -d "$work/lies" "$work/Lie.java" "$work/lie/android/os/SystemClock.java"
rm -r "$work/lies/android"
mkdir "$work/none"
for lie in "$work/lies $work/stubs $work/none" "$work/none $work/stubs $work/lies"; do
    # shellcheck disable=SC2086 # three folders
    if ./check-framework.py $lie "${jars[-1]}" >"$work/said"; then
        echo "a wrong signature was not noticed" >&2
        exit 1
    fi
    grep -q "there is no android/os/SystemClock.uptimeMillis()I" "$work/said"
done
