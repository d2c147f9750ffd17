/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A token that two CPUs pass to and fro through memory.  Each notes its clock when it has the token
 * and before it passes it on, so the order of these times is known, whatever the clocks say: how far
 * one clock is ahead of the other lies within the narrowest of the limits that follow.
 */
#ifndef _EPITAPH_TOKEN_H
#define _EPITAPH_TOKEN_H

#include <epitaph/plat.h>

#define EPITAPH_TOKEN_PASSES	64

/**
 * struct epitaph_token - where the token is, run by run
 * @turn: that number of the run, plus the passes made so far
 * @times: clock of the side that made each pass, just before it; the even ones are side 0's
 */
struct epitaph_token {
	u32	turn;
	u64	times[EPITAPH_TOKEN_PASSES];
};

/**
 * struct epitaph_token_offset - how far the clock of side 1 is ahead of that of side 0
 * @least, @most: between these two
 */
struct epitaph_token_offset {
	s64	least;
	s64	most;
};

/**
 * epitaph_token_lay() - begin a run: side 0 has the token
 * @token: where no run is under way; a side that has not given up yet sees that it is over
 * @run: its number, another one than those of the last 2^24 runs
 */
void epitaph_token_lay(struct epitaph_token *token, u32 run);

/**
 * epitaph_token_run() - take part in a run
 * @token: of the run
 * @run: its number
 * @side: 0 begins
 * @limit: give up after so many ticks
 *
 * Context: any, on one CPU.  Both sides run at the same time, or give up.
 */
void epitaph_token_run(struct epitaph_token *token, u32 run, u32 side, u64 limit);

/**
 * epitaph_token_offset() - what a run says
 * @token: of the run, which may have been given up
 * @run: its number
 * @offset: filled in
 *
 * Return: false: too few passes, or times that contradict each other: one of the clocks went back.
 */
bool epitaph_token_offset(const struct epitaph_token *token, u32 run,
			  struct epitaph_token_offset *offset);

/**
 * epitaph_token_narrow() - two runs, between which the clocks kept their distance
 * @offset: of one; narrowed by the other
 * @other: of the other
 *
 * Return: false, and @offset is as it was: they contradict each other.
 */
bool epitaph_token_narrow(struct epitaph_token_offset *offset,
			  const struct epitaph_token_offset *other);

#endif /* _EPITAPH_TOKEN_H */
