/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many corrected errors each bank had, and in how short a time: few are normal, many come before
 * one that is not corrected.
 */
#ifndef EPITAPH_MCE_CORRECTED_RATE_H
#define EPITAPH_MCE_CORRECTED_RATE_H

#include "mce.h"

#define CORRECTED_MANY	10	/* of a memory module more than these within a day: it should be replaced */
#define CORRECTED_DAY_NS	(24 * 3600 * 1000000000ULL)

/**
 * struct corrected_rate - the corrected errors of one bank of one CPU
 * @nr: errors that are known, as the bank counts; those that were not kept are not among them
 * @of_first: of these, those of the first record
 * @records: machine checks that have them
 * @first, @last: CLOCK_MONOTONIC of the first and the last record, ns
 * @most: the most within CORRECTED_DAY_NS
 * @at_least: the bank lost errors, or could not count all
 * @is_memory: each of them is one of memory
 */
struct corrected_rate {
	u32 cpu;
	u32 bank;
	u64 ipid;
	u64 nr;
	u64 of_first;
	u32 records;
	u64 first;
	u64 last;
	u64 most;
	bool at_least;
	bool is_memory;
};

/**
 * corrected_rates() - the banks with corrected errors, in the order of their first one
 * @ret: *@ret_nr of them, which the caller frees; NULL on error
 * @list: nr machine checks, sorted by time; those with is_same are left out
 *
 * Return: 0, or -1 without memory.
 */
int corrected_rates(struct corrected_rate **ret, u32 *ret_nr, const struct mce *list, u32 nr);

/* Errors an hour, from the first to the last record; 0: all came within an hour. */
double corrected_rate_hourly(const struct corrected_rate *rate);

/* Did a day have more of them than a good memory module? Of other parts no such number is known. */
bool corrected_rate_is_high(const struct corrected_rate *rate);

#endif
