"""Drives one application through the official client, and checks after each action that it is still well.

Usage: soak.py APPLICATION ACTIONS SEED COMMAND ARGUMENT...    the command serves the desktop; TRACE=FILE tells each action

First comes a tour: every menu is opened, every item of it chosen, everything clickable of the main window pressed; the tabs
of what opened are visited, and Escape dismisses it. A long menu bar is cut to a share of the actions, chosen by the seed;
how much was reached is told. The rest are actions at random on what the screen offers, with every tool that acts.

What leaves the sandbox is never chosen: quitting, the network, other programs. So an application that ends has a fault, as has one that
hangs: after each action a person presses a key, moves the pointer and must be answered (person.py), and every now and then
what a person does must be seen on the screen. It must not have grown without bound, and rest at the end.
"""

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import look
from applications import HERE, Application
from desktop import Desktop
from health import Health
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult
from screen import HEADER, Row, Screen

HOME = Path(os.environ["HOME"])
TRACE = os.environ.get("TRACE")
# Seconds in which an application must answer a person, even while it opens a dialog on a busy machine.
ANSWERS_WITHIN = 20.0
# What an application may grow by in all, in MB.
GROWTH = 600
# Words of what ends the application, leaves the sandbox, or hides the application or its menus. LibreOffice Calc ends when
# changes are recorded, a chart was dismissed, and the pointer rests on a changed cell, whoever has read its tree: pyatspi
# alone is enough.
FORBIDDEN = re.compile(
    r"quit|\bexit|close|mail|\bsend|help|website|online|update|internet|network|remote|feedback|donat|report\b|sign in|account"
    r"|\bsync|extension|add-on|terminal|restart|refresh firefox|troubleshoot|shutdown|log ?out|minimi[sz]e|\bhide|get involved"
    r"|what's new|user guide|documentation|tip of|\block|auto-type|new (private )?window|trash|\broot\b|file system|full ?screen|bug"
    r"|manual|\brecord\b|open with|set default|move tab|https?:|menu ?bar",
    re.IGNORECASE,
)
# Words of what does so by itself, but only asks when an ellipsis says so.
ASKING = re.compile(r"print|fax|export|import|browse|browser|template|wizard|macro|desktop|recent", re.IGNORECASE)
ELLIPSIS = ("...", "…")
# What dismisses a dialog that does not listen to Escape.
DISMISSING = ("Cancel", "No", "Discard", "Don't Save", "Don’t Save", "Not Now", "Done", "OK", "Close")
# Seconds until an application has loaded what it loads by itself.
SETTLED_AFTER = 5.0
# Seconds of one action that are worth a line.
SLOW = 3.0
# How many sorts of refusals the report tells, and how many faults end a soak.
MOST_REFUSALS, MOST_FAULTS = 12, 4
# The shares of the actions that choosing menu items and pressing the rest of the main window may take.
MENUS, PRESSES = 0.5, 0.7
# How many lines of what an application said before it ended are told: a stack that names the call is long.
LAST_WORDS = 40
# Every so many actions a person does something with an effect, and what is open is closed.
PERSON_EVERY = 20
MOST_TABS, MOST_PAGES, DEEPEST_MENU, MOST_ITEMS = 12, 3, 3, 12
KEYS = ["TAB", "ENTER", "SPACE", "DEL", "ESCAPE", "UP", "DOWN", "LEFT", "RIGHT", "PAGE_UP", "PAGE_DOWN", "MOVE_HOME", "MOVE_END"]
KEYS += ["INSERT", "F2", "F6", "F10", "shift+TAB", "ctrl+a", "ctrl+z", "ctrl+c", "ctrl+v", "ctrl+f", "alt+DOWN", "shift+F10", "x"]
WORDS = ["a", "17", "Zoë ✓", "two words", ""]
MENU_ITEMS = {"menu item", "check menu item", "radio menu item", "tearoff menu item"}
NUMBERS, OPTIONS = {"slider", "spin button"}, {"combo box", "page tab list", "list", "list box"}
CHOICES = NUMBERS | OPTIONS | {"check box", "toggle button", "switch", "radio button"}


# What a row is and where, which outlasts its id.
Place = tuple[str, str, tuple[int, int, int, int]]


class Enough(Exception):
    """All actions were done."""


class StartedAnew(Exception):
    """The application had a fault, and nothing of what was seen of it is there any more."""


def command_of(name: str) -> list[str]:
    """How an application is started, with something of its own to work on."""
    note = HOME / "soak.txt"
    note.write_text("one\ntwo\nthree\n")
    folder = HOME / "folder"
    folder.mkdir(exist_ok=True)
    for number in range(5):
        # Of a kind that no program opens: what Thunar would start is not what is tried.
        (folder / f"file {number}.dat").write_bytes(bytes([number, 0, 255]))
    page = HERE / "apps" / "order.html"
    profile = Path(tempfile.mkdtemp(dir=HOME))
    # Firefox hides its menu bar unless told otherwise, and there are menus to be opened.
    menu_bar = {"chrome://browser/content/browser.xhtml": {"toolbar-menubar": {"autohide": "false"}}}
    (profile / "xulstore.json").write_text(json.dumps(menu_bar))
    office = ["--norestore", "--nologo"]
    return {
        "thunar": ["thunar", str(folder)],
        "mousepad": ["mousepad", "--disable-server", str(note)],
        "galculator": ["galculator"],
        "writer": ["soffice", "--writer", *office],
        "calc": ["soffice", "--calc", *office],
        "keepassxc": ["keepassxc"],
        "gnome-text-editor": ["gnome-text-editor", "--standalone", str(note)],
        "firefox": ["firefox-esr", "--offline", "--no-remote", "--profile", str(profile), page.as_uri()],
    }[name]


# Runs a command where nothing but its own session can be written: a file manager at random could move /etc. The folder for
# temporary files is one of its own that holds, at their usual places, the session and the sockets of X server and bus.
SANDBOX = """
set -e
session=$(dirname "$HOME")
own=$session/tmp
bus=${DBUS_SESSION_BUS_ADDRESS#unix:path=}
bus=${bus%%,*}
mkdir -p "$own/.X11-unix" "$own/${session#/tmp/}"
touch "$own/${bus#/tmp/}"
mount --make-rprivate /
for point in $(findmnt --raw --noheadings --output TARGET); do
  case $point in /dev* | /proc* | /sys*) ;; *) mount -o remount,bind,ro "$point" ;; esac
done
mount --bind "$own" "$own"
mount -o remount,bind,rw "$own"
mount --bind "$session" "$own/${session#/tmp/}"
mount -o remount,bind,rw "$own/${session#/tmp/}"
mount --bind "$bus" "$own/${bus#/tmp/}"
mount --bind /tmp/.X11-unix "$own/.X11-unix"
mount --rbind "$own" /tmp
cd "$HOME"
exec "$@"
"""


def sandboxed(command: list[str]) -> list[str]:
    as_user = [] if os.geteuid() == 0 else ["--map-current-user", "--keep-caps"]
    return ["unshare", *as_user, "--mount", "sh", "-c", SANDBOX, "sandbox", *command]


def stop_moving() -> None:
    """What moves by itself, as a text cursor that blinks, would look like an answer to a person."""
    for version in ("gtk-3.0", "gtk-4.0"):
        settings = HOME / ".config" / version / "settings.ini"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text("[Settings]\ngtk-cursor-blink=0\ngtk-enable-animations=0\n")


class Person:
    """The helper that presses keys and looks, as long as the soak runs."""

    async def start(self) -> None:
        command = ["/usr/bin/python3", str(HERE / "person.py")]
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)

    async def ask(self, **command: Any) -> str | None:
        """What the person finds wrong."""
        self.process.stdin.write(json.dumps(command).encode() + b"\n")
        await self.process.stdin.drain()
        return json.loads(await self.process.stdout.readline())["fault"]

    async def end(self) -> None:
        self.process.stdin.close()
        await self.process.wait()


class Soak:
    """One application, driven until all actions are done."""

    def __init__(self, desktop: Desktop, name: str, actions: int, seed: int) -> None:
        self.desktop, self.name, self.actions = desktop, name, actions
        self.random = random.Random(f"{name} {seed}")
        self.person = Person()
        self.done = self.refused = self.restarts = 0
        self.tools: Counter[str] = Counter()
        # Seconds, by what they went to.
        self.took: Counter[str] = Counter()
        self.last: list[str] = []
        self.faults: list[str] = []
        self.slowest, self.slowest_was, self.grown = 0.0, "", 0.0
        # What was refused and with which words, and what was reached, for who reads the report.
        self.refusals: Counter[str] = Counter()
        self.reached: dict[str, set[str]] = {kind: set() for kind in ("menus", "items", "windows", "tabs", "pressed")}
        self.items_seen: set[str] = set()
        # What the tour has still ahead, and what it pressed.
        self.menus: list[list[str]] | None = None
        self.items: list[list[str]] = []
        self.pressed: set[str] = set()

    async def start(self) -> None:
        self.app: Application = await self.desktop.apps.start(*sandboxed(command_of(self.name)))
        # What it loads by itself after its window came up is not what it grows by.
        await asyncio.sleep(SETTLED_AFTER)
        self.health = Health(self.app)
        # One that answers no ping before anything was done to it never does.
        self.bus_only = bool(await self.person.ask(do="ping", pid=self.app.pid, seconds=SETTLED_AFTER))

    async def run(self) -> None:
        stop_moving()
        await self.person.start()
        await self.start()
        try:
            while True:
                try:
                    await self.tour_menus()
                    await self.tour_presses()
                    while True:
                        await self.act_at_random()
                except StartedAnew:
                    continue
        except Enough:
            pass
        finally:
            await self.person.end()
        if not self.faults:
            await self.health.rests()

    # One action, with what is checked after it.

    async def do(self, tool: str, named: str, **arguments: Any) -> CallToolResult:
        """Calls a tool and sees that the application is well; an error that says why is an answer like another."""
        begun = time.monotonic()
        result = await self.desktop.answer(tool, **arguments)
        took = time.monotonic() - begun
        self.took["tools"] += took
        words = result.content[0].text.splitlines()[0]
        told = f"{tool} {named}: {'refused: ' if result.is_error else ''}{words[:160]}"
        self.last = [*self.last[-9:], told]
        self.tools[tool] += 1
        if result.is_error:
            self.refused += 1
            self.refusals[f"{tool}: " + re.sub(r"node_\w+|\d+", "…", words)[:160]] += 1
        else:
            self.done += 1
        if took > self.slowest:
            self.slowest, self.slowest_was = took, told
        if took > SLOW:
            print(f"  {took:.1f} s: {told}", flush=True)
        if TRACE:
            with open(TRACE, "a") as trace:
                print(f"{time.strftime('%T')} {took:.2f} s {told}", file=trace)
        fault, begun = None, time.monotonic()
        try:
            await self.is_well()
        except AssertionError as error:
            fault = str(error)
            await self.fail(fault)
        self.took["checks"] += time.monotonic() - begun
        if self.done + self.refused >= self.actions:
            raise Enough
        if fault:
            raise StartedAnew
        return result

    async def is_well(self) -> None:
        assert not await self.has_ended(), self.ending()
        fault = await self.person.ask(do="ping", pid=self.app.pid, seconds=ANSWERS_WITHIN, bus_only=self.bus_only)
        assert not await self.has_ended(), self.ending()
        assert fault is None, fault
        if (self.done + self.refused) % PERSON_EVERY == 0:
            await self.tidy()
            fault = await self.person.ask(do="effect", pid=self.app.pid)
            assert not await self.has_ended(), self.ending()
            assert fault is None, fault
            self.grown = self.health.memory() - self.health.before
            assert self.grown < GROWTH, f"it grew by {self.grown:.0f} MB"

    async def has_ended(self) -> bool:
        if self.app.process.poll() is None and Path(f"/proc/{self.app.pid}").exists():
            return False
        # What started it may tell the status a moment later.
        await asyncio.sleep(1)
        return True

    def ending(self) -> str:
        said = "\n    ".join(self.app.complaints(LAST_WORDS))
        return f"it ended with status {self.app.process.poll()} although nothing closed it; it said:\n    {said}"

    async def fail(self, fault: str) -> None:
        """Remembers a fault, and begins anew."""
        print(f"  FAULT at action {self.done + self.refused}: {fault}", *self.last, sep="\n    ", flush=True)
        self.faults.append(fault)
        if len(self.faults) >= MOST_FAULTS:
            raise Enough
        self.restarts += 1
        self.desktop.apps.end()
        await self.start()

    async def tidy(self) -> None:
        """A person closes what is open, so that other parts are reached too."""
        for _ in range(3):
            await look.run("xdotool", "key", "Escape")
            await asyncio.sleep(0.05)

    # What can be seen.

    async def look(self) -> list[Row]:
        """The rows of the screen that can be acted on and may be."""
        rows, cursor, begun = [], {}, time.monotonic()
        self.windows = 0
        for _ in range(MOST_PAGES):
            result = await self.desktop.answer("get_screen_state", app=self.app.pid, **cursor)
            text = result.content[0].text
            if result.is_error:
                self.refusals[f"get_screen_state: {text.splitlines()[0][:160]}"] += 1
                return rows
            screen = Screen.parse(text if not cursor else "\n".join([*self.head, text.removeprefix(HEADER + "\n")]))
            self.head = text.splitlines()[:4] if not cursor else self.head
            self.reached["windows"].update(window.title for window in screen.windows)
            self.windows += len(screen.windows)
            rows += [row for row in screen.rows if {"v", "n"} <= set(row.flags) and not is_forbidden(row)]
            if screen.cursor is None:
                break
            cursor = {"cursor": screen.cursor}
        self.took["looks"] += time.monotonic() - begun
        return rows

    def spent(self, share: float) -> bool:
        return self.done + self.refused >= self.actions * share

    # The tour.

    async def tour_menus(self) -> None:
        """Opens every menu, then chooses every item."""
        if self.menus is None:
            self.menus = [[row.text] for row in await self.look() if row.kind == "menu"]
        while self.menus and not self.spent(MENUS / 2):
            path = self.menus.pop(0)
            for row in await self.open_menu(path):
                if row.kind == "menu" and len(path) < DEEPEST_MENU:
                    self.menus.append([*path, row.text])
                elif row.text != "-":
                    self.items.append([*path, row.text])
                    self.items_seen.add(" > ".join(self.items[-1]))
        self.random.shuffle(self.items)
        before = places_of(await self.look())
        while self.items and not self.spent(MENUS):
            before = await self.choose_item(self.items.pop(), before)

    async def open_menu(self, path: list[str]) -> list[Row]:
        """Opens a menu by clicks on the way to it, and closes it again; gives what is in it."""
        new = await self.look()
        # LibreOffice gives its menu bar new ids when a menu opens, at the same place.
        seen = places_of(new)
        for depth, label in enumerate(path):
            found = [row for row in new if row.text == label and row.kind == "menu"]
            if not found:
                return []
            await self.do("click_element", f"menu {' > '.join(path[: depth + 1])}", element_id=found[0].id)
            new = [row for row in await self.look() if place_of(row) not in seen and "menu" in row.kind]
            seen |= places_of(new)
        self.reached["menus"].add(" > ".join(path))
        for _ in path:
            await self.press("ESCAPE")
        return new

    async def choose_item(self, path: list[str], before: set[Place]) -> set[Place]:
        """Chooses an item, and gives what can be seen when what it opened is dismissed."""
        way, windows = " > ".join(path), self.windows
        result = await self.do("select_menu", way, app=self.app.pid, path=way)
        if not result.is_error:
            self.reached["items"].add(way)
        return await self.visit(before, windows)

    async def tour_presses(self) -> None:
        """Clicks everything of the main window once."""
        rows = await self.look()
        before = places_of(rows)
        for row in rows:
            if self.spent(PRESSES):
                return
            if row.kind == "menu" or not set(row.flags) & set("c") or name_of(row) in self.pressed:
                continue
            self.pressed.add(name_of(row))
            windows = self.windows
            result = await self.do("click_element", name_of(row), element_id=row.id)
            if not result.is_error:
                self.reached["pressed"].add(name_of(row))
            items = [new for new in await self.look() if place_of(new) not in before and new.kind in MENU_ITEMS]
            label = row.text if row.text != "-" else row.desc
            before = await self.visit(before, windows)
            # What a button opens may be a menu.
            for item in [item for item in items if item.text != "-"][:MOST_ITEMS] if row.kind != "combo box" else []:
                self.items_seen.add(f"{label} > {item.text}")
                before = await self.choose_item([label, item.text], before)

    async def visit(self, before: set[Place], windows: int) -> set[Place]:
        """Goes through the tabs of what opened, and dismisses it; gives what can be seen then."""
        rows = await self.look()
        new = [row for row in rows if place_of(row) not in before]
        for row in [row for row in new if row.kind == "page tab"][:MOST_TABS]:
            result = await self.do("click_element", name_of(row), element_id=row.id)
            if not result.is_error:
                self.reached["tabs"].add(name_of(row))
        for _ in range(2):
            if not new and self.windows <= windows:
                break
            await self.press("ESCAPE")
            rows = await self.look()
            new = [row for row in rows if place_of(row) not in before]
        dismissing = [row for word in DISMISSING for row in new if row.text == word]
        if self.windows > windows and dismissing:
            await self.do("click_element", f"{name_of(dismissing[0])}, to dismiss", element_id=dismissing[0].id)
            rows = await self.look()
        return places_of(rows)

    async def press(self, key: str) -> None:
        await self.do("press_key", key, key=key)

    # The actions at random.

    async def act_at_random(self) -> None:
        rows = [row for row in await self.look() if set(row.flags) & set("ces") or row.kind in CHOICES]
        if not rows or self.random.random() < 0.12:
            key = self.random.choice(KEYS)
            if key not in ("ENTER", "SPACE") or await self.may_press():
                await self.press(key)
            return
        row, other = self.random.choice(rows), self.random.choice(rows)
        tool, arguments = self.choose(row, other)
        await self.do(tool, name_of(row), **arguments)
        if arguments.get("action") == "minimize":
            await self.do("window_action", "restore", app=self.app.pid, action="restore")

    def value_for(self, row: Row, other: Row) -> bool | int | str:
        if row.kind in NUMBERS:
            return self.random.randrange(100)
        # An option by its text, which is one now and then, and refused otherwise.
        return other.text if row.kind in OPTIONS else self.random.random() < 0.5

    async def may_press(self) -> bool:
        """Whether what has the focus may be pressed: closing is no part of this."""
        result = await self.desktop.answer("get_focused_element", app=self.app.pid)
        return not result.is_error and not FORBIDDEN.search(result.content[0].text)

    def choose(self, row: Row, other: Row) -> tuple[str, dict[str, Any]]:
        """A tool and what it is called with."""
        if "e" in row.flags and self.random.random() < 0.5:
            tool = self.random.choice(["set_text", "set_text", "input_text", "clear_text"])
            words = {"set_text": {"text": self.random.choice(WORDS)}, "input_text": {"text": self.random.choice(WORDS[:-1])}}
            return tool, {"element_id": row.id} | words.get(tool, {})
        if row.kind in CHOICES and self.random.random() < 0.5:
            return "set_value", {"element_path": row.id, "value": self.value_for(row, other)}
        point = {"x": row.middle[0], "y": row.middle[1]}
        element = {"element_id": row.id}
        window = self.random.choice(
            [
                {"action": "maximize"},
                {"action": "restore"},
                {"action": "minimize"},
                {"action": "activate"},
                {"action": "move", "x": self.random.randrange(400), "y": self.random.randrange(300)},
                {"action": "resize", "width": 700 + self.random.randrange(900), "height": 500 + self.random.randrange(500)},
            ]
        )
        direction = self.random.choice(["up", "down", "left", "right"])
        ways = [
            (30, "click_element", element),
            (9, "perform_action", {"element_path": row.id, "action": self.random.choice(["press", "focus", "show_menu", "expand"])}),
            (9, "right_click", element),
            (3, "long_click_element", element),
            (8, "double_click", element),
            (9, "hover", self.random.choice([element, point])),
            (7, "drag", element | {"to_element_id": other.id}),
            (2, "drag", element | {"to_x": other.middle[0], "to_y": other.middle[1]}),
            (9, "scroll", {"direction": direction} | self.random.choice([element, point])),
            (3, "scroll_to_element", element),
            (5, "tap", point),
            (4, "window_action", {"app": self.app.pid} | window),
        ]
        _, tool, arguments = self.random.choices(ways, [way[0] for way in ways])[0]
        return tool, arguments


def is_forbidden(row: Row) -> bool:
    words = f"{row.text} {row.desc} {row.res_id}"
    return bool(FORBIDDEN.search(words) or (ASKING.search(words) and not row.text.endswith(ELLIPSIS)))


def name_of(row: Row) -> str:
    return f"{row.kind} {row.text} {row.desc}".replace(" -", "")


def place_of(row: Row) -> Place:
    return row.kind, row.text, row.bounds


def places_of(rows: Iterable[Row]) -> set[Place]:
    return {place_of(row) for row in rows}


async def main(name: str, actions: str, seed: str, command: str, *arguments: str) -> None:
    server = StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))
    async with Client(server) as client:
        soak = Soak(Desktop(client), name, int(actions), int(seed))
        begun = time.monotonic()
        try:
            await soak.run()
        except (AssertionError, subprocess.TimeoutExpired) as error:
            soak.faults.append(str(error))
        finally:
            soak.desktop.apps.end()
    parts = ", ".join(f"{part} {seconds:.0f} s" for part, seconds in soak.took.items())
    took = f"{time.monotonic() - begun:.0f} s ({parts}), slowest {soak.slowest:.1f} s ({soak.slowest_was})"
    counts = f"{soak.done} done, {soak.refused} refused, {soak.restarts} restarts, grew by {soak.grown:.0f} MB"
    print(f"{'FAILED' if soak.faults else 'ok'} {name}: {counts}; {took}")
    if soak.bus_only:
        print("  its windows answer no pings: judged by the bus, and by what keys and the pointer are seen to do")
    reached = ", ".join(f"{kind} {len(names)}" for kind, names in soak.reached.items())
    print(f"  reached: {reached}; of {len(soak.items_seen)} items seen")
    print("  tools: " + ", ".join(f"{tool} {count}" for tool, count in sorted(soak.tools.items())))
    for words, count in soak.refusals.most_common(MOST_REFUSALS):
        print(f"  refused {count}: {words}")
    if soak.faults:
        sys.exit(f"{name}: " + "\n".join(soak.faults))


asyncio.run(main(*sys.argv[1:]))
