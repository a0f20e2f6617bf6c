"""The seven desktop tools on the demo phone: `app` is a package there. Run by itself, without a desktop.

Usage: demo_phone.py COMMAND ARGUMENT...    the command serves the demo phone with `--tools device,desktop`
"""

import asyncio
import os
import sys

from desktop import Desktop
from mcp import Client, StdioServerParameters

CALCULATOR, CONTACTS = "com.android.calculator2", "com.android.contacts"


async def main(command: str, *arguments: str) -> None:
    server = StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))
    async with Client(server) as client:
        desktop = Desktop(client)
        for scenario in [calculator, contact, limits_and_errors]:
            await desktop.call("press_home")
            await scenario(desktop)
            print("ok desktop tools on a phone:", scenario.__name__.replace("_", " "), flush=True)


async def open_app(desktop: Desktop, label: str, package: str) -> None:
    row = await desktop.until(desktop.screen, lambda screen: screen.row(res_id="icon", text=label), label)
    await desktop.call("click_element", element_id=row.id)
    await desktop.until(desktop.screen, lambda screen: screen.app == package, package)


async def calculator(desktop: Desktop) -> None:
    """7 + 3 = 10, seen in the screen format."""
    await open_app(desktop, "Calculator", CALCULATOR)
    for key in ["7", "+", "3", "="]:
        found = (await desktop.json("find_element", app=CALCULATOR, role="AXButton"))["elements"]
        found += (await desktop.json("find_element", app=CALCULATOR, title=key))["elements"]
        element = next(element for element in found if key in (element.get("title"), element.get("value")))
        await desktop.json("perform_action", element_path=element["path"], action="press")
    await desktop.until(desktop.screen, lambda screen: screen.all(text="10"), "10")
    windows = (await desktop.json("list_windows", app=CALCULATOR))["windows"]
    assert [window["frontmost"] for window in windows] == [True], windows


async def contact(desktop: Desktop) -> None:
    """A field is set and focused while another call observes the application."""
    await open_app(desktop, "Contacts", CONTACTS)
    add = await desktop.until(desktop.screen, lambda screen: screen.row(res_id="floating_action_button"), "add")
    await desktop.call("click_element", element_id=add.id)
    field = await desktop.until(desktop.screen, lambda screen: screen.row(res_id="first_name"), "a form")
    observing = asyncio.create_task(desktop.json("observe_changes", app=CONTACTS, duration_ms=2500))
    await asyncio.sleep(0.3)
    after = await desktop.json("set_value", element_path=field.id, value="Ada")
    assert after["element"]["value"] == "Ada", after
    await desktop.until(desktop.screen, lambda screen: screen.row(id=field.id, text="Ada"), "Ada")
    await desktop.json("perform_action", element_path=field.id, action="focus")
    focused = await desktop.json("get_focused_element")
    assert focused["focused"] and focused["element"]["id"] == field.id, focused
    events = (await observing)["events"]
    assert field.id in [event.get("element", {}).get("id") for event in events], events


async def limits_and_errors(desktop: Desktop) -> None:
    """Depth and number of results are limited; what is wrong with a call is said."""
    await open_app(desktop, "Calculator", CALCULATOR)
    shallow = await desktop.json("get_ui_tree", app=CALCULATOR, depth=0)
    assert shallow["tree"] and not any("children" in node for node in shallow["tree"]), shallow
    page = await desktop.json("find_element", app=CALCULATOR, role="button", max_results=5)
    assert page["resultCount"] == 5 and page["hasMoreResults"] is True, page
    rest = await desktop.json("find_element", app=CALCULATOR, role="button", max_results=100, cursor=page["nextCursor"])
    ids = [element["id"] for element in page["elements"] + rest["elements"]]
    assert len(ids) == len(set(ids)) == page["totalCount"], ids
    for wrong, kind in [
        ({}, "invalid_params"),
        ({"app": CALCULATOR, "depth": -1}, "invalid_params"),
        ({"app": CALCULATOR, "depth": 51}, "invalid_params"),
        ({"app": "com.example.none"}, "app_not_running"),
    ]:
        error = await desktop.refused("get_ui_tree", **wrong)
        assert error["error_type"] == kind, error
    assert (await desktop.json("find_element", app=CALCULATOR, title="no such thing"))["elements"] == []


asyncio.run(main(*sys.argv[1:]))
