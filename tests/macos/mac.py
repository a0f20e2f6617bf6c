"""The simulated Mac from both sides: its tools as an agent calls them, and its model as only a test sees it."""

import asyncio
import json
import os
import socket
import time
from collections.abc import Callable
from typing import Any

from mcp import Client
from mcp.types import CallToolResult

# How long an effect may take to reach the model, and how often it is looked for, in seconds.
SEEN_WITHIN = 5.0
LOOK_EVERY = 0.05


class Model:
    """The world behind the simulated Mac, past the server."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        end = time.monotonic() + SEEN_WITHIN
        while True:
            try:
                self.socket.connect(os.environ["SIMULATED_MAC_CONTROL"])
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(LOOK_EVERY)
        self.lines = self.socket.makefile("rw")

    def ask(self, **request: Any) -> Any:
        self.lines.write(json.dumps(request) + "\n")
        self.lines.flush()
        answer = json.loads(self.lines.readline())
        assert not (isinstance(answer, dict) and "error" in answer), f"{request}: {answer}"
        return answer

    def state(self) -> dict[str, Any]:
        return self.ask(get="state")

    def app(self, name: str) -> dict[str, Any]:
        return self.state()["apps"][name]

    def notes(self, name: str) -> dict[str, Any]:
        return self.app(name)["notes"]

    def node(self, app: str, find: str) -> dict[str, Any]:
        return self.ask(get="node", app=app, find=find)

    def attribute(self, app: str, find: str, name: str) -> Any:
        return self.node(app, find)["attributes"].get(name)

    def set(self, name: str, value: Any = True, **more: Any) -> None:
        self.ask(set=name, value=value, **more)

    def faults(self) -> list[str]:
        return self.ask(get="ledger")["faults"]


class Mac:
    """The Mac as an agent has it, with the model beside it."""

    def __init__(self, client: Client, model: Model) -> None:
        self.client = client
        self.model = model

    async def answer(self, tool: str, **arguments: Any) -> CallToolResult:
        """Calls a tool; whether it failed is for the caller to see."""
        return await self.client.call_tool(tool, arguments)

    async def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """Calls a tool that must succeed."""
        result = await self.answer(tool, **arguments)
        assert not result.is_error, f"{tool} {arguments}: {result.content[0].text}"
        return result

    async def text(self, tool: str, **arguments: Any) -> str:
        return (await self.call(tool, **arguments)).content[0].text

    async def json(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Calls a tool that replies with JSON."""
        return (await self.call(tool, **arguments)).structured_content

    async def refused(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Calls a tool that must fail, and gives its structured error."""
        result = await self.answer(tool, **arguments)
        assert result.is_error, f"{tool} {arguments} was not refused: {result.content[0].text}"
        error = result.structured_content
        assert error["operation"] == tool and error["error_type"] and error["message"], error
        return error

    async def element(self, app: str, **wanted: Any) -> dict[str, Any]:
        """The one element that fits."""
        found = (await self.json("find_element", app=app, max_results=100, **wanted))["elements"]
        if "title" in wanted:
            found = [e for e in found if wanted["title"] in (e.get("title"), e.get("description"))] or found
        assert len(found) == 1, f"{wanted} in {app}: {found}"
        return found[0]

    async def perform(self, app: str, action: str, **wanted: Any) -> dict[str, Any]:
        element = await self.element(app, **wanted)
        return await self.json("perform_action", element_path=element["id"], action=action)

    async def set_value(self, app: str, value: Any, **wanted: Any) -> dict[str, Any]:
        element = await self.element(app, **wanted)
        return await self.json("set_value", element_path=element["id"], value=value)

    async def until(self, look: Callable[[], Any], what: str) -> Any:
        """Looks into the model until it gives something."""
        end = time.monotonic() + SEEN_WITHIN
        while not (seen := look()):
            assert time.monotonic() < end, f"not seen: {what}"
            await asyncio.sleep(LOOK_EVERY)
        return seen
