"""What goes wrong on a real Mac: an application that hangs, one that quits, notifications that are lost or doubled."""

import asyncio
import time
from typing import Any

from mac import Mac

# No tool takes longer than this, in seconds; an application that is well is far below the second.
NEVER_LONGER = 25.0
STILL_FAST = 2.0


async def hung_application(mac: Mac) -> None:
    """Every tool on it ends and says so; tools on another stay fast; all is well once it goes on."""
    bluetooth = await mac.element("System Settings", title="Bluetooth")
    name = await mac.element("System Settings", title="Computer name")
    mac.model.set("hung", True, app="System Settings")
    await asyncio.gather(every_tool_ends(mac, bluetooth, name), others_stay_fast(mac))
    mac.model.set("hung", False, app="System Settings")
    await mac.json("set_value", element_path=name["id"], value="awake")
    assert mac.model.node("System Settings", "Computer name")["text"] == "awake"
    assert mac.model.attribute("System Settings", "Bluetooth", "AXValue") == 0


async def every_tool_ends(mac: Mac, switch: dict[str, Any], field: dict[str, Any]) -> None:
    app = "System Settings"
    for tool, arguments in [
        ("get_ui_tree", {"app": app}),
        ("find_element", {"app": app, "title": "Bluetooth"}),
        ("get_focused_element", {"app": app}),
        ("list_windows", {"app": app}),
        ("perform_action", {"element_path": switch["id"], "action": "press"}),
        ("set_value", {"element_path": field["id"], "value": "asleep"}),
        ("observe_changes", {"app": app, "duration_ms": 500}),
        ("click_element", {"element_id": switch["id"]}),
    ]:
        begun = time.monotonic()
        result = await mac.answer(tool, **arguments)
        took = time.monotonic() - begun
        assert took < NEVER_LONGER, f"{tool} took {took:.1f} s"
        told = result.structured_content
        if result.is_error:
            assert told["error_type"] in {"timeout", "action_failed", "disconnected"} and told["guidance"], told
        elif tool not in {"list_windows", "observe_changes", "get_focused_element"}:
            assert told.get("reason") or told.get("note"), f"{tool}: {told}"


async def others_stay_fast(mac: Mac) -> None:
    for _ in range(10):
        begun = time.monotonic()
        await mac.json("get_ui_tree", app="Finder")
        assert (took := time.monotonic() - begun) < STILL_FAST, f"{took:.1f} s for an application that is well"
        await asyncio.sleep(0.2)


async def quits_in_the_middle_of_a_walk(mac: Mac) -> None:
    mac.model.set("start", "Calculator")
    mac.model.set("quits_after", 6, app="Calculator")
    result = await mac.answer("get_ui_tree", app="Calculator", depth=10)
    if result.is_error:
        assert result.structured_content["message"], result
    else:
        assert result.structured_content.get("reason"), result
    error = await mac.refused("get_ui_tree", app="Calculator")
    assert "not running" in error["message"], error


async def lost_and_doubled_notifications(mac: Mac) -> None:
    """Notifications are hints: an action is verified without them, and not done twice with them."""
    for manner in ("lost", "doubled", 300):
        mac.model.set("notifications", manner, app="TextEdit")
        before = mac.model.attribute("TextEdit", "Bold", "AXValue")
        await mac.perform("TextEdit", "press", title="Bold", role="check_box")
        assert mac.model.attribute("TextEdit", "Bold", "AXValue") == 1 - before, manner
    mac.model.set("notifications", "prompt", app="TextEdit")


async def slow_application(mac: Mac) -> None:
    mac.model.set("latency_ms", 20, app="Finder")
    tree = await mac.json("get_ui_tree", app="Finder", depth=10)
    assert "File 0.txt" in str(tree) or tree.get("reason"), tree
    mac.model.set("latency_ms", 0, app="Finder")


async def element_that_is_gone(mac: Mac) -> None:
    mac.model.set("start", "Calculator")
    seven = await mac.element("Calculator", title="7", role="button")
    mac.model.set("remove", app="Calculator", find="7")
    error = await mac.refused("perform_action", element_path=seven["id"], action="press")
    assert "not_found" in error["error_type"] or "stale" in str(error).lower(), error


async def nothing_grows(mac: Mac) -> None:
    """Looking again and again leaves no more objects behind."""
    for _ in range(5):
        await mac.json("get_ui_tree", app="TextEdit", depth=10)
    before = mac.model.ask(get="ledger")["live"]
    for _ in range(40):
        await mac.json("get_ui_tree", app="TextEdit", depth=10)
    after = mac.model.ask(get="ledger")["live"]
    assert after <= before + 50, mac.model.ask(get="ledger")


SCENARIOS = [
    hung_application, quits_in_the_middle_of_a_walk, lost_and_doubled_notifications, slow_application,
    element_that_is_gone, nothing_grows,
]
