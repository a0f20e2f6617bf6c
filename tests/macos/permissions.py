"""Permissions that are missing, said in words that help, and granted without a restart."""

from mac import Mac


async def accessibility(mac: Mac) -> None:
    mac.model.set("trusted", False)
    for tool, arguments in [
        ("get_ui_tree", {"app": "TextEdit"}),
        ("find_element", {"app": "TextEdit", "title": "Save"}),
        ("get_focused_element", {}),
        ("observe_changes", {"app": "TextEdit", "duration_ms": 200}),
    ]:
        error = await mac.refused(tool, **arguments)
        assert error["error_type"] == "permission_denied", error
        assert "Terminal" in str(error) and "Accessibility" in str(error), error
    mac.model.set("trusted", True)
    tree = await mac.json("get_ui_tree", app="TextEdit", depth=10)
    assert "Save" in str(tree), tree


async def page_of_a_later_macos(mac: Mac) -> None:
    mac.model.set("trusted", False)
    mac.model.set("os_version", 27)
    error = await mac.refused("get_ui_tree", app="TextEdit")
    assert "Device Control" in str(error), error
    mac.model.set("os_version", 15)
    mac.model.set("trusted", True)


async def screen_recording(mac: Mac) -> None:
    """Without it windows still have their titles, from the accessibility API, and a picture says what is missing."""
    mac.model.set("screen_recording", False)
    titles = {window["title"] for window in (await mac.json("list_windows"))["windows"]}
    assert {"Untitled", "Documents"} <= titles, titles
    answer = await mac.answer("get_screen_state", include_screenshot=True)
    assert not [part for part in answer.content if part.type == "image"], "a picture without permission"
    assert "Screen" in str(answer.content) and "Recording" in str(answer.content), answer.content
    mac.model.set("screen_recording", True)
    answer = await mac.call("get_screen_state", include_screenshot=True)
    assert [part for part in answer.content if part.type == "image"], answer.content


SCENARIOS = [accessibility, page_of_a_later_macos, screen_recording]
