/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What has its place in the timeline and comes out of no ring: lines of the
 * kernel's log, machine checks.
 */
#ifndef EPITAPH_EVENT_AUX_EVENT_H
#define EPITAPH_EVENT_AUX_EVENT_H

#include "base/err.h"

enum aux_event_kind {
	AUX_EVENT_LOG,		/* @data: struct klog_line */
	AUX_EVENT_MCE,		/* @data: struct mce */
};

/**
 * struct aux_event - one of them
 * @time: CLOCK_MONOTONIC, ns
 * @name: "system:name"
 * @cpu: or NO_CPU
 * @pid: or -1
 * @comm: NULL: unknown; not escaped
 * @nr_lost: of its kind, just before
 * @data: its owner's
 * @order: aux_events_add() sets it
 */
struct aux_event {
	enum aux_event_kind kind;
	u64 time;
	const char *name;
	u32 cpu;
	s64 pid;
	const char *comm;
	u64 nr_lost;
	const void *data;
	u32 order;
};

/* Any number of them; all zero is none. */
struct aux_events {
	struct aux_event *list;
	u32 nr;
	u32 room;
};

int aux_events_add(struct aux_events *extras, const struct aux_event *extra, struct err *err);

/* By time; those of one time stay as they were added. */
void aux_events_sort(struct aux_events *extras);

void aux_events_free(struct aux_events *extras);

#endif
