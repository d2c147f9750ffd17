// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * build: extractor/dump/page_heads.c
 *
 * Pages that begin like something, of a memory that says how often it was asked.
 */
#include <stdlib.h>
#include <string.h>

#include "dump/page_heads.h"
#include "dump/dump_impl.h"
#include "dump/page_magic.h"
#include "os/progress.h"
#include "tap.h"

#define BASE	(1ULL << 32)
#define PAGES	200000

static u8 what[PAGES];		/* head of each page; 0: another page, 0xff: not in the file */
static u64 base = BASE;
static unsigned int peeks;

/* --- what heads.c stands on ----------------------------------------------- */

void progress(const char *text, u64 done, u64 total)
{
	(void)text, (void)done, (void)total;
}

u64 dump_end(const struct dump *in)
{
	(void)in;
	return 0;
}

/* How such a page begins. */
static void put_head(u8 bytes[8], u8 head)
{
	u64 magic = htole64(page_magic_region());
	u32 meta = FTRACE_META_MAGIC;

	memset(bytes, 0, 8);
	if (head == HEAD_REGION)
		memcpy(bytes, &magic, sizeof(magic));
	else if (head == HEAD_VMCOREINFO)
		memcpy(bytes, "OSRELEASE", 8);
	else if (head == HEAD_FTRACE)
		memcpy(bytes, &meta, sizeof(meta));
}

bool dump_peek(struct dump *in, u64 paddr, u8 bytes[8])
{
	(void)in;
	peeks++;
	put_head(bytes, what[(paddr - base) / DUMP_PAGE]);
	return what[(paddr - base) / DUMP_PAGE] != 0xff;
}

/* Of each ten pages, the last three are a hole. */
bool dump_next_data(struct dump *in, u64 paddr, u64 *next, u64 *len)
{
	u64 page = paddr < base ? 0 : (paddr - base) / DUMP_PAGE;

	(void)in;
	if (page % 10 >= 7)
		page += 10 - page % 10;
	if (page >= PAGES)
		return false;
	*next = base + page * DUMP_PAGE;
	*len = (7 - page % 10) * DUMP_PAGE;
	return true;
}

/* --- claims ---------------------------------------------------------------- */

static unsigned int count(struct dump *in, enum head head)
{
	unsigned int nr = 0;
	u64 at;

	for (at = 0; heads_next(in, head, NULL, &at); at += DUMP_PAGE)
		nr++;
	return nr;
}

static unsigned int expected(enum head head)
{
	unsigned int i, nr = 0;

	for (i = 0; i < PAGES; i++)
		nr += i % 10 < 7 && what[i] != 0xff && what[i] & head;
	return nr;
}

static void fill(unsigned int one_of)
{
	static const u8 heads[] = { 0, HEAD_REGION, HEAD_VMCOREINFO, HEAD_FTRACE };
	unsigned int i;

	srand(1);
	for (i = 0; i < PAGES; i++)
		what[i] = (unsigned int)rand() % one_of ? 0 : heads[rand() % 4];
	what[1] = 0xff;
	peeks = 0;
}

static void heads__each_page_is_peeked_once(void)
{
	static const enum head heads[] = { HEAD_FTRACE, HEAD_REGION, HEAD_VMCOREINFO, HEAD_FTRACE };
	struct dump in = { 0 };
	unsigned int i;

	fill(1000);
	for (i = 0; i < ARRAY_SIZE(heads); i++)
		CHECK(count(&in, heads[i]) == expected(heads[i]), "of %u", heads[i]);
	CHECK(peeks == PAGES / 10 * 7, "%u", peeks);
	free(in.heads);
}

/* One who finds what he wants goes no further; the next one goes on from there. */
static void heads__nobody_looks_behind_what_he_wants(void)
{
	struct dump in = { 0 };
	u64 at = 0, other = 0;

	fill(1000);
	memset(what, 0, sizeof(what));
	what[500] = HEAD_REGION;
	what[400] = HEAD_FTRACE;
	what[900] = HEAD_FTRACE;
	CHECK(heads_next(&in, HEAD_REGION, NULL, &at) && at == BASE + 500 * DUMP_PAGE, "%llx", at);
	CHECK(peeks == 351, "%u", peeks);
	CHECK(heads_next(&in, HEAD_FTRACE, NULL, &other) && other == BASE + 400 * DUMP_PAGE, "%llx", other);
	CHECK(peeks == 351, "%u", peeks);
	other += DUMP_PAGE;
	CHECK(heads_next(&in, HEAD_FTRACE, NULL, &other) && other == BASE + 900 * DUMP_PAGE, "%llx", other);
	CHECK(peeks == 631, "%u", peeks);
	free(in.heads);
}

static void heads__whoever_begins_further_on_leaves_no_gap(void)
{
	struct dump in = { 0 };
	u64 at = BASE + 100000ULL * DUMP_PAGE;

	fill(1000);
	while (heads_next(&in, HEAD_REGION, NULL, &at))
		at += DUMP_PAGE;
	CHECK(count(&in, HEAD_REGION) == expected(HEAD_REGION), "%u", expected(HEAD_REGION));
	free(in.heads);
}

static void heads__more_than_are_noted_are_found_all_the_same(void)
{
	struct dump in = { 0 };

	fill(1);
	CHECK(expected(HEAD_REGION) > 2 * 4096, "%u", expected(HEAD_REGION));
	CHECK(count(&in, HEAD_REGION) == expected(HEAD_REGION), "first");
	CHECK(count(&in, HEAD_REGION) == expected(HEAD_REGION), "again");
	CHECK(count(&in, HEAD_FTRACE) == expected(HEAD_FTRACE), "another");
	free(in.heads);
}

static void heads__at_the_end_of_all_addresses_it_ends(void)
{
	struct dump in = { 0 };

	fill(1000);
	memset(what, HEAD_REGION, sizeof(what));
	base = 0 - 5ULL * DUMP_PAGE;
	CHECK(count(&in, HEAD_REGION) == 4, "of the last five");
	base = BASE;
	free(in.heads);
}

int main(void)
{
	TAP_RUN(heads__each_page_is_peeked_once);
	TAP_RUN(heads__nobody_looks_behind_what_he_wants);
	TAP_RUN(heads__whoever_begins_further_on_leaves_no_gap);
	TAP_RUN(heads__more_than_are_noted_are_found_all_the_same);
	TAP_RUN(heads__at_the_end_of_all_addresses_it_ends);
	return tap_done();
}
