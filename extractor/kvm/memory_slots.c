// SPDX-License-Identifier: GPL-2.0-or-later
#include "memory_slots.h"

#include <stdlib.h>

#include "base/byte_reader.h"

#define SLOTS_MAX	32768	/* as many as the kernel has of them, and one */
#define TREE_DEPTH	64	/* of a red-black tree with as many */
#define PAGE		4096

/* @most: slots that may be kept; @lost: those that are damaged, overlap others, or are too many */
struct slot_walk {
	const struct guest_layout *at;
	struct kvm_guest *guest;
	struct kvm_guests *all;
	u32 room;
	u32 most;
	u32 lost;
	bool failed;
};

static bool add_slot(struct slot_walk *w, const struct nested_slot *slot)
{
	struct kvm_guest *guest = w->guest;

	if (guest->nr_slots == w->room) {
		u32 room = w->room ? 2 * w->room : 32;
		void *p = reallocarray(guest->slots, room, sizeof(*guest->slots));

		if (!p) {
			w->failed = true;
			return false;
		}
		guest->slots = p;
		w->room = room;
	}
	guest->slots[guest->nr_slots++] = *slot;
	return true;
}

/* Return: false: there is no room for more. */
static bool take_slot(struct slot_walk *w, u64 va)
{
	u64 gfn, npages, user, past;
	struct nested_slot slot;

	if (w->all->slots_visited == KVM_SLOT_VISITS) {
		w->lost++;
		return false;
	}
	w->all->slots_visited++;
	if (!guest_layout_number(w->at, &w->at->gfn, va, &gfn) ||
	    !guest_layout_number(w->at, &w->at->npages, va, &npages) ||
	    !guest_layout_number(w->at, &w->at->user, va, &user) || !mul_fits(gfn, PAGE, &slot.paddr) ||
	    !mul_fits(npages, PAGE, &slot.size) || !add_fits(slot.paddr, slot.size, &past) || user % PAGE ||
	    !add_fits(user, slot.size, &past)) {
		w->lost++;
		return true;
	}
	slot.host = user;
	if (slot.size && w->guest->nr_slots == w->most) {
		w->lost++;
		return false;
	}
	return !slot.size || add_slot(w, &slot);
}

/* --- the tree of slots ----------------------------------------------------- */

/* In any order; @seen bounds a tree that leads back into itself. */
static void walk_slot_tree(struct slot_walk *w, u64 root, u32 which)
{
	const struct guest_layout *at = w->at;
	u64 stack[2 * TREE_DEPTH], node, next;
	u32 node_at = at->node.offset + which * (at->node.size / at->node.nr);
	u32 nr = 0, seen = 0;

	stack[nr++] = root;
	while (nr && !w->failed) {
		node = stack[--nr];
		if (!node)
			continue;
		if (seen++ == SLOTS_MAX || nr + 2 > ARRAY_SIZE(stack)) {
			w->lost++;
			return;
		}
		if (!take_slot(w, node - node_at))
			return;
		if (guest_layout_number(at, &at->left, node, &next))
			stack[nr++] = next;
		else
			w->lost++;
		if (guest_layout_number(at, &at->right, node, &next))
			stack[nr++] = next;
	}
}

static void walk_slot_array(struct slot_walk *w, u64 slots, u64 nr)
{
	for (u64 i = 0; i < nr && !w->failed; i++)
		if (!take_slot(w, slots + w->at->array.offset + i * w->at->slot_size))
			return;
}

/* The first address space; the other one is that of the system management mode. */
static bool walk_slots(struct slot_walk *w)
{
	const struct guest_layout *at = w->at;
	struct vmem *vmem = at->kernel->vmem;
	u64 slots, root, which, nr;

	if (!vmem_u64(vmem, w->guest->va + at->memslots.offset, &slots))
		return false;
	if (guest_layout_number(at, &at->tree, slots, &root)) {
		if (!guest_layout_number(at, &at->index, slots, &which) || which >= at->node.nr)
			return false;
		walk_slot_tree(w, root, which);
		return true;
	}
	if (!guest_layout_number(at, &at->used, slots, &nr) || nr >= SLOTS_MAX)
		return false;
	walk_slot_array(w, slots, nr);
	return true;
}

/* --- order ----------------------------------------------------------------- */

static int slot_cmp(const void *a, const void *b)
{
	const struct nested_slot *x = a, *y = b;

	return x->paddr < y->paddr ? -1 : x->paddr > y->paddr;
}

static void order_slots(struct slot_walk *w)
{
	struct kvm_guest *guest = w->guest;
	u64 end = 0;
	u32 n = 0;

	if (guest->nr_slots)
		qsort(guest->slots, guest->nr_slots, sizeof(*guest->slots), slot_cmp);
	for (u32 i = 0; i < guest->nr_slots; i++) {
		const struct nested_slot slot = guest->slots[i];

		if (slot.paddr < end) {
			w->lost++;
			continue;
		}
		end = slot.paddr + slot.size;
		guest->size += slot.size;
		guest->slots[n++] = slot;
	}
	guest->nr_slots = n;
}

int memory_slots_read(const struct guest_layout *at, struct kvm_guest *guest, struct kvm_guests *all,
		      struct err *err)
{
	struct slot_walk w = { .at = at, .guest = guest, .all = all, .most = KVM_SLOTS_MAX - all->nr_slots };

	if (!walk_slots(&w))
		damage_notes_add(&guest->notes, NOTE_NOWHERE, "the memory slots of the guest of process %lld cannot be read: %s",
				 guest->pid, vmem_why(at->kernel->vmem));
	if (w.failed)
		return err_sys(err, "memory for the slots of a guest");
	all->nr_slots += guest->nr_slots;
	order_slots(&w);
	if (w.lost)
		damage_notes_add(&guest->notes, NOTE_NOWHERE, "%u memory slot%s of the guest of process %lld cannot be read, or overlap others",
				 w.lost, w.lost == 1 ? "" : "s", guest->pid);
	return 0;
}
