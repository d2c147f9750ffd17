// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the dumped kernel's clocks from its memory; timekeeping.c converts times by them. */
#include "timekeeping.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "percpu.h"

/* The parts of the kernel that clocks are read from. */
struct clock_source {
	struct vmem *vmem;
	struct kallsyms *kallsyms;
	const struct kernel_btf *ktypes;
};

/* --- reading ------------------------------------------------------------- */

static bool symbol(const struct clock_source *s, const char *name, u64 *ret)
{
	return kallsyms_address(s->kallsyms, name, ret);
}

/* A whole number, a member of the struct at @va. */
static bool clock_member(const struct clock_source *s, const char *type, const char *path, u64 va,
			 u64 *ret)
{
	struct btf_member_place m;

	return kernel_btf_member(s->ktypes, type, path, &m) &&
	       (m.kind == KKIND_INT || m.kind == KKIND_POINTER) &&
	       vmem_number(s->vmem, va + m.offset, m.size, ret);
}

static bool global(const struct clock_source *s, const char *name, size_t size, u64 *ret)
{
	u64 va;

	return symbol(s, name, &va) && vmem_number(s->vmem, va, size, ret);
}

/* The symbol may be one of those that the dump lost. */
static bool is_lost(const struct clock_source *s, const char *name)
{
	u64 va;

	return kallsyms_lost(s->kallsyms) && !symbol(s, name, &va);
}

/*
 * A static key, of which the first member counts who wants it. One that is lost is taken to be on:
 * it is where the TSC is the clock source, and nothing is asked otherwise.
 */
static bool key_is_on(const struct clock_source *s, const char *name)
{
	u64 n;

	return is_lost(s, name) || (global(s, name, 4, &n) && (s32)n > 0);
}

__attribute__((format(printf, 2, 3)))
static void why(struct timekeeping *clock, const char *fmt, ...)
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

/* NMIs read the time from one of two copies: use the copy that is not being written. */
static bool read_clock_base(const struct clock_source *s, const char *name, u64 *ret)
{
	struct btf_member_place base;
	u64 fast, seq;

	if (!symbol(s, name, &fast) || !vmem_number(s->vmem, fast, 4, &seq) ||
	    !kernel_btf_member(s->ktypes, "tk_fast", "base", &base) || base.nr != 2)
		return false;
	*ret = fast + base.offset + (seq & 1) * (base.size / 2);
	return true;
}

static void read_clocksource_name(struct timekeeping *clock, const struct clock_source *s, u64 base)
{
	u64 cs, name;

	if (!clock_member(s, "tk_read_base", "clock", base, &cs) ||
	    !clock_member(s, "clocksource", "name", cs, &name) ||
	    vmem_string(s->vmem, name, clock->source, sizeof(clock->source)) < 0)
		snprintf(clock->source, sizeof(clock->source), "?");
}

static bool read_mono(struct timekeeping *clock, const struct clock_source *s)
{
	u64 base, mult, shift, fraction;

	if (!read_clock_base(s, "tk_fast_mono", &base) || !clock_member(s, "tk_read_base", "mult", base, &mult) ||
	    !clock_member(s, "tk_read_base", "shift", base, &shift) || shift > 63 || !mult ||
	    !clock_member(s, "tk_read_base", "xtime_nsec", base, &fraction) ||
	    !clock_member(s, "tk_read_base", "cycle_last", base, &clock->counter) ||
	    !clock_member(s, "tk_read_base", "base", base, &clock->mono_ns))
		return false;
	clock->mult = mult;
	clock->shift = shift;
	clock->mono_ns += fraction >> shift;
	if (clock_member(s, "tk_read_base", "base_real", base, &clock->real_ns))
		clock->real_ns += fraction >> shift;
	read_clocksource_name(clock, s, base);
	return true;
}

/* CLOCK_MONOTONIC_RAW when CLOCK_MONOTONIC was last updated: both are, one after the other. */
static void read_raw(struct timekeeping *clock, const struct clock_source *s)
{
	u64 base, mult, shift, fraction, counter, ns;

	if (!read_clock_base(s, "tk_fast_raw", &base) || !clock_member(s, "tk_read_base", "mult", base, &mult) ||
	    !clock_member(s, "tk_read_base", "shift", base, &shift) || shift > 63 ||
	    !clock_member(s, "tk_read_base", "xtime_nsec", base, &fraction) ||
	    !clock_member(s, "tk_read_base", "cycle_last", base, &counter) ||
	    !clock_member(s, "tk_read_base", "base", base, &ns))
		return;
	clock->raw_ns = ns + (fraction >> shift);
	if (clock->counter >= counter)
		clock->raw_ns += scale(clock->counter - counter, mult, shift);
	else
		clock->raw_ns -= scale(counter - clock->counter, mult, shift);
}

static void read_offsets(struct timekeeping *clock, const struct clock_source *s)
{
	u32 offset = 8;		/* behind a sequence count */
	u64 tk, boot, tai;

	/* The first one: in tk_core, without a type of its own up to 6.12, or in an array from 6.17 on. */
	if (!symbol(s, "timekeeper_data", &tk) && !symbol(s, "tk_core", &tk))
		return;
	kernel_btf_offset(s->ktypes, "tk_data", "timekeeper", KKIND_STRUCT, &offset);
	tk += offset;
	if (clock_member(s, "timekeeper", "offs_boot", tk, &boot))
		clock->boot_ns = clock->mono_ns + boot;
	if (clock_member(s, "timekeeper", "offs_tai", tk, &tai))
		clock->tai_ns = clock->mono_ns + tai;
}

/* --- local_clock() ------------------------------------------------------- */

/* sched_clock() of x86 from the TSC; CPUs differ only where the TSC is of no use. */
static bool read_cyc2ns(struct timekeeping *clock, const struct clock_source *s)
{
	u64 va, seq, at, mult, shift, offset;
	struct btf_member_place data;

	if (!percpu_symbol(s->vmem, s->kallsyms, "cyc2ns", 0, &va) ||
	    !kernel_btf_member(s->ktypes, "cyc2ns", "data", &data) || data.nr != 2)
		return false;
	if (!kernel_btf_offset(s->ktypes, "cyc2ns", "seq", KKIND_STRUCT, &(u32){ 0 }) ||
	    !vmem_number(s->vmem, va + data.offset + data.size, 4, &seq))
		return false;
	at = va + data.offset + (seq & 1) * (data.size / 2);
	if (!clock_member(s, "cyc2ns_data", "cyc2ns_mul", at, &mult) || !mult ||
	    !clock_member(s, "cyc2ns_data", "cyc2ns_shift", at, &shift) || shift > 63 ||
	    !clock_member(s, "cyc2ns_data", "cyc2ns_offset", at, &offset))
		return false;
	clock->local_mult = mult;
	clock->local_shift = shift;
	clock->local_ns = scale(clock->counter, mult, shift) + offset;
	return true;
}

static bool read_counter(struct timekeeping *clock, const struct clock_source *s)
{
	struct ksym function;
	u64 va, offset;

	/* The function behind sched_clock(): that of the hardware, or of a hypervisor. */
	if (!global(s, "__SCK__pv_sched_clock", 8, &va) ||
	    !kallsyms_find(s->kallsyms, va, &function))
		strcpy(function.name, kallsyms_lost(s->kallsyms) && !strcmp(clock->source, "kvm-clock") ?
				      "kvm_sched_clock_read" : "native_sched_clock");
	if (!strcmp(function.name, "native_sched_clock"))
		return key_is_on(s, "__use_tsc") && !strncmp(clock->source, "tsc", 3) &&
		       read_cyc2ns(clock, s);
	/* Of a guest of KVM: the same nanoseconds as its clock source, from another start. */
	if (strcmp(function.name, "kvm_sched_clock_read") || strcmp(clock->source, "kvm-clock") ||
	    !global(s, "kvm_sched_clock_offset", 8, &offset))
		return false;
	clock->local_mult = 1;
	clock->local_shift = 0;
	clock->local_ns = clock->counter - offset;
	return true;
}

/*
 * Where the two have no counter in common, the kernel keeps their difference itself, for the
 * case that its local clock turns out to be of no use.
 */
static bool read_difference(struct timekeeping *clock, const struct clock_source *s)
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

/*
 * arm64: the generic sched_clock() of the kernel, by the counter that a driver registered.
 * Of two copies the one that is not being written.
 */
static bool read_generic(struct timekeeping *clock, const struct clock_source *s)
{
	u64 va, seq, at, ns, counter, mult, shift;
	struct btf_member_place data;
	s64 since;

	if (strcmp(clock->source, "arch_sys_counter") || !symbol(s, "cd", &va) ||
	    !kernel_btf_member(s->ktypes, "clock_data", "read_data", &data) || data.nr != 2 ||
	    !vmem_number(s->vmem, va, 4, &seq))
		return false;
	at = va + data.offset + (seq & 1) * (data.size / 2);
	if (!clock_member(s, "clock_read_data", "epoch_ns", at, &ns) ||
	    !clock_member(s, "clock_read_data", "epoch_cyc", at, &counter) ||
	    !clock_member(s, "clock_read_data", "mult", at, &mult) || !mult ||
	    !clock_member(s, "clock_read_data", "shift", at, &shift) || shift > 63)
		return false;
	since = clock->counter - counter;
	clock->local_ns = ns + (u64)((__int128)since * (u32)mult >> shift);
	clock->local_mult = mult;
	clock->local_shift = shift;
	return true;
}

/* s390x: units of 2^-12 us since the kernel began, by the 64 bits behind the first byte of the base. */
static bool read_tod(struct timekeeping *clock, const struct clock_source *s)
{
	u64 base, va;

	if (strcmp(clock->source, "tod") || !symbol(s, "tod_clock_base", &va) ||
	    !vmem_number(s->vmem, va + 1, 8, &base))
		return false;
	clock->local_mult = 125;
	clock->local_shift = 9;
	clock->local_ns = scale(clock->counter - base, 125, 9);
	return true;
}

/* ppc64: a scale of 64 bits behind the point, of which the upper 32 do, and a shift to the left. */
static bool read_timebase(struct timekeeping *clock, const struct clock_source *s)
{
	u64 base, mult, shift;

	if (strcmp(clock->source, "timebase") || !global(s, "boot_tb", 8, &base) ||
	    !global(s, "tb_to_ns_scale", 8, &mult) || !(mult >> 32) ||
	    !global(s, "tb_to_ns_shift", 4, &shift) || shift > 31)
		return false;
	clock->local_mult = mult >> 32;
	clock->local_shift = 32 - shift;
	clock->local_ns = scale(clock->counter - base, mult, 64 - shift);
	return true;
}

static void read_local(struct timekeeping *clock, const struct clock_source *s)
{
	bool is_x86 = percpu_symbol(s->vmem, s->kallsyms, "cyc2ns", 0, &(u64){ 0 });
	u64 offset = 0;

	if ((!symbol(s, "sched_clock_cpu", &offset) && !(is_lost(s, "sched_clock_cpu") && is_x86)) ||
	    (!symbol(s, "__sched_clock_offset", &offset) &&
	     !(is_lost(s, "__sched_clock_offset") && is_x86))) {
		/* A machine whose CPUs have one counter in common by design. */
		if (read_generic(clock, s) || read_tod(clock, s) || read_timebase(clock, s))
			clock->local = KCLOCK_COUNTER;
		else
			why(clock, "how the kernel's local clock is made is not known for this machine: its times are taken for CLOCK_MONOTONIC's");
		return;
	}
	/* ftrace's times do not depend on it, the log's do. */
	if (is_lost(s, "__sched_clock_offset")) {
		why(clock, "the offset of the kernel's local clock is lost with its symbol, and taken for 0: the log's times may be wrong by it");
		offset = 0;
	} else if (!global(s, "__sched_clock_offset", 8, &offset)) {
		why(clock, "the offset of the kernel's local clock is not in the dump");
		return;
	}
	clock->sched_offset = (s64)offset;
	if ((is_lost(s, "__sched_clock_stable") || is_lost(s, "__use_tsc")) && !strncmp(clock->source, "tsc", 3))
		why(clock, "whether the kernel's local clock was stable is lost with its symbols, and taken for granted");
	if (key_is_on(s, "__sched_clock_stable") && read_counter(clock, s)) {
		clock->local = KCLOCK_COUNTER;
		clock->local_ns += offset;
	} else if (!read_difference(clock, s)) {
		why(clock, "the difference of the kernel's clocks is not in the dump");
	}
}

void timekeeping_read(struct timekeeping *clock, struct vmem *vmem, struct kallsyms *kallsyms,
		      const struct kernel_btf *ktypes)
{
	struct clock_source s = { vmem, kallsyms, ktypes };

	memset(clock, 0, sizeof(*clock));
	if (!kallsyms || !ktypes) {
		why(clock, "the kernel's clocks cannot be found without its symbols and types");
		return;
	}
	if (kernel_btf_is_recorders(ktypes)) {
		why(clock, "the kernel's clocks cannot be found without its own types (CONFIG_DEBUG_INFO_BTF)");
		return;
	}
	if (!read_mono(clock, &s)) {
		why(clock, "the kernel's timekeeping cannot be read: %.100s", vmem_why(vmem));
		return;
	}
	clock->known = true;
	read_offsets(clock, &s);
	read_raw(clock, &s);
	read_local(clock, &s);
}

bool timekeeping_sched_offset(const struct timekeeping *clock, struct vmem *vmem,
			      struct kallsyms *kallsyms, const struct kernel_btf *ktypes, u32 cpu,
			      s64 *ret)
{
	struct clock_source s = { vmem, kallsyms, ktypes };
	u64 va, raw, mono, difference;

	if (clock->local != KCLOCK_OFFSET || !global(&s, "__gtod_offset", 8, &difference) ||
	    !percpu_symbol(vmem, kallsyms, "sched_clock_data", cpu, &va) ||
	    !clock_member(&s, "sched_clock_data", "tick_raw", va, &raw) ||
	    !clock_member(&s, "sched_clock_data", "tick_gtod", va, &mono))
		return false;
	*ret = (s64)(mono + difference - raw);
	return true;
}
