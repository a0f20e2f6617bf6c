"""Applications that hang, die or share a name, and a session without an accessibility bus."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from applications import Application
from desktop import Desktop, Element
from mcp import Client, StdioServerParameters

# Seconds that no call may take, whatever the application does: the longest limit of a tool, and some to spare.
NEVER_LONGER = 12.0
# Seconds that calls on other applications may take meanwhile.
STILL_FAST = 2.0


async def hung_application(desktop: Desktop) -> None:
    """Every tool on a stopped application ends, tools on another stay fast, and all is well once it goes on."""
    hung, other = await desktop.apps.own("form_gtk3.py"), await desktop.apps.start("galculator")
    field = await desktop.element(hung, role="text_field", title="Name")
    greet = await desktop.element(hung, role="button", title="Greet")
    hung.signal(signal.SIGSTOP)
    await asyncio.gather(every_tool_ends(desktop, hung, field, greet), others_stay_fast(desktop, other))
    hung.signal(signal.SIGCONT)
    await desktop.set_value(field, "awake")
    await desktop.perform(greet, "press")
    await hung.says("greeted", "awake")


async def every_tool_ends(desktop: Desktop, hung: Application, field: Element, greet: Element) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("get_ui_tree", {"app": hung.pid}),
        ("find_element", {"app": hung.pid, "title": "Greet"}),
        ("get_focused_element", {"app": hung.pid}),
        ("list_windows", {"app": hung.pid}),
        ("perform_action", {"element_path": greet["path"], "action": "press"}),
        ("set_value", {"element_path": field["path"], "value": "asleep"}),
        ("click_element", {"element_id": greet["id"]}),
        ("set_text", {"element_id": field["id"], "text": "asleep"}),
        ("wait_for_element", {"by": "text", "value": "no such text", "timeout": 1000}),
    ]
    for tool, arguments in calls:
        begun = time.monotonic()
        result = await desktop.answer(tool, **arguments)
        took = time.monotonic() - begun
        assert took < NEVER_LONGER, f"{tool} took {took:.1f} s"
        assert tool in {"list_windows", "wait_for_element"} or told_of_it(result), f"{tool}: {result}"


def told_of_it(result: Any) -> bool:
    """Either an error of a sort that fits, or part of the answer with the word that it is a part."""
    answer = result.structured_content
    if result.is_error:
        return answer["error_type"] in {"timeout", "action_failed", "disconnected"} and bool(answer["guidance"])
    return bool(answer.get("reason") or answer.get("note"))


async def others_stay_fast(desktop: Desktop, other: Application) -> None:
    for _ in range(10):
        begun = time.monotonic()
        await desktop.json("get_ui_tree", app=other.pid)
        await desktop.press(other, role="toggle button", title="7")
        took = time.monotonic() - begun
        assert took < STILL_FAST, f"{took:.1f} s for a look and a press on an application that is well"
        await asyncio.sleep(0.2)


async def killed_in_the_middle_of_a_call(desktop: Desktop) -> None:
    """A call under way gets a structured error at once, and the next one learns that it is not running."""
    app = await desktop.apps.own("form_gtk3.py")
    greet = await desktop.element(app, role="button", title="Greet")
    app.signal(signal.SIGSTOP)
    calls = [
        asyncio.create_task(desktop.answer("get_ui_tree", app=app.pid)),
        asyncio.create_task(desktop.answer("perform_action", element_path=greet["path"], action="press")),
    ]
    await asyncio.sleep(0.3)
    begun = time.monotonic()
    app.signal(signal.SIGKILL)
    for call in calls:
        result = await call
        assert result.is_error and result.structured_content["error_type"] and result.structured_content["message"], result
    assert time.monotonic() - begun < STILL_FAST, "the calls waited for an application that was dead"
    app.process.wait()
    error = await desktop.refused("get_ui_tree", app=app.pid)
    assert str(app.pid) in error["message"], error


async def two_of_one_name(desktop: Desktop) -> None:
    """A name that fits two applications is refused with both processes named; each process is then accepted."""
    both = [await desktop.apps.start("galculator") for _ in range(2)]
    error = await desktop.refused("get_ui_tree", app="galculator")
    told = f"{error['message']} {error.get('candidates')}"
    assert all(str(app.pid) in told for app in both), error
    for app in both:
        await desktop.json("get_ui_tree", app=str(app.pid))


async def name_that_does_not_run(desktop: Desktop) -> None:
    """The error names what does run."""
    app = await desktop.apps.start("galculator")
    error = await desktop.refused("find_element", app="galkulator", title="7")
    assert "galculator" in str(error) and error["guidance"], error
    assert error["app"] == "galkulator", error
    assert (await desktop.json("get_ui_tree", app="GALCULATOR"))["app"]["pid"] == app.pid


async def no_session_bus(_: Desktop) -> None:
    """Without a session the tools say what is missing and what to do."""
    await denied(DBUS_SESSION_BUS_ADDRESS=f"unix:path={os.environ['XDG_RUNTIME_DIR']}/no-such-bus")


async def no_accessibility_bus(_: Desktop) -> None:
    """A session that knows no accessibility bus is told apart from an empty one."""
    with bare_bus() as address:
        await denied(DBUS_SESSION_BUS_ADDRESS=address)


async def denied(**environment: str) -> None:
    command, *arguments = sys.argv[2:]
    # The X server knows the accessibility bus too, and is not to be asked.
    surroundings = {key: value for key, value in os.environ.items() if key != "DISPLAY"} | environment
    async with Client(StdioServerParameters(command=command, args=arguments, env=surroundings)) as client:
        desktop = Desktop(client)
        for tool, asked in [("get_ui_tree", {"app": "galculator"}), ("list_windows", {}), ("get_focused_element", {})]:
            error = await desktop.refused(tool, **asked)
            assert error["error_type"] == "permission_denied" and error["guidance"], error


@contextmanager
def bare_bus():
    """A session bus that can start nothing."""
    folder = Path(os.environ["XDG_RUNTIME_DIR"])
    config = folder / "bare-bus.conf"
    config.write_text(
        f"<busconfig><type>session</type><listen>unix:path={folder}/bare-bus</listen>"
        '<policy context="default"><allow send_destination="*"/><allow own="*"/></policy></busconfig>'
    )
    command = ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address=1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as bus:
        try:
            yield bus.stdout.readline().strip()
        finally:
            bus.terminate()


SCENARIOS = [
    hung_application,
    killed_in_the_middle_of_a_call,
    two_of_one_name,
    name_that_does_not_run,
    no_session_bus,
    no_accessibility_bus,
]
