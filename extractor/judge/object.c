// SPDX-License-Identifier: GPL-2.0-or-later
/* The object that a bad pointer was read from: what it is, and whether it was freed before. */
#include <stdio.h>
#include <string.h>

#include "words.h"

void object_ask(struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	struct kernel_object front;

	if (!access->has_object)
		return;
	if (explain->kernel)
		explain->has_slab = kernel_object_at(explain->kernel, access->object, &explain->slab);
	history_ask_value(&explain->history, explain->has_slab ? explain->slab.start : access->object);
	/* What is written past the end of the one in front is in this one. */
	if (explain->has_slab && kernel_object_at(explain->kernel, explain->slab.start - 1, &front) &&
	    !strcmp(front.cache, explain->slab.cache)) {
		explain->front = front.start;
		history_ask_value(&explain->history, front.start);
	}
}

static u64 start_of_object(const struct explain *explain)
{
	return explain->has_slab ? explain->slab.start : explain->access.object;
}

static bool is_event_of_free(const char *event)
{
	return !strcmp(event, "kmem:kfree") || !strcmp(event, "kmem:kmem_cache_free");
}

static bool is_event_of_alloc(const char *event)
{
	return !strncmp(event, "kmem:kmalloc", 12) || !strncmp(event, "kmem:kmem_cache_alloc", 21);
}

/* The last event that gave it or took it back, if it took it back; NULL: not so. */
static const struct history_use *last_free(const struct explain *explain)
{
	const struct history_value *value = history_value(&explain->history, start_of_object(explain));

	for (u32 i = 0; value && i < HISTORY_USES && i < value->nr; i++) {
		if (is_event_of_alloc(value->last[i].event))
			return NULL;
		if (is_event_of_free(value->last[i].event))
			return &value->last[i];
	}
	return NULL;
}

/* What was taken again is free by a trace that does not have that. */
static bool has_all_takings(const struct explain *explain, const struct history_use *freed)
{
	const struct history_value *value = history_value(&explain->history, start_of_object(explain));
	bool has = explain->history.has_allocations && !strcmp(freed->event, "kmem:kfree");

	for (u32 i = 0; value && i < HISTORY_USES && i < value->nr; i++)
		has |= is_event_of_alloc(value->last[i].event);
	return has && !pm_lost(explain->pm);
}

bool object_is_freed(const struct explain *explain, char when[80])
{
	const struct history_use *use = pm_lost(explain->pm) ? NULL : last_free(explain);
	u64 end = explain->pm->end.time, us;

	*when = '\0';
	if (!explain->access.has_object || !explain->access.is_certain)
		return false;
	/* The allocator's own lists decide, where they can be read. */
	if (explain->has_slab && explain->slab.state != KOBJECT_UNKNOWN ? explain->slab.state == KOBJECT_IN_USE : !use || !has_all_takings(explain, use))
		return false;
	us = use && end > use->time ? (end - use->time) / 1000 : 0;
	/* A callback of RCU, or a timer, that comes into a task frees for others. */
	if (use)
		snprintf(when, 80, " %llu.%03llu ms before the end, while %s-%lld ran", us / 1000, us % 1000, use->comm, use->pid);
	return true;
}

/* Which object's pointer it was is known, or is perhaps that of a register. */
bool object_has_link(const struct explain *explain, u64 value, struct kernel_object *ret)
{
	const struct faulting_access *access = &explain->access;
	const struct kernel *kernel = explain->kernel;

	if (!kernel)
		return false;
	if (access->has_object)
		return access->is_certain && kernel_object_has_link(kernel, access->object, value, ret);
	for (u32 i = 0; i < explain->fault.nr_registers; i++)
		if (kernel_object_has_link(kernel, explain->fault.registers[i].value, value, ret))
			return true;
	return false;
}

/* By its last two events. */
static bool has_changed_hands(const struct history_value *value, s64 died)
{
	return value && value->nr >= 2 && is_event_of_alloc(value->last[0].event) && is_event_of_free(value->last[1].event) &&
	       value->last[0].pid != died && value->last[1].pid != died;
}

/* The object; where it is not known which, the only one of the registers' that changed hands. */
static const struct history_value *find_changed(const struct explain *explain, s64 died)
{
	const struct history_value *found = history_value(&explain->history, start_of_object(explain));

	if (explain->access.has_object)
		return has_changed_hands(found, died) ? found : NULL;
	found = NULL;
	for (u32 i = 0; i < explain->history.nr_values; i++) {
		const struct history_value *value = &explain->history.values[i];

		if (!has_changed_hands(value, died))
			continue;
		if (found)
			return NULL;
		found = value;
	}
	return found;
}

bool object_changed_hands(const struct explain *explain, char text[OBJECT_HANDS])
{
	u64 end = explain->pm->end.time, ns;
	s64 died = explain->pm->end.pid;
	const struct history_value *value = (explain->access.agrees || explain->access.is_call) && died > 0 ? find_changed(explain, died) : NULL;
	const struct history_use *taken, *freed;
	char which[24] = "", freed_in[2 * WORDS_FUNCTION + 8], taken_in[2 * WORDS_FUNCTION + 8];

	if (!value)
		return false;
	if (!explain->access.has_object)
		snprintf(which, sizeof(which), " %016llx", value->value);
	taken = &value->last[0];
	freed = &value->last[1];
	ns = end > taken->time ? end - taken->time : 0;
	words_site(freed_in, explain, freed->site, freed->time, freed->raw);
	words_site(taken_in, explain, taken->site, taken->time, taken->raw);
	snprintf(text, OBJECT_HANDS, "%.16s-%lld freed the object%s%.60s, %.16s-%lld took it%.60s %llu.%03llu s before the end, and %.16s-%lld used it still",
		 freed->comm, freed->pid, which, freed_in, taken->comm, taken->pid, taken_in, ns / 1000000000, ns / 1000000 % 1000, explain->pm->end.comm, died);
	return true;
}

bool object_was_given_anew(const struct explain *explain, u64 start, const struct history_use **taken, const struct history_use **freed,
			   const struct history_use **before)
{
	const struct history_value *value = pm_lost(explain->pm) ? NULL : history_value(&explain->history, start);

	if (!has_changed_hands(value, explain->pm->end.pid) || value->nr < 3 || !is_event_of_alloc(value->last[2].event) ||
	    value->last[0].site == value->last[2].site)
		return false;
	*taken = &value->last[0];
	*freed = &value->last[1];
	*before = &value->last[2];
	return true;
}

static void add_uses(struct explain *explain)
{
	const struct history_value *value = history_value(&explain->history, start_of_object(explain));
	char site[2 * WORDS_FUNCTION + 8];

	for (u32 i = 0; value && i < HISTORY_USES && i < value->nr; i++) {
		const struct history_use *use = &value->last[i];

		words_site(site, explain, use->site, use->time, use->raw);
		finding_evidence(explain->finding, use->time, finding_event(use->cpu, use->event),
				 "%s %s=%016llx, by %s-%lld%s on CPU %u", use->event, use->field, value->value,
				 use->comm, use->pid, site, use->cpu);
	}
}

static void add_slab(struct explain *explain)
{
	static const char *const words[] = {
		[KOBJECT_UNKNOWN] = "whether it is free is not known: a list of the allocator is damaged, not in the dump, or not understood",
		[KOBJECT_IN_USE] = "it is in use now, perhaps of another owner: on no list of free objects that was looked at",
		[KOBJECT_FREE] = "it is free: on a list of free objects",
	};
	const struct kernel_object *slab = &explain->slab;

	finding_evidence_timeless(explain->finding, "the object at %016llx is of cache %s, %u bytes; %s", slab->start,
				  slab->cache, slab->size, words[slab->state]);
}

void object_add(struct explain *explain)
{
	if (!explain->access.has_object || (!explain->access.agrees && !explain->access.is_call))
		return;
	if (explain->has_slab)
		add_slab(explain);
	add_uses(explain);
}
