"""Whether an application is well after it was driven: it answers a person and the bus, has not grown, and rests."""

import asyncio
import os
import re
import time
from pathlib import Path

import look
from applications import Application

# What an application may grow by in a task, in MB.
GROWTH = 200
# Seconds after the last call until it must rest, and for which it is then watched.
REST_AFTER, WATCHED = 5.0, 2.0
# The part of one processor it may take meanwhile; one that went astray takes all of it.
RESTING = 0.5
# A key that changes nothing in any application, yet goes the way of every key.
NO_EFFECT = "Shift_L"
TICKS = os.sysconf("SC_CLK_TCK")


class Health:
    """An application watched from here on, with all the processes it started."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self.before = self.memory()

    def processes(self) -> list[Path]:
        """Its processes: those of its process group, which is named in the field after the state and the parent."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            fields = stat_of(folder)
            if fields and int(fields[2]) == self.app.process.pid:
                found.append(folder)
        return found

    def memory(self) -> float:
        """What they hold in memory together, in MB; what several share is counted once."""
        return sum(held_by(folder) for folder in self.processes()) / 1e3

    def processor(self) -> float:
        """The processor time they took so far, in seconds."""
        fields = [stat_of(folder) for folder in self.processes()]
        return sum(int(each[11]) + int(each[12]) for each in fields if each) / TICKS

    async def answers(self) -> None:
        """A key by another program than ours does not freeze it, and the bus has an answer of it."""
        await look.run("xdotool", "key", NO_EFFECT)
        assert self.app.process.poll() is None, f"it ended with status {self.app.process.returncode}"
        await look.answers(self.app.pid)

    def has_not_grown(self) -> None:
        grown = self.memory() - self.before
        assert grown < GROWTH, f"it grew by {grown:.0f} MB, from {self.before:.0f} MB"

    async def rests(self) -> None:
        """Some time after the last call it takes the processor no more."""
        await asyncio.sleep(REST_AFTER)
        begun, taken = time.monotonic(), self.processor()
        await asyncio.sleep(WATCHED)
        share = (self.processor() - taken) / (time.monotonic() - begun)
        assert share < RESTING, f"it takes {share:.0%} of a processor for nothing"

    async def is_good(self) -> None:
        """All of it, for an application on the accessibility bus."""
        await self.rests()
        await self.answers()
        self.has_not_grown()


def held_by(folder: Path) -> int:
    """What a process holds in memory, in kB, of what it shares only its part; nothing when it is gone."""
    try:
        found = re.search(r"^Pss: +(\d+)", (folder / "smaps_rollup").read_text(), re.MULTILINE)
    except OSError:
        return 0
    return int(found[1]) if found else 0


def stat_of(folder: Path) -> list[str] | None:
    """What the kernel tells of a process, from its state on; nothing when it is gone or only its name is left."""
    try:
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else fields
