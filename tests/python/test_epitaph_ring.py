# SPDX-License-Identifier: GPL-2.0-or-later
"""epitaph_ring where there is no recorder.  tests/vm/control/long/ring-writers.sh has one."""

import logging
import os
import struct

import pytest

import epitaph_ring

pytestmark = pytest.mark.skipif(os.path.exists("/dev/epitaph-ring"), reason="a recorder is loaded here")


def test_without_a_recorder_open_says_what_to_do():
    with pytest.raises(FileNotFoundError, match="expected the recorder to be loaded"):
        epitaph_ring.open("shop")


@pytest.mark.parametrize("name", ["", "a b", "ü", "x" * 32])
def test_a_name_of_a_ring_is_a_word(name):
    with pytest.raises(OSError, match="1 to 31 letters, digits or _"):
        epitaph_ring.open(name)


def test_an_event_without_a_recorder_does_nothing():
    order = epitaph_ring.Event("order", id="u64", who="text", change="i8")
    for i in range(1000):
        order(id=i, who="w" * i, change=-128)


# The ring loses an event of more than 3984 bytes.
@pytest.mark.parametrize("nr", [1, 3, 4, 20])
def test_long_texts_are_cut_and_the_event_is_there(monkeypatch, nr):
    written = []
    monkeypatch.setattr(epitaph_ring._ring, "write", lambda kind, payload: written.append(payload))
    epitaph_ring.Event("order", **{f"t{i}": "text" for i in range(nr)})(**{f"t{i}": "xü" + "ü" * 600 for i in range(nr)})
    payload, = written
    assert len(payload) <= 3000 + nr
    for i in range(nr):
        place, = struct.unpack_from("<I", payload, 4 * i)
        text = payload[(place & 0xffff) - 8:][:place >> 16]
        assert text.endswith(b"\0") and ("xü" + "ü" * 600).startswith(text[:-1].decode())
        assert len(text) >= 990 or i >= 2


@pytest.mark.parametrize("name, fields, says", [
    ("a b", {"id": "u8"}, "no name of an event"),
    ("order", {}, "at least one field"),
    ("order", {"id": "float"}, "expected text, u8"),
    ("order", {"a b": "u8"}, "no name of a field"),
    ("order", {f"field_{i}": "u8" for i in range(100)}, "too many"),
])
def test_a_kind_of_event_that_cannot_be(name, fields, says):
    with pytest.raises(ValueError, match=says):
        epitaph_ring.Event(name, **fields)


@pytest.mark.parametrize("values, says", [
    ({"id": 1}, "has the fields id, who, not id"),
    ({"id": 1, "who": "", "more": 2}, "not id, who, more"),
    ({"id": -1, "who": ""}, "order"),
    ({"id": 256, "who": ""}, "order"),
    ({"id": "1", "who": ""}, "order"),
])
def test_values_that_do_not_fit(values, says):
    order = epitaph_ring.Event("order", id="u8", who="text")
    with pytest.raises(TypeError, match=says):
        order(**values)


def test_the_handler_of_logging_takes_every_text(capsys):
    logger = logging.getLogger("epitaph_ring.test")
    logger.propagate = False
    logger.addHandler(epitaph_ring.Handler())
    for text in ("", "a\0b", "\ud800", "ü" * 5000):
        logger.error(text)
    logger.error("%d", "no number")
    assert "no number" in capsys.readouterr().err
