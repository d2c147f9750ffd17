// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  The memory controller reports a corrected error.  Seconds later a driver follows a pointer
 * that it never set.
 *
 * pattern: a plain missing initialisation; the corrected error is chance
 * finding: NULL pointer, in start_transfer(), +0x10
 * never: the hardware, as more than an aside
 * x86: its machine check
 * must: ^shown: .*start_transfer\(\) .*0x10 of a NULL
 * not: machine check|hardware
 * guest: echo "guest: awaits a machine check"
 * guest: sleep 3
 * guest: insmod /test/null-after-corrected-mce.ko
 * when: guest: awaits a machine check=>mce 0 5 0x9c00004000010091 0 0x12345000 0x8c
 */
#include "crash.h"

struct channel {
	int id;
	void *regs;
	struct {
		u32 head, tail;
	} ring;
};

struct engine {
	char name[16];
	struct channel *channel;
};

static struct engine engine = { .name = "copy" };

static noinline void start_transfer(struct engine *e)
{
	struct channel *c = READ_ONCE(e->channel);

	WRITE_ONCE(c->ring.head, 1);
}

static int __init engine_init(void)
{
	start_transfer(&engine);
	return 0;
}
module_init(engine_init);
