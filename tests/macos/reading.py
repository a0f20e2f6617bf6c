"""The four tools that read, with every acceptance criterion of the document they come from."""

from mac import Mac

# Messages that a tree of a table of 100,000 rows may cost.
MOST_MESSAGES_OF_A_TABLE = 200


async def tools_are_offered(mac: Mac) -> None:
    tools = {tool.name for tool in (await mac.client.list_tools()).tools}
    seven = {
        "get_ui_tree", "find_element", "get_focused_element", "list_windows", "perform_action", "set_value", "observe_changes",
    }
    assert seven <= tools, seven - tools
    never = {"press_home", "press_recents", "open_notifications", "open_quick_settings", "get_device_logs", "pinch"}
    assert not never & tools, never & tools


async def missing_and_wrong_parameters(mac: Mac) -> None:
    for tool, arguments in [
        ("get_ui_tree", {}),
        ("find_element", {"title": "Save"}),
        ("get_ui_tree", {"app": "TextEdit", "depth": -1}),
        ("get_ui_tree", {"app": "TextEdit", "depth": "3"}),
        ("get_ui_tree", {"app": []}),
        ("find_element", {"app": "TextEdit", "max_results": 0}),
        ("list_windows", {"include_minimized": "yes"}),
        ("get_ui_tree", {"app": "TextEdit", "dept": 3}),
    ]:
        error = await mac.refused(tool, **arguments)
        assert error["error_type"] == "invalid_params", error


async def applications_by_name_pid_and_bundle(mac: Mac) -> None:
    pid = mac.model.app("Finder")["pid"]
    for app in ("Finder", "finder", pid, str(pid), "com.apple.finder"):
        tree = await mac.json("get_ui_tree", app=app)
        assert tree["app"]["pid"] == pid if isinstance(tree["app"], dict) else "Finder" in str(tree["app"]), tree["app"]
    error = await mac.refused("get_ui_tree", app="Foo")
    assert "Foo" in error["message"] and "not running" in error["message"] and error["guidance"], error
    assert error["app"] == "Foo", error


async def several_applications_of_similar_names(mac: Mac) -> None:
    """An exact match is preferred to a longer name."""
    mac.model.set("start", "Safari Technology Preview")
    tree = await mac.json("get_ui_tree", app="Safari")
    assert str(mac.model.app("Safari")["pid"]) in str(tree["app"]) or "Safari" in str(tree["app"]), tree["app"]
    other = await mac.json("get_ui_tree", app="Safari Technology Preview")
    assert other["app"] != tree["app"], other["app"]
    mac.model.set("quit", app="Safari Technology Preview")


def walk(node):
    yield node
    for child in node.get("children", []):
        yield from walk(child)


def all_of(tree) -> list:
    roots = tree["tree"] if isinstance(tree["tree"], list) else [tree["tree"]]
    return [node for root in roots for node in walk(root)]


async def trees(mac: Mac) -> None:
    """Three levels unless asked for more; roles, attributes and pages as asked."""
    shallow = all_of(await mac.json("get_ui_tree", app="TextEdit", depth=0))
    deep = all_of(await mac.json("get_ui_tree", app="TextEdit", depth=10))
    assert 0 < len(shallow) < len(deep), (len(shallow), len(deep))
    levels = [{}, {"depth": 2}, {"depth": 3}, {"depth": 4}]
    default, two, three, four = [all_of(await mac.json("get_ui_tree", app="Archive", **depth)) for depth in levels]
    assert [node["id"] for node in default] == [node["id"] for node in three], "three levels are the default"
    assert len(two) < len(three) < len(four), (len(two), len(three), len(four))
    page = next(node for node in deep if node.get("identifier") == "First Text View")
    assert (page["value"], page["nativeRole"]) == ("hello", "AXTextArea"), page
    buttons = all_of(await mac.json("get_ui_tree", app="TextEdit", depth=10, filter_roles=["AXButton"]))
    assert any(node.get("title") == "Save" for node in buttons), buttons
    assert all(node["role"] == "button" for node in buttons if node["role"] != "window"), buttons
    bare = all_of(await mac.json("get_ui_tree", app="TextEdit", depth=10, include_attributes=["title"]))
    assert all("bounds" not in node and "nativeRole" not in node for node in bare), bare
    first = await mac.json("get_ui_tree", app="TextEdit", depth=10, max_nodes=3)
    assert first["hasMoreResults"] and first["nextCursor"], first
    second = await mac.json("get_ui_tree", app="TextEdit", depth=10, max_nodes=3, cursor=first["nextCursor"])
    assert not {node["id"] for node in all_of(first)} & {node["id"] for node in all_of(second)}, second


async def searches(mac: Mac) -> None:
    found = await mac.json("find_element", app="TextEdit", title="SAVE", role="button")
    assert [element["title"] for element in found["elements"]] == ["Save"], found
    assert found["elements"][0]["path"].startswith("app("), found
    assert found["elements"][0]["identifier"] == "save-button", found
    by_identifier = await mac.json("find_element", app="TextEdit", identifier="First Text View")
    assert [element["value"] for element in by_identifier["elements"]] == ["hello"], by_identifier
    nothing = await mac.json("find_element", app="TextEdit", title="no such thing")
    assert nothing["elements"] == [] and nothing["resultCount"] == 0 and not nothing["hasMoreResults"], nothing
    rows = await mac.json("find_element", app="Archive", role="row")
    assert rows["resultCount"] == 20 == len(rows["elements"]) and rows["hasMoreResults"], "twenty are the default"
    limited = await mac.json("find_element", app="System Settings", role="radio_button", max_results=1)
    assert limited["resultCount"] == 1 and limited["hasMoreResults"], limited


async def focus(mac: Mac) -> None:
    system = await mac.json("get_focused_element")
    assert system["focused"] and system["element"]["identifier"] == "First Text View", system
    assert system["element"]["path"], system
    nobody = await mac.json("get_focused_element", app="System Settings")
    assert nobody["focused"] is False, nobody


async def windows(mac: Mac) -> None:
    every = (await mac.json("list_windows"))["windows"]
    by_title = {window["title"]: window for window in every}
    assert {"Untitled", "Documents", "Appearance", "Example Domain", "main.rs", "All Messages"} <= set(by_title), by_title
    front = by_title["Untitled"]
    assert front["frontmost"] and not front["minimized"] and "TextEdit" in str(front["app"]), front
    numbers = str(front)
    assert all(str(number) in numbers for number in (100, 80, 640, 480)), front
    assert "Notes.txt" not in by_title, by_title
    all_windows = (await mac.json("list_windows", app="TextEdit", include_minimized=True))["windows"]
    assert {window["title"]: window["minimized"] for window in all_windows} == {"Untitled": False, "Notes.txt": True}


async def values_of_every_kind(mac: Mac) -> None:
    """Attributed strings, data, nulls, errors and wrong types neither end the process nor hide the rest."""
    nodes = all_of(await mac.json("get_ui_tree", app="System Settings", depth=10))
    styled = next(node for node in nodes if node.get("identifier") == "styled")
    assert "Styled words" in str(styled), styled
    assert any(node.get("identifier") == "odd" for node in nodes), nodes
    assert "hunter2" not in str(nodes) and "\u2022\u2022" not in str(nodes), "a password was read out"
    slider = next(node for node in nodes if node["role"] == "slider")
    assert float(slider["value"]) == 0.5, slider


async def table_of_a_hundred_thousand_rows(mac: Mac) -> None:
    """Only rows in sight are read; no hidden one is made."""
    mac.model.set("reset_messages", app="Archive")
    tree = await mac.json("get_ui_tree", app="Archive", depth=10)
    app = mac.model.app("Archive")
    assert app["messages"] <= MOST_MESSAGES_OF_A_TABLE, app["functions"]
    assert app["hidden_rows_made"] == 0, app
    assert "Message 0" in str(tree) and "Message 27" in str(tree), "rows in sight are missing"
    assert "Message 5000" not in str(tree)
    found = await mac.json("find_element", app="Archive", value="Message 12")
    assert found["resultCount"] >= 1, found
    assert mac.model.app("Archive")["hidden_rows_made"] < 2000, mac.model.app("Archive")


async def cold_electron(mac: Mac) -> None:
    """The tree is asked for once; what is missing meanwhile is said; then it is there."""
    first = await mac.json("get_ui_tree", app="Code", depth=20)
    if "Run" not in str(first):
        assert first.get("reason"), f"an incomplete tree without a word: {first}"

    async def seen() -> bool:
        return "Run" in str(await mac.json("get_ui_tree", app="Code", depth=20))

    for _ in range(8):
        if await seen():
            break
    else:
        raise AssertionError("the page never came")
    assert mac.model.app("Code")["times_woken"] == 1, mac.model.app("Code")


SCENARIOS = [
    tools_are_offered, missing_and_wrong_parameters, applications_by_name_pid_and_bundle,
    several_applications_of_similar_names, trees, searches, focus, windows, values_of_every_kind,
    table_of_a_hundred_thousand_rows, cold_electron,
]
