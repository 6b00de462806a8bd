"""A headless Chromium, driven by the DevTools protocol over two pipes."""

import functools
import http.server
import json
import os
import select
import shutil
import subprocess
import tempfile
import threading
import time

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def find():
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Failure(Exception):
    """What the browser or the page reports as wrong."""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

    def log_message(self, *_):
        pass


class Server:
    """A folder served on a free port of the loopback, until close()."""

    def __init__(self, folder):
        handler = functools.partial(_Quiet, directory=folder)
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/"
        self.thread = threading.Thread(target=self.http.serve_forever, daemon=True)
        self.thread.start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()


class Browser:
    """A browser with one page. Leaves nothing behind when it is closed."""

    def __init__(self, path, seconds=60):
        self.seconds, self.count, self.session = seconds, 0, None
        self.events, self.rest = [], b""
        self.profile = tempfile.mkdtemp(prefix="cutlet-browser-")
        to_read, self.to = os.pipe()
        self.back, back_write = os.pipe()
        # It reads commands from descriptor 3 and writes to 4.
        script = f'exec "$@" 3<&{to_read} 4>&{back_write}'
        flags = ["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--no-first-run", "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
                 f"--user-data-dir={self.profile}", "about:blank"]
        self.process = subprocess.Popen(["sh", "-c", script, "sh", path, *flags], pass_fds=(to_read, back_write),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(back_write)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def _receive(self, until):
        while b"\0" not in self.rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.back], [], [], left)[0]:
                raise Failure(f"the browser gave no answer in {self.seconds} seconds")
            data = os.read(self.back, 1 << 20)
            if not data:
                raise Failure("the browser ended")
            self.rest += data
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        """A command of the protocol, and its result."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = memoryview(json.dumps(message).encode() + b"\0")
        while data:
            data = data[os.write(self.to, data):]
        until = time.monotonic() + self.seconds
        while True:
            got = self._receive(until)
            if got.get("id") != self.count:
                self.events.append(got)
            elif "error" in got:
                raise Failure(f"{method}: {got['error']['message']}")
            else:
                return got["result"]

    def run(self, script):
        """The value of an expression in the page, which may be a promise."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise Failure(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def open(self, url):
        self.call("Page.navigate", url=url)

    def until(self, script, what, seconds=20):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.run(script):
                    return
            except Failure:
                pass  # the page is being replaced
            time.sleep(0.02)
        raise Failure(f"{what}: not within {seconds} seconds")

    def size(self, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 500)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def press(self, key, code=None, modifiers=0, text=None):
        """A key down and up. Modifiers: 1 Alt, 2 Ctrl, 8 Shift."""
        numbers = {"Tab": 9, "Enter": 13, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
                   "ArrowRight": 39, "ArrowDown": 40}
        press = {"key": key, "code": code or key, "modifiers": modifiers, "windowsVirtualKeyCode": numbers.get(key, 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown", **press, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **press)

    def errors(self):
        """What the page's console has of errors and exceptions."""
        found = []
        for event in self.events:
            parameters = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(parameters["entry"]["text"] + " " + parameters["entry"].get("url", ""))
        return found

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (Failure, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.profile, ignore_errors=True)
