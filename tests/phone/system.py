"""What belongs to the phone rather than to an app: panels, recent apps, logs, waits, screenshots."""

import asyncio
import base64
import io
import re
import time

from phone import Phone
from PIL import Image, ImageChops

CALCULATOR = "com.android.calculator2"
CLOCK = "com.android.deskclock"
# The largest side of a screenshot.
PICTURE_SIDE = 700
# What "at once" means, in seconds.
AT_ONCE = 2.0


async def notifications(phone: Phone) -> None:
    await phone.call("open_notifications")
    await phone.see(text="Missed call")
    assert (await phone.screen()).focused.app == "com.android.systemui"
    await phone.call("press_back")
    await phone.gone(text="Missed call")
    await phone.see(res_id="icon", text="Calculator")


async def notification_swiped_away(phone: Phone) -> None:
    await phone.call("open_notifications")
    x, y = (await phone.see(text="Upcoming alarm")).middle
    await phone.call("swipe", x1=x, y1=y, x2=x + 600, y2=y, duration=150)
    await phone.gone(text="Upcoming alarm")
    await phone.see(text="Missed call")
    await phone.call("press_back")


async def quick_settings(phone: Phone) -> None:
    await phone.call("open_quick_settings")
    tile = await phone.see(desc="Flashlight, Off")
    await phone.call("click_element", element_id=tile.id)
    assert (await phone.see(desc="Flashlight, On")).id == tile.id
    if phone.adb:
        assert phone.adb.shell("logcat -d -s QSTileHost").endswith("Flashlight on")
    await phone.call("click_element", element_id=tile.id)
    await phone.see(desc="Flashlight, Off")
    await phone.call("press_back")
    await phone.call("press_back")
    await phone.gone(res_id="quick_settings_panel")


async def recent_apps(phone: Phone) -> None:
    await phone.open("Calculator", CALCULATOR)
    await phone.call("press_recents")
    await phone.click(desc="Calculator", res_id="task_view")
    await phone.until(lambda screen: screen.app == CALCULATOR, CALCULATOR)
    await phone.call("press_key", key="HOME")
    await phone.see(res_id="icon", text="Calculator")


LINE = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d) (?P<time>\d\d:\d\d:\d\d\.\d{3}) +(?P<pid>\d+) +\d+ "
    r"(?P<level>[VDIWEF]) (?P<tag>\S+) *: (?P<text>.*)"
)


async def lines(phone: Phone, **filters: str | int) -> list[re.Match[str]]:
    """The log lines a filter leaves."""
    answer = await phone.json("get_device_logs", **filters)
    text = answer["logs"].splitlines()
    assert answer["line_count"] == len(text), answer
    return [LINE.fullmatch(line) or unreadable(line) for line in text]


def unreadable(line: str) -> re.Match[str]:
    raise AssertionError(f"not a log line: {line}")


async def logs(phone: Phone) -> None:
    """Filters by package, level, tag and time, alone and together."""
    await phone.open("Calculator", CALCULATOR)
    for key in ["clr", "digit_1", "op_add", "digit_1", "eq"]:
        await phone.click(res_id=key)
    every = await lines(phone, last_lines=1000)
    own = await lines(phone, package_name=CALCULATOR)
    assert own and len({line["pid"] for line in own}) == 1 and len(own) < len(every)
    assert own[-1]["text"] == "evaluated 3 characters", own[-1][0]
    if phone.adb:
        assert phone.adb.shell(f"pidof {CALCULATOR}") == own[0]["pid"]

    assert {line["level"] for line in await lines(phone, level="W")} <= set("WEF")
    tagged = await lines(phone, tag="Calculator", package_name=CALCULATOR)
    assert {line["tag"] for line in tagged} == {"Calculator"}

    times = sorted({line["time"] for line in every})
    early, late = times[len(times) // 3], times[2 * len(times) // 3]
    day = every[0]["day"]
    between = await lines(phone, since=f"{day}T{early}", until=f"{day}T{late}", last_lines=1000)
    expected = [line[0] for line in every if early <= line["time"] <= late]
    assert [line[0] for line in between] == expected, (early, late)
    assert await lines(phone, since=f"{day}T23:59:59", last_lines=10) == []

    stopped = await phone.json("get_device_logs", package_name="com.example.absent")
    assert stopped["line_count"] == 0 and stopped["note"], stopped


async def wait_for_what_comes_later(phone: Phone) -> None:
    """A wait sees what another call brings about."""
    await phone.open("Clock", CLOCK)
    await phone.click(res_id="reset")
    wait = asyncio.create_task(phone.json("wait_for_element", by="text", value="Stop", timeout=10_000))
    await asyncio.sleep(0.6)
    assert not wait.done(), wait.result()
    await phone.click(res_id="start_stop", text="Start")
    found = await wait
    assert found["found"] and found["element"]["resourceId"].endswith("id/start_stop"), found
    await phone.click(res_id="reset")

    absent = await phone.json("wait_for_element", by="text", value="no such thing", timeout=300)
    assert absent["found"] is False and 300 <= absent["elapsedMs"] < 1000, absent


async def screen_that_never_rests(phone: Phone) -> None:
    await phone.open("Clock", CLOCK)
    begun = time.monotonic()
    first = await phone.see(res_id="digital_clock")
    assert time.monotonic() - begun < AT_ONCE
    await phone.until(lambda screen: screen.row(res_id="digital_clock").text != first.text, "the clock ticks")
    ended = await phone.json("wait_for_idle", timeout=1000)
    assert ended["message"] == "UI did not become idle within the timeout", ended
    assert 1000 <= ended["elapsedMs"] < 2000, ended

    await phone.home()
    rested = await phone.json("wait_for_idle", timeout=5000)
    assert rested["message"] == "UI is idle" and rested["elapsedMs"] < 5000, rested


async def picture(phone: Phone, **more: object) -> Image.Image:
    """The screenshot, decoded."""
    answer = await phone.call("get_screen_state", include_screenshot=True, **more)
    text, image, *_ = answer.content
    assert text.type == "text" and image.mime_type == "image/jpeg", image.mime_type
    decoded = Image.open(io.BytesIO(base64.b64decode(image.data)))
    decoded.load()
    assert decoded.format == "JPEG" and max(decoded.size) == PICTURE_SIDE, decoded
    return decoded


async def screenshots(phone: Phone) -> None:
    """A screenshot has the shape of the screen and shows what is on it."""
    await phone.home()
    home = await picture(phone)
    width, height = (await phone.screen()).size
    assert abs(home.width / home.height - width / height) < 0.01, home.size
    await phone.open("Calculator", CALCULATOR)
    calculator = await picture(phone)
    difference = ImageChops.difference(home.convert("L"), calculator.convert("L"))
    assert sum(difference.histogram()[32:]) > home.width * home.height // 4


async def marks(phone: Phone) -> None:
    """Every key of the calculator has a box of its own on the picture, where it is."""
    await phone.open("Calculator", CALCULATOR)
    plain, marked = await picture(phone), await picture(phone, marks=True)
    difference = ImageChops.difference(plain.convert("L"), marked.convert("L")).point(lambda level: 255 * (level > 40))
    screen = await phone.screen()
    scale = marked.width / screen.size[0]
    keys = [row for row in screen.rows if row.text.isdigit() and "c" in row.flags]
    assert len(keys) == 10, keys
    for key in keys:
        left, top, right, bottom = (round(edge * scale) for edge in key.bounds)
        border = difference.crop((left - 1, top - 1, right + 1, bottom + 1))
        assert sum(border.histogram()[128:]) > (right - left + bottom - top) // 2, key


SCENARIOS = [
    notifications,
    notification_swiped_away,
    quick_settings,
    recent_apps,
    logs,
    wait_for_what_comes_later,
    screen_that_never_rests,
    screenshots,
    marks,
]
