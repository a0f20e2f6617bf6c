"""The real adb program, for looking at a phone from the outside."""

import subprocess

# Seconds one command may take.
COMMAND_LIMIT = 20


class Adb:
    """One phone, by its serial. The server's port comes from the environment."""

    def __init__(self, serial: str) -> None:
        self.serial = serial

    def shell(self, command: str) -> str:
        """Runs a command on the phone and gives what it prints, without the last line end."""
        return self.bytes("shell", command).decode().rstrip("\n")

    def bytes(self, *arguments: str) -> bytes:
        """Runs adb for this phone and gives what it prints."""
        return run("-s", self.serial, *arguments)

    def connect(self) -> None:
        said = run("connect", self.serial).decode()
        assert "connected to" in said, said

    def disconnect(self) -> None:
        said = run("disconnect", self.serial).decode()
        assert "disconnected" in said, said


def run(*arguments: str) -> bytes:
    done = subprocess.run(["adb", *arguments], capture_output=True, timeout=COMMAND_LIMIT, check=False)
    assert done.returncode == 0, f"adb {arguments}: {done.stdout!r} {done.stderr!r}"
    return done.stdout
