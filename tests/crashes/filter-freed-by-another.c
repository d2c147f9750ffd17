// SPDX-License-Identifier: GPL-2.0-only
/*
 * A chain's filter is freed and the chain still names it; its memory is data of "meter" meanwhile. What asks the filter
 * is one line, which the compiler makes a jump: it leaves no frame.
 *
 * pattern: an object that is freed with a user left; a call by a pointer at a function's end
 * upstream: the class of use-after-free behind one-line wrappers (file_operations, crypto and net_device ops)
 * finding: chain_ask() jumped to what is no address at its end; it read that from a filter that is not one any more
 * never: chain_run() or "meter" as what called by the pointer; a return address; NULL
 * must: ^shown: .*chain_ask\(\) of module filter_freed_by_another
 * not: return address|meter|was NULL
 * guest: insmod /test/filter-freed-by-another.ko
 */
#include "crash.h"

struct filter {
	u64 hits;
	u64 limit;
	int (*match)(struct filter *filter, u64 key);
	u64 rest[20];
};

struct chain {
	u64 asked;
	struct filter *filter;
};

static struct chain chain;

/* Filters and the meter's readings are of one size, and of one cache. */
static struct kmem_cache *records;

static int match_all(struct filter *filter, u64 key)
{
	return filter->hits++ + key < filter->limit;
}

static noinline int chain_ask(struct chain *c, u64 key)
{
	struct filter *filter = c->filter;

	return filter->match(filter, key);
}

static noinline int chain_run(struct chain *c, u64 key)
{
	int ret = chain_ask(c, key);

	c->asked++;
	return ret + 1;
}

static int runner(void *unused)
{
	u64 key = 0;

	for (;;) {
		chain_run(&chain, key++);
		msleep(10);
	}
	return 0;
}

static int meter(void *unused)
{
	u64 *reading;
	int i, k;

	msleep(800);
	kmem_cache_free(records, chain.filter);
	for (i = 0; i < 20000; i++) {
		reading = kmem_cache_alloc(records, GFP_KERNEL);
		if (!reading)
			break;
		for (k = 0; k < sizeof(struct filter) / sizeof(*reading); k++)
			reading[k] = 0x3ff0000000000000ULL + 977 * k;
		if (reading == (void *)chain.filter)
			break;
	}
	return 0;
}

static int __init chain_init(void)
{
	records = kmem_cache_create("records", sizeof(struct filter), 0, 0, NULL);
	if (!records)
		return -ENOMEM;
	chain.filter = kmem_cache_zalloc(records, GFP_KERNEL);
	if (!chain.filter)
		return -ENOMEM;
	chain.filter->match = match_all;
	chain.filter->limit = 1ULL << 60;
	run_thread(runner, NULL, raw_smp_processor_id(), "runner");
	return run_thread(meter, NULL, raw_smp_processor_id(), "meter");
}
module_init(chain_init);
