"""A phone behind the server, as an agent sees it: tools called through the official client, and looks at the screen.

Every reply is kept, so that a whole run can be searched afterwards.
"""

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from adb import Adb
from mcp import Client
from mcp.types import CallToolResult
from screen import Row, Screen

# How long an effect may take to be seen, and how often it is looked for, in seconds.
SEEN_WITHIN = 5.0
LOOK_EVERY = 0.05

Seen = TypeVar("Seen")


@dataclass
class Record:
    """What was called and answered in a run."""

    called: set[str] = field(default_factory=set)
    replies: list[str] = field(default_factory=list)

    def keep(self, tool: str, reply: str) -> None:
        """Keeps a reply, and writes it where the scan of the whole run will find it."""
        self.called.add(tool)
        self.replies.append(reply)
        if path := os.environ.get("FINGERTIP_TRANSCRIPT"):
            with open(path, "a", encoding="utf-8") as transcript:
                transcript.write(reply + "\n")


class Phone:
    """One phone. `adb` looks at it from the outside, where it is reached through adb."""

    def __init__(self, client: Client, adb: Adb | None = None, device: str | None = None) -> None:
        self.client = client
        self.adb = adb
        self.record = Record()
        self.device = {} if device is None else {"device": device}

    async def answer(self, tool: str, **arguments: Any) -> CallToolResult:
        """Calls a tool; whether it failed is for the caller to see."""
        result = await self.client.call_tool(tool, arguments | self.device)
        self.record.keep(tool, result.model_dump_json())
        return result

    async def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """Calls a tool that must succeed."""
        result = await self.answer(tool, **arguments)
        assert not result.is_error, f"{tool} {arguments}: {result.content[0].text}"
        return result

    async def refused(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Calls a tool that must fail, and gives its structured error."""
        result = await self.answer(tool, **arguments)
        assert result.is_error, f"{tool} {arguments} was not refused: {result.content[0].text}"
        error = result.structured_content
        assert error["operation"] == tool and error["message"], error
        return error

    async def json(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Calls a tool that replies with JSON."""
        return (await self.call(tool, **arguments)).structured_content

    async def screen(self) -> Screen:
        """One look at the screen."""
        result = await self.call("get_screen_state")
        return Screen.parse(result.content[0].text)

    async def until(self, condition: Callable[[Screen], Seen], what: str) -> Seen:
        """Looks until the condition gives something, and gives that."""
        end = time.monotonic() + SEEN_WITHIN
        while True:
            screen = await self.screen()
            if seen := condition(screen):
                return seen
            assert time.monotonic() < end, f"not seen: {what}; instead\n{screen}"
            await asyncio.sleep(LOOK_EVERY)

    async def see(self, **wanted: str) -> Row:
        """Looks until the one row with these values is there."""
        return await self.until(lambda screen: screen.row(**wanted), str(wanted))

    async def gone(self, **wanted: str) -> None:
        """Looks until no row has these values."""
        await self.until(lambda screen: not screen.all(**wanted), f"no {wanted}")

    async def click(self, **wanted: str) -> Row:
        """Clicks the one row with these values."""
        row = await self.see(**wanted)
        await self.call("click_element", element_id=row.id)
        return row

    async def home(self) -> None:
        """Goes to the home screen, whatever is in front."""
        await self.call("press_home")
        await self.see(res_id="icon", text="Calculator")

    async def fresh(self) -> None:
        """Ends every app, so that each starts anew, and goes to the home screen."""
        await self.call("press_home")
        await self.call("press_recents")
        recents = await self.until(
            lambda screen: screen.row(text="Clear all") or screen.row(text="No recent items"), "the recent apps"
        )
        if recents.text == "Clear all":
            await self.call("click_element", element_id=recents.id)
        await self.home()

    async def open(self, label: str, package: str) -> Screen:
        """Opens an app from the home screen."""
        await self.home()
        await self.click(res_id="icon", text=label)
        return await self.until(lambda screen: screen if screen.app == package else None, package)
