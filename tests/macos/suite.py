"""Runs the scenarios of one group on a fresh simulated Mac, through the official Python client over stdio.

Usage: suite.py GROUP COMMAND ARGUMENT...    the command serves the Mac
"""

import asyncio
import importlib
import os
import sys
import time
import traceback

from mac import Mac, Model
from mcp import Client, StdioServerParameters


async def main(group: str, command: str, *arguments: str) -> None:
    server = StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))
    failed = 0
    async with Client(server) as client:
        mac = Mac(client, Model())
        for scenario in importlib.import_module(group).SCENARIOS:
            failed += not await passes(group, scenario, mac)
    if failed:
        sys.exit(f"{failed} scenarios of {group} failed")


async def passes(group: str, scenario, mac: Mac) -> bool:
    """Runs one scenario. Whatever it is about, no reference may have been misused on the way."""
    name, begun = f"{group}: {scenario.__name__.replace('_', ' ')}", time.monotonic()
    try:
        await scenario(mac)
        assert not (faults := mac.model.faults()), faults
        assert mac.model.state()["prompts"] == 0, "a tool call asked the user for a permission"
    except Exception:
        traceback.print_exc()
        print("FAILED", name, flush=True)
        return False
    print("ok", name, f"{time.monotonic() - begun:.1f} s", flush=True)
    return True


asyncio.run(main(*sys.argv[1:]))
