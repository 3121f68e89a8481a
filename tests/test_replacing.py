"""Files are replaced as a whole, whatever happens on the way."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from runtime import replacing as module
from runtime.replacing import replacing

POSIX = pytest.mark.skipif(os.name != "posix", reason="permissions and signals of POSIX")


class Crash(BaseException):
    """What stops a writer."""


@pytest.mark.parametrize("old", [None, b"old"])
def test_an_error_in_the_block_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, old: bytes | None
) -> None:
    path = tmp_path / "a"
    if old is not None:
        path.write_bytes(old)
    with pytest.raises(Crash), replacing(path) as file:
        file.write(b"new")
        raise Crash
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == ({"a": old} if old else {})


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_error_of_the_system_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.os, step, fail)
    with pytest.raises(OSError, match="No space left"), replacing(path) as file:
        file.write(b"new")
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {"a": b"old"}


def test_an_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "none" / "a"
    with pytest.raises(FileNotFoundError) as caught, replacing(path):
        pass
    assert caught.value.filename == str(path.resolve())


@POSIX
def test_a_killed_writer_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    program = f"""
import os, signal
from runtime.replacing import replacing
with replacing({str(path)!r}) as file:
    file.write(b"new" * 100000)
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parent.parent)
    assert done.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old"


def test_the_new_content_is_on_the_disk_before_it_has_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    sync, replace = os.fsync, os.replace

    def fsync(handle: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file"
        steps.append(f"sync {kind} of {os.fstat(handle).st_size if kind == 'file' else 0}")
        sync(handle)

    def rename(old: str, new: str) -> None:
        steps.append("replace")
        replace(old, new)

    monkeypatch.setattr(module.os, "fsync", fsync)
    monkeypatch.setattr(module.os, "replace", rename)
    with replacing(tmp_path / "a") as file:
        file.write(b"12345")
    expected = ["sync file of 5", "replace", "sync folder of 0"]
    assert steps == (expected if os.name == "posix" else expected[:2])


def test_the_new_file_is_beside_the_old_one_until_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new")
        (beside,) = (p.name for p in tmp_path.iterdir() if p != path)
        assert path.read_bytes() == b"old"
    assert beside.startswith(".a.")
    assert beside.endswith(".tmp")
    assert path.read_bytes() == b"new"


@POSIX
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_permissions_of_the_old_file_stay_and_are_never_wider(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(mode)
    with replacing(path):
        modes = {stat.S_IMODE(p.stat().st_mode) for p in tmp_path.iterdir()}
    assert modes == {mode}
    assert stat.S_IMODE(path.stat().st_mode) == mode


@POSIX
def test_a_file_that_replaces_another_begins_as_a_private_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    modes = []
    chmod = os.chmod

    def watch(name: str, mode: int) -> None:
        modes.append(stat.S_IMODE(os.stat(name).st_mode))
        chmod(name, mode)

    monkeypatch.setattr(module.os, "chmod", watch)
    with replacing(path):
        pass
    assert modes == [0o600]


@POSIX
def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "usual").write_bytes(b"")
    with replacing(tmp_path / "a"):
        pass
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "usual").stat().st_mode


@POSIX
def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "real")
    with replacing(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "folder" / "real").read_bytes() == b"new"


def test_a_protected_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    monkeypatch.setattr(module.os, "access", lambda *arguments: False)
    with pytest.raises(PermissionError), replacing(path) as file:
        file.write(b"new")
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {"a": b"old"}


def test_folders_and_devices_are_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError), replacing(tmp_path):
        pass
    with pytest.raises(OSError, match="not a regular file"), replacing(os.devnull):
        pass
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("name", ["n" * 255, "é" * 127, ".a", "a b", "%s"])
def test_any_name_of_a_file_will_do(tmp_path: Path, name: str) -> None:
    with replacing(tmp_path / name) as file:
        file.write(b"new")
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {name: b"new"}
