"""Times the Python libraries uiautomator2 and adbutils on the demo phone, reached through the real adb, as rows of phone.sh's table.

Usage: phone_libraries.py SERIAL ROUNDS

They are called in this process, so that no protocol is part of the time. What fails is shown with its error.
"""

import statistics
import sys
import time


def row(name: str, label: str, work, rounds: int) -> None:
    try:
        work()
        times = []
        for _ in range(rounds):
            begun = time.perf_counter()
            work()
            times.append((time.perf_counter() - begun) * 1000)
    except Exception as error:  # noqa: BLE001 - whatever a rival raises is what there is to show
        told = " ".join(str(error).split()).replace("|", "/")[:120] or type(error).__name__
        print(f"| {name} | {label}: failed, {told} | - | - | - | - |", flush=True)
        return
    times.sort()
    figures = [times[0], statistics.median(times), times[int(len(times) * 0.95)]]
    print(f"| {name} | {label} |", " | ".join(f"{figure:.1f}" for figure in figures), "| - |", flush=True)


def main(serial: str, rounds: int) -> None:
    import adbutils
    import uiautomator2

    device = adbutils.adb.device(serial)
    name = f"adbutils {adbutils.__version__}"
    row(name, "screen", device.dump_hierarchy, rounds)
    row(name, "tap", lambda: device.click(540, 400), rounds)
    name = f"uiautomator2 {getattr(uiautomator2, '__version__', '3')}"
    try:
        phone = uiautomator2.connect(serial)
    except Exception as error:  # noqa: BLE001 - as above
        told = " ".join(str(error).split()).replace("|", "/")[:120]
        print(f"| {name} | failed, {told} | - | - | - | - |", flush=True)
        return
    row(name, "screen", phone.dump_hierarchy, rounds)
    row(name, "find element", lambda: phone(text="7").exists or sys.exit("no key 7"), rounds)
    row(name, "tap", lambda: phone.click(540, 400), rounds)


main(sys.argv[1], int(sys.argv[2]))
