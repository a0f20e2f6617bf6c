#!/usr/bin/python3
"""GTK 4: a menu button with a submenu, a drop-down, a list box, tabs and radio buttons."""

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk
from said import say


def named(control, label):
    """Gives the control an accessible name."""
    control.update_property([Gtk.AccessibleProperty.LABEL], [label])
    return control


def main():
    GLib.set_prgname("choices_gtk4")
    loop = GLib.MainLoop()
    window = Gtk.Window(title="Choices GTK4", default_width=420)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8, margin_top=12, margin_start=12, margin_end=12)

    actions = Gio.SimpleActionGroup()
    for name in ["new", "save", "one", "two"]:
        action = Gio.SimpleAction.new(name, None)
        action.connect("activate", lambda action, _: say("menu", action.get_name()))
        actions.add_action(action)
    off = Gio.SimpleAction.new("off", None)
    off.set_enabled(False)
    actions.add_action(off)
    window.insert_action_group("app", actions)
    menu, recent = Gio.Menu(), Gio.Menu()
    menu.append("_New", "app.new")
    menu.append("Save _As…", "app.save")
    menu.append("Send", "app.off")
    recent.append("one.txt", "app.one")
    recent.append("two.txt", "app.two")
    menu.append_submenu("_Recent", recent)
    box.append(named(Gtk.MenuButton(label="Menu", menu_model=menu), "Menu"))

    colours = named(Gtk.DropDown.new_from_strings(["red", "green", "blue"]), "Colour")
    colours.connect("notify::selected-item", lambda *_: say("combo", colours.get_selected_item().get_string()))
    old = Gtk.ComboBoxText()
    for name in ["north", "south", "west"]:
        old.append_text(name)
    named(old, "Side")
    old.connect("changed", lambda _: say("old", old.get_active_text()))
    rows = named(Gtk.ListBox(), "Rows")
    for name in ["alpha", "beta", "gamma"]:
        rows.append(Gtk.Label(label=name))
    rows.connect("row-selected", lambda _, row: row and say("row", row.get_child().get_text()))
    tabs = Gtk.Notebook()
    for name in ["General", "Network", "About"]:
        tabs.append_page(Gtk.Label(label=f"page {name}"), Gtk.Label(label=name))
    tabs.connect("switch-page", lambda tabs, page, _: say("tab", tabs.get_tab_label_text(page)))
    group, first = named(Gtk.Box(spacing=6), "Size"), None
    for name in ["small", "medium", "large"]:
        radio = Gtk.CheckButton(label=name, group=first)
        first = first or radio
        radio.connect("toggled", lambda radio: radio.get_active() and say("radio", radio.get_label()))
        group.append(radio)
    for control in [colours, old, rows, tabs, group]:
        box.append(control)
    window.connect("close-request", lambda _: loop.quit())
    window.set_child(box)
    window.present()
    loop.run()


main()
