"""What only a phone on adb can show: files, a lost connection, rotation, and an independent look at the tree."""

import asyncio
import tempfile
import time
from pathlib import Path

from phone import Phone

CALCULATOR = "com.android.calculator2"
CLOCK = "com.android.deskclock"
# How long any call may take that waits for nothing by itself, in seconds.
CALL_LIMIT = 15.0
# How long the phone may take to be there again after it was connected again, in seconds.
BACK_WITHIN = 10.0


async def files(phone: Phone) -> None:
    """Files pushed and pulled beside the driver's own traffic come back whole."""
    content = bytes(range(256)) * 2048
    with tempfile.TemporaryDirectory() as folder:
        there, back = Path(folder, "there"), Path(folder, "back")
        there.write_bytes(content)
        phone.adb.bytes("push", str(there), "/sdcard/Download/sample.bin")
        await phone.open("Calculator", CALCULATOR)
        phone.adb.bytes("pull", "/sdcard/Download/sample.bin", str(back))
        assert back.read_bytes() == content
    assert phone.adb.shell("stat -c %s /sdcard/Download/sample.bin") == str(len(content))


async def rotation(phone: Phone) -> None:
    """An id taken before the screen was turned means the same button after."""
    await phone.open("Calculator", CALCULATOR)
    await phone.click(res_id="clr")
    seven = await phone.see(res_id="digit_7")
    phone.adb.shell("wm user-rotation lock 1")
    try:
        turned = await phone.until(lambda screen: screen if screen.orientation == "landscape" else None, "landscape")
        assert turned.size == (2400, 1080), turned.size
        await phone.call("click_element", element_id=seven.id)
        await phone.see(res_id="formula", text="7")
        assert (await phone.see(res_id="digit_7")).bounds != seven.bounds
    finally:
        phone.adb.shell("wm user-rotation free")
    await phone.until(lambda screen: screen.orientation == "portrait", "portrait")
    await phone.call("click_element", element_id=seven.id)
    await phone.see(res_id="formula", text="77")


async def screen_reported_as_never_idle(phone: Phone) -> None:
    """Where `uiautomator` gives up on a restless screen, the call says so in time, and the next one works again."""
    phone.adb.shell("fingertip-sim fault never-idle on")
    try:
        begun = time.monotonic()
        error = await phone.refused("get_screen_state")
        assert error["error_type"] == "timeout" and "never came to rest" in error["message"], error
        assert time.monotonic() - begun < CALL_LIMIT
    finally:
        phone.adb.shell("fingertip-sim fault clear")
    await phone.home()


async def disconnected_while_waiting(phone: Phone) -> None:
    """A call under way when the phone goes ends in time and in plain words; after the phone is back all goes on."""
    await phone.open("Clock", CLOCK)
    begun = time.monotonic()
    wait = asyncio.create_task(phone.answer("wait_for_element", by="text", value="no such thing", timeout=4000))
    await asyncio.sleep(0.7)
    phone.adb.disconnect()
    answer = await wait
    assert time.monotonic() - begun < 4.5, time.monotonic() - begun
    if answer.is_error:
        assert phone.adb.serial in answer.content[0].text, answer
    else:
        assert answer.structured_content["found"] is False, answer
    gone = await phone.refused("get_screen_state")
    assert gone["error_type"] == "permission_denied" and gone["guidance"], gone

    phone.adb.connect()
    end = time.monotonic() + BACK_WITHIN
    while (await phone.answer("get_screen_state")).is_error:
        assert time.monotonic() < end, "the phone did not come back"
        await asyncio.sleep(0.1)
    await phone.see(res_id="digital_clock")
    await phone.home()


SCENARIOS = [files, rotation, screen_reported_as_never_idle, disconnected_while_waiting]
