"""Times tool calls of an MCP server on the demo phone, reached through the real adb.

Usage: phone.py NAME PLAN COMMAND...

Speaks JSON-RPC over the server's standard input and output, so that no client library is part of what is measured.
PLAN is a JSON list of [label, tool, arguments]; a value "@clear" is replaced by the id of the
Calculator's clear key.
"""

import json
import statistics
import subprocess
import sys
import time

ROUNDS = 60
WARM_UP = 5


class Server:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number = 0
        client = {"name": "bench", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.number:
                return answer

    def call(self, tool, arguments):
        answer = self.request("tools/call", {"name": tool, "arguments": arguments})
        if "error" in answer or answer["result"].get("isError"):
            sys.exit(f"{tool} failed: {json.dumps(answer)[:500]}")
        return answer["result"]

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)


def main():
    name, plan, command = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:]
    server = Server(command)
    known = None
    for label, tool, arguments in plan:
        if "@clear" in arguments.values():
            if known is None:
                found = server.call("find_elements", {"by": "resource_id", "value": "id/clr"})
                known = found["structuredContent"]["elements"][0]["id"]
            arguments = {key: known if value == "@clear" else value for key, value in arguments.items()}
        times = []
        for turn in range(ROUNDS + WARM_UP):
            start = time.perf_counter()
            server.call(tool, arguments)
            times.append((time.perf_counter() - start) * 1000)
        times = sorted(times[WARM_UP:])
        print(f"| {name} | {label} | {times[0]:.1f} | {statistics.median(times):.1f} | {times[int(ROUNDS * 0.95)]:.1f} |")
    server.end()


main()
