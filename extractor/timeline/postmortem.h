/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: postmortem - all that one file says of one kernel
 *
 * A file holds generations of the recorder, a dumped kernel with its own trace and log, or both.
 * A postmortem opens what the caller asks for. A timeline (timeline.h) merges all of it:
 *
 *	struct postmortem pm;
 *	int ret = pm_open(&pm, &files, POSTMORTEM_BEST, GENERATION_NEWEST, &err);
 *
 *	if (!ret)
 *		ret = pm_scan(&pm, &err);
 *	if (!ret)
 *		ret = timeline_open(&timeline, &pm, 0, false, &err);
 *	while (!ret && (item = timeline_next(timeline)))
 *		...
 *	timeline_close(timeline);
 *	pm_close(&pm);
 *
 * The caller owns the struct, the postmortem owns all that it points to. One thread at a time may
 * use a postmortem. Times are ns of the recorded kernel's CLOCK_MONOTONIC unless said otherwise.
 */
#ifndef EPITAPH_TIMELINE_POSTMORTEM_H
#define EPITAPH_TIMELINE_POSTMORTEM_H

#include "console/console.h"
#include "dump/dump.h"
#include "event/stream.h"
#include "ftrace/ftrace.h"
#include "linux_kernel/linux_kernel.h"
#include "recording/mce_records.h"
#include "recording/recording.h"

/* Which generation: its number from 1, or one of these. */
#define GENERATION_NEWEST	0ULL
#define GENERATION_ALL		(~0ULL)
/* The @n-th before the newest, from 1 on: a damaged file may have a number twice, or none. */
#define GENERATION_BACK(n)	(GENERATION_ALL - (n))
#define GENERATIONS_BACK	(1U << 20)	/* there may be so many; the boots of a console's text are the most */

/* Where events come from. */
enum postmortem_source {
	POSTMORTEM_REGION = 1,		/* the recorder */
	POSTMORTEM_FTRACE = 2,		/* the kernel's own trace, out of its dump */
	POSTMORTEM_LOG = 4,		/* the kernel's log, out of its dump */
	POSTMORTEM_KERNEL = POSTMORTEM_FTRACE | POSTMORTEM_LOG,
	POSTMORTEM_ALL = POSTMORTEM_REGION | POSTMORTEM_KERNEL,	/* all that the file has */
	POSTMORTEM_BEST = 0,		/* the recorder; without a recorder, the kernel */
};

/**
 * struct postmortem_origin - which kernel it was; texts are not escaped
 * @machine: as in an ELF header
 * @has_boot_id: @boot_id is known
 * @build_id_size: 0: @build_id is unknown
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
 * @time: if the end is unknown, the time of the last event
 * @real_ns: UTC, ns since 1970; 0: unknown
 * @cpu: NO_CPU: unknown
 * @pid: -1: unknown
 * @comm: not escaped
 * @reason: in the kernel's words, but for @is_unsaid; not escaped
 * @is_unsaid: it died, and its own words are not there
 */
struct postmortem_end {
	enum outcome_end how;
	u64 time;
	u64 real_ns;
	u32 cpu;
	s64 pid;
	char comm[17];
	char reason[457];
	bool is_unsaid;
};

/**
 * struct postmortem_total - sums over all streams
 * @lost: events that are known to be missing: a lower bound
 * @first: time of the oldest event; valid where @any
 * @last: time of the newest event; valid where @any
 * @any: there is an event
 */
struct postmortem_total {
	u64 events;
	u64 lost;
	u64 first;
	u64 last;
	bool any;
};

/**
 * struct postmortem - all that one file says of one kernel
 * @dump: the file
 * @generations: NULL: the file has no region, and @recording is NULL as well
 * @recording: the generation asked for; NULL for GENERATION_ALL until pm_turn()
 * @kernel: the dumped kernel; NULL: not asked for, or not in the file
 * @ftrace: the kernel's own trace, after pm_scan(); NULL: none, or not asked for. Without @kernel,
 *	what is left of the trace.
 * @console: the file is its text, and has neither @recording nor @kernel; else NULL
 * @modules_kernel: the dumped kernel, opened only for the build ids of its modules, or for names
 * @block_devices: of the dumped kernel, read when the first name is asked for
 * @named_by_kernel: does the dumped kernel name what the recording has no name of?
 * @debuginfo: of the kernel that recorded; NULL: none was asked for
 * @owned_debuginfo: @debuginfo, unless that belongs to @kernel
 * @sources: the enum postmortem_source that the file has
 * @why_no_region: why the kernel's own trace is used instead of a region; else ""
 * @why_no_kernel: why a dump with a region has no @kernel, though it was asked for; "" where the
 *	file is no dump of a kernel
 * @is_other_boot: recording and dumped kernel are of two boots, and one of them is left out: their
 *	times, tasks and addresses have nothing to do with each other
 * @end: if the end is unknown, complete only after pm_scan()
 * @notes: damage outside the generation
 * @mces: machine checks that the kernel printed, if there is no recording; see pm_mces()
 * @streams: sources of events; after pm_scan(), as all that follows
 * @aux_events: log lines and machine checks, in the order of time
 * @tasks: names of tasks
 * @total: sums over @streams
 * @isolated_buffer: the only buffer in @streams, because its clock has no relation to any other
 *	clock; NULL: all times are CLOCK_MONOTONIC
 */
struct postmortem {
	struct dump *dump;
	struct generation_set *generations;
	struct recording *recording;
	struct kernel *kernel;
	struct ftrace *ftrace;
	struct console *console;
	struct kernel *modules_kernel;
	struct block_devices *block_devices;
	enum { NAMED_NOT_ASKED, NAMED, NAMED_NOT } named_by_kernel;
	struct debuginfo *debuginfo;
	struct debuginfo *owned_debuginfo;
	u32 sources;
	char why_no_region[512];
	char why_no_kernel[512];
	bool is_other_boot;
	struct postmortem_origin origin;
	struct postmortem_end end;
	struct damage_notes notes;
	struct mces mces;
	struct stream **streams;
	u32 nr_streams;
	struct aux_events aux_events;
	struct task_names *tasks;
	struct postmortem_total total;
	const struct ftrace_buffer *isolated_buffer;
};

/**
 * pm_open() - open a file, or the parts of one split dump, without reading events
 * @sources: enum postmortem_source; a source that is asked for by name and is missing is an error
 * @generation: a number, GENERATION_NEWEST, GENERATION_ALL, or GENERATION_BACK()
 *
 * If the kernel was asked for too and is surely of another boot than the generation, it is left out.
 *
 * Call pm_close() afterwards, also on failure. Return: 0 or an error that begins with the name of
 * the first file.
 */
int pm_open(struct postmortem *pm, const struct dump_files *files, u32 sources,
	    u64 generation, struct err *err);

/**
 * pm_open_guest() - the same of a virtual machine, whose host the file is of
 * @guest: its name, its UUID or the number of its process
 */
int pm_open_guest(struct postmortem *pm, const struct dump_files *files, const char *guest, u32 sources,
		  u64 generation, struct err *err);

/* pm_open() of an open dump. The postmortem owns @dump from now on, also on failure. */
int pm_open_dump(struct postmortem *pm, struct dump *dump, u32 sources,
		 u64 generation, struct err *err);

/* Turn to the @i-th generation of the same file; 0 is the oldest. pm_scan() is needed again. */
int pm_turn(struct postmortem *pm, u32 i, struct err *err);

/* Read where the events are, and the aux events themselves. */
int pm_scan(struct postmortem *pm, struct err *err);

/* The first buffer with a clock of its own; @channel: a glob for its name; NULL: any. NULL: there is none. */
const struct ftrace_buffer *pm_isolated_buffer(const struct postmortem *pm, const char *channel);

/**
 * pm_select_isolated() - turn to a buffer of the kernel's trace with a clock of its own
 * @channel: a glob for the name of the buffer; NULL: the first such buffer
 *
 * Streams, aux events and the crash leave the postmortem: they have no place beside that buffer.
 * Without such a buffer, nothing changes.
 */
int pm_select_isolated(struct postmortem *pm, const char *channel, struct err *err);

/**
 * pm_add_stream() - add a stream, which pm_close() frees
 *
 * Return: 0, or -ERR_IO without memory; @stream is freed then.
 */
int pm_add_stream(struct postmortem *pm, struct stream *stream, struct err *err);

/* Count the @nr events of a stream, which lie between @first and @last. */
void pm_add_total(struct postmortem *pm, u64 nr, u64 first, u64 last);

void pm_close(struct postmortem *pm);

/* Number of damaged things found so far: reading events may find more. */
u64 pm_damage(const struct postmortem *pm);

/* Number of events known to be missing so far: a lower bound. */
u64 pm_lost(const struct postmortem *pm);

/* Machine checks: those of the recording; without a recording, those of the kernel's log. */
const struct mces *pm_mces(const struct postmortem *pm);

/**
 * pm_device_name() - a disk or a partition
 * @dev: dev_t, as the kernel has it: 20 bits are the minor
 * @raw: when, as events have it
 * @buf: gets "vda1", not escaped
 *
 * It is what the recorder kept, or else what the dumped kernel had when it stopped.
 *
 * Return: false: not known.
 */
bool pm_device_name(const struct postmortem *pm, u32 dev, u64 raw, char buf[PRINT_NAME_MAX]);

/* Exit status of a command: ERR_DAMAGED with damage or loss, else ERR_OK. */
int pm_status(const struct postmortem *pm);

/* The kernel's own log, of its dump or of the text of its console; never NULL. */
const struct printk_ringbuffer *pm_log(const struct postmortem *pm);

/* UTC of an item, ns since 1970; 0: unknown. */
u64 pm_real(const struct postmortem *pm, const struct item *item);

#endif
