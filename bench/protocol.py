"""The protocol itself: a trivial call of Fingertip on the demo phone beside the least servers on the official SDKs, over stdio.

Usage: protocol.py PROGRAM NODE PYTHON

Blocks of calls alternate between the servers in an order that is shuffled anew each time, so that whatever else the machine
does falls on all of them. Not quite like for like: ours reads the clipboard of a phone, theirs answer with a constant.
"""

import os
import random
import statistics
import sys
import time
from pathlib import Path

from served import Server, percentile, timed

HERE = Path(__file__).parent
# Starts of each server, and calls of each, in blocks of so many.
STARTS = int(os.environ.get("BENCH_STARTS", 31))
CALLS = int(os.environ.get("BENCH_CALLS", 1000))
BLOCK = 50


def shuffled(names) -> list[str]:
    names = list(names)
    random.shuffle(names)
    return names


def main(program: str, node: str, python: str) -> None:
    commands = {
        "fingertip, demo phone": [program, "stdio", "--target", "demo"],
        "minimal server, TypeScript SDK 1.32.2": [node, str(HERE / "minimal/server.mjs")],
        "minimal server, Python SDK 2.3.0": [python, str(HERE / "minimal/server.py")],
    }
    starts: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(STARTS):
        for name in shuffled(commands):
            took, server = timed(lambda name=name: Server(*commands[name]))
            starts[name].append(took)
            server.end()
    servers = {name: Server(*command) for name, command in commands.items()}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for server in servers.values():
        server.call("get_clipboard")
    before = {name: server.cpu() for name, server in servers.items()}
    for _ in range(max(1, CALLS // BLOCK)):
        for name in shuffled(commands):
            times[name] += [timed(lambda name=name: servers[name].call("get_clipboard"))[0] for _ in range(BLOCK)]
            time.sleep(0.01)
    print("| server | call | p50 ms | p95 ms | CPU a call, us | memory after, MB |")
    print("|---|---|---|---|---|---|")
    for name, server in servers.items():
        ordered = times[name]
        each = (server.cpu() - before[name]) / len(ordered) * 1e6
        print(f"| {name} | trivial call | {statistics.median(ordered):.3f} | {percentile(ordered, 0.95):.3f} | {each:.0f} | {server.memory():.1f} |")
        server.end()
    for name, took in starts.items():
        print(f"| {name} | start to first answer | {statistics.median(took):.1f} | {percentile(took, 0.95):.1f} | - | - |")


main(*sys.argv[1:])
