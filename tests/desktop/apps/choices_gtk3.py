#!/usr/bin/python3
"""GTK 3: a menu bar with a submenu, a menu that is built anew when it opens and an item that waits for a dialog; a combo
box, a list, tabs, radio buttons, and a place to drop on."""

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk
from said import say

TARGETS = [Gtk.TargetEntry.new("text/plain", 0, 0)]


def item(menu, label, chosen=None, sensitive=True):
    entry = Gtk.MenuItem(label=label, use_underline=True, sensitive=sensitive)
    entry.connect("activate", lambda _: (chosen or (lambda: say("menu", label)))())
    menu.append(entry)
    return entry


def submenu(bar, label):
    menu = Gtk.Menu()
    entry = Gtk.MenuItem(label=label, use_underline=True)
    entry.set_submenu(menu)
    bar.append(entry)
    return menu


def ask(window):
    dialog = Gtk.Dialog(title="Rename", transient_for=window, modal=True)
    dialog.add_button("Done", Gtk.ResponseType.OK)
    dialog.set_default_response(Gtk.ResponseType.OK)
    entry = Gtk.Entry(activates_default=True)
    dialog.get_content_area().add(entry)
    dialog.show_all()
    say("dialog", "open")
    dialog.run()
    say("dialog", entry.get_text())
    dialog.destroy()


def rebuilt(menu):
    """Throws the items away and makes new ones, a moment after the menu opened too."""
    rebuilt.count += 1
    for child in menu.get_children():
        menu.remove(child)
    for label in ["First", "Second", f"Opened {rebuilt.count}"]:
        item(menu, label, lambda label=label: say("menu", label))
    menu.show_all()


rebuilt.count = 0


def main():
    GLib.set_prgname("choices_gtk3")
    window = Gtk.Window(title="Choices GTK3", default_width=420)
    window.connect("destroy", Gtk.main_quit)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
    window.add(box)

    bar = Gtk.MenuBar()
    file = submenu(bar, "_File")
    item(file, "_New")
    item(file, "Save _As…")
    item(file, "Send", sensitive=False)
    item(file, "Rename...", lambda: ask(window))
    recent = submenu(file, "_Recent")
    item(recent, "one.txt")
    item(recent, "two.txt")
    twice = submenu(bar, "_Twice")
    item(twice, "Same", lambda: say("menu", "first Same"))
    item(twice, "Same", lambda: say("menu", "second Same"))
    new = submenu(bar, "_Built")
    rebuilt(new)

    def on_show(menu):
        rebuilt(menu)
        GLib.timeout_add(150, lambda: rebuilt(menu) and False)

    new.connect("show", on_show)
    box.add(bar)

    combo = Gtk.ComboBoxText()
    combo.get_accessible().set_name("Colour")
    for name in ["red", "green", "blue"]:
        combo.append_text(name)
    combo.connect("changed", lambda _: say("combo", combo.get_active_text()))
    box.add(combo)

    rows = Gtk.ListBox()
    rows.get_accessible().set_name("Rows")
    for name in ["alpha", "beta", "gamma"]:
        rows.add(Gtk.Label(label=name))
    rows.connect("row-selected", lambda _, row: row and say("row", row.get_child().get_text()))
    box.add(rows)

    store = Gtk.ListStore(str)
    for name in ["Ada", "Bob", "Cleo"]:
        store.append([name])
    view = Gtk.TreeView(model=store, headers_visible=False)
    view.append_column(Gtk.TreeViewColumn("name", Gtk.CellRendererText(), text=0))
    view.get_accessible().set_name("People")
    selection = view.get_selection()

    def on_selected(_):
        model, row = selection.get_selected()
        if row:
            say("person", model[row][0])

    selection.connect("changed", on_selected)
    view.connect("row-activated", lambda view, path, _: say("opened", view.get_model()[path][0]))
    box.add(view)

    tabs = Gtk.Notebook()
    tabs.get_accessible().set_name("Pages")
    for name in ["General", "Network", "About"]:
        tabs.append_page(Gtk.Label(label=f"page {name}"), Gtk.Label(label=name))
    # What is on a page is, in the tree, inside of the small tab above it.
    search = Gtk.Entry(primary_icon_name="edit-find")
    search.get_accessible().set_name("Search")
    search.connect("changed", lambda _: say("search", search.get_text()))
    # Whether a device has made the event: what asks it for more than that would crash without one.
    search.connect("icon-press", lambda _e, _p, event: say("icon", event.get_device() is not None))
    tabs.append_page(search, Gtk.Label(label="Find"))
    tabs.connect("switch-page", lambda tabs, page, _: say("tab", tabs.get_tab_label_text(page)))
    box.add(tabs)

    group, first = Gtk.Box(spacing=6), None
    group.get_accessible().set_name("Size")
    for name in ["small", "medium", "large"]:
        first = radio = Gtk.RadioButton.new_with_label_from_widget(first, name)
        radio.connect("toggled", lambda radio: radio.get_active() and say("radio", radio.get_label()))
        group.add(radio)
    box.add(group)

    source = Gtk.Button(label="Take me", tooltip_text="A thing to drag")
    source.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, TARGETS, Gdk.DragAction.COPY)
    source.connect("drag-data-get", lambda _w, _c, data, _i, _t: data.set_text("taken", -1))
    place = Gtk.Button(label="Drop here")
    place.drag_dest_set(Gtk.DestDefaults.ALL, TARGETS, Gdk.DragAction.COPY)
    place.connect("drag-data-received", lambda _w, _c, _x, _y, data, _i, _t: say("dropped", data.get_text()))
    for control in [source, place]:
        box.add(control)
    entry = Gtk.Entry()
    entry.get_accessible().set_name("Words")
    entry.connect("changed", lambda _: say("words", entry.get_text()))
    box.add(entry)
    window.show_all()
    Gtk.main()


main()
