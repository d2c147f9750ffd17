// SPDX-License-Identifier: GPL-2.0-or-later
#include "packed_layout.h"

#include <stdlib.h>
#include <string.h>

#include <epitaph/format.h>

#include "subbuf.h"

u32 packed_layout_width(const struct packed_layout_step *step)
{
	switch (step->kind) {
	case PACKING_TEXT:
		return 16;
	case PACKING_ADDRESS:
	case PACKING_LARGE:
	case PACKING_DIFFERENCE:
		return 8;
	case PACKING_PID:
	case PACKING_NUMBER:
	case PACKING_SMALL:
		return 4;
	case PACKING_SHORT:
		return 2;
	case PACKING_BYTE:
		return 1;
	}
	return 0;
}

bool packed_layout_is_coded(const struct packed_layout_step *step)
{
	return step->kind && strchr("pnqd", step->kind);
}

/* Up to @most, in front of a blank, a slash or the end of the line. */
static bool take_number(const char **text, u32 most, u32 *ret)
{
	char *end;
	unsigned long n;

	if (**text < '0' || **text > '9')
		return false;
	n = strtoul(*text, &end, 10);
	*text = end;
	*ret = n;
	return n <= most && (!*end || strchr(" /", *end));
}

static bool has_base(const struct packed_layout_step *step)
{
	return step->kind == PACKING_LARGE || step->kind == PACKING_SMALL;
}

static bool take_step(struct packed_layout_step *step, const char **text)
{
	u32 off, base = 0;

	step->kind = *(*text)++;
	if (!packed_layout_width(step) || !take_number(text, PACKING_SIZE, &off))
		return false;
	if (has_base(step) && (*(*text)++ != '/' || !take_number(text, PACKING_NR - 1, &base)))
		return false;
	step->off = off;
	step->base = base;
	return !**text || **text == ' ';
}

static bool take_steps(struct packed_layout *packing, const char *text)
{
	while (*text == ' ' && packing->nr_steps < PACKING_STEPS) {
		struct packed_layout_step *step = &packing->steps[packing->nr_steps++];

		text++;
		if (!take_step(step, &text) || step->off + packed_layout_width(step) > packing->size)
			return false;
		packing->nr_coded += packed_layout_is_coded(step);
	}
	return !*text;
}

u32 packed_layout_count(const struct packed_layout *packing)
{
	return packing->steps[0].kind == PACKING_SMALL ? packing->steps[0].base : 1;
}

/* A small event is one number and has no others, and has all of its ids. */
static bool is_sound(const struct packed_layout *packing, u32 number)
{
	u32 i, nr_small = 0;

	for (i = 0; i < packing->nr_steps; i++)
		nr_small += packing->steps[i].kind == PACKING_SMALL;
	if (number < PACKING_NR)
		return number && !nr_small;
	return number >= EPITAPH_ID_SMALL && nr_small == 1 && packing->nr_steps == 1 &&
	       packed_layout_count(packing) && number + packed_layout_count(packing) <= PACKING_ALL;
}

bool packed_layout_parse(struct packed_layout *packing, u32 *ret_number, const char *line)
{
	*packing = (struct packed_layout){ 0 };
	return take_number(&line, PACKING_ALL - 1, ret_number) && *line++ == ' ' &&
	       take_number(&line, IDS_MAX - 1, &packing->id) &&
	       packing->id >= EPITAPH_ID_FIRST && *line++ == ' ' &&
	       take_number(&line, PACKING_SIZE, &packing->size) && take_steps(packing, line) &&
	       is_sound(packing, *ret_number);
}

void packed_layout_print(FILE *f, const struct packed_layout *packing, u32 number)
{
	u32 i;

	fprintf(f, "%u %u %u", number, packing->id, packing->size);
	for (i = 0; i < packing->nr_steps; i++) {
		const struct packed_layout_step *step = &packing->steps[i];

		fprintf(f, " %c%u", step->kind, step->off);
		if (has_base(step))
			fprintf(f, "/%u", step->base);
	}
	fputc('\n', f);
}
