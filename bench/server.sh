#!/usr/bin/env bash
# Cost of the server itself: CPU per trivial call over HTTP, time from spawn to the answer to `initialize`, idle memory.
#
# Runs the whole program over the scripted phone, in release mode. Server on core 0 with one
# worker, load on core 1. Needs wrk, curl and
# python3 (apt-get install wrk curl python3). Wall-clock figures swing with other load; CPU time per request does not.
set -euo pipefail
cd "$(dirname "$0")/.."

port=${PORT:-18970}
seconds=${SECONDS_PER_RUN:-5}
work=$(mktemp -d)
export FINGERTIP_HOME="$work" FINGERTIP_TOKEN=benchmark-token-0123456789
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$work"' EXIT

cargo build --release --quiet --package fingertip --example scripted
program=target/release/examples/scripted

TOKIO_WORKER_THREADS=1 taskset -c 0 "$program" serve --listen "127.0.0.1:$port" --writes-per-second 1000 2>"$work/log" &
server=$!
until curl -sf "http://127.0.0.1:$port/health" >/dev/null; do
  kill -0 "$server" || exit 1
  sleep 0.05
done

resident() { awk '/^VmRSS/ { printf "%.1f", $2 / 1024 }' "/proc/$server/status"; }
cpu_ticks() { awk '{ print $14 + $15 }' "/proc/$server/stat"; }

echo "idle memory: $(resident) MB"

# measure TOOL CONNECTIONS
measure() {
  local tool=$1 connections=$2 before after
  cat >"$work/call.lua" <<LUA
wrk.method = "POST"
wrk.headers["Authorization"] = "Bearer $FINGERTIP_TOKEN"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"$tool","arguments":{}}}'
LUA
  before=$(cpu_ticks)
  taskset -c 1 wrk -t 1 -c "$connections" -d "${seconds}s" -s "$work/call.lua" --latency \
    "http://127.0.0.1:$port/mcp" >"$work/wrk"
  after=$(cpu_ticks)
  if grep -q 'Non-2xx' "$work/wrk"; then
    cat "$work/wrk"
    exit 1
  fi
  python3 - "$work/wrk" "$tool" "$connections" "$((after - before))" "$(getconf CLK_TCK)" <<'PY'
import re, sys
text, tool, connections = open(sys.argv[1]).read(), sys.argv[2], sys.argv[3]
ticks, rate = int(sys.argv[4]), int(sys.argv[5])
requests = int(re.search(r"(\d+) requests in", text).group(1))
per_second = float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))
median = re.search(r"^\s+50%\s+([\d.]+\w+)$", text, re.M).group(1)
print(f"{tool}, {connections:>2} connections: {ticks / rate / requests * 1e6:.1f} us server CPU per call, "
      f"{per_second:.0f} calls/s, median {median}")
PY
}

# A read goes as fast as it can; writes are paced, at the most a thousand a second, and written down.
for connections in 1 16; do measure get_clipboard "$connections"; done
measure press_back 16
echo "memory after load: $(resident) MB"

python3 - "$program" <<'PY'
import json, statistics, subprocess, sys, time
request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}}) + "\n"
times = []
for _ in range(21):
    start = time.perf_counter()
    process = subprocess.Popen([sys.argv[1], "stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(request.encode())
    process.stdin.flush()
    assert b"protocolVersion" in process.stdout.readline()
    times.append((time.perf_counter() - start) * 1000)
    process.stdin.close()
    process.wait()
print(f"spawn to initialize answer over stdio: median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms of {len(times)}")
PY
