"""Take a picture of TensorBoard's Graphs page with the compute time of a compiled function.

Profiles k-means on random points, starts TensorBoard on this machine, and opens the page in
headless Chromium, which is told over its DevTools protocol to color by compute time and to open the
boxes. Nothing but this machine is asked for anything.

    python docs/tensorboard_screenshot.py graphs.png [--chromium /usr/bin/chromium]

Needs the extra ``board`` and an installed Chromium or Chrome.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import autograph as ag

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 30.0
"""How long to wait for anything."""
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--remote-debugging-port=0", "--window-size=1800,1400", "--hide-scrollbars",
)  # fmt: skip

# TensorBoard's page is made of elements with shadow trees; this looks through all of them.
SEARCH = """
function all(root, found = []) {
  for (const element of root.querySelectorAll('*')) {
    found.push(element);
    if (element.shadowRoot) all(element.shadowRoot, found);
  }
  return found;
}
function own(element) {
  return Array.from(element.childNodes).filter(node => node.nodeType === 3)
    .map(node => node.textContent).join('').trim();
}
"""
CLICK = """(() => { %s
  const found = all(document).filter(e => own(e) === %s && e.getClientRects().length);
  if (!found.length) return false;
  found[found.length - 1].click();
  return true;
})()"""
NODES = """(() => { %s
  return all(document).filter(e => e.tagName === 'g' && e.classList.contains('node'))
    .map(e => e.__data__ && e.__data__.node.name);
})()"""
EXPAND = """(() => { %s
  const node = all(document).find(e => e.tagName === 'g' && e.classList.contains('node')
    && e.__data__ && e.__data__.node.name === %s);
  const shape = node && node.querySelector('.nodeshape');
  if (!shape) return false;
  shape.dispatchEvent(new MouseEvent('dblclick', {bubbles: true, view: window}));
  return true;
})()"""
PROFILED = """(() => { %s
  const graph = all(document).find(e => e.tagName === 'TF-GRAPH');
  return Boolean(graph && graph.stats);
})()"""


def write_trace(logdir: str) -> list[str]:
    """Profile k-means into `logdir`, and return the boxes to open, outermost first."""
    sys.path.insert(0, str(ROOT / "examples"))
    kmeans = ag.compile(__import__("kmeans").kmeans)
    points = np.random.default_rng(0).random((20_000, 2))
    with ag.summary.create_file_writer(logdir):
        ag.summary.trace_on(graph=True, profiler=True)
        kmeans(points, points[:5])
        print(ag.summary.trace_export("kmeans"))
    return ["kmeans", "kmeans/while", "kmeans/while/body", "kmeans/while/body/for"]


def wait_for(what: str, ask: Callable[[], Any]) -> Any:
    """Ask again and again until there is an answer, and return it.

    Raises
    ------
    TimeoutError
        If there is none in time.
    """
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError, urllib.error.URLError, ValueError):
            if answer := ask():
                return answer
        time.sleep(0.1)
    raise TimeoutError(f"no {what} within {SECONDS:.0f} s")


def fetch(address: str) -> Any:
    """Return the JSON at an address."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(address, timeout=SECONDS) as answer:
        return json.load(answer)


@contextlib.contextmanager
def process(*words: str) -> Iterator[None]:
    """Run a program for the length of a ``with`` block."""
    started = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        started.terminate()
        started.wait(SECONDS)


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Page:
    """A page of Chromium, told what to do in JSON over a WebSocket (RFC 6455)."""

    def __init__(self, address: str) -> None:
        host, _, path = address.removeprefix("ws://").partition("/")
        name, _, port = host.partition(":")
        self._socket = socket.create_connection((name, int(port)), SECONDS)
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self._file = self._socket.makefile("rb")
        while self._file.readline().strip():
            pass
        self._count = 0

    def ask(self, method: str, **parameters: object) -> dict[str, Any]:
        """Call a method of the DevTools protocol and return its result."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        data = json.dumps(message).encode()
        size = len(data)
        head = bytes([0x81, 0x80 | (126 if size < 65536 else 127)])
        head += struct.pack(">H" if size < 65536 else ">Q", size)
        self._socket.sendall(head + bytes(4) + data)  # masked with zeros
        while True:
            answer = json.loads(self._message())
            if answer.get("id") == self._count:
                return dict(answer["result"])

    def _message(self) -> bytes:
        parts = []
        while True:
            first, size = self._file.read(2)
            if size == 126:
                (size,) = struct.unpack(">H", self._file.read(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", self._file.read(8))
            parts.append(self._file.read(size))
            if first & 0x80:
                return b"".join(parts)

    def value(self, script: str) -> Any:
        """Return what a script gives."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        return answer["result"].get("value")


def take_picture(board: str, debugging: Path, boxes: list[str], target: Path) -> None:
    """Open the Graphs page in the browser whose profile is in `debugging`; write a PNG file."""
    port = wait_for("browser", lambda: (debugging / "DevToolsActivePort").read_text().split()[0])
    pages = wait_for("page", lambda: fetch(f"http://127.0.0.1:{port}/json/list"))
    page = Page(next(one for one in pages if one["type"] == "page")["webSocketDebuggerUrl"])
    page.ask("Page.enable")
    page.ask("Page.navigate", url=f"{board}/#graphs")
    wait_for("graph", lambda: page.value(NODES % SEARCH))
    wait_for("profile", lambda: page.value(CLICK % (SEARCH, '"Profile"')))
    wait_for("profiled graph", lambda: page.value(PROFILED % SEARCH))
    wait_for("compute time", lambda: page.value(CLICK % (SEARCH, '"Compute time"')))
    for box in boxes:
        wait_for(box, lambda box=box: box in (page.value(NODES % SEARCH) or ()))
        time.sleep(0.5)  # a box that is still moving ignores clicks
        page.value(EXPAND % (SEARCH, json.dumps(box)))
    inside = f"{boxes[-1]}/"
    wait_for("open box", lambda: any(n.startswith(inside) for n in page.value(NODES % SEARCH)))
    time.sleep(2.0)  # the page moves boxes to their places
    picture = page.ask("Page.captureScreenshot", format="png")["data"]
    target.write_bytes(base64.b64decode(picture))


def main() -> None:
    """Read the command line and take the picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", type=Path, help="the PNG file to write")
    found = shutil.which("chromium") or shutil.which("google-chrome")
    parser.add_argument("--chromium", default=found, help="the browser's program")
    options = parser.parse_args()
    if options.chromium is None:
        parser.error("no Chromium found; name one with --chromium")
    with tempfile.TemporaryDirectory() as folder:
        logdir, profile = Path(folder, "logs"), Path(folder, "browser")
        boxes = write_trace(str(logdir))
        port = free_port()
        board = f"http://127.0.0.1:{port}"
        words = ("-m", "tensorboard.main", "--logdir", str(logdir), "--load_fast", "false")
        with process(sys.executable, *words, "--host", "127.0.0.1", "--port", str(port)):
            wait_for("trace", lambda: fetch(f"{board}/data/plugin/graphs/info"))
            with process(options.chromium, *FLAGS, f"--user-data-dir={profile}", "about:blank"):
                take_picture(board, profile, boxes, options.target)
    print(options.target)


if __name__ == "__main__":
    main()
