"""Firefox: a form filled in and sent to a server of the test, which alone says what arrived."""

import os
import tempfile
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import look
from applications import HERE, Application
from desktop import Desktop
from task import Task, until

# A browser that is alone with this server: no welcome, no reports, no updates, nothing fetched by itself.
PREFERENCES = {
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "datareporting.policy.firstRunURL": "",
    "startup.homepage_welcome_url": "",
    "trailhead.firstrun.didSeeAboutWelcome": True,
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "signon.rememberSignons": False,
}


async def start(desktop: Desktop, address: str) -> Application:
    """Firefox, alone in a profile of its own."""
    profile = Path(tempfile.mkdtemp(dir=os.environ["HOME"]))
    set_lines = (f'user_pref("{name}", {literal(value)});\n' for name, value in PREFERENCES.items())
    (profile / "user.js").write_text("".join(set_lines))
    return await desktop.apps.start("firefox-esr", "--no-remote", "--profile", str(profile), address)


async def a_submenu_with_long_keys_does_not_end_it(desktop: Desktop) -> None:
    """Asked for all actions of an item at once, Firefox answers with memory that it has given back, and is ended for it."""
    app = await start(desktop, "about:blank")
    button = await desktop.until(
        desktop.screen, lambda screen: screen.row(text="Pick a Search Engine", kind="push button"), "the tool bar"
    )
    for _ in range(3):
        await desktop.call("right_click", element_id=button.id)
        menu = await desktop.until(desktop.screen, lambda screen: screen.all(text="Bookmarks Toolbar", kind="menu"), "a menu")
        await desktop.call("double_click", element_id=menu[0].id)
        await desktop.until(desktop.screen, lambda screen: screen.all(text="Never Show"), "its submenu")
        assert app.process.poll() is None, app.complaints(5)
        await look.run("xdotool", "key", "Escape", "key", "Escape")


async def a_form_is_filled_in_and_sent(desktop: Desktop) -> None:
    """Text, password, several lines, slider, check box and list, each set and the whole sent; a person adds a word."""
    with server() as (address, orders):
        app = await start(desktop, address)
        await desktop.until(desktop.screen, lambda screen: screen.all(text="Send order"), "the page")
        task = Task(desktop, app)
        await task.set(await task.field("Password", "password text"), "correct horse")
        await task.set(await task.field("Remark", "entry"), "two\nlines")
        amount = await task.row("Amount", "slider")
        await desktop.json("set_value", element_path=amount.id, value=8)
        await task.click("Gift wrap", "check box")
        await task.click("Size", "combo box")
        await task.click("Large", "menu item")
        size = await task.shows(lambda screen: screen.row(kind="combo box", text="Size"), "the list")
        assert size.desc == "Large", size
        await task.set(await task.field("Name", "entry"), "Zoë ✓")
        # Whoever sits at the keyboard goes on in the same field.
        await look.run("xdotool", "key", "End")
        await look.run("xdotool", "type", " Ada")
        await task.shows(lambda screen: screen.row(kind="entry", desc="Name").text == "Zoë ✓ Ada", "the name")
        await task.click("Send order", "push button")
        await until(lambda: orders, "an order arrives")
        wanted = {"password": "correct horse", "remark": "two\r\nlines", "amount": "8", "gift": "yes", "size": "Large"}
        assert orders == [wanted | {"name": "Zoë ✓ Ada"}], orders
        await task.shows(lambda screen: screen.all(text="Order received"), "the answer of the server")
        await task.health.is_good()


def literal(value: bool | str) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


@contextmanager
def server():
    """Serves the page, and keeps the orders that are sent to it."""
    page, orders = (HERE / "apps" / "order.html").read_bytes(), []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.reply(page)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            orders.append({name: value for name, [value] in parse_qs(body).items()})
            self.reply(b"<!doctype html><title>Thanks</title><h1>Order received</h1>")

        def reply(self, content: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{listening.server_port}/", orders
        finally:
            listening.shutdown()


SCENARIOS = [a_form_is_filled_in_and_sent, a_submenu_with_long_keys_does_not_end_it]
