// SPDX-License-Identifier: GPL-2.0-or-later
#include <endian.h>
#include <string.h>

#include "branches.h"

int branches_read(const struct recording *recording, u64 i, struct epitaph_branches *list)
{
	const struct section *sec = generation_section(recording->generation, EPITAPH_SEC_BRANCHES);

	if (i >= section_entries(sec, sizeof(*list)))
		return -2;
	return section_entry(recording->generation, sec, i, list, sizeof(*list));
}

struct branch_ends branch_ends_of(const struct recording *recording, const struct epitaph_branches *list)
{
	return (struct branch_ends){
		.recording = recording,
		.list = list,
		.line = list->text,
		.end = list->text + strnlen(list->text, sizeof(list->text)),
	};
}

/* Its line, if there is one, else the symbol's name. */
static const char *branch_end_name(struct branch_ends *ends, u64 addr, size_t *len)
{
	const char *line = ends->line;
	const char *stop = line < ends->end ? memchr(line, '\n', ends->end - line) : NULL;

	if (stop) {
		ends->line = stop + 1;
		*len = stop - line;
		return line;
	}
	ends->line = ends->end;
	line = addr ? symbols_name(ends->recording->symbols, addr) : "(user)";
	*len = line ? strlen(line) : 0;
	return line;
}

bool branch_ends_next(struct branch_ends *ends)
{
	while (ends->next < le32toh(ends->list->nr) && ends->next < EPITAPH_NR_BRANCHES) {
		const struct epitaph_branch *branch = &ends->list->branch[ends->next++];

		/* Two zeros are none, whatever the text says. */
		if (!branch->from && !branch->to)
			continue;
		ends->branch = branch;
		ends->from = branch_end_name(ends, le64toh(branch->from), &ends->from_len);
		ends->to = branch_end_name(ends, le64toh(branch->to), &ends->to_len);
		return true;
	}
	return false;
}
