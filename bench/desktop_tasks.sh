#!/usr/bin/env bash
# What tasks cost on a Linux desktop: calls, tokens (o200k) and seconds, played by a script with the fewest sensible calls: ours
# beside agent-device 0.21.5 with its batches. Fails when one of ours does not succeed. Needs what tests/desktop/run.sh needs.
# PROFILE=debug takes that build.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/lib.sh"
# shellcheck source=tests/desktop/session.sh
source "$tests/desktop/session.sh"
cd "$root"

install_desktop
# shellcheck source=bench/build.sh
source bench/build.sh
build_program
install_packages
npm=$(dirname "$node")/../lib/node_modules/npm/bin/npm-cli.js
peers=$work/peers
mkdir "$peers"
PATH=$(dirname "$node"):$PATH
export PATH
(cd "$peers" && "$node" "$npm" install --silent --no-audit --no-fund agent-device@0.21.5 gpt-tokenizer@4.0.0)
new_identity
export PYTHONPATH=$tests/desktop PYTHONDONTWRITEBYTECODE=1 FINGERTIP_HOME=$work/home

echo '| task | calls | tokens in | tokens out | seconds | agent-device: calls | in | out | seconds | tokens, ours of theirs |'
echo '|---|---|---|---|---|---|---|---|---|---|'
failed=()
for task in $(/usr/bin/python3 bench/desktop_tasks.py --list); do
  begin_session "$task"
  /usr/bin/python3 bench/desktop_tasks.py "$task" "$program" "$node" "$peers" || failed+=("$task")
  end_session
done
((${#failed[@]} == 0)) || fail "not done by us: ${failed[*]}"
