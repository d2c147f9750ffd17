// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of the addresses that events carry and print as symbols.  The first
 * event with an address of the kernel pays for its name; the others find it known.  To find one in
 * a module, the kernel looks at each of the module's symbols, which takes 0.1 ms for 8000 of them and
 * more for others, and events come with interrupts off: a work does that, and panic() if it comes first.
 *
 * A module that comes may lie where another one lay.  So a name ends with its module; the entry
 * stays, for the events that have been recorded, and says until when it was right.  It may be
 * overwritten; so a name says since when it is right, too.
 */
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include "arch/arch.h"
#include "core/lost.h"
#include "core/wake.h"
#include "recorder.h"

#define TRIES		16
#define NAME_EACH_MS	100

/* No addresses: the name that is there has ended; it is about to. */
#define ENDED	1UL
#define ENDING	2UL

static struct epitaph_symbol *symbols;
static unsigned long *seen;	/* by place in the section; 0: free */
static unsigned long *unnamed;	/* a bit for each place: an address is noted, its name is not written */
static u32 nr_symbols, order;	/* 2 to the power of order */
static u32 nr_renamed;		/* keys whose names may change: they get a quarter of the room */

static void seal(struct epitaph_symbol *entry)
{
	entry->check = cpu_to_le64(epitaph_check(epitaph_region.salt, entry,
				   offsetof(struct epitaph_symbol, check)));
}

static bool mark_ending(const struct module *mod, bool only_init)
{
	bool any = false;
	u32 i;

	for (i = 0; i < nr_symbols; i++) {
		unsigned long addr = READ_ONCE(seen[i]);

		if (addr <= ENDING || !(only_init ? within_module_init(addr, mod) :
						    within_module(addr, mod)))
			continue;
		WRITE_ONCE(seen[i], ENDING);
		any = true;
	}
	return any;
}

static void end_name(u32 i, u64 now)
{
	/* Not a name that had ended, if the new one was not written. */
	if (symbols[i].addr && !symbols[i].until) {
		symbols[i].until = cpu_to_le64(now);
		seal(&symbols[i]);
	}
	smp_store_release(&seen[i], ENDED);
}

/* A module that came while we record. */
struct arrival {
	struct list_head list;
	const struct module *mod;
	u64 clock;
	struct rcu_head rcu;
};

static LIST_HEAD(arrivals);

/* Of one module at a time: what another one marks as ending is not settled yet. */
static DEFINE_MUTEX(ending);

static void end_marked(const struct module *mod, bool only_init)
{
	u64 now;
	u32 i;

	if (!mark_ending(mod, only_init))
		return;
	now = epitaph_clock();
	/* Who claimed an entry may still be at writing it. */
	synchronize_rcu();
	/* Who loses the region waits for us. */
	rcu_read_lock();
	for (i = 0; i < nr_symbols && !epitaph_lost(); i++)
		if (READ_ONCE(seen[i]) == ENDING)
			end_name(i, now);
	rcu_read_unlock();
}

static void end_names(const struct module *mod, bool only_init)
{
	mutex_lock(&ending);
	end_marked(mod, only_init);
	mutex_unlock(&ending);
}

static void add_arrival(const struct module *mod)
{
	struct arrival *arrival = kmalloc(sizeof(*arrival), GFP_KERNEL);

	if (!arrival)
		return;
	arrival->mod = mod;
	arrival->clock = epitaph_clock();
	mutex_lock(&ending);
	list_add_rcu(&arrival->list, &arrivals);
	mutex_unlock(&ending);
}

/* NULL: all of them. */
static void remove_arrivals(const struct module *mod)
{
	struct arrival *arrival, *next;

	mutex_lock(&ending);
	list_for_each_entry_safe(arrival, next, &arrivals, list) {
		if (mod && arrival->mod != mod)
			continue;
		list_del_rcu(&arrival->list);
		kfree_rcu(arrival, rcu);
	}
	mutex_unlock(&ending);
}

/* When the module at @addr came; 0: before us, or there is none.  With RCU watching. */
static u64 arrival_at(unsigned long addr)
{
	const struct arrival *arrival;
	u64 clock = 0;

	rcu_read_lock();
	list_for_each_entry_rcu(arrival, &arrivals, list) {
		if (within_module(addr, arrival->mod))
			clock = arrival->clock;
	}
	rcu_read_unlock();
	return clock;
}

/*
 * What is recorded while a module is taken down, behind GOING, still finds the old name; so the
 * names end once more when another module comes to that place.
 */
static int module_changes(struct notifier_block *nb, unsigned long what, void *mod)
{
	bool is_lost = epitaph_lost();

	/* What has no name yet at the place of one that comes was of another, which is gone. */
	if (what == MODULE_STATE_COMING && !is_lost) {
		end_names(mod, false);
		add_arrival(mod);
	}
	epitaph_symbols_name_now();
	if (what == MODULE_STATE_GOING && !is_lost)
		end_names(mod, false);
	else if (what == MODULE_STATE_LIVE && !is_lost)
		end_names(mod, true);
	if (what == MODULE_STATE_GOING)
		remove_arrivals(mod);
	return NOTIFY_DONE;
}

static struct notifier_block symbol_modules = { .notifier_call = module_changes };

static void name_unnamed(struct work_struct *unused)
{
	epitaph_symbols_name_now();
}

/* On its own CPU: a worker that any may run can be woken on one that is stuck. */
static DEFINE_PER_CPU(struct work_struct, find_names);

static void wake_naming(struct irq_work *unused)
{
	queue_work_on(smp_processor_id(), epitaph_wq, this_cpu_ptr(&find_names));
}

static DEFINE_PER_CPU(struct irq_work, wake_name);

int epitaph_symbols_start(void)
{
	size_t size;
	int cpu, err;

	symbols = epitaph_section(EPITAPH_SEC_SYMBOLS, &size);
	nr_symbols = rounddown_pow_of_two(size / sizeof(*symbols));
	order = ilog2(nr_symbols);
	nr_renamed = 0;
	for_each_possible_cpu(cpu)
		INIT_WORK(per_cpu_ptr(&find_names, cpu), name_unnamed);
	epitaph_wake_init(&wake_name, wake_naming);
	seen = vzalloc(array_size(nr_symbols, sizeof(*seen)));
	unnamed = bitmap_zalloc(nr_symbols, GFP_KERNEL);
	err = seen && unnamed ? register_module_notifier(&symbol_modules) : -ENOMEM;
	if (err) {
		bitmap_free(unnamed);
		vfree(seen);
	}
	return err;
}

void epitaph_symbols_stop(void)
{
	int cpu;

	unregister_module_notifier(&symbol_modules);
	epitaph_wake_sync(&wake_name);
	for_each_possible_cpu(cpu)
		flush_work(per_cpu_ptr(&find_names, cpu));
	remove_arrivals(NULL);
	bitmap_free(unnamed);
	vfree(seen);
}

/* Only the writer that claimed @entry writes there. */
static void write_name(struct epitaph_symbol *entry, unsigned long addr, const char *name, u64 since)
{
	struct epitaph_symbol new = { .addr = cpu_to_le64(addr), .since = cpu_to_le64(since) };

	strscpy(new.name, name, sizeof(new.name));
	seal(&new);
	*entry = new;
}

static void write_symbol(struct epitaph_symbol *entry, unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol(name, addr);
	write_name(entry, addr, name, arrival_at(addr));
}

static void name_claimed(u32 i, unsigned long addr)
{
	if (epitaph_arch_is_module(addr)) {
		set_bit(i, unnamed);
		epitaph_wake(&wake_name);
	} else {
		write_symbol(&symbols[i], addr);
	}
}

/*
 * Where RCU is not watching, as deep in the idle loop, modules cannot be
 * searched: the next event with this address will do it.
 *
 * Names that have ended are overwritten where there is no other room.
 */
void epitaph_symbol_note(unsigned long addr)
{
	u32 i = hash_long(addr, order);
	u32 n, ended = nr_symbols;

	for (n = 0; n < TRIES; n++, i = (i + 1) & (nr_symbols - 1)) {
		unsigned long old = READ_ONCE(seen[i]);

		if (likely(old == addr))
			return;
		if (old == ENDED && ended == nr_symbols)
			ended = i;
		if (old)
			continue;
		if (!addr || !rcu_is_watching())
			return;
		if (!cmpxchg(&seen[i], 0, addr)) {
			name_claimed(i, addr);
			return;
		}
		if (READ_ONCE(seen[i]) == addr)
			return;
	}
	if (ended < nr_symbols && addr && rcu_is_watching() &&
	    cmpxchg(&seen[ended], ENDED, addr) == ENDED)
		name_claimed(ended, addr);
}

static atomic_t nr_calls;	/* places that calls have taken, or are about to */

static noinline notrace void take_place(unsigned long addr, u32 i)
{
	u32 n;

	for (n = 0; n < TRIES; n++, i = (i + 1) & (nr_symbols - 1)) {
		unsigned long old = READ_ONCE(seen[i]);

		if (!old) {
			old = cmpxchg(&seen[i], 0, addr);
			if (!old) {
				atomic_inc(&nr_calls);
				set_bit(i, unnamed);
				return;
			}
		}
		if (old == addr)
			return;
	}
}

/*
 * There are more functions, and places that call them, than names fit: they get half of the room,
 * so that those of other events find some.  To write a name takes more stack than there may be at
 * the entry of a function.
 */
void epitaph_symbol_note_call(unsigned long addr)
{
	u32 i = hash_long(addr, order);

	if (unlikely(READ_ONCE(seen[i]) != addr) && atomic_read(&nr_calls) < (int)(nr_symbols / 2))
		take_place(addr, i);
}

void epitaph_symbols_name_now(void)
{
	u32 i;

	for_each_set_bit(i, unnamed, nr_symbols) {
		unsigned long addr;

		/* Who loses the region waits for us. */
		rcu_read_lock();
		addr = epitaph_lost() ? 0 : READ_ONCE(seen[i]);
		if (test_and_clear_bit(i, unnamed) && addr > ENDING)
			write_symbol(&symbols[i], addr);
		rcu_read_unlock();
	}
}

static void name_again(struct work_struct *work)
{
	if (epitaph_lost())
		return;
	epitaph_symbols_name_now();
	schedule_delayed_work(to_delayed_work(work), msecs_to_jiffies(NAME_EACH_MS));
}

static DECLARE_DELAYED_WORK(naming, name_again);

void epitaph_symbols_name_calls(bool on)
{
	if (on)
		schedule_delayed_work(&naming, msecs_to_jiffies(NAME_EACH_MS));
	else
		cancel_delayed_work_sync(&naming);
	epitaph_symbols_name_now();
}

bool epitaph_symbol_is_known(unsigned long key)
{
	u32 i = hash_long(key, order);
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

#define NOT_KNOWN "?"	/* a name that had to go for a newer one of its key */

/* The names of @key that have ended first, and second; nr_symbols: there is none. */
static void find_oldest(unsigned long key, u32 *first, u32 *second)
{
	u32 n, i = hash_long(key, order);

	*first = *second = nr_symbols;
	for (n = 0; n < TRIES; n++, i = (i + 1) & (nr_symbols - 1)) {
		u64 until = le64_to_cpu(symbols[i].until);

		if (READ_ONCE(seen[i]) != ENDED || symbols[i].addr != cpu_to_le64(key))
			continue;
		if (*first == nr_symbols || until < le64_to_cpu(symbols[*first].until)) {
			*second = *first;
			*first = i;
		} else if (*second == nr_symbols || until < le64_to_cpu(symbols[*second].until)) {
			*second = i;
		}
	}
}

/*
 * The oldest name goes.  What was recorded while it held would have the next one then, which is another's:
 * so that one is not known any more, either.
 */
static bool write_over_oldest(unsigned long key, const char *name)
{
	u32 first, second;

	find_oldest(key, &first, &second);
	if (second == nr_symbols || cmpxchg(&seen[second], ENDED, key) != ENDED)
		return false;
	strscpy_pad(symbols[second].name, NOT_KNOWN, sizeof(symbols[second].name));
	seal(&symbols[second]);
	smp_store_release(&seen[second], ENDED);
	if (cmpxchg(&seen[first], ENDED, key) != ENDED)
		return false;
	write_name(&symbols[first], key, name, 0);
	return true;
}

/* Return: it is there. */
static bool write_key(unsigned long key, const char *name)
{
	u32 i = hash_long(key, order);
	u32 n;

	for (n = 0; n < TRIES; n++, i = (i + 1) & (nr_symbols - 1)) {
		unsigned long old = cmpxchg(&seen[i], 0, key);

		if (!old)
			write_name(&symbols[i], key, name, 0);
		if (!old || old == key)
			return true;
	}
	return write_over_oldest(key, name);
}

void epitaph_symbol_write(unsigned long key, const char *name)
{
	write_key(key, name);
}

/* Where @key is, or nr_symbols. */
static u32 find_key(unsigned long key)
{
	u32 n, i = hash_long(key, order);

	for (n = 0; n < TRIES; n++, i = (i + 1) & (nr_symbols - 1))
		if (READ_ONCE(seen[i]) == key)
			return i;
	return nr_symbols;
}

void epitaph_symbol_rename(unsigned long key, const char *name)
{
	u32 i = find_key(key);
	bool is_new = i == nr_symbols;

	if (!is_new) {
		if (!strncmp(symbols[i].name, name, sizeof(symbols[i].name) - 1))
			return;
		symbols[i].until = cpu_to_le64(epitaph_clock());
		seal(&symbols[i]);
		smp_store_release(&seen[i], ENDED);
	} else if (nr_renamed >= nr_symbols / 4) {
		return;
	}
	if (write_key(key, name))
		nr_renamed += is_new;
}
