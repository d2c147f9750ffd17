// SPDX-License-Identifier: GPL-2.0-only
/*
 * calls:function: the functions that each CPU entered, and from where.
 *
 * ftrace calls us at the entry of any function that it can trace, in NMI as well, and where RCU does
 * not watch.  Our own functions are compiled without its calls; those of the kernel that they call
 * are not recorded.
 */
#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <epitaph/record.h>
#include "calls.h"
#include "compat.h"
#include "hook.h"
#include "probe.h"
#include "recorder.h"

/* The payload: how far from @base, which the print format has; in the machine's byte order, as any. */
struct call {
	u32	ip;
	u32	parent_ip;
};

#define CALL_WORDS	(1 + sizeof(struct call) / 4)

static const struct epitaph_field fields[] = {
	{ .type = "int", .name = "ip", .size = 4, .align = 4, .is_signed = 1 },
	{ .type = "int", .name = "parent_ip", .size = 4, .align = 4, .is_signed = 1 },
	{}
};

static const struct epitaph_enum *const no_enums[] = { NULL };

/* A function of the kernel's: most of the others are within 2 GiB, and the modules where they can be. */
static unsigned long base;
static char print_fmt[128];
struct tracepoint epitaph_calls_place = { .name = "function" };

static struct epitaph_event event = {
	.size = sizeof(struct call),
	.system = EPITAPH_CALLS,
	.name = "function",
	.fields = fields,
	.print_fmt = print_fmt,
	.enums = no_enums,
};
static struct epitaph_event *events[] = { &event };

/* What the callback records as; changes only while ftrace does not call it. */
static struct epitaph_event *recorded;
static bool has_choice;

/* How many reports of a death are under way; after panic() it stays. */
static atomic_t nr_hushed;

/* What is nowhere near, as code that was made at run time, is at S32_MIN, where no code is. */
static __always_inline u32 distance_of(unsigned long addr)
{
	long far = addr - base;

	return likely(far == (s32)far) ? far : S32_MIN;
}

static noinline notrace void record_call_slowly(const struct epitaph_event *ev, struct call call)
{
	struct epitaph_ring *ring = this_cpu_ptr(ev->rings);
	struct epitaph_claim claim;

	/* What steers, now or in a moment, may be freed where RCU does not watch. */
	if (!rcu_is_watching())
		return;
	claim = epitaph_claim_any(ev, ring, sizeof(call) / 4);
	if (!claim.w)
		return;
	memcpy(epitaph_claim_payload(claim), &call, sizeof(call));
	epitaph_settle_any(ev, ring, claim, sizeof(call) / 4);
}

static __always_inline void record_call(const struct epitaph_event *ev, unsigned long ip,
					unsigned long parent_ip)
{
	struct call call = { distance_of(ip), distance_of(parent_ip) };
	struct epitaph_ring *ring = this_cpu_ptr(ev->rings);
	struct epitaph_fast fast __attribute__((uninitialized));

	epitaph_symbol_note_call(ip);
	epitaph_symbol_note_call(parent_ip);
	if (unlikely(READ_ONCE(ring->pid) != current->pid || !data_race(ev->first) ||
		     READ_ONCE(ev->steer) || READ_ONCE(ev->is_between) ||
		     !epitaph_fast_claim(ring, &fast, CALL_WORDS))) {
		record_call_slowly(ev, call);
		return;
	}
	fast.w[1] = (__force __le32)call.ip;
	fast.w[2] = (__force __le32)call.parent_ip;
	epitaph_fast_commit(ring, &fast, ev->first, CALL_WORDS);
}

DEFINE_PER_CPU(u8, epitaph_calls_inside);

/*
 * What the callback calls of the kernel's would call it again, and that one would find the ring
 * changed, and so on.
 */
static void notrace entered_function(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	const struct epitaph_event *ev;
	u8 mine, others;

	if (atomic_read(&nr_hushed))
		return;
	preempt_disable_notrace();
	mine = epitaph_calls_context();
	others = raw_cpu_read(epitaph_calls_inside);
	ev = READ_ONCE(recorded);
	if (ev && !(others & mine)) {
		raw_cpu_write(epitaph_calls_inside, others | mine);
		barrier();
		record_call(ev, ip, parent_ip);
		barrier();
		raw_cpu_write(epitaph_calls_inside, others);
	}
	preempt_enable_notrace();
}

/* Dynamic: taking it off waits for all CPUs, also in a kernel that has the recorder in its image. */
static struct ftrace_ops ops = { .func = entered_function, .flags = FTRACE_OPS_FL_DYNAMIC };
static struct ftrace_ops trial;		/* never registered: does any function fit? */

void notrace epitaph_calls_hush(bool hush)
{
	if (hush)
		atomic_inc(&nr_hushed);
	else
		atomic_dec_if_positive(&nr_hushed);
}

bool epitaph_calls_is(const struct epitaph_event *ev)
{
	return ev->fields == fields;
}

int epitaph_calls_attach(struct epitaph_event *ev)
{
	int err;

	if (recorded)
		return -EBUSY;
	WRITE_ONCE(recorded, ev);
	err = register_ftrace_function(&ops);
	if (err)
		WRITE_ONCE(recorded, NULL);
	epitaph_symbols_name_calls(!err);
	return err;
}

void epitaph_calls_detach(struct epitaph_event *ev)
{
	if (recorded != ev)
		return;
	/* Waits until no CPU is in a callback, also where RCU does not watch. */
	if (unregister_ftrace_function(&ops))
		epitaph_hook_stay();
	WRITE_ONCE(recorded, NULL);
	epitaph_symbols_name_calls(false);
}

typedef int (*set_globs_t)(struct ftrace_ops *ops, unsigned char *buf, int len, int reset);

/* ftrace writes into what it gets.  @sign: "!" takes the glob out of the list, "" puts it in. */
static int set_glob(set_globs_t set, struct ftrace_ops *of, const char *sign, const char *glob, bool anew)
{
	unsigned char copy[KSYM_NAME_LEN];
	int len = snprintf(copy, sizeof(copy), "%s%s", sign, glob);

	return len < sizeof(copy) ? set(of, copy, len, anew) : -EINVAL;
}

/* ftrace takes a number for a place in its list, and "!" for a sign. */
int epitaph_calls_check(const char *glob)
{
	int err;

	if (!strcmp(glob, "*"))
		return 0;
	if (!*glob || *glob == '!' || (*glob >= '0' && *glob <= '9'))
		return -EINVAL;
	err = set_glob(ftrace_set_filter, &trial, "", glob, true);
	/* ftrace_free_filter() would leave it with what is freed. */
	ftrace_set_filter(&trial, NULL, 0, 1);
	return err;
}

int epitaph_calls_choose(const char *glob, bool anew)
{
	int err = 0;

	if (!strcmp(glob, "*")) {
		ftrace_set_notrace(&ops, NULL, 0, 1);
		has_choice = false;
		return ftrace_set_filter(&ops, NULL, 0, 1);
	}
	/* Else it is among all. */
	if (anew || has_choice)
		err = set_glob(ftrace_set_filter, &ops, "", glob, anew);
	if (err)
		return err;
	has_choice |= anew;
	if (anew)
		return ftrace_set_notrace(&ops, NULL, 0, 1);
	/* It may have been left out, or not. */
	set_glob(ftrace_set_notrace, &ops, "!", glob, false);
	return 0;
}

int epitaph_calls_leave_out(const char *glob)
{
	return set_glob(ftrace_set_notrace, &ops, "", glob, false);
}

void epitaph_calls_start(void)
{
	base = (unsigned long)panic;
	scnprintf(print_fmt, sizeof(print_fmt),
		  "\"%%ps <-%%ps\", (void *)(0x%lx + REC->ip), (void *)(0x%lx + REC->parent_ip)", base, base);
	has_choice = false;
	if (epitaph_events_register(events, ARRAY_SIZE(events)))
		pr_warn("calls cannot be recorded\n");
}

void epitaph_calls_stop(void)
{
	epitaph_events_unregister(events, ARRAY_SIZE(events));
	ftrace_free_filter(&ops);
	ftrace_free_filter(&trial);
}
