"""Times one application on a desktop of its own: Fingertip as an agent calls it, its driver alone, plain pyatspi, and peers.

Usage: desktop.py (tree | find | press | many) APPLICATION SERVER DRIVER

Run by desktop.sh with Debian's own Python. Each reader is a process of its own that has left the accessibility bus before
the next one comes.
"""

import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from applications import Application, Applications
from desktop_peers import FOLDER, PEERS, attempt, search_path
from served import ROUNDS, Failed, Server, Starts, percentile, repeated, timed
from tokenizer import count

# Seconds an application may do what it does at its start, before anything is timed.
SETTLING = 3
# Seconds between two presses.
REST = 0.5
ROW = "Row 4321"
# How many screens a server is asked for before its memory is looked at, and after how many seconds it is however many they were.
MANY = int(os.environ.get("BENCH_MANY", 1000))
MANY_WITHIN = 60
# Long enough for what takes long: a list box of GTK 3 alone keeps everyone waiting for longer than the usual two seconds.
LIMITS = "get_ui_tree=30,find_element=30"
PYATSPI = Path(__file__).parent / "pyatspi_read.py"


async def start(apps: Applications, name: str) -> Application:
    """Starts an application of the benchmark."""
    if name == "long_page":
        return await apps.browser("long_page.html")
    if name in ("long_list", "long_column"):
        return await apps.own("long_list.py", name.removeprefix("long_"))
    if "_" in name:
        return await apps.own(f"{name}.py")
    return await apps.start(*({"mousepad": ["mousepad", "--disable-server"]}.get(name, [name])))


def serve(command: str, **environment: str) -> Server:
    """The product."""
    return Server(command, "stdio", "--target", "desktop", "--timeout", LIMITS, **environment)


def tokens(answer: dict) -> int | str:
    """What an answer costs a model that reads it; the tokenizer is installed with the peers."""
    texts = [part["text"] for part in answer["content"] if part["type"] == "text"]
    return sum(count(texts, os.environ["NODE"], FOLDER)) if FOLDER else "-"


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
            figures = ["-", "failed", "-", "-"]
            if times:
                shown = (min(times), statistics.median(times), percentile(times, 0.95))
                figures = [len(times), *(f"{figure:.1f}" for figure in shown)]
            print("|", " | ".join([application, *name, *map(str, [*beside, *figures])]), "|", flush=True)


def tree_by_server(server: str, _: str, pid: int, table: Table) -> None:
    serving = serve(server)
    times, screen = repeated(lambda: serving.call("get_screen_state"))
    rows = screen["content"][0]["text"].count("\n") - 3
    table.add(("fingertip, get_screen_state", "visible"), times, (rows, tokens(screen), "-"))
    times, lean = repeated(lambda: serving.call("get_screen_state", format="lean"))
    lines = lean["content"][0]["text"].count("\n")
    table.add(("fingertip, get_screen_state, lean", "visible"), times, (f"{lines} lines", tokens(lean), "-"))
    times, nodes = repeated(lambda: whole_tree(serving, pid))
    table.add(("fingertip, get_ui_tree, all pages", "whole"), times, (nodes, "-", "-"))
    serving.end()


def tree_by_driver(_: str, driver: str, pid: int, table: Table) -> None:
    for part in ["visible", "whole"]:
        printed = subprocess.run([driver, str(pid), part, str(ROUNDS)], check=True, capture_output=True, text=True)
        read = json.loads(printed.stdout)
        assert not read["cut"], read["cut"]
        table.add(("fingertip, driver alone", part), read["ms"], (read["nodes"], "-", read["calls"]))


def tree_by_pyatspi(_: str, __: str, pid: int, table: Table) -> None:
    read = pyatspi("tree", pid)
    table.add(("pyatspi", "whole"), read["ms"], (read["nodes"], "-", "-"))


def pyatspi(*arguments: object) -> dict:
    command = ["/usr/bin/python3", str(PYATSPI), *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def tree_by_peer(peer):
    def reader(_: str, __: str, pid: int, table: Table) -> None:
        def work(running) -> None:
            for label, part, read, nodes in running.trees():
                times, answer = repeated(read)
                table.add((f"{peer.name}, {label}", part), times, (nodes(answer), tokens(answer), "-"))

        if failure := attempt(peer, pid, work):
            table.add((f"{peer.name}: {failure}", "-"), [], ("-", "-", "-"))

    return reader


def tree(server: str, driver: str, app: Application, table: Table) -> None:
    readers = [tree_by_server, tree_by_driver, tree_by_pyatspi, *map(tree_by_peer, PEERS)]
    random.shuffle(readers)
    for order in [readers, readers[::-1]]:
        for reader in order:
            reader(server, driver, app.pid, table)


def find(server: str, _: str, app: Application, table: Table) -> None:
    serving = serve(server)
    times, found = repeated(lambda: serving.call("find_element", app=app.pid, title=ROW))
    assert found["structuredContent"]["resultCount"] == 1, found
    table.add((f"fingertip, find_element {ROW}",), times)
    serving.end()
    table.add((f"pyatspi, search for {ROW}",), pyatspi("find", app.pid, ROW)["ms"])
    for peer in PEERS:

        def work(running, peer=peer) -> None:
            times, hits = repeated(lambda: running.find(ROW))
            table.add((f"{peer.name}, search for {ROW}: {'found' if hits else 'not found'}",), times)

        if failure := attempt(peer, app.pid, work):
            table.add((f"{peer.name}, search for {ROW}: {failure}",), [])


def press(server: str, _: str, app: Application, table: Table) -> None:
    """A press whose effect was read back, beside the time until the toolkit itself tells of an effect."""
    title = "7" if app.process.args[0] == "gnome-calculator" else "Agree"
    # Peers come last, and once: a press of theirs that hits something else may leave the application in another state.
    for reader in [press_by_server, press_by_pyatspi, press_by_pyatspi, press_by_server, *map(press_by_peer, PEERS)]:
        reader(server, app, title, table)


def pressed_again(work) -> list[float]:
    """Times of presses, as long apart as those of pyatspi: what the last one started is over."""
    work()
    times = []
    for _ in range(ROUNDS):
        time.sleep(REST)
        times.append(timed(work)[0])
    return times


def press_by_server(server: str, app: Application, title: str, table: Table) -> None:
    serving = serve(server)
    found = serving.call("find_element", app=app.pid, title=title)["structuredContent"]["elements"]
    button = next(element["id"] for element in found if element.get("title") == title)

    def pressed() -> None:
        changed = serving.call("perform_action", element_path=button, action="press")["structuredContent"]["changed"]
        assert changed, "a press without an effect"

    table.add((f"fingertip, perform_action press {title}, verified",), pressed_again(pressed))
    serving.end()


def press_by_pyatspi(_: str, app: Application, title: str, table: Table) -> None:
    times = pyatspi("press", app.pid, title)
    table.add((f"pyatspi, press {title} until the first event",), times["ms"])
    table.add((f"pyatspi, press {title} until what it happened to was read",), times["read"])


def press_by_peer(peer):
    def reader(_: str, app: Application, title: str, table: Table) -> None:
        def work(running) -> None:
            for label, pressed in running.presses(title):
                before = len(app.said("agreed"))
                times = pressed_again(pressed)
                # Only the forms say what was done to them.
                if title == "Agree" and len(app.said("agreed")) - before < len(times):
                    raise Failed(f"{label}: {len(app.said('agreed')) - before} of {len(times) + 1} had an effect")
                table.add((f"{peer.name}, {label}",), times)

        if failure := attempt(peer, app.pid, work):
            table.add((f"{peer.name}, {failure}",), [])

    return reader


class Ours:
    """The product as the peers are."""

    name = "fingertip"

    def __init__(self, command: str, path: str) -> None:
        self.server = serve(command, PATH=path)

    def screen(self) -> dict:
        return self.server.call("get_screen_state")


def many(server: str, _: str, app: Application, table: Table) -> None:
    """What it costs to be asked for the screen again and again: processor time, memory in the end, and programs that are started."""
    with tempfile.TemporaryDirectory() as folder:
        starts = Starts(Path(folder), search_path())
        for peer in [lambda _, path: Ours(server, path), *PEERS]:
            name = getattr(peer, "name", Ours.name)

            def work(running, name=name) -> None:
                running.screen()
                begun, before, started = time.monotonic(), running.server.cpu(), starts.count()
                calls = 0
                while calls < MANY and time.monotonic() - begun < MANY_WITHIN:
                    running.screen()
                    calls += 1
                each = (running.server.cpu() - before) / calls * 1000
                figures = [calls, f"{each:.1f}", f"{running.server.memory():.1f}", f"{(starts.count() - started) / calls:.2f}"]
                print("|", " | ".join(map(str, [name, *figures])), "|", flush=True)

            if failure := attempt(peer, app.pid, work, starts.path):
                if name == Ours.name:
                    sys.exit(failure)
                print(f"| {name}: {failure} | - | failed | - | - |", flush=True)


async def main(what: str, name: str, server: str, driver: str) -> None:
    apps, table = Applications(), Table()
    try:
        app = await start(apps, name)
        await asyncio.sleep(SETTLING)
        {"tree": tree, "find": find, "press": press, "many": many}[what](server, driver, app, table)
        table.print(name)
    finally:
        apps.end()


asyncio.run(main(*sys.argv[1:]))
