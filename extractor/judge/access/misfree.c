// SPDX-License-Identifier: GPL-2.0-or-later
#include "misfree.h"

#include <string.h>

#include "judge/words.h"

#define PAGE	4096ULL

/* Does a register point to what lies beside the object? */
static bool is_near(const struct fault_text *fault, const struct history_misfree *misfree)
{
	for (u32 i = 0; i < fault->nr_registers; i++)
		if (fault->registers[i].value - (misfree->taken.object & ~(PAGE - 1)) < PAGE)
			return true;
	return false;
}

void misfree_add(struct explain *explain)
{
	const struct history_misfree *misfree = &explain->history.misfree;
	const struct history_freeing *freed = &misfree->freed;
	char site[2 * WORDS_FUNCTION + 8], taker[2 * WORDS_FUNCTION + 8];
	struct finding *finding = explain->finding;

	if (!misfree->nr || (strcmp(finding->kind, "null-pointer") && strcmp(finding->kind, "wild-pointer") && strcmp(finding->kind, "user-pointer")))
		return;
	words_site(site, explain, misfree->site, freed->time, freed->raw);
	words_site(taker, explain, misfree->taken.site, misfree->taken.time, misfree->taken.raw);
	if (!is_near(&explain->fault, misfree)) {
		finding_note(&finding->also, "%s-%lld gave kfree() %016llx%s, which is 0x%llx behind the start of an object of %llu bytes", freed->comm,
			     freed->pid, freed->object, site, freed->object - misfree->taken.object, misfree->taken.size);
		return;
	}
	finding_evidence(finding, freed->time, finding_event(freed->cpu, "kmem:kfree"),
			 "%s-%lld gave kfree() %016llx%s, which is 0x%llx behind the start of an object of %llu bytes that %s-%lld took%s", freed->comm,
			 freed->pid, freed->object, site, freed->object - misfree->taken.object, misfree->taken.size, misfree->taken.comm,
			 misfree->taken.pid, taker);
	finding_open(finding, "Perhaps %s-%lld%s: it freed an address within an object, the first of %u such calls in the trace, and what lies behind is given out twice since.",
		     freed->comm, freed->pid, site, misfree->nr);
}
