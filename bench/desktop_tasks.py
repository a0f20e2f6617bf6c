"""Plays a task on a Linux desktop with the fewest sensible calls, ours beside agent-device; see bench/desktop_tasks.sh.

Usage: desktop_tasks.py --list | TASK FINGERTIP NODE PEERS

A player knows what a person would tell it: the names of what is to be pressed, which both give as selectors, and what it can type.
What cannot be named so it must have found in an answer. Ours says in its last step what must be there then, where that can be told
beforehand, and looks at what changed where it cannot. The application is started anew for each of them. Whether a task succeeded is
told by the application itself, on its standard output or in its file, or for a calculator by pyatspi.
"""

import asyncio
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import look
from applications import Application, Applications
from served import Failed, Server
from tokenizer import count

TEXT = "Milk and bread"
# Seconds for an effect to be told by the application.
SHOWN_WITHIN = 3


class Player:
    """Calls tools of one server and keeps what went in and out."""

    def __init__(self, server: Server) -> None:
        self.server, self.sent, self.answers = server, [], []

    def call(self, tool: str, **arguments: object) -> str:
        self.sent.append(json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False))
        content = self.server.call(tool, **arguments)["content"]
        self.answers.append("\n".join(part["text"] for part in content if part["type"] == "text"))
        return self.answers[-1]


class Ours(Player):
    def steps(self, *steps: tuple, expect: dict | None = None, **more: object) -> None:
        listed = [{"tool": tool, "arguments": arguments} for tool, arguments in steps]
        if expect:
            listed[-1]["expect"] = [expect]
        self.call("run_steps", steps=listed, **more)


def press(element: str) -> tuple:
    return ("click_element", {"element_id": element})


def write(element: str, text: str) -> tuple:
    return ("set_text", {"element_id": element, "text": text})


class Theirs(Player):
    """agent-device, with its batches. A ref holds until something was done, a selector longer; what the last step of a batch
    changed is not in its answer, so that it goes by itself where that must be read. It acts only in a session, which a look begins,
    so that every task begins with one."""

    def look(self) -> None:
        self.screen = self.call("snapshot", platform="linux", interactiveOnly=True)

    def ref(self, line: str) -> dict:
        found = re.search(rf"^[+=]? *(@e\w+)\S* .*{re.escape(line)}", self.screen, re.M)
        assert found, f"no line with {line!r} in:\n{self.screen}"
        return {"target": {"kind": "ref", "ref": found[1]}}

    def label(self, label: str) -> dict:
        return {"target": {"kind": "selector", "selector": f'label="{label}"'}}

    def button(self, label: str) -> dict:
        return {"target": {"kind": "selector", "selector": f'role=button label="{label}"'}}

    def press(self, target: dict) -> None:
        self.screen = self.call("press", platform="linux", settle=True, **target)

    def type(self, text: str) -> None:
        self.screen = self.call("type", platform="linux", text=text)

    def steps(self, *steps: tuple) -> None:
        listed = [{"command": command, "input": given} for command, given in steps]
        self.screen = self.call("batch", platform="linux", steps=listed)


SUM = "12*34"


def calculate_ours(player: Ours) -> None:
    # Its display is no field to write into.
    player.steps(*(("press_key", {"key": key}) for key in f"{SUM}="), expect={"element": '"408"'})


def calculate4_ours(player: Ours) -> None:
    player.call("set_text", element_id="text_field", text=SUM, submit=True, see="changes")


def calculate_theirs(player: Theirs) -> None:
    player.look()
    player.type(f"{SUM}=")


def edit_ours(player: Ours) -> None:
    player.steps(write("text_field", TEXT), ("press_key", {"key": "CTRL+S"}), see="changes")


def edit_theirs(player: Theirs) -> None:
    player.look()
    player.steps(("fill", {**player.ref("[editable]"), "text": TEXT}), ("press", player.label("File")))
    player.look()
    player.press(player.ref('"Save"'))


GREETED = {"element": '"Hello Ada"'}


def form_ours(player: Ours) -> None:
    player.steps(write('text_field "Name"', "Ada"), press('"Agree"'), press('"Greet"'), expect=GREETED)


def form_theirs(player: Theirs) -> None:
    player.look()
    fill = ("fill", {**player.ref('[text-field] "Name"'), "text": "Ada"})
    player.steps(fill, ("press", player.label("Agree")), ("press", player.label("Greet")))


def colour_ours(player: Ours) -> None:
    player.call("set_value", element_path='combo_box "Colour"', value="Blue", see="changes")


def colour_theirs(player: Theirs) -> None:
    player.look()
    player.press(player.ref('[combobox] "Colour"'))
    player.press(player.ref('"Blue"'))


def rename_ours(player: Ours) -> None:
    menu = ("select_menu", {"path": "File > Rename..."})
    player.steps(menu, write("text_field inside dialog", "notes"), press('"Done"'), expect={"element": "dialog", "is": "absent"})


def rename_theirs(player: Theirs) -> None:
    player.look()
    player.press(player.label("File"))
    player.press(player.ref('"Rename'))
    player.steps(("fill", {**player.ref("[text-field]"), "text": "notes"}), ("press", player.label("Done")))


def row_ours(player: Ours) -> None:
    player.call("click_element", element_id='"Row 7"', see="changes")


def row_theirs(player: Theirs) -> None:
    player.look()
    player.press(player.label("Row 7"))


def size_ours(player: Ours) -> None:
    player.call("click_element", element_id='radio_button "large"', see="changes")


def size_theirs(player: Theirs) -> None:
    player.look()
    player.press(player.label("large"))


def search_ours(player: Ours) -> None:
    player.steps(press('tab "Find"'), write('text_field "Search"', "milk"))


def search_theirs(player: Theirs) -> None:
    player.look()
    player.press(player.label("Find"))
    player.steps(("fill", {**player.label("Search"), "text": "milk"}))


def name_ours(player: Ours) -> None:
    player.steps(write('text_field "Name"', "Ada"), press('button "Greet"'), expect=GREETED)


def name_theirs(player: Theirs) -> None:
    player.look()
    fill = ("fill", {**player.ref('[text-field] "Name"'), "text": "Ada"})
    # Its label alone is that of a text in it too, in GTK 4.
    player.steps(fill, ("press", player.button("Greet")))


def said(event: str, value: object) -> Callable:
    async def done(application: Application, _file: Path) -> bool:
        return application.said(event)[-1:] == [value]

    return done


async def shows_408(application: Application, _file: Path) -> bool:
    return any("408" in json.dumps(node) for node in await look.nodes(application.pid))


async def is_saved(_application: Application, file: Path) -> bool:
    return TEXT in file.read_text()


# Name, the application, ours, theirs, and whether it was done.
TASKS = {
    "calculate": ("12 × 34 in galculator", ["galculator"], calculate_ours, calculate_theirs, shows_408),
    "edit": ("write a text in Mousepad and save it", ["mousepad", "FILE"], edit_ours, edit_theirs, is_saved),
    "form": ("fill a form and send it", ["form_gtk3.py"], form_ours, form_theirs, said("greeted", "Ada")),
    "colour": ("choose from a drop-down", ["form_gtk3.py"], colour_ours, colour_theirs, said("colour", "Blue")),
    "rename": ("a menu, then its dialog", ["choices_gtk3.py"], rename_ours, rename_theirs, said("dialog", "notes")),
    "calculate4": ("12 × 34 in gnome-calculator, GTK 4", ["gnome-calculator"], calculate4_ours, calculate_theirs, shows_408),
    "size": ("choose a size by its radio button", ["choices_gtk3.py"], size_ours, size_theirs, said("radio", "large")),
    "search": ("open a tab and search there", ["choices_gtk3.py"], search_ours, search_theirs, said("search", "milk")),
    "form4": ("fill a form of GTK 4", ["form_gtk4.py"], name_ours, name_theirs, said("greeted", "Ada")),
    "qt": ("fill a form of Qt 6", ["form_qt6.py"], name_ours, name_theirs, said("greeted", "Ada")),
    "row": ("select a row of a list of 4,500", ["long_list.py", "list"], row_ours, row_theirs, said("selected", "Row 7")),
}


async def played(make: Callable[[], Player], play: Callable, command: list[str], done: Callable) -> tuple:
    applications, file = Applications(), Path(tempfile.mkstemp(suffix=".txt", dir=os.environ["HOME"])[1])
    own = command[0].endswith(".py")
    words = [str(file) if word == "FILE" else word for word in command]
    application = await (applications.own(*words) if own else applications.start(*words))
    player = make()
    begun = time.perf_counter()
    try:
        play(player)
        failed = ""
    except (Failed, AssertionError) as error:
        failed = f"{type(error).__name__}: {error}"
    took = time.perf_counter() - begun
    end = time.monotonic() + SHOWN_WITHIN
    while not (succeeded := not failed and await done(application, file)) and time.monotonic() < end:
        await asyncio.sleep(0.1)
    player.server.end()
    applications.end()
    if not succeeded:
        print(f"{play.__name__}: {failed or 'the second look does not show it'}", file=sys.stderr)
    return player, took, succeeded


def cells(player: Player, took: float, succeeded: bool, sums: list[int]) -> str:
    return f"{len(player.sent)} | {sums[0]} | {sums[1]} | {took:.1f}{'' if succeeded else ' (failed)'}"


def main(task: str, fingertip: str, node: str, peers: str) -> None:
    name, command, play_ours, play_theirs, done = TASKS[task]

    def ours() -> Ours:
        return Ours(Server(fingertip, "stdio", "--target", "desktop", "--format", "lean"))

    def theirs() -> Theirs:
        # It reads the tree with the first python3 it finds, which must be Debian's with its GObject bindings.
        path = f"/usr/bin:{os.environ['PATH']}"
        return Theirs(Server(node, f"{peers}/node_modules/agent-device/bin/agent-device.mjs", "mcp", PATH=path))

    row, totals = [], []
    for make, play in [(ours, play_ours), (theirs, play_theirs)]:
        player, took, succeeded = asyncio.run(played(make, play, command, done))
        sums = [sum(count(texts, node, peers)) for texts in (player.sent, player.answers)]
        row.append(cells(player, took, succeeded, sums))
        totals.append((sum(sums), succeeded))
    # What was broken off or did nothing is no measure.
    ratio = f"{totals[0][0] / totals[1][0]:.2f}" if totals[1][1] else "-"
    print(f"| {name} | {row[0]} | {row[1]} | {ratio} |", flush=True)
    if not totals[0][1]:
        sys.exit(1)


if sys.argv[1:] == ["--list"]:
    print("\n".join(TASKS))
else:
    main(*sys.argv[1:])
