// SPDX-License-Identifier: GPL-2.0-or-later
#include "vmalloc_areas.h"

#include <stdlib.h>

#include "linux_kernel/btf.h"
#include "linux_kernel/kallsyms.h"
#include "linux_kernel/vmem.h"
#include "tasks.h"

#define MOST_AREAS	(1U << 20)
#define MOST_NODES	1024	/* the kernel has 128 at most */
#define MOST_USERS	1024

/**
 * struct area_walk - along the kernel's lists of areas, each in the order of their addresses
 * @head: of the list
 * @at: the node that is next
 * @list: where a node is in its area
 * @step: bytes from one head to the next
 * @left: lists behind this one
 */
struct area_walk {
	const struct kernel *kernel;
	u64 head;
	u64 at;
	u32 list;
	u32 step;
	u64 left;
	u32 nr;
	bool is_broken;
};

/* Since 6.9 areas are spread over nodes, a list each: mm/vmalloc.c, struct vmap_node. */
static bool find_nodes(struct area_walk *walk, const struct kernel *kernel)
{
	struct btf_member_place busy, head;
	u64 at, nodes, nr;

	if (!kallsyms_address(kernel->kallsyms, "vmap_nodes", &at) || !vmem_number(kernel->vmem, at, 8, &nodes) ||
	    !kallsyms_address(kernel->kallsyms, "nr_vmap_nodes", &at) || !vmem_number(kernel->vmem, at, 4, &nr) || !nr || nr > MOST_NODES ||
	    !kernel_btf_member(kernel->ktypes, "vmap_node", "busy", &busy) || !kernel_btf_member(kernel->ktypes, "rb_list", "head", &head) ||
	    !kernel_btf_size(kernel->ktypes, "vmap_node", &walk->step))
		return false;
	walk->head = nodes + busy.offset + head.offset;
	walk->left = nr - 1;
	return true;
}

static bool begin_areas(struct area_walk *walk, const struct kernel *kernel)
{
	struct btf_member_place list;

	*walk = (struct area_walk){ .kernel = kernel };
	if (!kernel->kallsyms || !kernel->ktypes ||
	    (!kallsyms_address(kernel->kallsyms, "vmap_area_list", &walk->head) && !find_nodes(walk, kernel)) ||
	    !kernel_btf_member(kernel->ktypes, "vmap_area", "list", &list) || !vmem_number(kernel->vmem, walk->head, 8, &walk->at))
		return false;
	walk->list = list.offset;
	return true;
}

/* To the list that has the next area. False: there is none, or @is_broken. */
static bool reach_area(struct area_walk *walk)
{
	while (walk->at == walk->head && walk->left && !walk->is_broken) {
		walk->left--;
		walk->head += walk->step;
		walk->is_broken = !vmem_number(walk->kernel->vmem, walk->head, 8, &walk->at);
	}
	return walk->at != walk->head && !walk->is_broken;
}

/* False: there are no more, or @is_broken. An area without a vm_struct has neither pages nor a caller. */
static bool next_area(struct area_walk *walk, struct vmalloc_area *area)
{
	const struct kernel *kernel = walk->kernel;
	u64 va, vm;

	if (!reach_area(walk))
		return false;
	va = walk->at - walk->list;
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
		if (walk.is_broken || walk.left || walk.at != walk.head)
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
