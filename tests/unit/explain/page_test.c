// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first screen of a page has 24 lines of 80 columns, whatever is found; and nothing is lost.
 *
 * build: @extractor
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/page.h"
#include "tap.h"

#define SCREEN_LINES	24
#define SCREEN_COLUMNS	80

/* A text of @words words. */
static const char *words_of(u32 words)
{
	static char text[FINDING_TEXT];

	*text = '\0';
	for (u32 i = 0; i < words; i++)
		strcat(text, i ? " sentence" : "Sentence");
	return text;
}

/* @nr pieces of evidence, every other one minor; each names its number. */
static void fill(struct finding *finding, u32 nr, u32 words)
{
	memset(finding, 0, sizeof(*finding));
	finding_claim(finding, "null-pointer", FINDING_SHOWN, "%s", words_of(words));
	finding_open(finding, "%s", words_of(words));
	strcpy(finding->signature, "null-pointer:f<g<h");
	for (u32 i = 0; i < nr; i++) {
		finding_minor(finding, i & 1);
		finding_evidence(finding, 1000 + i, finding_event(0, ""), "number%u. %s", i, words_of(words));
	}
	for (u32 i = 0; i < FINDING_NEXT; i++)
		finding_next(finding, "epitaph report FILE");
}

static char *print(const struct finding *finding)
{
	struct postmortem pm = { .end = { .time = 5000, .cpu = NO_CPU, .pid = -1 } };
	char *page = NULL;
	size_t len;
	FILE *f = open_memstream(&page, &len);

	page_print(f, finding, &pm, "vmcore");
	fclose(f);
	return page;
}

/* Up to the first empty line. */
static void check_screen(const char *page, u32 nr, u32 words)
{
	u32 lines = 0;

	for (const char *at = page; *at && *at != '\n'; lines++) {
		size_t len = strcspn(at, "\n");

		CHECK(len <= SCREEN_COLUMNS, "%u pieces of %u words: %zu columns: %.*s", nr, words, len, (int)len, at);
		at += len + 1;
	}
	CHECK(lines <= SCREEN_LINES, "%u pieces of %u words: %u lines\n%s", nr, words, lines, page);
}

static void check_all_there(const char *page, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		char word[24];
		const char *at;

		snprintf(word, sizeof(word), "number%u.", i);
		at = strstr(page, word);
		CHECK(at && !strstr(at + 1, word), "%s is once on the page\n%s", word, page);
	}
}

static void page__the_first_screen_has_24_lines(void)
{
	struct finding *finding = malloc(sizeof(*finding));

	for (u32 words = 1; words < 32; words += 3) {
		for (u32 nr = 0; nr <= FINDING_EVIDENCE; nr++) {
			char *page;

			fill(finding, nr, words);
			page = print(finding);
			check_screen(page, nr, words);
			check_all_there(page, nr);
			free(page);
		}
	}
	free(finding);
}

static void page__what_is_minor_makes_room(void)
{
	struct finding *finding = malloc(sizeof(*finding));
	const char *more;
	char *page;

	fill(finding, 12, 14);
	page = print(finding);
	more = strstr(page, "\nMore evidence\n");
	if (CHECK(more, "there is more than fits:\n%s", page)) {
		CHECK(strstr(page, "number0.") < more, "what is not minor stands first");
		CHECK(strstr(page, "number1.") > more, "what is minor stands below");
	}
	free(page);
	free(finding);
}

int main(void)
{
	TAP_RUN(page__the_first_screen_has_24_lines);
	TAP_RUN(page__what_is_minor_makes_room);
	return tap_done();
}
