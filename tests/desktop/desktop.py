"""A desktop behind the server, as an agent sees it: tools called through the official client."""

import asyncio
import time
from collections.abc import Callable
from typing import Any, TypeVar

import look
from applications import Application, Applications
from mcp import Client
from mcp.types import CallToolResult
from screen import HEADER, Screen

# How long an effect may take to be seen, and how often it is looked for, in seconds.
SEEN_WITHIN = 5.0
LOOK_EVERY = 0.05
# How many characters of what was seen instead a failure shows.
SHOWN = 2000

Element = dict[str, Any]
Seen = TypeVar("Seen")


class Desktop:
    """The desktop, its tools, and the applications that the scenario has started on it."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.apps = Applications()
        self.called: set[str] = set()

    async def answer(self, tool: str, **arguments: Any) -> CallToolResult:
        """Calls a tool; whether it failed is for the caller to see."""
        self.called.add(tool)
        return await self.client.call_tool(tool, arguments)

    async def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """Calls a tool that must succeed."""
        result = await self.answer(tool, **arguments)
        assert not result.is_error, f"{tool} {arguments}: {result.content[0].text}"
        return result

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

    async def find(self, app: Application, **wanted: Any) -> list[Element]:
        """The elements that `find_element` finds."""
        found = await self.json("find_element", app=app.pid, max_results=100, **wanted)
        assert found["resultCount"] == len(found["elements"]), found
        return found["elements"]

    async def element(self, app: Application, **wanted: Any) -> Element:
        """The one element with exactly this label, looked for until it is there."""
        return await self.until(lambda: self.find(app, **wanted), lambda found: only(found, wanted), str(wanted))

    async def bounds(self, app: Application, **wanted: Any) -> dict[str, int]:
        """Where the one such element is. A window is on the accessibility bus before it is on the screen."""
        return await self.until(
            lambda: self.element(app, **wanted),
            lambda found: found["bounds"] if any(found["bounds"].values()) else None,
            f"the place of {wanted}",
        )

    async def perform(self, element: Element, action: str) -> dict[str, Any]:
        """Performs an action on an element."""
        return await self.json("perform_action", element_path=name_of(element), action=action)

    async def press(self, app: Application, **wanted: Any) -> dict[str, Any]:
        """Finds an element and presses it."""
        return await self.perform(await self.element(app, **wanted), "press")

    async def set_value(self, element: Element, value: Any) -> dict[str, Any]:
        """Sets the value of an element."""
        return await self.json("set_value", element_path=name_of(element), value=value)

    async def observe(self, app: Application, seconds: float, **wanted: Any) -> dict[str, Any]:
        """What happens in an application meanwhile."""
        return await self.json("observe_changes", app=app.pid, duration_ms=int(seconds * 1000), **wanted)

    async def value(self, app: Application, **wanted: Any) -> Any:
        """What the one such element holds."""
        return (await self.element(app, **wanted)).get("value")

    async def person_presses(self, *keys: str) -> None:
        """Keys that a person presses. Where no other program can press any, as on Wayland, this program does."""
        if look.on_x():
            await look.run("xdotool", "key", *keys)
            return
        for key in keys:
            await self.call("press_key", key={"Return": "enter"}.get(key, key.lower() if len(key) > 1 else key))

    async def screen(self) -> Screen:
        """One look at the focused application, all its pages."""
        text = (await self.call("get_screen_state")).content[0].text
        while (screen := Screen.parse(text)).cursor:
            page = (await self.call("get_screen_state", cursor=screen.cursor)).content[0].text
            # A further page has its rows below the names of the columns; only the last one has notes.
            text = text.rpartition("\nmore:")[0] + page.removeprefix(HEADER)
        return screen

    async def until(self, look: Callable[[], Any], wanted: Callable[[Any], Seen], what: str) -> Seen:
        """Looks until the condition gives something, and gives that."""
        end = time.monotonic() + SEEN_WITHIN
        while True:
            seen = await look()
            if result := wanted(seen):
                return result
            assert time.monotonic() < end, f"not seen: {what}; instead {str(seen)[:SHOWN]}"
            await asyncio.sleep(LOOK_EVERY)


def name_of(element: Element) -> str:
    """Its path, or its id where there is no path: not all of the application could be read then."""
    return element.get("path") or element["id"]


def label(element: Element) -> str:
    """What an element is called: the text it shows, or what it is said to be where the text is its value."""
    return (element.get("title") or element.get("description") or "").strip()


def only(found: list[Element], wanted: dict[str, Any]) -> Element | None:
    """The only element whose label is the one wanted; the tool also finds those that merely contain it."""
    if "title" in wanted:
        found = [element for element in found if label(element) == wanted["title"]]
    return found[0] if len(found) == 1 else None
