"""Runs the scenarios on one phone, through the official Python client over stdio.

Usage: suite.py (agent | shell) (demo | SERIAL | here:SERIAL) COMMAND ARGUMENT...

The command serves that phone by that driver. One that serves the phone it runs on is looked at from outside through adb.
"""

import asyncio
import os
import sys
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path

import agent
import apps
import lists
import real_adb
import steps
import system
import touch
import truth
from adb import Adb
from mcp import Client, StdioServerParameters
from phone import Phone

Scenario = Callable[[Phone], Awaitable[None]]

EVERYWHERE = [apps, lists, touch, system, steps]
ON_ADB = [truth, real_adb]
TOOLS = set((Path(__file__).parent.parent / "clients" / "tools.txt").read_text().split())
# What a phone without the agent cannot do is not offered.
BY_AGENT = {"get_clipboard", "set_clipboard"}
# What the shell refuses and the agent does.
SHELL_ONLY = {apps.non_ascii_text_is_refused, real_adb.screen_reported_as_never_idle}
# Where the server runs on the phone, adb going away is nothing to it.
FROM_OUTSIDE = {real_adb.disconnected_while_waiting}


async def main(driver: str, which: str, command: str, *arguments: str) -> None:
    """Runs every scenario from the home screen, then checks the run as a whole."""
    serial = which.removeprefix("here:")
    label = f"{driver} {which if which == 'demo' else 'adb' if which == serial else 'here'}"
    tools = TOOLS if driver == "agent" else TOOLS - BY_AGENT
    adb = None if which == "demo" else Adb(serial)
    left_out = (set() if driver == "shell" else SHELL_ONLY) | (set() if which == serial else FROM_OUTSIDE)
    server = StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))
    async with Client(server) as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert listed == tools, listed ^ tools
        phone, failed = Phone(client, adb), 0
        modules = EVERYWHERE + (ON_ADB if adb else []) + ([agent] if driver == "agent" else [])
        scenarios = [scenario for module in modules for scenario in module.SCENARIOS]
        for scenario in scenarios:
            if scenario not in left_out:
                failed += not await passes(label, scenario, phone)
        # Whether the same driver served to the end: what it can do is what is listed.
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert listed == tools, listed ^ tools
    if failed:
        sys.exit(f"{failed} scenarios failed on {label}")
    assert phone.record.called == tools, phone.record.called ^ tools
    print("ok", label, f"all {len(tools)} tools called")
    told = [reply for reply in phone.record.replies if apps.SECRET in reply]
    assert not told, told
    print("ok", label, f"no password in {len(phone.record.replies)} replies")


async def passes(label: str, scenario: Scenario, phone: Phone) -> bool:
    """Runs one scenario from a fresh home screen. After a failure the others still run, to show the whole extent."""
    name = scenario.__name__.replace("_", " ")
    try:
        await phone.fresh()
        await scenario(phone)
    except AssertionError:
        traceback.print_exc()
        print("FAILED", label, name, flush=True)
        return False
    print("ok", label, name, flush=True)
    return True


asyncio.run(main(*sys.argv[1:]))
