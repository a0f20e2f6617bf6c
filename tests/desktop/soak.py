"""Drives one application at random through the official client, and checks after each action that it is still well.

Usage: soak.py APPLICATION ACTIONS SEED COMMAND ARGUMENT...    the command serves the desktop

An action is chosen, by a seeded generator, from what the screen offers: a click on something clickable, another way to
press it, a menu, a text set, a key. What leaves the sandbox is never chosen: quitting, printing, the network, other
programs. After each action a person, which is xdotool, presses a key without effect and moves the pointer, and the
application must answer the accessibility bus and not have grown without bound. An application that an action ended on
purpose (closing its last window) is started anew, and that is counted; one that crashed or hangs is a failure.
"""

import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import look
from applications import HERE, Application
from desktop import Desktop
from health import Health
from mcp import Client, StdioServerParameters
from screen import Row, Screen

HOME = Path(os.environ["HOME"])
# Seconds in which an application must answer a person, even while it opens a dialog on a busy machine.
ANSWERS_WITHIN = 20.0
# What an application may grow by in all, in MB.
GROWTH = 600
# Words of what leaves the sandbox, or opens what the session does not have.
FORBIDDEN = re.compile(
    r"quit|exit|close|print|fax|mail|send|help|about|website|online|update|internet|network|remote|feedback|donat|report"
    r"|sign in|account|sync|extension|import|export|browser|terminal|restart|shutdown|log ?out|minimi|hide|get involved"
    r"|licen|credits|what's new|user guide|documentation|tip of|lock|auto-type|new window|trash|root|file system|fullscreen"
    r"|full screen|wizard|macro|bug|contents|manual|desktop|recent|template|browse|open with|set default",
    re.IGNORECASE,
)
# Seconds until an application has loaded what it loads by itself.
SETTLED_AFTER = 5.0
# Seconds of one action that are worth a line.
SLOW = 5.0
# How many sorts of refusals the report tells.
MOST_REFUSALS = 8
KEYS = ["TAB", "ENTER", "SPACE", "DEL"]
WORDS = ["a", "17", "Zoë ✓", "two words", ""]


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
    office = ["--norestore", "--nologo"]
    return {
        "thunar": ["thunar", str(folder)],
        "mousepad": ["mousepad", "--disable-server", str(note)],
        "galculator": ["galculator"],
        "writer": ["soffice", "--writer", *office],
        "calc": ["soffice", "--calc", *office],
        "keepassxc": ["keepassxc"],
        "gnome-text-editor": ["gnome-text-editor", "--standalone", str(note)],
        "firefox": ["firefox-esr", "--offline", "--no-remote", "--profile", tempfile.mkdtemp(dir=HOME), page.as_uri()],
    }[name]


class Soak:
    """One application under random actions."""

    def __init__(self, desktop: Desktop, name: str, seed: int) -> None:
        self.desktop, self.name = desktop, name
        self.random = random.Random(f"{name} {seed}")
        self.did: Counter[str] = Counter()
        self.last: list[str] = []
        self.slowest = 0.0
        # What was refused and with which words, for who reads the report.
        self.refusals: Counter[str] = Counter()

    async def start(self) -> None:
        self.app: Application = await self.desktop.apps.start(*command_of(self.name))
        # What it loads by itself after its window came up is not what it grows by.
        await asyncio.sleep(SETTLED_AFTER)
        self.health = Health(self.app)

    async def act(self) -> None:
        """One action on what the screen shows now; an error that says why is an answer like another."""
        looked = await self.desktop.answer("get_screen_state", app=self.app.pid)
        if looked.is_error:
            self.note("look refused", looked.content[0].text)
            return
        screen = Screen.parse(looked.content[0].text)
        rows = [row for row in screen.rows if {"v", "n"} <= set(row.flags) and not is_forbidden(row)]
        tool, arguments = self.choose([row for row in rows if set(row.flags) & set("ce")])
        begun = time.monotonic()
        result = await self.desktop.answer(tool, **arguments)
        took = time.monotonic() - begun
        self.slowest = max(self.slowest, took)
        row = next((row for row in rows if row.id in arguments.values()), None)
        named = f"{row.kind} {row.text} {row.desc}" if row else str(arguments)
        words = result.content[0].text.splitlines()[0][:120]
        ended = f"refused: {words}" if result.is_error else "done"
        if result.is_error:
            self.refusals[re.sub(r"node_\w+|\d+", "…", words)] += 1
        self.note(f"{tool} {'refused' if result.is_error else 'done'}", f"{tool} {named}: {ended}")
        if took > SLOW:
            print(f"  {took:.1f} s: {self.last[-1]}", flush=True)

    def choose(self, rows: list[Row]) -> tuple[str, dict]:
        """A tool and what it is called with."""
        if not rows or self.random.random() < 0.1:
            return "press_key", {"key": self.random.choice(KEYS)}
        row = self.random.choice(rows)
        if "e" in row.flags and self.random.random() < 0.6:
            return "set_text", {"element_id": row.id, "text": self.random.choice(WORDS)}
        if "e" in row.flags and self.random.random() < 0.5:
            return "input_text", {"element_id": row.id, "text": self.random.choice(WORDS[:-1])}
        way = self.random.random()
        if way < 0.6:
            return "click_element", {"element_id": row.id}
        if way < 0.75:
            return "perform_action", {"element_path": row.id, "action": "press"}
        if way < 0.85:
            return "long_click_element", {"element_id": row.id}
        return "tap", {"x": row.middle[0], "y": row.middle[1]}

    def note(self, kind: str, words: str) -> None:
        self.did[kind] += 1
        self.last = [*self.last[-9:], words]

    async def is_well(self) -> None:
        """A key and the pointer of a person, then an answer from the bus; started anew when it ended by itself."""
        if self.ended():
            await asyncio.sleep(0.5)
            status = self.app.process.poll()
            assert status is None or status >= 0, f"it crashed by signal {-status}"
            print(f"  it ended with status {status} after:", *self.last[-3:], sep="\n    ", flush=True)
            self.note("started anew", f"it ended with status {status}")
            self.desktop.apps.end()
            await self.start()
            return
        await look.run("xdotool", "key", "Shift_L")
        await look.run("xdotool", "mousemove", str(self.random.randrange(1900)), str(self.random.randrange(1060)))
        end = time.monotonic() + ANSWERS_WITHIN
        while not self.ended():
            try:
                await look.answers(self.app.pid)
                break
            except AssertionError as error:
                assert self.ended() or time.monotonic() < end, f"it answers no more: {error}"
        grown = self.health.memory() - self.health.before
        assert grown < GROWTH, f"it grew by {grown:.0f} MB"

    def ended(self) -> bool:
        return self.app.process.poll() is not None or not Path(f"/proc/{self.app.pid}").exists()

    async def tidy(self) -> None:
        """Every now and then a person closes what is open, so that other parts are reached too."""
        for _ in range(3):
            await look.run("xdotool", "key", "Escape")

    async def rests(self) -> None:
        if not self.ended():
            await self.health.rests()


def is_forbidden(row: Row) -> bool:
    return bool(FORBIDDEN.search(f"{row.text} {row.desc} {row.res_id}"))


async def main(name: str, actions: str, seed: str, command: str, *arguments: str) -> None:
    server = StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))
    async with Client(server) as client:
        soak = Soak(Desktop(client), name, int(seed))
        begun, fault = time.monotonic(), None
        try:
            await soak.start()
            for number in range(int(actions)):
                await soak.act()
                await soak.is_well()
                if number % 15 == 14:
                    await soak.tidy()
            await soak.rests()
        except (AssertionError, subprocess.TimeoutExpired) as error:
            fault = error
        finally:
            soak.desktop.apps.end()
    counts = ", ".join(f"{kind} {count}" for kind, count in sorted(soak.did.items()))
    took = f"{time.monotonic() - begun:.0f} s, slowest {soak.slowest:.1f} s"
    print(f"{'FAILED' if fault else 'ok'} {name}: {took}: {counts}")
    for words, count in soak.refusals.most_common(MOST_REFUSALS):
        print(f"  refused {count}: {words}")
    if fault:
        sys.exit(f"{name}: {fault}; before it:\n  " + "\n  ".join(soak.last))


asyncio.run(main(*sys.argv[1:]))
