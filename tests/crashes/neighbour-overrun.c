// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A label is written past the end of its buffer, into the next object of the slab; the owner of
 * that one, innocent, follows a pointer made of text.
 *
 * pattern: heap buffer overflow by a missing length check
 * finding: the pointer in the object holds text ("ERFLOW.."): overwritten; who: not known, or the object before it
 * never: counter_add() as the one that wrote it; use after free
 * must: ^likely: .*overwritten from its start on: the text at the end of the object in front of it
 * not: freed|counter-[0-9]
 * guest: insmod /test/neighbour-overrun.ko
 */
#include "crash.h"

struct counter {
	long *value;
	u8 rest[248];
};

static void *object[64];
static long value;

static noinline void counter_add(struct counter *c)
{
	long *at = READ_ONCE(c->value);

	WRITE_ONCE(*at, READ_ONCE(*at) + 1);
}

static int run(void *unused)
{
	struct counter *c = NULL;
	char *label = NULL;
	int i, j;

	for (i = 0; i < 64; i++)
		object[i] = kzalloc(256, GFP_KERNEL);
	for (i = 0; i < 64; i++)
		for (j = 0; j < 64; j++)
			if (object[j] == object[i] + 256) {
				label = object[i];
				c = object[j];
			}
	if (!c)
		return -ENOENT;
	c->value = &value;
	msleep(200);
	counter_add(c);
	msleep(200);
	for (i = 0; i < 272; i++)
		UNKNOWN(label)[i] = "OVERFLOW"[i % 8];
	msleep(300);
	counter_add(c);
	return 0;
}

static int __init counter_init(void)
{
	return run_thread(run, NULL, -1, "counter");
}
module_init(counter_init);
