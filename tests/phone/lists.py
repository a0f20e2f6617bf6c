"""A list much longer than the screen."""

from phone import Phone
from screen import Row, Screen

SETTINGS = "com.android.settings"
# The 64th row of the list, and a row about 20 above it.
SWITCH, ITS_SETTING = "Camera access", "secure camera_access"
SEEN_BEFORE = "Night Light"
# The most scrolls from the top to the switch.
SCROLLS = 30


async def switch_far_down(phone: Phone) -> None:
    """A switch 60 rows down is found by scrolling and turned over; then a row seen on the way is scrolled back to."""
    await phone.open("Settings", SETTINGS)
    seen, remembered = [], None
    for _ in range(SCROLLS):
        screen = await phone.screen()
        titles = [row.text for row in screen.all(res_id="android:id/title")]
        assert not seen or set(titles) & set(seen), f"the scroll skipped rows: {seen[-1]} to {titles[0]}"
        seen += [title for title in titles if title not in seen]
        remembered = remembered or screen.row(text=SEEN_BEFORE)
        if SWITCH in titles:
            break
        await phone.call("scroll", direction="down", amount="medium")
    assert seen.index(SWITCH) >= 60, seen

    before = switch_of(await phone.screen(), SWITCH)
    await turn_over(phone, SWITCH)
    after = switch_of(await phone.screen(), SWITCH)
    assert ("x" in after.flags) != ("x" in before.flags), (before, after)
    if phone.adb:
        stored = phone.adb.shell(f"settings get {ITS_SETTING}")
        assert stored == ("1" if "x" in after.flags else "0"), stored

    assert not (await phone.screen()).row(text=SEEN_BEFORE)
    await phone.call("scroll_to_element", element_id=remembered.id)
    again = await phone.see(text=SEEN_BEFORE)
    assert again.id == remembered.id, (remembered, again)
    await turn_over(phone, SEEN_BEFORE)
    await turn_over(phone, SEEN_BEFORE)


def switch_of(screen: Screen, title: str) -> Row:
    """The switch in the row with this title."""
    entry = screen.clickable_around(screen.row(text=title, res_id="android:id/title"))
    return next(row for row in screen.all(res_id="android:id/switch_widget") if entry.contains(row))


async def turn_over(phone: Phone, title: str) -> None:
    """Clicks a row with a switch and sees the switch turn."""
    screen = await phone.screen()
    before = switch_of(screen, title)
    entry = screen.clickable_around(screen.row(text=title, res_id="android:id/title"))
    await phone.call("click_element", element_id=entry.id)
    await phone.until(
        lambda now: ("x" in switch_of(now, title).flags) != ("x" in before.flags), f"{title} turned over"
    )


async def search(phone: Phone) -> None:
    """The list is filtered as text is typed, and the field stays the same field meanwhile."""
    await phone.open("Settings", SETTINGS)
    field = await phone.see(res_id="search_src_text")
    await phone.call("input_text", element_id=field.id, text="blue")
    await phone.see(id=field.id, text="blue")
    await phone.gone(text="Network & internet")
    await phone.see(text="Bluetooth", res_id="android:id/title")
    await phone.click(res_id="search_close_btn")
    await phone.see(text="Network & internet")


async def drag_with_stops(phone: Phone) -> None:
    """A finger that goes, rests and goes on moves the list exactly as far as it went."""
    await phone.open("Settings", SETTINGS)
    before = await phone.see(text="Data Saver")
    path = [
        {"x": 540, "y": 1900, "time": 0},
        {"x": 540, "y": 1600, "time": 300},
        {"x": 540, "y": 1600, "time": 500},
        {"x": 540, "y": 1300, "time": 800},
        {"x": 540, "y": 1300, "time": 1000},
    ]
    await phone.call("custom_gesture", paths=[path])
    after = await phone.see(text="Data Saver")
    moved = before.bounds[1] - after.bounds[1]
    # The first few pixels only tell a drag from a tap.
    assert 500 <= moved <= 600, moved


SCENARIOS = [switch_far_down, search, drag_with_stops]
