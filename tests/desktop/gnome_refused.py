"""GNOME where the person does not agree: nothing is done, the reason is said, and nobody is asked again at once."""

import look
from desktop import Desktop
from gnome import ASKED_WITHIN, middle, person


async def a_person_who_says_no_is_left_alone(desktop: Desktop) -> None:
    app = await desktop.apps.own("form_gtk3.py")
    place = middle(await desktop.bounds(app, role="checkbox", title="Agree"))
    await desktop.refused("tap", **place)
    await person("refuse", ASKED_WITHIN)
    await desktop.until(
        lambda: desktop.refused("tap", **place),
        lambda error: "closed the dialog without agreeing" in error["message"],
        "that the person refused",
    )
    error = await desktop.refused("press_key", key="space")
    assert error["error_type"] == "permission_denied" and "without agreeing" in error["message"], error
    assert await look.until(lambda: person("dialogs"), lambda count: int(count) == 0, "no dialog")
    assert app.said("agreed") == []
    # What needs nobody's consent goes on.
    assert (await desktop.press(app, role="checkbox", title="Agree"))["via"] == "native"
    await app.says("agreed", True)


SCENARIOS = [a_person_who_says_no_is_left_alone]
