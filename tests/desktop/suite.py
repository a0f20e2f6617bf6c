"""Runs the scenarios of one group on a fresh desktop, through the official Python client over stdio.

Usage: suite.py GROUP COMMAND ARGUMENT...    the command serves the desktop
"""

import asyncio
import importlib
import os
import sys
import time
import traceback
from collections.abc import Awaitable, Callable

from desktop import Desktop
from mcp import Client, StdioServerParameters

Scenario = Callable[[Desktop], Awaitable[None]]


async def main(group: str, command: str, *arguments: str) -> None:
    server = StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))
    async with Client(server) as client:
        desktop, failed = Desktop(client), 0
        for scenario in importlib.import_module(group).SCENARIOS:
            failed += not await passes(group, scenario, desktop)
    if failed:
        sys.exit(f"{failed} scenarios of {group} failed")


async def passes(group: str, scenario: Scenario, desktop: Desktop) -> bool:
    """Runs one scenario and ends its applications. After a failure the others still run, to show the whole extent."""
    name, begun = f"{group}: {scenario.__name__.replace('_', ' ')}", time.monotonic()
    try:
        await scenario(desktop)
    except Exception:
        traceback.print_exc()
        print("FAILED", name, flush=True)
        return False
    finally:
        desktop.apps.end()
    print("ok", name, f"{time.monotonic() - begun:.1f} s", flush=True)
    return True


asyncio.run(main(*sys.argv[1:]))
