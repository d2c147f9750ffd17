# SPDX-License-Identifier: GPL-2.0-or-later
"""Typed events of a program, in a ring of its own that outlives the program and the kernel.

    import epitaph_ring

    epitaph_ring.open("shop")                # OSError says why there is no ring
    order = epitaph_ring.Event("order", id="u64", who="text")
    order(id=7, who="basket")
    logging.getLogger().addHandler(epitaph_ring.Handler())

Each thread has a ring of its own, which it gets with its first event.  Where there is no recorder, an
event does nothing, and once a second the thread asks for a ring again.  docs/rings.md has the rest.
"""

import logging
import re
import struct

from . import _ring

__all__ = ["TEXT_MAX", "Event", "Handler", "open"]

TEXT_MAX = 1000  # bytes of one text; what is behind is cut off

_NUMBERS = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "i8": "b", "i16": "h", "i32": "i", "i64": "q"}
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_EVENT_MAX = 3000  # bytes of one event
_FORMAT_MAX = 1500  # bytes of its names, about


def open(name: str) -> None:  # pylint: disable=redefined-builtin
    """Get a ring for this thread; later, each thread that writes gets one.

    name: of this program's rings: 1 to 31 letters, digits or _; the first call decides.
    OSError: there is none, and the error says what to do.  It is tried again once a second.
    """
    _ring.open(name)


def _is_word(name):
    return isinstance(name, str) and _WORD.fullmatch(name)


def _cut_text(value, most=TEXT_MAX):
    """UTF-8 of at most so many bytes, without half a character; of a text, a NUL would be the end."""
    data = str(value).replace("\0", "\\0").encode("utf-8", "backslashreplace")
    return data if len(data) <= most else data[:most].decode("utf-8", "ignore").encode()


class Event:
    """A kind of event: Event("order", id="u64", who="text"), called with a value for each field.

    A field is u8, u16, u32, u64, i8, i16, i32, i64 or text.  An event takes as long as Python needs to
    pack it, some microseconds; a program has 64 kinds at most, of which about 25 find room in a ring.
    """

    def __init__(self, name: str, **fields: str) -> None:
        if not _is_word(name):
            raise ValueError(f"{name!r} is no name of an event: expected letters, digits and _")
        if not fields:
            raise ValueError(f"event {name}: expected at least one field")
        self.name = name
        self._fields = fields
        self._place = struct.Struct("<" + "".join(self._code(*field) for field in fields.items()))
        if sum(map(len, fields)) + 60 * len(fields) > _FORMAT_MAX:
            raise ValueError(f"event {name}: {len(fields)} fields are too many, or their names too long")
        self._type = _ring.type(name, tuple(self._layout()))

    def _code(self, field, kind):
        if not _is_word(field):
            raise ValueError(f"event {self.name}: {field!r} is no name of a field")
        if kind != "text" and kind not in _NUMBERS:
            raise ValueError(f"event {self.name}: field {field} is {kind!r}: expected text, {', '.join(_NUMBERS)}")
        return "I" if kind == "text" else _NUMBERS[kind]

    def _layout(self):
        at = 0
        for field, kind in self._fields.items():
            size = struct.calcsize(self._code(field, kind))
            if kind == "text":
                yield "__data_loc char[]", field, at, size, 1, False
            else:
                c_type = ("uint" if kind[0] == "u" else "int") + kind[1:] + "_t"
                yield c_type, field, at, size, 0, kind[0] == "i"
            at += size

    def __call__(self, **values: object) -> None:
        """One happened.  TypeError: a field lacks, or there is no such one; a number does not fit."""
        if values.keys() != self._fields.keys():
            raise TypeError(f"event {self.name} has the fields {', '.join(self._fields)}, not {', '.join(values)}")
        behind, words = b"", []
        for field, kind in self._fields.items():
            if kind != "text":
                words.append(values[field])
                continue
            room = max(0, _EVENT_MAX - self._place.size - len(behind))
            text = _cut_text(values[field], min(room, TEXT_MAX)) + b"\0"
            # In front of the fields are 8 bytes that all events have.
            words.append(len(text) << 16 | (8 + self._place.size + len(behind)))
            behind += text
        try:
            packed = self._place.pack(*words)
        except struct.error as error:
            raise TypeError(f"event {self.name}: {error}") from None
        _ring.write(self._type, packed + behind)


class Handler(logging.Handler):
    """Gives the lines of logging to the ring of the thread that logs; open() comes first."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            for least, level in ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6)):
                if record.levelno >= least:
                    break
            else:
                level = 7
            _ring.text(level, _cut_text(self.format(record)).decode("utf-8", "replace"))
        except Exception:  # pylint: disable=broad-except
            self.handleError(record)
