"""Changes told as they happen, of an application that changes by the clock and says when."""

import asyncio

from desktop import Desktop

# Seconds until the first change and between changes, and in which all of them fall.
START, STEP, ALL = 2.0, 0.3, 5.0
EVERY_KIND = {"value_changed", "focus_changed", "window_created", "window_destroyed", "title_changed", "children_changed"}


async def every_sort_of_change(desktop: Desktop) -> None:
    """Value, title, focus, children, and a window that opens and closes; then the time simply runs out."""
    app = await desktop.apps.own("clock.py", str(START), str(STEP))
    told = await desktop.observe(app, ALL)
    changed = app.said("changed")
    assert changed == ["text", "value", "title", "focus", "child", "opened", "closed"], changed
    missing = EVERY_KIND - {event["kind"] for event in told["events"]}
    assert not missing, (missing, told)
    assert told["ended"] == "time", told
    assert "07:30" in [event.get("element", {}).get("value") for event in told["events"]], told
    titles = {(event["kind"], event.get("title")) for event in told["events"]}
    assert ("title_changed", "Clock 07:30") in titles, told
    assert {("window_created", "Alarm rings"), ("window_destroyed", "Alarm rings")} <= titles, told


async def application_that_quits(desktop: Desktop) -> None:
    """The call ends when the application does, long before its time is up."""
    app = await desktop.apps.own("clock.py", "0.5", "0.1", "quit")
    told = await desktop.observe(app, 30)
    assert told["ended"] == told["events"][-1]["kind"] == "app_quit", told
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
    changed = [event["element"]["id"] for event in told["events"] if event["kind"] == "value_changed"]
    assert agree["id"] in changed, told


async def only_what_was_asked_for(desktop: Desktop) -> None:
    """Kinds that were not asked for are not told, and the call ends with the number of events asked for."""
    app = await desktop.apps.own("clock.py", "1", "0.2")
    told = await desktop.observe(app, 20, kinds=["title_changed"], max_events=1)
    assert [event["kind"] for event in told["events"]] == ["title_changed"], told
    assert told["ended"] == "max_events" and told["hasMoreResults"] is True, told


async def nothing_happens(desktop: Desktop) -> None:
    """A quiet application gives an empty list, not an error."""
    app = await desktop.apps.own("titles.py")
    told = await desktop.observe(app, 1)
    assert told["events"] == [], told


SCENARIOS = [
    every_sort_of_change,
    application_that_quits,
    what_other_tools_do_is_seen,
    only_what_was_asked_for,
    nothing_happens,
]
