// SPDX-License-Identifier: GPL-2.0-or-later
#include "free_list.h"

#include <string.h>

#include "access_words.h"
#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"
#include "judge/words.h"

/*
 * The next one is read at a place that the cache says: no number of the code is added to it, as to the pointer of a cache that the
 * caller gave, of which a member is read.
 */
bool free_list_is_walked(const struct explain *explain)
{
	const struct instruction_access *memory = &explain->access.memory;
	static const char *const words[] = {
		"__kmem_cache_alloc", "kmem_cache_alloc", "___slab_alloc", "__slab_alloc", "slab_alloc", "__kmalloc",
		"kmalloc_trace", "get_freepointer", NULL,
	};
	char function[WORDS_FUNCTION];

	words_function(function, explain->cause->place);
	return plumbing_begins(function, words) && !(access_is_traced(explain) && memory->index < 0 && memory->offset);
}

static void add_freeing(struct finding *finding, const struct history_freeing *freeing)
{
	finding_evidence(finding, freeing->time, finding_event(freeing->cpu, "kmem:kfree"), "%s-%lld freed %016llx, on CPU %u",
			 freeing->comm, freeing->pid, freeing->object, freeing->cpu);
}

/* The name of the cache whose descriptor is at @value; "": none is. */
static void cache_at(char name[KERNEL_CACHE_NAME], const struct kernel *kernel, u64 value)
{
	struct kernel_object object;
	struct btf_member_place place;
	u64 text;

	*name = '\0';
	if (!kernel_object_at(kernel, value, &object) || object.start != value || strcmp(object.cache, "kmem_cache") ||
	    !kernel->ktypes || !kernel_btf_member(kernel->ktypes, "kmem_cache", "name", &place) ||
	    !vmem_number(kernel->vmem, value + place.offset, 8, &text) ||
	    vmem_string(kernel->vmem, text, name, KERNEL_CACHE_NAME) <= 0)
		*name = '\0';
}

/* Does the crash have to do with @value: has a register it, or the descriptor of its cache? */
static bool is_of_crash(const struct explain *explain, u64 value)
{
	const struct fault_text *fault = &explain->fault;
	const struct kernel *kernel = explain->kernel;
	struct kernel_object object = { 0 };
	bool is_known = kernel && kernel_object_at(kernel, value, &object) && object.start == value;
	char name[KERNEL_CACHE_NAME];

	for (u32 i = 0; i < fault->nr_registers; i++) {
		if (fault->registers[i].value == value)
			return true;
		if (is_known)
			cache_at(name, kernel, fault->registers[i].value);
		if (is_known && *name && !strcmp(name, object.cache))
			return true;
	}
	return false;
}

void free_list_claim(struct explain *explain)
{
	const struct history_freeing *first = &explain->history.first, *second = &explain->history.second;
	struct finding *finding = explain->finding;
	char function[WORDS_FUNCTION];
	bool is_recorded = second->object && explain->history.has_frees && explain->history.has_allocations &&
			   !pm_lost(explain->pm);

	words_function(function, explain->cause->place);
	if (!is_recorded || !is_of_crash(explain, second->object)) {
		finding_claim(finding, "wild-pointer", FINDING_LIKELY,
			      "The allocator's list of free objects is damaged: %s() followed a pointer of it to %016llx, where no memory is.",
			      function, explain->fault.address);
		finding_open(finding, "Who wrote to an object after it was freed, freed it twice, or freed it by a pointer that is not its start: not the one that allocates now. epitaph events '+kmem:*' records that.");
		if (is_recorded)
			finding_evidence(finding, second->time, finding_event(second->cpu, "kmem:kfree"),
					 "possible, if it is of that list: %s-%lld freed %016llx once more, with no recorded allocation between",
					 second->comm, second->pid, second->object);
		return;
	}
	if (first->pid == second->pid)
		finding_claim(finding, "wild-pointer", FINDING_LIKELY,
			      "The allocator's list of free objects is damaged, as %s() found; %s-%lld had freed %016llx twice, with no recorded allocation between.",
			      function, second->comm, second->pid, second->object);
	else
		finding_claim(finding, "wild-pointer", FINDING_LIKELY,
			      "The allocator's list of free objects is damaged, as %s() found; %s-%lld had freed %016llx, and then %s-%lld, with no recorded allocation between.",
			      function, first->comm, first->pid, second->object, second->comm, second->pid);
	finding_open(finding, "Whether the second time was the error, or the first. The one that allocates now is innocent.");
	add_freeing(finding, first);
	add_freeing(finding, second);
}
