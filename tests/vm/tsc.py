# SPDX-License-Identifier: GPL-2.0-or-later
"""How fast this machine's TSC counts, as a guest of QEMU reads it."""

import ctypes
import mmap
import platform
import time

# rdtsc; shl $32, %rdx; or %rdx, %rax; ret
CODE = bytes.fromhex("0f3148c1e2204809d0c3")


def moment(read):
    """Ticks and nanoseconds of one moment: of many pairs, the one that took least."""
    pairs = []
    for _ in range(100):
        before = time.monotonic_ns()
        ticks = read()
        after = time.monotonic_ns()
        pairs.append((after - before, ticks, (before + after) // 2))
    return min(pairs)[1:]


def khz():
    """Ticks a millisecond, or None where there is none that we can read."""
    if platform.machine() != "x86_64":
        return None
    with mmap.mmap(-1, mmap.PAGESIZE,
                   prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC) as page:
        page.write(CODE)
        begin = ctypes.c_char.from_buffer(page)
        read = ctypes.CFUNCTYPE(ctypes.c_uint64)(ctypes.addressof(begin))
        ticks, at = moment(read)
        time.sleep(0.05)
        later_ticks, later = moment(read)
        del read, begin
    return round((later_ticks - ticks) * 1000000 / (later - at))
