/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: turns - one output that several processes print
 *
 * Each process goes through all steps, as events of a timeline are. A turn is so many steps; turn n
 * is printed by process n modulo their number, and the others pass over it. The first process is
 * the writer: it copies the turns of the others between its own, in order. So the output is, byte
 * for byte, what one process alone would write:
 *
 *	turns_begin(turns);
 *	while (!ret && next(&item)) {
 *		if (turns_is_own(turns))
 *			print(f, &item);
 *		if (turns_step(turns, item.time))
 *			ret = turns_end(turns, f, &err);
 *	}
 *	if (!ret)
 *		ret = turns_finish(turns, f, &err);
 *
 * All that another process prints outside of its turns is thrown away: it may run the same code as
 * the writer. Unless the user asked for it, it first waits until the writer begins, because only the
 * writer knows whether there is enough to print. NULL instead of turns is one process alone.
 *
 * A process waits in the pipe when it is too far ahead of the writer, so that memory is bounded.
 */
#ifndef EPITAPH_OS_TURNS_H
#define EPITAPH_OS_TURNS_H

#include <stdio.h>

#include "base/err.h"

#define TURNS_MAX	8	/* processes */
#define TURN_STEPS	1024

/**
 * struct turns - one process's view of all
 * @nr: processes
 * @asked: the user wants so many
 * @own: number of this one, from 0, the writer
 * @now: number of the process whose turn it is; @nr: between two walks
 * @steps: of this turn
 * @sum: of all steps before, in which all processes must agree
 * @begun: the others have been called
 * @go: has a byte for each of the others when the writer begins
 * @pipes: how the turns of each process but the writer reach that
 * @file: what another process prints to
 */
struct turns {
	u32 nr;
	bool asked;
	u32 own;
	u32 now;
	u32 steps;
	u64 sum;
	bool begun;
	int go[2];
	int pipes[TURNS_MAX][2];
	FILE *file;
};

/**
 * turns_open() - before the processes are forked
 * @nr: of them, from 2 to TURNS_MAX
 *
 * Return: 0; -ERR_IO, and nothing is open.
 */
int turns_open(struct turns *turns, u32 nr, struct err *err);

/**
 * turns_be() - in a process after the fork: it is number @own
 *
 * Another process than the writer loses the descriptors of stdout and stderr: stdout is where it
 * prints its turns. Return: false: without memory, or there is no /dev/null.
 */
bool turns_be(struct turns *turns, u32 own);

/* In another process than the writer: waits for that. Return: false: there is nothing to print. */
bool turns_wait(const struct turns *turns);

/* In the process that forked them, which does not take part: then there are none. */
void turns_close(struct turns *turns);

/* Where this process prints to: @f, if it is the writer. */
FILE *turns_file(const struct turns *turns, FILE *f);

static inline bool turns_is_writer(const struct turns *turns)
{
	return !turns || !turns->own;
}

static inline bool turns_is_own(const struct turns *turns)
{
	return !turns || turns->now == turns->own;
}

/* Before the first step of each walk. */
void turns_begin(struct turns *turns);

/* Behind each step; @what is the same of this step in all processes. True: turns_end() is due. */
static inline bool turns_step(struct turns *turns, u64 what)
{
	if (!turns)
		return false;
	turns->sum = (turns->sum ^ what) * 0x9e3779b97f4a7c15ULL;
	return ++turns->steps == TURN_STEPS;
}

/**
 * turns_end() - this turn ends, and the next begins
 * @f: as turns_file() has it
 *
 * Return: 0; -ERR_IO: the turn of another process did not come, or not all of it, or is of other
 *	steps. @nr is 1 then.
 */
int turns_end(struct turns *turns, FILE *f, struct err *err);

/* The same behind the last step, if there is a turn. */
int turns_finish(struct turns *turns, FILE *f, struct err *err);

#endif
