"""An MCP server spoken to over its standard input and output, so that no client library is part of the time."""

import json
import os
import subprocess
import threading
import time

# Timed rounds of a quick call, and of one that takes seconds.
ROUNDS, SLOW_ROUNDS = 10, 2
SLOW = 2000
# Seconds until a server that does not answer is ended.
LIMIT = 90


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

    def end(self) -> None:
        try:
            self.process.stdin.close()
            self.process.wait(timeout=10)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


def timed(work) -> tuple[float, object]:
    begun = time.perf_counter()
    result = work()
    return (time.perf_counter() - begun) * 1000, result


def repeated(work) -> tuple[list[float], object]:
    """The times of several calls after one that warms up, and the last result."""
    first, result = timed(work)
    times = []
    for _ in range(SLOW_ROUNDS if first > SLOW else ROUNDS):
        took, result = timed(work)
        times.append(took)
    return times, result
