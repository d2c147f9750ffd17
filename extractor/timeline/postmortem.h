/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All that one file tells of one kernel, whoever recorded it. */
#ifndef EPITAPH_TIMELINE_POSTMORTEM_H
#define EPITAPH_TIMELINE_POSTMORTEM_H

#include "dump/dump.h"
#include "event/stream.h"
#include "ftrace/ftrace.h"
#include "linux_kernel/linux_kernel.h"
#include "recording/mce_records.h"
#include "recording/recording.h"

/* Which generation: its number from 1, or one of these. */
#define GENERATION_NEWEST	0ULL
#define GENERATION_ALL		(~0ULL)

/* Who recorded what is wanted. */
enum postmortem_source {
	POSTMORTEM_REGION = 1,		/* the recorder */
	POSTMORTEM_FTRACE = 2,		/* the kernel's own trace, out of its dump */
	POSTMORTEM_LOG = 4,		/* the kernel's log, out of its dump */
	POSTMORTEM_KERNEL = POSTMORTEM_FTRACE | POSTMORTEM_LOG,
	POSTMORTEM_ALL = POSTMORTEM_REGION | POSTMORTEM_KERNEL,	/* as far as they are there */
	POSTMORTEM_BEST = 0,		/* the recorder's; without one, the kernel's */
};

/**
 * struct postmortem_origin - which kernel it was; texts are not escaped
 * @machine: as in an ELF header
 * @has_boot_id: @boot_id is known
 * @build_id_size: 0: it is not
 */
struct postmortem_origin {
	char release[65];
	char version[65];
	u32 machine;
	u32 nr_cpus;
	bool has_boot_id;
	u8 boot_id[16];
	u8 build_id[32];
	u32 build_id_size;
};

/**
 * struct postmortem_end - how the kernel ended, as far as it is known
 * @time: CLOCK_MONOTONIC; without a known end, of the last event
 * @cpu: NO_CPU: unknown
 * @pid: -1: unknown
 * @reason: the kernel's words; not escaped, and so @comm
 */
struct postmortem_end {
	enum outcome_end how;
	u64 time;
	u64 real_ns;
	u32 cpu;
	s64 pid;
	char comm[17];
	char reason[457];
};

/**
 * struct postmortem_total - of all streams
 * @lost: events that are known to lack, at least
 * @first: time of the oldest event; @last, of the newest; where @any
 */
struct postmortem_total {
	u64 events;
	u64 lost;
	u64 first;
	u64 last;
	bool any;
};

/**
 * struct postmortem - one
 * @generations: NULL: nothing of the recorder's is in the file, nor is @recording
 * @recording: of the generation asked for; NULL for GENERATION_ALL: pm_turn()
 * @kernel: the dumped kernel; NULL: nobody asked, or it is not in the file
 * @ftrace: its own trace, after pm_scan(); NULL: none, or nobody asked; without a kernel,
 *	what is left of it
 * @beside: the dumped kernel, where only its modules' build ids are wanted of it
 * @debuginfo: of the kernel that recorded; NULL: none was asked for; @own_debuginfo: not @kernel's
 * @sources: enum postmortem_source, what there is of them
 * @instead: why there is no region, where the kernel's own is told instead of it; else ""
 * @end: without a known end, complete after pm_scan() only
 * @notes: what is wrong outside the generation
 * @mces: that the kernel printed, where there is no trace; pm_mces()
 * @streams: nr_streams of them, after pm_scan(), as all that follows
 * @extras: by time
 * @own: the buffer of @ftrace that is all of the streams, for its times have nothing in common
 *	with others; NULL: times are of CLOCK_MONOTONIC
 * @tasks: names
 */
struct postmortem {
	struct dump *in;
	struct generation_set *generations;
	struct recording *recording;
	struct kernel *kernel;
	struct ftrace *ftrace;
	struct kernel *beside;
	struct debuginfo *debuginfo;
	struct debuginfo *own_debuginfo;
	u32 sources;
	char instead[512];
	struct postmortem_origin origin;
	struct postmortem_end end;
	struct damage_notes notes;
	struct mces mces;
	struct stream **streams;
	u32 nr_streams;
	struct aux_events extras;
	struct task_names *tasks;
	struct postmortem_total total;
	const struct ftrace_buffer *own;
};

/**
 * pm_open() - open a file, or parts of one split dump, but do not look at events
 * @sources: what is wanted; a source asked for that is not there is an error
 * @generation: a number, GENERATION_NEWEST, or GENERATION_ALL
 *
 * pm_close() is needed afterwards in any case.  Return: 0 or an error
 * with the name of the first file in front.
 */
int pm_open(struct postmortem *pm, const struct dump_files *files, u32 sources,
	    u64 generation, struct err *err);

/* The same of an input, which is the account's then, also on failure. */
int pm_open_input(struct postmortem *pm, struct dump *in, u32 sources,
		  u64 generation, struct err *err);

/* Turns to another generation of the same file, the oldest being 0. */
int pm_turn(struct postmortem *pm, u32 i, struct err *err);

/* pm_scan() - look at everything that events are in */
int pm_scan(struct postmortem *pm, struct err *err);

/*
 * pm_take_own() - turn to a buffer of the kernel's trace whose times are its own
 * @channel: a glob that its name matches; NULL: the first one
 *
 * All else leaves the account: streams, extras, the crash.  If there is no such buffer, it stays.
 */
int pm_take_own(struct postmortem *pm, const char *channel, struct err *err);

/*
 * pm_add_stream() - one more, which is the account's then and freed by pm_close()
 *
 * Return: 0, or -ERR_IO without memory; @stream is freed then.
 */
int pm_add_stream(struct postmortem *pm, struct stream *stream, struct err *err);

/* @nr events from @first to @last are in a stream. */
void pm_add_total(struct postmortem *pm, u64 nr, u64 first, u64 last);

void pm_close(struct postmortem *pm);

/* How many things are damaged; what is found when events are read is known only then. */
u64 pm_damage(const struct postmortem *pm);

/* Events that are known to lack, at least; so far. */
u64 pm_lost(const struct postmortem *pm);

/* Its machine checks: the trace's, without one those of the kernel's log. */
const struct mces *pm_mces(const struct postmortem *pm);

/* Exit status: 1 with damage or loss, else 0. */
int pm_status(const struct postmortem *pm);

/* UTC of an entry, ns since 1970; 0: unknown. */
u64 pm_real(const struct postmortem *pm, const struct item *item);

#endif
