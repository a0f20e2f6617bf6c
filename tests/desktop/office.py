"""LibreOffice: a letter with bold words and a table, a sheet that computes; both saved and read from the disk."""

import os
import re
import zipfile
from pathlib import Path

import look
from applications import Application
from desktop import Desktop
from screen import Row
from task import Task, until

# A profile of its own would cost each start many seconds; the home of the session is its own.
OPTIONS = ["--norestore", "--nologo", "--nofirststartwizard"]


async def a_letter_is_written_formatted_and_saved(desktop: Desktop) -> None:
    """Two paragraphs, the second bold, then a table of three columns, filled in; saved as OpenDocument."""
    file = Path(os.environ["HOME"]) / "minutes.odt"
    task = Task(desktop, await start(desktop, "--writer"))
    await task.shows(lambda screen: [row for row in screen.rows if row.kind == "paragraph"], "an empty page")
    await task.type("Minutes of the meeting ✓")
    await task.key("ENTER")
    await task.click("Bold", "toggle button")
    await task.type("Decided at once")
    await task.key("ENTER")

    await task.menu("Table", "Insert Table...")
    columns = await task.field("Columns:", "spin button")
    await desktop.json("set_value", element_path=columns.id, value=3)
    await task.click("Insert", "push button")
    await task.title("Writer")
    for text in ["Who", "What", "When"]:
        await task.type(text)
        await task.key("TAB")
    # A person goes on where the keyboard is.
    await look.run("xdotool", "type", "everybody")

    await save_as(task, file)
    text = await until(lambda: saved_text(file), "the letter is saved")
    words = re.sub(r"<[^>]+>", " ", text).split()
    assert "Minutes of the meeting ✓ Decided at once" in " ".join(words), words
    assert words[-4:] == ["Who", "What", "When", "everybody"], words
    assert 'table:number-columns-repeated="3"' in text or text.count("<table:table-column") == 3, text
    bold = re.findall(r'style:name="(\w+)"[^>]*>(?:(?!</style:style>).)*fo:font-weight="bold"', text, re.DOTALL)
    assert any(f'style-name="{style}"' in text for style in bold), "nothing is bold"
    await task.health.is_good()


async def a_sheet_computes_and_is_saved(desktop: Desktop) -> None:
    """Values and a formula, its value read; a cell chosen by the name box, a person's number in it; saved as text."""
    file = Path(os.environ["HOME"]) / "sums.csv"
    task = Task(desktop, await start(desktop, "--calc"))
    await choose(task, await cell(task, "A1"))
    for entry in ["120", "80", "=SUM(A1:A2)"]:
        await task.type(entry)
        await task.key("ENTER")
    assert (await cell(task, "A3", "200")).text == "200"

    # The place told of the name box is the one that a click hits.
    box = await task.shows(lambda screen: screen.row(kind="text", text="A4"), "the name box")
    await choose(task, box)
    await desktop.call("set_text", element_id=box.id, text="B2")
    await task.key("ENTER")
    await cell(task, "B2")
    await look.run("xdotool", "type", "7.5")
    await look.run("xdotool", "key", "Return")
    await cell(task, "B2", "7.5")

    await save_as(task, file)
    await task.click("Use Text CSV Format", "push button")
    await task.title("Export Text File")
    await task.click("OK", "push button")
    await until(lambda: file.exists() and file.read_text() == "120,\n80,7.5\n200,\n", "the sheet is saved")
    await task.health.is_good()


async def a_cell_is_filled_by_its_id(desktop: Desktop) -> None:
    """The id of a cell is that of the same cell at the next look, and is the one that is clicked and typed into."""
    file = Path(os.environ["HOME"]) / "prices.csv"
    file.write_text("apple,3,5\npear,3,5\nplum,3,5\n")
    task = Task(desktop, await start(desktop, "--calc", "--infilter=CSV:44,34,76,1", str(file)))
    first = await cell(task, "C3", "5")
    other = await cell(task, "A2", "pear")
    assert (await cell(task, "C3", "5")).id == first.id != other.id
    await desktop.call("click_element", element_id=first.id)
    await desktop.call("input_text", text="=B3*9")
    await task.key("ENTER")
    assert (await cell(task, "C3", "27")).id == first.id
    assert (await cell(task, "A2", "pear")).id == other.id
    await task.health.is_good()


async def menus_are_chosen_by_their_path(desktop: Desktop) -> None:
    """Writer has its menu bar twice in its tree, and one of the two does nothing. What is chosen is found in the file."""
    file = Path(os.environ["HOME"]) / "bold.odt"
    task = Task(desktop, await start(desktop, "--writer"))
    await task.shows(lambda screen: [row for row in screen.rows if row.kind == "paragraph"], "an empty page")
    await task.type("Bold words")
    await task.key("ctrl+a")
    reply = await desktop.call("select_menu", app=task.app.pid, path="Format > Text > Bold")
    assert 'Checked: "Bold"' in reply.content[0].text, reply
    reply = await desktop.call("select_menu", app=task.app.pid, path="File > Save As…")
    assert 'Dialog "Save" opened' in reply.content[0].text, reply
    await task.title("Save")
    await task.set(await task.field("Name:"), str(file))
    await task.click("Save", "push button")
    text = await until(lambda: saved_text(file), "the letter is saved")
    assert 'fo:font-weight="bold"' in text and "Bold words" in text, text
    await task.health.is_good()


async def start(desktop: Desktop, kind: str, *arguments: str) -> Application:
    app = await desktop.apps.start("soffice", kind, *OPTIONS, *arguments)
    await desktop.until(desktop.screen, lambda screen: screen.all(text="Tools", kind="menu"), "the window")
    return app


async def cell(task: Task, name: str, text: str | None = None) -> Row:
    """A cell of the sheet, once it holds this."""
    wanted = {"kind": "table cell", "desc": name} | ({"text": text} if text else {})
    return await task.shows(lambda screen: screen.row(**wanted), f"{name} holding {text}")


async def choose(task: Task, row: Row) -> None:
    await task.desktop.call("tap", x=row.middle[0], y=row.middle[1])


async def save_as(task: Task, file: Path) -> None:
    """Through the menu and the dialog for files."""
    await task.menu("File", "Save As...")
    await task.title("Save")
    await task.set(await task.field("Name:"), str(file))
    await task.click("Save", "push button")


def saved_text(file: Path) -> str:
    """What a saved letter holds; nothing while it is being written."""
    try:
        with zipfile.ZipFile(file) as archive:
            return archive.read("content.xml").decode()
    except (OSError, zipfile.BadZipFile, KeyError):
        return ""


SCENARIOS = [
    a_letter_is_written_formatted_and_saved,
    a_sheet_computes_and_is_saved,
    a_cell_is_filled_by_its_id,
    menus_are_chosen_by_their_path,
]
