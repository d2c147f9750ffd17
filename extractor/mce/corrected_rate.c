// SPDX-License-Identifier: GPL-2.0-or-later
#include "corrected_rate.h"

#include <stdlib.h>

#include "decode.h"

#define HOUR_NS	(3600 * 1000000000ULL)

static int compare_banks(const struct mce *a, const struct mce *b)
{
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->bank != b->bank)
		return a->bank < b->bank ? -1 : 1;
	return a->ipid < b->ipid ? -1 : a->ipid > b->ipid;
}

/* By bank, then as in the list, which is by time. */
static int compare_corrected(const void *left, const void *right)
{
	const struct mce *a = *(const struct mce *const *)left, *b = *(const struct mce *const *)right;
	int ret = compare_banks(a, b);

	return ret ? ret : a < b ? -1 : a > b;
}

static int compare_first(const void *left, const void *right)
{
	const struct corrected_rate *a = left, *b = right;

	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->bank != b->bank)
		return a->bank < b->bank ? -1 : 1;
	return a->ipid < b->ipid ? -1 : a->ipid > b->ipid;
}

/* Of one bank; two places in @list, a day apart at most, go through it together. */
static struct corrected_rate rate_of_bank(const struct mce *const *list, u32 nr)
{
	struct corrected_rate rate = {
		.cpu = list[0]->cpu, .bank = list[0]->bank, .ipid = list[0]->ipid, .records = nr,
		.first = list[0]->mono_ns, .last = list[nr - 1]->mono_ns, .is_memory = true,
	};
	u64 n = 0;
	u32 from = 0, i;
	bool more;

	rate.of_first = mce_corrected_count(list[0], &more);
	for (i = 0; i < nr; i++) {
		u64 count = mce_corrected_count(list[i], &more);

		rate.nr += count;
		rate.at_least |= more;
		rate.is_memory &= mce_is_of_memory(list[i]);
		n += count;
		for (; list[i]->mono_ns - list[from]->mono_ns > CORRECTED_DAY_NS; from++)
			n -= mce_corrected_count(list[from], &more);
		if (n > rate.most)
			rate.most = n;
	}
	return rate;
}

int corrected_rates(struct corrected_rate **ret, u32 *ret_nr, const struct mce *list, u32 nr)
{
	const struct mce **corrected = malloc((nr + 1) * sizeof(*corrected));
	struct corrected_rate *rates = malloc((nr + 1) * sizeof(*rates));
	u32 found = 0, nr_rates = 0, from, i;

	*ret = NULL;
	*ret_nr = 0;
	if (!corrected || !rates) {
		free(corrected);
		free(rates);
		return -1;
	}
	for (i = 0; i < nr; i++)
		if (!list[i].is_same && mce_grade(&list[i]) == MCE_CORRECTED)
			corrected[found++] = &list[i];
	qsort(corrected, found, sizeof(*corrected), compare_corrected);
	for (from = 0; from < found; from = i) {
		for (i = from; i < found && !compare_banks(corrected[from], corrected[i]); i++)
			;
		rates[nr_rates++] = rate_of_bank(corrected + from, i - from);
	}
	qsort(rates, nr_rates, sizeof(*rates), compare_first);
	free(corrected);
	*ret = rates;
	*ret_nr = nr_rates;
	return 0;
}

double corrected_rate_hourly(const struct corrected_rate *rate)
{
	u64 span = rate->last - rate->first;

	return span < HOUR_NS ? 0 : (rate->nr - rate->of_first) / ((double)span / HOUR_NS);
}

bool corrected_rate_is_high(const struct corrected_rate *rate)
{
	return rate->is_memory && rate->most > CORRECTED_MANY;
}
