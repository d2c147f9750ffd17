/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader of a seqcount that spins because the count is odd: a writer made it so, and did not make it
 * even again.
 */
#ifndef EPITAPH_JUDGE_ODD_COUNT_H
#define EPITAPH_JUDGE_ODD_COUNT_H

#include "judge/judge.h"

#define ODD_COUNT_WORDS	200

/**
 * struct odd_count - the seqcount
 * @value: that the CPU had loaded when the report was printed
 * @is_in_memory: @address is known, and the dump still has @value there; else there is no dump
 * @name: " sequence (ffffffffc0a02340)", " at ffff88803ec1ca14"; "": not known
 * @has_offset: the reader, of @module, finds it @offset behind a pointer
 */
struct odd_count {
	bool is_in_memory;
	u64 address;
	u32 value;
	bool has_offset;
	s64 offset;
	char module[KMODULE_NAME_MAX];
	char name[ODD_COUNT_WORDS];
};

/* Of the CPU of the report, where it stood. False: it does not spin so, or the count is even. */
bool odd_count_find(struct odd_count *count, const struct explain *explain);

/* Claims it, and who left it so, as far as that is known. @cpu, @place and @task are of the reader. */
void odd_count_claim(struct explain *explain, const char *kind, u32 cpu, const char *place, const char *task, const struct odd_count *count);

#endif
