"""Writes the class of resource numbers that aapt would generate, as far as the app's code names them.

Usage: resources.py STRINGS_XML
"""

import sys
import xml.etree.ElementTree as ElementTree

names = [entry.get("name") for entry in ElementTree.parse(sys.argv[1]).getroot()]
lines = [f"        public static final int {name} = {number};" for number, name in enumerate(names, start=1)]
print("package dev.fingertip.app;\n\npublic final class R {\n    public static final class string {")
print("\n".join(lines))
print("    }\n\n    public static final class drawable {\n        public static final int icon = 1;\n    }\n}")
