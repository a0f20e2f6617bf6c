"""What Wayland gives on KWin to a program that its user allows it: pointer, keys, text, pictures and clipboard, each seen by
another program too."""

import asyncio
import base64
import json
import os
import signal
import sys
import time
from pathlib import Path

import look
from applications import Application
from calculator import shows_ten
from choosing import options_rows_tabs_and_radio_buttons_of_gtk3
from desktop import Desktop
from device_tools import scrolling
from mcp import Client, StdioServerParameters
from sway import (
    NAME,
    a_menu_of_the_second_button,
    a_row_far_down_a_list_is_hit,
    a_slider_is_dragged,
    by_pointer_and_keys,
    clipboard_of_another_program,
    gtk3_form,
    gtk3_form_with_a_shadow,
    gtk4_form,
    menus_by_their_own_actions,
    qt_form,
    tap,
    twins_are_not_aimed_at,
)

# How long a script whose program was killed may stay in KWin, in seconds.
FORGOTTEN_WITHIN = 25


async def a_window_that_decorates_itself(desktop: Desktop) -> None:
    """It draws its own title bar and shadow, which KWin counts and GTK 4 does not."""
    app = await desktop.apps.start("gnome-calculator")
    for key in ["7", "+", "3", "="]:
        bounds = await desktop.bounds(app, role="button", title=key)
        await desktop.call("tap", x=(bounds["left"] + bounds["right"]) // 2, y=(bounds["top"] + bounds["bottom"]) // 2)
    await shows_ten(app)


async def what_was_on_the_clipboard_is_there_again(desktop: Desktop) -> None:
    """Characters without a key are pasted: neither what was copied nor what kind it is of is lost."""
    await look.run("bash", "-c", "printf '<b>kept</b>' | wl-copy --type text/html >/dev/null 2>&1")
    app = await desktop.apps.own("form_gtk3.py")
    await tap(desktop, app, role="text_field", title="Name")
    await desktop.call("input_text", text=NAME)
    await tap(desktop, app, role="button", title="Greet")
    await app.says("greeted", NAME)
    assert "text/html" in await look.run("wl-paste", "--list-types")
    assert await look.run("wl-paste", "--no-newline", "--type", "text/html") == "<b>kept</b>"


async def text_of_the_layout_is_typed_and_the_clipboard_left_alone(desktop: Desktop) -> None:
    """Letters, digits and signs of the layout are keys; nothing is pasted for them."""
    await look.run("wl-copy", "--clear")
    text = "The quick (brown) fox: 1234567890 _-+={}[]|\\;'\"<>,.?/!@#$%^&*~`"
    app = await desktop.apps.own("form_qt6.py")
    await tap(desktop, app, role="text_field", title="Name")
    await desktop.call("input_text", text=text)
    await tap(desktop, app, role="button", title="Greet")
    await app.says("greeted", text)


async def a_key_that_the_layout_lacks_is_refused(desktop: Desktop) -> None:
    app = await desktop.apps.own("form_gtk3.py")
    await tap(desktop, app, role="text_field", title="Name")
    error = await desktop.refused("press_key", key="ctrl+ü")
    assert "layout" in error["message"], error


async def a_picture_shows_what_is_there(desktop: Desktop) -> None:
    """As large as the screen; what was typed changes it where the field is, and nowhere else."""
    app = await desktop.apps.own("form_gtk3.py")
    bounds = await desktop.bounds(app, role="text_field", title="Name")
    before = await picture(desktop)
    [window] = await look.until(look.kwin_windows, lambda windows: windows, "the window")
    listed = [window for window in (await desktop.json("list_windows"))["windows"] if window["pid"] == app.pid]
    frame = [listed[0][part][side] for part, side in POSITION]
    assert frame == [round(window[side]) for side in ("x", "y", "width", "height")], (frame, window)
    field = await desktop.element(app, role="text_field", title="Name")
    await desktop.set_value(field, "MMMMMMMM")
    after = await picture(desktop)
    changed = json.loads(await look.run("/usr/bin/python3", "-c", CHANGED, str(before), str(after)))
    assert changed["size"] == [1920, 1080], changed
    left, top, right, bottom = changed["box"]
    inside = bounds["left"] <= left < right <= bounds["right"] and bounds["top"] <= top < bottom <= bounds["bottom"]
    assert inside and right - left > 40, (changed, bounds)


POSITION = [("position", "x"), ("position", "y"), ("size", "width"), ("size", "height")]
# Where two pictures differ, and how large the first is.
CHANGED = """
import sys, json, gi
gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf
one, other = [GdkPixbuf.Pixbuf.new_from_file(path) for path in sys.argv[1:]]
width, height, row, step = one.get_width(), one.get_height(), one.get_rowstride(), one.get_n_channels()
a, b = one.get_pixels(), other.get_pixels()
# More than what is lost when a picture is made small.
def differ(x, y):
    return any(abs(a[y * row + x * step + colour] - b[y * row + x * step + colour]) > 60 for colour in range(3))
rows = [y for y in range(height) if a[y * row:y * row + width * step] != b[y * row:y * row + width * step]]
places = [(x, y) for y in rows for x in range(width) if differ(x, y)]
columns, rows = zip(*places)
print(json.dumps({"size": [width, height], "box": [min(columns), min(rows), max(columns) + 1, max(rows) + 1]}))
"""


async def picture(desktop: Desktop, **part: str) -> Path:
    """A picture of the screen, or of a part of it, in a file, without losing anything."""
    asked = part or {"include_screenshot": True}
    shown = await desktop.call("get_screen_state", screenshot_scale=1, **asked)
    content = next(content for content in shown.content if content.type == "image")
    file = Path(os.environ["HOME"]) / f"picture-{len(list(Path(os.environ['HOME']).glob('picture-*')))}"
    file.write_bytes(base64.b64decode(content.data))
    return file


async def keys_go_to_the_window_that_is_meant(desktop: Desktop) -> None:
    """Of two windows the one in front gets them, and activating changes who that is."""
    first = await desktop.apps.own("form_gtk3.py", "First")
    second = await desktop.apps.own("form_gtk3.py", "Second")
    for app, title in [(first, "First"), (second, "Second")]:
        await desktop.call("window_action", app=app.pid, action="activate")
        field = await desktop.element(app, role="text_field", title="Name")
        await desktop.call("input_text", element_id=field["id"], text=title)
        await desktop.press(app, role="button", title="Greet")
        await app.says("greeted", title)


async def windows_are_acted_on(desktop: Desktop) -> None:
    """Moved, sized, put away, filled, brought back and closed, as KWin tells it to others too."""
    app = await desktop.apps.own("form_gtk3.py")
    await desktop.bounds(app, role="checkbox", title="Agree")
    [window] = [window for window in (await desktop.json("list_windows"))["windows"] if window["pid"] == app.pid]
    id = window["id"]
    await desktop.call("window_action", window=id, action="move", x=100, y=150)
    await desktop.call("window_action", window=id, action="resize", width=700, height=600)
    [shown] = await look.kwin_windows()
    assert [shown[side] for side in ("x", "y", "width", "height")] == [100, 150, 700, 600], shown
    await tap(desktop, app, role="checkbox", title="Agree")
    await app.says("agreed", True)
    await desktop.call("window_action", window=id, action="maximize")
    [shown] = await look.kwin_windows()
    assert [shown["width"], shown["height"]] == [1920, 1080], shown
    await desktop.call("window_action", window=id, action="minimize")
    assert [shown["minimized"] for shown in await look.kwin_windows()] == [True]
    assert (await desktop.refused("tap", x=960, y=540))["message"]
    await desktop.call("window_action", window=id, action="restore")
    [shown] = await look.kwin_windows()
    assert (shown["minimized"], shown["width"], shown["height"]) == (False, 700, 600), shown
    await desktop.call("window_action", window=id, action="close")
    assert await look.kwin_windows() == []


async def the_edge_of_a_window_is_not_pressed_for_what_lies_below(desktop: Desktop) -> None:
    """The shadow of a window may take a press, by which it is resized."""
    below = await desktop.apps.own("form_gtk3.py")
    await desktop.bounds(below, role="checkbox", title="Agree")
    await desktop.call("window_action", app=below.pid, action="maximize")
    above = await desktop.apps.start("gnome-calculator")
    frame = await desktop.until(lambda: window_of(desktop, above), lambda window: window, "the calculator")
    error = await desktop.refused("tap", x=frame["position"]["x"] - 5, y=frame["position"]["y"] + 100)
    assert "edge" in error["message"], error


async def window_of(desktop: Desktop, app: Application) -> dict | None:
    windows = (await desktop.json("list_windows"))["windows"]
    return next((window for window in windows if window["pid"] == app.pid), None)


async def nothing_stays_in_kwin(desktop: Desktop) -> None:
    """Neither a script that is not asked any more, nor one whose program was killed."""
    server = await asyncio.create_subprocess_exec(
        *sys.argv[2:], stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    await ask(server, "initialize", hello)
    # The first one asked what KWin gives.
    first, second = f"fingertip-{server.pid}-1", f"fingertip-{server.pid}-2"
    await ask(server, "tools/call", {"name": "list_windows", "arguments": {}})
    assert await is_loaded(first) and not await is_loaded(f"fingertip-{server.pid}-0")
    files = list(Path(os.environ["XDG_RUNTIME_DIR"]).glob("fingertip-*.js"))
    assert files == [], files
    await forgotten(first)
    await ask(server, "tools/call", {"name": "list_windows", "arguments": {}})
    assert await is_loaded(second)
    server.send_signal(signal.SIGKILL)
    await server.wait()
    assert await is_loaded(second)
    await forgotten(second)


async def ask(server: asyncio.subprocess.Process, method: str, params: dict) -> None:
    """Calls a method of a server by its standard input, and waits for the answer."""
    call = {"jsonrpc": "2.0", "id": method, "method": method, "params": params}
    server.stdin.write(json.dumps(call).encode() + b"\n")
    while "result" not in (answer := json.loads(await server.stdout.readline())):
        assert "error" not in answer, answer
    if method == "initialize":
        server.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')


async def is_loaded(script: str) -> bool:
    """Whether KWin has a script of this name."""
    scripting = ["--object-path", "/Scripting", "--method", "org.kde.kwin.Scripting.isScriptLoaded", script]
    return "true" in await look.run("gdbus", "call", "--session", "--dest", "org.kde.KWin", *scripting)


async def forgotten(script: str) -> None:
    """Waits until it is not there any more."""
    end = time.monotonic() + FORGOTTEN_WITHIN
    while await is_loaded(script):
        assert time.monotonic() < end, f"still in KWin: {script}"
        await asyncio.sleep(0.5)


async def without_the_grant_there_are_no_such_tools(desktop: Desktop) -> None:
    """A program that no entry names reads, acts by elements and on windows, and says what is missing."""
    other = Path(os.environ["HOME"]) / "not-granted"
    other.write_bytes(Path(sys.argv[2]).read_bytes())
    other.chmod(0o755)
    app = await desktop.apps.own("form_gtk3.py")
    server = StdioServerParameters(command=str(other), args=list(sys.argv[3:]), env=dict(os.environ))
    async with Client(server) as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert {"get_ui_tree", "perform_action", "window_action", "get_clipboard"} <= listed, listed
        assert not {"tap", "press_key", "input_text", "swipe"} & listed, listed
        answer = await client.call_tool("tap", {"x": 10, "y": 10})
        assert answer.is_error and "fingertip init --kde" in answer.content[0].text, answer
        ungranted = Desktop(client)
        await ungranted.press(app, role="checkbox", title="Agree")
        await app.says("agreed", True)


async def a_locked_screen_gets_nothing(desktop: Desktop) -> None:
    """Neither keys nor presses: what lies below is still listed, and still acts by itself."""
    app = await desktop.apps.own("form_gtk3.py")
    bounds = await desktop.bounds(app, role="checkbox", title="Agree")
    await tap(desktop, app, role="checkbox", title="Agree")
    await app.says("agreed", True)
    saver = ["--session", "--dest", "org.freedesktop.ScreenSaver", "--object-path", "/ScreenSaver", "--method"]
    await look.run("gdbus", "call", *saver, "org.freedesktop.ScreenSaver.Lock")
    active = lambda: look.run("gdbus", "call", *saver, "org.freedesktop.ScreenSaver.GetActive")  # noqa: E731
    await look.until(active, lambda told: "true" in told, "the lock")
    place = {"x": (bounds["left"] + bounds["right"]) // 2, "y": (bounds["top"] + bounds["bottom"]) // 2}
    for tool, arguments in {"tap": place, "press_key": {"key": "a"}, "input_text": {"text": "secret"}}.items():
        error = await desktop.refused(tool, **arguments)
        assert "lock" in error["message"] or "focus" in error["message"], (tool, error)
    assert app.said("agreed") == [True]


SCENARIOS = [
    gtk3_form,
    gtk4_form,
    qt_form,
    gtk3_form_with_a_shadow,
    a_window_that_decorates_itself,
    clipboard_of_another_program,
    what_was_on_the_clipboard_is_there_again,
    text_of_the_layout_is_typed_and_the_clipboard_left_alone,
    a_key_that_the_layout_lacks_is_refused,
    a_picture_shows_what_is_there,
    menus_by_their_own_actions,
    a_menu_of_the_second_button,
    a_slider_is_dragged,
    keys_go_to_the_window_that_is_meant,
    twins_are_not_aimed_at,
    windows_are_acted_on,
    the_edge_of_a_window_is_not_pressed_for_what_lies_below,
    scrolling,
    a_row_far_down_a_list_is_hit,
    options_rows_tabs_and_radio_buttons_of_gtk3,
    without_the_grant_there_are_no_such_tools,
    nothing_stays_in_kwin,
    # Nobody can open it again.
    a_locked_screen_gets_nothing,
]
