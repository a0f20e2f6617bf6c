"""Choosing by text: options, rows, tabs, radio buttons, and items of menus, in the toolkits people have."""

import asyncio

import look
from desktop import Desktop


async def options_rows_tabs_and_radio_buttons_of_gtk3(desktop: Desktop) -> None:
    app = await desktop.apps.own("choices_gtk3.py")
    combo = await desktop.element(app, role="combo_box", title="Colour")
    reply = await desktop.set_value(combo, "green")
    assert reply["element"]["value"] == "green", reply
    await app.says("combo", "green")
    error = await desktop.refused("set_value", element_path=combo["id"], value="mauve")
    assert '"red", "green", "blue"' in error["message"], error
    for role, title, value, event in [
        ("list", "Rows", "beta", "row"),
        ("table", "People", "Bob", "person"),
        ("tab_list", "Pages", "Network", "tab"),
        ("group", "Size", "large", "radio"),
    ]:
        await desktop.set_value(await desktop.element(app, role=role, title=title), value)
        await app.says(event, value)


async def a_long_list_of_options_is_told_in_part(desktop: Desktop) -> None:
    app = await desktop.apps.own("choices_qt.py", "6", "300")
    combo = await desktop.until(
        lambda: desktop.find(app, role="combo_box"), lambda found: found[0] if found else None, "a combo box"
    )
    error = await desktop.refused("set_value", element_path=combo["id"], value="none")
    assert "and 288 more" in error["message"] and len(error["message"]) < 1000, error
    assert not app.said("combo"), app.said("combo")


async def an_option_far_down_a_long_list_is_chosen(desktop: Desktop) -> None:
    for version in ("5", "6"):
        app = await desktop.apps.own("choices_qt.py", version, "300")
        combo = await desktop.until(
            lambda app=app: desktop.find(app, role="combo_box"), lambda found: found[0] if found else None, "a combo box"
        )
        for value in ["colour 150", "colour 4"]:
            reply = await desktop.json("set_value", element_path=combo["id"], value=value)
            assert reply["element"]["title"] == value, reply
            await app.says("combo", value)
        # All that is in view of the open list is listed, wherever its button is.
        await desktop.call("click_element", element_id=combo["id"])
        await desktop.until(
            desktop.screen,
            lambda screen: len([row for row in screen.rows if row.text.startswith("colour ")]) > 10,
            "the options in view",
        )


async def options_tabs_and_radio_buttons_of_gtk4(desktop: Desktop) -> None:
    app = await desktop.apps.own("choices_gtk4.py")
    combo = await desktop.element(app, role="combo_box", title="Colour")
    for value in ["green", "blue"]:
        await desktop.set_value(combo, value)
        await app.says("combo", value)
    # GTK 4 tells nothing of what drops down from its older combo box, which is closed again.
    side = await desktop.element(app, role="combo_box", title="Side")
    error = await desktop.refused("set_value", element_path=side["id"], value="south")
    assert error["error_type"] == "element_not_found", error
    for role, title, value, event in [("tab_list", "Tab list", "Network", "tab"), ("group", "Size", "large", "radio")]:
        await desktop.set_value(await desktop.element(app, role=role, title=title), value)
        await app.says(event, value)
    await desktop.set_value(await desktop.element(app, role="group", title="Size"), "small")
    await app.says("radio", "small")


async def options_of_qt(desktop: Desktop) -> None:
    for version in ("5", "6"):
        app = await desktop.apps.own("choices_qt.py", version)
        combo = await desktop.until(
            lambda app=app: desktop.find(app, role="combo_box"), lambda found: found[0] if found else None, "a combo box"
        )
        await desktop.set_value(combo, "blue")
        await app.says("combo", "blue")
        await desktop.set_value(await desktop.element(app, role="list", title="Rows"), "gamma")
        await app.says("row", "gamma")
        tabs = (await desktop.find(app, role="tab_list"))[0]
        reply = await desktop.set_value(tabs, "About")
        assert reply["element"]["title"] == "About", reply
        await app.says("tab", "About")
        await desktop.set_value(await desktop.element(app, role="group", title="Size"), "medium")
        await app.says("radio", "medium")
        # A mark alone would not tell the program that somebody clicked.
        await app.says("clicked", "medium")
        await desktop.press(app, role="check_box", title="Bold")
        await app.says("action", True)


async def menus_of_gtk3(desktop: Desktop) -> None:
    app = await desktop.apps.own("choices_gtk3.py")
    await desktop.element(app, role="menu", title="File")
    await chooses(desktop, app, "File > Save As...", "Save _As…")
    await chooses(desktop, app, "_file > recent > two.txt", "two.txt")
    for path, kind, told in [
        ("File > Nope", "element_not_found", '"New", "Save As…"'),
        ("File > Send", "disabled", "Send"),
        ("Twice > Same", "ambiguous", "2 items"),
        ("Nope > New", "element_not_found", '"File", "Twice", "Built"'),
    ]:
        error = await desktop.refused("select_menu", app=app.pid, path=path)
        assert error["error_type"] == kind and told in error["message"], error
        await desktop.until(lambda: shown_items(desktop, app), lambda items: not items, f"{path} closed")
    for _ in range(3):
        await chooses(desktop, app, "Built > Second", "Second")


async def an_item_that_waits_for_a_dialog_freezes_nothing(desktop: Desktop) -> None:
    """The dialog is run by a main loop of its own, and the next keys are a person's."""
    app = await desktop.apps.own("choices_gtk3.py")
    await desktop.element(app, role="menu", title="File")
    reply = await desktop.call("select_menu", app=app.pid, path="File > Rename…")
    assert "Rename" in reply.content[0].text, reply
    await app.says("dialog", "open")
    await look.run("xdotool", "type", "ab")
    await look.run("xdotool", "key", "Return")
    await app.says("dialog", "ab")
    await chooses(desktop, app, "File > New", "_New")


async def menus_of_qt_and_gtk4(desktop: Desktop) -> None:
    for program, arguments, menu, chosen in [
        ("choices_qt.py", ["5"], "File", "Save As…"),
        ("choices_qt.py", ["6"], "File", "Save As…"),
        ("choices_gtk4.py", [], "Menu", "save"),
    ]:
        app = await desktop.apps.own(program, *arguments)
        await desktop.until(lambda app=app: desktop.find(app, title=menu), lambda found: found or None, menu)
        await chooses(desktop, app, f"{menu} > Save As...", chosen)
        await chooses(desktop, app, f"{menu} > Recent > two.txt", "two" if menu == "Menu" else "two.txt")
        error = await desktop.refused("select_menu", app=app.pid, path=f"{menu} > Send")
        assert error["error_type"] == "disabled", error
        error = await desktop.refused("select_menu", app=app.pid, path=f"{menu} > Nope")
        assert error["error_type"] == "element_not_found" and "Save As…" in error["message"], error


async def a_menu_of_qt_closes_when_its_item_is_clicked(desktop: Desktop) -> None:
    for version in ("5", "6"):
        app = await desktop.apps.own("choices_qt.py", version)
        for title in ("Edit", "Undo"):
            await desktop.until(
                lambda app=app, title=title: desktop.find(app, role="menu_item", title=title),
                lambda found: next((item for item in found if "visible" in item["states"]), None),
                title,
            )
            await desktop.call("click_element", element_id=(await desktop.element(app, role="menu_item", title=title))["id"])
        await app.says("menu", "Undo")
        # An open menu would take the key.
        await look.run("xdotool", "key", "Down")
        await app.says("combo", "green")


async def an_option_of_a_row_of_adwaita(desktop: Desktop) -> None:
    """Closed, it has the shown option alone."""
    app = await desktop.apps.own("choices_adw.py")
    row = await desktop.element(app, role="combo_box", title="Ring Duration")
    for value in ["15 minutes", "1 minute"]:
        await desktop.set_value(row, value)
        await app.says("ring", value)
    error = await desktop.refused("set_value", element_path=row["id"], value="an hour")
    assert '"20 minutes"' in error["message"], error


async def menus_of_an_editor(desktop: Desktop) -> None:
    """Mousepad: what the menu did is read by another client of the bus."""
    app = await desktop.apps.start("mousepad")
    await desktop.until(lambda: desktop.find(app, role="menu", title="Help"), lambda found: found or None, "Help")
    reply = await desktop.call("select_menu", app=app.pid, path="Help > About")
    assert 'Dialog "About Mousepad" opened' in reply.content[0].text, reply
    assert await look.node(app.pid, "dialog", "About Mousepad")


async def shown_items(desktop: Desktop, app) -> list:
    items = await desktop.find(app, role="menu_item")
    return [item["title"] for item in items if "visible" in item["states"]]


async def chooses(desktop: Desktop, app, path: str, said: str) -> None:
    """Chooses an item; the application says that it was, once more than before, and no menu stays open."""
    before = len(app.said("menu"))
    await desktop.call("select_menu", app=app.pid, path=path)
    for _ in range(100):
        if len(app.said("menu")) > before:
            break
        await asyncio.sleep(0.05)
    assert app.said("menu")[before:] == [said], app.said("menu")


SCENARIOS = [
    options_rows_tabs_and_radio_buttons_of_gtk3,
    a_long_list_of_options_is_told_in_part,
    an_option_far_down_a_long_list_is_chosen,
    options_tabs_and_radio_buttons_of_gtk4,
    options_of_qt,
    menus_of_gtk3,
    an_item_that_waits_for_a_dialog_freezes_nothing,
    menus_of_qt_and_gtk4,
    a_menu_of_qt_closes_when_its_item_is_clicked,
    an_option_of_a_row_of_adwaita,
    menus_of_an_editor,
]
