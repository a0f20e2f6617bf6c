"""Windows of GTK 3, GTK 4 and Qt known by what replies tell, without a second look."""

import random

from applications import Application
from desktop import Desktop
from walk import Walk

STEPS = 40


async def gtk3_form(desktop: Desktop) -> None:
    await walked(desktop, await desktop.apps.own("form_gtk3.py"))


async def gtk4_form(desktop: Desktop) -> None:
    await walked(desktop, await desktop.apps.own("form_gtk4.py"))


async def qt_form(desktop: Desktop) -> None:
    await walked(desktop, await desktop.apps.own("form_qt6.py"))


async def gtk3_choices(desktop: Desktop) -> None:
    await walked(desktop, await desktop.apps.own("choices_gtk3.py"))


async def walked(desktop: Desktop, app: Application) -> None:
    """Clicks whatever there is, writes into fields, closes what opened."""
    random.seed(1)
    walk = Walk(desktop.answer, {"app": app.pid})
    await walk.begin()
    for _ in range(STEPS):
        way, field = random.random(), walk.any("text_field")
        if way < 0.2 and field:
            await walk.step("set_text", element_id=field, text=random.choice(["tea", "Ada 7", ""]))
        elif way < 0.3:
            await walk.step("press_key", key="ESCAPE")
        elif target := walk.any():
            await walk.step("click_element", element_id=target)
    assert walk.acted >= STEPS // 3, (walk.acted, walk.refused)


SCENARIOS = [gtk3_form, gtk4_form, qt_form, gtk3_choices]
