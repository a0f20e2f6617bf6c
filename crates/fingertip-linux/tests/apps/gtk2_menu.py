"""A GTK 2 window with a menu bar; what is chosen in its menu stands in the label. Without bindings the library is called."""

import ctypes

gtk = ctypes.CDLL("libgtk-x11-2.0.so.0")
CALLED = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


def new(kind, *arguments):
    make = getattr(gtk, f"gtk_{kind}")
    make.restype = ctypes.c_void_p
    return ctypes.c_void_p(make(*arguments))


gtk.gtk_init(None, None)
window = new("window_new", 0)
gtk.gtk_window_set_title(window, b"Old menu")
gtk.gtk_window_set_default_size(window, 400, 300)
box, bar, menu = new("vbox_new", 0, 0), new("menu_bar_new"), new("menu_new")
label = new("label_new", b"nothing")
chosen = CALLED(lambda _item, _data: gtk.gtk_label_set_text(label, b"chosen"))
for title in [b"First", b"Second", b"Third", b"Fourth", b"Fifth", b"Sixth"]:
    item = new("menu_item_new_with_label", title)
    gtk.g_signal_connect_data(item, b"activate", chosen, None, None, 0)
    gtk.gtk_menu_shell_append(menu, item)
top = new("menu_item_new_with_label", b"File")
gtk.gtk_menu_item_set_submenu(top, menu)
gtk.gtk_menu_shell_append(bar, top)
gtk.gtk_box_pack_start(box, bar, 0, 0, 0)
gtk.gtk_box_pack_start(box, label, 1, 1, 0)
gtk.gtk_container_add(window, box)
gtk.gtk_widget_show_all(window)
gtk.gtk_main()
