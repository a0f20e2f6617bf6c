"""A Wayland session: the tree and what elements do by themselves work; tools of pointer, keys and clipboard are not there."""

from applications import Application
from desktop import Desktop

NAME = "Zoë ✓ 漢字"
# Tools that need the X server, with something to ask for.
OF_THE_DISPLAY = {
    "tap": {"x": 10, "y": 10},
    "swipe": {"x1": 10, "y1": 10, "x2": 20, "y2": 20},
    "get_clipboard": {},
    "set_clipboard": {"text": "x"},
    "press_key": {"key": "ENTER"},
}


async def gtk3_form(desktop: Desktop) -> None:
    app = await desktop.apps.own("form_gtk3.py")
    await form(desktop, app)
    await checked(desktop, app)


async def gtk4_form(desktop: Desktop) -> None:
    """Check boxes of GTK 4 have no action of their own."""
    app = await desktop.apps.own("form_gtk4.py")
    await form(desktop, app)
    agree = await desktop.element(app, role="checkbox", title="Agree")
    error = await desktop.refused("perform_action", element_path=agree["id"], action="press")
    assert "Wayland" in error["message"], error


async def qt_form(desktop: Desktop) -> None:
    app = await desktop.apps.own("form_qt6.py")
    await form(desktop, app)
    await checked(desktop, app)


async def form(desktop: Desktop, app: Application) -> None:
    """A form is filled in by native actions; the application itself tells what it got."""
    field = await desktop.element(app, role="text_field", title="Name")
    after = await desktop.set_value(field, NAME)
    assert after["element"]["value"] == NAME and after["via"] == "native", after
    pressed = await desktop.press(app, role="button", title="Greet")
    assert pressed["via"] == "native" and pressed["changed"], pressed
    await app.says("greeted", NAME)
    tree = await desktop.json("get_ui_tree", app=app.pid, depth=20)
    assert not tree["hasMoreResults"] and tree["resultCount"] > 5, tree


async def checked(desktop: Desktop, app: Application) -> None:
    """A box is ticked, and both sides say so."""
    await desktop.press(app, role="checkbox", title="Agree")
    await app.says("agreed", True)
    assert await desktop.value(app, role="checkbox", title="Agree") is True


async def windows_of_two_applications(desktop: Desktop) -> None:
    """Windows are listed as their applications tell of them."""
    apps = [await desktop.apps.own("form_gtk3.py"), await desktop.apps.own("form_qt6.py")]
    for app in apps:
        await desktop.element(app, role="button", title="Greet")
    listed = (await desktop.json("list_windows"))["windows"]
    assert {window["pid"] for window in listed} >= {app.pid for app in apps}, listed
    assert all(window["title"] for window in listed), listed


async def what_needs_the_display_is_not_listed(desktop: Desktop) -> None:
    """Nor is it done when a client calls it all the same; the answer says why."""
    app = await desktop.apps.own("form_gtk3.py")
    field = await desktop.element(app, role="text_field", title="Name")
    into_the_field = {"input_text": {"element_id": field["id"], "text": NAME}}
    listed = {tool.name for tool in (await desktop.client.list_tools()).tools}
    assert {"click_element", "set_text", "get_screen_state", "perform_action"} <= listed, listed
    for tool, arguments in (OF_THE_DISPLAY | into_the_field).items():
        assert tool not in listed, tool
        answer = await desktop.answer(tool, **arguments)
        assert answer.is_error and "Wayland" in answer.content[0].text, f"{tool}: {answer}"
    picture = await desktop.answer("get_screen_state", include_screenshot=True)
    assert picture.is_error and "Wayland" in picture.content[0].text, picture
    assert await desktop.value(app, role="text_field", title="Name") in (None, "")


async def what_nobody_but_the_compositor_can_do_is_not_offered(desktop: Desktop) -> None:
    listed = {tool.name for tool in (await desktop.client.list_tools()).tools}
    assert {"list_apps", "open_app"} <= listed and not {"close_app", "window_action"} & listed, listed


SCENARIOS = [
    gtk3_form,
    gtk4_form,
    qt_form,
    windows_of_two_applications,
    what_needs_the_display_is_not_listed,
    what_nobody_but_the_compositor_can_do_is_not_offered,
]
