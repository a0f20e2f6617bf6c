"""A form in Chromium, whose result stands in the title of the window, where the window manager reads it."""

import look
from desktop import Desktop


async def form(desktop: Desktop) -> None:
    """Text typed, box ticked, slider moved, list option chosen, result read."""
    app = await desktop.apps.browser("form.html")
    name = await desktop.element(app, role="text_field", title="Name")
    await desktop.call("input_text", element_id=name["id"], text="Eve ✓ 漢字")
    await desktop.press(app, role="checkbox", title="Gift wrap")
    await desktop.set_value(await desktop.element(app, role="slider", title="Amount"), 8)
    await choose(desktop, app, "Large")
    await desktop.press(app, role="button", title="Order")
    await look.until(look.window_titles, lambda titles: "Ordered: Eve ✓ 漢字, wrapped, 8, Large" in titles, "the order")
    result = await desktop.find(app, title="Ordered: Eve ✓ 漢字, wrapped, 8, Large")
    assert result, "the result is not on the page"


async def choose(desktop: Desktop, app, option: str) -> None:
    """Opens the list and picks an option of it."""
    await desktop.press(app, role="combo_box", title="Size")
    await desktop.perform(await desktop.element(app, title=option), "pick")


SCENARIOS = [form]
