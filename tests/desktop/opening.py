"""Opening, listing and closing applications, and acting on their windows; effects are read from the X server and the disk."""

import asyncio
import os
import signal
from pathlib import Path

import look
from applications import Application
from desktop import Desktop


async def ended(pid: int) -> None:
    """Ends what a scenario left open, and waits until it is gone: no zombie of the server stays."""
    try:
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:
        return

    async def there() -> bool:
        return Path(f"/proc/{pid}").exists()

    await look.until(there, lambda there: not there, f"the process {pid} gone")


async def editor_with_a_file(desktop: Desktop) -> None:
    """A file is opened, written by keys, and an editor with unsaved words is not closed but asks."""
    file = Path.home() / "-rf $(id) notes.txt"
    file.write_text("first\n", encoding="utf-8")
    before = {app["id"]: app for app in (await desktop.json("list_apps", query="mousepad"))["apps"]}
    assert "running" not in before["org.xfce.mousepad"], before
    opened = await desktop.json("open_app", app="mousepad", file=str(file))
    window = opened["window"]
    try:
        assert opened["app"] == "org.xfce.mousepad" and not opened["wasRunning"], opened
        assert file.name in window["title"], opened
        await look.until(look.active_title, lambda title: title == window["title"], "its window in front")
        listed = (await desktop.json("list_apps", query="mousepad", running=True))["apps"]
        assert listed[0]["pids"] == [window["pid"]] and listed[0]["front"], listed
        await desktop.call("input_text", text="more ")
        closed = await desktop.json("close_app", app=window["pid"])
        assert not closed["closed"] and len(closed["windowsLeft"]) == 2 and "Nothing was killed" in closed["note"], closed
        assert file.read_text(encoding="utf-8") == "first\n"
        refused = await desktop.answer("window_action", window=window["id"], action="close")
        assert refused.is_error, refused
    finally:
        await ended(window["pid"])
    assert (await desktop.refused("close_app", app=window["pid"]))["error_type"] == "app_not_running"


async def calculator_window(desktop: Desktop) -> None:
    """A window is moved, sized, minimized, restored, brought to the front and closed, as xdotool sees it too."""
    opened = await desktop.json("open_app", app="galculator")
    name, pid = opened["window"]["id"], opened["window"]["pid"]
    [window] = await look.windows_of(pid)
    moved = await desktop.json("window_action", window=name, action="move", x=300, y=200)
    assert moved["window"]["position"] == {"x": 300, "y": 200}, moved
    left, top, width, height = await look.place_of(window)
    assert 300 <= left <= 320 and 200 <= top <= 260, (left, top)
    size = {key: value + 60 for key, value in moved["window"]["size"].items()}
    await desktop.call("window_action", window=name, action="resize", **size)
    _, _, wider, higher = await look.place_of(window)
    assert (wider, higher) == (width + 60, height + 60), (wider, higher)
    await desktop.call("window_action", window=name, action="minimise")
    assert await look.is_hidden(window)
    await desktop.call("window_action", app=pid, action="restore")
    assert not await look.is_hidden(window)
    full = await desktop.json("window_action", window=name, action="maximize")
    assert full["window"]["size"]["width"] == 1280 or full["window"]["size"]["width"] > width + 60, full
    await desktop.call("window_action", window=name, action="restore")
    closed = await desktop.json("close_app", app="galculator")
    assert closed["closed"] and closed["windowsClosed"] == 1, closed
    gone = await desktop.refused("window_action", window=name, action="activate")
    assert gone["error_type"] == "element_not_found", gone


async def raise_closes_nothing(desktop: Desktop) -> None:
    """A window that lay above and lies below after a raise was not closed."""
    app = await desktop.apps.own("titles.py")
    opened = await desktop.json("open_app", app="galculator")
    try:
        windows = (await desktop.json("list_windows", app=app.pid))["windows"]
        place = {"x": windows[0]["position"]["x"] + 20, "y": windows[0]["position"]["y"] + 20}
        await desktop.call("window_action", window=opened["window"]["id"], action="move", **place)
        await desktop.call("window_action", window=opened["window"]["id"], action="activate")
        raised = await desktop.json("perform_action", element_path=windows[0]["path"], action="raise")
        assert "windowsClosed" not in raised.get("changes", {}), raised
        await look.until(look.active_title, lambda title: title == windows[0]["title"], "the window that was raised")
    finally:
        assert (await desktop.json("close_app", app="galculator"))["closed"]


async def raise_of_a_closed_window(desktop: Desktop) -> None:
    """Of two windows of an application one is closed: it is gone for `raise` too, and the other is not taken for it."""
    first = (await desktop.json("open_app", app="mousepad"))["window"]
    try:
        again = await desktop.json("open_app", app="mousepad")
        assert again["wasRunning"] and again["window"]["id"] == first["id"] and again["window"]["frontmost"], again
        await desktop.person_presses("ctrl+shift+n")
        await look.until(lambda: look.windows_of(first["pid"]), lambda windows: len(windows) == 2, "a second window")
        windows = (await desktop.json("list_windows", app=first["pid"]))["windows"]
        behind = next(window for window in windows if window["id"] == first["id"])
        assert (await desktop.json("window_action", window=first["id"], action="close"))["window"] is None
        error = await desktop.refused("perform_action", element_path=behind["path"], action="raise")
        assert error["error_type"] in ("element_not_found", "stale"), error
    finally:
        await ended(first["pid"])


async def blocked_and_unknown(desktop: Desktop) -> None:
    """A terminal is blocked by default, by each of its names; so is what lies in the user's own folders."""
    for name in ("xterm", "debian-xterm", "debian-uxterm", "KeePassXC"):
        error = await desktop.refused("open_app", app=name)
        assert error["error_type"] == "refused", error
    assert (await desktop.refused("open_app", app="/usr/bin/galculator"))["error_type"] == "refused"
    assert (await desktop.refused("open_app", app="no such thing"))["error_type"] == "element_not_found"
    folder = Path.home() / ".local/share/applications"
    folder.mkdir(parents=True, exist_ok=True)
    for name, command in (("evil", "sh -c 'exec xterm'"), ("galculator", "sh -c 'exec xterm'")):
        (folder / f"{name}.desktop").write_text(
            f"[Desktop Entry]\nType=Application\nName={name}\nExec={command}\n", encoding="utf-8"
        )
    assert (await desktop.refused("open_app", app="evil"))["error_type"] == "refused"
    opened = await desktop.json("open_app", app="galculator")
    assert opened["window"]["app"] == "galculator" and "passed over" in opened["note"], opened
    assert (await desktop.json("close_app", app="galculator"))["closed"]
    error = await desktop.refused("open_app", app="thunar", file=str(folder / "evil.desktop"))
    assert error["error_type"] == "unsupported", error
    await asyncio.sleep(0.5)
    titles = [window["app"] for window in (await desktop.json("list_windows"))["windows"]]
    assert "xterm" not in titles, titles


async def without_a_tree_and_running(desktop: Desktop) -> None:
    """A program without a tree that shows a window runs, and the answer says what is the matter with it."""
    app = Application(["xterm"], dict(os.environ))
    desktop.apps.running.append(app)
    await look.until(lambda: look.windows_of(app.pid), lambda windows: windows, "the window of xterm")
    window = next(w for w in (await desktop.json("list_windows"))["windows"] if w["pid"] == app.pid)
    error = await desktop.refused("get_ui_tree", app=window["app"])
    assert error["error_type"] == "unsupported" and "no accessibility tree" in error["message"], error


async def nothing_to_see(desktop: Desktop) -> None:
    """A service on the accessibility bus that shows nothing is not listed as running; one that shows a window is."""
    program = "from gi import require_version as r; r('Gtk', '3.0'); from gi.repository import Gtk; {}; Gtk.main()"
    service = Application(["/usr/bin/python3", "-c", program.format("0")], dict(os.environ))
    desktop.apps.running.append(service)
    editor = await desktop.apps.start("/usr/bin/python3", "-c", program.format("Gtk.Window().show()"))

    async def is_on_the_bus() -> bool:
        try:
            return bool(await look.nodes(service.pid))
        except AssertionError:
            return False

    await desktop.until(is_on_the_bus, lambda there: there, "the service on the accessibility bus")

    async def running() -> list[int]:
        listed = (await desktop.json("list_apps", running=True))["apps"]
        return [pid for app in listed for pid in app["pids"]]

    shown = await desktop.until(running, lambda pids: editor.pid in pids and pids, "what shows a window")
    assert service.pid not in shown, shown


async def windows_switched_by_keys(desktop: Desktop) -> None:
    """What is typed after alt+TAB goes to the window that the reply names, and the window manager keeps no key."""
    editors = [(await desktop.json("open_app", app=name))["window"] for name in ("mousepad", "gnome-text-editor")]
    try:
        for turn in range(6):
            said = (await desktop.call("press_key", key="alt+TAB")).content[0].text
            front = editors[turn % 2]
            typed = (await desktop.call("input_text", text=f"{turn} ")).content[0].text
            assert "is in front now" in said and "read back" not in typed, (said, typed)
            focused = await desktop.json("get_focused_element")
            assert focused["app"]["pid"] == front["pid"], (said, focused)
            assert focused["element"]["value"].endswith(f"{turn} "), focused
    finally:
        for window in editors:
            await ended(window["pid"])


async def a_pipe_among_the_entries(desktop: Desktop) -> None:
    """What nobody writes into is not waited for, and a folder full of files hides no application of the system."""
    folder = Path.home() / ".local/share/applications"
    folder.mkdir(parents=True, exist_ok=True)
    os.mkfifo(folder / "0.desktop")
    for number in range(6000):
        (folder / f"filler{number}.desktop").write_text("")
    listed = (await desktop.json("list_apps", query="galculator"))["apps"]
    assert [app["id"] for app in listed if not app.get("cannotOpen")] == ["galculator"], listed


SCENARIOS = [
    editor_with_a_file,
    raise_closes_nothing,
    raise_of_a_closed_window,
    blocked_and_unknown,
    nothing_to_see,
]
# Windows are put away and switched by keys where there is a window manager for it; sway has neither, and no X client.
if look.on_x():
    SCENARIOS += [calculator_window, without_a_tree_and_running, windows_switched_by_keys]
# Last: the folder stays full.
SCENARIOS.append(a_pipe_among_the_entries)
