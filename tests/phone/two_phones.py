"""Two phones at once: each call says which, and only that one changes.

Usage: two_phones.py SERIAL SERIAL COMMAND ARGUMENT...    the command serves both phones
"""

import asyncio
import os
import sys

from adb import Adb
from mcp import Client, StdioServerParameters
from phone import Phone

CALCULATOR = "com.android.calculator2"


async def main(first: str, second: str, command: str, *arguments: str) -> None:
    """Lists both, is refused without a choice, and opens an app on each."""
    server = StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))
    async with Client(server) as client:
        nobody = Phone(client)
        devices = (await nobody.json("list_devices"))["devices"]
        names = {device["name"] for device in devices}
        assert len(devices) == 2 and all(any(serial in name for name in names) for serial in (first, second)), devices
        print("ok two phones listed")

        error = await nobody.refused("press_home")
        assert error["error_type"] == "invalid_params" and "device" in error["message"], error
        print("ok two phones refused without a choice")

        phones = [
            Phone(client, Adb(serial), next(name for name in names if serial in name)) for serial in (first, second)
        ]
        for phone in phones:
            await phone.fresh()
        await phones[0].open("Calculator", CALCULATOR)
        assert CALCULATOR in phones[0].adb.shell("dumpsys window | grep mCurrentFocus")
        assert CALCULATOR not in phones[1].adb.shell("dumpsys window | grep mCurrentFocus")
        seven = await phones[0].see(res_id="digit_7")
        error = await phones[1].refused("click_element", element_id=seven.id)
        assert error["error_type"] in ("element_not_found", "stale"), error
        await phones[1].open("Clock", "com.android.deskclock")
        await phones[0].click(res_id="digit_7")
        await phones[0].see(res_id="formula", text="7")
        print("ok two phones used apart")


asyncio.run(main(*sys.argv[1:]))
