#!/usr/bin/python3
"""The person at the screen of GNOME, who answers the dialog of its portal through pyatspi. Fingertip never does.

Usage: gnome_person.py agree|share|refuse SECONDS    answers the dialog once it is there: with interaction allowed, for
                                                     watching only, or not at all
       gnome_person.py dialogs                       prints how many dialogs of the portal there are

Needs Debian's own Python, the only one that finds pyatspi.
"""

import sys
import time

import gi

gi.require_version("Atspi", "2.0")
import pyatspi
from gi.repository import GLib

PORTAL = "xdg-desktop-portal-gnome"
LOOK_EVERY = 0.1
# What GTK takes to react to a switch.
REACTS_WITHIN = 0.5
BUTTONS = {"agree": "Share", "share": "Share", "refuse": "Cancel"}


def dialogs():
    desktop = pyatspi.Registry.getDesktop(0)
    applications = [desktop.getChildAtIndex(index) for index in range(desktop.childCount)]
    return [window for app in applications if app is not None and app.name == PORTAL for window in app]


def find(node, role, name):
    """The first node of this role whose name holds this."""
    found = pyatspi.findDescendant(node, lambda one: one.getRoleName() == role and name in one.name)
    assert found is not None, f"no {role} {name!r}"
    return found


def answer(how, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            for dialog in dialogs():
                if how == "agree":
                    assert find(dialog, "check box", "Allow").queryAction().doAction(0)
                    time.sleep(REACTS_WITHIN)
                assert find(dialog, "push button", BUTTONS[how]).queryAction().doAction(0)
                return
        except (GLib.Error, LookupError):
            pass
        time.sleep(LOOK_EVERY)
    sys.exit(f"no dialog of the portal within {seconds} s")


match sys.argv[1:]:
    case ["dialogs"]:
        print(len(dialogs()))
    case [how, seconds]:
        answer(how, float(seconds))
