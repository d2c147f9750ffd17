// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Texts that are kept once: what happens when there is no room for another.
 *
 * build: extractor/base/string_interner.c extractor/base/err.c extractor/base/escape.c
 */
#include <string.h>

#include "base/string_interner.h"
#include "tap.h"

static void string_table__keeps_each_text_once(void)
{
	struct strings *strings;
	size_t size;
	u32 a, b;

	CHECK(!strings_new(&strings, NULL), "no memory");
	a = strings_number(strings, "one");
	b = strings_number(strings, "two");
	CHECK(a && b && a != b && strings_number(strings, "one") == a, "%u, %u", a, b);
	CHECK(!strings_number(strings, ""), "the empty one has a number");
	strings_all(strings, &size);
	CHECK(size == 1 + sizeof(STRINGS_LEFT_OUT) + 8, "%zu", size);
	strings_free(strings);
}

static void string_table__tells_how_many_found_no_room(void)
{
	const char *all, *text;
	struct strings *strings;
	char name[32];
	size_t size;
	u32 i, number = 0, known;

	CHECK(!strings_new(&strings, NULL), "no memory");
	known = strings_number(strings, "known");
	for (i = 0; i < STRINGS_MAX + 10; i++) {
		snprintf(name, sizeof(name), "task-%u", i);
		number = strings_number(strings, name);
	}
	text = all = strings_all(strings, &size);
	for (i = 0; i < number; i++)
		text += strlen(text) + 1;
	CHECK(!strcmp(text, STRINGS_LEFT_OUT), "%s", text);
	/* The empty one, the stand-in and "known" have taken three. */
	CHECK(strings_left_out(strings) == 10 + 3, "%llu", strings_left_out(strings));
	CHECK(strings_number(strings, "known") == known, "lost");
	strings_free(strings);
}

int main(void)
{
	TAP_RUN(string_table__keeps_each_text_once);
	TAP_RUN(string_table__tells_how_many_found_no_room);
	return tap_done();
}
