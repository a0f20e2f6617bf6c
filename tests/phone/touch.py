"""Fingers: taps, long and double ones, swipes, two fingers at once."""

import re

from phone import Phone

GALLERY = "com.fingertip.demo.gallery"
NOTES = "com.fingertip.demo.notes"
SETTINGS = "com.android.settings"


async def open_photo(phone: Phone) -> tuple[int, int]:
    """Opens the first photo of the gallery and gives its middle."""
    await phone.open("Gallery", GALLERY)
    await phone.click(desc="Photo 1", res_id="thumbnail")
    await phone.see(res_id="zoom_label", text="Zoom 100 %")
    return (await phone.see(res_id="photo_view")).middle


async def zoom(phone: Phone) -> int:
    """The zoom the gallery shows, in percent."""
    label = await phone.see(res_id="zoom_label")
    return int(re.fullmatch(r"Zoom (\d+) %", label.text)[1])


async def pinch_zooms(phone: Phone) -> None:
    x, y = await open_photo(phone)
    await phone.call("pinch", center_x=x, center_y=y, scale=2.0)
    zoomed = await zoom(phone)
    assert 170 <= zoomed <= 230, zoomed
    await phone.call("pinch", center_x=x, center_y=y, scale=0.5)
    assert await zoom(phone) < 130


async def two_paths_zoom(phone: Phone) -> None:
    x, y = await open_photo(phone)
    spread = [
        [{"x": x, "y": y + side * distance, "time": time} for time, distance in [(0, 100), (200, 200), (400, 300)]]
        for side in (-1, 1)
    ]
    await phone.call("custom_gesture", paths=spread)
    zoomed = await zoom(phone)
    assert 250 <= zoomed <= 330, zoomed


async def double_tap_zooms(phone: Phone) -> None:
    x, y = await open_photo(phone)
    await phone.call("double_tap", x=x, y=y)
    await phone.see(res_id="zoom_label", text="Zoom 200 %")
    await phone.call("double_tap", x=x, y=y)
    await phone.see(res_id="zoom_label", text="Zoom 100 %")


async def double_click_on_an_element_zooms(phone: Phone) -> None:
    await open_photo(phone)
    photo = await phone.see(res_id="photo_view")
    await phone.call("double_click", element_id=photo.id)
    await phone.see(res_id="zoom_label", text="Zoom 200 %")


async def drag_takes_the_list_along(phone: Phone) -> None:
    screen = await phone.open("Settings", SETTINGS)
    row = screen.all(res_id="android:id/title")[5]
    x, y = row.middle
    await phone.call("drag", element_id=row.id, to_x=x, to_y=y - 400)
    _, moved = (await phone.see(text=row.text)).middle
    assert moved <= y - 250, (moved, y)


async def tap_at_a_point(phone: Phone) -> None:
    await phone.home()
    x, y = (await phone.see(res_id="icon", text="Gallery")).middle
    await phone.call("tap", x=x, y=y)
    await phone.until(lambda screen: screen.app == GALLERY, GALLERY)


async def long_press_at_a_point(phone: Phone) -> None:
    await phone.home()
    await phone.call("long_press", x=540, y=1200)
    await phone.see(text="Home settings")
    await phone.call("press_back")
    await phone.gone(text="Home settings")


async def long_click_opens_a_menu(phone: Phone) -> None:
    screen = await phone.open("Notes", NOTES)
    card = screen.clickable_around(screen.row(text="Shopping list"))
    await phone.call("long_click_element", element_id=card.id)
    await phone.see(res_id="android:id/alertTitle", text="Delete note?")
    await phone.click(text="Cancel")
    await phone.gone(res_id="android:id/alertTitle")
    await phone.see(text="Shopping list")


async def swipe_turns_the_page(phone: Phone) -> None:
    await phone.home()
    await phone.call("swipe", x1=900, y1=1200, x2=150, y2=1200)
    await phone.see(text="Fingertip demo")
    await phone.call("swipe", x1=150, y1=1200, x2=900, y2=1200)
    await phone.see(res_id="icon", text="Calculator")


SCENARIOS = [
    pinch_zooms,
    two_paths_zoom,
    double_tap_zooms,
    double_click_on_an_element_zooms,
    drag_takes_the_list_along,
    tap_at_a_point,
    long_press_at_a_point,
    long_click_opens_a_menu,
    swipe_turns_the_page,
]
