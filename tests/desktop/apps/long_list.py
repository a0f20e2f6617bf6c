#!/usr/bin/python3
"""A GTK3 window with 4,500 rows, as a list or as a table whose cells GTK makes on demand, or with 1,500 rows of 3 nodes.

Only the last are in the cache that GTK keeps for assistive programs: rows and cells of lists and tables are left out of
it, so they must be asked for one by one.

Usage: long_list.py list|table|column
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("PangoCairo", "1.0")
from gi.repository import Gtk, PangoCairo
from said import say

ROWS = 4500
ROW_HEIGHT = 24


class Row(Gtk.ListBoxRow):
    """A row that draws its own text, so that it is one node and no more."""

    def __init__(self, number):
        super().__init__()
        self.text = f"Row {number}"
        self.set_size_request(-1, ROW_HEIGHT)
        self.get_accessible().set_name(self.text)

    def do_draw(self, cairo):
        Gtk.ListBoxRow.do_draw(self, cairo)
        cairo.move_to(6, 3)
        PangoCairo.show_layout(cairo, self.create_pango_layout(self.text))
        return False


def as_list():
    rows = Gtk.ListBox()
    for number in range(1, ROWS + 1):
        rows.add(Row(number))
    rows.connect("row-selected", lambda _, row: row and say("selected", row.text))
    return rows


def as_table():
    store = Gtk.ListStore(str)
    for number in range(1, ROWS + 1):
        store.append([f"Row {number}"])
    table = Gtk.TreeView(model=store)
    table.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=0))

    def on_selection(selection):
        model, row = selection.get_selected()
        if row is not None:
            say("selected", model[row][0])

    table.get_selection().connect("changed", on_selection)
    return table


def as_column():
    column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for number in range(1, ROWS // 3 + 1):
        row = Gtk.Box()
        row.add(Gtk.Label(label=f"Row {number}"))
        button = Gtk.Button(label=f"Go {number}")
        button.connect("clicked", lambda button: say("selected", button.get_label()))
        row.add(button)
        column.add(row)
    return column


def main(kind):
    window = Gtk.Window(title=f"Long {kind}", default_width=480, default_height=640)
    window.connect("destroy", Gtk.main_quit)
    scrolled = Gtk.ScrolledWindow()
    scrolled.add({"list": as_list, "table": as_table, "column": as_column}[kind]())
    window.add(scrolled)
    window.show_all()
    Gtk.main()


main(*sys.argv[1:])
