"""A task in an application, done as a person would: by what the screen shows, by menus, typing and a few keys."""

import asyncio
from collections.abc import Callable

from applications import Application
from desktop import Desktop
from health import Health
from screen import Row, Screen

# What can be chosen in a menu.
IN_MENUS = ("menu", "menu item", "check menu item", "radio menu item")


class Task:
    """An application at work. Its health is watched from the first step to the last."""

    def __init__(self, desktop: Desktop, app: Application) -> None:
        self.desktop, self.app = desktop, app
        self.health = Health(app)

    async def shows(self, wanted: Callable[[Screen], object], what: str):
        """Looks at the screen until it has what is wanted."""
        return await self.desktop.until(self.desktop.screen, wanted, what)

    async def row(self, text: str, *kinds: str, flags: str = "vcn") -> Row:
        """The first row of this text or description, of one of these kinds, that can be used."""
        return await self.shows(lambda screen: first(screen, text, kinds, flags), f"{text!r} {kinds}")

    async def field(self, label: str = "", kind: str = "text") -> Row:
        """The field of this description, or the one with the focus."""
        found = "vno" if not label else "vn"
        return await self.shows(
            lambda screen: next(
                (row for row in screen.rows if row.kind == kind and has(row, found) and (not label or row.desc == label)),
                None,
            ),
            f"the field {label!r}",
        )

    async def click(self, text: str, *kinds: str) -> None:
        """Clicks what the screen shows under this text."""
        row = await self.row(text, *kinds)
        await self.desktop.call("click_element", element_id=row.id)

    async def menu(self, *path: str) -> None:
        """Chooses from a menu, level by level."""
        for title in path:
            await self.click(title, *IN_MENUS)

    async def set(self, row: Row, text: str) -> None:
        await self.desktop.call("set_text", element_id=row.id, text=text)

    async def type(self, text: str) -> None:
        """Types where the keyboard is."""
        await self.desktop.call("input_text", text=text)

    async def key(self, key: str) -> None:
        await self.desktop.call("press_key", key=key)

    async def title(self, part: str) -> None:
        """Waits until the window in front is this one."""
        await self.shows(lambda screen: part in screen.activity, f"a window {part!r} in front")


def first(screen: Screen, text: str, kinds: tuple[str, ...], flags: str) -> Row | None:
    rows = (row for row in screen.rows if text in (row.text, row.desc) and (not kinds or row.kind in kinds))
    return next((row for row in rows if has(row, flags)), None)


def has(row: Row, flags: str) -> bool:
    return set(flags) <= set(row.flags)


async def until(condition: Callable[[], object], what: str, seconds: float = 10.0):
    """Waits until something on the disk, or wherever it is looked at, is so."""
    for _ in range(int(seconds * 20)):
        if found := condition():
            return found
        await asyncio.sleep(0.05)
    raise AssertionError(f"not so: {what}")
