"""Load on running servers for as long as told, with faults switched on and off, and what must hold meanwhile.

Usage: soak.py (--calls N | --minutes N) --phones SERIAL,SERIAL,SERIAL,SERIAL --http PID,URL --stdio PROGRAM
               --audit FILE [--disk FOLDER] [--clock FILE]

Ten clients: eight over HTTP on two phones, half of them with sessions and half without, and two over stdio with a phone
each. Most calls look; the others flip a switch of the phone's settings that belongs to this client alone. Checked:

- each request is answered exactly once, under its own id, by its deadline and some seconds;
- switches stand as their owners left them, and nobody's switches as they were: read through adb, past the server;
- while the audit log cannot be written nothing is flipped, and each flip that was told as done has its line;
- memory and descriptors are flat: the least memory of the last fifth, and the median of its descriptors, is at most what
  the second and third tenth reached, and a little (GROWTH, MORE_FILES). The least, because raw pictures, which are taken
  while an agent is away, are in memory for a moment and say nothing of what stays there.

Faults, one after another with calm between: a phone cut off, restarted, frozen, its agent killed, the disk of the audit log
full (--disk), the wall clock wrong by hours (--clock, a file that libfaketime reads).
"""

import argparse
import collections
import http.client
import json
import os
import queue
import random
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse

# Longest a call may take by what its tool promises, and what a loaded machine adds, in seconds.
DEADLINE, SLACK = 15, 10
# Calm between two faults, and how long a fault lasts, in seconds.
CALM, FAULT = 12, 5
# How much memory may grow after the first tenth, as a factor and in kilobytes, and how many descriptors.
GROWTH, GROWTH_KB, MORE_FILES = 1.15, 8192, 16
# Calls in flight at a time over stdio.
IN_FLIGHT = 4
# One call in so many flips the switch.
FLIP_EVERY = 25
SESSION_VERSION = "2025-11-25"

# Switches of the settings that fit on one screen: the title shown, and where the phone keeps the value.
SWITCHES = {
    "Wi-Fi": ("global", "wifi_on"),
    "Airplane mode": ("global", "airplane_mode_on"),
    "Mobile data": ("global", "mobile_data"),
    "Bluetooth": ("global", "bluetooth_on"),
}
NOBODYS = [("secure", "notification_badging"), ("global", "low_power")]


class Failures:
    """What went wrong; a soak goes on, to tell of everything."""

    def __init__(self):
        self.lock = threading.Lock()
        self.counts = collections.Counter()

    def add(self, kind, detail):
        with self.lock:
            self.counts[kind] += 1
            if self.counts[kind] <= 5:
                print(f"FAILED {kind}: {detail}", flush=True)


failures = Failures()


class Phone:
    """A demo phone, looked at and broken through adb."""

    def __init__(self, serial):
        self.serial = serial
        # Held while the phone is broken and put right: what is read then means nothing.
        self.generation = 0
        self.well = True
        self.nobodys = {}

    def adb(self, *arguments, limit=10):
        done = subprocess.run(["adb", *arguments], capture_output=True, timeout=limit, check=False)
        return done.stdout.decode().strip() if done.returncode == 0 else None

    def shell(self, command):
        try:
            return self.adb("-s", self.serial, "shell", command)
        except subprocess.TimeoutExpired:
            return None

    def value(self, name):
        said = self.shell(f"settings get {name[0]} {name[1]}")
        return None if said is None else said not in ("0", "null", "")

    def put_right(self):
        """Switches all faults off and opens the settings; says whether that worked."""
        for _ in range(60):
            self.adb("connect", self.serial)
            if self.shell("fingertip-sim fault clear") is not None:
                self.shell("am start -a android.settings.SETTINGS")
                self.nobodys = {name: self.value(name) for name in NOBODYS}
                return
            time.sleep(0.5)
        failures.add("phone does not come back", self.serial)


class Run:
    """How far the soak is."""

    def __init__(self, calls, seconds):
        self.calls, self.seconds = calls, seconds
        self.begun = time.monotonic()
        self.made = collections.Counter()
        self.done = threading.Event()
        self.lock = threading.Lock()
        self.disk_full = False

    def count(self, what):
        with self.lock:
            self.made[what] += 1
            if self.calls and self.made["calls"] >= self.calls:
                self.done.set()
        if self.seconds and time.monotonic() - self.begun >= self.seconds:
            self.done.set()

    def share(self):
        if self.calls:
            return self.made["calls"] / self.calls
        return (time.monotonic() - self.begun) / self.seconds


class Client(threading.Thread):
    """One client with a switch of its own. How calls are sent is said by `request`."""

    def __init__(self, run, phone, title, device, seed):
        super().__init__(daemon=True)
        self.run_state, self.phone, self.title, self.device = run, phone, title, device
        self.random = random.Random(seed)
        self.number = 0
        self.expected = None
        self.generation = -1
        self.element = None

    def next_id(self):
        self.number += 1
        return f"{self.name}-{self.number}"

    def tool(self, name, **arguments):
        if self.device:
            arguments["device"] = self.device
        result = self.request("tools/call", {"name": name, "arguments": arguments})
        if arguments.get("x") != "wrong":
            error = None if result and not result.get("isError") else self.error_type(result)
            self.run_state.count(f"failed, {error}" if error else "good")
        return result

    @staticmethod
    def error_type(result):
        return ((result or {}).get("structuredContent") or {}).get("error_type", "no result")

    def read(self):
        chance = self.random.random()
        if chance < 0.45:
            return self.tool("get_clipboard")
        if chance < 0.75:
            return self.tool("get_screen_state")
        if chance < 0.85:
            return self.tool("find_elements", by="text", value=self.title, exact_match=True)
        if chance < 0.88:
            return self.tool("get_device_logs", last_lines=20)
        if chance < 0.89:
            return self.tool("get_screen_state", include_screenshot=True)
        if chance < 0.93:
            return self.request("tools/list", {})
        if chance < 0.97:
            return self.tool("tap", x="wrong")
        return self.request("no/such/method", {})

    def flip(self):
        """Flips the switch once, if it is known how it stands, and notes what must come of it."""
        phone = self.phone
        if self.generation != phone.generation or self.expected is None:
            self.generation = phone.generation
            self.element, self.expected = None, phone.value(SWITCHES[self.title]) if phone.well else None
        if self.element is None:
            found = self.tool("find_elements", by="text", value=self.title, exact_match=True)
            elements = ((found or {}).get("structuredContent") or {}).get("elements") or []
            self.element = elements[0]["id"] if elements else None
        if self.element is None:
            self.run_state.count("switch not on the screen")
            return
        full = self.run_state.disk_full
        result = self.tool("click_element", element_id=self.element)
        if result is None or result.get("isError"):
            said = json.dumps(result)
            if "Nothing was done" not in said:
                self.expected = None
            if "not found" in said or "stale" in said or "no longer" in said:
                self.element = None
            return
        self.run_state.count("flips")
        if full and self.run_state.disk_full:
            self.run_state.count("flips on a full disk")
        if self.expected is not None:
            self.expected = not self.expected
        if self.random.random() < 0.1:
            self.look_behind()

    def look_behind(self):
        """The switch as the phone itself has it must stand as its owner left it."""
        wanted, generation = self.expected, self.generation
        if wanted is None or not self.phone.well:
            return
        seen = self.phone.value(SWITCHES[self.title])
        if seen is None or generation != self.phone.generation or not self.phone.well:
            return
        self.run_state.count("looks behind")
        if seen != wanted:
            failures.add("wrong receiver", f"{self.name}: {self.title} is {seen}, its owner left it {wanted}")
            self.expected = None

    def run(self):
        while not self.run_state.done.is_set():
            try:
                if self.random.random() * FLIP_EVERY < 1:
                    self.flip()
                else:
                    self.read()
            except Exception as error:  # a client that ends early would hide what comes after
                failures.add("client broke", f"{self.name}: {error!r}")
                time.sleep(1)
        self.finish()

    def took(self, what, seconds):
        if seconds > DEADLINE + SLACK:
            failures.add("late reply", f"{self.name}: {what} took {seconds:.1f} s")

    def finish(self):
        pass


class HttpClient(Client):
    """Over HTTP on one connection, with a session or without."""

    def __init__(self, *arguments, url, token, session):
        super().__init__(*arguments)
        self.address = urllib.parse.urlsplit(url)
        self.headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        self.session, self.connection = session, None

    def start(self):
        if self.session:
            self.open_session()
        super().start()

    def open_session(self):
        self.headers.pop("Mcp-Session-Id", None)
        params = {
            "protocolVersion": SESSION_VERSION,
            "capabilities": {},
            "clientInfo": {"name": self.name, "version": "1"},
        }
        self.headers["MCP-Protocol-Version"] = SESSION_VERSION
        reply, headers = self.post({"jsonrpc": "2.0", "id": "init", "method": "initialize", "params": params})
        assert reply.get("id") == "init", reply
        self.headers["Mcp-Session-Id"] = headers["Mcp-Session-Id"]
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def post(self, message):
        for attempt in (0, 1):
            if self.connection is None:
                self.connection = http.client.HTTPConnection(
                    self.address.hostname, self.address.port, timeout=DEADLINE + 2 * SLACK
                )
            fresh = self.connection.sock is None
            try:
                self.connection.request("POST", self.address.path, json.dumps(message), self.headers)
                response = self.connection.getresponse()
                return self.message(response), response.headers
            except http.client.RemoteDisconnected:
                # A server may close an idle connection at any time; what was sent on a fresh one must be answered.
                self.connection = None
                if fresh or attempt:
                    raise
        raise AssertionError("not reached")

    @staticmethod
    def message(response):
        body = response.read()
        if response.headers.get("Content-Type", "").startswith("text/event-stream"):
            lines = [line[5:].strip() for line in body.decode().splitlines() if line.startswith("data:")]
            messages = [json.loads(line) for line in lines if line]
            answers = [message for message in messages if "result" in message or "error" in message]
            assert len(answers) == 1, f"{len(answers)} answers on one stream: {messages}"
            return answers[0]
        return json.loads(body) if body else {}

    def request(self, method, params):
        number = self.next_id()
        begun = time.monotonic()
        self.run_state.count("calls")
        self.run_state.count("with a session" if self.session else "without a session")
        try:
            reply, _ = self.post({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        except (OSError, http.client.HTTPException) as error:
            self.connection = None
            failures.add("lost reply", f"{self.name}: {method} {params}: {error!r}")
            return None
        self.took(f"{method} {params}", time.monotonic() - begun)
        if reply.get("id") != number:
            failures.add("reply to another", f"{self.name}: {reply} for {number}")
        return reply.get("result")


class StdioClient(Client):
    """Over stdio, several reads in flight at a time."""

    def __init__(self, *arguments, command, environment):
        super().__init__(*arguments)
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )
        self.waiting, self.lock = {}, threading.Lock()
        threading.Thread(target=self.receive, daemon=True).start()
        params = {"protocolVersion": SESSION_VERSION, "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}}
        assert self.request("initialize", params), "no answer to initialize"
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        with self.lock:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def receive(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message:
                continue
            with self.lock:
                waiting = self.waiting.pop(message.get("id"), None)
            if waiting is None:
                failures.add("reply nobody waits for", line[:200])
            else:
                waiting.put(message)

    def request(self, method, params):
        return self.result(self.begin(method, params))

    def begin(self, method, params):
        number, answer = self.next_id(), queue.Queue(1)
        self.run_state.count("calls")
        self.run_state.count("over stdio")
        with self.lock:
            self.waiting[number] = answer
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number, method, params, answer, time.monotonic()

    def result(self, begun):
        number, method, params, answer, at = begun
        try:
            reply = answer.get(timeout=DEADLINE + 2 * SLACK)
        except queue.Empty:
            failures.add("lost reply", f"{self.name}: {number} {method} {params}")
            return None
        self.took(f"{method} {params}", time.monotonic() - at)
        return reply.get("result")

    def read(self):
        calls = [("tools/call", {"name": name, "arguments": {}}) for name in ("get_clipboard", "get_screen_state")]
        begun = [self.begin(*self.random.choice(calls)) for _ in range(self.random.randint(1, IN_FLIGHT))]
        for one in begun:
            self.result(one)
        super().read()

    def finish(self):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            failures.add("stdio server does not end", self.name)
            self.process.kill()


class Faults(threading.Thread):
    """Breaks something, puts it right, waits; again and again."""

    def __init__(self, run, phones, disk, clock):
        super().__init__(daemon=True)
        self.run_state, self.phones, self.disk, self.clock = run, phones, disk, clock
        self.random = random.Random(1)
        self.struck = collections.Counter()
        phone = lambda words: lambda: self.on_a_phone(words)
        self.kinds = {
            "phone cut": phone("cut 20000"),
            "phone restarted": phone("reboot 3000"),
            "phone frozen": phone("frozen-screen on"),
            "agent killed": phone("agent killed"),
            "agent hung": phone("agent hung"),
        }
        if disk:
            self.kinds["disk full"] = self.fill_disk
        if clock:
            self.kinds["clock jump"] = self.jump

    def run(self):
        try:
            for name in self.order():
                if self.run_state.done.wait(CALM):
                    return
                self.struck[name] += 1
                self.kinds[name]()
        except Exception as error:  # without faults a soak proves little, and a fault left on spoils it
            failures.add("faults ended", repr(error))

    def order(self):
        while True:
            names = list(self.kinds)
            self.random.shuffle(names)
            yield from names

    def on_a_phone(self, words):
        phone = self.random.choice(self.phones)
        phone.well = False
        phone.shell(f"fingertip-sim fault {words}")
        self.run_state.done.wait(FAULT)
        phone.put_right()
        # What was under way when the phone broke may still take effect.
        time.sleep(2)
        phone.generation += 1
        phone.well = True

    def fill_disk(self):
        filler = os.path.join(self.disk, "filler")
        # Without a buffer: what is left in one would fail once more when the file is closed.
        with open(filler, "wb", buffering=0) as file:
            try:
                while file.write(bytes(1 << 16)):
                    pass
            except OSError:
                pass
        self.run_state.disk_full = True
        self.run_state.done.wait(FAULT)
        self.run_state.disk_full = False
        os.remove(filler)

    def jump(self):
        for offset in ("+26h", "-26h", "+0"):
            with open(self.clock, "w") as file:
                file.write(offset)
            self.run_state.done.wait(FAULT / 2)


class Watch(threading.Thread):
    """Memory and descriptors of the servers over time."""

    def __init__(self, run, processes):
        super().__init__(daemon=True)
        self.run_state, self.processes = run, processes
        self.samples = {name: [] for name in processes}

    def run(self):
        while not self.run_state.done.wait(1):
            for name, process in self.processes.items():
                try:
                    with open(f"/proc/{process}/status") as status:
                        memory = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
                    files = len(os.listdir(f"/proc/{process}/fd"))
                except (OSError, StopIteration):
                    failures.add("server ended", name)
                    return
                self.samples[name].append((self.run_state.share(), memory, files))

    def judge(self):
        for name, samples in self.samples.items():
            early = [sample for sample in samples if 0.1 <= sample[0] < 0.3]
            late = [sample for sample in samples if sample[0] >= 0.8]
            if not early or not late:
                failures.add("too short to judge memory", name)
                continue
            memory, reached = min(s[1] for s in late), max(s[1] for s in early)
            usual, most = statistics.median(s[1] for s in late), max(s[1] for s in samples)
            files, opened = statistics.median(s[2] for s in late), max(s[2] for s in early)
            print(f"{name}: memory {reached / 1024:.1f} MB after a tenth, {memory / 1024:.1f} MB at the end (median "
                  f"{usual / 1024:.1f} MB, most ever {most / 1024:.1f} MB); descriptors {opened}, {files:.0f}")
            if memory > reached * GROWTH + GROWTH_KB:
                failures.add("memory grows", f"{name}: {reached} to {memory} kB")
            if files > opened + MORE_FILES:
                failures.add("descriptors grow", f"{name}: {opened} to {files}")


def judge_audit(paths, flips):
    """Each line reads, and each flip that was told as done has one."""
    done = 0
    for path in paths:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    entry = json.loads(line)
                except ValueError:
                    failures.add("torn audit line", f"{number}: {line[:120]!r}")
                    continue
                done += entry.get("tool") == "click_element" and entry.get("outcome") == "ok"
    print(f"audit: {done} lines of flips done, {flips} told to clients")
    if done < flips:
        failures.add("flips without an audit line", f"{flips - done} of {flips}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int)
    parser.add_argument("--minutes", type=float)
    for name in ("--phones", "--http", "--stdio", "--audit"):
        parser.add_argument(name, required=True)
    parser.add_argument("--disk")
    parser.add_argument("--clock")
    options = parser.parse_args()
    run = Run(options.calls, options.minutes and options.minutes * 60)
    phones = [Phone(serial) for serial in options.phones.split(",")]
    for phone in phones:
        phone.put_right()
    process, url = options.http.split(",")
    token = os.environ["FINGERTIP_TOKEN"]

    clients = []
    for number in range(8):
        phone, title = phones[number % 2], list(SWITCHES)[number // 2]
        clients.append(HttpClient(run, phone, title, f"android:{phone.serial}", number, url=url, token=token, session=number % 4 < 2))
    for number in (8, 9):
        phone = phones[number - 6]
        command = [options.stdio, "stdio", "--target", f"android:{phone.serial}", "--writes-per-second", "1000"]
        clients.append(StdioClient(run, phone, "Wi-Fi", None, number, command=command, environment=os.environ | {
            "FINGERTIP_AUDIT_FILE": f"{options.audit}.{number}"}))
    for number, client in enumerate(clients):
        client.name = f"client-{number}"

    servers = {"http": process} | {f"stdio {c.name}": str(c.process.pid) for c in clients[8:]}
    watch, faults = Watch(run, servers), Faults(run, phones, options.disk, options.clock)
    for thread in (*clients, watch, faults):
        thread.start()
    while not run.done.wait(30):
        print(f"{time.monotonic() - run.begun:.0f} s: {dict(run.made)}, faults {dict(faults.struck)}, "
              f"failures {dict(failures.counts)}", flush=True)
    for client in clients:
        client.join(DEADLINE + 3 * SLACK)
        if client.is_alive():
            failures.add("client does not end", client.name)
    faults.join(60)
    for client in clients:
        client.look_behind()
    for phone in phones:
        for name, value in phone.nobodys.items():
            if phone.value(name) != value:
                failures.add("wrong receiver", f"{phone.serial}: {name} was nobody's and is {phone.value(name)}")
    seconds = time.monotonic() - run.begun
    print(f"{run.made['calls']} calls in {seconds:.0f} s ({run.made['calls'] / seconds:.0f} a second), {dict(run.made)}, "
          f"faults {dict(faults.struck)}")
    watch.judge()
    judge_audit([options.audit, f"{options.audit}.8", f"{options.audit}.9"], run.made["flips"])
    failed = sum(count for what, count in run.made.items() if what.startswith("failed"))
    # Faults make calls fail, but most of the time there is none.
    if not run.made["flips"] or not run.made["looks behind"] or failed > run.made["good"] / 3:
        failures.add("nothing was proved", dict(run.made))
    print("failures:", dict(failures.counts) or "none")
    sys.exit(bool(failures.counts))


if __name__ == "__main__":
    main()
