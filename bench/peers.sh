# What the benchmarks beside mobile-mcp share; to be sourced after tests/lib.sh. Sets adb, program, and peers: the folder with the
# peer and the tokenizer, installed from npm. PROFILE=debug takes that build.
# shellcheck shell=bash disable=SC2034,SC2154 # lib.sh sets work and target, and who sources this uses program
adb=$(command -v adb) || fail 'adb is missing: apt-get install adb'
export ANDROID_ADB_SERVER_PORT=${ADB_PORT:-15139} ADB_MDNS=0 FINGERTIP_HOME=$work/home
export MOBILEMCP_LEGACY_ROBOT=1 MOBILEMCP_DISABLE_TELEMETRY=1
# shellcheck source=bench/build.sh
source bench/build.sh
build_program

install_packages
peers=$work/peers
mkdir "$peers"
npm=$(dirname "$node")/../lib/node_modules/npm/bin/npm-cli.js
PATH=$(dirname "$node"):$PATH
export PATH
(cd "$peers" && "$node" "$npm" install --silent --no-audit --no-fund @mobilenext/mobile-mcp@1.0.4 gpt-tokenizer@4.0.0)
end_adb() { "$adb" kill-server 2>/dev/null || true; }
at_end=end_adb
end_adb
"$adb" start-server 2>/dev/null
