"""An MCP server spoken to over its standard input and output, so that no client library is part of the time."""

import json
import os
import subprocess
import threading
import time
from pathlib import Path

# How often a call is timed in one turn; a reader has two turns, the second in the reverse order.
ROUNDS = int(os.environ.get("BENCH_ROUNDS", 15))
# Seconds after which what takes long is not repeated in this turn, but for the second time.
TURN = 20
# Seconds until a server that does not answer is ended.
LIMIT = 90
TICKS = os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    """A call that brought an error or no answer at all."""


class Server:
    def __init__(self, *command: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | environment,
        )
        self.number = 0
        client = {"name": "bench", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: dict) -> None:
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, params: dict) -> dict:
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        guard = threading.Timer(LIMIT, self.process.kill)
        guard.start()
        try:
            for line in self.process.stdout:
                answer = json.loads(line)
                if answer.get("id") == self.number:
                    return answer
        finally:
            guard.cancel()
        raise Failed(f"{method}: the server ended, or gave no answer within {LIMIT} s")

    def call(self, tool: str, **arguments: object) -> dict:
        answer = self.request("tools/call", {"name": tool, "arguments": arguments})
        if "error" in answer or answer["result"].get("isError"):
            told = answer.get("error") or " ".join(part.get("text", "") for part in answer["result"]["content"])
            raise Failed(f"{tool}: {' '.join(str(told).split())[:200]}")
        return answer["result"]

    def cpu(self) -> float:
        return cpu(self.process.pid)

    def memory(self) -> float:
        return memory(self.process.pid)

    def end(self) -> None:
        try:
            self.process.stdin.close()
            self.process.wait(timeout=10)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


def processes(first: int) -> dict[int, list[str]]:
    """This process and those that it started, with what the kernel tells of each from its state on."""
    everybody, found, left = {}, {}, [first]
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            everybody[int(stat.parent.name)] = stat.read_text().rsplit(") ", 1)[1].split()
        except OSError:
            continue
    while left:
        pid = left.pop()
        if pid in everybody:
            found[pid] = everybody[pid]
            left += [other for other, fields in everybody.items() if int(fields[1]) == pid]
    return found


def cpu(first: int) -> float:
    """Seconds of processor time that it used so far, and the programs that it started, also those that have ended."""
    used = 0.0
    for pid, fields in processes(first).items():
        # To the nanosecond, of all threads; of ended programs in ticks.
        threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
        used += sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9 + sum(map(int, fields[13:15])) / TICKS
    return used


def memory(first: int) -> float:
    """Megabytes that they have in memory."""
    return sum(int(fields[21]) for fields in processes(first).values()) * os.sysconf("SC_PAGE_SIZE") / 1024**2


class Starts:
    """Counts the programs that are started by their names: before each on the search path stands a script that notes it."""

    def __init__(self, folder: Path, path: str) -> None:
        self.log, scripts = folder / "starts", folder / "bin"
        self.log.touch()
        scripts.mkdir()
        for program in (program for part in path.split(":") if Path(part).is_dir() for program in Path(part).iterdir()):
            script = scripts / program.name
            if os.access(program, os.X_OK) and not program.is_dir() and not script.exists():
                script.write_text(f'#!/bin/sh\necho started >>"{self.log}"\nexec "{program}" "$@"\n')
                script.chmod(0o755)
        self.path = f"{scripts}:{path}"

    def count(self) -> int:
        return len(self.log.read_text().splitlines())


def timed(work) -> tuple[float, object]:
    begun = time.perf_counter()
    result = work()
    return (time.perf_counter() - begun) * 1000, result


def repeated(work) -> tuple[list[float], object]:
    """The times of several calls after one that warms up, and the last result."""
    _, result = timed(work)
    times, end = [], time.monotonic() + TURN
    while len(times) < min(2, ROUNDS) or (len(times) < ROUNDS and time.monotonic() < end):
        took, result = timed(work)
        times.append(took)
    return times, result


def percentile(times: list[float], part: float) -> float:
    """The time that this part of them did not exceed."""
    return sorted(times)[min(int(len(times) * part), len(times) - 1)]
