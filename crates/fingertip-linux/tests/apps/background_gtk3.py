"""A GTK 3 program that is on the accessibility bus and shows nothing until it gets SIGUSR1, as a service of a desktop does."""

import signal

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk


def show():
    Gtk.Window(title="Shown").show_all()
    return GLib.SOURCE_REMOVE


GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, show)
Gtk.main()
