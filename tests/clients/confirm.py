"""The official Python client before a server that asks its user first, in both eras of the protocol.

Usage: confirm.py (legacy | auto) (URL | COMMAND ARGUMENT...)    token in FINGERTIP_TOKEN
"""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitResult


class User:
    """Answers every question alike and remembers what was asked."""

    def __init__(self, action: str) -> None:
        self.action = action
        self.asked: list[str] = []

    async def __call__(self, _context: object, params: Any) -> ElicitResult:
        self.asked.append(params.message)
        return ElicitResult(action=self.action, content={} if self.action == "accept" else None)


@asynccontextmanager
async def connected(era: str, target: str, arguments: tuple[str, ...], user: Callable[..., Any] | None):
    """A client whose user is this one; without a user it cannot ask."""
    if not target.startswith("http"):
        server = StdioServerParameters(command=target, args=list(arguments), env=dict(os.environ))
        async with Client(server, mode=era, elicitation_callback=user) as client:
            yield client
        return
    headers = {"Authorization": f"Bearer {os.environ['FINGERTIP_TOKEN']}"}
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        server = streamable_http_client(target, http_client=http)
        async with Client(server, mode=era, elicitation_callback=user) as client:
            yield client


async def field(client: Client) -> tuple[str, str]:
    """The id of the search field, and what it holds now."""
    found = await client.call_tool("find_elements", {"by": "resource_id", "value": "search"})
    element = found.structured_content["elements"][0]
    return element["id"], element["text"] or ""


async def main(era: str, target: str, *arguments: str) -> None:
    """Lets a user agree, decline and close the question, and one who cannot be asked."""
    for number, action in enumerate(["accept", "decline", "cancel", None]):
        user = User(action) if action else None
        async with connected(era, target, arguments, user) as client:
            element, before = await field(client)
            text = f"{era} {number}"
            result = await client.call_tool("set_text", {"element_id": element, "text": text})
            _, after = await field(client)
            if action == "accept":
                assert not result.is_error, result
                assert after == text, (after, text)
            else:
                assert result.is_error and result.structured_content["error_type"] == "refused", result
                assert after == before, f"{action}: {before!r} became {after!r}"
            if user:
                assert len(user.asked) == 1, user.asked
                assert "set_text" in user.asked[0] and "scripted" in user.asked[0], user.asked


asyncio.run(main(*sys.argv[1:]))
