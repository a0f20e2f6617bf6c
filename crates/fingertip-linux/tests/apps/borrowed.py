"""An application that passes a button of another one off as its own.

Usage: borrowed.py LOG PID (object | socket)    PID is of the other application; `object` shows the other's very object,
                                                `socket` one at the same path, and names the other's socket as its own
"""
import sys

from gi.repository import Gio, GLib

LOG, PID, WAY = sys.argv[1], int(sys.argv[2]), sys.argv[3]
ACCESSIBLE, APPLICATION = "org.a11y.atspi.Accessible", "org.a11y.atspi.Application"
ROOT, FRAME = "/org/a11y/atspi/accessible/root", "/org/a11y/atspi/accessible/frame"
REGISTRY = "org.a11y.atspi.Registry"
ROLES = {"application": 75, "frame": 23, "button": 43}
# Enabled, sensitive, showing, visible.
STATES = [1 << 8 | 1 << 24 | 1 << 25 | 1 << 30, 0]

INTERFACES = Gio.DBusNodeInfo.new_for_xml("""
<node>
  <interface name="org.a11y.atspi.Accessible">
    <property name="Name" type="s" access="read"/>
    <property name="Description" type="s" access="read"/>
    <property name="Parent" type="(so)" access="read"/>
    <property name="ChildCount" type="i" access="read"/>
    <method name="GetChildAtIndex"><arg direction="in" type="i"/><arg direction="out" type="(so)"/></method>
    <method name="GetChildren"><arg direction="out" type="a(so)"/></method>
    <method name="GetIndexInParent"><arg direction="out" type="i"/></method>
    <method name="GetRelationSet"><arg direction="out" type="a(ua(so))"/></method>
    <method name="GetRole"><arg direction="out" type="u"/></method>
    <method name="GetState"><arg direction="out" type="au"/></method>
    <method name="GetAttributes"><arg direction="out" type="a{ss}"/></method>
    <method name="GetInterfaces"><arg direction="out" type="as"/></method>
  </interface>
  <interface name="org.a11y.atspi.Application">
    <property name="ToolkitName" type="s" access="read"/>
    <property name="Version" type="s" access="read"/>
    <property name="Id" type="i" access="readwrite"/>
    <method name="GetApplicationBusAddress"><arg direction="out" type="s"/></method>
  </interface>
  <interface name="org.a11y.atspi.Component">
    <method name="GetExtents"><arg direction="in" type="u"/><arg direction="out" type="(iiii)"/></method>
  </interface>
  <interface name="org.a11y.atspi.Action">
    <property name="NActions" type="i" access="read"/>
    <method name="GetName"><arg direction="in" type="i"/><arg direction="out" type="s"/></method>
    <method name="GetActions"><arg direction="out" type="a(sss)"/></method>
    <method name="DoAction"><arg direction="in" type="i"/><arg direction="out" type="b"/></method>
  </interface>
</node>
""").interfaces

session = Gio.bus_get_sync(Gio.BusType.SESSION)
(address,) = session.call_sync(
    "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, -1
).unpack()
bus = Gio.DBusConnection.new_for_address_sync(
    address,
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
)


def ask(name, path, interface, method, arguments=None):
    return bus.call_sync(name, path, interface, method, arguments, None, 0, -1).unpack()


def name_of(name, path):
    question = GLib.Variant("(ss)", (ACCESSIBLE, "Name"))
    return ask(name, path, "org.freedesktop.DBus.Properties", "Get", question)[0]


def button_of(name, path):
    """The button called Greet in that application."""
    if name_of(name, path) == "Greet":
        return name, path
    (children,) = ask(name, path, ACCESSIBLE, "GetChildren")
    return next((found for child in children if (found := button_of(*child))), None)


def process(name):
    daemon = "org.freedesktop.DBus"
    return ask(daemon, "/", daemon, "GetConnectionUnixProcessID", GLib.Variant("(s)", (name,)))[0]


(apps,) = ask(REGISTRY, ROOT, ACCESSIBLE, "GetChildren")
other = next(app for app, path in apps if process(app) == PID)
button = button_of(other, ROOT)
own = bus.get_unique_name()
if WAY == "socket":
    (socket,) = ask(other, ROOT, APPLICATION, "GetApplicationBusAddress")
    button = (own, button[1])
else:
    socket = ""

parents = {ROOT: (REGISTRY, ROOT), FRAME: (own, ROOT), button[1]: (own, FRAME)}
children = {ROOT: [(own, FRAME)], FRAME: [button], button[1]: []}
kinds = {ROOT: "application", FRAME: "frame", button[1]: "button"}
names = {ROOT: "borrowed", FRAME: "Borrowed", button[1]: "Greet"}


def answer(path, interface, method, arguments):
    match method:
        case "GetChildAtIndex":
            return GLib.Variant("((so))", (children[path][arguments[0]],))
        case "GetChildren":
            return GLib.Variant("(a(so))", (children[path],))
        case "GetIndexInParent":
            return GLib.Variant("(i)", (0,))
        case "GetRelationSet":
            return GLib.Variant("(a(ua(so)))", ([],))
        case "GetRole":
            return GLib.Variant("(u)", (ROLES[kinds[path]],))
        case "GetState":
            return GLib.Variant("(au)", (STATES,))
        case "GetAttributes":
            return GLib.Variant("(a{ss})", ({},))
        case "GetInterfaces":
            further = {ROOT: [APPLICATION], FRAME: []}.get(path, ["org.a11y.atspi.Action"])
            return GLib.Variant("(as)", ([ACCESSIBLE, "org.a11y.atspi.Component", *further],))
        case "GetApplicationBusAddress":
            return GLib.Variant("(s)", (socket,))
        case "GetExtents":
            return GLib.Variant("((iiii))", ((100, 100, 200, 100),))
        case "GetName":
            return GLib.Variant("(s)", ("click",))
        case "GetActions":
            return GLib.Variant("(a(sss))", ([("click", "", "")],))
        case "DoAction":
            with open(LOG, "a", encoding="utf-8") as log:
                log.write("acted=yes\0")
            return GLib.Variant("(b)", (True,))


def called(_bus, _sender, path, interface, method, arguments, invocation):
    invocation.return_value(answer(path, interface, method, arguments.unpack()))


def read(_bus, _sender, path, _interface, name):
    known = {
        "Name": GLib.Variant("s", names[path]),
        "Description": GLib.Variant("s", ""),
        "Parent": GLib.Variant("(so)", parents[path]),
        "ChildCount": GLib.Variant("i", len(children[path])),
        "ToolkitName": GLib.Variant("s", "gtk"),
        "Version": GLib.Variant("s", "3.24.0"),
        "Id": GLib.Variant("i", 0),
        "NActions": GLib.Variant("i", 1),
    }
    return known[name]


for path in {ROOT, FRAME, button[1]}:
    for interface in INTERFACES:
        is_application = interface.name == APPLICATION
        if is_application == (path == ROOT) or not is_application:
            bus.register_object(path, interface, called, read, lambda *_: True)
ask(REGISTRY, ROOT, "org.a11y.atspi.Socket", "Embed", GLib.Variant("((so))", ((own, ROOT),)))
GLib.MainLoop().run()
