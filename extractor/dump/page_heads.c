// SPDX-License-Identifier: GPL-2.0-or-later
#include "page_heads.h"

#include <stdlib.h>

#include "os/progress.h"
#include "dump_impl.h"
#include "page_magic.h"

/* The last page of the address space is left out: the end of each page is an address. */
#define LAST	(~0ULL - 2 * DUMP_PAGE + 1)

/* Only hostile files have more: then the rest is searched each time. */
#define HEADS_MAX	4096

struct head_page {
	u64 paddr;
	unsigned int heads;
};

/* @known: all pages before this address are searched; those with a magic are in @list. */
struct heads {
	u64 known;
	size_t nr;
	struct head_page list[HEADS_MAX];
};

static unsigned int page_heads(struct dump *in, u64 page)
{
	u8 first[8];

	if (!dump_peek(in, page, first))
		return 0;
	return (page_magic_is_region(first) ? HEAD_REGION : 0) |
	       (page_magic_is_vmcoreinfo(first) ? HEAD_VMCOREINFO : 0) |
	       (page_magic_is_ftrace(first) ? HEAD_FTRACE : 0);
}

static bool next_known(const struct heads *heads, enum head head, u64 *at)
{
	size_t low = 0, high = heads->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (heads->list[mid].paddr < *at)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < heads->nr; low++) {
		if (heads->list[low].heads & head) {
			*at = heads->list[low].paddr;
			return true;
		}
	}
	if (*at < heads->known)
		*at = heads->known;
	return false;
}

/* A search that begins at the border of the known pages moves the border. */
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
			unsigned int found = page_heads(in, page);

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
