"""Thunar: folders made, files renamed, copied, moved and deleted; each seen on the disk."""

import os
from pathlib import Path

import look
from desktop import Desktop
from task import Task, until


async def a_folder_is_put_in_order(desktop: Desktop) -> None:
    """Ten steps: list view, new folder, rename, copy into the folder, move, delete; then a person renames once more."""
    home = Path(os.environ["HOME"]) / "papers"
    home.mkdir()
    for name in ["letter.txt", "list.txt", "old.txt"]:
        (home / name).write_text(name)
    app = await desktop.apps.start("thunar", str(home))
    task = Task(desktop, app)
    await task.menu("View", "List View")

    await task.menu("File", "Create Folder...")
    await task.set(await task.field(), "Archive ✓")
    await task.click("Create", "push button")
    folder = home / "Archive ✓"
    await until(folder.is_dir, "the new folder is there")

    await choose(task, "letter.txt")
    await task.menu("Edit", "Rename...")
    await task.set(await task.field(), "brief.txt")
    await task.key("ENTER")
    await until((home / "brief.txt").exists, "the file has its new name")

    await choose(task, "list.txt")
    await task.menu("Edit", "Copy")
    await choose(task, "Archive ✓")
    await task.menu("Edit", "Paste Into Folder")
    await until((folder / "list.txt").exists, "the copy is there")
    assert (home / "list.txt").exists()

    await choose(task, "brief.txt")
    await task.menu("Edit", "Cut")
    await choose(task, "Archive ✓")
    await task.menu("Edit", "Paste Into Folder")
    await until(lambda: (folder / "brief.txt").exists() and not (home / "brief.txt").exists(), "the file was moved")

    await choose(task, "old.txt")
    await task.menu("Edit", "Delete")
    await task.click("Delete", "push button")
    await until(lambda: not (home / "old.txt").exists(), "the file is gone")

    # A person goes on by the keyboard alone.
    await choose(task, "list.txt")
    await look.run("xdotool", "key", "F2")
    await task.field()
    await look.run("xdotool", "key", "ctrl+a")
    await look.run("xdotool", "type", "third.txt")
    await look.run("xdotool", "key", "Return")
    await until((home / "third.txt").exists, "the person's name is there")
    await task.health.is_good()


async def choose(task: Task, name: str) -> None:
    """Selects a file in the list, once no dialog hides it, and sees that it is selected."""
    await task.title("Thunar")
    row = await task.row(name, "table cell")
    await task.desktop.call("tap", x=row.middle[0], y=row.middle[1])
    selected = lambda screen: [row for row in screen.all(text=name) if "t" in row.flags]  # noqa: E731
    await task.shows(selected, f"{name} selected")


SCENARIOS = [a_folder_is_put_in_order]
