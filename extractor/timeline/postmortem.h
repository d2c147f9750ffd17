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
enum account_source {
	ACCOUNT_REGION = 1,		/* the recorder */
	ACCOUNT_FTRACE = 2,		/* the kernel's own trace, out of its dump */
	ACCOUNT_LOG = 4,		/* the kernel's log, out of its dump */
	ACCOUNT_KERNEL = ACCOUNT_FTRACE | ACCOUNT_LOG,
	ACCOUNT_ALL = ACCOUNT_REGION | ACCOUNT_KERNEL,	/* as far as they are there */
	ACCOUNT_BEST = 0,		/* the recorder's; without one, the kernel's */
};

/**
 * struct account_origin - which kernel it was; texts are not escaped
 * @machine: as in an ELF header
 * @has_boot_id: @boot_id is known
 * @build_id_size: 0: it is not
 */
struct account_origin {
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
 * struct account_end - how the kernel ended, as far as it is known
 * @time: CLOCK_MONOTONIC; without a known end, of the last event
 * @cpu: NO_CPU: unknown
 * @pid: -1: unknown
 * @reason: the kernel's words; not escaped, and so @comm
 */
struct account_end {
	enum fate_end how;
	u64 time;
	u64 real_ns;
	u32 cpu;
	s64 pid;
	char comm[17];
	char reason[457];
};

/**
 * struct account_total - of all streams
 * @lost: events that are known to lack, at least
 * @first: time of the oldest event; @last, of the newest; where @any
 */
struct account_total {
	u64 events;
	u64 lost;
	u64 first;
	u64 last;
	bool any;
};

/**
 * struct account - one
 * @regions: NULL: nothing of the recorder's is in the file, nor is @trace
 * @trace: of the generation asked for; NULL for GENERATION_ALL: account_turn()
 * @kernel: the dumped kernel; NULL: nobody asked, or it is not in the file
 * @ftrace: its own trace, after account_scan(); NULL: none, or nobody asked; without a kernel,
 *	what is left of it
 * @beside: the dumped kernel, where only its modules' build ids are wanted of it
 * @debuginfo: of the kernel that recorded; NULL: none was asked for; @own_debuginfo: not @kernel's
 * @sources: enum account_source, what there is of them
 * @instead: why there is no region, where the kernel's own is told instead of it; else ""
 * @end: without a known end, complete after account_scan() only
 * @notes: what is wrong outside the generation
 * @mces: that the kernel printed, where there is no trace; account_mces()
 * @streams: nr_streams of them, after account_scan(), as all that follows
 * @extras: by time
 * @own: the buffer of @ftrace that is all of the streams, for its times have nothing in common
 *	with others; NULL: times are of CLOCK_MONOTONIC
 * @tasks: names
 */
struct account {
	struct input *in;
	struct regions *regions;
	struct trace *trace;
	struct kernel *kernel;
	struct ftrace *ftrace;
	struct kernel *beside;
	struct debuginfo *debuginfo;
	struct debuginfo *own_debuginfo;
	u32 sources;
	char instead[512];
	struct account_origin origin;
	struct account_end end;
	struct notes notes;
	struct mces mces;
	struct stream **streams;
	u32 nr_streams;
	struct extras extras;
	struct tasks *tasks;
	struct account_total total;
	const struct ftrace_buffer *own;
};

/**
 * account_open() - open a file, or parts of one split dump, but do not look at events
 * @sources: what is wanted; a source asked for that is not there is an error
 * @generation: a number, GENERATION_NEWEST, or GENERATION_ALL
 *
 * account_close() is needed afterwards in any case.  Return: 0 or an error
 * with the name of the first file in front.
 */
int account_open(struct account *account, const struct input_files *files, u32 sources,
		 u64 generation, struct err *err);

/* The same of an input, which is the account's then, also on failure. */
int account_open_input(struct account *account, struct input *in, u32 sources,
		       u64 generation, struct err *err);

/* Turns to another generation of the same file, the oldest being 0. */
int account_turn(struct account *account, u32 i, struct err *err);

/* account_scan() - look at everything that events are in */
int account_scan(struct account *account, struct err *err);

/*
 * account_take_own() - turn to a buffer of the kernel's trace whose times are its own
 * @channel: a glob that its name matches; NULL: the first one
 *
 * All else leaves the account: streams, extras, the crash.  If there is no such buffer, it stays.
 */
int account_take_own(struct account *account, const char *channel, struct err *err);

/*
 * account_add_stream() - one more, which is the account's then and freed by account_close()
 *
 * Return: 0, or -ERR_IO without memory; @stream is freed then.
 */
int account_add_stream(struct account *account, struct stream *stream, struct err *err);

/* @nr events from @first to @last are in a stream. */
void account_add_total(struct account *account, u64 nr, u64 first, u64 last);

void account_close(struct account *account);

/* How many things are damaged; what is found when events are read is known only then. */
u64 account_damage(const struct account *account);

/* Events that are known to lack, at least; so far. */
u64 account_lost(const struct account *account);

/* Its machine checks: the trace's, without one those of the kernel's log. */
const struct mces *account_mces(const struct account *account);

/* Exit status: 1 with damage or loss, else 0. */
int account_status(const struct account *account);

/* UTC of an entry, ns since 1970; 0: unknown. */
u64 account_real(const struct account *account, const struct entry *entry);

#endif
