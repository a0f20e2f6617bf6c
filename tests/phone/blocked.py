"""An app that may be looked at and not acted on, on the demo phone: by coordinates, by id, by keys.

Usage: blocked.py COMMAND ARGUMENT...    the command serves the demo phone and blocks the notes
"""

import asyncio
import os
import sys

from apps import CALCULATOR, NOTES
from mcp import Client, StdioServerParameters
from phone import Phone
from screen import Screen


def texts(screen: Screen) -> list[str]:
    """What the windows of the app show; the clock in the status bar goes on."""
    return [row.text for window in screen.windows if window.app == NOTES for row in window.rows]


async def main(command: str, *arguments: str) -> None:
    """Opens the blocked app from the home screen, which is not blocked, and tries to change a note in it."""
    server = StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))
    async with Client(server) as client:
        phone = Phone(client)
        await phone.fresh()
        before = await phone.open("Notes", NOTES)
        button = before.row(res_id="fab_new")
        x, y = button.middle
        for tool, call in [
            ("tap", {"x": x, "y": y}),
            ("long_press", {"x": x, "y": y}),
            ("double_tap", {"x": x, "y": y}),
            ("swipe", {"x1": x, "y1": y, "x2": x, "y2": y - 500}),
            ("scroll", {"direction": "down"}),
            ("click_element", {"element_id": button.id}),
            ("press_back", {}),
        ]:
            error = await phone.refused(tool, **call)
            assert error["error_type"] == "refused" and error["app"] == NOTES, error
        after = await phone.screen()
        assert texts(after) == texts(before), after
        print("ok blocked app is read and not acted on")

        await phone.fresh()
        icon = (await phone.screen()).row(text="Notes")
        first, second = icon.middle, button.middle
        for later in (300, 1500):
            paths = [
                [{"x": first[0], "y": first[1], "time": time} for time in (0, 50)],
                [{"x": second[0], "y": second[1], "time": time} for time in (later, later + 50)],
            ]
            error = await phone.refused("custom_gesture", paths=paths)
            assert error["app"] == NOTES and "1 of 2 fingers" in error["message"], error
            await phone.until(lambda screen: texts(screen) == texts(before), "the blocked app as it was")
            await phone.fresh()
        print("ok a later finger does not land in a blocked app that the first one opened")

        for tool in ("open_app", "close_app"):
            error = await phone.refused(tool, app=NOTES)
            assert error["error_type"] == "refused" and error["app"] == NOTES, error
        assert (await phone.screen()).app != NOTES
        listed = {app["id"]: app for app in (await phone.json("list_apps"))["apps"]}
        assert listed[NOTES]["blocked"] and "blocked" not in listed[CALCULATOR], listed
        print("ok a blocked app is neither opened nor closed")

        await phone.open("Calculator", CALCULATOR)
        await phone.click(res_id="digit_7")
        print("ok other apps are acted on")


asyncio.run(main(*sys.argv[1:]))
