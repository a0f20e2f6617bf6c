#!/usr/bin/env bash
# Installs each package for this machine from its file into a clean folder, uses the program by the official Python client,
# uninstalls it, and looks whether anything is left.
#
#   tests/packages/run.sh            the packages in dist/packages, which `scripts/package` has made
#   tests/packages/run.sh --native   packages of an ordinary build of the program, made now: quick, and the same but for the binary
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
packages=$root/dist/packages
case ${1:-} in
  '') ;;
  --native)
    build_product
    packages=$work/packages
    # Without what only a debugger reads: there are five packages to compress.
    strip -o "$work/fingertip" "$fingertip"
    "$root/scripts/package" --binary "$work/fingertip" "$packages"
    ;;
  *) fail "usage: $0 [--native]" ;;
esac

# Seconds one client may take.
readonly RUN_LIMIT=60

architecture=$(uname -m)
[[ -d $packages ]] || fail "there are no packages; run scripts/package"
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' "$root/Cargo.toml")
(cd "$packages" && sha256sum --check --quiet SHA256SUMS) || fail "SHA256SUMS does not fit"
python3 "$tests/packages/versions.py" "$packages" "$version"

install_packages
new_identity
npm() { PATH=$(dirname "$node"):$PATH "$node" "$(dirname "$node")/../lib/node_modules/npm/bin/npm-cli.js" "$@"; }

# try NAME COMMAND...: the program serves, and says its version.
try() {
  local name=$1
  shift
  timeout "$RUN_LIMIT" "$python" "$tests/packages/client.py" "$version" "$@" 2>>"$work/$name.log" || fail "$name"
  echo "ok $name"
}

# The files in a folder, to see what an uninstallation leaves.
files() { (cd "$1" && find . -not -type d -not -name '*.pyc' | sort); }

# left NAME FOLDER BEFORE: fails if the folder has other files than before.
left() {
  local more
  more=$(diff <(cat "$3") <(files "$2") || true)
  [[ -z $more ]] || fail "$1 leaves something: $more"
  echo "ok $1 leaves nothing"
}

# An archive.
mkdir "$work/archive"
tar --extract --gzip --file "$packages/fingertip-$version-linux-$architecture.tar.gz" --directory "$work/archive" --strip-components 1
try archive "$work/archive/fingertip" stdio --target demo
for page in man/fingertip.1 man/fingertip-call.1 completions/fingertip completions/_fingertip completions/fingertip.fish; do
  [[ -s $work/archive/$page ]] || fail "the archive has no $page"
done

# Debian: into a root of its own, with dpkg's own list of what is installed.
deb=$(ls "$packages"/fingertip_"$version"_"$(dpkg --print-architecture)".deb)
debian=$work/debian
mkdir -p "$debian"/var/lib/dpkg/{info,updates,triggers}
: >"$debian/var/lib/dpkg/status"
: >"$debian/var/lib/dpkg/available"
files "$debian" | grep -v '^./var/' >"$work/before" || true
in_debian() { dpkg --root="$debian" --force-not-root --force-script-chrootless --log="$work/dpkg.log" "$@" >>"$work/dpkg-out.log" 2>&1; }
in_debian --install "$deb" || fail "dpkg does not install $deb"
try deb "$debian/usr/bin/fingertip" stdio --target demo
# As a command, and what a shell, man and systemd read.
shown=$("$debian/usr/bin/fingertip" see --target demo) || fail "deb: fingertip see"
[[ $shown == *'item "Calculator"'* ]] || fail "deb: $shown"
shown=$(MANROFFOPT='-ww' man --warnings --local-file "$debian/usr/share/man/man1/fingertip-call.1.gz" 2>&1) || fail "deb: man does not show its page"
[[ $shown == *'KEY=VALUE'* ]] || fail "deb: $shown"
# shellcheck disable=SC2016 # for the other shell
shown=$(bash -c 'source "$0"; COMP_WORDS=(fingertip do); COMP_CWORD=1; _fingertip fingertip do fingertip; echo "${COMPREPLY[*]}"' \
  "$debian/usr/share/bash-completion/completions/fingertip")
[[ $shown == doctor ]] || fail "deb: bash completes 'do' to '$shown'"
sed "s:/usr/bin/fingertip:$debian&:" "$debian/usr/lib/systemd/user/fingertip.service" >"$work/fingertip.service"
said=$(XDG_RUNTIME_DIR=$work systemd-analyze --user --man=no verify "$work/fingertip.service" 2>&1) || fail "deb: systemd refuses its unit: $said"
[[ $said != *fingertip.service* ]] || fail "deb: systemd says of its unit: $said"
echo "ok deb's pages, completions and unit"
(cd "$debian" && md5sum --check --quiet var/lib/dpkg/info/fingertip.md5sums) || fail "other files than the package says"
in_debian --purge fingertip || fail "dpkg does not remove it"
[[ -z $(find "$debian" -path "$debian/var" -prune -o -not -type d -print) ]] || fail "deb leaves something"
echo "ok deb leaves nothing"

# Python.
wheel=$(ls "$packages"/*-"$version"-py3-none-manylinux*_"$architecture".*.whl)
python3 -m venv "$work/venv"
files "$work/venv" >"$work/before"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-index "$wheel"
try wheel "$work/venv/bin/fingertip" stdio --target demo
try wheel-by-the-name-of-the-package "$work/venv/bin/fingertip-mcp" stdio --target demo
"$work/venv/bin/python" -m pip uninstall --quiet --yes fingertip-mcp
left wheel "$work/venv" "$work/before"

# npm: launcher and platform from their files; those of other platforms are nowhere, as on a machine without a registry.
case $architecture in x86_64) node_platform=linux-x64 ;; aarch64) node_platform=linux-arm64 ;; esac
mkdir "$work/npm"
echo '{ "private": true }' >"$work/npm/package.json"
(cd "$work/npm" && npm install --offline --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error --cache "$work/npm-cache" \
  "$packages/fingertip-mcp-$node_platform-$version.tgz" "$packages/fingertip-mcp-$version.tgz") || fail "npm does not install it"
try npm env "PATH=$(dirname "$node"):$PATH" "$work/npm/node_modules/.bin/fingertip" stdio --target demo
# Without the platform's package: a sentence, not a stack trace.
rm -r "$work/npm/node_modules/fingertip-mcp-$node_platform"
said=$("$node" "$work/npm/node_modules/fingertip-mcp/fingertip.js" --version 2>&1) && fail "npm: started without a program"
[[ $said == "fingertip: the package fingertip-mcp-$node_platform is missing"* && $(wc -l <<<"$said") == 1 ]] || fail "npm: $said"
said=$("$node" -e 'Object.defineProperty(process, "platform", { value: "sunos" }); require(process.argv[1])' "$work/npm/node_modules/fingertip-mcp/fingertip.js" 2>&1) \
  && fail "npm: started on another platform"
[[ $said == "fingertip: there is no build for sunos-"* && $(wc -l <<<"$said") == 1 ]] || fail "npm: $said"
echo "ok npm on a platform that is not there"
(cd "$work/npm" && npm uninstall --offline --no-audit --no-fund --no-package-lock --loglevel=error --cache "$work/npm-cache" fingertip-mcp "fingertip-mcp-$node_platform")
[[ -z $(find "$work/npm/node_modules" -not -type d -not -name .package-lock.json 2>/dev/null) ]] || fail "npm leaves something"
echo "ok npm leaves nothing"

# The bundle, started as a client would by its manifest.
mkdir "$work/bundle"
python3 - "$packages/fingertip-$version-linux-$architecture.mcpb" "$work/bundle" "$work/bundle-command" <<'PYTHON'
import json, sys, zipfile
from pathlib import Path
file, folder, command = sys.argv[1:]
with zipfile.ZipFile(file) as archive:
    for entry in archive.infolist():
        Path(archive.extract(entry, folder)).chmod(entry.external_attr >> 16 & 0o777)
manifest = json.loads(Path(folder, "manifest.json").read_text())
assert Path(folder, manifest["server"]["entry_point"]).is_file(), manifest
start = manifest["server"]["mcp_config"]
values = {"${__dirname}": folder} | {"${user_config.%s}" % key: field["default"] for key, field in manifest["user_config"].items()}
words = [start["command"], *start["args"]]
for key, value in values.items():
    words = [word.replace(key, value) for word in words]
Path(command).write_text("\n".join(words) + "\n")
PYTHON
mapfile -t command <"$work/bundle-command"
try bundle "${command[@]}"
