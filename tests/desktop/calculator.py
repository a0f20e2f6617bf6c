"""7 + 3 = 10 on the calculators of three toolkits, read back by pyatspi."""

import re

import look
from applications import Application
from desktop import Desktop

KEYS = ["7", "+", "3", "="]


async def gtk3_by_search_and_press(desktop: Desktop) -> None:
    app = await desktop.apps.start("galculator")
    # Its keys are toggle buttons, which are buttons too.
    await type_keys(desktop, app)
    await shows_ten(app)


async def gtk4_by_search_and_press(desktop: Desktop) -> None:
    app = await desktop.apps.start("gnome-calculator")
    await type_keys(desktop, app)
    await shows_ten(app)


async def qt_by_search_and_press(desktop: Desktop) -> None:
    app = await desktop.apps.start("kcalc")
    await type_keys(desktop, app)
    await shows_ten(app)


async def gtk3_by_screen_and_click(desktop: Desktop) -> None:
    """The same through the tools a phone has: what the screen shows, and clicks on it."""
    app = await desktop.apps.start("galculator")
    for key in KEYS:
        row = await desktop.until(desktop.screen, lambda screen: screen.row(text=key), key)
        await desktop.call("click_element", element_id=row.id)
    await shows_ten(app)


async def gtk4_by_pointer(desktop: Desktop) -> None:
    """The places told of GTK 4 elements are those that a click hits."""
    await click_keys(desktop, await desktop.apps.start("gnome-calculator"))


async def qt_by_pointer(desktop: Desktop) -> None:
    """The places told of Qt elements are those that a click hits."""
    await click_keys(desktop, await desktop.apps.start("kcalc"))


async def gtk3_by_one_look(desktop: Desktop) -> None:
    await by_one_look(desktop, await desktop.apps.start("galculator"))


async def gtk4_by_one_look(desktop: Desktop) -> None:
    await by_one_look(desktop, await desktop.apps.start("gnome-calculator"))


async def qt_by_one_look(desktop: Desktop) -> None:
    await by_one_look(desktop, await desktop.apps.start("kcalc"))


async def by_one_look(desktop: Desktop, app: Application) -> None:
    """One lean look gives all ids; the replies of the clicks tell what the display says."""
    async def lines() -> list[str]:
        looked = await desktop.call("get_screen_state", app=app.pid, format="lean")
        return looked.content[0].text.splitlines()

    def ids(screen: list[str]) -> list[str] | None:
        names = [rf'button "{re.escape(key)}[",]' for key in KEYS]
        found = [[line.split(" ")[0] for line in screen if re.search(name, line)] for name in names]
        return [one[0] for one in found] if all(found) else None

    told = ""
    for element in await desktop.until(lines, ids, "the keys"):
        clicked = await desktop.call("click_element", element_id=element, see="changes")
        told = clicked.content[1].text
        assert clicked.structured_content["see"]["verdict"] == told.splitlines()[0], clicked
    assert "10" in told, told
    await shows_ten(app)


async def gtk3_by_selector(desktop: Desktop) -> None:
    """No look first: each key is named by what it says."""
    app = await desktop.apps.start("galculator")
    await desktop.element(app, title="7", role="button")
    for key in KEYS:
        await desktop.call("click_element", element_id=f'button "{key}"')
    await shows_ten(app)
    error = await desktop.refused("click_element", element_id='link "7"')
    assert error["error_type"] == "element_not_found" and "has the role toggle_button" in error["message"], error
    assert [one["label"].startswith('toggle_button "7') for one in error["candidates"]] == [True], error
    error = await desktop.refused("click_element", element_id="button")
    assert error["error_type"] == "ambiguous" and len(error["candidates"]) == 10, error
    await shows_ten(app)


async def type_keys(desktop: Desktop, app: Application) -> None:
    """Presses the keys one after another, each found anew."""
    for key in KEYS:
        await desktop.press(app, title=key, role="AXButton")


async def click_keys(desktop: Desktop, app: Application) -> None:
    """Clicks where the keys are said to be; the pointer is then really there, where anybody can tell."""
    for key in KEYS:
        bounds = await desktop.bounds(app, title=key, role="button")
        place = (bounds["left"] + bounds["right"]) // 2, (bounds["top"] + bounds["bottom"]) // 2
        await desktop.call("tap", x=place[0], y=place[1])
        assert not look.tells_pointer() or await look.pointer() == place
    await shows_ten(app)


async def shows_ten(app: Application) -> None:
    """The display, whose place differs by toolkit, says 10 to pyatspi: Qt names a frame so, GTK holds it as text."""
    await look.until(
        lambda: look.nodes(app.pid),
        lambda nodes: [node for node in nodes if node.get("text", "").strip() == "10" or is_display(node)],
        "10 on the display",
    )


def is_display(node: dict) -> bool:
    return node["role"] == "frame" and node["name"] == "10"


SCENARIOS = [
    gtk3_by_search_and_press,
    gtk4_by_search_and_press,
    qt_by_search_and_press,
    gtk3_by_screen_and_click,
    gtk4_by_pointer,
    qt_by_pointer,
    gtk3_by_one_look,
    gtk4_by_one_look,
    qt_by_one_look,
    gtk3_by_selector,
]
