/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a function of a dump completes: the calls of complete() and complete_all() in its code. */
#ifndef EPITAPH_FAULT_COMPLETIONS_H
#define EPITAPH_FAULT_COMPLETIONS_H

#include "function_code.h"

/**
 * struct completions - what a function completes
 * @nr: calls of complete() and complete_all()
 * @nr_it: of these, of the completion that was asked for
 * @nr_unknown: of these, of what is not seen
 * @nr_given: of these, of what the function was given
 */
struct completions {
	u32 nr;
	u32 nr_it;
	u32 nr_unknown;
	u32 nr_given;
};

/**
 * completions_read() - look at the function that begins at @start
 * @object: that it was given, as a timer or a work item; 0: not known
 * @lock: the completion that is asked for
 *
 * Return: false: its code is not there.
 */
bool completions_read(struct completions *ret, const struct kernel *kernel, u64 start, u64 object, u64 lock);

/* Does it complete anything, itself? */
bool completions_names(const struct function_code *code);

#endif
