"""The app as its user, the system and a client meet it: settings pressed, the service switched, the server killed.

Usage: app.py SERIAL APP_HOME    SERIAL is the demo phone, whose app_process runs the app; APP_HOME the app's folder
"""

import asyncio
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import agent
import apps
import httpx2
import lists
import real_adb
import steps
import system
import touch
import truth
from adb import Adb
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from phone import Phone

# Seconds something may take to come about, and between two looks.
WITHIN = 40.0
LOOK_EVERY = 0.1
# Milliseconds between two pictures that Android gives an app, from Android 12 on and before; pictures that are taken.
PICTURE_EVERY = [333, 1000]
PICTURES = 3

TOOLS = set((Path(__file__).parent.parent / "clients" / "tools.txt").read_text().split())
# What an app cannot do is not offered.
ABSENT = {"get_clipboard", "get_device_logs", "list_apps", "open_app", "close_app"}
# Scenarios of the phone that need one of those, or are about the shell.
NOT_HERE = {
    apps.non_ascii_text_is_refused,
    apps.opened_and_closed,
    agent.any_text_and_the_clipboard,
    system.logs,
    steps.a_note_is_written_in_one_call,
    steps.a_run_ends_where_it_goes_another_way,
    steps.a_crash_is_told_with_its_evidence,
    steps.a_secret_is_written_and_never_told,
}
OFF = "accessibility service is switched off"
# What `doctor --self-test` tries on a phone.
SELF_TEST_STEPS = 17


class App:
    """The app's process on the phone, and the hand that uses it."""

    def __init__(self, serial: str) -> None:
        Adb(serial).shell("echo app > /data/local/tmp/fingertip-app.jar")
        command = "CLASSPATH=/data/local/tmp/fingertip-app.jar app_process / dev.fingertip.agent.Main --build 00"
        self.process = subprocess.Popen(
            ["adb", "-s", serial, "shell", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        )
        host, port = self.process.stdout.readline().strip().split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=WITHIN)
        self.lines = self.socket.makefile("rw", encoding="utf-8")

    def __call__(self, *words: str) -> Any:
        print(*words, file=self.lines, flush=True)
        return json.loads(self.lines.readline())

    def until(self, word: str, condition: Callable[[Any], Any]) -> Any:
        """Asks until the answer is as it should be."""
        end = time.monotonic() + WITHIN
        while not condition(answer := self(word)):
            assert time.monotonic() < end, f"{word}: {answer}"
            time.sleep(LOOK_EVERY)
        return answer

    def press(self, button: str) -> None:
        """As a person does, who waits until the screen shows it."""
        self.until("texts", lambda texts: button in texts)
        self("press", button)

    def end(self) -> None:
        self.socket.close()
        self.process.terminate()
        self.process.wait(WITHIN)


@asynccontextmanager
async def client_of(app: App, home: Path):
    """The official client, which trusts the certificate in the app's folder and nothing else."""
    status = app.until("status", bool)
    trust = ssl.create_default_context(cadata=(home / "tls" / "certificate.pem").read_text())
    headers = {"Authorization": f"Bearer {app('token')}"}
    async with (
        httpx2.AsyncClient(verify=trust, headers=headers, timeout=60) as http,
        Client(streamable_http_client(status["urls"][0], http_client=http)) as client,
    ):
        yield client


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def is_gone(pid: int) -> bool:
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return True


def eventually(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + WITHIN
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(LOOK_EVERY)


async def settings_and_a_first_start(app: App, home: Path, phone: Adb) -> None:
    texts = app("open")
    assert "The server is off." in texts and any("Allow restricted settings" in text for text in texts), texts
    app.press("Open the accessibility settings")
    assert app("opened") == "android.settings.ACCESSIBILITY_SETTINGS"
    app.press("Allow notifications")
    assert "Allow notifications" not in app("texts"), "what was granted is asked for again"
    app("type", "Port=80")
    app.press("Save the port")
    assert "1024" in app("error", "Port")
    app("type", f"Port={free_port()}")
    app.press("Save the port")
    token = app("token")
    assert len(token) == 64 and token not in str(app("texts")), "the token is shown without being asked for"
    app.press("Show or hide the token")
    assert token in app("texts")

    app.press("Start the server")
    status = app.until("status", bool)
    assert status["urls"][0].startswith("https://127.0.0.1:"), status
    app.until("notification", lambda text: text and "Serving, but" in text)
    assert app("texts") and app("code") > 100, "the code of the address is drawn"
    async with client_of(app, home) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == TOOLS - ABSENT, tools ^ (TOOLS - ABSENT)
        using = Phone(client)
        for tool, arguments in [("get_screen_state", {}), ("tap", {"x": 5, "y": 5}), ("press_home", {})]:
            error = await using.refused(tool, **arguments)
            assert error["error_type"] == "permission_denied" and OFF in error["message"], error
            assert "Accessibility" in error["guidance"], error
        app("service", "on")
        await using.home()
        assert "launcher" in phone.shell("dumpsys window | grep mCurrentFocus").lower()
        assert any("sees the screen" in text for text in app("texts"))


async def every_tool(app: App, home: Path, phone: Adb) -> None:
    """The scenarios of phones over adb, looked at from outside by adb where those do."""
    truth.compare_head = lambda *_, **__: None  # an app is not told the names of activities
    scenarios = [
        scenario
        for module in [apps, lists, touch, system, steps, agent, truth]
        for scenario in module.SCENARIOS
        if scenario not in NOT_HERE
    ] + [real_adb.rotation]
    failed = []
    async with client_of(app, home) as client:
        using = Phone(client, phone)
        for scenario in scenarios:
            try:
                await using.fresh()
                await scenario(using)
            except AssertionError:
                traceback.print_exc()
                failed.append(scenario.__name__)
            assert app("fingers") == 0, f"{scenario.__name__} left a finger on the screen"
        await clipboard_and_keys(app, using, phone)
        left = TOOLS - ABSENT - using.record.called
        assert not failed and not left, f"failed: {failed}, never called: {left}"
        told = [reply for reply in using.record.replies if apps.SECRET in reply]
        assert not told, told
    print(f"ok app {len(scenarios)} scenarios of the phone", flush=True)


async def clipboard_and_keys(app: App, using: Phone, phone: Adb) -> None:
    await using.open("Calculator", "com.android.calculator2")
    keys = ['"7"', '"+"', '"3"', '"="']
    pressed = [{"tool": "click_element", "arguments": {"element_id": f"button {key}"}} for key in keys]
    await using.call("run_steps", steps=pressed)
    await using.call("verify_state", conditions=[{"element": '"10"'}])
    text = "שלום 👋 from the app"
    await using.call("set_clipboard", text=text)
    assert app("clipboard") == text, "as the phone itself has it"
    await using.home()
    error = await using.refused("press_key", key="F5")
    assert "only in a text field" in error["message"], error
    await using.open("Contacts", "com.android.contacts")
    await using.click(res_id="floating_action_button")
    await using.click(res_id="first_name")
    row = await using.see(res_id="first_name")
    await using.call("input_text", text="Ada")
    await using.call("press_key", key="DEL")
    await using.see(res_id="first_name", text="Ad")
    dump = phone.bytes("exec-out", "uiautomator", "dump", "/dev/tty").decode()
    assert 'text="Ad"' in dump, dump
    await using.call("set_text", element_id=row.id, text="é👋")
    await using.see(res_id="first_name", text="é👋")
    await using.home()


async def pictures_wait_for_their_turn(app: App, home: Path, phone: Adb) -> None:
    async with client_of(app, home) as client:
        using = Phone(client)
        for every in PICTURE_EVERY:
            app("picture-every", str(every))
            begun = time.monotonic()
            for _ in range(PICTURES):
                result = await using.call("get_screen_state", include_screenshot=True)
                assert any(part.type == "image" for part in result.content)
            least = (PICTURES - 1) * every / 1000
            assert time.monotonic() - begun >= least, "Android would not have given them so soon"
        assert app("too-soon") > 0, "the limit was not met"
        app("picture-every", str(PICTURE_EVERY[0]))
        app("secure", "on")
        error = await using.refused("get_screen_state", include_screenshot=True)
        assert error["error_type"] == "permission_denied" and "forbids pictures" in error["message"], error
        app("secure", "off")


async def a_service_switched_off_and_on(app: App, home: Path, phone: Adb) -> None:
    async with client_of(app, home) as client:
        using = Phone(client)
        await using.home()
        app("service", "off")
        assert OFF in (await using.refused("press_recents"))["message"]
        assert "launcher" in phone.shell("dumpsys window | grep mCurrentFocus").lower()
        app.until("notification", lambda text: text and "Serving, but" in text)
        app("service", "on")
        await using.open("Calculator", "com.android.calculator2")
        # Changes are reported again too.
        assert (await using.json("wait_for_idle", timeout=5000)) is not None


async def a_killed_server_comes_back(app: App, home: Path, phone: Adb) -> None:
    first = app("status")["pid"]
    os.kill(first, signal.SIGKILL)
    status = app.until("status", lambda status: status and status["pid"] != first)
    assert is_gone(first)
    async with client_of(app, home) as client:
        await Phone(client).home()
    assert Path(f"/proc/{status['pid']}").exists()


async def one_that_always_dies_is_left_alone(app: App, home: Path, phone: Adb) -> None:
    dying = home / "dying"
    dying.write_text(f"#!/bin/sh\necho start >>{home}/starts\necho 'it cannot be' >&2\nexit 7\n")
    dying.chmod(0o755)
    told = app("loop", str(dying))
    assert told["starts"] == 5 and not told["on"], told
    assert "(7)" in told["failure"] and "it cannot be" in told["failure"], told


async def settings_changed_while_serving(app: App, home: Path, phone: Adb) -> None:
    before, token = app("status"), app("token")
    app("switch", "Only look, never touch")
    app.until("status", lambda status: status and status["pid"] != before["pid"])
    assert is_gone(before["pid"]), "the old server still runs"
    async with client_of(app, home) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert "get_screen_state" in tools and "tap" not in tools, tools
    reader = app("status")["pid"]
    app("switch", "Only look, never touch")
    app.until("status", lambda status: status and status["pid"] != reader)
    app("type", "Apps that are never touched, as packages with blanks between (com.bank.*)=com.android.calculator2")
    writer = app("status")["pid"]
    app.press("Save the apps")
    app.until("status", lambda status: status and status["pid"] != writer)
    async with client_of(app, home) as client:
        using = Phone(client)
        await using.open("Calculator", "com.android.calculator2")
        row = await using.see(res_id="digit_7")
        error = await using.refused("click_element", element_id=row.id)
        assert error["error_type"] == "refused" and error["app"] == "com.android.calculator2", error
        await using.home()
    blocking = app("status")["pid"]
    app.press("Make a new token (the old one is good for nothing then)")
    app.until("status", lambda status: status and status["pid"] != blocking)
    assert app("token") != token
    trust = ssl.create_default_context(cadata=(home / "tls" / "certificate.pem").read_text())
    async with httpx2.AsyncClient(verify=trust) as http:
        for old, code in [(token, 401), (app("token"), 200)]:
            ping = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
            accept = {"Accept": "application/json, text/event-stream"}
            answer = await http.post(app("status")["urls"][0], json=ping, headers={"Authorization": f"Bearer {old}"} | accept)
            assert (answer.status_code == 401) == (code == 401), answer
    assert any("click_element" in text for text in app("texts")), "calls are shown"
    app.press("Copy the certificate")
    assert app("clipboard") == (home / "tls" / "certificate.pem").read_text()


async def the_phone_is_tested(app: App, home: Path, phone: Adb) -> None:
    """The self-test of the program, by a button; the server serves before and after, and is off again if it was."""
    before = app("status")["pid"]
    for serves in (True, False):
        app.press("Test this phone")
        assert app("state").startswith("The test is running"), app("state")
        assert app("opened") == "android.settings.SETTINGS"
        # What the system does with that.
        phone.shell("am start -W -a android.settings.SETTINGS")
        app.until("state", lambda state: not state.startswith("The test is running"))
        report = "\n".join(app("report"))
        assert report.startswith("fingertip ") and "driver app" in report and "FAIL" not in report, report
        steps = [line for line in report.splitlines() if line.startswith("ok ")]
        assert len(steps) == SELF_TEST_STEPS, report
        assert "launcher" in phone.shell("dumpsys window | grep mCurrentFocus").lower(), "the test ends at home"
        assert "Copy the report" in app("texts")
        app.press("Copy the report")
        assert app("clipboard") == report
        if serves:
            status = app.until("status", lambda status: status and status["pid"] != before)
            assert is_gone(before), "the old server still runs"
            app.press("Stop the server")
            eventually(lambda: is_gone(status["pid"]), "the server still runs")
    assert app("state") == "The server is off." and app("status") is None, app("state")
    # What a phone answers that does not do as it is told is no success.
    app("service", "off")
    app.press("Test this phone")
    app.until("state", lambda state: not state.startswith("The test is running"))
    report = "\n".join(app("report"))
    assert "FAIL" in report and OFF in report and "steps failed" in report, report
    app("service", "on")
    app.press("Start the server")
    app.until("status", bool)


async def stopped_taken_and_booted(app: App, home: Path, phone: Adb) -> None:
    status = app("status")
    app("stop-notification")
    eventually(lambda: is_gone(status["pid"]), "the server still runs")
    assert app("status") is None and app("notification") is None and app("state") == "The server is off."
    app("boot")
    assert app("state") == "The server is off.", "it started with the phone without being told to"
    app("switch", "Start with the phone")
    with socket.socket() as taken:
        # Connections of the server that ended linger there.
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", status["port"]))
        taken.listen()
        app("boot")
        state = app.until("state", lambda state: "taken by another app" in state)
        assert str(status["port"]) in state, state
    app("boot")
    app.until("status", bool)


async def a_computer_starts_it(app: App, home: Path, phone: Adb) -> None:
    """What `fingertip phone install` sends once the app is there."""
    app.press("Stop the server")
    answer = json.loads(app("computer", "STATUS"))
    assert answer["urls"] == [] and answer["connected"] and not answer["failed"], answer
    assert json.loads(app("computer", "START network"))["connected"]
    answer = {}
    eventually(lambda: bool(answer.update(json.loads(app("computer", "STATUS"))) or answer["urls"]), "it serves")
    assert answer["urls"] == app("status")["urls"], answer
    assert f":{app('status')['port']}/mcp" in answer["urls"][0] and answer["state"].startswith("Serving at"), answer


async def nothing_outlives_the_app(app: App, home: Path, phone: Adb) -> None:
    pid = app("status")["pid"]
    app.end()
    eventually(lambda: is_gone(pid), "the server outlived its app")


async def main(serial: str, folder: str) -> None:
    home, phone, app = Path(folder), Adb(serial), App(serial)
    try:
        for part in [
            settings_and_a_first_start,
            every_tool,
            pictures_wait_for_their_turn,
            a_service_switched_off_and_on,
            a_killed_server_comes_back,
            one_that_always_dies_is_left_alone,
            settings_changed_while_serving,
            the_phone_is_tested,
            stopped_taken_and_booted,
            a_computer_starts_it,
            nothing_outlives_the_app,
        ]:
            begun = time.monotonic()
            await part(app, home, phone)
            print("ok app", part.__name__.replace("_", " "), f"{time.monotonic() - begun:.1f} s", flush=True)
    finally:
        app.process.kill()


asyncio.run(main(*sys.argv[1:]))
