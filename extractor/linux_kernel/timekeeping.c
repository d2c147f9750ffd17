// SPDX-License-Identifier: GPL-2.0-or-later
#include "timekeeping.h"

/* NTP corrects a clock by at most this; so two that were once equal drift apart. */
#define DRIFT_PPM	500
/* The kernel's slowest tick. */
#define TICK_NS		10000000

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

bool timekeeping_mono(const struct timekeeping *clock, u64 local_ns, u64 *mono_ns)
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

bool timekeeping_mono_of_boot(const struct timekeeping *clock, u64 boot_ns, u64 *mono_ns)
{
	if (!clock->known || !clock->boot_ns)
		return false;
	*mono_ns = plus(clock->mono_ns, (s64)(boot_ns - clock->boot_ns));
	return true;
}

bool timekeeping_mono_of_tai(const struct timekeeping *clock, u64 tai_ns, u64 *mono_ns)
{
	if (!clock->known || !clock->tai_ns)
		return false;
	*mono_ns = plus(clock->mono_ns, (s64)(tai_ns - clock->tai_ns));
	return true;
}

bool timekeeping_mono_of_raw(const struct timekeeping *clock, u64 raw_ns, u64 *mono_ns)
{
	if (!clock->known || !clock->raw_ns)
		return false;
	*mono_ns = plus(clock->mono_ns, (s64)(raw_ns - clock->raw_ns));
	return true;
}

bool timekeeping_mono_of_counter(const struct timekeeping *clock, u64 counter, u64 *mono_ns)
{
	__int128 delta = (s64)(counter - clock->counter);

	if (!clock->known)
		return false;
	*mono_ns = plus(clock->mono_ns, clamp_128(delta * clock->mult / ((__int128)1 << clock->shift)));
	return true;
}

bool timekeeping_real(const struct timekeeping *clock, u64 mono_ns, u64 *real_ns)
{
	if (!clock->known || !clock->real_ns)
		return false;
	*real_ns = plus(clock->real_ns, (s64)(mono_ns - clock->mono_ns));
	return true;
}

static u64 apart(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

/* CLOCK_MONOTONIC_RAW is never corrected: how far the other is from it, it was, in all. */
u64 timekeeping_bound(const struct timekeeping *clock, u64 mono_ns)
{
	u64 drift = apart(mono_ns, clock->mono_ns) / (1000000 / DRIFT_PPM), corrected;

	if (clock->local != KCLOCK_COUNTER)
		return TICK_NS + drift;
	corrected = clock->raw_ns ? apart(clock->mono_ns, clock->raw_ns) : drift;
	drift = 1000 + (drift < corrected ? drift : corrected);
	if (clock->checked_to && mono_ns >= clock->checked_from && mono_ns <= clock->checked_to && clock->checked_ns < drift)
		return clock->checked_ns;
	return drift;
}
