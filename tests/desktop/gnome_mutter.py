"""GNOME where the owner chose Mutter's own interface: nobody is asked, and there is a clipboard."""

import asyncio
import os
from pathlib import Path

import look
from applications import Application
from calculator import click_keys
from desktop import Desktop
from gnome import NAME, person
from kwin import picture
from sway import tap

PICTURE = Path(__file__).parent / "gnome_picture.py"
DIFFERENCE = Path(__file__).parent / "picture_difference.py"
# How many pictures are asked for at once.
AT_ONCE = 4


async def nobody_is_asked(desktop: Desktop) -> None:
    app = await desktop.apps.own("form_gtk3.py")
    await tap(desktop, app, role="checkbox", title="Agree")
    await app.says("agreed", True)
    assert int(await person("dialogs")) == 0


async def gtk3_clipboard(desktop: Desktop) -> None:
    await copied_and_pasted(desktop, await desktop.apps.own("form_gtk3.py"))


async def gtk4_clipboard(desktop: Desktop) -> None:
    await copied_and_pasted(desktop, await desktop.apps.own("form_gtk4.py"))


async def qt_clipboard(desktop: Desktop) -> None:
    await copied_and_pasted(desktop, await desktop.apps.own("form_qt6.py"))


async def copied_and_pasted(desktop: Desktop, app: Application) -> None:
    """What an application copied is read, and what is put on the clipboard is what it pastes."""
    await tap(desktop, app, role="text_field", title="Name")
    await desktop.call("input_text", text=NAME)
    await desktop.call("press_key", key="ctrl+a")
    await desktop.call("press_key", key="ctrl+c")
    await desktop.until(
        lambda: desktop.call("get_clipboard"), lambda got: NAME in got.content[0].text, "what was copied"
    )
    await desktop.call("set_clipboard", text="pasted ✓")
    await desktop.call("press_key", key="ctrl+v")
    await tap(desktop, app, role="button", title="Greet")
    await app.says("greeted", "pasted ✓")


async def what_tells_nothing_is_pasted_into(desktop: Desktop) -> None:
    """A field for a password takes its text from the clipboard, which holds afterwards what it held before."""
    app = await desktop.apps.own("password_gtk3.py")
    await tap(desktop, app, title="Secret")
    await desktop.call("set_clipboard", text="kept ✓")
    await desktop.call("input_text", text=NAME)
    await desktop.call("press_key", key="enter")
    await app.says("entered", NAME)
    assert "kept ✓" in (await desktop.call("get_clipboard")).content[0].text


async def a_picture_is_what_another_program_sees(desktop: Desktop) -> None:
    """The screen as large as it is, and the pixels those that GNOME hands to GStreamer; a part is that part."""
    app = await desktop.apps.own("form_gtk3.py")
    await tap(desktop, app, role="checkbox", title="Agree")
    await app.says("agreed", True)
    whole = await picture(desktop)
    theirs = Path(os.environ["HOME"]) / "theirs.png"
    await look.run("/usr/bin/python3", str(PICTURE), str(theirs))
    assert await size_of(whole) == await size_of(theirs) == (1920, 1080)
    await are_alike(whole, theirs)
    box = (await desktop.element(app, role="button", title="Greet"))["bounds"]
    region = box["left"] - 40, box["top"] - 30, box["right"] + 41, box["bottom"] + 22
    part = await picture(desktop, screenshot_region=",".join(map(str, region)))
    cut = Path(os.environ["HOME"]) / "cut.png"
    await look.run("/usr/bin/python3", "-c", CUT, str(theirs), str(cut), *map(str, region))
    assert await size_of(part) == (region[2] - region[0], region[3] - region[1])
    await are_alike(part, cut)


async def pictures_are_asked_for_at_once(desktop: Desktop) -> None:
    """Each gets its own, and an application is used meanwhile."""
    app = await desktop.apps.own("form_gtk3.py")
    await tap(desktop, app, role="checkbox", title="Agree")
    await app.says("agreed", True)
    asked = [desktop.call("get_screen_state", include_screenshot=True) for _ in range(AT_ONCE)]
    shown, _ = await asyncio.gather(asyncio.gather(*asked), tap(desktop, app, role="checkbox", title="Agree"))
    await app.says("agreed", False)
    assert all(any(part.type == "image" for part in one.content) for one in shown), shown


async def nothing_is_drawn_for_us_between_pictures(desktop: Desktop) -> None:
    """PipeWire has no stream of this program but while somebody asks."""
    await desktop.call("get_screen_state", include_screenshot=True)
    await look.until(lambda: look.run("pw-dump"), lambda dump: '"fingertip"' not in dump, "the stream ended")


# A part of a picture, in a file of its own.
CUT = """
import sys, gi
gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf
left, top, right, bottom = map(int, sys.argv[3:])
whole = GdkPixbuf.Pixbuf.new_from_file(sys.argv[1])
whole.new_subpixbuf(left, top, right - left, bottom - top).savev(sys.argv[2], "png", [], [])
"""
SIZE = """
import sys, gi
gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf
picture = GdkPixbuf.Pixbuf.new_from_file(sys.argv[1])
print(picture.get_width(), picture.get_height())
"""


async def size_of(file: Path) -> tuple[int, ...]:
    return tuple(map(int, (await look.run("/usr/bin/python3", "-c", SIZE, str(file))).split()))


async def are_alike(ours: Path, theirs: Path) -> None:
    compared = await look.run("/usr/bin/python3", str(DIFFERENCE), str(ours), str(theirs))
    difference, colours = map(float, compared.split())
    assert difference < 4 and colours > 10, compared


async def gtk4_calculator(desktop: Desktop) -> None:
    """The places told of libadwaita are those that a click hits."""
    await click_keys(desktop, await desktop.apps.start("gnome-calculator"))


async def qt_calculator(desktop: Desktop) -> None:
    await click_keys(desktop, await desktop.apps.start("kcalc"))


SCENARIOS = [
    nobody_is_asked,
    gtk3_clipboard,
    gtk4_clipboard,
    qt_clipboard,
    what_tells_nothing_is_pasted_into,
    a_picture_is_what_another_program_sees,
    pictures_are_asked_for_at_once,
    nothing_is_drawn_for_us_between_pictures,
    gtk4_calculator,
    qt_calculator,
]
