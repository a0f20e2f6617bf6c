"""A walk over an interface that never looks again: each step is chosen by what the replies so far have told.

The client keeps the lean screen it saw first and changes it as `see: changes` tells. After each step a fresh look says whether
it is right, and the next step acts on an element that was told at any time before: ids last.
"""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from mcp.types import CallToolResult

# What each has one line for, whatever is in it; clocks and keys in them are not told.
BARS = ("bar ", "keyboard ")
FOCUSED = "focused"
# Why an element that was told of may not be acted on any more.
REASONS = {"not_found", "stale", "ambiguous", "covered", "disabled", "not_visible", "action_failed", "unsupported", "not_running"}

# Seconds in which what changes by itself, such as a clock, does so.
CHANGES_WITHIN = 1.2

Call = Callable[..., Awaitable[CallToolResult]]
Lines = dict[str, str]


# A line up to how it was; no text can end its quotes.
IS = re.compile(r'((?:"[^"]*"|[^"])*?)(?: \(was .*\))?')


def read(screen: str) -> Lines:
    """The lines of a lean screen by their ids, that something has the focus in one place."""
    lines = (line.partition(" ") for line in screen.splitlines())
    return {id: with_focus(text, has_focus(text)) for id, _, text in lines if id.startswith("node_") and not text.startswith(BARS)}


def words(text: str) -> list[str]:
    return re.findall(r'(?:"[^"]*"|[^ "])+', text)


def has_focus(text: str) -> bool:
    return FOCUSED in words(text)


def with_focus(text: str, focused: bool) -> str:
    return " ".join([word for word in words(text) if word != FOCUSED] + [FOCUSED] * focused)


@dataclass
class Walk:
    """What a client knows of the screen, and how far it came."""

    call: Call
    where: dict[str, Any] = field(default_factory=dict)
    lines: Lines = field(default_factory=dict)
    acted: int = 0
    refused: int = 0
    unmentioned: int = 0
    mentioned: set[str] = field(default_factory=set)
    ever: dict[str, None] = field(default_factory=dict)

    async def look(self) -> Lines:
        return read((await self.call("get_screen_state", format="lean", **self.where)).content[0].text)

    async def begin(self) -> None:
        self.lines = await self.look()

    def apply(self, told: dict[str, Any]) -> None:
        """Changes what is known as a reply tells."""
        if "screen" in told:
            self.lines = read(told["screen"])
            self.mentioned = set(self.lines)
            return
        for line in told["removed"]:
            self.lines.pop(line.partition(" ")[0], None)
        changed = [IS.fullmatch(line)[1] for line in told["changed"]]
        self.lines |= read("\n".join(told["added"] + changed))
        if (focus := told.get("focus")) is not None:
            self.lines = {id: with_focus(text, id in focus) for id, text in self.lines.items()}
        every = told["removed"] + told["added"] + changed + told["pressable"]
        self.mentioned = {line.partition(" ")[0] for line in every}

    async def step(self, tool: str, **arguments: Any) -> None:
        """Acts, and sees that what is known now is what is there."""
        target = arguments.get("element_id")
        self.unmentioned += target is not None and target not in self.mentioned
        self.ever |= dict.fromkeys(self.lines)
        reply = await self.call(tool, see="changes", **arguments)
        if reply.is_error:
            error = reply.structured_content
            assert error["error_type"] in REASONS and error["message"], error
            self.refused += 1
            await self.begin()
            return
        self.acted += 1
        told = reply.structured_content["see"]
        if told["verdict"] == "not seen" or not told["settled"]:
            await self.begin()
            return
        before = dict(self.lines)
        self.apply(told)
        seen = await self.look()
        if seen != self.lines:
            # What changes by itself changes once more.
            await asyncio.sleep(CHANGES_WITHIN)
            again = await self.look()
            assert seen != again, wrong(tool, arguments, before, self.lines, seen, reply)
            self.lines = again

    def old(self) -> str | None:
        """An element that was told of at any time, there or not."""
        return random.choice(list(self.ever)) if self.ever else None

    def any(self, *kinds: str) -> str | None:
        """Any element of these kinds that is known."""
        found = [id for id, text in self.lines.items() if not kinds or text.startswith(kinds)]
        return random.choice(found) if found else None


def wrong(tool: str, arguments: dict, before: Lines, kept: Lines, seen: Lines, reply: CallToolResult) -> str:
    differ = {id: (before.get(id), kept.get(id), seen.get(id)) for id in kept | seen if kept.get(id) != seen.get(id)}
    return f"{tool} {arguments}: (before, kept, seen) {differ}; told {reply.content[-1].text}"
