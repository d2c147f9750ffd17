# SPDX-License-Identifier: GPL-2.0-or-later
"""A raw region, as docs/format.md says it is; shares no code with the extractor."""

import struct

PAGE = 4096
MASK = (1 << 64) - 1
MAGIC = b"EPITAPH\x1a"


def mix(h, w):
    x = h ^ w
    x = (((x << 32) | (x >> 32)) & MASK) * 0x9E3779B97F4A7C15 & MASK
    return x ^ (x >> 29)


def check(seed, data):
    h = seed ^ len(data)
    for i in range(0, len(data), 8):
        h = mix(h, int.from_bytes(data[i:i + 8], "little"))
    return h ^ (h >> 32)


def text(data):
    return data.split(b"\0")[0].decode(errors="replace")


def is_good(entry, at, salt):
    stored = struct.unpack_from("<Q", entry, at)[0]
    return stored != 0 and stored == check(salt, entry[:at])


def entries(section, size):
    for off in range(0, len(section) - size + 1, size):
        yield section[off:off + size]


class Generation:
    """One boot's; its table is the first header's, or the copy's."""

    def __init__(self, region, at, table):
        self.table = table
        self.size, = struct.unpack_from("<Q", table, 40)
        self.start_mono, = struct.unpack_from("<Q", table, 136)
        self.salt, = struct.unpack_from("<Q", table, 120)
        self.number, = struct.unpack_from("<Q", table, 352)
        self.data = region[at:at + self.size]

    def sections(self):
        """(type, bytes) of each, in the order of the table."""
        header_size, = struct.unpack_from("<I", self.table, 12)
        nr, size = struct.unpack_from("<II", self.table, 76)
        for i in range(nr):
            entry = self.table[header_size + i * size:header_size + (i + 1) * size]
            kind, _, off, length = struct.unpack_from("<IIQQ", entry)
            yield kind, self.data[off:off + length]


def table_at(region, at):
    """Header and section table, or None if its check does not hold."""
    if region[at:at + 8] != MAGIC:
        return None
    size, = struct.unpack_from("<I", region, at + 72)
    table = region[at:at + size]
    stored, = struct.unpack_from("<Q", table, 504)
    return table if stored == check(0, table[:504] + bytes(8) + table[512:]) else None


def generations(path):
    """All in a file, the oldest first."""
    with open(path, "rb") as file:
        region = file.read()
    found = {}
    for at in range(0, len(region) - PAGE + 1, PAGE):
        table = table_at(region, at)
        if table:
            begin = at - struct.unpack_from("<Q", table, 56)[0]
            found.setdefault(begin, Generation(region, begin, table))
    return sorted(found.values(), key=lambda gen: gen.number)
