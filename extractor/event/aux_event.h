/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What has its place in the timeline and comes out of no ring: lines of the
 * kernel's log, machine checks.
 */
#ifndef EPITAPH_EVENT_AUX_EVENT_H
#define EPITAPH_EVENT_AUX_EVENT_H

#include "base/err.h"

enum extra_kind {
	EXTRA_LOG,		/* @data: struct klog_line */
	EXTRA_MCE,		/* @data: struct mce */
};

/**
 * struct extra - one of them
 * @time: CLOCK_MONOTONIC, ns
 * @name: "system:name"
 * @cpu: or NO_CPU
 * @pid: or -1
 * @comm: NULL: unknown; not escaped
 * @nr_lost: of its kind, just before
 * @data: its owner's
 * @order: extras_add() sets it
 */
struct extra {
	enum extra_kind kind;
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
struct extras {
	struct extra *list;
	u32 nr;
	u32 room;
};

int extras_add(struct extras *extras, const struct extra *extra, struct err *err);

/* By time; those of one time stay as they were added. */
void extras_sort(struct extras *extras);

void extras_free(struct extras *extras);

#endif
