// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  The name of a listener is longer than its field, and runs over the function pointer behind it, in the same object.
 *
 * pattern: strcpy() within an object: an overflow that no slab check can see
 * upstream: the class of intra-object overflows (device names)
 * finding: deliver() of this module called a function pointer that is text ("-overflo"), of an object that lives
 * never: freed memory as certain; a neighbour of the slab as certain; NULL; data that was executed
 * must: ^shown: deliver\(\) of module callback_is_text called a function pointer .*6f6c667265766f2d, .*the text "-overflo"
 * not: freed|NULL|neighbour
 * guest: insmod /test/callback-is-text.ko
 */
#include "crash.h"

struct listener {
	char name[16];
	int (*heard)(struct listener *l);
	u64 count;
};

static int count_it(struct listener *l)
{
	return ++l->count;
}

static noinline void listener_rename(struct listener *l, const char *name)
{
	int i;

	for (i = 0; name[i]; i++)
		WRITE_ONCE(l->name[i], name[i]);
}

static noinline int deliver(struct listener *l)
{
	return l->heard(l) + 1;
}

static int deliverer(void *unused)
{
	struct listener *l = kzalloc(sizeof(*l), GFP_KERNEL);

	l->heard = count_it;
	msleep(200);
	deliver(l);
	listener_rename(l, "a-name-with-much-overflow");
	deliver(l);
	return 0;
}

static int __init listener_init(void)
{
	return run_thread(deliverer, NULL, -1, "deliverer");
}
module_init(listener_init);
