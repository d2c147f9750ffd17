// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  An xarray has objects, and for reserved numbers a value (xa_mk_value()).  A lookup takes the value for an object:
 * the address is small and odd, and looks like a field of a NULL structure.
 *
 * pattern: shadow, value or zero entries of an xarray that are used as pointers
 * upstream: the class of missing xa_is_value() checks (mm, drivers/infiniband, idr users)
 * finding: queue_depth() of this module used a small odd number (0x2b) as a pointer, at +0x20; it is no pointer
 * never: NULL pointer with a field at +0x4b as certain; freed memory; hardware
 * must: ^likely: .*queue_depth\(\) .*0x2b .*small number
 * not: ^shown
 * not: freed
 * guest: insmod /test/value-entry-as-pointer.ko
 */
#include <linux/xarray.h>
#include "crash.h"

struct ring {
	u64 base;
	u64 size;
	u64 head;
	u64 tail;
	u64 depth;
};

static DEFINE_XARRAY(rings);

static noinline u64 queue_depth(struct ring *ring)
{
	return READ_ONCE(ring->depth);
}

static int poller(void *unused)
{
	unsigned long id;
	u64 sum = 0;

	msleep(200);
	for (id = 0; id < 8; id++) {
		struct ring *ring = xa_load(&rings, id);

		if (ring)
			sum += queue_depth(ring);
	}
	return sum;
}

static int __init rings_init(void)
{
	int id;

	for (id = 0; id < 5; id++)
		xa_store(&rings, id, kzalloc(sizeof(struct ring), GFP_KERNEL), GFP_KERNEL);
	xa_store(&rings, 6, xa_mk_value(21), GFP_KERNEL);
	return run_thread(poller, NULL, -1, "poller");
}
module_init(rings_init);
