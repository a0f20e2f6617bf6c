"""The applications of a scenario: started, awaited on the accessibility bus, listened to, and ended again."""

import asyncio
import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import look

HERE = Path(__file__).parent
# Seconds until an application is on the accessibility bus; some never come and are started anew.
READY_WITHIN = 10
TRIES = 4
# Seconds until an application has said what it must say, and until it has ended.
SAID_WITHIN, ENDED_WITHIN = 5.0, 3.0
LISTEN_EVERY = 0.02


class Application:
    """One running application, with what it says of itself on standard output."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.output = Path(tempfile.mkstemp(suffix=".said")[1])
        self.errors = self.output.with_suffix(".errors")
        with self.output.open("w") as output, self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                env=environment,
                cwd=environment["HOME"],
                start_new_session=True,
            )
        # The process that shows itself: this one, or one that it started.
        self.pid = self.process.pid

    def said(self, event: str) -> list[Any]:
        """What it has said of such events, the newest last."""
        lines = [json.loads(line) for line in self.output.read_text().splitlines() if line.startswith("{")]
        return [line["value"] for line in lines if line["event"] == event]

    async def says(self, event: str, value: Any) -> None:
        """Listens until the newest event of this sort has this value."""
        end = time.monotonic() + SAID_WITHIN
        while (said := self.said(event))[-1:] != [value]:
            assert time.monotonic() < end, f"not said: {event} {value!r}; instead {said}"
            await asyncio.sleep(LISTEN_EVERY)

    def complaints(self, lines: int) -> list[str]:
        """The last lines it wrote to standard error; what it says many times, as each process of Firefox does, is told once."""
        said = [line for line in self.errors.read_text(errors="replace").splitlines() if line]
        return list(dict.fromkeys(reversed(said)))[:lines][::-1]

    def signal(self, number: signal.Signals) -> None:
        os.killpg(self.process.pid, number)

    def end(self) -> None:
        """Ends it with all that it started."""
        for number in [signal.SIGCONT, signal.SIGTERM, signal.SIGKILL]:
            try:
                self.signal(number)
                if number != signal.SIGCONT:
                    self.process.wait(ENDED_WITHIN)
            except ProcessLookupError:
                break
            except subprocess.TimeoutExpired:
                continue
        self.process.wait()
        self.output.unlink(missing_ok=True)
        self.errors.unlink(missing_ok=True)


class Applications:
    """All applications of a scenario."""

    def __init__(self) -> None:
        self.running: list[Application] = []

    async def start(self, *command: str, **environment: str) -> Application:
        """Starts one and waits until it is on the accessibility bus. Qt 5 at times never comes: then once more."""
        for _ in range(TRIES):
            application = Application(list(command), os.environ | environment)
            self.running.append(application)
            if shown := await look.arrives(application.pid, READY_WITHIN):
                application.pid = shown
                return application
            status = application.process.poll()
            assert status is None, f"{command} ended with status {status} instead of showing itself"
            application.end()
            self.running.remove(application)
        raise AssertionError(f"{command[0]} was not on the accessibility bus in {TRIES} tries of {READY_WITHIN} s")

    async def shown(self, title: str, *command: str) -> Application:
        """Starts one that never comes to the accessibility bus, and waits until a window of this title is in front."""
        application = Application(list(command), dict(os.environ))
        self.running.append(application)
        for _ in range(int(READY_WITHIN / LISTEN_EVERY)):
            if title in await look.window_titles() and await look.active_title() == title:
                return application
            await asyncio.sleep(LISTEN_EVERY)
        raise AssertionError(f"{command[0]} showed no window {title!r} within {READY_WITHIN} s")

    async def own(self, name: str, *arguments: str) -> Application:
        """Starts one of the applications under apps/."""
        return await self.start("/usr/bin/python3", str(HERE / "apps" / name), *arguments)

    async def browser(self, page: str) -> Application:
        """Starts Chromium on a page under apps/, alone in a profile of its own."""
        profile = tempfile.mkdtemp(dir=os.environ["HOME"])
        as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
        return await self.start(
            "chromium",
            *as_root,
            "--force-renderer-accessibility",
            # A keyring of the system, where there is one, asks for a password in a dialog.
            "--password-store=basic",
            "--no-first-run",
            "--no-default-browser-check",
            "--disable-gpu",
            f"--user-data-dir={profile}",
            "--app=" + (HERE / "apps" / page).as_uri(),
        )

    def end(self) -> None:
        while self.running:
            self.running.pop().end()
