#!/usr/bin/python3
"""Adwaita, a library over GTK 4: a row to choose from, as settings have it."""

import gi

gi.require_version("Adw", "1")
from gi.repository import Adw, Gtk
from said import say

RINGS = ["1 minute", "5 minutes", "10 minutes", "15 minutes", "20 minutes"]


def activate(app):
    row = Adw.ComboRow(title="Ring Duration", model=Gtk.StringList.new(RINGS))
    row.set_selected(1)
    row.connect("notify::selected", lambda row, _: say("ring", RINGS[row.get_selected()]))
    group = Adw.PreferencesGroup(title="Alarm")
    group.add(row)
    group.add(Adw.ActionRow(title="Snooze", subtitle="5 minutes"))
    window = Adw.ApplicationWindow(application=app, title="Choices Adwaita", default_width=400, default_height=300)
    window.set_content(group)
    window.present()


app = Adw.Application(application_id="dev.fingertip.Rings")
app.connect("activate", activate)
app.run()
