"""KeePassXC, which acts only when it is allowed: a database made, an entry added, all saved; opened by its own tool."""

import os
import subprocess
from pathlib import Path

import look
from desktop import Desktop
from task import Task, until

MASTER, SECRET = "correct horse battery", "hunter 2 ✓"


async def a_database_with_an_entry_is_made(desktop: Desktop) -> None:
    """The assistant of three pages, the dialog for files, then an entry with its secret, saved by a person's key."""
    file = Path(os.environ["HOME"]) / "Keys.kdbx"
    app = await desktop.apps.start("keepassxc")
    task = Task(desktop, app)
    await task.click("Create new database", "push button")
    await task.set(await task.field("Database name field"), "Keys of the house")
    await task.click("Continue", "push button")
    await task.row("Advanced Settings", "push button")
    await task.click("Continue", "push button")
    fields = await task.shows(lambda screen: both(screen.all(kind="password text")), "two fields for the password")
    for field in fields:
        await task.set(field, MASTER)
    await task.click("Done", "push button")
    await task.title("Save database as")
    await task.set(await task.field("File name:"), str(file))
    await task.click("Save", "push button")
    await until(file.exists, "the database is there")

    await task.click("New Entry…", "push button")
    await task.set(await task.field("Title field"), "Post office")
    # The field of a list that can also be typed into has no name of its own.
    user = await task.row("Username field", "combo box")
    inside = await task.shows(lambda screen: [row for row in screen.all(kind="text") if user.contains(row)], "its field")
    await task.set(inside[0], "ada")
    password = await task.shows(lambda screen: screen.all(kind="password text"), "a field for the secret")
    await task.set(password[0], SECRET)
    await task.click("OK", "push button")
    await task.row("Post office", "table cell")
    await look.run("xdotool", "key", "ctrl+s")
    await until(lambda: shown(file, "Post office") == ["ada", SECRET], "the entry is in the file")
    await task.health.is_good()


def both(rows: list) -> list | None:
    return rows if len(rows) == 2 else None


def shown(file: Path, entry: str) -> list[str]:
    """What the program's own tool reads from the file."""
    command = ["keepassxc-cli", "show", "--quiet", "--show-protected", "-a", "UserName", "-a", "Password", str(file), entry]
    done = subprocess.run(command, input=MASTER + "\n", capture_output=True, text=True, timeout=30)
    return done.stdout.splitlines()


SCENARIOS = [a_database_with_an_entry_is_made]
