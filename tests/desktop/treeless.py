"""Programs that tell the accessibility bus nothing: Tk, and xterm where it is allowed. Seen by pictures, used by pointer and keys."""

import asyncio
import base64
import json
import os
from pathlib import Path

import look
from applications import HERE
from desktop import Desktop
from health import Health
from task import until


async def labels_are_made_in_tk(desktop: Desktop) -> None:
    """Two fields, a box and the button that saves, found by their places; a person types the end of a line."""
    file = Path(os.environ["HOME"]) / "label.json"
    app = await desktop.apps.shown("Labels", "/usr/bin/python3", str(HERE / "apps" / "labels_tk.py"), str(file))
    health = Health(app)
    await has_no_tree_but_a_picture(desktop)
    left, top, _, _ = await look.place_of(await look.window_titled("Labels"))
    await tap(desktop, left + 200, top + 35)
    await desktop.call("input_text", text="Zoë ✓")
    await tap(desktop, left + 200, top + 85)
    await desktop.call("input_text", text="High Street 1")
    await look.run("xdotool", "type", "2")
    await tap(desktop, left + 140, top + 135)
    await tap(desktop, left + 160, top + 200)
    wanted = {"name": "Zoë ✓", "street": "High Street 12", "bold": True}
    await until(lambda: file.exists() and json.loads(file.read_text() or "{}") == wanted, "the label is saved")
    await health.rests()
    health.has_not_grown()


async def a_list_is_written_in_xterm(desktop: Desktop) -> None:
    """Commands typed line by line; their effects are on the disk. A person types the last one."""
    home = Path(os.environ["HOME"])
    app = await desktop.apps.shown("xterm", "xterm", "-T", "xterm", "-e", "/bin/sh")
    health = Health(app)
    await has_no_tree_but_a_picture(desktop)
    left, top, width, height = await look.place_of(await look.window_titled("xterm"))
    await tap(desktop, left + width // 2, top + height // 2)
    lines = ["mkdir lists && cd lists", "echo 'bread' > shopping", "echo milk >> shopping", "cp shopping copy"]
    for line in [*lines, "sort -r copy > sorted"]:
        await desktop.call("input_text", text=f"{line}\n")
    await until((home / "lists" / "sorted").exists, "the sorted list is there")
    await until(lambda: (home / "lists" / "sorted").read_text() == "milk\nbread\n", "the list is sorted")
    await look.run("xdotool", "type", "mv sorted done\n")
    await until((home / "lists" / "done").exists, "the person's command is done")
    await health.rests()
    health.has_not_grown()


async def has_no_tree_but_a_picture(desktop: Desktop) -> None:
    """The screen says that there is no tree, and the picture is not empty."""
    shown = await desktop.call("get_screen_state", include_screenshot=True)
    assert "no accessibility tree" in shown.content[0].text, shown.content[0].text
    picture = next(part for part in shown.content if part.type == "image")
    assert len(base64.b64decode(picture.data)) > 2000


async def tap(desktop: Desktop, x: int, y: int) -> None:
    await desktop.call("tap", x=x, y=y)
    # Whether the keyboard has followed is told by nothing here.
    await asyncio.sleep(0.3)


SCENARIOS = [labels_are_made_in_tk, a_list_is_written_in_xterm]
