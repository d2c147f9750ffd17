// SPDX-License-Identifier: GPL-2.0-or-later
#include "free_link.h"

#include <stdlib.h>

#include "access_words.h"
#include "fault/calls.h"
#include "judge/words.h"

#define NEAR	4096	/* of a member, before its object: the code takes that off */

static const char *const frees[] = { "kfree", "kvfree", "kfree_sensitive", "kmem_cache_free", NULL };

/* Does the function that died call kfree() or the like by itself? */
static bool frees_itself(const struct explain *explain)
{
	struct function_code *code = malloc(sizeof(*code));
	bool is = code && explain->kernel && function_code_read(code, explain->kernel, explain->death, explain->cause) && code->start &&
		  calls_one_of(code, frees);

	free(code);
	return is;
}

/* The pointer, or a register that it was made from by taking off where a member begins, is such a link. */
static bool find_link(const struct explain *explain, u64 value, u64 *link, struct kernel_object *object)
{
	*link = value;
	if (object_has_link(explain, value, object))
		return true;
	if (!explain->kernel || explain->access.is_call || explain->access.has_object)
		return false;
	if (kernel_object_of_link(explain->kernel, value, object))
		return true;
	for (u32 i = 0; i < explain->fault.nr_registers; i++) {
		u64 other = explain->fault.registers[i].value;

		if (other == value || other - value >= NEAR || !kernel_object_of_link(explain->kernel, other, object))
			continue;
		*link = other;
		return true;
	}
	return false;
}

bool free_link_claim(struct explain *explain, const char *place)
{
	const struct faulting_access *access = &explain->access;
	struct finding *finding = explain->finding;
	struct kernel_object object;
	u64 value = access->is_call ? explain->fault.address : access->pointer_value, link;
	char function[WORDS_FUNCTION];

	if ((!access->is_call && !access_is_traced(explain)) || access->memory.index >= 0 || !find_link(explain, value, &link, &object))
		return false;
	words_function(function, explain->cause->place);
	finding_claim(finding, "wild-pointer", FINDING_LIKELY,
		      "%.140s %s a pointer %016llx out of %016llx, an object of cache %.40s: it is the allocator's link from that object, when it was free, to the next free one.",
		      place, access->is_call ? "called a function by" : "used", link, object.start, object.cache);
	if (!access->has_object && !access->is_call && frees_itself(explain))
		finding_open(finding, "Perhaps %s() freed it itself, and read the next entry of a list out of it then: list_for_each_entry_safe() reads that before. Or another user freed it.",
			     function);
	else if (object.state == KOBJECT_FREE)
		finding_open(finding, "Why it was used after it was freed: who else had the object's address. It is free now.");
	else
		finding_open(finding, "Whether the object was freed with a user left, and is another one's by now; or it was taken by kmalloc(), and this pointer never set.");
	return true;
}
