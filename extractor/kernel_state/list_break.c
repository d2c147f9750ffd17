// SPDX-License-Identifier: GPL-2.0-or-later
#include "list_break.h"

#include "linux_kernel/vmem.h"

#define HIGH	(~0ULL << 47)

/* Does the head's link back lead to a last entry that leads to the head? One in the object says nothing. */
static bool has_last(struct vmem *vmem, u64 head, u64 start, u64 size)
{
	u64 last, next;

	return vmem_u64(vmem, head + 8, &last) && last >= HIGH && last != head && last - start >= size && vmem_u64(vmem, last, &next) && next == head;
}

bool list_break_find(struct list_break *ret, struct vmem *vmem, u64 head, u64 start, u64 size, u32 *left)
{
	u64 node, before = head, back;
	bool agrees = false;

	if (!vmem_u64(vmem, head, &node) || node % 8)
		return false;
	for (; node >= HIGH && node != head && *left; --*left) {
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
