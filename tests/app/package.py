"""The package of the app, opened by tools that share no code: what is promised of it is in it, and nothing else.

Usage: package.py ROOT SIGNED UNSIGNED PROGRAM FIRST AGAIN    UNSIGNED is a second build, PROGRAM the server that was
given to both, FIRST and AGAIN what the builds said of their hashes
"""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

from androguard.core.apk import APK
from androguard.core.dex import DEX
from loguru import logger

PERMISSIONS = {
    "INTERNET",
    "FOREGROUND_SERVICE",
    "FOREGROUND_SERVICE_CONNECTED_DEVICE",
    "CHANGE_NETWORK_STATE",
    "POST_NOTIFICATIONS",
    "RECEIVE_BOOT_COMPLETED",
}
COMPONENTS = {"SettingsActivity", "ScreenService", "ServerService", "BootReceiver", "ComputerReceiver"}
# What of the shell's agent has no place in an app: hidden interfaces of the system.
SHELL_ONLY = ["agent/Main;", "agent/shell/", "wrappers/InputAccess;", "wrappers/ClipboardAccess;", "wrappers/AutomationAccess;"]


def run(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout} {done.stderr}"
    return done.stdout


def signed_and_aligned(apk: Path) -> None:
    said = run("apksigner", "verify", "--verbose", apk)
    assert "Verified using v3 scheme (APK Signature Scheme v3): true" in said, said
    run("zipalign", "-c", "-p", "4", apk)


def manifest(root: Path, apk: Path) -> None:
    badging = run("aapt", "dump", "badging", apk)
    version = re.search(r'^version = "(.*)"', (root / "Cargo.toml").read_text(), re.M)[1]
    assert f"package: name='dev.fingertip.app' versionCode='1000' versionName='{version}'" in badging, badging
    assert "sdkVersion:'30'" in badging and "targetSdkVersion:'35'" in badging, badging
    permissions = set(re.findall(r"uses-permission: name='android\.permission\.(\w+)'", badging))
    assert permissions == PERMISSIONS, permissions ^ PERMISSIONS
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", (root / "app" / "README.md").read_text(), re.M))
    assert documented == PERMISSIONS, documented ^ PERMISSIONS
    tree = run("aapt", "dump", "xmltree", apk, "AndroidManifest.xml")
    named = set(re.findall(r'E: (?:activity|service|receiver).*?android:name\S*="\.?(\w+)"', tree, re.S))
    assert named == COMPONENTS, named ^ COMPONENTS
    for component, guard in [
        ("ScreenService", "android.permission.BIND_ACCESSIBILITY_SERVICE"),
        ("ComputerReceiver", "android.permission.DUMP"),
    ]:
        part = next(part for part in re.split(r"E: (?:activity|service|receiver) ", tree) if f'".{component}"' in part)
        assert f'"{guard}"' in part, part
    assert re.search(r"extractNativeLibs\S*\)=\(type 0x12\)0xffffffff", tree), "Android would not extract the server"
    service = run("aapt", "dump", "xmltree", apk, "res/xml/accessibility.xml")
    for able in ["canTakeScreenshot", "canPerformGestures", "canRetrieveWindowContent"]:
        assert re.search(rf"{able}\S*\)=\(type 0x12\)0xffffffff", service), able


def code(apk: Path) -> set[str]:
    dump = run("dexdump", "-f", apk)
    classes = set(re.findall(r"Class descriptor\s*: '(\S+)'", dump))
    for component in COMPONENTS:
        assert f"Ldev/fingertip/app/{component};" in classes, component
    assert not [name for name in classes if not name.startswith("Ldev/fingertip/")], "a class of somebody else"
    for part in SHELL_ONLY:
        assert not [name for name in classes if part in name], part
    assert "Ldev/fingertip/agent/operations/TakeSnapshot;" in classes, "the agent's own code is not there"
    return classes


def read_by_another(apk: Path, classes: set[str]) -> None:
    """The same read by androguard, which shares no code with Android's own tools."""
    # It writes down all that it reads.
    logger.disable("androguard")
    package = APK(str(apk))
    assert package.is_signed_v3() and not package.is_signed_v1(), package.get_signature_names()
    assert package.get_package() == "dev.fingertip.app", package.get_package()
    versions = package.get_min_sdk_version(), package.get_target_sdk_version()
    assert versions == ("30", "35"), versions
    permissions = {name.removeprefix("android.permission.") for name in package.get_permissions()}
    assert permissions == PERMISSIONS, permissions ^ PERMISSIONS
    components = {*package.get_activities(), *package.get_services(), *package.get_receivers(), *package.get_providers()}
    assert components == {f"dev.fingertip.app.{name}" for name in COMPONENTS}, components
    read = {entry.get_name() for dex in package.get_all_dex() for entry in DEX(dex).get_classes()}
    assert read == classes, read ^ classes


def content(apk: Path, again: Path, program: Path) -> None:
    with zipfile.ZipFile(apk) as package, zipfile.ZipFile(again) as other:
        names = package.namelist()
        assert package.read("lib/x86_64/libfingertip.so") == program.read_bytes()
        assert package.getinfo("resources.arsc").compress_type == zipfile.ZIP_STORED
        assert names == other.namelist(), set(names) ^ set(other.namelist())
        for name in names:
            assert package.read(name) == other.read(name), f"{name} differs from one build to the next"
        assert {entry.date_time for entry in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def reproducible(first: str, again: str) -> None:
    assert first == again, f"two builds before signing: {first} and {again}"


root, signed, unsigned, binary = map(Path, sys.argv[1:5])
signed_and_aligned(signed)
manifest(root, signed)
read_by_another(signed, code(signed))
content(signed, unsigned, binary)
reproducible(*(line.split()[1] for line in sys.argv[5:]))
print("ok app package: signed, aligned, its parts, its permissions, the same twice")
