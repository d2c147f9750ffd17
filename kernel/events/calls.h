/* SPDX-License-Identifier: GPL-2.0-only */
/* calls:function: the functions that each CPU entered, by ftrace.  docs/calls.md */
#ifndef EPITAPH_EVENTS_CALLS_H
#define EPITAPH_EVENTS_CALLS_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>

struct epitaph_event;
struct tracepoint;

/* The system of the event, and the channel that it goes to. */
#define EPITAPH_CALLS	"calls"

/* Stands for the tracepoint that the event does not have: it is always there. */
extern struct tracepoint epitaph_calls_place;

/**
 * epitaph_calls_hush() - no call of any CPU is recorded while the kernel prints an oops or a panic
 * @hush: true: that begins; false: an oops is printed, and the kernel lives on; once for each true
 *
 * The lines on a serial console are thousands of calls, which would drive out those before.
 *
 * Context: any.
 */
void epitaph_calls_hush(bool hush);

/* Context of all that follow: process, may sleep. */

/**
 * epitaph_calls_start() - from here on the event can be asked for
 *
 * It is recorded into no channel until one is added that names it.
 */
void epitaph_calls_start(void);

/* The event is gone; afterwards ftrace calls no code of ours for it. */
void epitaph_calls_stop(void);

/* Is @ev the event, or a channel's copy of it? */
bool epitaph_calls_is(const struct epitaph_event *ev);

/*
 * The contexts of this CPU whose calls are not recorded, a bit for each: they are in the callback,
 * or read the clock.  Who interrupts changes bits, and changes them back.
 */
DECLARE_PER_CPU(u8, epitaph_calls_inside);

static __always_inline u8 epitaph_calls_context(void)
{
	unsigned long count = preempt_count();

	return count & NMI_MASK ? 8 : count & HARDIRQ_MASK ? 4 : count & SOFTIRQ_OFFSET ? 2 : 1;
}

/* Preemption is off. */
static __always_inline bool epitaph_calls_are_ours(void)
{
	return raw_cpu_read(epitaph_calls_inside) & epitaph_calls_context();
}

/**
 * epitaph_calls_attach() - record into the rings of @ev
 * @ev: published
 *
 * Return: 0; -EBUSY: another channel has the calls already; what ftrace said.
 */
int epitaph_calls_attach(struct epitaph_event *ev);

/* No more; afterwards no CPU is in the callback. */
void epitaph_calls_detach(struct epitaph_event *ev);

/* Is there a function that ftrace can trace which @glob fits?  0, -EINVAL, -ENOMEM. */
int epitaph_calls_check(const char *glob);

/**
 * epitaph_calls_choose() - which functions; the callers serialize this and the two around it
 * @glob: as ftrace has them, "*" is all; checked
 * @anew: none but these
 *
 * Return: 0; -EINVAL, -ENOMEM: all is as it was.
 */
int epitaph_calls_choose(const char *glob, bool anew);

/* All but these, of those that were chosen; as epitaph_calls_choose(). */
int epitaph_calls_leave_out(const char *glob);

#endif /* EPITAPH_EVENTS_CALLS_H */
