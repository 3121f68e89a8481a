"""A checkpoint file that was cut, changed or made by hand loads rightly or gives one error."""

from __future__ import annotations

import hashlib
import json
import os
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import autograph as ag

SIGNATURE = b"\x89autograph\r\n\x1a\n"
DTYPES = "?bhilqBHILQefdgFDG"


def frame(header: bytes, body: bytes = b"", version: int = 1, length: int | None = None) -> bytes:
    """Return a file whose checksums are right, whatever it says."""
    said = len(header) if length is None else length
    start = SIGNATURE + version.to_bytes(2, "little") + said.to_bytes(8, "little") + header
    start += hashlib.sha256(start).digest() + body
    return start + hashlib.sha256(start).digest()


def described(*rows: object, body: bytes = b"") -> bytes:
    """Return a file with a header of `rows`."""
    return frame(json.dumps(rows, separators=(",", ":")).encode(), body)


def refusal(path: Path, content: bytes) -> str:
    """Write a file, see that it is refused in both ways of reading, and return the reason."""
    path.write_bytes(content)
    target = ag.Variable([7.0, 7.0])
    with pytest.raises(ag.CheckpointError):
        ag.load_checkpoint(path, {"w": target})
    assert target.numpy().tolist() == [7.0, 7.0]
    with pytest.raises(ag.CheckpointError) as caught:
        ag.read_checkpoint(path)
    beginning = f"cannot load checkpoint {str(path)!r}: "
    assert str(caught.value).startswith(beginning)
    return str(caught.value).removeprefix(beginning)


def test_the_bytes_are_those_of_the_documented_format(tmp_path: Path) -> None:
    ag.save_checkpoint(tmp_path / "a", {"w": np.array([1.0, 2.0]), "b": np.array(True)})
    body = np.array([1.0, 2.0], "<f8").tobytes() + b"\1"
    assert (tmp_path / "a").read_bytes() == described(["w", "<f8", [2]], ["b", "|b1", []],
                                                      body=body)  # fmt: skip


def random_arrays(random: random.Random) -> dict[str, np.ndarray]:
    """Return some arrays of random dtypes, shapes and contents."""
    arrays = {}
    for number in range(random.randrange(4)):
        shape = tuple(random.choice([0, 1, 2, 3, 5]) for _ in range(random.randrange(4)))
        dtype = np.dtype(random.choice(DTYPES)).newbyteorder(random.choice("<>"))
        items = [random.randrange(-100, 100) for _ in range(int(np.prod(shape)))]
        name = f"layer.{number}." + random.choice(["w", "bias", "ä", "x" * 40])
        arrays[name] = np.array(items).astype(dtype).reshape(shape)
    return arrays


def damage(content: bytes, random: random.Random) -> bytes:
    """Return `content` cut, lengthened, or with bytes or bits changed, moved or put in."""
    changed = bytearray(content)
    at = random.randrange(len(content))
    to = random.randrange(at, len(content)) + 1
    kind = random.randrange(7)
    if kind == 0:
        del changed[at:]
    elif kind == 1:
        changed[at] ^= 1 << random.randrange(8)
    elif kind == 2:
        changed[at] = random.randrange(256)
    elif kind == 3:
        del changed[at:to]
    elif kind == 4:
        changed[at:to] = random.randbytes(to - at)
    elif kind == 5:
        changed[at:at] = random.randbytes(random.randrange(1, 20))
    else:
        changed += changed[at:to]
    return bytes(changed)


def test_a_thousand_damaged_files_are_refused_or_load_rightly(tmp_path: Path) -> None:
    chooser = random.Random(20)
    path = tmp_path / "a"
    refused = 0
    for _ in range(1000):
        arrays = random_arrays(chooser)
        ag.save_checkpoint(path, arrays)
        content = path.read_bytes()
        broken = damage(content, chooser)
        path.write_bytes(broken)
        targets = {name: np.zeros_like(array) for name, array in arrays.items()}
        try:
            ag.load_checkpoint(path, targets)
        except ag.CheckpointError as error:
            refused += 1
            assert str(path) in str(error)
            assert error.problems == ()
            assert broken != content
            assert not any(target.any() for target in targets.values())
        else:
            assert broken == content
            for name, array in arrays.items():
                assert np.array_equal(targets[name], array)
    assert refused > 900


def test_every_cut_and_every_changed_byte_of_a_file_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a"
    ag.save_checkpoint(path, {"w": np.array([1.0, 2.0])})
    content = path.read_bytes()
    for at in range(len(content)):
        refusal(path, content[:at])
        refusal(path, content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is empty"),
        (b"\x89auto", "it is cut off: it has only 5 bytes"),
        (SIGNATURE, "it is cut off: it has only 14 bytes"),
        (b"PK\x03\x04" + bytes(500), "it is no checkpoint of autograph"),
        (b"\x80\x04\x95" + bytes(500), "it is no checkpoint of autograph"),
        (b"\x89autograph\n\x1a\n" + bytes(500), "it is no checkpoint of autograph"),
        (frame(b"[]", version=2), "it has version 2 of the format, not 1"),
        (frame(b"[]", length=3), "it is cut off: it has only 90 bytes"),
        (frame(b"[]", length=1), "its header is damaged: the checksum does not fit"),
        (frame(b"[]", length=10**13),
         "its header says to have 10000000000000 bytes, more than there may be"),
        (frame(b"[]", b"more"), "4 bytes follow after its end"),
        (frame(b"{}"), "its header is no list of arrays"),
        (frame(b""), "its header is no list of arrays"),
        (frame(b"[" * 100000), "its header is no list of arrays"),
        (frame(b"\xff"), "its header is no list of arrays"),
        (frame(b"9" * 5000), "its header is no list of arrays"),
        (frame(b"[NaN]"), "its header is no list of arrays"),
        (frame(b"[]\n"), "its header is not written as the format says"),
        (frame('[["ä","<f8",[0]]]'.encode()), "its header is no list of arrays"),
        (frame(b'[["\\u0061","<f8",[0]]]'), "its header is not written as the format says"),
        (described(["w", "<f8"]), "its header is no list of arrays"),
        (described(["w", "<f8", [0], 1]), "its header is no list of arrays"),
        (described({"w": "<f8"}), "its header is no list of arrays"),
        (described(["", "<f8", [0]]), "its header has a name that is no text, empty or too long"),
        (described(["w" * 1001, "<f8", [0]]),
         "its header has a name that is no text, empty or too long"),
        (described([1, "<f8", [0]]), "its header has a name that is no text, empty or too long"),
        (described(["w", "<f8", [0]], ["w", "<f8", [0]]), "its header has a name twice"),
        (described(["w", "|O", [1]], body=bytes(8)), "'w' has dtype '|O', which is unknown here"),
        (described(["w", "<f16:112", [0]]), "'w' has dtype '<f16:112', which is unknown here"),
        (described(["w", "f8", [0]]), "'w' has dtype 'f8', which is unknown here"),
        (described(["w", ["<f8"], [0]]), "'w' has dtype \"['<f8']\", which is unknown here"),
        (described(["w", "V" * 999, [0]]),
         "'w' has dtype 'VVVVVVVVVVVVVVVVVVVV', which is unknown here"),
        (described(["w", "<f8", 2]), "'w' has a shape that no array has"),
        (described(["w", "<f8", [-1]]), "'w' has a shape that no array has"),
        (described(["w", "<f8", [True]]), "'w' has a shape that no array has"),
        (described(["w", "<f8", [1.0]]), "'w' has a shape that no array has"),
        (described(["w", "<f8", [2**64]]), "'w' has a shape that no array has"),
        (described(["w", "<f8", [0, 2**62]]), "'w' has a shape that no array has"),
        (described(["w", "<f8", [2**40, 2**40]]), "'w' has a shape that no array has"),
        (described(["w", "<f8", [1] * 65]), "'w' has a shape that no array has"),
        (described(["w", "|b1", [2]], body=b"\1\2"),
         "'w' holds a truth value that is neither 0 nor 1"),
        (described(["w", "<f8", [2]], body=bytes(16))[:-1] + b"?",
         "it is damaged: the checksum does not fit"),
    ],
)  # fmt: skip
def test_what_is_no_such_file_is_refused_with_its_reason(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    assert refusal(tmp_path / "a", content) == reason


@pytest.mark.parametrize("extents", [[10**13], [2, 10**9, 500], [10**13, 0, 1]])
def test_nothing_is_allocated_for_what_a_header_only_says(
    tmp_path: Path, extents: list[int]
) -> None:
    path = tmp_path / "a"
    path.write_bytes(described(["w", "|u1", extents], ["v", "|u1", [10**12]]))
    tracemalloc.start()
    try:
        with pytest.raises(ag.CheckpointError, match=r"it is cut off: it has \d+ of \d+ bytes"):
            ag.read_checkpoint(path)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_file_with_a_hole_of_terabytes_is_not_read_for_a_small_variable(tmp_path: Path) -> None:
    path = tmp_path / "a"
    content = described(["w", "<f8", [10**12]])
    path.write_bytes(content)
    try:
        os.truncate(path, len(content) + 8 * 10**12)
    except OSError:
        pytest.skip("the file system holds no such file")
    with pytest.raises(ag.CheckpointError) as caught:
        ag.load_checkpoint(path, {"w": ag.Variable([7.0, 7.0])})
    assert caught.value.problems == ("'w' has shape (1000000000000,) in the file, but (2,) here",)


def test_too_little_memory_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    ag.save_checkpoint(path, {"w": np.zeros(2)})

    def empty(*arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr(np, "empty", empty)
    assert refusal(path, path.read_bytes()).startswith("there is no memory for its ")


def test_a_file_that_shrinks_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    ag.save_checkpoint(path, {"w": np.zeros(100000)})
    make: Callable[..., np.ndarray] = np.empty

    def empty(*arguments: object) -> np.ndarray:
        os.truncate(path, 200)
        return make(*arguments)

    monkeypatch.setattr(np, "empty", empty)
    with pytest.raises(ag.CheckpointError, match="it became shorter while it was read"):
        ag.read_checkpoint(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a")
    with pytest.raises(ag.CheckpointError, match="it is not a regular file"):
        ag.read_checkpoint(tmp_path / "a")
    with pytest.raises(OSError, match="not a regular file"):
        ag.save_checkpoint(tmp_path / "a", {})
