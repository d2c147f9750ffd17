// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares memory page by page.
 *
 * usage: pages [--subset] FILE... -- FILE...	two dumps, either of which may be split;
 *						--subset: the first may lack pages
 *	  pages --oracle FILE...		a dump and what libkdumpfile reads of it
 *
 * Ends with 0 if both are alike.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/dump.h"
#include "dump_oracle.h"

#define PAGE 4096

struct counts {
	u64 same, neither, first_only, second_only, differ, first_wrong;
};

static struct dump *open_all(char **paths, int nr)
{
	struct dump_files files = { paths, nr };
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	if (dump_open_files(&in, &files, &err)) {
		printf("%s\n", err.msg);
		exit(2);
	}
	return in;
}

static void compare_page(struct counts *c, struct dump *a, struct dump *b, u64 paddr)
{
	u8 one[PAGE], two[PAGE];
	bool in_a = dump_read(a, paddr, one, PAGE, NULL) == PAGE;
	bool in_b = dump_read(b, paddr, two, PAGE, NULL) == PAGE;
	bool alike = in_a && in_b && !memcmp(one, two, PAGE);

	c->same += alike;
	c->neither += !in_a && !in_b;
	c->first_only += in_a && !in_b;
	c->second_only += !in_a && in_b;
	c->differ += in_a && in_b && !alike;
	if (in_a && !alike && !c->first_wrong)
		c->first_wrong = paddr;
}

static void compare_segments(struct counts *c, struct dump *a, struct dump *b, struct dump *of)
{
	for (size_t i = 0; i < dump_nr_segments(of); i++) {
		struct dump_segment s = dump_segment(of, i);
		u64 at = (s.paddr + PAGE - 1) & ~(PAGE - 1ULL);

		for (; at + PAGE <= s.paddr + s.size; at += PAGE)
			compare_page(c, a, b, at);
	}
}

static int compare(char **first, int nr_first, char **second, int nr_second, bool subset)
{
	struct dump *a = open_all(first, nr_first), *b = open_all(second, nr_second);
	struct counts c = { 0 };

	compare_segments(&c, a, b, b);
	printf("%llu pages alike, %llu in neither, %llu in the first only, %llu in the second only, %llu differ, at 0x%llx\n",
	       c.same, c.neither, c.first_only, c.second_only, c.differ, c.first_wrong);
	for (size_t i = 0; dump_damage(a, i); i++)
		printf("damage: %s\n", dump_damage(a, i));
	dump_close(a);
	dump_close(b);
	return !c.same || c.first_only || c.differ || (c.second_only && !subset);
}

static int compare_oracle(char **paths, int nr)
{
	struct verdict v = nr > 1 ? oracle_compare_parts(paths, nr) :
			   oracle_compare(open(paths[0], O_RDONLY | O_CLOEXEC));

	printf("%s: of %lu pages %lu alike, %lu absent, %lu ours only, %lu theirs only, %lu differ, first 0x%llx\n",
	       v.why ? v.why : v.kind, v.nr_pages, v.nr_same, v.nr_absent, v.nr_ours,
	       v.nr_theirs, v.nr_differ, v.first);
	return v.why || !v.nr_same || v.nr_same + v.nr_absent != v.nr_pages;
}

int main(int argc, char **argv)
{
	bool subset = argc > 1 && !strcmp(argv[1], "--subset");
	char **first = argv + 1 + subset;
	int nr = 0;

	if (argc > 2 && !strcmp(argv[1], "--oracle"))
		return compare_oracle(argv + 2, argc - 2);
	while (first[nr] && strcmp(first[nr], "--"))
		nr++;
	if (!nr || !first[nr] || !first[nr + 1])
		return 2;
	return compare(first, nr, first + nr + 1, argv + argc - first - nr - 1, subset);
}
