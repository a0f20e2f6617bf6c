"""The device tools that make sense on a desktop: screen, pointer, keys, text, clipboard, waits, applications, pictures."""

import asyncio
import base64

from mac import Mac

# Seconds that a wait goes on before what it waits for comes.
WAITED = 4.0
# Messages that it may cost by then: the first look, one for each notification that is asked for, and few a second.
MOST_ASKED_WHILE_WAITING = 100


async def screen(mac: Mac) -> None:
    said = await mac.text("get_screen_state")
    assert "app:" in said and "screen:1440x900" in said and "Untitled" in said, said


async def tap_and_click(mac: Mac) -> None:
    before = mac.model.attribute("TextEdit", "Bold", "AXValue")
    await mac.call("tap", x=140, y=126)
    assert mac.model.attribute("TextEdit", "Bold", "AXValue") == 1 - before
    bold = await mac.element("TextEdit", title="Bold", role="check_box")
    await mac.call("click_element", element_id=bold["id"])
    assert mac.model.attribute("TextEdit", "Bold", "AXValue") == before


async def typing(mac: Mac) -> None:
    page = await mac.element("TextEdit", identifier="First Text View")
    # Pairs at even and odd places of the 20 units that an event takes.
    for words in ("plain text that is longer than one event", "😀" * 25, "a" + "😀" * 25):
        await mac.call("clear_text", element_id=page["id"])
        assert mac.model.node("TextEdit", "First Text View")["text"] == ""
        await mac.call("input_text", text=words)
        assert mac.model.node("TextEdit", "First Text View")["text"] == words
    typed = [event for event in mac.model.ask(get="posted") if "key" in event]
    assert all(len(event["text"].encode("utf-16-le")) <= 40 for event in typed), typed
    await mac.call("set_text", element_id=page["id"], text="abc")
    await mac.call("press_key", key="DEL")
    assert mac.model.node("TextEdit", "First Text View")["text"] == "ab"
    await mac.call("press_key", key="ENTER")
    assert mac.model.node("TextEdit", "First Text View")["text"] == "ab\n"


async def secure_input(mac: Mac) -> None:
    """While another program keeps the keyboard, keys are lost: that is said."""
    page = await mac.element("TextEdit", identifier="First Text View")
    await mac.call("set_text", element_id=page["id"], text="x")
    mac.model.set("secure_input", True)
    error = await mac.refused("input_text", text="lost")
    assert "secure" in str(error).lower(), error
    mac.model.set("secure_input", False)
    await mac.call("input_text", text="y")
    assert mac.model.node("TextEdit", "First Text View")["text"] == "xy"


async def clipboard(mac: Mac) -> None:
    await mac.call("set_clipboard", text="copied 😀")
    assert mac.model.state()["clipboard"] == "copied 😀"
    mac.model.set("clipboard", "from the Mac")
    assert "from the Mac" in await mac.text("get_clipboard")


async def double_click_opens_a_row(mac: Mac) -> None:
    mac.model.set("activate", app="Finder")
    await mac.call("double_tap", x=600, y=157)
    await mac.until(lambda: "File 0.txt" in mac.model.app("Finder")["windows"], "the file's window")
    await mac.json("window_action", app="Finder", window="File 0.txt", action="close")
    assert "File 0.txt" not in mac.model.app("Finder")["windows"]


async def context_menu(mac: Mac) -> None:
    await mac.call("right_click", x=600, y=200)
    assert mac.model.app("Finder")["open_menu"]
    await mac.perform("Finder", "press", title="Get Info")
    assert mac.model.notes("Finder")["info"] is True


async def dragging_a_slider(mac: Mac) -> None:
    mac.model.set("activate", app="System Settings")
    await mac.call("swipe", x1=230, y1=270, x2=400, y2=270, duration=300)
    assert abs(mac.model.attribute("System Settings", "Brightness", "AXValue") - 0.9) < 0.02


async def scrolling_to_a_row(mac: Mac) -> None:
    mac.model.set("activate", app="Finder")
    await mac.call("scroll", direction="down")
    said = await mac.text("get_screen_state")
    assert "File 0.txt" not in said and "File 2" in said, said


async def waits(mac: Mac) -> None:
    mac.model.set("activate", app="TextEdit")
    await mac.call("wait_for_element", by="text", value="Save", timeout=3000)
    await mac.call("wait_for_idle", timeout=3000)


async def waits_are_woken(mac: Mac) -> None:
    """While a wait lasts the application is hardly asked; what it reports ends the wait."""
    mac.model.set("activate", app="TextEdit")
    await mac.call("get_screen_state")
    mac.model.set("reset_messages", app="TextEdit")
    waiting = asyncio.create_task(mac.call("wait_for_element", by="text", value="here at last", timeout=20000))
    await asyncio.sleep(WAITED)
    asked = mac.model.app("TextEdit")
    assert asked["messages"] <= MOST_ASKED_WHILE_WAITING, asked["functions"]
    mac.model.set("text", "here at last", app="TextEdit", find="First Text View")
    assert "here at last" in str(await waiting), "the wait ended without it"


async def opening_and_closing(mac: Mac) -> None:
    await mac.call("open_app", app="Calculator")
    assert mac.model.state()["frontmost"] == "Calculator"
    for key in ("7", "multiply", "6", "equals"):
        await mac.perform("Calculator", "press", role="button", title=key)
    assert mac.model.attribute("Calculator", "display", "AXValue") == "42"
    await mac.call("close_app", app="Calculator")
    assert mac.model.app("Calculator")["windows"] == [] if "Calculator" in mac.model.state()["apps"] else True


async def picture(mac: Mac) -> None:
    result = await mac.call("get_screen_state", include_screenshot=True)
    images = [part for part in result.content if part.type == "image"]
    assert len(images) == 1, result.content
    data = base64.b64decode(images[0].data)
    assert len(data) > 2000 and data[:2] in (b"\xff\xd8", b"\x89P"), data[:8]
    mac.model.set("picture_problem", "no answer")
    problem = await mac.answer("get_screen_state", include_screenshot=True)
    assert problem.is_error or "picture" in str(problem.content) or "screenshot" in str(problem.content), problem
    mac.model.set("picture_problem", None)


SCENARIOS = [
    screen, tap_and_click, typing, secure_input, clipboard, double_click_opens_a_row, context_menu, dragging_a_slider,
    scrolling_to_a_row, waits, waits_are_woken, opening_and_closing, picture,
]
