#!/usr/bin/python3
"""Looks at applications through pyatspi: the second, independent observation of the desktop scenarios.

Usage: pyatspi_look.py await PID SECONDS    until the application and a window of it are on the accessibility bus; prints
                                            its process, which may be one that PID started
       pyatspi_look.py ping PID             whether each window of the application answers; prints how many there are
       pyatspi_look.py nodes PID            every node of the application, one JSON object a line
       pyatspi_look.py find PID ROLE NAME   the first node of that role and name, or nothing
       pyatspi_look.py focused PID          the node that has the focus, or nothing
       pyatspi_look.py windows              every window that is shown, as JSON: its process, its title, and whether it is
                                            the active one

Needs Debian's own Python, the only one that finds pyatspi. It keeps nothing between runs and listens to no events: a
listener on the bus would slow the applications that are being measured.
"""

import json
import os
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
import pyatspi
from gi.repository import Atspi, GLib

# Milliseconds for one call, and for an application that is just starting.
CALL_LIMIT, START_LIMIT = 2000, 5000
LOOK_EVERY = 0.1
# Far more nodes than any application of the scenarios has.
MOST_NODES = 20_000


def application(pid):
    """The application of this process, if the registry has it."""
    desktop = pyatspi.Registry.getDesktop(0)
    for index in range(desktop.childCount):
        try:
            child = desktop.getChildAtIndex(index)
            if child is not None and child.get_process_id() == pid:
                return child
        except (GLib.Error, LookupError):
            continue
    return None


def started_by(group):
    """The application of a process of this group: some are started by a script that stays."""
    desktop = pyatspi.Registry.getDesktop(0)
    for index in range(desktop.childCount):
        try:
            child = desktop.getChildAtIndex(index)
            if child is not None and os.getpgid(child.get_process_id()) == group:
                return child
        except (GLib.Error, LookupError, ProcessLookupError):
            continue
    return None


def await_application(pid, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            found = started_by(pid)
            if found is not None and found.childCount > 0:
                print(found.get_process_id())
                return
        except (GLib.Error, LookupError):
            pass
        Atspi.Accessible.clear_cache(pyatspi.Registry.getDesktop(0))
        time.sleep(LOOK_EVERY)
    sys.exit(f"process {pid} was not on the accessibility bus within {seconds} s")


def walk(node):
    """Every node below this one, itself first, as an assistive program would read it."""
    waiting, count = [node], 0
    while waiting and count < MOST_NODES:
        node = waiting.pop()
        count += 1
        yield node
        try:
            children = [node.getChildAtIndex(index) for index in range(node.childCount)]
        except (GLib.Error, LookupError):
            continue
        waiting.extend(child for child in reversed(children) if child is not None)


def described(node):
    """What an assistive program can tell of one node."""
    seen = {"role": node.getRoleName(), "name": node.name, "states": states(node)}
    interfaces = pyatspi.utils.listInterfaces(node)
    if "Text" in interfaces:
        seen["text"] = node.queryText().getText(0, -1)
    if "Value" in interfaces:
        seen["value"] = node.queryValue().currentValue
    if "Component" in interfaces:
        box = node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
        seen["bounds"] = [box.x, box.y, box.width, box.height]
    if "Action" in interfaces:
        action = node.queryAction()
        seen["actions"] = [action.getName(index) for index in range(action.nActions)]
    return seen


def states(node):
    return [pyatspi.stateToString(state) for state in node.getState().getStates()]


def print_nodes(nodes):
    for node in nodes:
        try:
            print(json.dumps(described(node)))
        except (GLib.Error, LookupError, NotImplementedError):
            continue


def print_windows():
    """The windows of all applications; one that is closing may be gone before it was asked."""
    desktop = pyatspi.Registry.getDesktop(0)
    windows = []
    for index in range(desktop.childCount):
        try:
            application = desktop.getChildAtIndex(index)
            pid = application.get_process_id()
            for window in application:
                told = window.getState()
                if told.contains(pyatspi.STATE_SHOWING):
                    active = told.contains(pyatspi.STATE_ACTIVE)
                    windows.append({"pid": pid, "title": window.name, "active": active})
        except (AttributeError, GLib.Error, LookupError):
            continue
    print(json.dumps(windows))


def main(command, pid=0, *rest):
    Atspi.set_timeout(CALL_LIMIT, START_LIMIT)
    if command == "windows":
        return print_windows()
    if command == "await":
        return await_application(int(pid), float(rest[0]))
    found = application(int(pid))
    if found is None:
        sys.exit(f"process {pid} is not on the accessibility bus")
    if command == "ping":
        return print(len([found.getChildAtIndex(index).getState() for index in range(found.childCount)]))
    if command == "nodes":
        return print_nodes(walk(found))
    if command == "find":
        role, name = rest
        wanted = (node for node in walk(found) if node.name == name and node.getRoleName() == role)
    elif command == "focused":
        wanted = (node for node in walk(found) if node.getState().contains(pyatspi.STATE_FOCUSED))
    else:
        sys.exit(__doc__)
    print_nodes(node for node in [next(wanted, None)] if node is not None)


main(*sys.argv[1:])
