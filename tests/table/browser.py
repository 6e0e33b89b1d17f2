"""Chromium without a window, driven by the DevTools protocol over a small websocket of our own."""

from __future__ import annotations

import base64
import json
import os
import secrets
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
GONE = "Inspected target navigated or closed"
PATIENCE = 180.0  # seconds until something that has to come is given up: kernels may be compiled meanwhile


def found() -> str | None:
    """The browser of this machine."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


needed = pytest.mark.skipif(found() is None, reason=f"no browser is installed: none of {', '.join(NAMES)}")


class Browser:
    """One page. `with Browser() as page: page.open(url)`."""

    def __init__(self, width: int = 1200, height: int = 860, dark: bool = False) -> None:
        self._size, self._dark, self._last = (width, height), dark, 0

    def __enter__(self) -> Browser:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        program = found()
        assert program is not None
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"]
        flags += ["--remote-debugging-port=0", f"--user-data-dir={self._folder.name}"]
        flags += [f"--window-size={self._size[0]},{self._size[1]}", "--disable-background-networking"]
        self._program = subprocess.Popen([program, *flags, "about:blank"], stdout=-3, stderr=-3)
        self._socket = self._connect(self._address())
        self._call("Page.enable")
        self._call("Runtime.enable")
        self.look(*self._size, self._dark)
        return self

    def __exit__(self, *_: Any) -> None:
        self._socket.close()
        self._program.kill()
        self._program.wait()
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

    def click(self, x: float, y: float) -> None:
        """The left button, down and up."""
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def middle(self, thing: str) -> tuple[float, float]:
        """The middle of an element."""
        return self.run(
            f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({thing}.getBoundingClientRect())"
        )

    def wheel(self, x: float, y: float) -> None:
        """One notch down."""
        self._call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=100)

    def accessibility(self) -> list[dict[str, Any]]:
        """The tree that screen readers get."""
        self._call("Accessibility.enable")
        nodes: list[dict[str, Any]] = self._call("Accessibility.getFullAXTree")["nodes"]
        return nodes

    # The protocol

    def _address(self) -> str:
        end, port = time.monotonic() + PATIENCE, Path(self._folder.name, "DevToolsActivePort")
        while not (port.exists() and port.read_text().count("\n")):
            assert time.monotonic() < end, "the browser does not start"
            time.sleep(0.05)
        here = f"http://127.0.0.1:{port.read_text().split()[0]}/json/list"
        while True:
            with urllib.request.urlopen(here) as answer:
                pages = [page for page in json.load(answer) if page["type"] == "page"]
            if pages:
                return str(pages[0]["webSocketDebuggerUrl"])

    def _connect(self, url: str) -> socket.socket:
        parts = urlsplit(url)
        line = socket.create_connection((parts.hostname, parts.port), PATIENCE)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        asked = [f"GET {parts.path} HTTP/1.1", f"Host: {parts.netloc}", "Upgrade: websocket", "Connection: Upgrade"]
        asked += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
        line.sendall("\r\n".join(asked).encode())
        told = b""
        while not told.endswith(b"\r\n\r\n"):
            told += line.recv(1)
        assert b" 101 " in told
        return line

    def _call(self, method: str, **given: Any) -> Any:
        self._last += 1
        self._send(json.dumps({"id": self._last, "method": method, "params": given}).encode())
        while True:
            told = json.loads(self._receive())
            if told.get("id") == self._last:
                if told.get("error", {}).get("message") == GONE:  # the page left while it was asked
                    return {"result": {}}
                assert "error" not in told, (method, told)
                return told["result"]

    def _send(self, content: bytes) -> None:
        mask, n = os.urandom(4), len(content)
        size = bytes([128 | n]) if n < 126 else struct.pack(">BH", 254, n) if n < 65536 else struct.pack(">BQ", 255, n)
        hidden = bytes(byte ^ mask[i % 4] for i, byte in enumerate(content))
        self._socket.sendall(b"\x81" + size + mask + hidden)

    def _receive(self) -> bytes:
        """One message, of one frame or several."""
        content = b""
        while True:
            first, n = self._exactly(2)
            n &= 127
            if n >= 126:
                n = int.from_bytes(self._exactly(2 if n == 126 else 8), "big")
            content += self._exactly(n)
            if first & 128:
                return content

    def _exactly(self, n: int) -> bytes:
        content = bytearray()
        while len(content) < n:
            part = self._socket.recv(n - len(content))
            assert part, "the browser has gone"
            content += part
        return bytes(content)
