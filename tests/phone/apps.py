"""Everyday work in apps: calculating, writing a note, filling in a form."""

from phone import Phone

CALCULATOR = "com.android.calculator2"
CONTACTS = "com.android.contacts"
NOTES = "com.fingertip.demo.notes"
# Typed into the password field; must never be read out.
SECRET = "Tr0ub4dor-and-3"


async def calculator(phone: Phone) -> None:
    """7 + 3 = 10, read from the result field itself."""
    await phone.open("Calculator", CALCULATOR)
    for key in ["clr", "digit_7", "op_add", "digit_3", "eq"]:
        await phone.click(res_id=key)
    await phone.see(res_id=f"{CALCULATOR}:id/result", text="10")
    found = await phone.json("find_elements", by="resource_id", value=f"{CALCULATOR}:id/result", exact_match=True)
    assert [element["text"] for element in found["elements"]] == ["10"], found


async def note(phone: Phone) -> None:
    """A note is written, edited, emptied, and each time read again from the list."""
    await phone.open("Notes", NOTES)
    await phone.click(res_id="fab_new")
    title = await phone.see(res_id="edit_title")
    await phone.call("set_text", element_id=title.id, text="Trip")
    body = await phone.see(res_id="edit_body")
    await phone.call("input_text", element_id=body.id, text="Pack a map & 'water'")
    await reopen(phone, "Trip", "Pack a map & 'water'")

    body = await phone.see(res_id="edit_body")
    await phone.call("set_text", element_id=body.id, text="Pack a tent")
    await phone.call("press_key", key="SPACE")
    await phone.call("input_text", text="too!")
    await phone.call("press_key", key="DEL")
    await reopen(phone, "Trip", "Pack a tent too")

    await phone.call("clear_text", element_id=(await phone.see(res_id="edit_body")).id)
    await phone.until(lambda screen: not screen.all(text="Pack a tent too"), "an empty body")
    await reopen(phone, "Trip")

    await phone.click(res_id="edit_title")
    await phone.call("clear_text")
    await leave_editor(phone)
    await phone.gone(text="Trip")
    await phone.see(text="Shopping list")


async def leave_editor(phone: Phone) -> None:
    """Goes back to the list, closing the keyboard on the way."""
    if (await phone.screen()).keyboard:
        await phone.call("press_back")
        await phone.until(lambda screen: not screen.keyboard, "no keyboard")
    await phone.call("press_key", key="BACK")
    await phone.see(res_id="fab_new")


async def reopen(phone: Phone, title: str, *preview: str) -> None:
    """Leaves the editor, checks the note's card in the list, and opens it again. An empty note has no preview."""
    await leave_editor(phone)
    screen = await phone.screen()
    name = screen.row(text=title, res_id="note_title")
    card = screen.clickable_around(name)
    shown = [row.text for row in screen.all(res_id="note_preview") if card.contains(row)]
    assert shown == list(preview), shown
    await phone.call("click_element", element_id=card.id)
    await phone.see(res_id="edit_title", text=title)


async def long_note(phone: Phone) -> None:
    """A text that the screen state cuts is read in full by its id."""
    await phone.open("Notes", NOTES)
    await phone.click(text="Field report")
    body = await phone.see(res_id="edit_body")
    cut = body.text.removesuffix("...truncated")
    assert len(cut) == 100 != len(body.text), body
    details = await phone.call("get_element_details", ids=[body.id])
    full = details.content[0].text
    assert cut in full.replace("\\n", " "), full
    assert "Line 60: the bridge at kilometre 180 was open and the road was dry." in full, full


async def non_ascii_text_is_refused(phone: Phone) -> None:
    """This driver cannot type beyond ASCII: it says so, and types nothing."""
    await phone.open("Notes", NOTES)
    await phone.click(res_id="fab_new")
    title = await phone.see(res_id="edit_title")
    await phone.call("set_text", element_id=title.id, text="Plain")
    for tool, arguments in [
        ("input_text", {"text": "half ASCII, half größer"}),
        ("set_text", {"element_id": title.id, "text": "日本"}),
    ]:
        error = await phone.refused(tool, **arguments)
        assert error["error_type"] == "unsupported" and error["guidance"], error
        await phone.see(res_id="edit_title", text="Plain")


async def form(phone: Phone) -> None:
    """A form says in a dialog what is missing; a button behind the dialog cannot be hit; then it is saved."""
    await phone.open("Contacts", CONTACTS)
    await phone.click(res_id="floating_action_button")
    save = await phone.click(res_id="save_button")
    await phone.see(res_id="android:id/message", text="Please enter a first name.")
    error = await phone.refused("click_element", element_id=save.id)
    assert error["error_type"] == "stale", error
    await phone.click(text="OK")
    await phone.gone(res_id="android:id/message")

    await phone.call("input_text", element_id=(await phone.see(res_id="first_name")).id, text="Emmy")
    await phone.call("press_key", key="ENTER")
    await phone.until(lambda screen: "o" in screen.row(res_id="last_name").flags, "the next field has the focus")
    await phone.call("input_text", text="Noether")
    await phone.call("press_key", key="TAB")
    await phone.call("set_text", element_id=(await phone.see(res_id="phone")).id, text="+49 9131 555")
    await phone.call("press_back")

    await phone.click(res_id="type_spinner")
    await phone.click(text="Work")
    await phone.see(res_id="android:id/text1", text="Work")
    await phone.click(res_id="favourite_switch")
    await phone.until(lambda screen: "x" in screen.row(res_id="favourite_switch").flags, "a favourite")

    await phone.call("set_text", element_id=(await phone.see(res_id="password")).id, text=SECRET)
    password = await phone.see(res_id="password")
    assert password.text == "-" and "p" in password.flags, password
    await phone.call("get_element_details", ids=[password.id])
    await phone.call("find_elements", by="resource_id", value="password")
    if (await phone.screen()).keyboard:
        await phone.call("press_back")
    await phone.call("click_element", element_id=save.id)
    await phone.see(text="Emmy Noether ★")
    await phone.see(text="Work · +49 9131 555")


async def button_under_the_keyboard(phone: Phone) -> None:
    """A button the keyboard covers is not tapped through the keyboard."""
    await phone.open("Contacts", CONTACTS)
    await phone.click(res_id="floating_action_button")
    save = await phone.see(res_id="save_button")
    await phone.click(res_id="phone")
    before = await phone.until(lambda screen: screen if screen.keyboard else None, "the keyboard")
    error = await phone.refused("click_element", element_id=save.id)
    assert error["error_type"] == "covered" and "eyboard" in error["message"], error
    assert (await phone.screen()).rows == before.rows
    await phone.call("press_back")
    await phone.call("click_element", element_id=save.id)
    await phone.see(res_id="android:id/message", text="Please enter a first name.")


async def opened_and_closed(phone: Phone) -> None:
    """Apps are listed, opened by package and by its last word, and closed; the screen shows each."""
    listed = {app["id"]: app for app in (await phone.json("list_apps", query="NOTES"))["apps"]}
    assert list(listed) == [NOTES] and "front" not in listed[NOTES], listed
    opened = await phone.json("open_app", app=NOTES)
    assert not opened["wasRunning"] and opened["window"]["app"] == NOTES, opened
    assert (await phone.screen()).app == NOTES
    opened = await phone.json("open_app", app="calculator2")
    assert opened["app"] == CALCULATOR and (await phone.screen()).app == CALCULATOR, opened
    assert (await phone.json("open_app", app=NOTES))["wasRunning"]
    front = (await phone.json("list_apps", running=True))["apps"][0]
    assert front["id"] == NOTES and front["front"], front
    closed = await phone.json("close_app", app=NOTES)
    assert closed["closed"] and "note" not in closed, closed
    await phone.until(lambda screen: screen.app != NOTES, "the notes gone")
    assert (await phone.refused("close_app", app=NOTES))["error_type"] == "app_not_running"
    assert (await phone.refused("open_app", app="org.none"))["error_type"] == "element_not_found"
    assert (await phone.refused("open_app", app="com.android.systemui"))["error_type"] == "unsupported"
    assert (await phone.refused("open_app", app=f"{NOTES}; reboot"))["error_type"] == "element_not_found"
    assert (await phone.refused("open_app", app=NOTES, file="/sdcard/x"))["error_type"] == "invalid_params"
    viewed = await phone.json("open_app", app=NOTES, file="https://example.org/$(reboot)';x")
    assert viewed["window"]["app"] == NOTES, viewed


SCENARIOS = [
    opened_and_closed,
    calculator,
    note,
    long_note,
    non_ascii_text_is_refused,
    form,
    button_under_the_keyboard,
]
