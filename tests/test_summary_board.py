"""TensorBoard, started on this machine, serves what was written."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("tensorboard") is None, reason="the extra `board` is not installed"
    ),
]
SECONDS = 60.0
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def kmeans_step(points, centers, tolerance):
    rounds = 0
    while True:
        nearest = ((points[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
        before = centers.copy()
        for k in range(len(centers)):
            members = points[nearest == k]
            if len(members) > 0:
                centers[k] = members.mean(axis=0)
            else:
                centers[k] = np.exp(centers[k])
        rounds += 1
        if abs(centers - before).max() < tolerance:
            break
    return centers, rounds


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with scalars, histograms and a trace."""
    folder = tmp_path_factory.mktemp("logs")
    random = np.random.default_rng(0)
    points = random.random((500, 2))
    with ag.summary.create_file_writer(folder / "run"):
        for step in range(3):
            ag.summary.scalar("loss/train", 1.0 / (step + 1), step)
            ag.summary.histogram("weights", random.normal(size=50) + step, step)
        ag.summary.trace_on(graph=True, profiler=True)
        ag.compile(kmeans_step)(points, points[:3].copy(), 1e-6)
        ag.summary.trace_export("it's kmeans", step=1)
        ag.summary.trace_on(graph=True, profiler=False)
        ag.compile(kmeans_step)(points, points[:3].copy(), 1e-6)
        ag.summary.trace_export("graph alone")
    return folder


@pytest.fixture(scope="module", params=["false", "auto"])
def board(logdir: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Start TensorBoard with its slow or its fast reader, and give its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = [sys.executable, "-m", "tensorboard.main", "--logdir", str(logdir)]
    words += ["--host", "127.0.0.1", "--port", str(port), "--load_fast", request.param]
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(words, stdout=quiet, stderr=quiet, env=environment)
    try:
        yield f"http://127.0.0.1:{port}/data"
    finally:
        process.terminate()
        process.wait(SECONDS)


def fetch(address: str) -> bytes:
    """Return what is at an address."""
    with _OPENER.open(address, timeout=SECONDS) as answer:
        return answer.read()


def wait_for(address: str, key: str) -> Any:
    """Ask until the run and `key` are in the answer, which is JSON; return it."""
    deadline = time.monotonic() + SECONDS
    pause = threading.Event()
    while True:
        try:
            answer = json.loads(fetch(address))
            if key in json.dumps(answer.get("run", {})):
                return answer
        except (urllib.error.URLError, OSError):
            answer = "no answer"
        assert time.monotonic() < deadline, f"{address}: {answer}"
        pause.wait(0.05)


def test_scalars(board):
    assert "loss/train" in wait_for(f"{board}/plugin/scalars/tags", "loss/train")["run"]
    rows = json.loads(fetch(f"{board}/plugin/scalars/scalars?run=run&tag=loss/train"))
    assert [(step, round(value, 4)) for _, step, value in rows] == [(0, 1.0), (1, 0.5), (2, 0.3333)]


def test_histograms(board):
    wait_for(f"{board}/plugin/histograms/tags", "weights")
    rows = json.loads(fetch(f"{board}/plugin/histograms/histograms?run=run&tag=weights"))
    assert [step for _, step, _ in rows] == [0, 1, 2]
    assert all(sum(count for _, _, count in buckets) == 50 for _, _, buckets in rows)


def test_graph_and_costs(board):
    info = wait_for(f"{board}/plugin/graphs/info", "it's kmeans")
    tag = info["run"]["tags"]["it's kmeans"]
    assert tag["op_graph"] and tag["profile"]
    where = "run=run&tag=it%27s%20kmeans"
    limits = "limit_attr_size=1024&large_attrs_key=_too_large_attrs"
    graph = fetch(f"{board}/plugin/graphs/graph?{where}&{limits}").decode()
    names = [line.split('"')[1] for line in graph.splitlines() if line.startswith("  name: ")]
    assert "kmeans_step/while/body/for/body/if/else/np.exp" in names
    costs = fetch(f"{board}/plugin/graphs/run_metadata?{where}").decode()
    recorded = [line.split('"')[1] for line in costs.splitlines() if "node_name: " in line]
    assert recorded == names
    assert "all_end_rel_micros" in costs and "total_bytes" in costs
    assert "/device:CPU:0" in costs


def test_graph_alone(board):
    info = wait_for(f"{board}/plugin/graphs/info", "graph alone")
    tag = info["run"]["tags"]["graph alone"]
    assert tag["op_graph"] and not tag["profile"]
    graph = fetch(f"{board}/plugin/graphs/graph?run=run&tag=graph%20alone").decode()
    assert "kmeans_step/while/body/for/body/if/then" in graph
