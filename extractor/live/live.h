/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running recorder, followed: all rings in the order of time; docs/live.md. */
#ifndef EPITAPH_LIVE_LIVE_H
#define EPITAPH_LIVE_LIVE_H

#include "timeline/window.h"

/**
 * struct live_sink - who gets it
 * @begin: the account has its streams now; NULL: not wanted
 * @item: what is next; valid until it returns
 * @mark: a mark of the recorder's; NULL: not wanted
 * @flush: a round is over
 *
 * Other than 0 ends it, and is what live_follow() returns.
 */
struct live_sink {
	int (*begin)(void *priv, struct err *err);
	int (*item)(void *priv, const struct item *item, struct err *err);
	int (*mark)(void *priv, const struct recording_mark *mark, struct err *err);
	int (*flush)(void *priv, struct err *err);
	void *priv;
};

/**
 * struct live_counts - what came of it
 * @events: that were given
 * @late: of these, after later ones
 * @laps: how often a ring was lapped
 * @lapped: sub-buffers that were overwritten before they were read, or in part
 * @lost: events that the writers dropped, as far as that was told
 * @damaged: sub-buffers of which something is withheld
 * @torn: events that were left unfinished
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
 * struct live_request - what is wanted
 * @window: which events; its times are not looked at
 * @last_ns: begin so long ago
 * @for_ns: end so much later than now; 0: when @stop is set
 * @wait: wait so many ns, or less; false: nobody reads any more
 */
struct live_request {
	const struct window *window;
	u64 last_ns;
	u64 for_ns;
	volatile const int *stop;
	bool (*wait)(u64 ns);
};

/**
 * live_follow() - until it is to end
 * @pm: of a region that is recorded into, opened and not scanned
 * @counts: filled in, also after an error
 */
int live_follow(struct postmortem *pm, const struct live_request *request,
		const struct live_sink *sink, struct live_counts *counts, struct err *err);

/* CLOCK_MONOTONIC of this machine. */
u64 live_now(void);

#endif
