// SPDX-License-Identifier: GPL-2.0-or-later
#include "free_pieces.h"

#include <stdlib.h>
#include <string.h>

#include "judge/words.h"

#define MOST_ORDER	20

/* The number behind @word; false: the line does not have that. */
static bool number_behind_word(struct report_text line, const char *word, u64 *ret)
{
	const char *at = memmem(line.text, line.len, word, strlen(word));

	if (at)
		*ret = report_text_number(line, at + strlen(word), 10);
	return at;
}

/*
 * "Node 0 DMA32: 80525*4kB (UM) 19*8kB (U) 0*16kB ... = 322684kB": mm/show_mem.c. Has the zone a piece of that order? One
 * that is set aside (H: for urgent requests, C: for movable pages) is none.
 */
static bool has_piece(struct report_text line, u32 order)
{
	const char *at = memmem(line.text, line.len, ": ", 2), *end = line.text + line.len, *star;
	u64 smallest = 0;

	while (at && (star = memchr(at, '*', end - at))) {
		const char *number = star, *behind;
		u64 size = report_text_number(line, star + 1, 10);

		while (number > line.text && number[-1] >= '0' && number[-1] <= '9')
			number--;
		smallest = smallest ?: size;
		behind = memchr(star, ' ', end - star) ?: end;
		at = star + 1;
		if (size < smallest << order || !report_text_number(line, number, 10))
			continue;
		if (end - behind < 4 || (memcmp(behind, " (H)", 4) && memcmp(behind, " (C)", 4)))
			return true;
	}
	return false;
}

bool free_pieces_read(struct free_pieces *pieces, const struct explain *explain, u32 from)
{
	const struct report_lines *lines = &explain->death->lines;
	bool has_list = false;
	u64 order = 0, kept_back = 0;

	*pieces = (struct free_pieces){ 0 };
	for (u32 i = from; i < lines->nr; i++) {
		struct report_text line = { lines->list[i].text, lines->list[i].len };
		u64 is_free, high = 0;

		if (report_text_has(line, "invoked oom-killer") && (!number_behind_word(line, " order=", &order) || !order || order > MOST_ORDER))
			return false;
		if (!report_text_has(line, "Node ") || !order)
			continue;
		if (number_behind_word(line, " free:", &is_free) && number_behind_word(line, " high:", &high) && is_free > high)
			pieces->free_kb += is_free;
		kept_back += high;
		if (!report_text_has(line, "kB = ") && !report_text_has(line, ") = "))
			continue;
		has_list = true;
		if (has_piece(line, order))
			return false;
	}
	pieces->order = order;
	/* A small zone alone, as that for old DMA, is not enough. */
	return has_list && pieces->free_kb > kept_back;
}
