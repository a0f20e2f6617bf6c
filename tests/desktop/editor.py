"""Text in full Unicode: set, read back, cleared, typed, and saved to a file through the menu."""

import os
from pathlib import Path

import look
from applications import Application
from desktop import Desktop

SET = "Grüße, 世界! € ✓ 👩‍👩‍👧 e\u0301\nsecond line\twith a tab"
TYPED = " naïve Ω≈ç 漢字"
LINE = "Zoë ✓ 漢字 🙂"


async def written_and_saved(desktop: Desktop) -> None:
    """A text is set, more is typed where the cursor is, and the menu saves it to the file that was opened."""
    file = Path(os.environ["HOME"]) / "letter.txt"
    file.write_text("draft\n")
    app = await desktop.apps.start("mousepad", "--disable-server", str(file))
    field = await text_of(desktop, app, "draft")
    after = await desktop.set_value(field, SET)
    assert after["element"]["value"] == SET, after
    await holds(app, SET)
    await desktop.call("input_text", element_id=field["id"], text=TYPED)
    text = await holds(app, SET + TYPED, TYPED + SET)
    await desktop.press(app, title="File", role="menu")
    await desktop.press(app, title="Save", role="menu_item")
    await look.until(lambda: read(file), lambda saved: saved.rstrip("\n") == text, "the saved text")


async def saved_under_another_name(desktop: Desktop) -> None:
    """The dialog that the menu opens is filled in and answered."""
    file = Path(os.environ["HOME"]) / "Brief – Zoë ✓.txt"
    app = await desktop.apps.start("mousepad", "--disable-server")
    await desktop.set_value(await text_of(desktop, app, ""), SET)
    await desktop.press(app, title="File", role="menu")
    await desktop.press(app, title="Save As...", role="menu_item")
    await look.until(look.active_title, lambda title: title == "Save As", "the dialog")
    await desktop.set_value(await focused_field(desktop), str(file))
    await desktop.perform(await button_of(desktop, app, "Save As", "Save"), "press")
    await look.until(lambda: read(file), lambda text: text.rstrip("\n") == SET, "the saved text")


async def saved_by_path_and_enter(desktop: Desktop) -> None:
    """A file chooser of GTK 3 drops an ENTER that comes while it reads the folder of the path it was given."""
    file = Path(os.environ["HOME"]) / "by-path.txt"
    app = await desktop.apps.start("mousepad", "--disable-server")
    await desktop.set_value(await text_of(desktop, app, ""), LINE)
    await desktop.call("press_key", key="ctrl+s")
    await look.until(look.active_title, lambda title: title == "Save As", "the dialog")
    name = await focused_field(desktop)
    said = await desktop.call("set_text", element_id=name["id"], text=str(file), submit=True)
    assert said.content[0].text.endswith("submitted with ENTER in the window 'Save As'"), said
    await look.until(lambda: read(file), lambda text: text.rstrip("\n") == LINE, "the saved text")


async def gtk4_entry(desktop: Desktop) -> None:
    await entry(desktop, await desktop.apps.own("form_gtk4.py"))


async def qt_entry(desktop: Desktop) -> None:
    await entry(desktop, await desktop.apps.own("form_qt6.py"))


async def gtk3_entry(desktop: Desktop) -> None:
    await entry(desktop, await desktop.apps.own("form_gtk3.py"))


async def entry(desktop: Desktop, app: Application) -> None:
    """An entry is set, cleared and typed into; after each the application itself tells what it holds."""
    field = await desktop.element(app, role="AXTextField", title="Name")
    after = await desktop.set_value(field, LINE)
    assert after["element"]["value"] == LINE, after
    await is_held(desktop, app, LINE)
    await desktop.call("clear_text", element_id=field["id"])
    await is_held(desktop, app, "")
    await desktop.call("input_text", element_id=field["id"], text=TYPED)
    await is_held(desktop, app, TYPED)


async def is_held(desktop: Desktop, app: Application, text: str) -> None:
    """The tool reads this text, and the application greets with it."""
    assert (await desktop.value(app, role="text_field", title="Name") or "") == text
    await desktop.press(app, title="Greet", role="button")
    await app.says("greeted", text)


async def focused_field(desktop: Desktop) -> dict:
    """The field that has the focus, as that for the name does in a dialog that just opened."""
    told = await desktop.until(
        lambda: desktop.json("get_focused_element"),
        lambda told: told["focused"] and told["element"]["role"] == "text_field" and told,
        "a field with the focus",
    )
    return told["element"]


async def button_of(desktop: Desktop, app: Application, window: str, title: str) -> dict:
    """The button of this window, once it can be pressed; a tool bar of another one may have a button of the same title."""
    start = f'app({app.pid})/window["{window}"]/'

    def usable(buttons: list[dict]) -> dict | None:
        found = [each for each in buttons if each["title"] == title and each["path"].startswith(start)]
        return found[0] if len(found) == 1 and "enabled" in found[0]["states"] else None

    return await desktop.until(
        lambda: desktop.find(app, title=title, role="button"), usable, f"the button {title!r} of {window!r}"
    )


async def text_of(desktop: Desktop, app: Application, value: str) -> dict:
    """The editor's text area, the largest field there is."""
    fields = await desktop.until(lambda: desktop.find(app, role="text_field"), lambda found: found, "a text area")
    field = max(fields, key=lambda field: field["bounds"]["bottom"] - field["bounds"]["top"])
    assert (field.get("value") or "").strip() == value, field
    return field


async def holds(app: Application, *texts: str) -> str:
    """Which of these texts the application holds, as pyatspi reads it."""
    return await look.until(
        lambda: look.nodes(app.pid),
        lambda nodes: next((node["text"] for node in nodes if node.get("text") in texts), None),
        str(texts),
    )


async def read(file: Path) -> str:
    return file.read_text() if file.exists() else ""


SCENARIOS = [
    written_and_saved,
    saved_under_another_name,
    saved_by_path_and_enter,
    gtk3_entry,
    gtk4_entry,
    qt_entry,
]
