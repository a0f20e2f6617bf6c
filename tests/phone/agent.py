"""What only the agent can do: any text, the clipboard, word of changes, a restless screen read at once."""

import asyncio
import time

from phone import Phone

NOTES = "com.fingertip.demo.notes"
CLOCK = "com.android.deskclock"
# Marks, right to left, wide characters, emoji with joiners, and five thousand characters of all of them.
TEXTS = ["👋🏽 👩‍👩‍👧‍👦 ✌️", "שלום עולם", "你好，世界。漢字", "e\u0301 n\u0303 o\u0302\u0323"]
LONG = (" ".join(TEXTS) * 200)[:5000]
# How long a wait may lag behind what it waits for on a busy machine, in seconds; the goal is 0.02.
WOKEN_WITHIN = 0.25


async def any_text_and_the_clipboard(phone: Phone) -> None:
    """Text of every script is set, appended and cleared, read back exactly; the clipboard is what it was before."""
    await phone.call("set_clipboard", text="kept שלום 👋")
    await phone.open("Notes", NOTES)
    await phone.click(res_id="fab_new")
    for text in [*TEXTS, LONG]:
        await phone.call("set_text", element_id=await body(phone), text=text)
        await full_text(phone, text)
        await phone.call("clear_text", element_id=await body(phone))
        await phone.call("input_text", element_id=await body(phone), text="a")
        await phone.call("input_text", text=text)
        await full_text(phone, "a" + text)
        await phone.call("clear_text", element_id=await body(phone))
    assert (await phone.json("get_clipboard"))["text"] == "kept שלום 👋"


async def body(phone: Phone) -> str:
    """The id of the note's body now: a text that fills and scrolls the screen may give it a new one."""
    return (await phone.see(res_id="edit_body")).id


async def full_text(phone: Phone, wanted: str) -> None:
    """The body of the note shows this text, all of it."""
    details = await phone.call("get_element_details", ids=[await body(phone)])
    assert wanted in details.content[0].text, (details.content[0].text[:120], wanted[:80])


async def woken_by_a_change(phone: Phone) -> None:
    """A wait ends as soon as what it waits for is there."""
    await phone.open("Clock", CLOCK)
    await phone.click(res_id="reset")
    wait = asyncio.create_task(phone.json("wait_for_element", by="text", value="Stop", timeout=10_000))
    await asyncio.sleep(0.5)
    await phone.click(res_id="start_stop", text="Start")
    clicked = time.monotonic()
    assert (await wait)["found"]
    assert time.monotonic() - clicked < WOKEN_WITHIN, time.monotonic() - clicked
    await phone.click(res_id="reset")


async def a_toast_is_told_with_the_effect(phone: Phone) -> None:
    await phone.open("Settings", "com.android.settings")
    await phone.call("click_element", element_id='~"Network & internet"')
    told = await phone.call("click_element", element_id='~"Café"', see="changes")
    see = told.structured_content["see"]
    assert [toast["text"] for toast in see["toasts"]] == ["Café is out of range"], see
    assert 'toast "Café is out of range"' in told.content[1].text, told.content
    again = await phone.call("press_back", see="changes")
    assert "toasts" not in again.structured_content["see"], again.structured_content


SCENARIOS = [any_text_and_the_clipboard, woken_by_a_change, a_toast_is_told_with_the_effect]
