"""GNOME by its portal: nothing before the person agreed, then pointer and keys, each effect told by the application."""

import itertools
import json
from pathlib import Path

import look
from applications import Application
from desktop import Desktop
from kwin import CHANGED, picture
from sway import tap

PERSON = Path(__file__).parent / "gnome_person.py"
NAME = "Grüße, 世界 🎉 €"
# Asks the shell whether its overview is open.
OVERVIEW = (
    *("gdbus", "call", "--session", "--dest", "org.gnome.Shell", "--object-path", "/org/gnome/Shell"),
    *("--method", "org.freedesktop.DBus.Properties.Get", "org.gnome.Shell", "OverviewActive"),
)
# Seconds until the dialog must be there.
ASKED_WITHIN = "15"


async def person(*does: str) -> str:
    return await look.run("/usr/bin/python3", str(PERSON), *does)


async def the_person_is_asked_first(desktop: Desktop) -> None:
    """The first press asks and does nothing; nobody answers the dialog through this program; once the person agreed the
    same press is made."""
    app = await desktop.apps.own("form_gtk3.py")
    place = middle(await desktop.bounds(app, role="checkbox", title="Agree"))
    assert int(await person("dialogs")) == 0, "somebody was asked already"
    error = await desktop.refused("tap", **place)
    assert error["error_type"] == "permission_denied" and "asks the person" in error["message"], error
    assert await look.until(lambda: person("dialogs"), lambda count: int(count) == 1, "one dialog")
    error = await desktop.refused("press_key", key="enter")
    assert (await desktop.refused("get_screen_state", include_screenshot=True))["error_type"] == "permission_denied"
    assert int(await person("dialogs")) == 1 and app.said("agreed") == [], error
    await the_dialog_is_out_of_reach(desktop)
    await person("agree", ASKED_WITHIN)
    await desktop.until(
        lambda: desktop.answer("tap", **place), lambda answer: not answer.is_error, "a press after the person agreed"
    )
    await app.says("agreed", True)
    assert app.said("agreed") == [True]


async def the_dialog_is_out_of_reach(desktop: Desktop) -> None:
    """Its elements can be read like any others, and not be used."""
    [share] = (await desktop.json("find_element", app="xdg-desktop-portal-gnome", role="button", title="Share"))["elements"]
    error = await desktop.refused("perform_action", element_path=share["id"], action="press")
    assert error["error_type"] == "refused" and "portal" in error["message"], error
    error = await desktop.refused("click_element", element_id=share["id"])
    assert error["error_type"] == "refused" and "portal" in error["message"], error
    assert int(await person("dialogs")) == 1


def middle(bounds: dict[str, int]) -> dict[str, int]:
    return {"x": (bounds["left"] + bounds["right"]) // 2, "y": (bounds["top"] + bounds["bottom"]) // 2}


async def what_the_person_shared_is_pictured(desktop: Desktop) -> None:
    """By the connection that the portal hands over; what is written is seen where it is and, but for what the shell itself shows
    for a moment, nowhere else."""
    app = await desktop.apps.own("form_gtk3.py")
    bounds = await desktop.bounds(app, role="text_field", title="Name")
    field = await desktop.element(app, role="text_field", title="Name")
    texts = itertools.cycle(["MMMMMMMM", ""])

    async def changed() -> dict:
        before = await picture(desktop)
        await desktop.set_value(field, next(texts))
        after = await picture(desktop)
        return json.loads(await look.run("/usr/bin/python3", "-c", CHANGED, str(before), str(after)))

    def is_right(seen: dict) -> bool:
        left, top, right, bottom = seen["box"]
        inside = bounds["left"] <= left < right <= bounds["right"] and bounds["top"] <= top < bottom <= bounds["bottom"]
        return seen["size"] == [1920, 1080] and inside and right - left > 40

    await desktop.until(changed, is_right, f"a change within {bounds}")


async def gtk3_form(desktop: Desktop) -> None:
    await by_pointer_and_keys(desktop, await desktop.apps.own("form_gtk3.py"))


async def gtk4_form(desktop: Desktop) -> None:
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
    await desktop.call("press_key", key="b")
    await desktop.call("press_key", key="Z")
    error = await desktop.refused("press_key", key="ж")
    assert "nothing was pressed" in error["message"], error
    await tap(desktop, app, role="button", title="Greet")
    await app.says("greeted", "bZ")


async def what_is_of_the_shell_gets_nothing(desktop: Desktop) -> None:
    """Its bar opens menus that change the session: who would receive the press is nobody that may."""
    app = await desktop.apps.own("form_gtk3.py")
    await desktop.element(app, role="button", title="Greet")
    for x, y in [(40, 10), (1900, 10)]:
        assert (await desktop.refused("tap", x=x, y=y))["error_type"] == "refused"
    menus = (await desktop.json("find_element", app="gnome-shell", role="menu", title="System"))["elements"]
    error = await desktop.refused("perform_action", element_path=menus[0]["id"], action="confirm")
    assert error["error_type"] == "refused" and "gnome-shell" in error["message"], error
    assert "false" in await look.run(*OVERVIEW), "the press on Activities was made"


async def windows_of_one_size_are_not_aimed_at(desktop: Desktop) -> None:
    """Nobody tells which is which; what they do by themselves works."""
    apps = [await desktop.apps.own("form_gtk3.py") for _ in range(2)]
    buttons = [await desktop.element(app, role="button", title="Greet") for app in apps]
    await desktop.until(
        lambda: desktop.element(apps[0], role="button", title="Greet"),
        lambda found: not any(found["bounds"].values()),
        "a button that is nowhere for certain",
    )
    error = await desktop.refused("hover", element_id=buttons[0]["id"])
    assert "certain" in error["message"], error
    assert (await desktop.perform(buttons[1], "press"))["via"] == "native"
    await apps[1].says("greeted", "")


async def a_window_comes_to_the_front_and_closes(desktop: Desktop) -> None:
    below = await desktop.apps.own("form_qt6.py")
    front = await desktop.apps.own("form_gtk3.py")
    for app in (below, front):
        await desktop.element(app, role="button", title="Greet")
    await desktop.call("window_action", app=below.pid, action="activate")
    field = await desktop.element(below, role="text_field", title="Name")
    assert (await desktop.json("get_focused_element"))["element"]["path"].startswith(f"app({below.pid})"), field
    await desktop.call("window_action", app=below.pid, action="close")
    assert below.process.wait(5) == 0
    assert front.process.poll() is None


SCENARIOS = [
    the_person_is_asked_first,
    what_the_person_shared_is_pictured,
    gtk3_form,
    gtk4_form,
    qt_form,
    what_is_of_the_shell_gets_nothing,
    windows_of_one_size_are_not_aimed_at,
    a_window_comes_to_the_front_and_closes,
]
