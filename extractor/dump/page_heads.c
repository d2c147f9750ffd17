// SPDX-License-Identifier: GPL-2.0-or-later
#include "page_heads.h"

#include <stdlib.h>

#include "os/progress.h"
#include "dump_impl.h"
#include "page_magic.h"

/* Nothing begins in the last page there is; so what is behind a page is an address. */
#define LAST	(~0ULL - 2 * DUMP_PAGE + 1)

/* More are met in files that somebody made for it: then the rest is looked at each time. */
#define HEADS_MAX	4096

struct head_page {
	u64 paddr;
	unsigned int heads;
};

/* @known: all pages before are looked at, and those that count are in @list */
struct heads {
	u64 known;
	size_t nr;
	struct head_page list[HEADS_MAX];
};

static unsigned int heads_of(const u8 first[8])
{
	return (page_magic_is_region(first) ? HEAD_REGION : 0) |
	       (page_magic_is_vmcoreinfo(first) ? HEAD_VMCOREINFO : 0) |
	       (page_magic_is_ftrace(first) ? HEAD_FTRACE : 0);
}

/* Of the pages that are known: the first at or behind @at. */
static size_t first_known_behind(const struct heads *heads, u64 at)
{
	size_t low = 0, high = heads->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (heads->list[mid].paddr < at)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool next_known(const struct heads *heads, enum head head, u64 *at)
{
	size_t i;

	for (i = first_known_behind(heads, *at); i < heads->nr; i++) {
		if (heads->list[i].heads & head) {
			*at = heads->list[i].paddr;
			return true;
		}
	}
	if (*at < heads->known)
		*at = heads->known;
	return false;
}

/* Whoever looks from the border on moves it. */
static void note_page_head(struct heads *heads, u64 from, u64 paddr, unsigned int found)
{
	if (!heads || heads->known != from || (found && heads->nr == HEADS_MAX))
		return;
	if (found)
		heads->list[heads->nr++] = (struct head_page){ paddr, found };
	heads->known = paddr + DUMP_PAGE;
}

static bool next_unknown(struct dump *in, enum head head, const char *what, u64 *at)
{
	u64 next, len, page, from = *at, end = dump_end(in);

	while (dump_next_data(in, from, &next, &len)) {
		for (page = next; page - next < len && page <= LAST; page += DUMP_PAGE) {
			u8 first[8];
			unsigned int found = dump_peek(in, page, first) ? heads_of(first) : 0;

			if (what)
				progress(what, page, end);
			note_page_head(in->heads, from, page, found);
			from = page + DUMP_PAGE;
			if (found & head) {
				*at = page;
				return true;
			}
		}
		if (page > LAST)
			break;
	}
	return false;
}

bool heads_next(struct dump *in, enum head head, const char *what, u64 *at)
{
	if (!in->heads)
		in->heads = calloc(1, sizeof(*in->heads));
	if (in->heads && next_known(in->heads, head, at))
		return true;
	return next_unknown(in, head, what, at);
}
