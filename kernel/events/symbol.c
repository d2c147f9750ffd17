// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of the addresses that events carry and print as symbols.  The first
 * event with an address pays for its name; the others find it known.
 */
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/log2.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "recorder.h"

#define TRIES	8

static struct epitaph_symbol *symbols;
static unsigned long *seen;	/* by place in the section; 0: free */
static u32 nr_symbols;		/* a power of two */

int epitaph_symbols_start(void)
{
	size_t size;

	symbols = epitaph_section(EPITAPH_SEC_SYMBOLS, &size);
	nr_symbols = rounddown_pow_of_two(size / sizeof(*symbols));
	seen = vzalloc(array_size(nr_symbols, sizeof(*seen)));
	return seen ? 0 : -ENOMEM;
}

void epitaph_symbols_stop(void)
{
	vfree(seen);
}

/* Only the writer that claimed @entry writes there. */
static void write_name(struct epitaph_symbol *entry, unsigned long addr, const char *name)
{
	struct epitaph_symbol new = { .addr = cpu_to_le64(addr) };

	strscpy(new.name, name, sizeof(new.name));
	new.check = cpu_to_le64(epitaph_check(epitaph_region.salt, &new,
				offsetof(struct epitaph_symbol, check)));
	*entry = new;
}

static void write_symbol(struct epitaph_symbol *entry, unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol(name, addr);
	write_name(entry, addr, name);
}

/*
 * Where RCU is not watching, as deep in the idle loop, modules cannot be
 * searched: the next event with this address will do it.
 */
void epitaph_symbol_note(unsigned long addr)
{
	u32 i = hash_long(addr, ilog2(nr_symbols));
	u32 n;

	for (n = 0; n < TRIES; n++, i = (i + 1) & (nr_symbols - 1)) {
		unsigned long old = READ_ONCE(seen[i]);

		if (likely(old == addr))
			return;
		if (old)
			continue;
		if (!addr || !rcu_is_watching())
			return;
		if (!cmpxchg(&seen[i], 0, addr)) {
			write_symbol(&symbols[i], addr);
			return;
		}
		if (READ_ONCE(seen[i]) == addr)
			return;
	}
}

bool epitaph_symbol_is_known(unsigned long key)
{
	u32 i = hash_long(key, ilog2(nr_symbols));
	u32 n;

	for (n = 0; n < TRIES; n++, i = (i + 1) & (nr_symbols - 1)) {
		unsigned long old = READ_ONCE(seen[i]);

		if (likely(old == key))
			return true;
		if (!old)
			return false;
	}
	return true;
}

void epitaph_symbol_write(unsigned long key, const char *name)
{
	u32 i = hash_long(key, ilog2(nr_symbols));
	u32 n;

	for (n = 0; n < TRIES; n++, i = (i + 1) & (nr_symbols - 1)) {
		unsigned long old = cmpxchg(&seen[i], 0, key);

		if (!old)
			write_name(&symbols[i], key, name);
		if (!old || old == key)
			return;
	}
}
