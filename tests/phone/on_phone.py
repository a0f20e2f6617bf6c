"""A server on the phone itself, through the official Python client: started over adb, used with adb gone, ended again.

Usage: on_phone.py (demo | FOLDER) SERIAL FINGERTIP BINARY

The phone is a demo phone, or the other one (other_phone.py) with its files in FOLDER. FINGERTIP is this computer's program,
BINARY the one for the phone.
"""

import asyncio
import os
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx2
import other_phone
from adb import Adb
from adb import run as adb
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from phone import Phone

# Seconds one command may take, what was hung up until it is gone, and between two looks.
COMMAND_LIMIT = 120
GONE_WITHIN = 10.0
LOOK_EVERY = 0.1

Use = Callable[[Phone], Awaitable[None]]


class OnPhone:
    """`fingertip phone` for one phone."""

    def __init__(self, serial: str, fingertip: str) -> None:
        self.serial, self.fingertip = serial, fingertip

    def run(self, command: str, *words: str) -> str:
        line = [self.fingertip, "phone", command, "--serial", self.serial, *words]
        done = subprocess.run(line, capture_output=True, text=True, timeout=COMMAND_LIMIT, check=False)
        assert done.returncode == 0, f"{line}: {done.stdout} {done.stderr}"
        return done.stdout.strip()


def told(report: str, word: str) -> str:
    """What stands after a word of the report, in its line."""
    return next(line.removeprefix(word).strip() for line in report.splitlines() if line.startswith(word))


async def add_two_numbers(phone: Phone) -> None:
    await phone.open("Calculator", "com.android.calculator2")
    for key in ["digit_7", "op_add", "digit_3", "eq"]:
        await phone.click(res_id=key)
    await phone.see(text="10")
    await phone.home()


def press_the_button(folder: Path) -> Use:
    async def press(phone: Phone) -> None:
        button = await phone.see(text=other_phone.WORDS)
        await phone.call("click_element", element_id=button.id)
        left, top, right, bottom = other_phone.BUTTON
        _, x, y = (folder / "data" / "input").read_text().split()
        assert left <= int(x) < right and top <= int(y) < bottom, (x, y)

    return press


async def use(url: str, token: str, certificate: str, how: Use) -> None:
    """Uses the phone as a client on the network that trusts this certificate and nothing else."""
    trust = ssl.create_default_context(cadata=certificate)
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(verify=trust, headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        await how(Phone(client))


def runs(pid: int) -> bool:
    """Whether it does; programs of these phones are processes of this computer."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


async def main(which: str, serial: str, fingertip: str, binary: str) -> None:
    # What this computer's own server would use must not reach the phone's.
    os.environ.pop("FINGERTIP_TOKEN", None)
    on_phone, device, is_demo = OnPhone(serial, fingertip), Adb(serial), which == "demo"
    for driver in ["agent", "shell"] if is_demo else ["shell"]:
        report = on_phone.run("start", "--binary", binary, "--", "--driver", driver)
        url, token = told(report, "address:"), on_phone.run("token")
        certificate = on_phone.run("certificate")
        pid = int(report.split("process ")[1].split()[0])
        assert on_phone.run("status") == report

        device.shell(f"kill -HUP {pid}")
        # The other phone hangs up all that was started over a connection that ends.
        ordinary = None if is_demo else int(device.shell("sleep 1000 >/dev/null 2>&1 </dev/null & echo $!"))
        device.disconnect()
        adb("kill-server")
        await use(url, token, certificate, add_two_numbers if is_demo else press_the_button(Path(which)))
        print("ok", driver, "a client uses the phone's own server with adb gone", flush=True)

        device.connect()
        end = time.monotonic() + GONE_WITHIN
        while ordinary and runs(ordinary):
            assert time.monotonic() < end, "nothing was hung up"
            await asyncio.sleep(LOOK_EVERY)
        assert on_phone.run("status") == report, "the cable and SIGHUP change nothing"
        assert "listening on https://" in on_phone.run("logs")
        assert token not in on_phone.run("logs") + report
        assert "nothing of it is left" in on_phone.run("stop")
        assert not device.shell("ls -A /data/local/tmp"), "a file is left"
        assert not runs(pid), "a process is left"
        with socket.socket() as port:
            address = url.removeprefix("https://").removesuffix("/mcp").rsplit(":", 1)
            assert port.connect_ex((address[0], int(address[1]))) != 0, "a port is left"
        print("ok", driver, "nothing is left on the phone", flush=True)


asyncio.run(main(*sys.argv[1:]))
