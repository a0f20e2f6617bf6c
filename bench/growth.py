"""Makes tables of how cost grows; see bench/growth.sh.

Usage: growth.py nodes OUTPUT                                   what `cargo bench` printed, a row for each benchmark
       growth.py clients NAME TOOL CLIENTS PROCESS WRK...       runs that load, and prints a row
"""

import re
import subprocess
import sys
from pathlib import Path

from served import cpu, memory

UNITS = {"ps": 1e-9, "ns": 1e-6, "µs": 1e-3, "us": 1e-3, "ms": 1, "s": 1e3, "m": 6e4}
SIZES = [100, 1_000, 10_000, 100_000]


def shown(time: float | None) -> str:
    return "-" if time is None else f"{time:.3g}"


def nodes(output: str) -> None:
    """Milliseconds by the number of nodes, and how much dearer a node is where there are most."""
    found: dict[str, dict[int, float]] = {}
    for name, size, time, unit in re.findall(r"^(\S.*)/(\d+)\s+time:\s+\[\S+ \S+ (\S+) (\S+) ", Path(output).read_text(), re.M):
        found.setdefault(name, {})[int(size)] = float(time) * UNITS[unit]
    if not found:
        sys.exit("no benchmark was understood")
    print("| tree model | " + " | ".join(f"{size:,} nodes, ms" for size in SIZES) + " | a node of 100,000 to one of 10,000 |")
    print("|---" * (len(SIZES) + 2) + "|")
    for name, times in found.items():
        both = times.get(100_000), times.get(10_000)
        ratio = f"{both[0] / both[1] / 10:.1f}" if all(both) else "-"
        print(f"| {name.replace('_', ' ')} | " + " | ".join(shown(times.get(size)) for size in SIZES) + f" | {ratio} |", flush=True)


def clients(name: str, tool: str, number: str, process: str, *command: str) -> None:
    before = cpu(int(process))
    run = subprocess.run(command, capture_output=True, text=True)
    said = run.stdout
    if run.returncode or "Non-2xx" in said or "Socket errors" in said:
        told = " ".join(said.split()).replace("|", "/")[-160:] or run.stderr.strip()[:160]
        print(f"| {name}: {told} | {tool} | {number} | failed | - | - | - | - |", flush=True)
        sys.exit(1 if name.startswith("fingertip") else 0)
    calls = int(re.search(r"(\d+) requests in", said)[1])
    each_second = float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1])
    latency = {part: float(time) * UNITS[unit] for part, time, unit in re.findall(r"^\s+(50|99)%\s+([\d.]+)(\w+)\s*$", said, re.M)}
    each = (cpu(int(process)) - before) / calls * 1e6
    figures = [f"{each_second:.0f}", f"{latency['50']:.2f}", f"{latency['99']:.2f}", f"{each:.0f}", f"{memory(int(process)):.1f}"]
    print("|", " | ".join([name, tool, number, *figures]), "|", flush=True)


{"nodes": nodes, "clients": clients}[sys.argv[1]](*sys.argv[2:])
