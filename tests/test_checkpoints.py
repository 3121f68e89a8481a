"""Checkpoints bring back what was saved, and say all that does not fit."""

from __future__ import annotations

import pickle
import threading
from pathlib import Path

import numpy as np
import pytest

import autograph as ag

CODES = "?bhilqBHILQefdgFDG"


def bits(array: np.ndarray) -> bytes:
    """Return what tells two arrays of numbers apart: signs of zero and payloads of NaN too."""
    if array.dtype.char in "gG":  # has bytes that mean nothing
        return repr((array.tolist(), np.signbit(array.real).tolist())).encode()
    return array.tobytes()


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("order", ["=", "<", ">"])
def test_every_numeric_dtype_comes_back(tmp_path: Path, code: str, order: str) -> None:
    array = np.array([[0, 1], [1, 0]]).astype(np.dtype(code).newbyteorder(order))
    ag.save_checkpoint(tmp_path / "a", {"x": array})
    (found,) = ag.read_checkpoint(tmp_path / "a").values()
    assert found.dtype == array.dtype
    assert found.shape == array.shape
    assert bits(found) == bits(array)


@pytest.mark.parametrize("code", "efdgFDG")
def test_special_numbers_keep_their_bits(tmp_path: Path, code: str) -> None:
    array = np.array([-0.0, np.nan, np.inf, -np.inf, np.finfo(code).tiny, np.pi], code)
    ag.save_checkpoint(tmp_path / "a", {"x": array})
    assert bits(ag.read_checkpoint(tmp_path / "a")["x"]) == bits(array)


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,), (2, 1, 3), (1,) * 64])
def test_every_shape_comes_back(tmp_path: Path, shape: tuple[int, ...]) -> None:
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    ag.save_checkpoint(tmp_path / "a", {"x": array})
    found = ag.read_checkpoint(tmp_path / "a")["x"]
    assert found.shape == shape
    assert np.array_equal(found, array)


def test_every_layout_comes_back_in_c_order(tmp_path: Path) -> None:
    base = np.arange(24.0).reshape(4, 6)
    layouts = {
        "fortran": np.asfortranarray(base),
        "steps": base[::2, ::-3],
        "broadcast": np.broadcast_to(base[:1], (5, 6)),
        "transposed": base.T,
        "offset": base[1:, 2:],
        "unaligned": np.zeros(17, np.uint8)[1:].view(np.float64),
    }
    ag.save_checkpoint(tmp_path / "a", layouts)
    found = ag.read_checkpoint(tmp_path / "a")
    assert list(found) == list(layouts)
    for name, array in layouts.items():
        assert np.array_equal(found[name], array), name
        assert found[name].flags.c_contiguous
        assert found[name].flags.writeable


@pytest.mark.parametrize(
    "name",
    ["w", "layers.0.w", "../../etc/passwd", "/absolute", "a\nb", 'quote"', "\0", "é", "\udc80"],
)
def test_a_name_is_any_text(tmp_path: Path, name: str) -> None:
    ag.save_checkpoint(tmp_path / "a", {name: np.float64(1)})
    assert list(ag.read_checkpoint(tmp_path / "a")) == [name]
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_no_arrays_are_a_checkpoint(tmp_path: Path) -> None:
    ag.save_checkpoint(tmp_path / "a", {})
    assert ag.read_checkpoint(tmp_path / "a") == {}
    ag.load_checkpoint(tmp_path / "a", {})


def test_equal_values_make_equal_files(tmp_path: Path) -> None:
    wide = np.zeros(4, np.longdouble)
    same = wide.copy()
    same.view(np.uint8)[10::16] = 77  # no part of any number where 80 bits stand in 16 bytes
    if np.finfo(np.longdouble).nmant != 63 or not np.array_equal(same, wide):
        same = wide
    ag.save_checkpoint(tmp_path / "a", {"x": wide, "y": np.arange(6).reshape(2, 3)})
    ag.save_checkpoint(tmp_path / "b", {"x": same, "y": np.arange(6).reshape(3, 2).T.copy().T
                                        .reshape(2, 3)})  # fmt: skip
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_saving_leaves_the_arrays_alone(tmp_path: Path) -> None:
    array = np.zeros(2, np.longdouble)
    array.view(np.uint8)[:] = np.arange(array.nbytes) % 7
    before = array.tobytes()
    ag.save_checkpoint(tmp_path / "a", {"x": array})
    assert array.tobytes() == before


def test_variables_are_loaded(tmp_path: Path) -> None:
    w, steps = ag.Variable([1.0, -0.0], name="w"), ag.Variable(3)
    ag.save_checkpoint(tmp_path / "a", {"w": w, "steps": steps})
    w.assign([5.0, 5.0])
    steps.assign(0)
    ag.load_checkpoint(tmp_path / "a", {"w": w, "steps": steps})
    assert bits(w.numpy()) == bits(np.array([1.0, -0.0]))
    assert steps.numpy() == 3


def test_what_was_read_from_a_variable_before_a_load_stays(tmp_path: Path) -> None:
    w = ag.Variable([1.0])
    ag.save_checkpoint(tmp_path / "a", {"w": np.array([2.0])})
    before = w.value()
    ag.load_checkpoint(tmp_path / "a", {"w": w})
    assert before[0] == 1.0
    assert w.numpy()[0] == 2.0


def test_arrays_are_loaded_in_place_whatever_their_layout_and_byte_order(tmp_path: Path) -> None:
    base = np.zeros((3, 4), ">f8")
    view = base.T[::-1]
    ag.save_checkpoint(tmp_path / "a", {"x": np.arange(12.0).reshape(4, 3)})
    ag.load_checkpoint(tmp_path / "a", {"x": view})
    assert np.array_equal(base.T[::-1], np.arange(12.0).reshape(4, 3))


@pytest.mark.parametrize("order", ["<", ">"])
def test_variables_take_values_of_any_byte_order(tmp_path: Path, order: str) -> None:
    v = ag.Variable([0.0, 0.0])
    ag.save_checkpoint(tmp_path / "a", {"v": np.array([1.0, 2.0], order + "f8")})
    ag.load_checkpoint(tmp_path / "a", {"v": v})
    assert v.numpy().tolist() == [1.0, 2.0]
    assert v.dtype == v.numpy().dtype == np.float64


def test_all_that_does_not_fit_is_said_at_once_and_nothing_is_loaded(tmp_path: Path) -> None:
    ag.save_checkpoint(
        tmp_path / "a",
        {
            "fits": np.ones(2),
            "shape": np.ones((2, 3)),
            "dtype": np.ones(2, np.float32),
            "both": np.ones(1, np.int8),
            "unexpected": np.ones((), bool),
            "read_only": np.ones(1),
            "list": np.ones(1),
        },
    )
    read_only = np.zeros(1)
    read_only.flags.writeable = False
    targets = {
        "fits": np.zeros(2),
        "missing": ag.Variable([[0.0]], dtype=np.float16),
        "shape": ag.Variable(np.zeros((3, 2))),
        "dtype": ag.Variable(np.zeros(2)),
        "both": np.zeros((), np.uint8),
        "read_only": read_only,
        "list": [0.0],
    }
    with pytest.raises(ag.CheckpointError) as caught:
        ag.load_checkpoint(tmp_path / "a", targets)
    assert caught.value.problems == (
        "'missing', float16 with shape (1, 1), is not in the file",
        "'shape' has shape (2, 3) in the file, but (3, 2) here",
        "'dtype' has dtype float32 in the file, but float64 here",
        "'both' has shape (1,) and dtype int8 in the file, but () and uint8 here",
        "'read_only' is a read-only array here",
        "'list' is an object of class list here, not a variable",
        "'unexpected', bool with shape () in the file, is not here",
    )
    lines = str(caught.value).splitlines()
    path = str(tmp_path / "a")
    assert lines[0] == f"checkpoint {path!r} does not fit, and nothing was loaded:"
    assert [line.strip() for line in lines[1:]] == list(caught.value.problems)
    assert not targets["fits"].any()


def test_a_message_is_not_endless(tmp_path: Path) -> None:
    ag.save_checkpoint(tmp_path / "a", {f"x{i}": np.zeros(0) for i in range(5000)})
    with pytest.raises(ag.CheckpointError) as caught:
        ag.load_checkpoint(tmp_path / "a", {})
    assert len(caught.value.problems) == 5000
    assert len(str(caught.value).splitlines()) == 102
    assert str(caught.value).endswith("and 4900 more")


def test_the_error_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(ag.CheckpointError("text", ("one", "two"))))
    assert str(error) == "text"
    assert error.problems == ("one", "two")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.array([None]), "has dtype object"),
        (np.array(["text"]), "has dtype <U4"),
        (np.array(["2020-01-01"], "M8[D]"), "has dtype datetime64[D]"),
        (np.zeros(1, [("a", "f8")]), "has dtype [('a', '<f8')]"),
        (np.ma.masked_array([1.0], [True]), "is a masked array"),
        ([1.0, 2.0], "is an object of class list"),
        ("text", "is an object of class str"),
        (None, "is an object of class NoneType"),
    ],
)
def test_what_is_no_number_is_not_saved(tmp_path: Path, value: object, words: str) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(ag.CheckpointError, match="cannot save checkpoint") as caught:
        ag.save_checkpoint(tmp_path / "a", {"fine": np.zeros(1), "x": value})
    assert f"'x' {words}" in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"


@pytest.mark.parametrize("name", ["", "n" * 1001, 3, None, b"x"])
def test_what_is_no_name_is_not_saved(tmp_path: Path, name: object) -> None:
    with pytest.raises(ag.CheckpointError, match="is no name"):
        ag.save_checkpoint(tmp_path / "a", {name: np.zeros(1)})
    assert list(tmp_path.iterdir()) == []


def test_too_many_names_are_not_saved(tmp_path: Path) -> None:
    nothing = np.zeros(0)
    with pytest.raises(ag.CheckpointError, match="17000 names take more than"):
        ag.save_checkpoint(tmp_path / "a", {f"{i:01000}": nothing for i in range(17000)})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("call", [ag.save_checkpoint, ag.load_checkpoint])
def test_what_has_no_names_is_no_checkpoint(tmp_path: Path, call: object) -> None:
    with pytest.raises(TypeError, match="this is an object of class ndarray"):
        call(tmp_path / "a", np.zeros(2))


def test_a_path_is_a_path_and_not_an_open_file(tmp_path: Path) -> None:
    with open(tmp_path / "open", "w+b") as file:
        for call in (ag.read_checkpoint, lambda path: ag.save_checkpoint(path, {})):
            with pytest.raises(TypeError, match="not int"):
                call(file.fileno())
    ag.save_checkpoint(bytes(tmp_path / "file"), {"a": 1.0})
    assert list(ag.read_checkpoint(bytes(tmp_path / "file"))) == ["a"]


def test_a_file_that_is_not_there_is_the_systems_own_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ag.read_checkpoint(tmp_path / "a")
    with pytest.raises(IsADirectoryError):
        ag.read_checkpoint(tmp_path)
    path = tmp_path / "folder" / "a"
    with pytest.raises(FileNotFoundError) as caught:
        ag.save_checkpoint(path, {})
    assert caught.value.__notes__ == [f"the checkpoint {str(path)!r} is what it was before"]


def test_savers_in_many_threads_leave_one_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path_as_text = str(path)
    ag.save_checkpoint(path, {"x": np.zeros(5000)})
    mixed = []
    stop = threading.Event()

    def save(number: int) -> None:
        for _ in range(15):
            ag.save_checkpoint(path_as_text, {"x": np.full(5000, float(number))})

    def load() -> None:
        target = ag.Variable(np.zeros(5000))
        while not stop.is_set():
            ag.load_checkpoint(path, {"x": target})
            if len(set(target.numpy().tolist())) != 1:
                mixed.append(target.numpy())

    reader = threading.Thread(target=load)
    savers = [threading.Thread(target=save, args=(number,)) for number in range(8)]
    for thread in (reader, *savers):
        thread.start()
    for thread in savers:
        thread.join()
    stop.set()
    reader.join()
    assert mixed == []
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_loading_while_a_variable_is_assigned_gives_one_of_the_values(tmp_path: Path) -> None:
    v = ag.Variable(np.zeros(2000))
    stop = threading.Event()

    def change() -> None:
        number = 0.0
        while not stop.is_set():
            number += 1
            v.assign(np.full(2000, number))

    changer = threading.Thread(target=change)
    changer.start()
    for _ in range(20):
        ag.save_checkpoint(tmp_path / "a", {"v": v})
        assert len(set(ag.read_checkpoint(tmp_path / "a")["v"].tolist())) == 1
    stop.set()
    changer.join()
