#!/usr/bin/env -S python3 -SE
"""Stands in for the shell of a simulated phone: hands `sh -c COMMAND` to the phone, and its streams both ways.

What is sent: the length of a service's name and the name; after that the packets of adb's `shell,v2`.
"""

import os
import socket
import struct
import sys
import threading

STDIN, STDOUT, STDERR, EXIT, CLOSE_STDIN = range(5)


def feed(stream: socket.socket) -> None:
    """Hands on standard input to its end."""
    try:
        while data := os.read(0, 65536):
            stream.sendall(struct.pack("<BI", STDIN, len(data)) + data)
        stream.sendall(struct.pack("<BI", CLOSE_STDIN, 0))
    except OSError:
        pass


def exactly(stream: socket.socket, length: int) -> bytes:
    """Reads so many bytes; a phone that is gone ends the command as a signal would."""
    data = b""
    while len(data) < length:
        part = stream.recv(length - len(data))
        if not part:
            os._exit(129)
        data += part
    return data


def write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def main() -> None:
    if len(sys.argv) < 3 or sys.argv[1] != "-c":
        sys.exit("usage: sh -c COMMAND")
    service = f"shell,v2,raw:{sys.argv[2]}".encode()
    stream = socket.socket(socket.AF_UNIX)
    stream.connect(os.path.join(os.path.dirname(os.path.abspath(__file__)), "socket"))
    stream.sendall(struct.pack("<I", len(service)) + service)
    threading.Thread(target=feed, args=[stream], daemon=True).start()
    while True:
        kind, length = struct.unpack("<BI", exactly(stream, 5))
        data = exactly(stream, length)
        if kind == EXIT:
            os._exit(data[0])
        write(2 if kind == STDERR else 1, data)


main()
