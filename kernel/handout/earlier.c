// SPDX-License-Identifier: GPL-2.0-only
/* Generations of earlier boots in the region: found, reported, kept, taken. */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <epitaph/check.h>
#include <epitaph/earlier.h>
#include <epitaph/header_repair.h>
#include "arch/arch.h"
#include "core/bad_page.h"
#include "core/lost.h"
#include "recorder.h"
#include "sysfs.h"

static struct epitaph_gens gens;
static DEFINE_MUTEX(take_lock);

static const struct epitaph_crash *crash_of(const struct epitaph_gen *gen)
{
	u64 size;

	/* Of a section of another version, which may be longer than ours, no more than what is read. */
	return epitaph_gen_entry(gen, epitaph_region_memory(&size, NULL), EPITAPH_SEC_CRASH, 0,
				 sizeof(struct epitaph_crash));
}

static const char *generation_state(const struct epitaph_gen *gen)
{
	if (gen->taken[EPITAPH_TAKEN_HARVEST])
		return "harvested";
	if (gen->taken[EPITAPH_TAKEN_PSTORE])
		return "taken out of pstore";
	if (gen->crashed)
		return "crashed";
	return gen->ended ? "ended in order" : "stopped without a word";
}

/* Texts of another kernel, over which firmware may have written: escaped. */
static void log_generation(const struct epitaph_gen *gen, u64 size, phys_addr_t phys)
{
	const struct epitaph_header *table = gen->table;
	const char *reason = gen->crashed ? crash_of(gen)->reason : "";

	pr_info("generation %llu at %#llx, %llu KiB: boot %pUb, kernel %*pE, %s%s%*pE%s\n",
		gen->number, phys + gen->off, gen->size >> 10, table->boot_id,
		(int)strnlen(table->release, sizeof(table->release)), table->release,
		generation_state(gen), gen->crashed ? ": " : "",
		(int)strnlen(reason, gen->crashed ? 120 : 0), reason,
		gen->from_copy ? "; its first header is damaged" : "");
	if (le64_to_cpu(table->gen_size) != gen->size)
		pr_warn("generation %llu had %llu KiB: the rest is not in this region of %llu KiB\n",
			gen->number, le64_to_cpu(table->gen_size) >> 10, size >> 10);
	if (le64_to_cpu(table->phys_addr) != phys)
		pr_notice("generation %llu was recorded in a region at %#llx, which is at %#llx now\n",
			  gen->number, le64_to_cpu(table->phys_addr), (u64)phys);
}

/* Before anything is searched for: a header that is not found is overwritten, and what it has. */
static void repair_headers(void *base, u64 size, phys_addr_t phys)
{
	struct epitaph_header_repair *work = kvzalloc(sizeof(*work), GFP_KERNEL);

	if (!work) {
		pr_warn("no memory to correct headers with flipped bits: what they have is not found\n");
		return;
	}
	epitaph_gf_init(&work->gf);
	while (epitaph_header_repair(work, base, size, epitaph_bad_pages()))
		pr_notice("%u wrong bytes of the header at %#llx were corrected by its parity\n",
			  work->nr_wrong, phys + work->found);
	kvfree(work);
}

void epitaph_earlier_find(void)
{
	phys_addr_t phys;
	unsigned int i;
	void *base;
	u64 size;

	base = (void *)epitaph_region_memory(&size, &phys);
	repair_headers(base, size, phys);
	epitaph_gens_find(&gens, base, size, epitaph_bad_pages());
	for (i = 0; i < gens.nr; i++)
		log_generation(&gens.gen[i], size, phys);
}

void epitaph_earlier_look(void)
{
	const void *base;
	u64 size;

	base = epitaph_region_memory(&size, NULL);
	epitaph_gens_find(&gens, base, size, epitaph_bad_pages());
}

static void erase(void *at, u64 bytes)
{
	memset(at, 0, bytes);
	epitaph_arch_write_back(at, bytes);
}

/* Header and copy; the copy first, which a reader looks at behind it. */
static void forget_generation(const struct epitaph_gen *gen, void *base)
{
	u32 size = le32_to_cpu(gen->table->table_size);
	u64 copy_off = le64_to_cpu(gen->table->copy_off);

	pr_info("generation %llu at %#llx gave way to this kernel, which hibernated: it is erased\n",
		gen->number, gen->off);
	if (copy_off + size <= gen->size && epitaph_is_readable(gen->bad, gen->off + copy_off, size))
		erase(base + gen->off + copy_off, size);
	if (epitaph_is_readable(gen->bad, gen->off, size))
		erase(base + gen->off, size);
}

void epitaph_earlier_erase_later(void)
{
	struct epitaph_gens *found = kmalloc(sizeof(*found), GFP_KERNEL);
	unsigned int i;
	void *base;
	u64 size;

	if (!found)
		return;
	base = (void *)epitaph_region_memory(&size, NULL);
	epitaph_gens_find(found, base, size, epitaph_bad_pages());
	for (i = 0; i < found->nr; i++)
		if (found->gen[i].number > epitaph_current()->number && found->gen[i].ended)
			forget_generation(&found->gen[i], base);
	kfree(found);
}

int epitaph_earlier_place(struct epitaph_place *place, u64 gen_size, u32 nr_gens)
{
	int err = epitaph_gens_place(place, &gens, gen_size, nr_gens);
	unsigned int i;

	if (err) {
		pr_err("no place to record: in each of %u slots of %llu KiB a page cannot be read; reserve other memory\n",
		       nr_gens, gen_size >> 10);
		return err;
	}
	epitaph_gens_drop(&gens, place->index * gen_size, gen_size);
	for (i = 0; i < place->nr_loses; i++)
		pr_warn("generation %llu is overwritten before it was harvested: none of %u slots is worth less; %u lost so far\n",
			place->loses[i], nr_gens,
			place->lost_gens - place->nr_loses + i + 1);
	return 0;
}

const struct epitaph_gen *epitaph_earlier(unsigned int i)
{
	return i < gens.nr ? &gens.gen[i] : NULL;
}
EXPORT_SYMBOL_GPL(epitaph_earlier);
EXPORT_SYMBOL_GPL(epitaph_gen_entry);

/* The note's check by itself and last: without it there is no note. */
static void write_taken(struct epitaph_taken *to, const char *where, u64 salt)
{
	struct epitaph_taken now = { .real_ns = cpu_to_le64(ktime_get_real_ns()) };
	u64 check;

	memcpy(now.boot_id, epitaph_current()->table->boot_id, sizeof(now.boot_id));
	strscpy(now.where, where, sizeof(now.where));
	check = epitaph_check(salt, &now, offsetof(struct epitaph_taken, check));
	WRITE_ONCE(to->check, 0);
	smp_wmb();	/* pairs with the CPU's end: a reader comes later */
	memcpy(to, &now, offsetof(struct epitaph_taken, check));
	smp_wmb();
	WRITE_ONCE(to->check, cpu_to_le64(check));
	/* A reset may drop it from the caches, and the generation would be saved again. */
	epitaph_arch_write_back(to, sizeof(*to));
	wmb();
}

/* Of a region that is lost, even the tables may be anything. */
static int note_taken(const struct epitaph_gen *gen, enum epitaph_taken_how how, const char *where)
{
	u64 size;
	struct epitaph_taken *taken;

	if (epitaph_lost())
		return -EIO;
	taken = (void *)epitaph_gen_entry(gen, epitaph_region_memory(&size, NULL), EPITAPH_SEC_TAKEN, how,
					  sizeof(*taken));
	if (!taken)
		return -ENXIO;
	if (taken == (void *)epitaph_gen_unreadable)
		return -EHWPOISON;
	write_taken(taken, where, gen->salt);
	return 0;
}

int epitaph_earlier_take(const struct epitaph_gen *gen, enum epitaph_taken_how how,
			 const char *where)
{
	int err;

	if (how >= EPITAPH_NR_TAKEN)
		return -EINVAL;
	mutex_lock(&take_lock);
	/* Who loses the region waits for us. */
	rcu_read_lock();
	err = note_taken(gen, how, where);
	rcu_read_unlock();
	if (!err)
		gens.gen[gen - gens.gen].taken[how] = true;
	mutex_unlock(&take_lock);
	if (!err)
		epitaph_sysfs_taken(gen);
	return err;
}
EXPORT_SYMBOL_GPL(epitaph_earlier_take);

bool epitaph_region_is_gone(void)
{
	return epitaph_is_gone();
}
EXPORT_SYMBOL_GPL(epitaph_region_is_gone);

bool epitaph_earlier_lost(u64 *number, u32 *count)
{
	const struct epitaph_header *table = epitaph_current()->table;
	bool is_known;

	rcu_read_lock();
	is_known = !epitaph_is_gone() && table->lost_gens;
	if (is_known) {
		*number = le64_to_cpu(table->lost_number);
		*count = le32_to_cpu(table->lost_gens);
	}
	rcu_read_unlock();
	return is_known;
}
EXPORT_SYMBOL_GPL(epitaph_earlier_lost);
