"""Event files hold what was written, and tell when they are damaged."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.summary import messages, wire
from autograph.summary.records import crc32c, masked, read_records, record


@pytest.mark.parametrize(
    ("data", "checksum"),
    [
        (bytes(32), 0x8A9136AA),
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
        (bytes(range(31, -1, -1)), 0x113FDB5C),
        (b"", 0),
    ],
)
def test_checksums_are_those_of_rfc_3720(data, checksum):
    assert crc32c(data) == checksum


@given(st.lists(st.binary(max_size=40), max_size=5))
def test_records_are_read_back(parts):
    file = io.BytesIO(b"".join(map(record, parts)))
    assert list(read_records(file)) == parts


def test_every_changed_byte_is_noticed():
    whole = record(b"first") + record(b"second record")
    for position in range(len(whole)):
        damaged = bytearray(whole)
        damaged[position] ^= 0x10
        with pytest.raises(ValueError, match=r"damaged|ends inside"):
            list(read_records(io.BytesIO(bytes(damaged))))


def test_every_cut_is_noticed():
    whole = record(b"first") + record(b"second")
    between = len(record(b"first"))
    for length in range(1, len(whole)):
        if length != between:
            with pytest.raises(ValueError, match=r"damaged|ends inside"):
                list(read_records(io.BytesIO(whole[:length])))


def test_a_huge_length_is_noticed_before_it_is_read():
    length = struct.pack("<Q", 1 << 40)
    file = io.BytesIO(length + struct.pack("<I", masked(length) ^ 1) + b"x")
    with pytest.raises(ValueError, match="head"):
        list(read_records(file))


@given(st.lists(st.tuples(st.integers(1, 1000), st.integers(1, 2**64 - 1) | st.binary())))
def test_fields_are_read_back(parts):
    message = b"".join(
        wire.integer(number, value) if isinstance(value, int) else wire.data(number, value)
        for number, value in parts
    )
    assert list(wire.fields(message)) == parts


@given(st.binary(max_size=60))
@settings(max_examples=200)
def test_bytes_that_are_no_message_give_one_kind_of_error(data):
    try:
        list(wire.fields(data))
    except ValueError:
        pass


@pytest.mark.parametrize("message", [b"\x80", b"\x0a\x05ab", b"\x0b", b"\x09abc", b"\xff" * 11])
def test_damaged_messages_are_refused(message):
    with pytest.raises(ValueError, match=r"field|number"):
        list(wire.fields(message))


def test_negative_steps_take_ten_bytes():
    assert dict(wire.fields(wire.integer(2, -1))) == {2: 2**64 - 1}


def test_a_scalar_event_has_the_fields_that_tensorboard_reads():
    metadata = messages.summary_metadata("scalars", b"", messages.SCALAR)
    event = messages.summary_event(12.5, 7, "loss", messages.float_tensor(0.5), metadata)
    fields = dict(wire.fields(event))
    assert (fields[1], fields[2]) == (struct.pack("<d", 12.5), 7)
    ((_, value),) = wire.fields(fields[5])
    assert dict(wire.fields(value))[1] == b"loss"
    assert dict(wire.fields(dict(wire.fields(value))[8]))[4] == struct.pack("<f", 0.5)


def test_tensors_of_doubles_keep_shape_and_order():
    tensor = dict(wire.fields(messages.double_tensor(np.asfortranarray([[1.0, 2.0], [3.0, 4.0]]))))
    assert tensor[4] == struct.pack("<4d", 1, 2, 3, 4)
    assert [dict(wire.fields(d)) for _, d in wire.fields(tensor[2])] == [{1: 2}, {1: 2}]


def test_texts_that_are_no_unicode_are_written():
    assert list(wire.fields(wire.data(1, "\ud800"))) == [(1, b"\\ud800")]
