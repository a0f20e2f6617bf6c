"""The toy platform of the guide, seen by the official Python client: only what it can do is offered, and that works.

Usage: toy.py COMMAND ARGUMENT...
"""

import asyncio
import os
import sys

from mcp import Client, StdioServerParameters

OFFERED = {"get_screen_state", "find_elements", "click_element", "long_click_element", "wait_for_element",
           "wait_for_idle", "get_element_details", "verify_state", "run_steps"}


async def main(command: str, *arguments: str) -> None:
    """Lists the tools, clicks the switch, and looks again."""
    server = StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))
    async with Client(server) as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert listed == OFFERED, listed

        async def screen() -> str:
            return (await client.call_tool("get_screen_state", {})).content[0].text

        before = await screen()
        assert "The lamp is off" in before, before
        switch = next(row.split("\t")[0] for row in before.splitlines() if "\tSwitch\t" in row)
        clicked = await client.call_tool("click_element", {"element_id": switch})
        assert not clicked.is_error, clicked
        after = await screen()
        assert "The lamp is on" in after, after


asyncio.run(main(*sys.argv[1:]))
