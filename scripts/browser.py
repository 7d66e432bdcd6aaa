"""Headless Chromium, driven through a pipe with the messages of its DevTools; needs nothing but the browser."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Browser:
    """One page. Everything that its console says and every exception is kept in `complaints`."""

    def __init__(self, width=1280, height=900, dark=False):
        name = next((found for found in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if found), None)
        if name is None:
            raise SystemExit("expected Chromium, found none; Debian's package is called chromium")
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # the browser may still write as it ends
        to_read, self.to_write = os.pipe()
        self.to_hear, to_say = os.pipe()

        def connect():  # the browser reads from descriptor 3 and writes to 4
            read, say = os.dup(to_read), os.dup(to_say)
            os.dup2(read, 3)
            os.dup2(say, 4)

        options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
                   "--disable-sync", "--disable-dev-shm-usage", f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe"]
        self.process = subprocess.Popen([name, *options, "about:blank"], close_fds=False, preexec_fn=connect, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_say)
        self.heard, self.number, self.complaints, self.session = b"", 0, [], None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        if dark:
            self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.profile.cleanup()

    def hear(self, seconds):
        while b"\0" not in self.heard:
            if not select.select([self.to_hear], [], [], seconds)[0]:
                raise SystemExit(f"expected an answer of the browser within {seconds} s, found none")
            part = os.read(self.to_hear, 1 << 20)
            if not part:
                raise SystemExit("expected the browser to answer, found its end")
            self.heard += part
        message, self.heard = self.heard.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.hear(300)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    def note(self, message):
        content = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            details = content["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif message.get("method") == "Runtime.consoleAPICalled" and content["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(value.get("value", value.get("description"))) for value in content["args"]))
        elif message.get("method") == "Log.entryAdded" and content["entry"]["level"] in ("error", "warning"):
            self.complaints.append(content["entry"]["text"])

    def open(self, address):
        self.ask("Page.navigate", url=address)

    def evaluate(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"{expression}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def wait_for(self, expression, seconds=40):
        """Until the expression is true in the page; the deadline is a failure."""
        end = time.monotonic() + seconds
        while not self.evaluate(f"(() => {{ try {{ return Boolean({expression}); }} catch {{ return false; }} }})()"):
            if time.monotonic() > end:
                raise SystemExit(f"expected within {seconds} s: {expression}; found {self.evaluate('JSON.stringify(document.documentElement.dataset)')}, "
                                 f"{self.evaluate('document.body.innerText.slice(0, 300)')!r}, {self.complaints}")
            time.sleep(0.05)

    def picture(self, file, whole=True):
        shot = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(file, "wb") as output:
            output.write(base64.b64decode(shot["data"]))
