/* SPDX-License-Identifier: GPL-2.0-only */
/* The interface between the files of epitaph.ko. */
#ifndef _EPITAPH_RECORDER_H
#define _EPITAPH_RECORDER_H

#define EPITAPH_VERSION "0.1"

#include <linux/percpu.h>
#include <linux/types.h>
#include <epitaph/check.h>
#include <epitaph/format.h>
#include <epitaph/layout.h>
#include <epitaph/pool.h>
#include <epitaph/record.h>
#include <epitaph/ring.h>

struct epitaph_event;
struct epitaph_format_more;
struct epitaph_place;
struct task_struct;

/**
 * struct epitaph_region - the generation that is recorded into
 * @base: of it, mapped
 * @size: of it, bytes
 * @phys: of @base
 * @salt: of this generation; seed of all checks
 *
 * There is one.  It is valid from epitaph_region_open() to
 * epitaph_region_close(), and nothing records before or after.
 */
struct epitaph_region {
	u8		*base;
	u64		size;
	phys_addr_t	phys;
	u64		salt;
};
extern struct epitaph_region epitaph_region;

/* region.c */
int epitaph_region_open(void);
void epitaph_region_close(void);

/* How its memory was come by; any context, between these two. */
enum epitaph_memory epitaph_region_kind(void);

struct epitaph_extent;
/**
 * epitaph_region_adopt() - as epitaph_region_open(), without an allocator and without checks
 * @mem: mapped; it is what the kernel's command line sets aside
 *
 * Context: the kernel is dying, one CPU runs.
 */
int epitaph_region_adopt(const struct epitaph_extent *mem);

/**
 * epitaph_region_format() - lay a generation out and write its header
 *
 * Where it goes, what earlier boots left decides.  From here on a reader finds
 * it, empty.
 * Return: 0, -ENOMEM, or -EIO: no slot without a page that cannot be read.
 */
int epitaph_region_format(void);

/**
 * epitaph_section() - where a section lies
 * @type: of the section, but EPITAPH_SEC_RING
 * @size: its bytes, set on return
 *
 * Context: any, after epitaph_region_format().
 */
void *epitaph_section(enum epitaph_section_type type, size_t *size);

/* region.c: room for channels, from epitaph_region_format() on; events_lock of probe.c */
extern struct epitaph_pool epitaph_pool;

/* A ring in the region; that of EPITAPH_CHANNEL_USER is @cpu 0's. */
u8 *epitaph_ring_memory(enum epitaph_channel_id channel, unsigned int cpu, u32 *bytes,
			u32 *sub_size);

/* earlier.c: what earlier boots left; the rest is in epitaph/earlier.h */
void epitaph_earlier_find(void);
void epitaph_earlier_look(void);	/* the same: headers with flipped bits stay, nothing is said; any context */
/* Of kernels that recorded while this one was hibernated, and ended in order: readers take the newest. */
void epitaph_earlier_erase_later(void);
int epitaph_earlier_place(struct epitaph_place *place, u64 gen_size, u32 nr_gens);

#define EPITAPH_UNKNOWN_PID	(~0U)	/* a ring's pid: the next event must record it */

/* record.c: the rings of all CPUs, by channel */
DECLARE_PER_CPU(struct epitaph_ring [EPITAPH_NR_CHANNELS], epitaph_rings);
int epitaph_rings_start(void);
/**
 * epitaph_ring_place() - where a ring is, for epitaph_ring_init()
 * @ring: zeroed; all but its pid is filled in
 */
void epitaph_ring_place(struct epitaph_ring *ring, enum epitaph_channel_id channel,
			unsigned int cpu);
struct epitaph_ring __percpu *epitaph_rings_for(const struct epitaph_event *ev);
/* From here on, @pid runs; any context, @ring of this CPU. */
void epitaph_ring_record_pid(struct epitaph_ring *ring, u32 pid);

/* formats.c */
int epitaph_formats_init(void);
void epitaph_formats_exit(void);
int epitaph_event_publish(struct epitaph_event *ev);
void epitaph_event_retract(struct epitaph_event *ev);
/* Another id and format for an event that is published; the id, or an error as epitaph_event_publish(). */
int epitaph_format_more_publish(const struct epitaph_event *ev, const struct epitaph_format_more *more);
void epitaph_event_choose_path(struct epitaph_event *ev);	/* may its probe take the fast path now? */
u32 epitaph_id_take(void);				/* any context; 0: there are no more */
/* What the kernel's "format" file says of an event is that of @id; process context. */
int epitaph_format_publish(u32 id, const char *system, const char *format);
struct epitaph_event *epitaph_event_by_id(u32 id);	/* any context; RCU read side */
extern u32 epitaph_switch_id;				/* of sched:sched_switch; 0: none yet */
extern struct epitaph_event *epitaph_switch_event;	/* the same in main, or NULL */

/* clock.c: -EINVAL, and the log says why: there is no such clock */
int epitaph_clock_choose(void);
enum epitaph_clock_id epitaph_clock_id(void);
u32 epitaph_clock_khz(void);
u32 epitaph_clock_shift(void);
u64 epitaph_ns_since(u64 clock);			/* what our clock has counted since; any context */
u64 epitaph_real_ns(void);				/* CLOCK_REALTIME; any context */
/* The kernel has no CLOCK_REALTIME yet, and it is @ns now. */
void epitaph_real_is(u64 ns);

/* clock_anchor.c */
void epitaph_anchor_write(enum epitaph_anchor_reason reason);	/* any context */
void epitaph_anchors_find(void);			/* and write the first one; any context */
void epitaph_anchors_start(void);			/* the same, and one each second */
void epitaph_anchors_are_good(bool anew);		/* from now on; @anew: instead of those so far */
void epitaph_anchors_stop(void);
/*
 * No anchor once a second from now on, and again.  A kernel that is resumed from its image
 * does not know of those that were written behind it; their times are not those of this clock.
 */
void epitaph_anchors_pause(void);			/* process context, as the next */
void epitaph_anchors_go_on(void);

/* skew.c: how far the clocks of CPUs differ; all in process context */
void epitaph_skew_start(void);
void epitaph_skew_stop(void);
/* Measure nothing from now on, and again. */
void epitaph_skew_pause(bool pause);

/* task.c: names by pid, and the running task */
int epitaph_tasks_start(void);
void epitaph_tasks_stop(void);
void epitaph_task_note(struct task_struct *task);	/* any context */
/* The probe of epitaph_switch_event, @ev, is called; NULL: no more. */
void epitaph_tasks_record(struct epitaph_event *ev);
/*
 * The main channel is to be recorded, or it is stopped: then neither its rings nor the names
 * of its tasks change.  Process context, epitaph_events_lock() held.
 */
void epitaph_tasks_run(bool run);

/* symbol.c: names by address */
int epitaph_symbols_start(void);
void epitaph_symbols_stop(void);
void epitaph_symbol_note(unsigned long addr);		/* any context */
/* The same, if there is ample room: its name is written by what follows. */
void epitaph_symbol_note_call(unsigned long addr);
void epitaph_symbols_name_calls(bool on);		/* from time to time; may sleep */
void epitaph_symbols_name_now(void);			/* any context, with RCU watching */
/* No address of a kernel: 2^62 and the number of a cgroup, whose name is its path (docs/format.md). */
#define EPITAPH_SYMBOL_CGROUP	0x4000000000000000ULL
/* Of such a one: is it there, or is there no room?  Any context. */
bool epitaph_symbol_is_known(unsigned long key);
void epitaph_symbol_write(unsigned long key, const char *name);
/* 2^62 + 2^60 and the number of a disk or a partition, whose name is the kernel's: sda1. */
#define EPITAPH_SYMBOL_DEVICE	0x5000000000000000ULL
/* The same of a key whose name may change: the name before ends now.  Process context, one at a time. */
void epitaph_symbol_rename(unsigned long key, const char *name);

/* disk.c: names of disks; process context */
void epitaph_disks_start(void);
void epitaph_disks_stop(void);

/* mark.c */
void epitaph_mark(enum epitaph_mark_type type, const char *text);	/* any context */
u64 epitaph_marks_written(void);
u32 epitaph_marks_kept(void);				/* the newest ones */

/* crash.c: hooks on the way down; they improve the result and may fail */
void epitaph_crash_start(void);
void epitaph_crash_stop(void);

/* sysrq.c */
void epitaph_sysrq_start(void);
void epitaph_sysrq_stop(void);

#endif /* _EPITAPH_RECORDER_H */
