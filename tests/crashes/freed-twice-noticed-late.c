// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A buffer is freed twice, with another free between, so that nothing notices; then two
 * users own it.  One writes text, the other, innocent, follows a pointer in it.
 *
 * pattern: double free that hardened free lists do not see
 * finding: the double free (kmem events); damage of the list of free objects, if the next allocation
 *	dies of it; else two allocations at one address, or
 *	at least: overwritten with text; "not known who"
 * never: ledger_add() or its thread as the one that wrote there
 * must: ^likely: .*list of free objects is damaged.*had freed [0-9a-f]+ twice
 * not: ledger
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/freed-twice-noticed-late.ko
 */
#include "crash.h"

struct ledger {
	long *sum;
	u8 rest[1500];
};

static void *first[40];
static long sum;

static noinline void ledger_add(struct ledger *l)
{
	long *at = READ_ONCE(l->sum);

	WRITE_ONCE(*at, 1);
}

static int ledger_run(void *data)
{
	msleep(500);
	ledger_add(data);
	return 0;
}

static int run(void *unused)
{
	void *a = kmalloc(1500, GFP_KERNEL), *b = kmalloc(1500, GFP_KERNEL);
	struct ledger *l = NULL;
	int i;

	kfree(a);
	kfree(b);
	kfree(UNKNOWN(a));
	for (i = 0; i < 40; i++) {
		first[i] = kmalloc(1500, GFP_KERNEL);
		if (first[i] == a && !l) {
			l = first[i];
			l->sum = &sum;
			run_thread(ledger_run, l, -1, "ledger");
		} else {
			strcpy(first[i], "name=value;name=value");
		}
		if (i == 3)
			break;
	}
	return 0;
}

static int __init ledger_init(void)
{
	return run_thread(run, NULL, 0, "names");
}
module_init(ledger_init);
