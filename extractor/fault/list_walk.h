/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function that goes through a list of struct list_head, or a chain that ends with NULL: by its code, where it is, and where it would end. */
#ifndef EPITAPH_FAULT_LIST_WALK_H
#define EPITAPH_FAULT_LIST_WALK_H

#include "kernel_state/unwind.h"

/**
 * struct list_walk - a walk that does not come to its end
 * @function: that goes through it, as a frame has it
 * @entry: at which it is
 * @other: of these entries the one that is a variable of a module, or in the object of @head: the head of the list that they are in; 0: none is seen
 * @head: at which it would end; it heads a list, perhaps an empty one
 * @nr: steps from @entry back to that, on which the head is not
 * @is_chain: it would end at NULL, and each element leads to the next by the pointer @next_at behind its start; there is no head
 */
struct list_walk {
	char function[KERNEL_SYMBOL_MAX];
	u64 entry;
	u64 head;
	u64 other;
	u32 nr;
	bool is_chain;
	s64 next_at;
};

/**
 * list_walk_find() - of a task that ran, the first function of a module on its stack that goes round so
 *
 * A loop reads the next entry into a register that calls keep, and compares it with another such register, or with 0: then it is the
 * loop in which the function is. The registers have their values by frame_register().
 *
 * Return: false: none does, or it is not seen.
 */
bool list_walk_find(struct list_walk *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack);

#endif
