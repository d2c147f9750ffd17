// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace_clock.h"

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

static void take_name(struct ftrace_clock *clock, const char *name)
{
	snprintf(clock->name, sizeof(clock->name), "%s", name);
	clock->kind = kind_of(name);
	if (clock->kind == FTRACE_CLOCK_TSC && strncmp(clock->kclock->source, "tsc", 3))
		clock->kind = FTRACE_CLOCK_NONE;
}

/* The kernel's table has its clocks' functions with their names. */
void ftrace_clock_read(struct ftrace_clock *clock, const struct kclock *kclock,
		       const struct ftrace_memory *mem, u64 buffer)
{
	u64 table, wanted, func, at;
	char name[32];
	u32 i;

	*clock = (struct ftrace_clock){ .name = "?", .kclock = kclock };
	if (!ftrace_get(mem, buffer, BUFFER_CLOCK, &wanted) ||
	    !kallsyms_address(mem->kallsyms, "trace_clocks", &table))
		return;
	for (i = 0; i < MAX_CLOCKS; i++) {
		if (!vmem_u64(mem->vmem, table + i * ENTRY_SIZE, &func) ||
		    !vmem_u64(mem->vmem, table + i * ENTRY_SIZE + ENTRY_NAME, &at) || !func)
			return;
		if (func == wanted && vmem_string(mem->vmem, at, name, sizeof(name)) > 0)
			return take_name(clock, name);
	}
}

void ftrace_clock_usual(struct ftrace_clock *clock, const struct kclock *kclock)
{
	*clock = (struct ftrace_clock){ .kclock = kclock };
	take_name(clock, "local");
}

bool ftrace_clock_mono(const struct ftrace_clock *clock, u64 time, u64 *ret_ns)
{
	switch (clock->kind) {
	case FTRACE_CLOCK_SCHED:
		return kclock_mono(clock->kclock, time + clock->kclock->sched_offset, ret_ns);
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
	if ((clock->kind == FTRACE_CLOCK_SCHED || clock->kind == FTRACE_CLOCK_LOCAL) &&
	    clock->kclock->local != KCLOCK_COUNTER)
		return TICK_NS;
	return 0;
}
