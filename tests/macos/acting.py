"""The three tools that act and observe, each effect looked up in the model."""

import asyncio

from mac import Mac


async def press(mac: Mac) -> None:
    reply = await mac.perform("TextEdit", "press", title="Bold", role="check_box")
    assert mac.model.attribute("TextEdit", "Bold", "AXValue") == 1, reply
    assert reply["via"] and reply["changed"], reply


async def native_action_by_name(mac: Mac) -> None:
    await mac.perform("System Settings", "AXIncrement", role="slider", title="Brightness")
    assert mac.model.attribute("System Settings", "Brightness", "AXValue") == 0.6


async def disabled(mac: Mac) -> None:
    share = await mac.element("TextEdit", title="Share", role="button")
    error = await mac.refused("perform_action", element_path=share["id"], action="press")
    assert "disabled" in str(error).lower(), error


async def text(mac: Mac) -> None:
    words = "naïve 😀\nsecond line"
    await mac.set_value("TextEdit", words, identifier="First Text View")
    assert mac.model.node("TextEdit", "First Text View")["text"] == words


async def numbers_and_switches(mac: Mac) -> None:
    await mac.set_value("System Settings", 0.25, role="slider", title="Brightness")
    assert mac.model.attribute("System Settings", "Brightness", "AXValue") == 0.25
    await mac.set_value("System Settings", True, title="Bluetooth")
    assert mac.model.attribute("System Settings", "Bluetooth", "AXValue") == 1
    await mac.set_value("System Settings", False, title="Wi-Fi")
    assert mac.model.attribute("System Settings", "Wi-Fi", "AXValue") == 0


async def pop_up(mac: Mac) -> None:
    await mac.set_value("System Settings", "Red", title="Accent color")
    assert mac.model.attribute("System Settings", "Accent color", "AXValue") == "Red"
    assert not mac.model.app("System Settings")["open_menu"]


async def password_is_set_and_never_told(mac: Mac) -> None:
    field = await mac.element("System Settings", title="Password")
    assert "hunter2" not in str(field) and "\u2022" not in str(field), field
    reply = await mac.json("set_value", element_path=field["id"], value="s3cret")
    assert mac.model.node("System Settings", "Password")["text"] == "s3cret"
    assert "s3cret" not in str(reply), reply


async def sheet(mac: Mac) -> None:
    """A sheet blocks its window; its own controls work."""
    await mac.perform("TextEdit", "press", identifier="save-button")
    await mac.until(lambda: mac.model.app("TextEdit")["focused"] == "AXTextField", "the sheet")
    blocked = await mac.answer("find_element", app="TextEdit", title="Bold", role="check_box")
    elements = blocked.structured_content.get("elements", [])
    if elements:
        await mac.refused("perform_action", element_path=elements[0]["id"], action="press")
    assert mac.model.attribute("TextEdit", "Bold", "AXValue") == 1
    await mac.set_value("TextEdit", "letter", title="save as")
    await mac.perform("TextEdit", "press", identifier="confirm-save")
    assert mac.model.notes("TextEdit")["saved as"] == "letter"


async def action_that_opens_a_dialog_and_never_answers(mac: Mac) -> None:
    """CannotComplete from an action is looked into: what it did is there."""
    mac.model.set("answer", "blocks", app="TextEdit", find="save-button")
    result = await mac.answer("perform_action", element_path=(await mac.element("TextEdit", identifier="save-button"))["id"], action="press")
    assert not result.is_error, result
    mac.model.set("answer", "done", app="TextEdit", find="save-button")
    await mac.perform("TextEdit", "press", title="Cancel")


async def press_that_does_nothing(mac: Mac) -> None:
    """A web button says yes to AXPress and does nothing: it is clicked, once."""
    mac.model.set("activate", app="Safari")
    reply = await mac.perform("Safari", "press", title="Send")
    await mac.until(lambda: mac.model.notes("Safari").get("sent"), "the press")
    assert mac.model.notes("Safari")["sent"] == 1, reply
    assert "pointer" in str(reply["via"]) or "click" in str(reply), reply


async def field_that_ignores_a_value(mac: Mac) -> None:
    """It says yes to AXValue and keeps the old one: it is typed into."""
    await mac.set_value("Safari", "Zoë 😀", title="Your name")
    assert mac.model.node("Safari", "Your name")["text"] == "Zoë 😀"


async def link(mac: Mac) -> None:
    await mac.perform("Safari", "press", role="link", title="More information")
    assert mac.model.notes("Safari")["followed"] == "More information"


async def menus(mac: Mac) -> None:
    """The menu bar is that of the application in front."""
    mac.model.set("activate", app="TextEdit")
    await mac.json("select_menu", app="TextEdit", path="Format > Make Plain Text")
    assert mac.model.notes("TextEdit")["plain"] is True


async def observing(mac: Mac) -> None:
    mac.model.set("activate", app="TextEdit")
    watching = asyncio.create_task(mac.json("observe_changes", app="TextEdit", duration_ms=8000, max_events=1, kinds=["value_changed"]))
    await asyncio.sleep(1.5)
    mac.model.set("text", "changed by hand", app="TextEdit", find="First Text View")
    seen = await watching
    assert seen["events"] and seen["events"][0]["kind"] == "value_changed", seen
    assert seen["elapsedMs"] < 7000, seen
    quiet = await mac.json("observe_changes", app="TextEdit", duration_ms=300)
    assert quiet["events"] == [], quiet


async def observing_an_application_that_quits(mac: Mac) -> None:
    mac.model.set("start", "Calculator")
    watching = asyncio.create_task(mac.json("observe_changes", app="Calculator", duration_ms=15000))
    await asyncio.sleep(1.5)
    mac.model.set("quit", app="Calculator")
    seen = await watching
    assert "quit" in str(seen["events"]) or "quit" in str(seen["ended"]), seen


async def windows_are_acted_on(mac: Mac) -> None:
    await mac.json("window_action", app="Finder", action="move", x=300, y=200)
    assert mac.model.attribute("Finder", "Documents", "AXPosition") == [300, 200]
    await mac.json("window_action", app="Finder", action="minimize")
    assert mac.model.attribute("Finder", "Documents", "AXMinimized") is True
    await mac.json("window_action", app="Finder", action="restore")
    assert mac.model.attribute("Finder", "Documents", "AXMinimized") is False
    await mac.json("window_action", app="Finder", action="activate")
    assert mac.model.state()["frontmost"] == "Finder"


SCENARIOS = [
    press, native_action_by_name, disabled, text, numbers_and_switches, pop_up, password_is_set_and_never_told, sheet,
    action_that_opens_a_dialog_and_never_answers, press_that_does_nothing, field_that_ignores_a_value, link, menus, observing,
    observing_an_application_that_quits, windows_are_acted_on,
]
