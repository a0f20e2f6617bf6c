"""An installed program, used by the official Python client over stdio on the demo phone: lists the tools, acts, looks again.

Usage: client.py VERSION COMMAND ARGUMENT...
"""

import asyncio
import os
import sys

from mcp import Client, StdioServerParameters


async def main(version: str, command: str, *arguments: str) -> None:
    server = StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))
    async with Client(server) as client:
        assert client.server_info.version == version, client.server_info
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert {"get_screen_state", "press_recents"} <= listed, listed

        async def screen() -> str:
            reply = await client.call_tool("get_screen_state", {})
            assert not reply.is_error, reply
            return reply.content[0].text

        before = await screen()
        assert "Calculator" in before, before
        assert not (await client.call_tool("press_recents", {})).is_error
        assert "No recent items" in await screen()


asyncio.run(main(*sys.argv[1:]))
