# SPDX-License-Identifier: GPL-2.0-or-later
"""A program of Python with events and a log in its ring."""
import logging
import threading

import epitaph_ring

epitaph_ring.open("python_shop")
order = epitaph_ring.Event("order", id="u64", who="text", change="i16", note="text")
number = epitaph_ring.Event("number", value="u32")
for i in range(200):
    number(value=i)
order(id=1 << 63, who="basket", change=-3, note="ü\0z")
order(id=8, who="w" * 2000, change=0, note="n" * 3000)
logging.getLogger().addHandler(epitaph_ring.Handler())
logging.error("%d of logging", 5)
logging.getLogger("shop").warning("from a logger")
thread = threading.Thread(target=lambda: order(id=9, who="thread", change=1, note=""))
thread.start()
thread.join()
