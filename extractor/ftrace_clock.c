// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace_clock.h"

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
	{ "local", FTRACE_CLOCK_LOCAL },
	{ "global", FTRACE_CLOCK_LOCAL },
	{ "perf", FTRACE_CLOCK_LOCAL },
	{ "mono", FTRACE_CLOCK_MONO },
	{ "boot", FTRACE_CLOCK_BOOT },
	{ "tai", FTRACE_CLOCK_TAI },
	{ "x86-tsc", FTRACE_CLOCK_TSC },
	{ "uptime", FTRACE_CLOCK_TICKS },
};

static enum ftrace_clock_kind kind_of(const char *name)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return kinds[i].kind;
	return FTRACE_CLOCK_NONE;
}

void ftrace_clock_read(struct ftrace_clock *clock, const struct kclock *kclock,
		       const struct ftrace_memory *mem, u32 id)
{
	u64 table, name;

	*clock = (struct ftrace_clock){ .name = "?", .kclock = kclock };
	if (id >= MAX_CLOCKS || !kallsyms_address(mem->kallsyms, "trace_clocks", &table) ||
	    !vmem_u64(mem->vmem, table + id * ENTRY_SIZE + ENTRY_NAME, &name) ||
	    vmem_string(mem->vmem, name, clock->name, sizeof(clock->name)) <= 0)
		return;
	clock->kind = kind_of(clock->name);
	if (clock->kind == FTRACE_CLOCK_TSC && strncmp(kclock->source, "tsc", 3))
		clock->kind = FTRACE_CLOCK_NONE;
}

bool ftrace_clock_mono(const struct ftrace_clock *clock, u64 time, u64 *ret_ns)
{
	switch (clock->kind) {
	case FTRACE_CLOCK_LOCAL:
		return kclock_mono(clock->kclock, time, ret_ns);
	case FTRACE_CLOCK_MONO:
		*ret_ns = time;
		return true;
	case FTRACE_CLOCK_BOOT:
		return kclock_mono_of_boot(clock->kclock, time, ret_ns);
	case FTRACE_CLOCK_TAI:
		return kclock_mono_of_tai(clock->kclock, time, ret_ns);
	case FTRACE_CLOCK_TSC:
		return kclock_mono_of_counter(clock->kclock, time, ret_ns);
	case FTRACE_CLOCK_TICKS:
		*ret_ns = time * TICK_NS;
		return true;
	case FTRACE_CLOCK_NONE:
		break;
	}
	return false;
}

u64 ftrace_clock_doubt(const struct ftrace_clock *clock)
{
	if (clock->kind == FTRACE_CLOCK_TICKS)
		return TICK_NS;
	/* sched_clock() of CPUs without a counter in common: a tick apart at most. */
	if (clock->kind == FTRACE_CLOCK_LOCAL && clock->kclock->local != KCLOCK_COUNTER)
		return TICK_NS;
	return 0;
}
