// SPDX-License-Identifier: GPL-2.0-or-later
#include "xarray.h"

#define SLOTS_MAX	64
#define IS_NODE(entry)	(((entry) & 3) == 2 && (entry) > 4096)
#define IS_POINTER(entry) ((entry) && !((entry) & 3))

/* @budget: nodes that may be read */
struct xarray_walk {
	const struct kernel *kernel;
	struct btf_member_place shift, slots;
	u32 *budget;
	bool (*found)(u64 pointer, void *priv);
	void *priv;
	bool is_over;
};

/* @below: each level has a lower shift than the one above. */
static void walk_xarray_node(struct xarray_walk *w, u64 node, u64 below)
{
	u64 shift, entry;

	if (!*w->budget)
		return;
	(*w->budget)--;
	if (!vmem_number(w->kernel->vmem, node + w->shift.offset, w->shift.size, &shift) || shift >= below)
		return;
	for (u32 i = 0; i < w->slots.nr && !w->is_over; i++) {
		if (!vmem_u64(w->kernel->vmem, node + w->slots.offset + 8 * i, &entry))
			continue;
		if (IS_NODE(entry) && shift)
			walk_xarray_node(w, entry - 2, shift);
		else if (IS_POINTER(entry) && !shift)
			w->is_over = !w->found(entry, w->priv);
	}
}

bool kernel_xarray_each(const struct kernel *kernel, u64 head, u32 *budget,
			bool (*found)(u64 pointer, void *priv), void *priv)
{
	struct xarray_walk w = { .kernel = kernel, .budget = budget, .found = found, .priv = priv };

	if (!kernel_btf_member(kernel->ktypes, "xa_node", "shift", &w.shift) ||
	    !kernel_btf_member(kernel->ktypes, "xa_node", "slots", &w.slots) ||
	    !w.slots.nr || w.slots.nr > SLOTS_MAX || w.slots.size != 8 * w.slots.nr)
		return false;
	if (IS_NODE(head))
		walk_xarray_node(&w, head - 2, 64);
	else if (IS_POINTER(head))
		found(head, priv);
	return true;
}
