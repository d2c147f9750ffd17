// SPDX-License-Identifier: GPL-2.0-or-later
#include "did_you_mean.h"

#include <string.h>

#define MAX_WORD 32

/*
 * The Damerau-Levenshtein distance: letters to insert, drop or replace; two letters that changed
 * places count as one. Three rows of the table, by the length of @a taken so far.
 */
static u32 edit_distance(const char *a, const char *b)
{
	u32 rows[3][MAX_WORD + 1];
	u32 n = strlen(a), m = strlen(b);
	u32 i, k;

	for (k = 0; k <= m; k++)
		rows[0][k] = k;
	for (i = 1; i <= n; i++) {
		u32 *row = rows[i % 3], *up = rows[(i + 2) % 3], *above = rows[(i + 1) % 3];

		row[0] = i;
		for (k = 1; k <= m; k++) {
			row[k] = up[k - 1] + (a[i - 1] != b[k - 1]);
			if (up[k] + 1 < row[k])
				row[k] = up[k] + 1;
			if (row[k - 1] + 1 < row[k])
				row[k] = row[k - 1] + 1;
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] &&
			    above[k - 2] + 1 < row[k])
				row[k] = above[k - 2] + 1;
		}
	}
	return rows[n % 3][m];
}

const char *did_you_mean(const char *word, const char *const *words, size_t nr)
{
	u32 len = strlen(word), best = len / 3 + 1;
	const char *found = NULL;
	size_t i;

	if (!len || len > MAX_WORD)
		return NULL;
	for (i = 0; i < nr; i++) {
		u32 d = strlen(words[i]) > MAX_WORD ? best + 1 : edit_distance(word, words[i]);

		if (d > best || (found && d == best))
			continue;
		best = d;
		found = words[i];
	}
	return found;
}
