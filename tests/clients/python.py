"""The official Python client, in both eras of the protocol.

Usage: python.py (legacy | auto) (URL | COMMAND ARGUMENT...)    token in FINGERTIP_TOKEN, CA in SSL_CERT_FILE
"""

import asyncio
import json
import os
import re
import ssl
import sys
from pathlib import Path

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

TOOLS = Path(__file__).with_name("tools.txt").read_text().split()
VERSIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}
INVALID_PARAMS = -32602


async def check(client: Client) -> None:
    """Lists the tools and calls one of each kind: text, image, JSON, failing, refused, unknown."""
    listed = await client.list_tools()
    assert sorted(tool.name for tool in listed.tools) == TOOLS, listed

    pressed = await client.call_tool("press_back", {})
    assert not pressed.is_error, pressed
    assert pressed.content[0].text == "Back button press executed successfully", pressed

    screen = await client.call_tool("get_screen_state", {"include_screenshot": True})
    text, image = screen.content
    assert not screen.is_error, text
    assert text.text.startswith("note:structural-only nodes are omitted from the tree\n"), text
    assert image.mime_type == "image/jpeg" and image.data.startswith("/9j/"), image.mime_type

    found = await client.call_tool("find_elements", {"by": "class_name", "value": "Button"})
    assert not found.is_error, found
    assert found.structured_content["elements"], found
    assert found.structured_content == json.loads(found.content[0].text), found

    missing = await client.call_tool("click_element", {"element_id": "node_ffffffff"})
    assert missing.is_error and missing.structured_content["error_type"] == "element_not_found", missing

    refused = await client.call_tool("tap", {"x": -1, "y": 0})
    assert refused.is_error and re.search(r"\bx\b", refused.content[0].text), refused

    try:
        answer = await client.call_tool("no_such_tool", {})
    except MCPError as error:
        assert error.code == INVALID_PARAMS, error
    else:
        raise AssertionError(f"an unknown tool was answered: {answer}")


async def main(era: str, target: str, *arguments: str) -> None:
    """Connects to the target and checks it."""
    if not target.startswith("http"):
        server = StdioServerParameters(command=target, args=list(arguments), env=dict(os.environ))
        await connect(era, server)
        return
    # The default context reads SSL_CERT_FILE.
    trust = ssl.create_default_context()
    headers = {"Authorization": f"Bearer {os.environ['FINGERTIP_TOKEN']}"}
    async with httpx2.AsyncClient(headers=headers, verify=trust) as http:
        await connect(era, streamable_http_client(target, http_client=http))


async def connect(era: str, server: object) -> None:
    async with Client(server, mode=era) as client:
        assert client.protocol_version == VERSIONS[era], client.protocol_version
        await check(client)


asyncio.run(main(*sys.argv[1:]))
