"""Times tool calls of an MCP server on the demo phone, reached through the real adb.

Usage: phone.py NAME PLAN COMMAND...
       phone.py notes COUNT COMMAND...    writes so many notes into the notes app, which is open
       phone.py wake ROUNDS COMMAND...    times wait_for_element from a tap in the Calculator, which is open; the tap is
                                          made by a second server, with the shell driver

Speaks JSON-RPC over the server's standard input and output, so that no client library is part of what is measured.
PLAN is a JSON list of [label, tool, arguments]; a value "@clear" is replaced by the id of the
Calculator's clear key.
"""

import json
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

ROUNDS = int(os.environ.get("BENCH_ROUNDS", 60))
WARM_UP = min(5, ROUNDS // 2)
# Seconds after which a wait is certainly under way.
LISTENING = 0.25


class Failed(Exception):
    """A call that brought an error."""


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
            raise Failed(f"{tool} failed: {json.dumps(answer)[:500]}")
        return answer["result"]

    def worked(self):
        """Milliseconds the server itself has computed so far, all threads together: neither the phone nor adb."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e6

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)


def find(server, resource_id):
    found = server.call("find_elements", {"by": "resource_id", "value": resource_id})["structuredContent"]["elements"]
    return found[0]["id"] if found else None


def button_for_new_notes(server):
    """Goes back to the list of notes and gives the id of its button."""
    while not (button := find(server, "fab_new")):
        server.call("press_back", {})
    return button


def write_notes(server, count):
    """Each note is three elements of the list."""
    for number in range(count):
        server.call("click_element", {"element_id": button_for_new_notes(server)})
        server.call("set_text", {"element_id": find(server, "edit_title"), "text": f"Note {number}"})
        server.call("set_text", {"element_id": find(server, "edit_body"), "text": "Two words"})
    button_for_new_notes(server)


def wake(server, other, rounds):
    """Milliseconds from asking for the tap that changes a label until the wait for that label is answered."""
    seven = server.call("find_elements", {"by": "resource_id", "value": "digit_7"})["structuredContent"]["elements"][0]
    bounds = seven["bounds"]
    tap = {"x": (bounds["left"] + bounds["right"]) // 2, "y": (bounds["top"] + bounds["bottom"]) // 2}
    clear, times = find(server, "id/clr"), []
    for _ in range(rounds):
        server.call("click_element", {"element_id": clear})
        for _ in range(2):
            other.call("tap", tap)
        ended = []

        def wait():
            server.call("wait_for_element", {"by": "text", "value": "777", "timeout": 5000})
            ended.append(time.perf_counter())

        waiting = threading.Thread(target=wait)
        waiting.start()
        time.sleep(LISTENING)
        start = time.perf_counter()
        other.call("tap", tap)
        waiting.join()
        times.append((ended[0] - start) * 1000)
    times.sort()
    print(f"wait_for_element woken by a tap: {times[0]:.1f} to {times[-1]:.1f} ms, median {statistics.median(times):.1f}")


def main():
    name, plan, command = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:]
    server = Server(command)
    if name == "notes":
        write_notes(server, plan)
        return server.end()
    if name == "wake":
        other = Server([*command, "--driver", "shell"])
        wake(server, other, plan)
        other.end()
        return server.end()
    known = None
    for label, tool, arguments in plan:
        if "@clear" in arguments.values():
            if known is None:
                found = server.call("find_elements", {"by": "resource_id", "value": "id/clr"})
                known = found["structuredContent"]["elements"][0]["id"]
            arguments = {key: known if value == "@clear" else value for key, value in arguments.items()}
        try:
            for _ in range(WARM_UP):
                server.call(tool, arguments)
        except Failed as failure:
            # A peer that fails is shown with its error; one of ours must not.
            if name.startswith("fingertip"):
                sys.exit(str(failure))
            told = " ".join(str(failure).split()).replace("|", "/")[:160]
            print(f"| {name} | {label}: {told} | - | - | - | - |", flush=True)
            continue
        times, worked = [], server.worked()
        for _ in range(ROUNDS):
            start = time.perf_counter()
            server.call(tool, arguments)
            times.append((time.perf_counter() - start) * 1000)
        worked = (server.worked() - worked) / ROUNDS
        times.sort()
        figures = [times[0], statistics.median(times), times[int(ROUNDS * 0.95)], worked]
        print(f"| {name} | {label} |", " | ".join(f"{figure:.1f}" for figure in figures), "|", flush=True)
    server.end()


main()
