// SPDX-License-Identifier: GPL-2.0-or-later
#include "free_link.h"

#include "access_words.h"

bool free_link_claim(struct explain *explain, const char *place)
{
	const struct faulting_access *access = &explain->access;
	struct finding *finding = explain->finding;
	struct kernel_object object;
	u64 value = access->is_call ? explain->fault.address : access->pointer_value;

	if ((!access->is_call && !access_is_traced(explain)) || access->memory.index >= 0 || !object_has_link(explain, value, &object))
		return false;
	finding_claim(finding, "wild-pointer", FINDING_LIKELY,
		      "%.140s %s a pointer %016llx out of %016llx, an object of cache %.40s: it is the allocator's link from that object, when it was free, to the next free one.",
		      place, access->is_call ? "called a function by" : "used", value, object.start, object.cache);
	if (object.state == KOBJECT_FREE)
		finding_open(finding, "Why it was used after it was freed: who else had the object's address. It is free now.");
	else
		finding_open(finding, "Whether the object was freed with a user left, and is another one's by now; or it was taken by kmalloc(), and this pointer never set.");
	return true;
}
