# SPDX-License-Identifier: GPL-2.0-or-later
"""Read what a dead Linux kernel left: traces, its log, machine checks.

    import epitaph

    with epitaph.open("vmcore") as dump:
        for item in dump:
            print(item.before_end_ns, item.name, item.fields)

A process of its own parses the dump, locked in: a hostile file raises epitaph.Error.
Times are in ns; docs/python.md has examples.
"""
import os as _os
from dataclasses import dataclass as _dataclass

from ._epitaph import Dump, Error, Generation, Item, Walk, __version__
from . import _epitaph

__all__ = ["Dump", "Error", "Evidence", "Finding", "Generation", "Item", "Walk", "open", "to_pandas", "__version__",
           "RECORDER", "FTRACE", "KERNEL_LOG", "EVENT", "LOG", "MACHINE_CHECK", "MARK", "LOSS",
           "CRASH", "ALL_KINDS"]

# Sources, for open().
RECORDER, FTRACE, KERNEL_LOG = 1, 2, 4
# Kinds of items, for Generation.walk().
EVENT, LOG, MACHINE_CHECK, MARK, LOSS, CRASH = 1, 2, 4, 8, 16, 32
ALL_KINDS = 0x7FFFFFFF


@_dataclass(frozen=True)
class Evidence:
    """What a finding rests on.

    text: a line of the log, or what an item shows.  time_ns: CLOCK_MONOTONIC of the dumped kernel,
    ns; None: it has no time.  before_end_ns: ns before the end, negative behind it; None as time_ns.
    item: the event, log line or machine check that it is; None: it is no item of the timeline.
    """

    text: str
    time_ns: "int | None"
    before_end_ns: "int | None"
    item: "Item | None"


@_dataclass(frozen=True)
class Finding:
    """Why a kernel died, and how sure that is; docs/explain.md.

    kind: a word, as "null-pointer".  claim: one sentence.  strength: "shown", "likely", "possible"
    or "not known".  open_question: what the claim leaves open; "": nothing.  signature: the same for
    all crashes of one cause.  evidence: the oldest first; what has no time comes last.  next:
    commands, in which FILE stands for the file.  also_found: what nothing ties to the crash.
    not_found: what was looked for.  missing: what the file does not have.
    """

    kind: str
    claim: str
    strength: str
    open_question: str
    signature: str
    evidence: "tuple[Evidence, ...]"
    next: "tuple[str, ...]"
    also_found: "tuple[str, ...]"
    not_found: "tuple[str, ...]"
    missing: "tuple[str, ...]"


def _path(path):
    """The bytes of a path; C would take what ends at a NUL for it."""
    path = _os.fsencode(path)
    if b"\0" in path:
        raise ValueError("embedded null byte")
    return path


def open(path, *, sandbox=True, sources=0, debuginfo=(), progress=None):
    """Open a dump.

    path: a file, a directory of pstore records, a list of the parts of a split dump, or a
    descriptor.  sandbox: a process of its own parses it.  sources: RECORDER, FTRACE, KERNEL_LOG or
    a sum of them; 0: the recorder's, and where there is none, the kernel's own.  debuginfo: files
    and directories.  progress(what, done, total) is called in long steps; a true value cancels.
    """
    fd = path if isinstance(path, int) else -1
    paths = [] if fd >= 0 else list(path) if isinstance(path, (list, tuple)) else [path]
    return _epitaph.open([_path(p) for p in paths], fd, sandbox, sources, [_path(p) for p in debuginfo],
                         progress)


def _column(values, pandas):
    """Numbers stay exact; with None among them, or too far apart, pandas would make floats of them."""
    numbers = [value for value in values if value is not None]
    if not numbers or not all(type(value) is int for value in numbers):
        return values
    if min(numbers) < 0 and max(numbers) >= 1 << 63:
        return pandas.Series(values, dtype=object)
    if len(numbers) == len(values):
        return values
    return pandas.array(values, dtype="Int64" if min(numbers) < 0 else "UInt64")


def to_pandas(items):
    """A pandas.DataFrame of items, a row each: their attributes, and each field as a column.

    Fields that have the name of an attribute get "field_" in front.  Numbers that some rows do not
    have are a column of UInt64 or Int64, with pandas.NA.  Needs pandas.
    """
    import pandas
    names = ("kind", "name", "time_ns", "before_end_ns", "datetime", "cpu", "pid", "comm",
             "channel")
    rows = []
    for item in items:
        row = {name: getattr(item, name) for name in names}
        for key, value in item.fields.items():
            row["field_" + key if key in row else key] = value
        rows.append(row)
    keys = dict.fromkeys(key for row in [names, *rows] for key in row)
    return pandas.DataFrame({key: _column([row.get(key) for row in rows], pandas) for key in keys})
