// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  What is freed is a field of the object, not the object.  The next two allocations overlap; "mapper", who has one of
 * them, finds its pointer overwritten by "namer", who has the other.
 *
 * pattern: kfree(&object->field), or kfree() of a pointer that strsep() or skipping has moved
 * upstream: the class of "don't free a moved pointer" (kstrdup() and strsep())
 * finding: mapper used a pointer that is text; that kfree() was given an address inside of an object is in the trace
 * never: map_lookup() as the culprit; freed memory that was used; NULL
 * guest: insmod /test/kfree-of-inner-pointer.ko
 */
#include "crash.h"

struct option {
	u64 kind;
	char text[128];
	u64 *target;
	u64 pad[5];
};

static struct option *map;
static u64 number = 5;

static noinline void option_free(struct option *o)
{
	char *at = (char *)o;

	at += 64;
	kfree(UNKNOWN(at));
}

static noinline u64 map_lookup(struct option *o)
{
	return *READ_ONCE(o->target);
}

static int namer(void *unused)
{
	int i;

	msleep(1000);
	for (i = 0; i < 400; i++) {
		char *name = kmalloc(sizeof(struct option), GFP_KERNEL);

		memset(name, 'N', sizeof(struct option));
	}
	return 0;
}

static int mapper(void *unused)
{
	struct option *maps[16];
	int i;

	for (i = 0; i < ARRAY_SIZE(maps); i++)
		maps[i] = kzalloc(sizeof(*map), GFP_KERNEL);
	for (i = 0; i < ARRAY_SIZE(maps); i++)
		option_free(maps[i]);
	for (i = 0; i < ARRAY_SIZE(maps); i++) {
		maps[i] = kzalloc(sizeof(*map), GFP_KERNEL);
		maps[i]->target = &number;
	}
	for (;;) {
		for (i = 0; i < ARRAY_SIZE(maps); i++)
			map_lookup(maps[i]);
		msleep(20);
	}
	return 0;
}

static int __init option_init(void)
{
	run_thread(namer, NULL, raw_smp_processor_id(), "namer");
	return run_thread(mapper, NULL, raw_smp_processor_id(), "mapper");
}
module_init(option_init);
