/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The common part of the exports for tools: a postmortem as events. Each event has a class and a
 * lane. An item that is no event is counted, and exporter_tell() prints the counts at the end.
 */
#ifndef EPITAPH_EXPORT_EXPORTER_H
#define EPITAPH_EXPORT_EXPORTER_H

#include "timeline/event_class.h"
#include "timeline/window.h"

#define EXPORTER_MAX_CPU	8192	/* a larger CPU number is damage: the CPU is unknown */

/**
 * struct lane - what one CPU recorded in one channel
 * @channel: not escaped
 * @cpu: or NO_CPU
 * @copy: from 0: how many lanes before this one say the same of themselves
 * @withheld: events that are not given, or were lost before one that is not, since the last that was given
 * @is_lost: some are, and perhaps more than @withheld
 */
struct lane {
	const char *channel;
	u32 cpu;
	u32 copy;
	u64 withheld;
	bool is_lost;
};

/**
 * struct exported - one event
 * @payload: @size bytes, from behind what all events have; they hold what @class speaks of,
 *	but for a stack that is not as deep
 * @item: for the rest; its payload is not this one if @class is one of our own
 * @lost: events of this lane that are not there before this one, as far as that is known
 * @is_lost: some are, and perhaps more than @lost
 */
struct exported {
	const struct event_class *class;
	u32 lane;
	const u8 *payload;
	u32 size;
	const struct item *item;
	u64 lost;
	bool is_lost;
};

/**
 * struct exporter - an export under way
 * @pm: scanned; the caller's, and so @window, whose choice is made
 * @lanes: nr_lanes of them; more may come at each event
 * @order: of numbers in payloads
 * @stacks: the caller's: give kernel stacks though they end before their format does
 * @shown: events given
 * @raw: of these, given as bytes
 * @cut: texts that were too long
 * @torn: events claimed and not committed, which are not given
 * @withheld: events of damaged sub-buffers, which are not either
 */
struct exporter {
	struct postmortem *pm;
	const struct window *window;
	struct event_classes *classes;
	struct lane *lanes;
	u32 nr_lanes;
	enum byte_order order;
	struct pack own;
	bool stacks;
	u64 shown;
	u64 raw;
	u64 cut;
	u64 torn;
	u64 withheld;
};

/* What the kernel's trace calls the clock of all times: "mono", or that of a buffer which has no place among others. */
const char *exporter_clock(const struct exporter *ex);

/* exporter_close() is needed afterwards in any case. */
int exporter_open(struct exporter *ex, struct postmortem *pm, const struct window *window,
		  struct err *err);
void exporter_close(struct exporter *ex);

/*
 * exporter_run() - give all events of the window to @take, in the order of time
 *
 * Counts anew each time.  Stops where @take returns other than 0, and returns that.
 */
int exporter_run(struct exporter *ex, int (*take)(void *priv, const struct exported *event),
		 void *priv, struct err *err);

/* Passes one item to @take. The item need not come from the timeline of @ex. */
int exporter_give(struct exporter *ex, const struct item *item,
		  int (*take)(void *priv, const struct exported *event), void *priv,
		  struct err *err);

/* Says on stderr what is not in the export, and why; nothing if all is. */
void exporter_tell(const struct exporter *ex, const char *format);

#endif
