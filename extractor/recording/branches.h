/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last branches of each CPU in the region. docs/last-branches.md */
#ifndef EPITAPH_RECORDING_BRANCHES_H
#define EPITAPH_RECORDING_BRANCHES_H

#include <stddef.h>

#include "recording.h"

/* The list that is entry @i: as section_entry(). -2 as well: there is no such section. */
int branches_read(const struct recording *recording, u64 i, struct epitaph_branches *list);

/**
 * struct branch_ends - a walk along a list, the newest branch first
 * @branch: the one that branch_ends_next() gave
 * @from, @to: its ends by name, not NUL-terminated; NULL: an end has none
 */
struct branch_ends {
	const struct epitaph_branch *branch;
	const char *from, *to;
	size_t from_len, to_len;
	const struct recording *recording;	/* the rest is its own */
	const struct epitaph_branches *list;
	const char *line, *end;
	u32 next;
};

struct branch_ends branch_ends_of(const struct recording *recording, const struct epitaph_branches *list);
bool branch_ends_next(struct branch_ends *ends);

#endif
