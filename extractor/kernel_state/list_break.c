// SPDX-License-Identifier: GPL-2.0-or-later
#include "list_break.h"

#include "base/kernel_half.h"
#include "linux_kernel/vmem.h"


/* Does the head's link back lead to a last entry that leads to the head? One in the object says nothing. */
static bool has_last(struct vmem *vmem, u64 head, u64 start, u64 size)
{
	u64 last, next;

	return vmem_u64(vmem, head + 8, &last) && in_kernel_half(last) && last != head && last - start >= size && vmem_u64(vmem, last, &next) && next == head;
}

bool list_break_find(struct list_break *ret, struct vmem *vmem, u64 head, u64 start, u64 size, u32 *left)
{
	u64 node, before = head, back;
	bool agrees = false;

	if (!vmem_u64(vmem, head, &node) || node % 8)
		return false;
	for (; in_kernel_half(node) && node != head && *left; --*left) {
		if (!vmem_u64(vmem, node + 8, &back))
			return false;
		if (node - start < size) {
			*ret = (struct list_break){ head, node, back };
			return back != before && (agrees || has_last(vmem, head, start, size));
		}
		if (back != before)
			return false;
		agrees = true;
		before = node;
		if (!vmem_u64(vmem, node, &node))
			return false;
	}
	return false;
}

#define MOST_WITHIN	4096	/* bytes from the start of what an entry belongs to */

static bool is_wild_near(u64 next, u64 value)
{
	return !in_kernel_half(next) && next >> 32 && next - value + MOST_WITHIN <= 2 * MOST_WITHIN;
}

bool list_wild_find(struct list_break *ret, struct vmem *vmem, u64 head, u64 value, u32 *left)
{
	u64 node, before = head, back, next;
	bool agrees = false;

	if (!vmem_u64(vmem, head, &node))
		return false;
	for (; in_kernel_half(node) && node % 8 == 0 && node != head && *left; --*left) {
		if (!vmem_u64(vmem, node, &next) || !vmem_u64(vmem, node + 8, &back))
			return false;
		if (is_wild_near(next, value)) {
			*ret = (struct list_break){ head, node, back };
			return agrees || has_last(vmem, head, node, 16);
		}
		if (back != before)
			return false;
		agrees = true;
		before = node;
		node = next;
	}
	return false;
}

#define COLOURS	3ULL	/* of the parent's word: include/linux/rbtree.h */
#define DEEPEST	128	/* nodes that wait to be looked at */

/* A node and what leads to it. */
struct tree_step {
	u64 node, parent;
};

bool tree_break_find(struct list_break *ret, struct vmem *vmem, u64 head, u64 start, u64 size, u32 *left)
{
	struct tree_step stack[DEEPEST];
	u32 nr = 0;
	bool agrees = false, is_broken = false;
	u64 root, child, up;

	/* The root has no parent, and is black. */
	if (!vmem_u64(vmem, head, &root) || !in_kernel_half(root) || root % 8 || root - start < size || !vmem_u64(vmem, root, &up) || up != 1)
		return false;
	stack[nr++] = (struct tree_step){ root, 0 };
	for (; nr && *left; --*left) {
		struct tree_step step = stack[--nr];

		if (!vmem_u64(vmem, step.node, &up))
			return false;
		if (step.node - start < size) {
			*ret = (struct list_break){ head, step.node, up };
			is_broken = (up & ~COLOURS) != step.parent;
			if (!is_broken || agrees)
				return is_broken;
			continue;
		}
		if ((up & ~COLOURS) != step.parent)
			return false;
		agrees |= step.parent;
		if (is_broken && agrees)
			return true;
		for (u64 at = 8; at <= 16; at += 8) {
			if (!vmem_u64(vmem, step.node + at, &child))
				return false;
			if (in_kernel_half(child) && nr < DEEPEST)
				stack[nr++] = (struct tree_step){ child, step.node };
			else if (child)
				return false;
		}
	}
	return false;
}
