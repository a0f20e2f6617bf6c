#!/usr/bin/env bash
# The app's and the agent's Java on Android's own compiled classes (Android 15), which Robolectric lets run on a JVM: real
# views make the nodes that the agent reads, and the real settings screen is inflated and pressed.
#
# Needs JDK 17, python3, maven and aapt. Fetches Robolectric (35 MB) and two frameworks, which the builds of agent and app use too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/framework"
root=$(cd ../../.. && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The one that runs, as in agent/check-framework.sh, and the one whose resources aapt can read, as in scripts/package-apk.
readonly RUNS=15-robolectric-12650502 RESOURCES=13-robolectric-9030017
# Seconds the tests may take.
readonly RUN_LIMIT=300

maven() { mvn --quiet --batch-mode -Dstyle.color=never "$@"; }

maven --file pom.xml dependency:copy-dependencies -DincludeTypes=jar -DoutputDirectory="$work/libraries"
for version in "$RUNS" "$RESOURCES"; do
  maven dependency:copy -Dartifact="org.robolectric:android-all:$version" -DoutputDirectory="$work/frameworks"
done
framework=$work/frameworks/android-all-$RUNS.jar

python3 - "$work/frameworks/android-all-$RESOURCES.jar" "$work/resources.zip" <<'PYTHON'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as jar, zipfile.ZipFile(sys.argv[2], "w") as resources:
    for name in ("AndroidManifest.xml", "resources.arsc"):
        resources.writestr(name, jar.read(name))
PYTHON
mkdir -p "$work/generated" "$work/classes/com/android/tools"
aapt package -f -M "$root/app/AndroidManifest.xml" -S "$root/app/res" -I "$work/resources.zip" \
  --min-sdk-version 30 --target-sdk-version 35 -J "$work/generated" -F "$work/resources.apk"
cat >"$work/classes/com/android/tools/test_config.properties" <<PROPERTIES
android_resource_apk=$work/resources.apk
android_merged_manifest=$root/app/AndroidManifest.xml
android_custom_package=dev.fingertip.app
PROPERTIES

path="$work/classes:$framework:$work/libraries/*"
mapfile -t sources < <(find "$root"/agent/src "$root"/app/src stubs tests "$work/generated" -name '*.java' | LC_ALL=C sort)
javac --release 8 -nowarn -Xlint:-options -encoding UTF-8 -cp "$path" -d "$work/classes" "${sources[@]}"
mapfile -t tests < <(cd tests && find . -name '*Test.java' | LC_ALL=C sort | sed 's|^\./||; s|\.java$||; s|/|.|g')
timeout "$RUN_LIMIT" java -Drobolectric.offline=true -Drobolectric.dependency.dir="$work/frameworks" \
  -Drobolectric.usePreinstrumentedJars=false -cp "$path" org.junit.runner.JUnitCore "${tests[@]}"
