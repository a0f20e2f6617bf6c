"""The pointer by element: right click, double click, hover, drag, wheel. What it did is what the application says."""

import look
from applications import Application
from desktop import Desktop


async def a_right_click_opens_the_menu(desktop: Desktop) -> None:
    app = await desktop.apps.own("form_gtk3.py")
    greet = await desktop.element(app, role="button", title="Greet")
    reply = await desktop.call("right_click", element_id=greet["id"])
    await app.says("menu", "open")
    # On Wayland nobody tells of popups.
    assert not look.on_x() or "opened" in reply.content[0].text, reply
    await desktop.person_presses("Escape")


async def a_double_click_opens_a_row(desktop: Desktop) -> None:
    app = await desktop.apps.own("choices_gtk3.py")
    row = await desktop.element(app, role="cell", title="Cleo")
    await desktop.call("double_click", element_id=row["id"])
    await app.says("opened", "Cleo")


async def a_tooltip_comes_up(desktop: Desktop) -> None:
    app = await desktop.apps.own("choices_gtk3.py")
    button = await desktop.element(app, role="button", title="Take me")
    reply = await desktop.call("hover", element_id=button["id"])
    box = button["bounds"]
    x, y = await look.pointer()
    assert box["left"] <= x < box["right"] and box["top"] <= y < box["bottom"], (x, y, box)
    assert "ooltip" in reply.content[0].text, reply


async def what_is_dragged_is_dropped_on_the_element(desktop: Desktop) -> None:
    app = await desktop.apps.own("choices_gtk3.py")
    source = await desktop.element(app, role="button", title="Take me")
    place = await desktop.element(app, role="button", title="Drop here")
    await desktop.call("drag", element_id=source["id"], to_element_id=place["id"])
    await app.says("dropped", "taken")


async def what_is_dragged_goes_to_another_window(desktop: Desktop) -> None:
    """Between two applications, each of which says what became of it."""
    first = await desktop.apps.own("choices_gtk3.py")
    source = await desktop.element(first, role="button", title="Take me")
    second = await desktop.apps.own("choices_gtk3.py")
    await desktop.element(second, role="button", title="Drop here")
    await desktop.call("window_action", app=second.pid, action="move", x=1000, y=100)
    await desktop.call("window_action", app=first.pid, action="move", x=100, y=100)
    place = await desktop.element(second, role="button", title="Drop here")
    source = await desktop.element(first, role="button", title="Take me")
    await desktop.call("drag", element_id=source["id"], to_element_id=place["id"])
    await second.says("dropped", "taken")
    assert not first.said("dropped")


async def the_wheel_turns_where_it_is_told(desktop: Desktop) -> None:
    app = await desktop.apps.own("long_list.py", "list")
    row = await desktop.until(
        lambda: desktop.find(app, role="list_item"), lambda found: found[0] if found else None, "a row"
    )
    before = row["bounds"]["top"]
    await desktop.call("scroll", direction="down", element_id=row["id"])

    async def moved() -> int:
        found = await desktop.find(app, role="list_item")
        now = [one["bounds"] for one in found if one["id"] == row["id"]]
        # What is out of view has no size.
        return now[0]["top"] if now and now[0]["top"] < now[0]["bottom"] else before - 1

    await desktop.until(moved, lambda top: top < before, "the list scrolled")


async def a_field_on_a_page_of_tabs_is_reached(desktop: Desktop) -> None:
    """GTK 3 has the page inside of its tab, far below which it is shown. The icon in the field gets a real event."""
    app = await desktop.apps.own("choices_gtk3.py")
    await desktop.set_value(await desktop.element(app, role="tab_list", title="Pages"), "Find")
    await app.says("tab", "Find")
    field = await desktop.element(app, role="text_field", title="Search")
    await desktop.call("click_element", element_id=field["id"])
    await desktop.call("input_text", element_id=field["id"], text="plum")
    await app.says("search", "plum")
    icon = await desktop.element(app, role="icon", title="edit-find")
    for press in ("click_element", "perform_action"):
        before = len(app.said("icon"))
        named = {"element_id": icon["id"]} if press == "click_element" else {"element_path": icon["id"], "action": "activate"}
        await desktop.call(press, **named)
        await desktop.until(lambda: said(app, "icon", before), lambda new: new, "the icon is pressed")
    assert all(app.said("icon")), app.said("icon")


async def said(app: Application, event: str, before: int) -> list:
    return app.said(event)[before:]


SCENARIOS = [
    a_field_on_a_page_of_tabs_is_reached,
    a_right_click_opens_the_menu,
    a_double_click_opens_a_row,
    what_is_dragged_is_dropped_on_the_element,
    the_wheel_turns_where_it_is_told,
]
if look.on_x():
    SCENARIOS += [a_tooltip_comes_up]
# On GNOME windows are not moved apart, and nobody tells two of one size apart.
if not look.on_gnome():
    SCENARIOS += [what_is_dragged_goes_to_another_window]
