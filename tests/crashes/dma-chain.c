// SPDX-License-Identifier: GPL-2.0-only
/*
 * A length that is computed in 16 bits: the buffer is far too small for what is written to it.  Whose memory lies behind
 * it dies.
 *
 * pattern: integer overflow in a size of kmalloc()
 * upstream: the class of kmalloc(nr * size) with a narrow type (CVE-2021-22555 and many ioctls)
 * finding: the pointer was overwritten: an array of numbers, 256 bytes apart, runs over it, from a buffer of
 *	chain_fill() in front
 * never: "scheduler" or owner_run(); a pointer of a process
 * must: ^(possible|likely): owner_run\(\)
 * not: ^shown
 * guest: insmod /test/dma-chain.ko
 * guest: echo 300 >/proc/dma_descriptors
 * guest: sleep 30
 */
#include "crash.h"

struct descriptor {
	u64 address, length;
	u64 flags, next;
	u8 pad[224];
};

struct owner {
	struct descriptor *last;
	u64 runs;
	u8 state[11000];
};

static struct owner *owners[40];
static struct descriptor none;

static noinline void owner_run(struct owner *o)
{
	o->runs += o->last->length;
}

static int scheduler(void *unused)
{
	int i;

	for (;;) {
		for (i = 0; i < 40; i++)
			owner_run(owners[i]);
		msleep(20);
	}
	return 0;
}

static noinline struct descriptor *chain_alloc(u16 bytes)
{
	return kmalloc(bytes, GFP_KERNEL);
}

static noinline void chain_fill(struct descriptor *d, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		d[i].address = 0x80000000ULL + 4096 * i;
		d[i].length = 4096;
		d[i].flags = 0x11;
		d[i].next = i + 1;
	}
}

static int chain_set(unsigned int nr)
{
	struct descriptor *d = chain_alloc(nr * sizeof(*d));

	if (!d)
		return -ENOMEM;
	chain_fill(d, nr);
	return 0;
}

PROC_NUMBER(chain, chain_set);

static int __init chain_init(void)
{
	int i;

	for (i = 0; i < 40; i++) {
		owners[i] = kzalloc(sizeof(*owners[i]), GFP_KERNEL);
		if (!owners[i])
			return -ENOMEM;
		owners[i]->last = &none;
	}
	proc_create("dma_descriptors", 0200, NULL, &chain_pops);
	return run_thread(scheduler, NULL, -1, "scheduler");
}
module_init(chain_init);
