"""Many calls in one, elements by selector, conditions, and texts by name."""

import html
import os

from phone import Phone

NOTES, GALLERY = "com.fingertip.demo.notes", "com.fingertip.demo.gallery"


def click(selector: str, **more: object) -> dict:
    return {"tool": "click_element", "arguments": {"element_id": selector}} | more


def write(selector: str, text: str | dict) -> dict:
    return {"tool": "set_text", "arguments": {"element_id": selector, "text": text}}


async def a_note_is_written_in_one_call(phone: Phone) -> None:
    steps = [
        {"tool": "open_app", "arguments": {"app": NOTES}, "expect": [{"app": NOTES}]},
        click('button "New note"', expect=[{"element": 'text_field "Title"'}]),
        write('"Title"', "Steps"),
        write('"Write something"', "all in one call"),
        click('"Navigate up"', expect=[{"element": '~"all in one call"'}]),
    ]
    result = await phone.call("run_steps", steps=steps, see="changes")
    assert result.structured_content["done"] == len(steps), result.structured_content
    assert "all in one call" in result.content[-1].text, result.content[-1].text
    conditions = [
        {"element": '~"all in one call"'},
        {"element": 'button "New note"', "is": "enabled"},
        {"element": '"Write something"', "is": "absent"},
        {"app": NOTES},
        {"element": '"Steps"', "is": "focused"},
    ]
    verdict = (await phone.call("verify_state", conditions=conditions)).structured_content
    results = [one["result"] for one in verdict["conditions"]]
    assert results == ["satisfied"] * 4 + ["unsatisfied"], verdict


async def a_run_ends_where_it_goes_another_way(phone: Phone) -> None:
    steps = [
        {"tool": "open_app", "arguments": {"app": NOTES}},
        click('~"Shopping list"', expect=[{"element": '"Delete note"'}]),
        click('"No such button"'),
        click('"Delete note"'),
    ]
    result = await phone.answer("run_steps", steps=steps)
    outcomes = [step["outcome"] for step in result.structured_content["steps"]]
    assert result.is_error and outcomes == ["done", "done", "failed", "not started"], result.structured_content
    asked = await phone.answer("run_steps", steps=[click('"Delete note"'), click('"Navigate up"')], stop_on="surprise")
    outcomes = [step["outcome"] for step in asked.structured_content["steps"]]
    assert outcomes == ["surprise", "not started"], asked.structured_content
    await phone.call("press_back")
    await phone.call("click_element", element_id='"Navigate up"')
    await phone.call("verify_state", conditions=[{"element": '~"Shopping list"'}], timeout=5000)


async def a_crash_is_told_with_its_evidence(phone: Phone) -> None:
    damaged = '"Photo 13, damaged"'
    for times in (1, 2):
        await phone.call("open_app", app=GALLERY)
        told = (await phone.call("click_element", element_id=damaged, see="changes")).structured_content["see"]
        assert told["verdict"] == "crashed" and "cannot be decoded" in told["evidence"], told
        assert ("Gallery keeps stopping" in told["evidence"]) == (times == 2), told
    lean = (await phone.call("get_screen_state", format="lean")).content[0].text
    assert '"Close app"' in lean, lean
    await phone.call("click_element", element_id='"Close app"')
    await phone.call("open_app", app=GALLERY)
    steps = [click(damaged), {"tool": "press_home"}]
    stopped = await phone.answer("run_steps", steps=steps, stop_on="surprise")
    outcomes = [step["outcome"] for step in stopped.structured_content["steps"]]
    assert outcomes == ["surprise", "not started"], stopped.structured_content
    assert "crashed" in stopped.structured_content["stopped"], stopped.structured_content
    await phone.call("click_element", element_id='"Close app"')
    if phone.adb:
        log = phone.adb.shell("logcat -b crash -d")
        assert log.count(f"Process: {GALLERY}") >= 3, log


async def a_secret_is_written_and_never_told(phone: Phone) -> None:
    """That no reply, log or audit line has it is seen at the end of the run, where all of them are searched."""
    secret, shown = {"secret": "NOTE"}, "[secret NOTE]"
    steps = [
        {"tool": "open_app", "arguments": {"app": NOTES}},
        click('button "New note"', expect=[{"element": 'text_field "Title"'}]),
        write('"Title"', "Kept"),
    ]
    await phone.call("run_steps", steps=steps)
    field = 'text_field "Write something"'
    written = await phone.call("set_text", element_id=field, text=secret, see="changes")
    assert any(shown in part.text for part in written.content), written.content
    lean = (await phone.call("get_screen_state", format="lean")).content[0].text
    told = [line.split(" ")[0] for line in lean.splitlines() if shown in line]
    assert len(told) == 1, lean
    assert shown in (await phone.call("get_screen_state")).content[0].text
    details = await phone.call("get_element_details", ids=told)
    assert shown in details.content[0].text, details.content
    if phone.adb:
        dump = phone.adb.bytes("exec-out", "uiautomator", "dump", "/dev/tty").decode()
        assert html.escape(os.environ["FINGERTIP_SECRET_NOTE"]) in dump, "the phone itself has it"
    unknown = await phone.answer("set_text", element_id=told[0], text={"secret": "OTHER"})
    assert unknown.is_error and "Known secrets: NOTE" in unknown.content[0].text, unknown.content
    await phone.call("set_text", element_id=told[0], text="")
    await phone.call("run_steps", steps=[click('"Navigate up"', expect=[{"element": '~"Kept"'}])])


SCENARIOS = [
    a_note_is_written_in_one_call,
    a_run_ends_where_it_goes_another_way,
    a_crash_is_told_with_its_evidence,
    a_secret_is_written_and_never_told,
]
