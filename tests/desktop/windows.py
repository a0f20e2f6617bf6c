"""Windows, focus, and titles that need care in paths."""

import look
from desktop import Desktop, label

TITLES = ['Notes/2026 "final" 🙂', "Second window"]
BUTTONS = ["either/or", 'say "hi"', "tab\there", "line\nbreak", "back\\slash", "emoji 🙂 👩‍👩‍👧", "[0]"]


async def listed_as_the_window_manager_has_them(desktop: Desktop) -> None:
    """Several windows, two of one application, one minimized."""
    app = await desktop.apps.own("titles.py")
    other = await desktop.apps.start("galculator")
    first, second = await look.windows_of(app.pid)
    await look.run("xdotool", "windowminimize", "--sync", second)
    await look.until(lambda: look.is_hidden(second), lambda hidden: hidden, "a minimized window")

    both = (await desktop.json("list_windows", app=app.pid, include_minimized=True))["windows"]
    assert sorted(window["title"] for window in both) == TITLES, both
    assert [window["minimized"] for window in sorted(both, key=lambda window: window["title"])] == [False, True], both
    shown = (await desktop.json("list_windows", app=app.pid))["windows"]
    assert [window["title"] for window in shown] == TITLES[:1], shown

    everything = (await desktop.json("list_windows", include_minimized=True))["windows"]
    assert {window["pid"] for window in everything} == {app.pid, other.pid}, everything
    front = [window["title"] for window in everything if window["frontmost"]]
    assert front == [await look.active_title()], everything
    left, top, width, height = await look.place_of(first)
    window = shown[0]
    # Whether the frame the window manager draws belongs to a window is a matter of taste; the inside is inside either way.
    assert window["position"]["x"] <= left and window["position"]["y"] <= top, (window, left, top)
    assert abs(window["size"]["width"] - width) <= 20 and abs(window["size"]["height"] - height) <= 60, (window, width)


async def raised_from_behind(desktop: Desktop) -> None:
    """A window is brought to the front by the action of its own."""
    app = await desktop.apps.own("titles.py")
    front = await look.active_title()
    windows = (await desktop.json("list_windows", app=app.pid))["windows"]
    window = next(window for window in windows if window["title"] != front)
    behind = window["title"]
    await desktop.perform(window, "raise")
    await look.until(look.active_title, lambda title: title == behind, f"{behind} in front")


async def focus_follows_tab(desktop: Desktop) -> None:
    """Each Tab moves the focus, and the tool tells of the same element as pyatspi."""
    app = await desktop.apps.own("form_gtk3.py")
    await desktop.call("click_element", element_id=(await desktop.element(app, role="text_field", title="Name"))["id"])
    for name in ["Name", "Secret", "Volume"]:
        await look.until(lambda: look.focused(app.pid), lambda now: now and now["name"] == name, f"{name} with the focus")
        told = await desktop.json("get_focused_element", app=app.pid)
        assert told["focused"] and label(told["element"]) == name, told
        assert (await desktop.json("get_focused_element"))["element"]["id"] == told["element"]["id"]
        await desktop.call("press_key", key="TAB")


async def nothing_focused_is_no_error(desktop: Desktop) -> None:
    app = await desktop.apps.own("titles.py")
    for window in await look.windows_of(app.pid):
        await look.run("xdotool", "windowminimize", "--sync", window)
    told = await desktop.json("get_focused_element")
    assert told["focused"] is False and "element" not in told, told


async def awkward_titles_in_paths(desktop: Desktop) -> None:
    """A path finds exactly the button it was told for, in exactly its window."""
    app = await desktop.apps.own("titles.py")
    for position, title in enumerate(BUTTONS):
        found = await desktop.find(app, title=title, role="button")
        assert len(found) == 2, found
        for element in found:
            await desktop.perform(element, "press")
        pressed = app.said("pressed")[-2:]
        assert sorted(pressed) == [[window, position] for window in TITLES], (title, pressed)


async def two_buttons_of_one_title(desktop: Desktop) -> None:
    """Paths tell two buttons of one title apart."""
    app = await desktop.apps.own("titles.py")
    found = await desktop.find(app, title="Same", role="button")
    assert len({element["path"] for element in found}) == len(found) == 4, found
    for element in found:
        await desktop.perform(element, "press")
    assert sorted(app.said("pressed")) == [[title, place] for title in TITLES for place in (7, 8)], app.said("pressed")


SCENARIOS = [
    listed_as_the_window_manager_has_them,
    raised_from_behind,
    focus_follows_tab,
    nothing_focused_is_no_error,
    awkward_titles_in_paths,
    two_buttons_of_one_title,
]
