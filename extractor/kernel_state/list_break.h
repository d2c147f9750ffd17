/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of a dumped kernel that leads into memory which is none of its entries any more. */
#ifndef EPITAPH_KERNEL_STATE_LIST_BREAK_H
#define EPITAPH_KERNEL_STATE_LIST_BREAK_H

#include "linux_kernel/linux_kernel.h"

/**
 * struct list_break - where the list leads to an entry whose link back does not agree
 * @head: of the list
 * @entry: the link in the object that is asked for
 * @back: its link back
 */
struct list_break {
	u64 head;
	u64 entry;
	u64 back;
};

/**
 * list_break_find() - does a list that begins at @head lead into an object, and does the link back there lead elsewhere?
 * @ret: set only with true
 * @start, @size: of the object
 * @left: entries that may be walked yet; counts down
 *
 * A list is that of struct list_head or hlist_head: another link of it must agree, so a mere pointer to the object is none.
 */
bool list_break_find(struct list_break *ret, struct vmem *vmem, u64 head, u64 start, u64 size, u32 *left);

/**
 * list_wild_find() - does a list that begins at @head lead to an entry whose next one is no address, but near @value?
 * @ret: set only with true; @entry is that one
 * @left: entries that may be walked yet; counts down
 *
 * Near: an entry lies so far within what it belongs to. All links up to the entry agree.
 */
bool list_wild_find(struct list_break *ret, struct vmem *vmem, u64 head, u64 value, u32 *left);

/*
 * list_break_find() of a red-black tree whose root is at @head: @back is what the node has for its parent. The root must be one, and another
 * node lead back to its parent.
 */
bool tree_break_find(struct list_break *ret, struct vmem *vmem, u64 head, u64 start, u64 size, u32 *left);

#endif
