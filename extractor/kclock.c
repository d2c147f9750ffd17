// SPDX-License-Identifier: GPL-2.0-or-later
#include "kclock.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "percpu.h"

/* NTP corrects a clock by at most this; so two that were once equal drift apart. */
#define DRIFT_PPM	500
/* The kernel's slowest tick. */
#define TICK_NS		10000000

/* What everything here reads from. */
struct source {
	struct vmem *vmem;
	struct kallsyms *kallsyms;
	const struct ktypes *ktypes;
};

/* --- reading ------------------------------------------------------------- */

static bool symbol(const struct source *s, const char *name, u64 *ret)
{
	return kallsyms_address(s->kallsyms, name, ret);
}

/* A whole number, a member of the struct at @va. */
static bool member(const struct source *s, const char *type, const char *path, u64 va, u64 *ret)
{
	struct kmember m;

	return ktypes_member(s->ktypes, type, path, &m) &&
	       (m.kind == KKIND_INT || m.kind == KKIND_POINTER) &&
	       vmem_number(s->vmem, va + m.offset, m.size, ret);
}

static bool global(const struct source *s, const char *name, size_t size, u64 *ret)
{
	u64 va;

	return symbol(s, name, &va) && vmem_number(s->vmem, va, size, ret);
}

/* A static key, of which the first member counts who wants it. */
static bool key_is_on(const struct source *s, const char *name)
{
	u64 n;

	return global(s, name, 4, &n) && (s32)n > 0;
}

__attribute__((format(printf, 2, 3)))
static void why(struct kclock *clock, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(clock->why, sizeof(clock->why), fmt, ap);
	va_end(ap);
}

/* @counter * @mult / 2^@shift. */
static u64 scale(u64 counter, u64 mult, u32 shift)
{
	return (unsigned __int128)counter * mult >> (shift & 63);
}

/* --- CLOCK_MONOTONIC ----------------------------------------------------- */

/* Of the two copies that NMIs read the time from, the one that is not being written. */
static bool read_base(const struct source *s, u64 *ret)
{
	struct kmember base;
	u64 fast, seq;

	if (!symbol(s, "tk_fast_mono", &fast) || !vmem_number(s->vmem, fast, 4, &seq) ||
	    !ktypes_member(s->ktypes, "tk_fast", "base", &base) || base.nr != 2)
		return false;
	*ret = fast + base.offset + (seq & 1) * (base.size / 2);
	return true;
}

static void read_name(struct kclock *clock, const struct source *s, u64 base)
{
	u64 cs, name;

	if (!member(s, "tk_read_base", "clock", base, &cs) ||
	    !member(s, "clocksource", "name", cs, &name) ||
	    vmem_string(s->vmem, name, clock->source, sizeof(clock->source)) < 0)
		snprintf(clock->source, sizeof(clock->source), "?");
}

static bool read_mono(struct kclock *clock, const struct source *s)
{
	u64 base, mult, shift, fraction;

	if (!read_base(s, &base) || !member(s, "tk_read_base", "mult", base, &mult) ||
	    !member(s, "tk_read_base", "shift", base, &shift) || shift > 63 || !mult ||
	    !member(s, "tk_read_base", "xtime_nsec", base, &fraction) ||
	    !member(s, "tk_read_base", "cycle_last", base, &clock->counter) ||
	    !member(s, "tk_read_base", "base", base, &clock->mono_ns))
		return false;
	clock->mult = mult;
	clock->shift = shift;
	clock->mono_ns += fraction >> shift;
	if (member(s, "tk_read_base", "base_real", base, &clock->real_ns))
		clock->real_ns += fraction >> shift;
	read_name(clock, s, base);
	return true;
}

/*
 * The first timekeeper: within tk_core, which had no type of its own up to
 * 6.12, or an array of such from 6.17 on.
 */
static bool find_timekeeper(const struct source *s, u64 *ret)
{
	u32 offset = 8;		/* behind a sequence count */
	u64 va;

	if (!symbol(s, "timekeeper_data", &va) && !symbol(s, "tk_core", &va))
		return false;
	ktypes_offset(s->ktypes, "tk_data", "timekeeper", KKIND_STRUCT, &offset);
	*ret = va + offset;
	return true;
}

static void read_offsets(struct kclock *clock, const struct source *s)
{
	u64 tk, boot, tai;

	if (!find_timekeeper(s, &tk))
		return;
	if (member(s, "timekeeper", "offs_boot", tk, &boot))
		clock->boot_ns = clock->mono_ns + boot;
	if (member(s, "timekeeper", "offs_tai", tk, &tai))
		clock->tai_ns = clock->mono_ns + tai;
}

/* --- local_clock() ------------------------------------------------------- */

/* sched_clock() of x86 from the TSC; CPUs differ only where the TSC is of no use. */
static bool read_cyc2ns(struct kclock *clock, const struct source *s)
{
	u64 va, seq, at, mult, shift, offset;
	struct kmember data;

	if (!percpu_symbol(s->vmem, s->kallsyms, "cyc2ns", 0, &va) ||
	    !ktypes_member(s->ktypes, "cyc2ns", "data", &data) || data.nr != 2)
		return false;
	if (!ktypes_offset(s->ktypes, "cyc2ns", "seq", KKIND_STRUCT, &(u32){ 0 }) ||
	    !vmem_number(s->vmem, va + data.offset + data.size, 4, &seq))
		return false;
	at = va + data.offset + (seq & 1) * (data.size / 2);
	if (!member(s, "cyc2ns_data", "cyc2ns_mul", at, &mult) || !mult ||
	    !member(s, "cyc2ns_data", "cyc2ns_shift", at, &shift) || shift > 63 ||
	    !member(s, "cyc2ns_data", "cyc2ns_offset", at, &offset))
		return false;
	clock->local_mult = mult;
	clock->local_shift = shift;
	clock->local_ns = scale(clock->counter, mult, shift) + offset;
	return true;
}

/* sched_clock() of a guest of KVM: the same nanoseconds as its clock source, from another start. */
static bool read_kvm_clock(struct kclock *clock, const struct source *s)
{
	u64 offset;

	if (!global(s, "kvm_sched_clock_offset", 8, &offset))
		return false;
	clock->local_mult = 1;
	clock->local_shift = 0;
	clock->local_ns = clock->counter - offset;
	return true;
}

/* Whose sched_clock() it is: "native_sched_clock", unless a hypervisor has a better one. */
static void sched_clock_name(const struct source *s, char *name)
{
	struct ksym sym;
	u64 func;

	strcpy(name, "native_sched_clock");
	if (global(s, "__SCK__pv_sched_clock", 8, &func) && kallsyms_find(s->kallsyms, func, &sym))
		memcpy(name, sym.name, sizeof(sym.name));
}

static bool read_counter(struct kclock *clock, const struct source *s)
{
	char name[KALLSYMS_NAME_MAX];

	sched_clock_name(s, name);
	if (!strcmp(name, "native_sched_clock"))
		return key_is_on(s, "__use_tsc") && !strncmp(clock->source, "tsc", 3) &&
		       read_cyc2ns(clock, s);
	return !strcmp(name, "kvm_sched_clock_read") && !strcmp(clock->source, "kvm-clock") &&
	       read_kvm_clock(clock, s);
}

/*
 * Where the two have no counter in common, the kernel keeps their difference itself, for the
 * case that its local clock turns out to be of no use.
 */
static bool read_difference(struct kclock *clock, const struct source *s)
{
	u64 difference;

	if (!global(s, "__gtod_offset", 8, &difference))
		return false;
	clock->local = KCLOCK_OFFSET;
	clock->local_ns = clock->mono_ns + difference;
	clock->local_mult = clock->mult;
	clock->local_shift = clock->shift;
	return true;
}

static void read_local(struct kclock *clock, const struct source *s)
{
	u64 offset = 0;

	if (!symbol(s, "sched_clock_cpu", &offset) || !symbol(s, "__sched_clock_offset", &offset)) {
		why(clock, "how the kernel's local clock is made is not known for this machine");
		return;
	}
	if (!global(s, "__sched_clock_offset", 8, &offset)) {
		why(clock, "the offset of the kernel's local clock is not in the dump");
		return;
	}
	clock->sched_offset = (s64)offset;
	if (key_is_on(s, "__sched_clock_stable") && read_counter(clock, s)) {
		clock->local = KCLOCK_COUNTER;
		clock->local_ns += offset;
	} else if (!read_difference(clock, s)) {
		why(clock, "the difference of the kernel's clocks is not in the dump");
	}
}

void kclock_read(struct kclock *clock, struct vmem *vmem, struct kallsyms *kallsyms,
		 const struct ktypes *ktypes)
{
	struct source s = { vmem, kallsyms, ktypes };

	memset(clock, 0, sizeof(*clock));
	if (!kallsyms || !ktypes) {
		why(clock, "the kernel's clocks cannot be found without its symbols and types");
		return;
	}
	if (!read_mono(clock, &s)) {
		why(clock, "the kernel's timekeeping cannot be read: %.100s", vmem_why(vmem));
		return;
	}
	clock->known = true;
	read_offsets(clock, &s);
	read_local(clock, &s);
}

/* --- conversion ---------------------------------------------------------- */

static u64 plus(u64 a, s64 b)
{
	u64 sum = a + (u64)b;

	if (b < 0)
		return a < -(u64)b ? 0 : sum;
	return sum < a ? ~0ULL : sum;
}

static s64 clamp_128(__int128 n)
{
	const s64 most = 0x7fffffffffffffffLL;

	return n > most ? most : n < -most ? -most : (s64)n;
}

bool kclock_mono(const struct kclock *clock, u64 local_ns, u64 *mono_ns)
{
	/* ns of one are ns of the other times a ratio next to 1. */
	__int128 delta = (s64)(local_ns - clock->local_ns);

	if (!clock->known || clock->local == KCLOCK_UNKNOWN)
		return false;
	delta = delta * clock->mult;
	if (clock->local_shift >= clock->shift)
		delta *= (__int128)1 << ((clock->local_shift - clock->shift) & 31);
	delta /= clock->local_mult;
	if (clock->local_shift < clock->shift)
		delta /= (__int128)1 << (clock->shift - clock->local_shift);
	*mono_ns = plus(clock->mono_ns, clamp_128(delta));
	return true;
}

bool kclock_mono_of_boot(const struct kclock *clock, u64 boot_ns, u64 *mono_ns)
{
	if (!clock->known || !clock->boot_ns)
		return false;
	*mono_ns = plus(clock->mono_ns, (s64)(boot_ns - clock->boot_ns));
	return true;
}

bool kclock_mono_of_tai(const struct kclock *clock, u64 tai_ns, u64 *mono_ns)
{
	if (!clock->known || !clock->tai_ns)
		return false;
	*mono_ns = plus(clock->mono_ns, (s64)(tai_ns - clock->tai_ns));
	return true;
}

bool kclock_mono_of_counter(const struct kclock *clock, u64 counter, u64 *mono_ns)
{
	__int128 delta = (s64)(counter - clock->counter);

	if (!clock->known)
		return false;
	*mono_ns = plus(clock->mono_ns, clamp_128(delta * clock->mult / ((__int128)1 << clock->shift)));
	return true;
}

bool kclock_real(const struct kclock *clock, u64 mono_ns, u64 *real_ns)
{
	if (!clock->known || !clock->real_ns)
		return false;
	*real_ns = plus(clock->real_ns, (s64)(mono_ns - clock->mono_ns));
	return true;
}

u64 kclock_bound(const struct kclock *clock, u64 mono_ns)
{
	u64 away = mono_ns > clock->mono_ns ? mono_ns - clock->mono_ns : clock->mono_ns - mono_ns;
	u64 least = clock->local == KCLOCK_COUNTER ? 1000 : TICK_NS;

	return least + away / (1000000 / DRIFT_PPM);
}
