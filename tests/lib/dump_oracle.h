/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What libkdumpfile, which shares nothing with the extractor, reads from a dump. */
#ifndef INPUT_ORACLE_H
#define INPUT_ORACLE_H

/**
 * struct verdict - both readers, page by page
 * @nr_pages: pages of address space looked at
 * @nr_same: pages that both have, alike
 * @nr_absent: pages that neither has
 * @nr_ours: pages that only the extractor has
 * @nr_theirs: pages that only libkdumpfile has
 * @nr_differ: pages that both have and that differ
 * @first: of the last three kinds, the first one's address
 * @kind: input_kind()
 * @why: not NULL: the comparison could not be made
 */
struct verdict {
	unsigned long nr_pages, nr_same, nr_absent, nr_ours, nr_theirs, nr_differ;
	unsigned long long first;
	char kind[96];
	const char *why;
};

struct verdict oracle_compare(int fd);

/* The same of parts of a split dump, by name. */
struct verdict oracle_compare_parts(char *const *paths, unsigned int nr);

#endif
