"""The tools a phone has, on a desktop: screen, pointer, elements, text, keys, clipboard and waits."""

import asyncio
import base64
import time

import look
from desktop import Desktop

LONG_WAIT = 5000


async def what_a_desktop_can_never_do_is_not_offered(desktop: Desktop) -> None:
    listed = {tool.name for tool in (await desktop.client.list_tools()).tools}
    seven = {"get_ui_tree", "find_element", "get_focused_element", "list_windows"}
    seven |= {"perform_action", "set_value", "observe_changes"}
    assert seven <= listed, seven - listed
    assert not listed & {"press_home", "press_recents", "open_notifications", "open_quick_settings", "pinch"}, listed


async def screen_and_clicks(desktop: Desktop) -> None:
    """The screen shows the form; a click on its button greets; ids are those of the desktop tools."""
    app = await desktop.apps.own("form_gtk3.py")
    screen = await desktop.until(desktop.screen, lambda screen: screen if screen.row(text="Greet") else None, "Greet")
    greet = screen.row(text="Greet")
    assert greet.id == (await desktop.element(app, role="button", title="Greet"))["id"]
    field = await desktop.element(app, role="text_field", title="Name")
    await desktop.call("set_text", element_id=field["id"], text="Ada ✓")
    await desktop.call("click_element", element_id=greet.id)
    await app.says("greeted", "Ada ✓")
    assert await look.node(app.pid, "label", "Hello Ada ✓")
    found = (await desktop.json("find_elements", by="text", value="Hello Ada"))["elements"]
    details = await desktop.call("get_element_details", ids=[found[0]["id"]])
    assert "Hello Ada ✓" in details.content[0].text, details


async def pointer(desktop: Desktop) -> None:
    """Taps land where they should, and the pointer is then really there."""
    app = await desktop.apps.own("form_gtk3.py")
    x, y = middle(await desktop.element(app, role="checkbox", title="Agree"))
    await desktop.call("tap", x=x, y=y)
    await app.says("agreed", True)
    assert not look.tells_pointer() or await look.pointer() == (x, y)
    await desktop.call("double_tap", x=x, y=y)
    await app.says("agreed", True)
    assert app.said("agreed") == [True, False, True], app.said("agreed")
    slider = (await desktop.element(app, role="slider", title="Volume"))["bounds"]
    across = (slider["top"] + slider["bottom"]) // 2
    await desktop.call("tap", x=slider["left"] + 10, y=across)
    assert not look.tells_pointer() or await look.pointer() == (slider["left"] + 10, across)


async def context_menu(desktop: Desktop) -> None:
    """A long click opens the menu of the second mouse button. GTK 3 keeps such menus off the bus: a key chooses."""
    app = await desktop.apps.own("form_gtk3.py")
    greet = await desktop.element(app, role="button", title="Greet")
    await desktop.call("long_click_element", element_id=greet["id"])
    await app.says("menu", "open")
    await desktop.person_presses("Down", "Return")
    await app.says("chosen", "Copy greeting")


async def scrolling(desktop: Desktop) -> None:
    """A list is scrolled by the wheel, down and back."""
    await desktop.apps.own("long_list.py", "list")
    first = await desktop.until(lambda: top_row(desktop), lambda row: row, "rows")
    await desktop.call("scroll", direction="down", amount="large")
    further = await desktop.until(lambda: top_row(desktop), lambda row: row if row > first else None, "rows further down")
    await desktop.call("scroll", direction="up", amount="large")
    await desktop.until(lambda: top_row(desktop), lambda row: 0 < row < further, "rows further up")


async def top_row(desktop: Desktop) -> int:
    """The number of the topmost row on the screen; zero while there is none."""
    rows = [row for row in (await desktop.screen()).rows if row.text.startswith("Row ")]
    return min((int(row.text.split()[1]) for row in rows), default=0)


async def keys(desktop: Desktop) -> None:
    """Keys go to what has the focus."""
    app = await desktop.apps.own("form_gtk3.py")
    field = await desktop.element(app, role="text_field", title="Name")
    await desktop.call("click_element", element_id=field["id"])
    await desktop.call("input_text", element_id=field["id"], text="ab👩‍👩‍👧")
    await desktop.call("press_key", key="DEL")
    await desktop.press(app, role="button", title="Greet")
    await app.says("greeted", "ab")
    agree = await desktop.element(app, role="checkbox", title="Agree")
    await desktop.perform(agree, "focus")
    await desktop.call("press_key", key="SPACE")
    await app.says("agreed", True)


async def password(desktop: Desktop) -> None:
    """What a password field holds is never told, though the application has it."""
    app = await desktop.apps.own("form_gtk3.py")
    field = await desktop.element(app, role="text_field", title="Secret")
    secret = "correct horse"
    await desktop.call("set_text", element_id=field["id"], text=secret)
    await app.says("secret length", len(secret))
    told = [await desktop.call("get_screen_state"), await desktop.call("get_ui_tree", app=app.pid, depth=50)]
    told.append(await desktop.call("find_element", app=app.pid, title="Secret"))
    told.append(await desktop.call("get_element_details", ids=[field["id"]]))
    assert not any(secret in reply.model_dump_json() for reply in told)


async def clipboard(desktop: Desktop) -> None:
    """Another program reads what the tool set, and the tool what another program set."""
    await desktop.call("set_clipboard", text="Grüße ✓ 漢字\nline two")
    assert await look.clipboard() == "Grüße ✓ 漢字\nline two"
    await look.set_clipboard("from xclip ✓")
    # It goes into the background first, and takes the clipboard from there.
    await desktop.until(
        lambda: desktop.call("get_clipboard"),
        lambda got: "from xclip ✓" in got.content[0].text,
        "what the other program set",
    )


async def waits(desktop: Desktop) -> None:
    """A wait ends when the thing is there, not when its time is up."""
    app = await desktop.apps.own("clock.py", "1.5", "0.2")
    begun = time.monotonic()
    await desktop.call("wait_for_element", by="text", value="Good morning", timeout=LONG_WAIT)
    assert "child" in app.said("changed") and time.monotonic() - begun < LONG_WAIT / 1000
    await desktop.call("wait_for_idle", timeout=LONG_WAIT)


async def screenshot(desktop: Desktop) -> None:
    """A picture comes with the screen when asked for."""
    await desktop.apps.own("form_gtk3.py")
    result = await desktop.call("get_screen_state", include_screenshot=True)
    picture = next(part for part in result.content if part.type == "image")
    data = base64.b64decode(picture.data)
    assert picture.mime_type == "image/jpeg" and data[:2] == b"\xff\xd8" and len(data) > 2000, len(data)


def middle(element: dict) -> tuple[int, int]:
    bounds = element["bounds"]
    return (bounds["left"] + bounds["right"]) // 2, (bounds["top"] + bounds["bottom"]) // 2


SCENARIOS = [
    what_a_desktop_can_never_do_is_not_offered,
    screen_and_clicks,
    pointer,
    context_menu,
    scrolling,
    keys,
    password,
    clipboard,
    waits,
    screenshot,
]
