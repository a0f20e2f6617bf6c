"""The seven desktop tools on a phone, where an application is a package that is on the screen.

Usage: desktop_tools.py COMMAND ARGUMENT...    the command serves the demo phone with `--tools desktop,press_home`
"""

import asyncio
import os
import sys
import time
from typing import Any

from mcp import Client, StdioServerParameters
from phone import LOOK_EVERY, SEEN_WITHIN, Phone

CALCULATOR = "com.android.calculator2"
NOTES = "com.fingertip.demo.notes"
SETTINGS = "com.android.settings"
TOOLS = {
    "get_ui_tree",
    "find_element",
    "get_focused_element",
    "list_windows",
    "perform_action",
    "set_value",
    "observe_changes",
    "press_home",
}

Element = dict[str, Any]


async def find(phone: Phone, app: str | int, **criteria: Any) -> list[Element]:
    """The elements that meet the criteria; none when the application is not on the screen."""
    result = await phone.answer("find_element", app=app, **criteria)
    if result.is_error:
        assert result.structured_content["error_type"] == "app_not_running", result.structured_content
        return []
    reply = result.structured_content
    assert reply["resultCount"] == len(reply["elements"]), reply
    return reply["elements"]


async def see(phone: Phone, app: str | int, **criteria: Any) -> Element:
    """Looks until exactly one element meets the criteria."""
    end = time.monotonic() + SEEN_WITHIN
    while len(found := await find(phone, app, **criteria)) != 1:
        assert time.monotonic() < end, f"not one of {app} {criteria}: {found}"
        await asyncio.sleep(LOOK_EVERY)
    return found[0]


async def press(phone: Phone, element: Element) -> dict[str, Any]:
    """Presses an element by its id."""
    return await phone.json("perform_action", element_path=element["id"], action="press")


async def open_app(phone: Phone, title: str, package: str) -> None:
    """Opens an app from the home screen."""
    await phone.call("press_home")
    windows = (await phone.json("list_windows"))["windows"]
    home = next(window["app"] for window in windows if window["frontmost"])
    await press(phone, await see(phone, home, title=title, role="label"))
    end = time.monotonic() + SEEN_WITHIN
    while not await find(phone, package, max_results=1):
        assert time.monotonic() < end, f"{package} did not open"
        await asyncio.sleep(LOOK_EVERY)


async def calculator(phone: Phone) -> None:
    """7 + 3 = 10 through find_element and perform_action, by id and by path; the display tells the result."""
    await open_app(phone, "Calculator", CALCULATOR)
    for key in ["clr", "digit_7", "op_add"]:
        await press(phone, await see(phone, CALCULATOR, identifier=f"{CALCULATOR}:id/{key}"))
    three = await see(phone, CALCULATOR, identifier=f"{CALCULATOR}:id/digit_3")
    done = await phone.json("perform_action", element_path=three["path"], action="AXPress", app=CALCULATOR)
    assert done["via"] == "native" and done["changed"], done
    around = done["changes"].get("changed", []) + done["changes"].get("added", [])
    assert any(node.get("title") == "10" for node in around), done
    await press(phone, await see(phone, CALCULATOR, identifier=f"{CALCULATOR}:id/eq"))
    assert (await see(phone, CALCULATOR, identifier=f"{CALCULATOR}:id/result"))["title"] == "10"


async def text_and_focus(phone: Phone) -> None:
    """A field takes a text and the focus; both are read again by other tools."""
    await open_app(phone, "Notes", NOTES)
    await press(phone, await see(phone, NOTES, identifier=f"{NOTES}:id/fab_new"))
    title = await see(phone, NOTES, identifier=f"{NOTES}:id/edit_title")
    done = await phone.json("set_value", element_path=title["id"], value='He said "a/b"')
    assert done["element"]["value"] == 'He said "a/b"', done
    again = await see(phone, NOTES, role="AXTextField", value="said")
    assert again["id"] == title["id"], (again, title)
    body = await see(phone, NOTES, identifier=f"{NOTES}:id/edit_body")
    await phone.json("perform_action", element_path=body["id"], action="focus")
    focused = await phone.json("get_focused_element", app=NOTES)
    assert focused["focused"] and focused["element"]["id"] == body["id"], focused
    error = await phone.refused("set_value", element_path=title["id"], value=5)
    assert error["error_type"] == "invalid_params" and "takes a text" in error["message"], error


async def switch(phone: Phone) -> None:
    """A switch is set to what is asked, and left alone when it is that already."""
    await open_app(phone, "Settings", SETTINGS)
    first = (await find(phone, SETTINGS, role="switch"))[0]
    was_on = "checked" in first["states"]
    for wanted in [not was_on, not was_on, was_on]:
        await phone.json("set_value", element_path=first["id"], value=wanted)
        now = next(one for one in await find(phone, SETTINGS, role="switch") if one["id"] == first["id"])
        assert ("checked" in now["states"]) == wanted, now


def flat(branches: list[Element]) -> list[Element]:
    """All elements of nested trees."""
    return [node for branch in branches for node in [branch, *flat(branch.get("children", []))]]


async def pages(phone: Phone) -> None:
    """The pages of a tree hold every element once, whatever their size."""
    await open_app(phone, "Settings", SETTINGS)
    whole = await phone.json("get_ui_tree", app=SETTINGS, depth=50, max_nodes=1000)
    wanted = {"app": SETTINGS, "depth": 50, "max_nodes": 9, "include_attributes": ["title"]}
    nodes, reply = [], await phone.json("get_ui_tree", **wanted)
    while True:
        page = flat(reply["tree"])
        assert len(page) == reply["resultCount"] <= 9, reply
        nodes += page
        if not reply["hasMoreResults"]:
            break
        reply = await phone.json("get_ui_tree", **wanted, cursor=reply["nextCursor"])
    ids = [node["id"] for node in nodes]
    assert len(ids) == len(set(ids)) == whole["totalCount"] > 50, (len(ids), len(set(ids)), whole["totalCount"])
    shallow = await phone.json("get_ui_tree", app=SETTINGS)
    assert max(depth(branch) for branch in shallow["tree"]) == 3, shallow


def depth(branch: Element) -> int:
    """How many levels are below."""
    return max((1 + depth(child) for child in branch.get("children", [])), default=0)


async def windows(phone: Phone) -> None:
    """The windows on the screen with their packages and processes; an application can be named by its process."""
    await open_app(phone, "Calculator", CALCULATOR)
    listed = await phone.json("list_windows")
    own = next(window for window in listed["windows"] if window["app"] == CALCULATOR)
    assert own["frontmost"] and not own["minimized"] and own["size"]["width"] > 0, own
    assert isinstance(own["pid"], int), own
    for name in [own["pid"], str(own["pid"]), CALCULATOR.upper()]:
        tree = await phone.json("get_ui_tree", app=name, depth=0)
        assert tree["app"]["name"] == CALCULATOR, tree
    only = await phone.json("list_windows", app=CALCULATOR)
    assert {window["app"] for window in only["windows"]} == {CALCULATOR}, only


async def observing(phone: Phone) -> None:
    """A value that changes and an application that leaves are noticed; a time without changes is told too."""
    await open_app(phone, "Calculator", CALCULATOR)
    await press(phone, await see(phone, CALCULATOR, identifier=f"{CALCULATOR}:id/clr"))
    quiet = await phone.json("observe_changes", app=CALCULATOR, duration_ms=300)
    assert (quiet["events"], quiet["ended"], quiet["source"]) == ([], "time", "snapshots"), quiet
    seven = await see(phone, CALCULATOR, identifier=f"{CALCULATOR}:id/digit_7")
    observed, _ = await asyncio.gather(
        phone.json("observe_changes", app=CALCULATOR, duration_ms=20000, max_events=1, kinds=["value_changed"]),
        after(1, press(phone, seven)),
    )
    assert [event["kind"] for event in observed["events"]] == ["value_changed"], observed
    assert observed["events"][0]["element"]["title"].endswith("7"), observed
    observed, _ = await asyncio.gather(
        phone.json("observe_changes", app=CALCULATOR, duration_ms=20000, kinds=["title_changed"]),
        after(1, phone.call("press_home")),
    )
    assert observed["ended"] == "app_quit", observed


async def after(seconds: float, call: Any) -> Any:
    """Makes a call a little later."""
    await asyncio.sleep(seconds)
    return await call


async def errors(phone: Phone) -> None:
    """Every error tells operation, kind, message, application and what to do."""
    await open_app(phone, "Calculator", CALCULATOR)
    error = await phone.refused("get_ui_tree", app="com.android.calculator")
    assert error["error_type"] == "app_not_running" and error["app"] == "com.android.calculator", error
    assert error["message"] == "Application 'com.android.calculator' is not running.", error
    assert CALCULATOR in error["guidance"], error
    error = await phone.refused("find_element", app=CALCULATOR, role="flux capacitor")
    assert error["error_type"] == "invalid_params" and error["app"] == CALCULATOR, error
    error = await phone.refused("get_ui_tree", app=CALCULATOR, depth=51)
    assert error["error_type"] == "invalid_params" and "0 to 50" in error["message"], error
    seven = await see(phone, CALCULATOR, identifier=f"{CALCULATOR}:id/digit_7")
    error = await phone.refused("perform_action", element_path=seven["id"], action="increment")
    assert error["error_type"] == "unsupported" and "press" in error["guidance"], error
    error = await phone.refused("perform_action", element_path=seven["path"] + "/button[0]", action="press")
    assert error["error_type"] == "element_not_found", error
    assert await find(phone, CALCULATOR, title="no such title") == []


SCENARIOS = [calculator, text_and_focus, switch, pages, windows, observing, errors]


async def main(command: str, *arguments: str) -> None:
    """Runs every scenario from the home screen."""
    server = StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))
    async with Client(server) as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert listed == TOOLS, listed ^ TOOLS
        phone = Phone(client)
        for scenario in SCENARIOS:
            await scenario(phone)
            print("ok desktop tools", scenario.__name__.replace("_", " "), flush=True)
    assert phone.record.called == TOOLS, phone.record.called ^ TOOLS


asyncio.run(main(*sys.argv[1:]))
