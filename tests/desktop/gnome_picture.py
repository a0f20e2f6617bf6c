#!/usr/bin/python3
"""A picture of the screen as another program gets it from GNOME: a screen cast of its own, read by GStreamer.

Usage: gnome_picture.py FILE    writes a PNG

Needs Debian's own Python. Mutter's interface asks nobody for consent.
"""

import subprocess
import sys

from gi.repository import Gio, GLib

CAST = "org.gnome.Mutter.ScreenCast"
# Seconds for one call, and for the picture.
CALL_LIMIT, PICTURE_LIMIT = 5, 20


def main(file):
    bus, loop, nodes = Gio.bus_get_sync(Gio.BusType.SESSION), GLib.MainLoop(), []

    def call(path, interface, member, arguments=None):
        return bus.call_sync(
            CAST, path, interface, member, arguments, None, Gio.DBusCallFlags.NONE, CALL_LIMIT * 1000, None
        ).unpack()

    def added(_bus, _sender, _path, _interface, _member, told):
        nodes.append(told.unpack()[0])
        loop.quit()

    [session] = call("/org/gnome/Mutter/ScreenCast", CAST, "CreateSession", GLib.Variant("(a{sv})", ({},)))
    [stream] = call(session, f"{CAST}.Session", "RecordMonitor", GLib.Variant("(sa{sv})", ("", {})))
    bus.signal_subscribe(
        CAST, f"{CAST}.Stream", "PipeWireStreamAdded", stream, None, Gio.DBusSignalFlags.NONE, added
    )
    call(session, f"{CAST}.Session", "Start")
    GLib.timeout_add_seconds(CALL_LIMIT, loop.quit)
    if not nodes:
        loop.run()
    pipeline = f"pipewiresrc path={nodes[0]} num-buffers=1 ! videoconvert ! pngenc ! filesink location={file}"
    subprocess.run(["gst-launch-1.0", "-q", *pipeline.split()], check=True, timeout=PICTURE_LIMIT)
    call(session, f"{CAST}.Session", "Stop")


main(*sys.argv[1:])
