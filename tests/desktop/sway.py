"""What Wayland gives on sway: pointer, keys, text, pictures and clipboard, each seen by another program too."""

import asyncio
import base64
import os
import signal
import socket
import struct
from pathlib import Path

import look
from applications import Application
from choosing import options_rows_tabs_and_radio_buttons_of_gtk3
from desktop import Desktop
from device_tools import scrolling, top_row

NAME = "Grüße, 世界 🎉 €"
DIFFERENCE = Path(__file__).parent / "picture_difference.py"


async def gtk3_form(desktop: Desktop) -> None:
    await by_pointer_and_keys(desktop, await desktop.apps.own("form_gtk3.py"))


async def gtk4_form(desktop: Desktop) -> None:
    """Check boxes of GTK 4 have no action of their own: only the pointer ticks them."""
    await by_pointer_and_keys(desktop, await desktop.apps.own("form_gtk4.py"))


async def qt_form(desktop: Desktop) -> None:
    await by_pointer_and_keys(desktop, await desktop.apps.own("form_qt6.py"))


async def by_pointer_and_keys(desktop: Desktop, app: Application) -> None:
    """A form is filled in by places, keys and characters alone; the application itself tells what it got."""
    await tap(desktop, app, role="text_field", title="Name")
    await desktop.call("input_text", text=NAME)
    await tap(desktop, app, role="checkbox", title="Agree")
    await app.says("agreed", True)
    await tap(desktop, app, role="button", title="Greet")
    await app.says("greeted", NAME)
    await tap(desktop, app, role="text_field", title="Name")
    await desktop.call("press_key", key="ctrl+a")
    await desktop.call("press_key", key="ctrl+c")
    assert await look.until(look.clipboard, lambda held: held == NAME, "the copied name")
    assert NAME in (await desktop.call("get_clipboard")).content[0].text
    await desktop.call("set_clipboard", text="pasted ✓")
    assert await look.clipboard() == "pasted ✓"
    await desktop.call("press_key", key="ctrl+v")
    await tap(desktop, app, role="button", title="Greet")
    await app.says("greeted", "pasted ✓")


async def gtk3_form_with_a_shadow(desktop: Desktop) -> None:
    """A window that decorates itself counts its places from the edge of its shadow."""
    form = str(Path(__file__).parent / "apps" / "form_gtk3.py")
    await by_pointer_and_keys(desktop, await desktop.apps.start("/usr/bin/python3", form, GTK_CSD="1"))


async def tap(desktop: Desktop, app: Application, **wanted: str) -> None:
    """Taps the middle of an element."""
    bounds = await desktop.bounds(app, **wanted)
    await desktop.call("tap", x=(bounds["left"] + bounds["right"]) // 2, y=(bounds["top"] + bounds["bottom"]) // 2)


async def clipboard_of_another_program(desktop: Desktop) -> None:
    """Texts of any length come and go, also while nobody has a window."""
    # More than a pipe holds.
    long = NAME * 5000
    await look.set_clipboard(long)
    # It goes into the background first, and takes the clipboard from there.
    await desktop.until(
        lambda: desktop.call("get_clipboard"), lambda got: long in got.content[0].text, "what the other program set"
    )
    await desktop.call("set_clipboard", text=long[:10_000])
    assert await look.clipboard() == long[:10_000]


async def a_picture_is_what_another_program_sees(desktop: Desktop) -> None:
    """Sizes are those of the screen, and the pixels those that grim gets from the compositor."""
    app = await desktop.apps.own("form_gtk3.py")
    await desktop.element(app, role="button", title="Greet")
    [window] = [window for window in (await desktop.json("list_windows"))["windows"] if window["pid"] == app.pid]
    left, top, width, height = await look.place_of((await look.windows_of(app.pid))[0])
    frame = window["position"]["x"], window["position"]["y"], window["size"]["width"], window["size"]["height"]
    # A border of two pixels, and a title of 25.
    assert frame == (left - 2, top - 25, width + 4, height + 27), (frame, left, top, width, height)
    shown = await desktop.call("get_screen_state", include_screenshot=True)
    picture = next(content for content in shown.content if content.type == "image")
    home = Path(os.environ["HOME"])
    (home / "ours").write_bytes(base64.b64decode(picture.data))
    await look.run("grim", str(home / "theirs.png"))
    compared = await look.run("/usr/bin/python3", str(DIFFERENCE), str(home / "ours"), str(home / "theirs.png"))
    difference, colours = map(float, compared.split())
    assert difference < 4 and colours > 10, compared


async def menus_by_their_own_actions(desktop: Desktop) -> None:
    """Nobody tells where a popup is: the pointer is not sent there, and the item's own action is done."""
    file = Path(os.environ["HOME"]) / "menu.txt"
    file.write_text("draft\n")
    app = await desktop.apps.start("mousepad", "--disable-server", str(file))
    field = await desktop.element(app, role="text_field")
    await desktop.call("input_text", element_id=field["id"], text="typed ")
    await desktop.press(app, title="File", role="menu")
    item = await desktop.element(app, title="Save", role="menu_item")
    assert not any(item.get("bounds", {}).values()), item
    pressed = await desktop.perform(item, "press")
    assert pressed["via"] == "native", pressed
    await look.until(lambda: read(file), lambda text: "typed" in text, "the saved text")


async def read(file: Path) -> str:
    return file.read_text()


async def a_menu_of_the_second_button(desktop: Desktop) -> None:
    app = await desktop.apps.own("form_gtk3.py")
    greet = await desktop.element(app, role="button", title="Greet")
    await desktop.call("long_click_element", element_id=greet["id"])
    await app.says("menu", "open")
    await desktop.call("press_key", key="down")
    await desktop.call("press_key", key="enter")
    await app.says("chosen", "Copy greeting")


async def a_slider_is_dragged(desktop: Desktop) -> None:
    app = await desktop.apps.own("form_gtk3.py")
    bounds = await desktop.bounds(app, role="slider", title="Volume")
    across = bounds["bottom"] - 8
    await desktop.call("swipe", x1=bounds["left"] + 8, y1=across, x2=bounds["right"] - 8, y2=across)
    await look.until(lambda: said(app, "volume"), lambda values: values and values[-1] > 60, "a high volume")


async def said(app: Application, event: str) -> list:
    return app.said(event)


async def keys_go_to_the_window_that_is_meant(desktop: Desktop) -> None:
    """Of two windows the one in front gets them, and activating changes who that is."""
    first = await desktop.apps.own("form_gtk3.py", "First")
    second = await desktop.apps.own("form_gtk3.py", "Second")
    for app, title in [(first, "First"), (second, "Second")]:
        await desktop.call("window_action", app=app.pid, action="activate")
        await look.until(look.active_title, lambda active, title=title: active == title, f"{title} in front")
        field = await desktop.element(app, role="text_field", title="Name")
        await desktop.call("input_text", element_id=field["id"], text=title)
        await desktop.press(app, role="button", title="Greet")
        await app.says("greeted", title)


async def twins_are_not_aimed_at(desktop: Desktop) -> None:
    """Of two windows that nothing tells apart it is not known which is where; what they do by themselves works."""
    twins = await desktop.apps.own("titles.py", "Twin", "Twin")
    front = await desktop.apps.own("form_gtk3.py")
    await desktop.call("window_action", app=front.pid, action="activate")
    buttons = await desktop.until(
        lambda: desktop.find(twins, role="button", title="either/or"), lambda found: found[1:] and found, "both buttons"
    )
    assert not any(value for button in buttons for value in button.get("bounds", {}).values()), buttons
    error = await desktop.refused("hover", element_id=buttons[0]["id"])
    assert "certain" in error["message"], error
    pressed = await desktop.perform(buttons[0], "press")
    assert pressed["via"] == "native", pressed
    await twins.says("pressed", ["Twin", 0])


async def a_row_far_down_a_list_is_hit(desktop: Desktop) -> None:
    """The wheel goes down a list of thousands, and a tap selects the row that is said to be there."""
    app = await desktop.apps.own("long_list.py", "list")
    await desktop.until(lambda: top_row(desktop), lambda row: row, "rows")
    for _ in range(3):
        await desktop.call("scroll", direction="down", amount="large")
    await desktop.until(lambda: top_row(desktop), lambda row: row > 20, "rows further down")
    rows = [row for row in (await desktop.screen()).rows if row.text.startswith("Row ")]
    row = rows[len(rows) // 2]
    left, top, right, bottom = row.bounds
    await desktop.call("tap", x=left + 20, y=(top + bottom) // 2)
    await app.says("selected", row.text)


async def windows_are_acted_on(desktop: Desktop) -> None:
    """Moved, sized and closed, as sway tells it too."""
    app = await desktop.apps.own("form_gtk3.py")
    await desktop.element(app, role="button", title="Greet")
    [window] = [window for window in (await desktop.json("list_windows"))["windows"] if window["pid"] == app.pid]
    [id] = await look.windows_of(app.pid)
    await desktop.call("window_action", window=window["id"], action="move", x=100, y=150)
    left, top, *_ = await look.place_of(id)
    assert (left - 100, top - 150) == (2, 25), (left, top)
    await desktop.call("window_action", window=window["id"], action="resize", width=700, height=600)
    *_, width, height = await look.place_of(id)
    assert (width, height) == (696, 573), (width, height)
    await tap(desktop, app, role="checkbox", title="Agree")
    await app.says("agreed", True)
    error = await desktop.refused("window_action", window=window["id"], action="minimize")
    assert "sway" in error["message"], error
    await desktop.call("window_action", window=window["id"], action="close")
    assert await look.windows_of(app.pid) == []


async def a_panel_gets_nothing(desktop: Desktop) -> None:
    """It lies above a window that reaches below it: what is pressed there is not for the window."""
    app = await desktop.apps.own("form_gtk3.py")
    await desktop.element(app, role="button", title="Greet")
    await desktop.call("window_action", app=app.pid, action="move", x=100, y=0)
    assert (await desktop.refused("tap", x=960, y=5))["error_type"] == "refused"
    error = await desktop.refused("tap", x=150, y=5)
    assert "panel" in error["message"], error
    await tap(desktop, app, role="checkbox", title="Agree")
    await app.says("agreed", True)


async def what_a_busy_compositor_does_not_tell_is_nowhere(desktop: Desktop) -> None:
    """Applications count their places from their own corner: without the compositor's word these would be others' places."""
    app = await desktop.apps.own("form_gtk3.py")
    assert await desktop.bounds(app, role="checkbox", title="Agree")
    compositor = pid_of_compositor()
    os.kill(compositor, signal.SIGSTOP)
    try:
        hung = await desktop.element(app, role="checkbox", title="Agree")
    finally:
        os.kill(compositor, signal.SIGCONT)
    assert not any(hung["bounds"].values()), hung
    await tap(desktop, app, role="checkbox", title="Agree")
    await app.says("agreed", True)


def pid_of_compositor() -> int:
    """The process that serves Wayland, as the kernel knows it."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(str(Path(os.environ["XDG_RUNTIME_DIR"]) / os.environ["WAYLAND_DISPLAY"]))
        told = link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return struct.unpack("3i", told)[0]


async def a_locked_screen_gets_nothing(desktop: Desktop) -> None:
    """Neither keys nor presses: what lies below is still listed, and still acts by itself."""
    app = await desktop.apps.own("form_gtk3.py")
    bounds = await desktop.bounds(app, role="checkbox", title="Agree")
    await tap(desktop, app, role="checkbox", title="Agree")
    await app.says("agreed", True)
    lock = await asyncio.create_subprocess_exec("swaylock", "--color", "203040")
    try:
        await look.until(look.sway_windows, lambda windows: not any(w["focused"] for w in windows), "the lock")
        place = {"x": (bounds["left"] + bounds["right"]) // 2, "y": (bounds["top"] + bounds["bottom"]) // 2}
        for tool, arguments in {"tap": place, "press_key": {"key": "a"}, "input_text": {"text": "secret"}}.items():
            error = await desktop.refused(tool, **arguments)
            assert "lock" in error["message"] or "focus" in error["message"], (tool, error)
        assert app.said("agreed") == [True]
    finally:
        lock.kill()
        await lock.wait()


SCENARIOS = [
    gtk3_form,
    gtk4_form,
    qt_form,
    gtk3_form_with_a_shadow,
    clipboard_of_another_program,
    a_picture_is_what_another_program_sees,
    menus_by_their_own_actions,
    a_menu_of_the_second_button,
    a_slider_is_dragged,
    keys_go_to_the_window_that_is_meant,
    twins_are_not_aimed_at,
    windows_are_acted_on,
    a_panel_gets_nothing,
    scrolling,
    a_row_far_down_a_list_is_hit,
    options_rows_tabs_and_radio_buttons_of_gtk3,
    what_a_busy_compositor_does_not_tell_is_nowhere,
    # It goes by force and may leave a screen that stays dark.
    a_locked_screen_gets_nothing,
]
