"""Chromium without a window, driven by the DevTools protocol over a pair of pipes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
GONE = "Inspected target navigated or closed"
END = b"\0"  # of a message
PATIENCE = 180.0  # seconds until something that has to come is given up: kernels may be compiled meanwhile
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"]
FLAGS += ["--disable-background-networking", "--remote-debugging-pipe"]
# Becomes the browser, which reads messages from file 3 and writes them into file 4.
BECOME = "import os, sys; os.dup2({}, 3); os.dup2({}, 4); os.execv(sys.argv[1], sys.argv[1:])"


PROGRAM = next(filter(None, map(shutil.which, NAMES)), "")  # the browser of this machine
needed = pytest.mark.skipif(not PROGRAM, reason=f"no browser is installed: none of {', '.join(NAMES)}")


class Browser:
    """One page. `with Browser() as page: page.open(url)`."""

    def __init__(self, width: int = 1200, height: int = 860, dark: bool = False) -> None:
        self._look, self._last, self._unread = (width, height, dark), 0, b""
        self._session: dict[str, str] = {}  # of the page, once there is one

    def __enter__(self) -> Browser:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        (theirs, self._asked), (self._answers, answers) = os.pipe(), os.pipe()
        become = [sys.executable, "-c", BECOME.format(theirs, answers), PROGRAM]
        command = [*become, *FLAGS, f"--user-data-dir={self._folder.name}"]
        self._program = subprocess.Popen(command, stdout=-3, stderr=-3, pass_fds=(theirs, answers))
        os.close(theirs)
        os.close(answers)
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._call("Page.enable")
        self._call("Runtime.enable")
        self.look(*self._look)
        return self

    def __exit__(self, *_: Any) -> None:
        self._program.kill()
        self._program.wait()
        os.close(self._asked)
        os.close(self._answers)
        self._folder.cleanup()

    def look(self, width: int, height: int, dark: bool) -> None:
        """Set the size of the page, and the colours that the person prefers."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700}
        self._call("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, url: str) -> None:
        """Go to a page."""
        self._call("Page.navigate", url=url)

    def run(self, script: str) -> Any:
        """What an expression is worth on the page."""
        told = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def wait(self, script: str) -> Any:
        """Until an expression is true."""
        value = self.becomes(script, PATIENCE)
        assert value, f"never true: {script}; the page: {self.run('document.body.innerText')}"
        return value

    def becomes(self, script: str, patience: float) -> Any:
        """What an expression is worth as soon as it is true; None if it is not within the given seconds."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            told = self._call("Runtime.evaluate", expression=script, returnByValue=True)["result"]
            if told.get("value"):  # not the error of a page that is still on its way
                return told["value"]
            time.sleep(0.01)
        return None

    def press(self, key: str) -> None:
        """A key, down and up."""
        code = {"Enter": 13, "Tab": 9, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38}.get(key, 0)
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        kind = "keyDown" if text else "rawKeyDown"
        self._call("Input.dispatchKeyEvent", type=kind, key=key, text=text, windowsVirtualKeyCode=code)
        self._call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """One event of the mouse."""
        self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x: float, y: float) -> None:
        """The left button, down and up."""
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def middle(self, thing: str) -> tuple[float, float]:
        """The middle of an element."""
        return self.run(
            f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({thing}.getBoundingClientRect())"
        )

    def accessibility(self) -> list[dict[str, Any]]:
        """The tree that screen readers get."""
        self._call("Accessibility.enable")
        return self._call("Accessibility.getFullAXTree")["nodes"]

    def _call(self, method: str, **given: Any) -> Any:
        """Send a message, and return the answer to it."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": given, **self._session}
        os.write(self._asked, json.dumps(message).encode() + END)
        while (told := self._message()).get("id") != self._last:
            pass  # an event
        if told.get("error", {}).get("message") == GONE:  # the page left while it was asked
            return {"result": {}}
        assert "error" not in told, (method, told)
        return told["result"]

    def _message(self) -> dict[str, Any]:
        while END not in self._unread:
            part = os.read(self._answers, 1 << 16)
            assert part, "the browser has gone"
            self._unread += part
        message, _, self._unread = self._unread.partition(END)
        return json.loads(message)
