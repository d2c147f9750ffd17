// SPDX-License-Identifier: GPL-2.0-or-later
#include "packed_layout.h"

#include <stdlib.h>
#include <string.h>

#include <epitaph/format.h>

#include "subbuf.h"

#define PACKING_COMMON	8U	/* bytes of an event that formats count and regions lack */

u32 packed_layout_width(const struct packed_layout_step *step)
{
	switch (step->kind) {
	case PACKING_TASK:
		return 24;
	case PACKING_TEXT:
		return 16;
	case PACKING_ADDRESS:
	case PACKING_LARGE:
	case PACKING_DIFFERENCE:
	case PACKING_SECTOR:
	case PACKING_SHORT_TEXT:
	case PACKING_MASK:
	case PACKING_JIFFIES:
	case PACKING_TIME:
		return 8;
	case PACKING_PID:
	case PACKING_NUMBER:
	case PACKING_SMALL:
	case PACKING_WHOLE:
	case PACKING_SECTOR_BYTES:
	case PACKING_EMPTY:
	case PACKING_IN_CODES:
		return 4;
	case PACKING_SHORT:
		return 2;
	case PACKING_BYTE:
	case PACKING_IN_CODE:
		return 1;
	}
	return 0;
}

bool packed_layout_has_value(const struct packed_layout_step *step)
{
	return step->kind == PACKING_LARGE || step->kind == PACKING_TIME || step->kind == PACKING_JIFFIES;
}

/* A number up to @most, before a blank, a slash or the end of the line. */
static bool parse_layout_number(const char **text, u32 most, u32 *ret)
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
	return packed_layout_has_value(step) || step->kind == PACKING_SMALL || step->kind == PACKING_EMPTY;
}

/* The byte of an empty array is in the event. */
static bool base_is_sound(const struct packed_layout *layout, const struct packed_layout_step *step)
{
	return step->kind != PACKING_EMPTY ||
	       (step->base >= PACKING_COMMON && step->base - PACKING_COMMON < layout->size);
}

static bool parse_steps(struct packed_layout *layout, const char *text)
{
	while (*text == ' ' && layout->nr_steps < PACKING_STEPS) {
		struct packed_layout_step *step = &layout->steps[layout->nr_steps++];
		u32 off, base = 0;

		text++;
		step->kind = *text++;
		if (!packed_layout_width(step) || !parse_layout_number(&text, PACKING_SIZE, &off) ||
		    (has_base(step) &&
		     (*text++ != '/' || !parse_layout_number(&text, PACKING_NR - 1, &base))))
			return false;
		step->off = off;
		step->base = base;
		if ((*text && *text != ' ') || !base_is_sound(layout, step) ||
		    step->off + packed_layout_width(step) > layout->size)
			return false;
		layout->nr_coded += packed_layout_codes(step);
	}
	return !*text;
}

u32 packed_layout_count(const struct packed_layout *layout)
{
	return layout->steps[0].kind == PACKING_SMALL ? layout->steps[0].base : 1;
}

/* A small event is one number without further steps, and owns all of its ids. */
static bool layout_is_sound(const struct packed_layout *layout, u32 number)
{
	u32 i, nr_small = 0;

	for (i = 0; i < layout->nr_steps; i++)
		nr_small += layout->steps[i].kind == PACKING_SMALL;
	if (number < PACKING_NR)
		return number && !nr_small;
	return number >= EPITAPH_ID_SMALL && nr_small == 1 && layout->nr_steps == 1 &&
	       packed_layout_count(layout) && number + packed_layout_count(layout) <= PACKING_ALL;
}

bool packed_layout_parse(struct packed_layout *layout, u32 *ret_number, const char *line)
{
	*layout = (struct packed_layout){ 0 };
	return parse_layout_number(&line, PACKING_ALL - 1, ret_number) && *line++ == ' ' &&
	       parse_layout_number(&line, IDS_MAX - 1, &layout->id) &&
	       layout->id >= EPITAPH_ID_FIRST && *line++ == ' ' &&
	       parse_layout_number(&line, PACKING_SIZE, &layout->size) && parse_steps(layout, line) &&
	       layout_is_sound(layout, *ret_number);
}

void packed_layout_print(FILE *f, const struct packed_layout *layout, u32 number)
{
	u32 i;

	fprintf(f, "%u %u %u", number, layout->id, layout->size);
	for (i = 0; i < layout->nr_steps; i++) {
		const struct packed_layout_step *step = &layout->steps[i];

		fprintf(f, " %c%u", step->kind, step->off);
		if (has_base(step))
			fprintf(f, "/%u", step->base);
	}
	fputc('\n', f);
}
