"""gnome-text-editor: a note written, saved under another name, and a setting changed."""

import asyncio
import os
from pathlib import Path

import look
from desktop import Desktop
from task import Task, until

# Seconds for which the pointer rests.
RESTS = 1.0
TEXT = "Shopping ✓\nbread\nmilk"


async def a_note_is_written_and_saved(desktop: Desktop) -> None:
    """Opened, replaced, added to, saved; found and replaced in; saved under another name; a person saves once more."""
    home = Path(os.environ["HOME"])
    file, copy = home / "note.txt", home / "copy.txt"
    file.write_text("draft\n")
    app = await desktop.apps.start("gnome-text-editor", "--standalone", str(file))
    task = Task(desktop, app)
    text = await task.field("EditorSourceView")
    await task.set(text, TEXT)
    await task.type(" and tea")
    await choose(task, "Save")
    await until(lambda: file.read_text() == f"{TEXT} and tea\n", "the note is saved")

    await choose(task, "Find/Replace…")
    await task.type("bread")
    await task.click("Move to next match (Ctrl+G)")
    await task.shows(lambda screen: screen.all(text="1 of 1"), "the word found")
    await choose(task, "Save As…")
    await task.set(await task.field(), str(copy))
    await task.click("Save", "push button")
    await until(lambda: copy.exists() and copy.read_text() == file.read_text(), "the copy is saved")

    text = await task.field("EditorSourceView")
    await desktop.call("tap", x=text.middle[0], y=text.middle[1])
    await look.run("xdotool", "key", "ctrl+End")
    await look.run("xdotool", "type", "!")
    await look.run("xdotool", "key", "ctrl+s")
    await until(lambda: "!" in copy.read_text(), "the person's mark is saved")
    await task.health.is_good()


async def choose(task: Task, title: str) -> None:
    """From the menu of the window."""
    await task.click("Menu", "push button")
    await task.click(title, "menu item")
    await task.shows(lambda screen: not screen.all(text=title, kind="menu item"), "the menu closed")


async def a_menu_opens_each_time(desktop: Desktop) -> None:
    """GTK 4 loses presses of a pointer that has rested since the menu closed; the button in the menu button does not."""
    app = await desktop.apps.start("gnome-text-editor", "--standalone")
    task = Task(desktop, app)
    button = await task.row("Menu", "push button")
    for _ in range(4):
        await desktop.call("click_element", element_id=button.id)
        await task.row("Save As…", "menu item", flags="v")
        await look.run("xdotool", "key", "Escape")
        await task.shows(lambda screen: not screen.all(text="Save As…", kind="menu item"), "the menu closed")
        await asyncio.sleep(RESTS)


SCENARIOS = [a_note_is_written_and_saved, a_menu_opens_each_time]
