"""A phone that shares no code with the demo phone: adbd's protocol, real processes and files, the shell of Android (mksh) and its
tools (toybox) as Debian has them. It shows one screen, and writes down what is put in.

Usage: other_phone.py make FOLDER     puts the phone's programs into FOLDER/system/bin
       other_phone.py serve           is the phone's adbd, where that folder is / (tests/static/inside.sh)

A shell whose stream ends is sent SIGHUP, as adbd does. When the connection ends this phone is rougher than that: all that
is left of what was started over it is sent SIGHUP, whatever session it has.
"""

import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path

CONNECT, OPEN, OKAY, CLOSE, WRITE = (int.from_bytes(name, "little") for name in (b"CNXN", b"OPEN", b"OKAY", b"CLSE", b"WRTE"))
# Of the protocol: one that asks for no checksums; the most bytes of a message.
VERSION, MOST = 0x01000001, 256 * 1024
BANNER = b"device::ro.product.name=other;ro.product.model=Other Phone;ro.product.device=other;features=shell_v2,cmd"
# Packets of a shell.
STDIN, STDOUT, STDERR, EXIT, CLOSE_STDIN = range(5)
# What everything that is started over a connection has in its environment.
MARK = "STARTED_OVER"

WIDTH, HEIGHT = 1080, 2400
WORDS = "Hello from the other phone"
BUTTON = (100, 1000, 980, 1200)
SCREEN = f"""<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<hierarchy rotation="0"><node index="0" text="{WORDS}" resource-id="com.other:id/hello" class="android.widget.Button" \
package="com.other" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" \
focused="false" scrollable="false" long-clickable="false" password="false" selected="false" \
bounds="[{BUTTON[0]},{BUTTON[1]}][{BUTTON[2]},{BUTTON[3]}]" /></hierarchy>"""
WINDOW = f"""  Window #0 Window{{1a u0 com.other/com.other.Main}}:
    mDisplayId=0 rootTaskId=1
    mOwnerUid=10001 showForAllUsers=false package=com.other appop=NONE
    mAttrs={{(0,0)(fillxfill) ty=BASE_APPLICATION
      fl=LAYOUT_IN_SCREEN
    Frames: parent=[0,0][{WIDTH},{HEIGHT}] display=[0,0][{WIDTH},{HEIGHT}] frame=[0,0][{WIDTH},{HEIGHT}] last=[0,0][0,0]
    isVisible=true
  mCurrentFocus=Window{{1a u0 com.other/com.other.Main}}
  mFocusedApp=ActivityRecord{{2b u0 com.other/com.other.Main t1}}"""
PROPERTIES = {
    "ro.product.cpu.abi": {"x86_64": "x86_64", "aarch64": "arm64-v8a"}[os.uname().machine],
    "ro.build.version.sdk": "34",
    "ro.build.version.release": "14",
    "ro.product.model": "Other Phone",
    "ro.product.manufacturer": "Other",
    "persist.sys.timezone": "Europe/Berlin",
}
# What of Android is no tool of toybox, as far as a server asks for it.
PROGRAMS = {
    "getprop": "case $1 in " + " ".join(f"{name}) echo '{value}' ;;" for name, value in PROPERTIES.items()) + " *) echo ;; esac",
    "id": "echo 'uid=2000(shell) gid=2000(shell) groups=2000(shell),1007(log),3003(inet) context=u:r:shell:s0'",
    "uiautomator": f"cat <<'END'\n{SCREEN}UI hierchary dumped to: /dev/tty\nEND",
    "wm": f"case $1 in size) echo 'Physical size: {WIDTH}x{HEIGHT}' ;; density) echo 'Physical density: 420' ;; esac",
    "dumpsys": f"[ \"$1\" != window ] || cat <<'END'\n{WINDOW}\nEND",
    "input": 'echo "$*" >>/data/input',
}


def make(folder: Path) -> None:
    bin = folder / "system" / "bin"
    bin.mkdir(parents=True)
    (folder / "data" / "local" / "tmp").mkdir(parents=True)
    (bin / "sh").symlink_to(shutil.which("mksh"))
    toybox = shutil.which("toybox")
    for name in subprocess.run([toybox], capture_output=True, text=True, check=True).stdout.split():
        (bin / name).symlink_to(toybox)
    for name, script in PROGRAMS.items():
        (bin / name).unlink(missing_ok=True)
        (bin / name).write_text(f"#!/system/bin/sh\n{script}\n")
        (bin / name).chmod(0o755)


class Stream:
    """One of the streams of a connection. What is written waits for the other side, message by message."""

    def __init__(self, connection: "Connection", own: int, other: int) -> None:
        self.connection, self.own, self.other = connection, own, other
        self.arrived, self.ended = b"", False
        self.changed = threading.Condition()
        self.may_write = threading.Semaphore(0)

    def take(self, data: bytes) -> None:
        with self.changed:
            self.arrived += data
            self.changed.notify_all()

    def end(self) -> None:
        with self.changed:
            self.ended = True
            self.changed.notify_all()
        self.may_write.release()

    def exactly(self, length: int) -> bytes:
        """So many bytes; nothing once it has ended."""
        with self.changed:
            self.changed.wait_for(lambda: len(self.arrived) >= length or self.ended)
            if len(self.arrived) < length:
                return b""
            taken, self.arrived = self.arrived[:length], self.arrived[length:]
            return taken

    def write(self, data: bytes) -> None:
        if not self.ended:
            self.connection.send(WRITE, self.own, self.other, data)
            self.may_write.acquire()

    def close(self) -> None:
        if not self.ended:
            self.connection.send(CLOSE, self.own, self.other)
            self.end()


class Connection:
    """A computer's adb."""

    def __init__(self, socket_: socket.socket, number: int) -> None:
        self.socket, self.number = socket_, str(number)
        self.streams: dict[int, Stream] = {}
        self.sending = threading.Lock()

    def send(self, command: int, first: int, second: int, data: bytes = b"") -> None:
        header = struct.pack("<6I", command, first, second, len(data), 0, command ^ 0xFFFFFFFF)
        with self.sending:
            try:
                self.socket.sendall(header + data)
            except OSError:
                pass  # The reader sees it too, and ends all.

    def exactly(self, length: int) -> bytes:
        data = b""
        while len(data) < length:
            part = self.socket.recv(length - len(data))
            if not part:
                raise ConnectionError
            data += part
        return data

    def serve(self) -> None:
        try:
            while True:
                command, first, second, length, _, _ = struct.unpack("<6I", self.exactly(24))
                assert length <= MOST, length
                self.take(command, first, second, self.exactly(length))
        except OSError:
            pass
        for stream in list(self.streams.values()):
            stream.end()
        for process in self.left():
            try:
                os.kill(process, signal.SIGHUP)
            except ProcessLookupError:
                pass

    def take(self, command: int, first: int, second: int, data: bytes) -> None:
        if command == CONNECT:
            self.send(CONNECT, VERSION, MOST, BANNER)
        elif command == OPEN:
            service = {b"shell": shell, b"sync": sync}.get(data.split(b":")[0].split(b",")[0])
            if service is None:
                self.send(CLOSE, 0, first)
                return
            stream = Stream(self, len(self.streams) + 1, first)
            self.streams[stream.own] = stream
            self.send(OKAY, stream.own, first)
            threading.Thread(target=service, args=[stream, data.rstrip(b"\0").decode()], daemon=True).start()
        elif stream := self.streams.get(second):
            if command == WRITE:
                stream.take(data)
                self.send(OKAY, second, first)
            elif command == OKAY:
                stream.may_write.release()
            elif command == CLOSE:
                stream.end()

    def left(self) -> list[int]:
        """The processes that were started over it and still run."""
        mark = f"{MARK}={self.number}\0".encode()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                pass
        return found


def shell(stream: Stream, service: str) -> None:
    """A command, with the packets of the second version of adb's shell."""
    environment = {"PATH": "/system/bin", "HOME": "/", "USER": "shell", MARK: stream.connection.number}
    process = subprocess.Popen(
        ["/system/bin/sh", "-c", service.partition(":")[2]], env=environment, cwd="/", start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )

    def hand_on(kind: int, pipe) -> None:
        while data := os.read(pipe.fileno(), MOST - 5):
            stream.write(struct.pack("<BI", kind, len(data)) + data)

    def feed() -> None:
        while header := stream.exactly(5):
            kind, length = struct.unpack("<BI", header)
            data = stream.exactly(length) if length else b""
            try:
                if kind == STDIN:
                    process.stdin.write(data)
                    process.stdin.flush()
                elif kind == CLOSE_STDIN:
                    process.stdin.close()
            except (OSError, ValueError):
                pass
        # Whoever asked is gone.
        process.send_signal(signal.SIGHUP)

    said = [threading.Thread(target=hand_on, args=each, daemon=True) for each in [(STDOUT, process.stdout), (STDERR, process.stderr)]]
    for thread in [*said, threading.Thread(target=feed, daemon=True)]:
        thread.start()
    for thread in said:
        thread.join()
    code = process.wait()
    stream.write(struct.pack("<BIB", EXIT, 1, code if code >= 0 else 128 - code))
    stream.close()


def sync(stream: Stream, _: str) -> None:
    """Files, as far as they are pushed."""
    while header := stream.exactly(8):
        name, length = header[:4], int.from_bytes(header[4:], "little")
        assert name in (b"SEND", b"QUIT"), name
        if name == b"QUIT":
            break
        path, _, mode = stream.exactly(length).decode().rpartition(",")
        with open(path, "wb") as file:
            os.fchmod(file.fileno(), int(mode) & 0o777)
            while (header := stream.exactly(8))[:4] == b"DATA":
                file.write(stream.exactly(int.from_bytes(header[4:], "little")))
        assert header[:4] == b"DONE", header
        stream.write(b"OKAY" + bytes(4))
    stream.close()


def serve() -> None:
    # What starts this may ignore it, and programs inherit that.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    listener = socket.create_server(("127.0.0.1", 0))
    print("listening on 127.0.0.1:{}".format(listener.getsockname()[1]), flush=True)
    number = 0
    while True:
        number += 1
        threading.Thread(target=Connection(listener.accept()[0], number).serve, daemon=True).start()


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]))
    else:
        serve()
