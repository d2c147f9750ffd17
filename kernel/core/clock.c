// SPDX-License-Identifier: GPL-2.0-only
/*
 * The clock of a generation: the CPU's counter, or a clock of the kernel that can be read in NMI.
 * It is chosen once, before the header is written.
 */
#include <linux/export.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/trace_clock.h>
#include <epitaph/clock.h>
#include "arch/arch.h"
#include "events/calls.h"
#include "compat.h"
#include "recorder.h"

#define UNIT_NS		8	/* events are stamped at least this finely */

#ifdef EPITAPH_ARCH_COUNTER_WORD
#define COUNTER_WORDS	EPITAPH_ARCH_COUNTER_WORD ", "
#else
#define COUNTER_WORDS	""
#endif

static char *word;
module_param_named(clock, word, charp, 0444);
MODULE_PARM_DESC(clock, "what stamps events: " COUNTER_WORDS "local, mono, boot or tai (default: the CPU's counter, or local where that is not good)");

bool epitaph_clock_is_counter;
EXPORT_SYMBOL_GPL(epitaph_clock_is_counter);
static enum epitaph_clock_id chosen;

/* Chosen once: x86 measures the TSC again seconds after boot, and rings that come later have the header's units. */
static u32 shift;

static const struct {
	const char *word;
	enum epitaph_clock_id id;
} clocks[] = {
#ifdef EPITAPH_ARCH_COUNTER_WORD
	{ EPITAPH_ARCH_COUNTER_WORD, EPITAPH_ARCH_COUNTER },
#endif
	{ "local", EPITAPH_CLOCK_LOCAL },
	{ "mono", EPITAPH_CLOCK_MONO },
	{ "boot", EPITAPH_CLOCK_BOOT },
#ifdef EPITAPH_HAS_TAI_FAST
	{ "tai", EPITAPH_CLOCK_TAI },
#endif
};

static __always_inline u64 read_timekeeper(void)
{
#ifdef EPITAPH_HAS_TAI_FAST
	if (chosen == EPITAPH_CLOCK_TAI)
		return ktime_get_tai_fast_ns();
#endif
	return chosen == EPITAPH_CLOCK_BOOT ? ktime_get_boot_fast_ns() : ktime_get_mono_fast_ns();
}

/*
 * What reads the clock source, ftrace can trace.  An event of that would move the head of the ring
 * each time a writer of the same ring, or who moves or closes it, looks at the clock.
 */
u64 epitaph_clock_of_kernel(void)
{
	u8 others;
	u64 now;

	if (chosen == EPITAPH_CLOCK_LOCAL)
		return trace_clock_local();
	preempt_disable_notrace();
	others = raw_cpu_read(epitaph_calls_inside);
	raw_cpu_write(epitaph_calls_inside, others | epitaph_calls_context());
	now = read_timekeeper();
	raw_cpu_write(epitaph_calls_inside, others);
	preempt_enable_notrace();
	return now;
}
EXPORT_SYMBOL_GPL(epitaph_clock_of_kernel);

u64 epitaph_ns_since(u64 clock)
{
	return mul_u64_u32_div(epitaph_clock() - clock, 1000000, epitaph_clock_khz());
}

static u64 real_ahead;

u64 epitaph_real_ns(void)
{
	return ktime_get_real_fast_ns() + real_ahead;
}

void epitaph_real_is(u64 ns)
{
	real_ahead = ns - ktime_get_real_fast_ns();
}

static bool is_there(enum epitaph_clock_id id)
{
	return id != EPITAPH_ARCH_COUNTER || epitaph_arch_counter_is_good();
}

static void list_clocks(char *to, size_t size)
{
	size_t used = 0;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++)
		if (is_there(clocks[i].id))
			used += scnprintf(to + used, size - used, "%s%s", used ? ", " : "", clocks[i].word);
}

static int refuse_clock(bool is_known)
{
	char possible[64];

	list_clocks(possible, sizeof(possible));
	pr_err("clock=%s: %s; this machine has: %s\n", word,
	       is_known ? "the kernel finds the " EPITAPH_ARCH_COUNTER_NAME " unstable, or cannot tell how fast it is" :
	       "no such clock", possible);
	return -EINVAL;
}

static int choose_by_word(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (strcmp(clocks[i].word, word))
			continue;
		if (!is_there(clocks[i].id))
			return refuse_clock(true);
		chosen = clocks[i].id;
		return 0;
	}
	return refuse_clock(false);
}

static u32 shift_of(u32 khz)
{
	u64 ticks = (u64)khz * UNIT_NS / USEC_PER_SEC;

	return ticks > 1 ? ilog2(ticks) : 0;
}

int epitaph_clock_choose(void)
{
	int err = 0;

	if (word && *word)
		err = choose_by_word();
	else
		chosen = EPITAPH_ARCH_COUNTER && epitaph_arch_counter_is_good() ?
			 EPITAPH_ARCH_COUNTER : EPITAPH_CLOCK_LOCAL;
	epitaph_clock_is_counter = !err && EPITAPH_ARCH_COUNTER && chosen == EPITAPH_ARCH_COUNTER;
	shift = shift_of(epitaph_clock_khz());
	return err;
}

enum epitaph_clock_id epitaph_clock_id(void)
{
	return chosen;
}

u32 epitaph_clock_khz(void)
{
	/* All others count ns. */
	return epitaph_clock_is_counter ? epitaph_arch_counter_khz() : USEC_PER_SEC;
}

u32 epitaph_clock_shift(void)
{
	return shift;
}
