"""Thousands of rows: paged through without loss, searched, and brought into view."""

import look
from applications import Application
from desktop import Desktop

ROW = "Row 4321"
# More pages than any of these trees should need.
MOST_PAGES = 200
# How often a tree is asked for that could not be read to its end in time: the machine may be busy.
TRIES = 5


async def rows_of_a_list(desktop: Desktop) -> None:
    app = await desktop.apps.own("long_list.py", "list")
    await every_row_once(desktop, app, 4500)
    await found_and_brought_into_view(desktop, app)
    await app.says("selected", ROW)


async def cells_made_on_demand(desktop: Desktop) -> None:
    app = await desktop.apps.own("long_list.py", "table")
    await every_row_once(desktop, app, 4500)
    await found_and_brought_into_view(desktop, app)
    await app.says("selected", ROW)


async def page_in_a_browser(desktop: Desktop) -> None:
    app = await desktop.apps.browser("long_page.html")
    # The page is on the bus only some time after its window.
    await desktop.element(app, title=ROW)
    await every_row_once(desktop, app, 4600)
    await found_and_brought_into_view(desktop, app)
    await look.until(look.window_titles, lambda titles: f"Pressed {ROW}" in titles, f"{ROW} pressed")


async def cells_of_a_qt_table(desktop: Desktop) -> None:
    app = await desktop.apps.own("table_qt6.py")
    titles = await titles_of(desktop, app)
    for row in range(1, 501):
        for column in range(1, 5):
            assert titles.count(f"Cell {row} {column}") == 1, (row, column)


async def every_row_once(desktop: Desktop, app: Application, rows: int) -> None:
    titles = [title for title in await titles_of(desktop, app) if title.startswith("Row ")]
    assert titles == [f"Row {number}" for number in range(1, rows + 1)], describe(titles, rows)


def describe(titles: list[str], rows: int) -> str:
    lost = {f"Row {number}" for number in range(1, rows + 1)} - set(titles)
    return f"{len(titles)} rows; lost {sorted(lost)[:5]}; twice {sorted(t for t in titles if titles.count(t) > 1)[:5]}"


async def titles_of(desktop: Desktop, app: Application) -> list[str]:
    """The titles of all nodes, in order, page by page; no node comes twice."""
    arguments, titles, ids = {"app": app.pid, "depth": 50, "max_nodes": 1000}, [], set()
    page = await first_page(desktop, arguments)
    for _ in range(MOST_PAGES):
        for node in flat(page["tree"]):
            assert node["id"] not in ids, node
            ids.add(node["id"])
            titles.append(node.get("title", ""))
        assert page["hasMoreResults"] == ("nextCursor" in page), page.keys()
        if not page["hasMoreResults"]:
            return titles
        page = await desktop.json("get_ui_tree", **arguments, cursor=page["nextCursor"])
    raise AssertionError(f"more than {MOST_PAGES} pages")


async def first_page(desktop: Desktop, arguments: dict) -> dict:
    """The first page of a tree that was read to its end, which the others continue."""
    for _ in range(TRIES):
        page = await desktop.json("get_ui_tree", **arguments)
        if "reason" not in page:
            return page
    raise AssertionError(f"not read to its end in {TRIES} tries: {page['reason']}")


def flat(nodes: list[dict]) -> list[dict]:
    """The nodes of a tree in order."""
    return [inner for node in nodes for inner in [node, *flat(node.get("children", []))]]


async def found_and_brought_into_view(desktop: Desktop, app: Application) -> None:
    """The row is found, scrolled to, seen by pyatspi, and hit by a click where it is said to be."""
    row = await desktop.element(app, title=ROW)
    await desktop.call("scroll_to_element", element_id=row["id"])
    row = await desktop.element(app, title=ROW)
    window = await look.place_of((await look.windows_of(app.pid))[0])
    bounds = row["bounds"]
    x, y = (bounds["left"] + bounds["right"]) // 2, (bounds["top"] + bounds["bottom"]) // 2
    assert window[0] <= x < window[0] + window[2] and window[1] <= y < window[1] + window[3], (row, window)
    await desktop.call("tap", x=min(bounds["left"] + 20, x), y=y)


SCENARIOS = [rows_of_a_list, cells_made_on_demand, page_in_a_browser, cells_of_a_qt_table]
