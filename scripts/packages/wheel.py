"""Python wheels that carry the program: `uvx fingertip-mcp`, or `pip install fingertip-mcp` and `fingertip`."""

import base64
import hashlib

from common import DESCRIPTION, LICENCE, MCP_NAME, REGISTRY_NAME, ROOT, VERSION, File, Platform, text, zip_file

MODULE = REGISTRY_NAME.replace("-", "_")

# A second name for the program, the one of the package: that is what `uvx` looks for.
LAUNCHER = '''"""Starts the program that lies beside Python's scripts."""

import os
import sys
import sysconfig


def main() -> None:
    program = os.path.join(sysconfig.get_path("scripts"), "fingertip")
    if not os.path.exists(program):
        sys.exit(f"fingertip: {program} is missing; install the package again")
    os.execv(program, [program, *sys.argv[1:]])
'''


def wheel(platform: Platform, binary: bytes) -> tuple[str, bytes]:
    """The name and the bytes of the wheel for a platform."""
    tag = f"py3-none-{platform.wheel}"
    info, data = f"{MODULE}-{VERSION}.dist-info", f"{MODULE}-{VERSION}.data"
    readme = (ROOT / "README.md").read_text()
    tags = "".join(f"Tag: py3-none-{single}\n" for single in platform.wheel.split("."))
    files = [
        text(f"{MODULE}/__init__.py", LAUNCHER),
        File(f"{data}/scripts/fingertip", binary, executable=True),
        text(
            f"{info}/METADATA",
            f"Metadata-Version: 2.4\nName: {REGISTRY_NAME}\nVersion: {VERSION}\nSummary: {DESCRIPTION}\n"
            f"License-Expression: {LICENCE}\nLicense-File: LICENSE\nRequires-Python: >=3.8\n"
            f"Description-Content-Type: text/markdown\n\n{readme}\nmcp-name: {MCP_NAME}\n",
        ),
        text(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: fingertip\nRoot-Is-Purelib: false\n{tags}"),
        text(f"{info}/entry_points.txt", f"[console_scripts]\n{REGISTRY_NAME} = {MODULE}:main\n"),
        File(f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes()),
    ]
    record = "".join(f"{file.path},sha256={digest(file.content)},{len(file.content)}\n" for file in files)
    files.append(text(f"{info}/RECORD", f"{record}{info}/RECORD,,\n"))
    return f"{MODULE}-{VERSION}-{tag}.whl", zip_file(files)


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
