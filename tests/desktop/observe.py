"""Changes told as they happen, of an application that changes by the clock and says when."""

import asyncio

from desktop import Desktop

# Seconds until the first change and between changes, and in which all of them fall.
START, STEP, ALL = 2.0, 0.3, 6.0


async def every_sort_of_change(desktop: Desktop) -> None:
    """Value, title, focus, children, and a window that opens and closes; then the time simply runs out."""
    app = await desktop.apps.own("clock.py", str(START), str(STEP))
    told = await desktop.observe(app, ALL)
    changed = app.said("changed")
    assert changed == ["text", "value", "title", "focus", "child", "opened", "closed"], changed
    kinds = [event["type"] for event in told["events"]]
    for kind in ["value_changed", "focus_changed", "window_created", "window_destroyed", "title_changed"]:
        assert kind in kinds, (kind, told)
    assert "children_changed" in kinds, told
    assert told["timedOut"] is True, told
    assert "07:30" in [event.get("element", {}).get("value") for event in told["events"]], told
    assert "Clock 07:30" in [event.get("title") for event in told["events"]], told


async def application_that_quits(desktop: Desktop) -> None:
    """The call ends when the application does, long before its time is up."""
    app = await desktop.apps.own("clock.py", "0.5", "0.1", "quit")
    told = await desktop.observe(app, 30)
    assert told["events"][-1]["type"] == "app_quit", told
    assert await asyncio.to_thread(app.process.wait, 5) == 0


async def what_other_tools_do_is_seen(desktop: Desktop) -> None:
    """While one call observes, others act, and what they did is told."""
    app = await desktop.apps.own("form_gtk3.py")
    agree = await desktop.element(app, role="checkbox", title="Agree")
    observing = asyncio.create_task(desktop.observe(app, 2))
    await asyncio.sleep(0.5)
    await desktop.perform(agree, "press")
    await app.says("agreed", True)
    told = await observing
    assert agree["id"] in [event.get("element", {}).get("id") for event in told["events"]], told


async def nothing_happens(desktop: Desktop) -> None:
    """A quiet application gives an empty list, not an error."""
    app = await desktop.apps.own("titles.py")
    told = await desktop.observe(app, 1)
    assert told["events"] == [], told


SCENARIOS = [every_sort_of_change, application_that_quits, what_other_tools_do_is_seen, nothing_happens]
