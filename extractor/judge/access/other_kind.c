// SPDX-License-Identifier: GPL-2.0-or-later
#include "other_kind.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "access_words.h"
#include "base/kernel_half.h"
#include "fault/callers.h"
#include "judge/words.h"
#include "linux_kernel/vmem.h"
#include "list_entry.h"

#define FEWEST_ALIKE	3
#define MOST_NEAR	4096	/* objects in front of it and behind it that are looked at */
#define MOST_SYMBOLS	20000
#define MOST_SLOTS	64	/* of one table */
#define FEWEST_LETTERS	4
#define MOST_LETTERS	32
#define SMALL		0x10000ULL

/**
 * struct kind - what others are compared with
 * @offset: of the bad pointer
 * @words: nr_letters of a text in front of it, or that begins there; 0: there is none
 * @text_at: where it begins
 * @is_entry: what stands there is the link of a list
 * @size: from an object to the next
 * @nr_alike: objects that have no pointer there
 * @nr_other: that have one, or nothing
 */
struct kind {
	const struct kernel *kernel;
	const struct kernel_object *object;
	u64 offset;
	char words[MOST_LETTERS];
	u32 nr_letters;
	u64 text_at;
	bool is_entry;
	u64 size;
	u32 nr_alike;
	u32 nr_other;
	char table[KERNEL_SYMBOL_MAX];
};

/* The text that lies in front of the pointer without a gap. One letter again and again is none. */
static void read_words(struct kind *kind)
{
	char bytes[MOST_LETTERS];
	u64 from = kind->offset < MOST_LETTERS ? 0 : kind->offset - MOST_LETTERS;
	u32 len = (u32)(kind->offset - from), first = len, differ = 0;

	kind->nr_letters = 0;
	if (!len || !vmem_get(kind->kernel->vmem, kind->object->start + from, bytes, len))
		return;
	while (first && isprint((u8)bytes[first - 1]))
		first--;
	/* Where it begins is not seen. */
	if (!first && from)
		return;
	kind->nr_letters = len - first;
	kind->text_at = from + first;
	memcpy(kind->words, bytes + first, kind->nr_letters);
	for (u32 i = 1; i < FEWEST_LETTERS && i < kind->nr_letters; i++)
		differ += kind->words[i] != kind->words[i - 1] && isalpha((u8)kind->words[i]);
	if (differ < FEWEST_LETTERS - 2)
		kind->nr_letters = 0;
}

static bool has_same_words(const struct kind *kind, u64 start)
{
	char bytes[FEWEST_LETTERS];

	return kind->nr_letters >= FEWEST_LETTERS && vmem_get(kind->kernel->vmem, start + kind->text_at, bytes, sizeof(bytes)) &&
	       !memcmp(bytes, kind->words, sizeof(bytes));
}

/* Is an object in use there, of the same cache? */
static bool is_one_of_cache(const struct kind *kind, u64 start)
{
	struct kernel_object object;

	return start != kind->object->start && kernel_object_at(kind->kernel, start, &object) && object.start == start &&
	       object.state == KOBJECT_IN_USE && !strcmp(object.cache, kind->object->cache);
}

static void count(struct kind *kind, u64 start)
{
	u64 value;

	if (!vmem_number(kind->kernel->vmem, start + kind->offset, 8, &value))
		return;
	/* It may be an address of user space, of a device or of per-CPU memory, which this function takes for another one. */
	if (!kind->is_entry && value >= SMALL && value < ADDRESS_USER_END)
		return;
	if (value && !in_kernel_half(value))
		kind->nr_alike++;
	else
		kind->nr_other++;
}

static bool are_alike(const struct kind *kind)
{
	return kind->nr_alike >= FEWEST_ALIKE && !kind->nr_other;
}

/* Of those that lie near it. */
static bool has_near(struct kind *kind)
{
	u64 start = kind->object->start;

	kind->nr_alike = kind->nr_other = 0;
	for (s64 i = -MOST_NEAR; i <= MOST_NEAR && kind->nr_letters; i++)
		if (has_same_words(kind, start + (u64)i * kind->size) && is_one_of_cache(kind, start + (u64)i * kind->size))
			count(kind, start + (u64)i * kind->size);
	return are_alike(kind);
}

/* Of those that stand in a variable of the module with it: slots of it are looked at on both sides. */
static bool has_in_table(struct kind *kind, u64 at, u64 words)
{
	u64 value, slot = 0, from, end;

	while (slot < words && (!vmem_number(kind->kernel->vmem, at + 8 * slot, 8, &value) || value != kind->object->start))
		slot++;
	kind->nr_alike = kind->nr_other = 0;
	if (slot == words)
		return false;
	from = slot < MOST_SLOTS / 2 ? 0 : slot - MOST_SLOTS / 2;
	end = from + MOST_SLOTS < words ? from + MOST_SLOTS : words;
	for (u64 i = from; i < end; i++)
		if (vmem_number(kind->kernel->vmem, at + 8 * i, 8, &value) && in_kernel_half(value) && is_one_of_cache(kind, value))
			count(kind, value);
	return are_alike(kind);
}

static bool has_in_tables(struct kind *kind, const struct kernel_module *module)
{
	char type;
	u64 at;

	for (u32 i = 0; module && i < MOST_SYMBOLS && kernel_modules_symbol(kind->kernel->modules, module, i, &at, &type, kind->table); i++)
		if (has_in_table(kind, at, list_entry_words(kind->kernel, module, at, type)))
			return true;
	*kind->table = '\0';
	return false;
}

/* Counts those that were taken at @site, by the trace. */
static void count_of_site(struct kind *kind, const struct explain *explain, u64 site)
{
	kind->nr_alike = kind->nr_other = 0;
	for (u32 i = 0; explain->history.taken && i < HISTORY_FREED; i++) {
		const struct history_taking *taken = &explain->history.taken[i];

		if (taken->object && taken->site == site && is_one_of_cache(kind, taken->object))
			count(kind, taken->object);
	}
}

/* Is the code at @site, or was it, of the module that died? What that needed only to start is gone. */
static bool is_of_dying_module(const struct explain *explain, u64 site)
{
	struct fault_text of = { 0 };
	char name[KERNEL_SYMBOL_MAX];

	if (!words_symbol(explain, site, name, sizeof(name)))
		return false;
	fault_text_take_module(&of, (struct report_text){ name, strlen(name) });
	return *of.module && !strcmp(of.module, explain->fault.module);
}

/*
 * Was it freed under the one that died, and given out for something else? By the trace another function had taken it before; that one is of
 * this module, or others that it took have a pointer there, and none of them has none.
 */
static bool claim_given_anew(struct explain *explain, const char *place, struct kind *kind, u64 pointer, const char *alike)
{
	const struct kernel_object *object = kind->object;
	const struct history_use *taken, *freed, *before;
	char freed_in[2 * WORDS_FUNCTION + 8], taken_in[2 * WORDS_FUNCTION + 8];
	u64 end = explain->pm->end.time, ms;

	if (!object_was_given_anew(explain, object->start, &taken, &freed, &before))
		return false;
	count_of_site(kind, explain, before->site);
	if (kind->nr_alike || (!kind->nr_other && !is_of_dying_module(explain, before->site)))
		return false;
	ms = end > freed->time ? (end - freed->time) / 1000000 : 0;
	words_site(freed_in, explain, freed->site, freed->time, freed->raw);
	words_site(taken_in, explain, taken->site, taken->time, taken->raw);
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s used %016llx as a pointer, out of %016llx of cache %.40s, freed under it: %.16s-%lld freed that%.60s %llu ms before the end, and %.16s-%lld took it%.60s, for another kind.",
		      place, pointer, object->start, object->cache, freed->comm, freed->pid, freed_in, ms, taken->comm, taken->pid, taken_in);
	finding_evidence_timeless(explain->finding, "%s, and these have no pointer there either", alike);
	finding_open(explain->finding, "Why it was used after that: who had its address still, and did not see or wait that it goes. Who has the memory now need not be wrong.");
	return true;
}

/* Which functions of the module may have freed it. */
static void open_frees(struct explain *explain, const struct kernel_module *module)
{
	static const char why[] = "Who freed it with a user left, or freed it twice; or who gave this function another one's object.";
	char first[WORDS_FUNCTION], second[WORDS_FUNCTION];
	struct named_functions frees;

	if (!module || !callers_freeing(&frees, explain->kernel, module) || !frees.nr || frees.nr > CALLERS_NAMED) {
		finding_open(explain->finding, "%s Who wrote what it has now need not be wrong.", why);
		return;
	}
	words_function(first, (struct report_text){ frees.names[0], strlen(frees.names[0]) });
	words_function(second, (struct report_text){ frees.names[frees.nr - 1], strlen(frees.names[frees.nr - 1]) });
	finding_open(explain->finding, "%s Of module %.40s %.60s()%s%.60s%s alone call%s kfree() or the like. Who wrote what it has now need not be wrong.", why, module->name,
		     first, frees.nr > 1 ? " and " : "", frees.nr > 1 ? second : "", frees.nr > 1 ? "()" : "", frees.nr > 1 ? "" : "s");
}

bool other_kind_claim(struct explain *explain, const char *place, const struct kernel_object *object, u64 at, const char *list)
{
	const struct kernel *kernel = explain->kernel;
	const struct kernel_module *module = list_entry_module(explain);
	struct kind kind = { .kernel = kernel, .object = object, .offset = at - object->start, .is_entry = *list };
	struct kernel_object front;
	char alike[160];
	u64 pointer;

	if (object->state != KOBJECT_IN_USE || !vmem_number(kernel->vmem, at, 8, &pointer) || !kernel_object_at(kernel, object->start - 1, &front))
		return false;
	kind.size = object->start - front.start;
	read_words(&kind);
	if (!strcmp(front.cache, object->cache) && front.start < object->start && has_near(&kind))
		snprintf(alike, sizeof(alike), "%u others near it begin with \"%.*s\" as well", kind.nr_alike, FEWEST_LETTERS, kind.words);
	else if (has_in_tables(&kind, module))
		snprintf(alike, sizeof(alike), "it stands in the module's variable %.60s with %u others", kind.table, kind.nr_alike);
	else
		return false;
	if (!*list && claim_given_anew(explain, place, &kind, pointer, alike))
		return true;
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s used %016llx as a pointer, out of the object %016llx of cache %.40s%s%.60s: %s, and these have no pointer there either. It is of another kind%s.",
		      place, pointer, object->start, object->cache, *list ? ", in the list " : "", list, alike, *list ? "" : ", or all were written over alike");
	open_frees(explain, module);
	return true;
}

bool other_kind_claim_read(struct explain *explain, const char *place)
{
	const struct faulting_access *access = &explain->access;
	u64 at = access->object + (u64)access->object_offset, value;

	if (!explain->kernel || !explain->finding->kind || (strcmp(explain->finding->kind, "wild-pointer") && strcmp(explain->finding->kind, "user-pointer")) ||
	    !access_is_traced(explain) || !access->has_object || !access->is_certain || !explain->has_slab || at - explain->slab.start >= explain->slab.size ||
	    !vmem_number(explain->kernel->vmem, at, 8, &value) || value != access->pointer_value)
		return false;
	return other_kind_claim(explain, place, &explain->slab, at, "");
}
