// SPDX-License-Identifier: GPL-2.0-or-later
#include "kallsyms_salvage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "holed_bytes.h"
#include "kallsyms.h"

#define BLOCK		256U	/* names for each marker */
#define NAME_LEAST	2U	/* bytes: a length and a token */
#define BLOCK_MAX	(BLOCK * (KALLSYMS_NAME_MAX + 2))
#define BLOCKS_LEAST	3U	/* that hold, one after the other, for a table of markers */
#define STEPS_MAX	(64U << 20)	/* names and markers looked at; a kernel's need 2 million */
#define RESUME_WITHIN	512U	/* bytes behind a hole within which a name begins */

/**
 * struct salvage - the names and their markers
 * @markers: the offset of the table in @bytes
 * @nr_markers: as far as they hold
 * @steps: that are left, against a dump that is made to take long
 * @counted: where a block begins, counted from the first name up to a hole
 */
struct salvage {
	struct holed_bytes bytes;
	enum byte_order order;
	size_t markers;
	u32 nr_markers;
	u32 *steps;
	u32 *counted;
	u32 nr_counted;
};

static bool may_step(const struct salvage *s)
{
	return *s->steps && (*s->steps)--;
}

/* The name behind the one at @at; false: it is in a hole, or there is none. */
static bool next_name(const struct salvage *s, u32 *at)
{
	u32 len, head = 1;

	if (!may_step(s) || !holed_bytes_has(&s->bytes, *at, 1))
		return false;
	len = s->bytes.data[*at];
	if (len & 0x80) {
		if (!holed_bytes_has(&s->bytes, *at + 1, 1))
			return false;
		len = (len & 0x7f) | (u32)s->bytes.data[*at + 1] << 7;
		head = 2;
	}
	if (!len || !holed_bytes_has(&s->bytes, *at + head, len))
		return false;
	*at += head + len;
	return true;
}

/* false: it is in a hole. */
static bool marker_at(const struct salvage *s, size_t table, u32 i, u32 *ret)
{
	size_t off = table + 4ULL * i;
	struct bytes b = bytes_of(s->bytes.data, s->bytes.size, s->order);

	if (!may_step(s) || !holed_bytes_has(&s->bytes, off, 4))
		return false;
	*ret = bytes_u32(&b, off);
	return true;
}

static bool block_fits(const struct salvage *s, u32 at, u32 end)
{
	u32 i;

	for (i = 0; i < BLOCK && next_name(s, &at); i++)
		;
	return i == BLOCK ? at == end : !holed_bytes_has(&s->bytes, at, KALLSYMS_NAME_MAX + 2);
}

/* How many markers from @table on ascend as places of names do?  Holes are passed over. */
static u32 nr_ascending(const struct salvage *s, size_t table)
{
	u32 last = 0, last_i = 0, value, i;

	for (i = 0; table + 4ULL * i + 4 <= s->bytes.size && *s->steps; i++) {
		if (!marker_at(s, table, i, &value))
			continue;
		if (!i ? value != 0 : value >= table || value < last + (u64)NAME_LEAST * BLOCK ||
		    value - last > (u64)BLOCK_MAX * (i - last_i))
			break;
		last = value;
		last_i = i;
	}
	return last_i + 1;
}

/*
 * A table of markers is one if the blocks of names between them end where the next begins, and if
 * its numbers are those of the names counted from the first one.
 */
static bool markers_hold(const struct salvage *s, size_t table, u32 nr)
{
	bool is_counted = marker_at(s, table, 0, &(u32){ 0 });
	u32 good = 0, here, next, i;

	for (i = 0; i < nr; i++) {
		if (!marker_at(s, table, i, &here))
			continue;
		if (i < s->nr_counted && s->counted[i] != here)
			return false;
		is_counted |= i < s->nr_counted;
		if (i + 1 == nr || !marker_at(s, table, i + 1, &next))
			continue;
		if (!block_fits(s, here, next))
			return false;
		good++;
	}
	return good >= BLOCKS_LEAST && is_counted;
}

/* Where each block begins, up to the first hole. */
static bool count_blocks(struct salvage *s)
{
	u32 at = 0, i = 0;

	s->counted = calloc(s->bytes.size / (NAME_LEAST * BLOCK) + 2, sizeof(*s->counted));
	if (!s->counted)
		return false;
	do {
		if (i++ % BLOCK == 0)
			s->counted[s->nr_counted++] = at;
	} while (next_name(s, &at));
	return true;
}

static bool find_markers(struct salvage *s)
{
	size_t table;

	for (table = -s->bytes.va % 4; table + 4 <= s->bytes.size && *s->steps; table += 4) {
		u32 nr = nr_ascending(s, table);

		if (nr <= BLOCKS_LEAST || !markers_hold(s, table, nr))
			continue;
		s->markers = table;
		s->nr_markers = nr;
		return true;
	}
	return false;
}

/*
 * The first name behind a hole of which it is certain that it begins there: every way through the
 * lengths that ends at @end, where a name begins for sure, passes it. Return: @end if there is none
 */
static u32 resume_at(const struct salvage *s, u32 hole_end, u32 end)
{
	u32 from = hole_end + RESUME_WITHIN, ways = 0, start, at, best = end;
	u16 *passed;

	if (from >= end)
		return end;
	passed = calloc(end - from, sizeof(*passed));
	if (!passed)
		return end;
	for (start = hole_end; start < from; start++) {
		for (at = start; at < end && next_name(s, &at); )
			;
		if (at != end)
			continue;
		ways++;
		for (at = start; at < end && next_name(s, &at); )
			if (at >= from && at < end)
				passed[at - from]++;
	}
	for (at = from; ways && at < end; at++) {
		if (passed[at - from] == ways) {
			best = at;
			break;
		}
	}
	free(passed);
	return best;
}

static u32 end_of_hole(const struct salvage *s, u32 at, u32 end)
{
	u32 hole = end;

	while (hole > at && holed_bytes_has(&s->bytes, hole - 1, 1))
		hole--;
	return hole;
}

/* Behind a hole the names of a block are counted from its end. */
static void take_tail(const struct salvage *s, struct kallsyms_names *names, u32 first, u32 taken,
		      u32 at, u32 end)
{
	u32 start = resume_at(s, end_of_hole(s, at, end), end), nr = 0, i;

	for (at = start; at < end && next_name(s, &at); )
		nr++;
	if (at != end || nr > BLOCK - taken)
		return;
	for (at = start, i = first + BLOCK - nr; at < end; next_name(s, &at))
		names->at[i++] = at;
}

/*
 * The names from number @first on. @end: where the next block begins; 0: unknown
 * Return: where the next block begins; 0: unknown
 */
static u32 take_block(const struct salvage *s, struct kallsyms_names *names, u32 first, u32 at,
		      u32 end)
{
	u32 i;

	for (i = 0; i < BLOCK && first + i < names->nr; i++) {
		u32 name = at;

		if (!next_name(s, &at) || (end && at > end))
			break;
		names->at[first + i] = name;
	}
	if (end && i < BLOCK && at < end && first + BLOCK <= names->nr)
		take_tail(s, names, first, i, at, end);
	return end ? end : i == BLOCK ? at : 0;
}

/* How many there are: the last block ends where a length is 0. */
static u32 count_names(const struct salvage *s)
{
	u32 at, nr = (s->nr_markers - 1) * BLOCK, i;

	if (!marker_at(s, s->markers, s->nr_markers - 1, &at))
		return nr;
	for (i = 0; i < BLOCK && at < s->markers && next_name(s, &at); i++)
		nr++;
	return nr;
}

static void take_blocks(const struct salvage *s, struct kallsyms_names *names)
{
	u32 i, at = 0, end;

	for (i = 0; i < names->nr; i++)
		names->at[i] = KALLSYMS_NAME_LOST;
	for (i = 0; i * BLOCK < names->nr; i++) {
		if (i < s->nr_markers && marker_at(s, s->markers, i, &end))
			at = end;
		else if (i && !at)
			continue;
		if (i + 1 >= s->nr_markers || !marker_at(s, s->markers, i + 1, &end))
			end = 0;
		at = take_block(s, names, i * BLOCK, at, end);
	}
}

static int take_names(struct salvage *s, struct kallsyms_names *names, struct err *err)
{
	if (!names->nr)
		names->nr = count_names(s);
	free(names->at);
	names->at = calloc(names->nr + 1, sizeof(*names->at));
	free(names->bytes);
	names->bytes = malloc(s->bytes.size);
	if (!names->at || !names->bytes)
		return err_sys(err, "memory for the names of %u symbols", names->nr);
	memcpy(names->bytes, s->bytes.data, s->bytes.size);
	names->size = s->bytes.size;
	take_blocks(s, names);
	return 0;
}

int kallsyms_names_salvage(struct kallsyms_names *names, struct vmem *vmem, u64 va, u64 end,
			   struct err *err)
{
	u32 steps = STEPS_MAX;
	struct salvage s = { .order = dump_byte_order(vmem_input(vmem)), .steps = &steps };
	int ret = holed_bytes_read(&s.bytes, vmem, va, end - va, err);

	if (s.bytes.nr_holes)
		snprintf(names->why, sizeof(names->why), "%s", s.bytes.why);
	if (!ret && !count_blocks(&s))
		ret = err_sys(err, "memory for the names of symbols");
	if (!ret)
		ret = find_markers(&s) ? take_names(&s, names, err) :
		      err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			      "the markers of the kernel's symbol table are not found: %s", s.bytes.why);
	free(s.counted);
	holed_bytes_free(&s.bytes);
	return ret;
}
