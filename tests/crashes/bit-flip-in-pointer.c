// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  One bit of a pointer in memory flips (as bad memory does without ECC), and the list's
 * innocent reader dies.
 *
 * pattern: single-bit errors in machines without ECC
 * finding: wild pointer; at best: one bit off from a slab object that lives
 * never: use after free; the reader queue_length() as the one that broke the pointer; certain
 *	accusation of the module
 * must: ^shown: .*queue_length\(\) .*where no memory is
 * not: freed|broke
 * guest: insmod /test/bit-flip-in-pointer.ko
 */
#include "crash.h"

struct packet {
	struct packet *next;
	u32 len;
	u8 data[100];
};

static struct packet *head;
static unsigned int longest;

static noinline unsigned int queue_length(void)
{
	struct packet *p;
	unsigned int n = 0;

	for (p = READ_ONCE(head); p; p = READ_ONCE(p->next))
		n += p->len;
	return n;
}

static int reader(void *unused)
{
	int i;

	for (i = 0; i < 40; i++) {
		longest = max(longest, queue_length());
		msleep(50);
		if (i == 30)	/* the memory does this */
			*(unsigned long *)&head->next->next ^= 1UL << 44;
	}
	return 0;
}

static int __init queue_init(void)
{
	int i;

	for (i = 0; i < 8; i++) {
		struct packet *p = kzalloc(sizeof(*p), GFP_KERNEL);

		p->len = 60 + i;
		p->next = head;
		head = p;
	}
	return run_thread(reader, NULL, -1, "reader");
}
module_init(queue_init);
