"""A Swing program, which speaks to the bus through the ATK wrapper: a ledger filled in and saved."""

import os
import subprocess
from pathlib import Path

import look
from applications import HERE, Application
from desktop import Desktop
from task import Task, until

BRIDGE = "-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper"
WRAPPER = "/usr/share/java/java-atk-wrapper.jar"


async def a_ledger_is_kept_and_saved(desktop: Desktop) -> None:
    """Two lines are entered and added, one account chosen, a dialog answered with no, the file saved by the menu."""
    file = Path(os.environ["HOME"]) / "ledger.csv"
    task = Task(desktop, await start(desktop, file))
    await task.row("Add", "push button")
    await enter(task, "Item", "Bread ✓")
    await enter(task, "Sum", "3.20")
    await task.click("Paid", "check box")
    await task.click("Add", "push button")
    await task.shows(lambda screen: screen.all(text="1 lines"), "the first line")

    await enter(task, "Item", "Seeds")
    # A person goes on in the next field.
    await look.run("xdotool", "key", "Tab", "ctrl+a")
    await look.run("xdotool", "type", "12")
    await task.click("Add", "push button")
    await task.shows(lambda screen: screen.all(text="2 lines"), "the second line")

    await task.menu("File", "Clear all...")
    await task.click("No", "push button")
    await task.menu("File", "Save")
    await until(lambda: file.exists() and file.read_text() == "Bread ✓;3.20;House;paid\nSeeds;12;House;paid\n", "the ledger")
    await task.health.is_good()


async def start(desktop: Desktop, file: Path) -> Application:
    """Compiles the program and starts it with the wrapper that tells the bus of it."""
    classes = Path(os.environ["HOME"]) / "classes"
    subprocess.run(["javac", "-d", str(classes), str(HERE / "apps" / "Ledger.java")], check=True, timeout=120)
    return await desktop.apps.start("java", BRIDGE, "-cp", f"{classes}:{WRAPPER}", "Ledger", str(file))


async def enter(task: Task, label: str, text: str) -> None:
    """Replaces what is in a field, with the keyboard in it."""
    row = await task.field(label)
    await task.desktop.call("tap", x=row.middle[0], y=row.middle[1])
    await task.set(await task.field(label), text)


SCENARIOS = [a_ledger_is_kept_and_saved]
