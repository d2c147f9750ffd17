// SPDX-License-Identifier: GPL-2.0-or-later
#include "vmalloc_areas.h"

#include <stdlib.h>

#include "linux_kernel/btf.h"
#include "linux_kernel/kallsyms.h"
#include "linux_kernel/vmem.h"
#include "tasks.h"

#define MOST_AREAS	(1U << 20)
#define MOST_USERS	1024

/**
 * struct area_walk - along the kernel's list of areas, in the order of their addresses
 * @head: the list's
 * @at: the node that is next
 */
struct area_walk {
	const struct kernel *kernel;
	u64 head;
	u64 at;
	u32 list;
	u32 nr;
	bool is_broken;
};

static bool begin_areas(struct area_walk *walk, const struct kernel *kernel)
{
	struct btf_member_place list;

	*walk = (struct area_walk){ .kernel = kernel };
	if (!kernel->kallsyms || !kernel->ktypes || !kallsyms_address(kernel->kallsyms, "vmap_area_list", &walk->head) ||
	    !kernel_btf_member(kernel->ktypes, "vmap_area", "list", &list) || !vmem_number(kernel->vmem, walk->head, 8, &walk->at))
		return false;
	walk->list = list.offset;
	return true;
}

/* False: there are no more, or @is_broken. An area without a vm_struct has neither pages nor a caller. */
static bool next_area(struct area_walk *walk, struct vmalloc_area *area)
{
	const struct kernel *kernel = walk->kernel;
	u64 va = walk->at - walk->list, vm;

	if (walk->at == walk->head)
		return false;
	*area = (struct vmalloc_area){ 0 };
	walk->is_broken = walk->nr++ >= MOST_AREAS || !kernel_state_member(kernel, "vmap_area", "va_start", va, &area->start) ||
			  !kernel_state_member(kernel, "vmap_area", "va_end", va, &area->end) ||
			  !kernel_state_member(kernel, "vmap_area", "vm", va, &vm) || !vmem_number(kernel->vmem, walk->at, 8, &walk->at);
	if (walk->is_broken)
		return false;
	if (!vm)
		return true;
	walk->is_broken = !kernel_state_member(kernel, "vm_struct", "caller", vm, &area->caller) ||
			  !kernel_state_member(kernel, "vm_struct", "nr_pages", vm, &area->pages);
	return !walk->is_broken;
}

static struct vmalloc_user *find_user(struct vmalloc_user *users, u32 *nr, u64 caller)
{
	for (u32 i = 0; i < *nr; i++)
		if (users[i].caller == caller)
			return &users[i];
	if (*nr == MOST_USERS)
		return NULL;
	users[*nr] = (struct vmalloc_user){ .caller = caller };
	return &users[(*nr)++];
}

bool vmalloc_largest_user(const struct kernel *kernel, struct vmalloc_user *largest, u64 *all)
{
	struct vmalloc_user *users = malloc(MOST_USERS * sizeof(*users)), *user = NULL;
	struct vmalloc_area area;
	struct area_walk walk;
	u32 nr = 0;

	*largest = (struct vmalloc_user){ 0 };
	*all = 0;
	if (users && begin_areas(&walk, kernel)) {
		while (next_area(&walk, &area)) {
			if (!area.pages)
				continue;
			user = find_user(users, &nr, area.caller);
			if (!user || area.pages > 1ULL << 40)
				break;
			user->nr++;
			user->pages += area.pages;
			*all += area.pages;
			if (user->pages > largest->pages)
				*largest = *user;
		}
		if (walk.is_broken || walk.at != walk.head)
			user = NULL;
	}
	free(users);
	return user;
}

bool vmalloc_area_at(const struct kernel *kernel, u64 va, struct vmalloc_area *ret)
{
	struct area_walk walk;

	if (!begin_areas(&walk, kernel))
		return false;
	while (next_area(&walk, ret))
		if (va - ret->start < ret->end - ret->start)
			return true;
	return false;
}
