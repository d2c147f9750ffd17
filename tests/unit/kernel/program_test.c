// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A text of any length in a compiled filter: what strncmp() by the length of the field says, and
 * nothing is read beyond the eight zeroes behind the record.
 *
 * build: -I kernel -include kernel/include/epitaph/plat.h
 */
#include <stdlib.h>
#include <string.h>

#include <control/program.h>
#include "tap.h"

#define NAMES	(sizeof(names) / sizeof(*names))

static const char *const names[] = {
	"a", "ab", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmno", "abcdefghijklmnop",
	"abcdefghijklmnopq", "abcdefgx", "b", "",
};

/* The field is all that the record has in front of the text. */
struct record {
	u32 place;
	u8 text[];
};

/* Of so many bytes, the text and what is behind it; from malloc(), so that ASan sees its end. */
static struct record *record_of(const char *text, u32 length, const char *behind)
{
	size_t n = strlen(text), more = strlen(behind);
	struct record *record = calloc(1, sizeof(*record) + (n + more > length ? n + more : length) + 8);

	memcpy(record->text, text, n);
	memcpy(record->text + n, behind, more);
	record->place = sizeof(*record) | length << 16;
	return record;
}

static u32 run(const struct record *record, const char *asked, bool begins)
{
	struct epitaph_program program = { .nr = 1 };

	memcpy(program.letters, asked, strlen(asked));
	program.list[0] = (struct epitaph_comparison){
		.text = program.letters, .letters = strlen(asked), .begins = begins,
		.yes = EPITAPH_PASS, .no = EPITAPH_REJECT, .is_text = true,
	};
	return epitaph_program_run(&program, record, true);
}

static void text_with_an_end__is_what_strcmp_says(void)
{
	size_t i, j;

	for (i = 0; i < NAMES; i++) {
		struct record *record = record_of(names[i], strlen(names[i]) + 1, "");

		for (j = 0; j < NAMES; j++) {
			size_t n = strlen(names[j]);

			CHECK(run(record, names[j], false) ==
			      (strcmp(names[i], names[j]) ? EPITAPH_REJECT : EPITAPH_PASS),
			      "'%s' is '%s'", names[i], names[j]);
			if (n)
				CHECK(run(record, names[j], true) ==
				      (strncmp(names[i], names[j], n) ? EPITAPH_REJECT : EPITAPH_PASS),
				      "'%s' begins as '%s'", names[i], names[j]);
		}
		free(record);
	}
}

/* strncmp() does not see the end of what is asked for, if the length ends before. */
static void text_without_an_end__is_the_kernels_where_kernels_differ(void)
{
	size_t i, j;

	for (i = 0; i < NAMES; i++) {
		u32 length = strlen(names[i]), expected;
		struct record *record = record_of(names[i], length, "");

		for (j = 0; j < NAMES && length; j++) {
			size_t n = strlen(names[j]);

			expected = strncmp(names[i], names[j], length) ? EPITAPH_REJECT : EPITAPH_PASS;
			if (length < n && expected == EPITAPH_PASS)
				expected = EPITAPH_UNDECIDED;
			CHECK(run(record, names[j], false) == expected, "'%s' of %u is '%s': %#x, not %#x",
			      names[i], length, names[j], run(record, names[j], false), expected);
		}
		free(record);
	}
}

/* Of an array that is empty, the kernel reads what is behind it. */
static void text_of_no_length__is_what_lies_there(void)
{
	struct record *record = record_of("", 0, "abcdefgh");

	CHECK(run(record, "abcdefgh", false) == EPITAPH_PASS, "what follows");
	CHECK(run(record, "abcdefghi", false) == EPITAPH_REJECT, "longer than what follows");
	CHECK(run(record, "abcdefghijklmnopqrstuvwxyz", false) == EPITAPH_REJECT, "much longer");
	CHECK(run(record, "abc", true) == EPITAPH_PASS, "how it begins");
	free(record);
}

int main(void)
{
	TAP_RUN(text_with_an_end__is_what_strcmp_says);
	TAP_RUN(text_without_an_end__is_the_kernels_where_kernels_differ);
	TAP_RUN(text_of_no_length__is_what_lies_there);
	return tap_done();
}
