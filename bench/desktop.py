"""Times one application on a desktop of its own: Fingertip as an agent calls it, its driver alone, and plain pyatspi.

Usage: desktop.py (tree | find | press) APPLICATION SERVER DRIVER

Run by desktop.sh with Debian's own Python. Each reader is a process of its own that has left the accessibility bus before
the next one comes.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from applications import Application, Applications

# Seconds an application may do what it does at its start, before anything is timed.
SETTLING = 3
# Timed rounds of a quick reader, and of one that takes seconds.
ROUNDS, SLOW_ROUNDS = 10, 2
SLOW = 2000
# Seconds between two presses.
REST = 0.5
ROW = "Row 4321"
# Long enough for what takes long: a list box of GTK 3 alone keeps everyone waiting for longer than the usual two seconds.
LIMITS = "get_ui_tree=30,find_element=30"
PEER = Path(__file__).parent / "pyatspi_read.py"


async def start(apps: Applications, name: str) -> Application:
    """Starts an application of the benchmark."""
    if name == "long_page":
        return await apps.browser("long_page.html")
    if name in ("long_list", "long_column"):
        return await apps.own("long_list.py", name.removeprefix("long_"))
    if "_" in name:
        return await apps.own(f"{name}.py")
    return await apps.start(*({"mousepad": ["mousepad", "--disable-server"]}.get(name, [name])))


class Server:
    """The product, spoken to over its standard input and output, so that no client library is part of the time."""

    def __init__(self, command: str) -> None:
        self.process = subprocess.Popen(
            [command, "stdio", "--target", "desktop", "--timeout", LIMITS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
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
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.number:
                return answer

    def call(self, tool: str, **arguments: object) -> dict:
        answer = self.request("tools/call", {"name": tool, "arguments": arguments})
        if "error" in answer or answer["result"].get("isError"):
            sys.exit(f"{tool} failed: {json.dumps(answer)[:500]}")
        return answer["result"]

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait(timeout=10)


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


def whole_tree(server: Server, pid: int) -> int:
    """Reads every page of the tree, and counts its nodes."""
    arguments, nodes = {"app": pid, "depth": 50, "max_nodes": 1000}, 0
    while True:
        page = server.call("get_ui_tree", **arguments)["structuredContent"]
        nodes += page["resultCount"]
        if not page["hasMoreResults"]:
            return nodes
        arguments["cursor"] = page["nextCursor"]


class Table:
    """Times by row, gathered over the rounds."""

    def __init__(self) -> None:
        self.rows: dict[tuple, tuple[list[float], tuple]] = {}

    def add(self, name: tuple, times: list[float], beside: tuple = ()) -> None:
        known = self.rows.get(name, ([], ()))[0]
        self.rows[name] = (known + times, beside)

    def print(self, application: str) -> None:
        for name, (times, beside) in self.rows.items():
            figures = [f"{min(times):.1f}", f"{statistics.median(times):.1f}"]
            print("|", " | ".join([application, *name, *map(str, beside), *figures]), "|", flush=True)


def tree_by_server(server: str, _: str, pid: int, table: Table) -> None:
    serving = Server(server)
    times, screen = repeated(lambda: serving.call("get_screen_state"))
    rows = screen["content"][0]["text"].count("\n") - 3
    table.add(("fingertip, get_screen_state", "visible"), times, (rows, "-"))
    times, nodes = repeated(lambda: whole_tree(serving, pid))
    table.add(("fingertip, get_ui_tree, all pages", "whole"), times, (nodes, "-"))
    serving.end()


def tree_by_driver(_: str, driver: str, pid: int, table: Table) -> None:
    for part in ["visible", "whole"]:
        printed = subprocess.run([driver, str(pid), part, str(ROUNDS)], check=True, capture_output=True, text=True)
        read = json.loads(printed.stdout)
        assert not read["cut"], read["cut"]
        table.add(("fingertip, driver alone", part), read["ms"], (read["nodes"], read["calls"]))


def tree_by_peer(_: str, __: str, pid: int, table: Table) -> None:
    read = peer("tree", pid)
    table.add(("pyatspi", "whole"), read["ms"], (read["nodes"], "-"))


def peer(*arguments: object) -> dict:
    command = ["/usr/bin/python3", str(PEER), *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def tree(server: str, driver: str, app: Application, table: Table) -> None:
    readers = [tree_by_server, tree_by_driver, tree_by_peer]
    for order in [readers, readers[::-1]]:
        for reader in order:
            reader(server, driver, app.pid, table)


def find(server: str, _: str, app: Application, table: Table) -> None:
    serving = Server(server)
    times, found = repeated(lambda: serving.call("find_element", app=app.pid, title=ROW))
    assert found["structuredContent"]["resultCount"] == 1, found
    table.add((f"fingertip, find_element {ROW}",), times)
    serving.end()
    table.add((f"pyatspi, search for {ROW}",), peer("find", app.pid, ROW)["ms"])


def press(server: str, _: str, app: Application, table: Table) -> None:
    """A press whose effect was read back, beside the time until the toolkit itself tells of an effect."""
    title = "7" if app.process.args[0] == "gnome-calculator" else "Agree"
    readers = [press_by_server, press_by_peer]
    for order in [readers, readers[::-1]]:
        for reader in order:
            reader(server, app.pid, title, table)


def press_by_server(server: str, pid: int, title: str, table: Table) -> None:
    serving = Server(server)
    found = serving.call("find_element", app=pid, title=title)["structuredContent"]["elements"]
    button = next(element["id"] for element in found if element.get("title") == title)

    def pressed() -> object:
        changed = serving.call("perform_action", element_path=button, action="press")["structuredContent"]["changed"]
        assert changed, "a press without an effect"
        return changed

    pressed()
    times = []
    for _ in range(ROUNDS):
        # As long as between the presses of the peer: what the last one started is over.
        time.sleep(REST)
        times.append(timed(pressed)[0])
    table.add((f"fingertip, perform_action press {title}, verified",), times)
    serving.end()


def press_by_peer(_: str, pid: int, title: str, table: Table) -> None:
    times = peer("press", pid, title)
    table.add((f"pyatspi, press {title} until the first event",), times["ms"])
    table.add((f"pyatspi, press {title} until what it happened to was read",), times["read"])


async def main(what: str, name: str, server: str, driver: str) -> None:
    apps, table = Applications(), Table()
    try:
        app = await start(apps, name)
        await asyncio.sleep(SETTLING)
        {"tree": tree, "find": find, "press": press}[what](server, driver, app, table)
        table.print(name)
    finally:
        apps.end()


asyncio.run(main(*sys.argv[1:]))
