// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two devices mirror each other's size: each change raises an event, whose handler changes the other.
 *
 * pattern: notifier recursion without an end
 * upstream: the class of bond/team/macsec stacks that change each other's MTU or features (syzbot: "stack overflow in dev_set_mtu", netdev_features)
 * finding: stack overflow: size_event(), raw_notifier_call_chain() and set_size() call one another without end; guilty is size_event(), which sets the peer's size again
 * never: a large frame; the notifier code; sizer alone; a damaged stack
 * must: ^shown: .*size_event\(\), set_size\(\) and raw_notifier_call_chain\(\) call one another
 * not: large
 * guest: insmod /test/event-raises-event.ko
 */
#include <linux/notifier.h>
#include "crash.h"

struct mirror {
	struct mirror *peer;
	unsigned int size, changes;
};

static RAW_NOTIFIER_HEAD(chain);
static struct mirror left, right;

static noinline void set_size(struct mirror *m, unsigned int size)
{
	m->size = size;
	raw_notifier_call_chain(&chain, 1, m);
	m->changes++;
}

static int size_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct mirror *m = data;

	if (m->peer->size != m->size + 1)
		set_size(m->peer, m->size + 1);
	return NOTIFY_OK;
}

static struct notifier_block nb = { .notifier_call = size_event };

static int sizer(void *unused)
{
	msleep(700);
	set_size(&left, 1500);
	return 0;
}

static int __init mirror_init(void)
{
	left.peer = &right;
	right.peer = &left;
	raw_notifier_chain_register(&chain, &nb);
	return run_thread(sizer, NULL, -1, "sizer");
}
module_init(mirror_init);
