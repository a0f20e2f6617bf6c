#!/usr/bin/env python3
"""Checks the agent and the app against Android's own compiled framework, release by release.

    check-framework.py CLASSES STUBS APP SDK=JAR [SDK=JAR ...]

CLASSES is a folder with the agent's compiled classes, STUBS one with the compiled stubs, APP one with the app's own classes, which
are held against the releases that it is made for (from APP_FIRST on), each JAR the framework of one
release (org.robolectric:android-all, hidden members included; check-framework.sh fetches them). Held against every release:

- every class, method and field of android.* that the classes name, with its exact types;
- every interface of Android that they implement, by class or lambda: all its abstract methods, no other names;
- every constant of the stubs, whose value the compiler copied into the classes;
- every hidden member that the wrappers look up by name (HIDDEN, by release).

A member that a release lacks must stand in SINCE or APP_SINCE, which say where the code asks for the release first. What is in them and
not lacking anywhere is an error too. Prints a table of what differs by release.
"""

import struct
import sys
import zipfile
from pathlib import Path

# Named directly and not on all releases: the first SDK that has it. The code asks for the release before it uses them.
SINCE = {
    "android/view/accessibility/AccessibilityNodeInfo.isHeading()Z": 28,
    "android/view/accessibility/AccessibilityNodeInfo.getPaneTitle()Ljava/lang/CharSequence;": 28,
    "android/view/accessibility/AccessibilityNodeInfo.getStateDescription()Ljava/lang/CharSequence;": 30,
    "android/view/accessibility/AccessibilityNodeInfo$AccessibilityAction.ACTION_IME_ENTER": 30,
}

# The app's minSdk, and what it names that is not on all releases from there on, classes too.
APP_FIRST = 30
SERVICE, METHOD = "android/accessibilityservice/AccessibilityService", "android/accessibilityservice/InputMethod"
CONNECTION = f"{METHOD}$AccessibilityInputConnection"
APP_SINCE = {
    f"{SERVICE}.clearCache()Z": 33,
    f"{SERVICE}.getInputMethod()L{METHOD};": 33,
    METHOD: 33,
    f"{METHOD}.getCurrentInputStarted()Z": 33,
    f"{METHOD}.getCurrentInputConnection()L{CONNECTION};": 33,
    CONNECTION: 33,
    f"{CONNECTION}.commitText(Ljava/lang/CharSequence;ILandroid/view/inputmethod/TextAttribute;)V": 33,
    f"{CONNECTION}.sendKeyEvent(Landroid/view/KeyEvent;)V": 33,
}

ALWAYS = range(0, 1000)


def until(last):
    """Releases up to and with this one."""
    return range(0, last + 1)


def since(first):
    return range(first, 1000)


UI = "android/app/UiAutomation"
CLIENT = "android/view/accessibility/AccessibilityInteractionClient"
CLIP = "Landroid/content/ClipData;"
TEXT = "Ljava/lang/String;"

# Looked up by reflection: wrapper, member, on which releases the wrapper uses it.
HIDDEN = [
    ("UiAutomation", "android/app/UiAutomationConnection.<init>()V", ALWAYS),
    ("UiAutomation", f"{UI}.<init>(Landroid/os/Looper;Landroid/app/IUiAutomationConnection;)V", ALWAYS),
    ("UiAutomation", f"{UI}.connect(I)V", ALWAYS),
    ("UiAutomation", f"{UI}.disconnect()V", ALWAYS),
    ("InteractionClient", f"{UI}.clearCache()Z", since(34)),
    ("InteractionClient", f"{CLIENT}.getInstance()L{CLIENT};", until(33)),
    ("InteractionClient", f"{CLIENT}.clearCache()V", until(32)),
    ("InteractionClient", f"{CLIENT}.clearCache(I)V", range(33, 34)),
    ("InteractionClient", f"{UI}.getConnectionId()I", range(33, 34)),
    ("SourceNodeId", "android/view/accessibility/AccessibilityNodeInfo.getSourceNodeId()J", ALWAYS),
    ("Input", "android/hardware/input/InputManager.getInstance()Landroid/hardware/input/InputManager;", until(33)),
    ("Input", "android/hardware/input/InputManager.injectInputEvent(Landroid/view/InputEvent;I)Z", until(33)),
    ("Input", "android/hardware/input/InputManagerGlobal.getInstance()Landroid/hardware/input/InputManagerGlobal;", since(34)),
    ("Input", "android/hardware/input/InputManagerGlobal.injectInputEvent(Landroid/view/InputEvent;I)Z", since(34)),
    ("Clipboard", "android/os/ServiceManager.getService(Ljava/lang/String;)Landroid/os/IBinder;", ALWAYS),
    ("Clipboard", "android/content/IClipboard$Stub.asInterface(Landroid/os/IBinder;)Landroid/content/IClipboard;", ALWAYS),
    ("Display", "android/hardware/display/DisplayManagerGlobal.getInstance()Landroid/hardware/display/DisplayManagerGlobal;", ALWAYS),
    ("Display", "android/hardware/display/DisplayManagerGlobal.getDisplayInfo(I)Landroid/view/DisplayInfo;", ALWAYS),
    ("Display", "android/view/DisplayInfo.logicalWidth", ALWAYS),
    ("Display", "android/view/DisplayInfo.logicalHeight", ALWAYS),
    ("Display", "android/view/DisplayInfo.rotation", ALWAYS),
    ("Display", "android/view/DisplayInfo.logicalDensityDpi", ALWAYS),
]

# Found by name alone and filled by type: all forms a release has must consist of these types, a text first among texts.
FILLED = {
    "getPrimaryClip": (CLIP, {TEXT, "I"}),
    "setPrimaryClip": ("V", {CLIP, TEXT, "I"}),
    "clearPrimaryClip": ("V", {TEXT, "I"}),
}
# Of those, what the wrapper does without on older releases.
FILLED_SINCE = {"clearPrimaryClip": 28}
CLIPBOARD = "android/content/IClipboard"

STATIC, INTERFACE, ABSTRACT = 0x0008, 0x0200, 0x0400


class ClassFile:
    """What a compiled class says of itself and of others."""

    def __init__(self, data):
        self.data = data
        self.pool, offset = self._pool()
        self.flags, this, parent, count = struct.unpack_from(">HHHH", data, offset)
        offset += 8
        self.name = self.class_name(this)
        self.parents = [self.class_name(parent)] if parent else []
        self.interfaces = [self.class_name(index) for index in struct.unpack_from(f">{count}H", data, offset)]
        offset += 2 * count
        self.members = {}
        for is_method in (False, True):
            (count,) = struct.unpack_from(">H", data, offset)
            offset += 2
            for _ in range(count):
                offset = self._member(offset, is_method)

    def _pool(self):
        (count,) = struct.unpack_from(">H", self.data, 8)
        pool, offset, index = {}, 10, 1
        while index < count:
            tag = self.data[offset]
            if tag == 1:
                (length,) = struct.unpack_from(">H", self.data, offset + 1)
                pool[index] = (tag, self.data[offset + 3 : offset + 3 + length].decode("utf-8", "replace"))
                offset += 3 + length
            elif tag in (3, 4):
                pool[index] = (tag, struct.unpack_from(">i" if tag == 3 else ">f", self.data, offset + 1)[0])
                offset += 5
            elif tag in (5, 6):
                pool[index] = (tag, struct.unpack_from(">q" if tag == 5 else ">d", self.data, offset + 1)[0])
                offset += 9
                index += 1
            elif tag in (7, 8, 16, 19, 20):
                pool[index] = (tag, struct.unpack_from(">H", self.data, offset + 1)[0])
                offset += 3
            elif tag in (9, 10, 11, 12, 17, 18):
                pool[index] = (tag, struct.unpack_from(">HH", self.data, offset + 1))
                offset += 5
            elif tag == 15:
                pool[index] = (tag, struct.unpack_from(">BH", self.data, offset + 1))
                offset += 4
            else:
                raise ValueError(f"constant of kind {tag} in {len(self.data)} bytes")
            index += 1
        return pool, offset

    def _member(self, offset, is_method):
        flags, name, descriptor, attributes = struct.unpack_from(">HHHH", self.data, offset)
        offset += 8
        value = None
        for _ in range(attributes):
            attribute, length = struct.unpack_from(">HI", self.data, offset)
            if self.text(attribute) == "ConstantValue":
                tag, value = self.pool[struct.unpack_from(">H", self.data, offset + 6)[0]]
                value = self.text(value) if tag == 8 else value
            offset += 6 + length
        key = self.text(name) + (self.text(descriptor) if is_method else "")
        self.members[key] = (flags, self.text(descriptor), value)
        return offset

    def text(self, index):
        return self.pool[index][1]

    def class_name(self, index):
        return self.text(self.pool[index][1])

    def references(self):
        """Classes, and members as (owner, key, descriptor), that are named."""
        for tag, value in self.pool.values():
            if tag == 7:
                yield self.text(value).lstrip("[").removeprefix("L").rstrip(";"), None, None
            elif tag in (9, 10, 11):
                _, (name, descriptor) = self.pool[value[1]]
                key = self.text(name) + (self.text(descriptor) if tag != 9 else "")
                yield self.class_name(value[0]), key, self.text(descriptor)

    def lambdas(self):
        """Interfaces made by lambdas, each with the name of the method."""
        for tag, value in self.pool.values():
            if tag == 18:
                _, (name, descriptor) = self.pool[value[1]]
                yield self.text(descriptor).rsplit(")L", 1)[-1].rstrip(";"), self.text(name)


class Framework:
    """The compiled framework of one release."""

    def __init__(self, sdk, path):
        self.sdk = sdk
        self.jar = zipfile.ZipFile(path)
        self.known = {}

    def get(self, name):
        if name not in self.known:
            try:
                self.known[name] = ClassFile(self.jar.read(name + ".class"))
            except KeyError:
                self.known[name] = None
        return self.known[name]

    def find(self, owner, key):
        """A member of a class, or of what it inherits from inside the framework."""
        names = [owner]
        while names:
            found = self.get(names.pop())
            if found is not None:
                if key in found.members:
                    return found.members[key]
                names += found.parents + found.interfaces
        return None

    def inherits_from_java(self, owner):
        """Whether a class extends one of Java's, which compilers check by themselves."""
        found = self.get(owner)
        parents = found.parents if found is not None else []
        return any(not is_android(name) and name != "java/lang/Object" or self.inherits_from_java(name) for name in parents)

    def has(self, owner, key, descriptor):
        found = self.find(owner, key)
        return self.inherits_from_java(owner) if found is None else found[1] == descriptor

    def abstract_methods(self, name):
        found = self.get(name)
        own = {key for key, (flags, _, _) in found.members.items() if flags & ABSTRACT}
        return own.union(*(self.abstract_methods(parent) for parent in found.interfaces))


def compiled(folder):
    return [ClassFile(path.read_bytes()) for path in sorted(Path(folder).rglob("*.class"))]


def split(member):
    """Owner and key of `owner.name(types)result`."""
    head, mark, types = member.partition("(")
    owner, name = head.rsplit(".", 1)
    return owner, name + mark + types


def is_android(name):
    return name.startswith(("android/", "com/android/"))


class Check:
    """What was found of one release."""

    def __init__(self, framework):
        self.framework = framework
        self.lacking = set()
        self.errors = []

    def error(self, words):
        self.errors.append(f"SDK {self.framework.sdk}: {words}")

    def named(self, classes):
        count = 0
        for owner, key, descriptor in sorted({reference for one in classes for reference in one.references()}, key=str):
            if not is_android(owner):
                continue
            count += 1
            if self.framework.get(owner) is None:
                self.lack(owner if key is None else f"{owner}.{key}")
            elif key is not None and not self.framework.has(owner, key, descriptor):
                self.lack(f"{owner}.{key}")
        return count

    def lack(self, member):
        self.lacking.add(member)
        if self.framework.sdk >= (SINCE | APP_SINCE).get(member, 0):
            self.error(f"there is no {member}")

    def implemented(self, classes):
        for one in classes:
            for name in filter(is_android, one.interfaces):
                for key in self.framework.abstract_methods(name) - set(one.members):
                    self.error(f"{one.name} does not implement {name}.{key}")
            for name, method in one.lambdas():
                if is_android(name):
                    abstract = {key.partition("(")[0] for key in self.framework.abstract_methods(name)}
                    if abstract != {method}:
                        self.error(f"{name} has the methods {sorted(abstract)}, and a lambda stands for {method}")

    def constants(self, stubs):
        count = 0
        for stub in stubs:
            for key, (_, _, value) in stub.members.items():
                found = self.framework.find(stub.name, key) if value is not None else None
                if found is not None:
                    count += 1
                    if found[2] is not None and found[2] != value:
                        self.error(f"{stub.name}.{key} is {found[2]}, and the stub says {value}")
        return count

    def hidden(self):
        for wrapper, member, releases in HIDDEN:
            if self.framework.sdk in releases:
                owner, key = split(member)
                found = self.framework.find(owner, key)
                if found is None:
                    self.error(f"wrapper {wrapper}: there is no {member}")
        clipboard = self.framework.get(CLIPBOARD)
        for name, (result, allowed) in FILLED.items():
            if self.framework.sdk < FILLED_SINCE.get(name, 0):
                continue
            forms = [key for key in clipboard.members if key.partition("(")[0] == name]
            if len(forms) != 1:
                self.error(f"wrapper Clipboard: {len(forms)} forms of {name}, found by name alone")
            for form in forms:
                types, given = form.partition("(")[2].split(")")
                if given != result or not set(words(types)) <= allowed or TEXT not in words(types):
                    self.error(f"wrapper Clipboard: {form} cannot be filled by type")


def words(types):
    """The types of a descriptor one by one."""
    found, index = [], 0
    while index < len(types):
        end = types.index(";", index) + 1 if types[index] == "L" else index + 1
        found.append(types[index:end])
        index = end
    return found


def table(checks):
    """What differs by release, as rows of the README."""
    clipboard = {check.framework.sdk: sorted(
        key for key in check.framework.get(CLIPBOARD).members if key.startswith("getPrimaryClip(")) for check in checks}
    print("| SDK | named directly, lacking | hidden members used | `getPrimaryClip` takes |")
    print("|---|---|---|---|")
    for check in checks:
        sdk = check.framework.sdk
        lacking = ", ".join(f"`{short(member)}`" for member in sorted(check.lacking)) or "nothing"
        used = sum(sdk in releases for _, _, releases in HIDDEN)
        forms = [" ".join(simple(word) for word in words(key.partition("(")[2].split(")")[0])) for key in clipboard[sdk]]
        print(f"| {sdk} | {lacking} | {used} | {', '.join(forms)} |")


def short(member):
    """A member or a class without its types and where it is from."""
    return member.partition("(")[0].rpartition(".")[2].rpartition("/")[2]


def simple(word):
    return {"I": "int", TEXT: "String"}.get(word, word)


def main():
    classes, stubs, app = map(compiled, sys.argv[1:4])
    checks = []
    for argument in sys.argv[4:]:
        sdk, path = argument.split("=", 1)
        check = Check(Framework(int(sdk), path))
        members, constants = check.named(classes), check.constants(stubs)
        check.implemented(classes)
        check.hidden()
        of_app = 0
        if int(sdk) >= APP_FIRST:
            of_app = check.named(app)
            check.implemented(app)
        checks.append(check)
        print(f"SDK {sdk}: {members} members named, {constants} constants, {of_app} members named by the app, {len(check.errors)} errors")
    errors = [error for check in checks for error in check.errors]
    sdks = [check.framework.sdk for check in checks]
    claims = [(member, first, 0) for member, first in SINCE.items()]
    claims += [(member, first, APP_FIRST) for member, first in APP_SINCE.items()]
    for member, first, oldest in claims:
        lacking = {check.framework.sdk for check in checks if member in check.lacking}
        expected = {sdk for sdk in sdks if oldest <= sdk < first}
        if lacking != expected:
            errors.append(f"{member} is said to be there since SDK {first}, and is lacking in {sorted(lacking)}")
    for error in errors:
        print(error)
    table(checks)
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
