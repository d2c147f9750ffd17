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

from ._epitaph import Dump, Error, Generation, Item, Walk, __version__
from . import _epitaph

__all__ = ["Dump", "Error", "Generation", "Item", "Walk", "open", "to_pandas", "__version__",
           "RECORDER", "FTRACE", "KERNEL_LOG", "EVENT", "LOG", "MACHINE_CHECK", "MARK", "LOSS",
           "CRASH", "ALL_KINDS"]

# Sources, for open().
RECORDER, FTRACE, KERNEL_LOG = 1, 2, 4
# Kinds of items, for Generation.walk().
EVENT, LOG, MACHINE_CHECK, MARK, LOSS, CRASH = 1, 2, 4, 8, 16, 32
ALL_KINDS = 0x7FFFFFFF


def open(path, *, sandbox=True, sources=0, debuginfo=(), progress=None):
    """Open a dump.

    path: a file, a directory of pstore records, a list of the parts of a split dump, or a
    descriptor.  sandbox: a process of its own parses it.  sources: RECORDER, FTRACE, KERNEL_LOG or
    a sum of them; 0: the recorder's, and where there is none, the kernel's own.  debuginfo: files
    and directories.  progress(what, done, total) is called in long steps; a true value cancels.
    """
    fd = path if isinstance(path, int) else -1
    paths = [] if fd >= 0 else list(path) if isinstance(path, (list, tuple)) else [path]
    return _epitaph.open([_os.fsencode(p) for p in paths], fd, sandbox, sources,
                         [_os.fsencode(p) for p in debuginfo], progress)


def to_pandas(items):
    """A pandas.DataFrame of items, a row each: their attributes, and each field as a column.

    Fields that have the name of an attribute get "field_" in front.  Needs pandas.
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
    return pandas.DataFrame(rows)
