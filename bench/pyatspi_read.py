#!/usr/bin/python3
"""Reads, searches and presses through pyatspi alone: what Fingertip is compared with.

Usage: pyatspi_read.py tree PID          the whole tree with roles, names, values, states, bounds and actions
       pyatspi_read.py find PID NAME     recursion until a node of that name
       pyatspi_read.py press PID NAME    the first action of that node, until the first event of the application, and
                                         until what the event happened to was read

Prints {"ms": [...], "nodes": n}, of a press also "read": [...].
"""

import json
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
import pyatspi
from gi.repository import Atspi, GLib
from served import ROUNDS, repeated

# Milliseconds after which a press counts as one without any event, and between presses.
NO_EVENT, REST = 2000, 500


def application(pid):
    desktop = pyatspi.Registry.getDesktop(0)
    found = [child for child in desktop if child is not None and child.get_process_id() == pid]
    if not found:
        sys.exit(f"process {pid} is not on the accessibility bus")
    return found[0]


def read(node):
    """Reads what an agent is told of a node, and the same of all below it; gives their number."""
    try:
        read_one(node)
    except (GLib.Error, NotImplementedError):
        # GTK 4 tells of actions that it then does not have; the node was read all the same.
        pass
    return 1 + sum(read(child) for child in node if child is not None)


def read_one(node):
    node.getRoleName(), node.name, node.getState().getStates()
    interfaces = pyatspi.utils.listInterfaces(node)
    if "Component" in interfaces:
        node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    if "Value" in interfaces:
        node.queryValue().currentValue
    if "Text" in interfaces:
        node.queryText().getText(0, -1)
    if "Action" in interfaces:
        action = node.queryAction()
        [action.getName(index) for index in range(action.nActions)]


def search(node, name):
    if node.name == name:
        return node
    for child in node:
        if child is not None and (found := search(child, name)):
            return found
    return None


def fresh(pid):
    """The application as if just met: what libatspi remembers is not read again, and would be no measure."""
    root = application(pid)
    root.clear_cache()
    return root


def press(pid, name):
    """Times from the call of the action until the application tells of any effect, and until that was looked at."""
    action = next(
        node.queryAction()
        for node in everything(application(pid))
        if node.name.split(" ")[0] == name and "Action" in pyatspi.utils.listInterfaces(node) and node.queryAction().nActions
    )
    loop, times, reads, begun = GLib.MainLoop(), [], [], 0.0

    def on_event(event, *_):
        if begun and event.source.get_process_id() == pid and len(times) == len(reads) < ROUNDS:
            times.append((time.perf_counter() - begun) * 1000)
            event.source.clear_cache()
            read_one(event.source)
            reads.append((time.perf_counter() - begun) * 1000)
            loop.quit()

    listener = Atspi.EventListener.new(on_event)
    for sort in ["object:state-changed", "object:text-changed", "object:property-change", "object:children-changed"]:
        listener.register(sort)
    for _ in range(ROUNDS):
        GLib.timeout_add(REST, loop.quit)
        loop.run()
        begun = time.perf_counter()
        told = len(times)
        action.doAction(0)
        # The event may have come with the answer already.
        if len(times) == told:
            guard = GLib.timeout_add(NO_EVENT, loop.quit)
            loop.run()
            if len(times) > told:
                GLib.source_remove(guard)
        begun = 0.0
    return times, reads


def everything(node):
    yield node
    for child in node:
        if child is not None:
            yield from everything(child)


def main(command, pid, name=""):
    pid = int(pid)
    if command == "tree":
        times, nodes = repeated(lambda: read(fresh(pid)))
    elif command == "find":
        times, found = repeated(lambda: search(fresh(pid), name))
        nodes = 1 if found else sys.exit(f"{name} was not found")
    else:
        times, reads = press(pid, name)
        print(json.dumps({"ms": times, "read": reads, "nodes": 1}))
        return
    print(json.dumps({"ms": times, "nodes": nodes}))


sys.setrecursionlimit(10_000)
main(*sys.argv[1:])
