/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: live - reading a recorder while it records
 *
 * live_follow() gives all events of a running recorder in the order of time (docs/live.md);
 * snapshot_take() copies its region as it was at one moment. Writers do not notice either.
 *
 *	struct live_sink sink = { .item = print_item, .flush = flush_output };
 *	struct live_counts counts;
 *
 *	pm_open(...);
 *	ret = live_follow(&pm, &request, &sink, &counts, &err);
 *
 * The caller owns the postmortem and the sink. One thread; live_follow() returns after
 * request.stop is set, which a signal handler may do.
 */
#ifndef EPITAPH_LIVE_LIVE_H
#define EPITAPH_LIVE_LIVE_H

#include "timeline/window.h"

/**
 * struct live_sink - receiver of the events
 * @begin: called once when the postmortem has its streams; may be NULL
 * @item: called for each item, marks of the recorder too, which is valid until the return
 * @flush: called after each round
 *
 * A result other than 0 ends live_follow(), which returns it.
 */
struct live_sink {
	int (*begin)(void *priv, struct err *err);
	int (*item)(void *priv, const struct item *item, struct err *err);
	int (*flush)(void *priv, struct err *err);
	void *priv;
};

/**
 * struct live_counts - the result of live_follow()
 * @events: given events
 * @late: given events that came after a later one
 * @laps: number of times that the writers lapped the reader of a ring
 * @lapped: sub-buffers that were overwritten, at least in part, before they were read
 * @lost: events that the writers dropped, a lower bound
 * @damaged: sub-buffers with withheld events
 * @torn: unfinished events
 */
struct live_counts {
	u64 events;
	u64 late;
	u64 laps;
	u64 lapped;
	u64 lost;
	u64 damaged;
	u64 torn;
};

/**
 * struct live_request - options of live_follow()
 * @window: the wanted events; its times are ignored
 * @last_ns: begin this many ns before now
 * @for_ns: end this many ns after now; 0: when @stop is set
 * @wait: waits at most this many ns; false: the output was closed
 */
struct live_request {
	const struct window *window;
	u64 last_ns;
	u64 for_ns;
	volatile const int *stop;
	bool (*wait)(u64 ns);
};

/**
 * live_follow() - give the events of a running recorder to a sink
 * @pm: of the region of the recorder, opened and not scanned
 * @counts: filled in, also after an error
 *
 * Return: 0 when request->stop is set, the time is over or the output was closed; or an error.
 */
int live_follow(struct postmortem *pm, const struct live_request *request,
		const struct live_sink *sink, struct live_counts *counts, struct err *err);

/* CLOCK_MONOTONIC of this machine. */
u64 live_now(void);

#endif
