"""Second observations: the accessibility bus read by pyatspi, the X server by xprop and its kin, sway and KWin by their own
tools, the windows of GNOME by what their applications tell pyatspi."""

import asyncio
import json
import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

PROGRAM = Path(__file__).parent / "pyatspi_look.py"
# Seconds one look may take, and until an effect must be seen.
LOOK_LIMIT, SEEN_WITHIN = 60, 5.0
LOOK_EVERY = 0.05
ACTIVE_TRIES = 100
# How many characters of what was seen instead a failure shows.
SHOWN = 2000

Seen = TypeVar("Seen")


async def run(*command: str) -> str:
    """What a program prints. The event loop goes on meanwhile."""
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=LOOK_LIMIT)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


async def arrives(pid: int, seconds: float) -> int | None:
    """The process of the application once it and a window of it are on the accessibility bus, if that is in time."""
    command = ["/usr/bin/python3", PROGRAM, "await", str(pid), str(seconds)]
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=LOOK_LIMIT)
    return int(done.stdout) if done.returncode == 0 else None


async def answers(pid: int) -> None:
    """Asks the windows of an application for their states; one that hangs fails this within seconds."""
    await run("/usr/bin/python3", str(PROGRAM), "ping", str(pid))


async def nodes(pid: int) -> list[dict[str, Any]]:
    """Every node of an application."""
    printed = await run("/usr/bin/python3", str(PROGRAM), "nodes", str(pid))
    return [json.loads(line) for line in printed.splitlines()]


async def node(pid: int, role: str, name: str) -> dict[str, Any] | None:
    """The first node of this role and name."""
    printed = await run("/usr/bin/python3", str(PROGRAM), "find", str(pid), role, name)
    return json.loads(printed) if printed else None


async def focused(pid: int) -> dict[str, Any] | None:
    """The node of this application that has the focus."""
    printed = await run("/usr/bin/python3", str(PROGRAM), "focused", str(pid))
    return json.loads(printed) if printed else None


async def until(look: Callable[[], Any], wanted: Callable[[Any], Seen], what: str) -> Seen:
    """Looks until the condition gives something, and gives that."""
    end = time.monotonic() + SEEN_WITHIN
    while True:
        seen = await look()
        if result := wanted(seen):
            return result
        assert time.monotonic() < end, f"not seen: {what}; instead {str(seen)[:SHOWN]}"
        await asyncio.sleep(LOOK_EVERY)


def on_sway() -> bool:
    """Whether the desktop is one of sway; else it is one of X."""
    return "SWAYSOCK" in os.environ


def on_kwin() -> bool:
    """Whether the desktop is one of KWin."""
    return os.environ.get("XDG_CURRENT_DESKTOP") == "KDE"


def on_gnome() -> bool:
    """Whether the desktop is one of GNOME."""
    return os.environ.get("XDG_CURRENT_DESKTOP") == "GNOME"


def on_x() -> bool:
    """Whether the desktop is one of X."""
    return "WAYLAND_DISPLAY" not in os.environ


async def told_windows() -> list[dict[str, Any]]:
    """All windows, as their applications tell of them: GNOME tells nobody."""
    return json.loads(await run("/usr/bin/python3", str(PROGRAM), "windows"))


async def kwin_windows() -> list[dict[str, Any]]:
    """All windows that KWin lets people choose from, as it describes them to launchers."""
    return json.loads(await run("/usr/bin/python3", str(PROGRAM.with_name("kwin_look.py"))))


def tells_pointer() -> bool:
    """Whether anybody tells where the pointer is: no Wayland compositor does."""
    return on_x()


async def sway_windows() -> list[dict[str, Any]]:
    """All windows, as sway lists them."""
    open_nodes, windows = [json.loads(await run("swaymsg", "--raw", "--type", "get_tree"))], []
    while open_nodes:
        node = open_nodes.pop()
        open_nodes += node["nodes"] + node["floating_nodes"]
        if "pid" in node:
            windows.append(node)
    return windows


async def window_titles() -> list[str]:
    """The titles of all windows, as the window manager lists them."""
    if on_sway():
        return [window["name"] for window in await sway_windows() if window["name"]]
    if on_kwin():
        return [window["caption"] for window in await kwin_windows()]
    if on_gnome():
        return [window["title"] for window in await told_windows()]
    return [line.split(maxsplit=3)[3] for line in (await run("wmctrl", "-l")).splitlines() if line.count(" ") > 3]


async def active_title() -> str:
    """The title of the window that has the keyboard. One that is just closing is named and gone: then the next."""
    for _ in range(ACTIVE_TRIES):
        if on_sway():
            if titles := [window["name"] for window in await sway_windows() if window["focused"]]:
                return titles[0]
            await asyncio.sleep(LOOK_EVERY)
            continue
        if on_gnome():
            if titles := [window["title"] for window in await told_windows() if window["active"]]:
                return titles[0]
            await asyncio.sleep(LOOK_EVERY)
            continue
        try:
            return (await run("xdotool", "getactivewindow", "getwindowname")).rstrip("\n")
        except AssertionError:
            await asyncio.sleep(LOOK_EVERY)
    raise AssertionError("no window has the keyboard")


async def windows_of(pid: int) -> list[str]:
    """The windows of a process that the window manager knows, by number."""
    if on_sway():
        return [str(window["id"]) for window in await sway_windows() if window["pid"] == pid]
    listed = (await run("wmctrl", "-l", "-p")).splitlines()
    return [line.split()[0] for line in listed if line.split()[2] == str(pid)]


async def window_titled(title: str) -> str:
    """The X window of this title, by number; some programs do not say whose process it is."""
    lines = [line.split(maxsplit=3) for line in (await run("wmctrl", "-l")).splitlines()]
    return next(line[0] for line in lines if line[3:] == [title])


async def is_hidden(window: str) -> bool:
    """Whether the window manager holds the window minimized."""
    return "_NET_WM_STATE_HIDDEN" in await run("xprop", "-id", window, "_NET_WM_STATE")


async def place_of(window: str) -> tuple[int, int, int, int]:
    """Where the inside of a window is: left, top, width, height."""
    if on_sway():
        [found] = [listed for listed in await sway_windows() if str(listed["id"]) == window]
        frame, inside = found["rect"], found["window_rect"]
        return frame["x"] + inside["x"], frame["y"] + inside["y"], inside["width"], inside["height"]
    shown = await run("xwininfo", "-id", window)
    numbers = [re.search(rf"{name}: +(-?\d+)", shown)[1] for name in ("Absolute upper-left X", "Absolute upper-left Y")]
    numbers += [re.search(rf"{name}: (\d+)", shown)[1] for name in ("Width", "Height")]
    left, top, width, height = map(int, numbers)
    return left, top, width, height


async def pointer() -> tuple[int, int]:
    """Where the mouse pointer is. sway and KWin tell nobody."""
    shown = await run("xdotool", "getmouselocation", "--shell")
    values = dict(line.split("=") for line in shown.splitlines())
    return int(values["X"]), int(values["Y"])


async def clipboard() -> str:
    """The clipboard, as another program reads it."""
    if on_sway() or on_kwin():
        return await run("wl-paste", "--no-newline")
    return await run("xclip", "-selection", "clipboard", "-out")


async def set_clipboard(text: str) -> None:
    """Gives another program something to hold in the clipboard. It stays to hand it out, and must not be waited for."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": LOOK_LIMIT, "check": True}
    # Of which kind a text is, wl-copy asks the desktop, where that is one with an answer.
    copy = ["wl-copy", "--type", "text/plain"] if on_sway() or on_kwin() else ["xclip", "-selection", "clipboard", "-in"]
    await asyncio.to_thread(subprocess.run, copy, input=text.encode(), **quiet)
