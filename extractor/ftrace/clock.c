// SPDX-License-Identifier: GPL-2.0-or-later
#include "clock.h"

#include <stdio.h>
#include <string.h>

#define MAX_CLOCKS	32
#define TICK_NS		10000000	/* of USER_HZ, and of the slowest kernel */

/* The kernel's table of clocks: a function, a name, and whether it counts ns. */
#define ENTRY_SIZE	24
#define ENTRY_NAME	8

static const struct {
	const char *name;
	enum ftrace_clock_kind kind;
} kinds[] = {
	{ "local", FTRACE_CLOCK_SCHED },
	{ "global", FTRACE_CLOCK_LOCAL },
	{ "perf", FTRACE_CLOCK_LOCAL },
	{ "mono", FTRACE_CLOCK_MONO },
	{ "mono_raw", FTRACE_CLOCK_RAW },
	{ "boot", FTRACE_CLOCK_BOOT },
	{ "tai", FTRACE_CLOCK_TAI },
	{ "x86-tsc", FTRACE_CLOCK_TSC },
	{ "uptime", FTRACE_CLOCK_TICKS },
};

/* The kernel's table, which has not changed from 6.12 to 7.3; what follows is x86's. */
static const char * const by_number[] = {
	"local", "global", "counter", "uptime", "perf", "mono", "mono_raw", "boot", "tai", "x86-tsc",
};

static enum ftrace_clock_kind clock_kind_of(const char *name)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return kinds[i].kind;
	return FTRACE_CLOCK_NONE;
}

static void take_name(struct ftrace_clock *clock, const char *name)
{
	snprintf(clock->name, sizeof(clock->name), "%s", name);
	clock->kind = clock_kind_of(name);
	if (clock->kind == FTRACE_CLOCK_TSC && strncmp(clock->kclock->source, "tsc", 3))
		clock->kind = FTRACE_CLOCK_NONE;
}

/* Their functions, for a kernel whose symbols are functions only. */
static const struct {
	const char *function;
	const char *name;
} functions[] = {
	{ "trace_clock_local", "local" },
	{ "trace_clock_global", "global" },
	{ "trace_clock_counter", "counter" },
	{ "trace_clock_jiffies", "uptime" },
	{ "trace_clock", "perf" },
	{ "ktime_get_mono_fast_ns", "mono" },
	{ "ktime_get_raw_fast_ns", "mono_raw" },
	{ "ktime_get_boot_fast_ns", "boot" },
	{ "ktime_get_tai_fast_ns", "tai" },
	{ "trace_clock_x86_tsc", "x86-tsc" },
};

static void take_function(struct ftrace_clock *clock, struct kallsyms *kallsyms, u64 func)
{
	u64 at;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (kallsyms_address(kallsyms, functions[i].function, &at) && at == func)
			return take_name(clock, functions[i].name);
}

/* The kernel's table has its clocks' functions with their names. */
void ftrace_clock_read(struct ftrace_clock *clock, const struct timekeeping *kclock,
		       const struct ftrace_memory *mem, u64 buffer)
{
	u64 table, wanted, func, at;
	char name[32];
	u32 i;

	*clock = (struct ftrace_clock){ .name = "?", .kclock = kclock };
	if (!ftrace_get(mem, buffer, BUFFER_CLOCK, &wanted))
		return;
	if (!kallsyms_address(mem->kallsyms, "trace_clocks", &table))
		return take_function(clock, mem->kallsyms, wanted);
	for (i = 0; i < MAX_CLOCKS; i++) {
		if (!vmem_u64(mem->vmem, table + i * ENTRY_SIZE, &func) ||
		    !vmem_u64(mem->vmem, table + i * ENTRY_SIZE + ENTRY_NAME, &at) || !func)
			return;
		if (func != wanted || vmem_string(mem->vmem, at, name, sizeof(name)) <= 0)
			continue;
		take_name(clock, name);
		if (!ftrace_clock_mono(clock, 0, 0, &at))
			ftrace_clock_forget(clock);
		return;
	}
}

void ftrace_clock_number(struct ftrace_clock *clock, u32 id)
{
	*clock = (struct ftrace_clock){ .kind = FTRACE_CLOCK_OWN, .name = "?" };
	if (id >= ARRAY_SIZE(by_number))
		return;
	snprintf(clock->name, sizeof(clock->name), "%s", by_number[id]);
	clock->kind = clock_kind_of(clock->name);
	ftrace_clock_forget(clock);
}

void ftrace_clock_forget(struct ftrace_clock *clock)
{
	static const char * const counts[] = { "counter", "uptime", "x86-tsc" };
	u32 i;

	clock->kind = FTRACE_CLOCK_OWN;
	for (i = 0; i < ARRAY_SIZE(counts); i++)
		if (!strcmp(clock->name, counts[i]))
			clock->kind = FTRACE_CLOCK_NONE;
}

bool ftrace_clock_is_own(const struct ftrace_clock *clock)
{
	return clock->kind == FTRACE_CLOCK_NONE || clock->kind == FTRACE_CLOCK_OWN;
}

void ftrace_clock_usual(struct ftrace_clock *clock, const struct timekeeping *kclock)
{
	*clock = (struct ftrace_clock){ .kclock = kclock };
	take_name(clock, "local");
}

/* An unknown clock counts as CLOCK_MONOTONIC, as the log's does: timekeeping.why says so. */
static bool local_mono(const struct timekeeping *kclock, u64 local_ns, u64 *ret_ns)
{
	if (kclock->known && kclock->local == KCLOCK_UNKNOWN) {
		*ret_ns = local_ns;
		return true;
	}
	return timekeeping_mono(kclock, local_ns, ret_ns);
}

bool ftrace_clock_is_unstable(const struct ftrace_clock *clock)
{
	return clock->kind == FTRACE_CLOCK_SCHED && clock->kclock->local == KCLOCK_OFFSET;
}

bool ftrace_clock_mono(const struct ftrace_clock *clock, s64 sched_offset, u64 time, u64 *ret_ns)
{
	switch (clock->kind) {
	case FTRACE_CLOCK_SCHED:
		return local_mono(clock->kclock, time + sched_offset, ret_ns);
	case FTRACE_CLOCK_LOCAL:
		return local_mono(clock->kclock, time, ret_ns);
	case FTRACE_CLOCK_MONO:
		*ret_ns = time;
		return true;
	case FTRACE_CLOCK_BOOT:
		return timekeeping_mono_of_boot(clock->kclock, time, ret_ns);
	case FTRACE_CLOCK_TAI:
		return timekeeping_mono_of_tai(clock->kclock, time, ret_ns);
	case FTRACE_CLOCK_RAW:
		return timekeeping_mono_of_raw(clock->kclock, time, ret_ns);
	case FTRACE_CLOCK_TSC:
		return timekeeping_mono_of_counter(clock->kclock, time, ret_ns);
	case FTRACE_CLOCK_TICKS:
		*ret_ns = time * TICK_NS;
		return true;
	case FTRACE_CLOCK_NONE:
	case FTRACE_CLOCK_OWN:
		break;
	}
	*ret_ns = time;
	return true;
}

u64 ftrace_clock_doubt(const struct ftrace_clock *clock)
{
	if (clock->kind == FTRACE_CLOCK_TICKS)
		return TICK_NS;
	/* sched_clock() of CPUs without a counter in common: a tick apart at most. */
	if ((clock->kind == FTRACE_CLOCK_SCHED || clock->kind == FTRACE_CLOCK_LOCAL) &&
	    clock->kclock->local != KCLOCK_COUNTER)
		return TICK_NS;
	return 0;
}

u64 ftrace_clock_bound(const struct ftrace_clock *clock, u64 mono)
{
	switch (clock->kind) {
	case FTRACE_CLOCK_MONO:
	case FTRACE_CLOCK_BOOT:
	case FTRACE_CLOCK_TAI:
		return 0;
	case FTRACE_CLOCK_TICKS:
		return TICK_NS;
	case FTRACE_CLOCK_NONE:
	case FTRACE_CLOCK_OWN:
		return 0;
	default:
		return timekeeping_bound(clock->kclock, mono);
	}
}
