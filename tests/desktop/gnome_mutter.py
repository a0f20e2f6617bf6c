"""GNOME where the owner chose Mutter's own interface: nobody is asked, and there is a clipboard."""

from applications import Application
from calculator import click_keys
from desktop import Desktop
from gnome import NAME, person
from sway import tap


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
    gtk4_calculator,
    qt_calculator,
]
