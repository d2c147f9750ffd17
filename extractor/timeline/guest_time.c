// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_time.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "recording/clock_text.h"

#define SAME_BOOT_NS	1000000000ULL	/* no reboot is as short */
#define ROUNDING_NS	100	/* of the conversions, all together */
#define FOREVER		(1ULL << 62)	/* no clock gets there */

static u64 apart_of(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

/* --- a kernel's counter and its CLOCK_MONOTONIC --------------------------- */

static u32 khz_of_timekeeping(const struct timekeeping *kernel)
{
	unsigned __int128 khz = ((unsigned __int128)1000000 << (kernel->shift & 63)) / kernel->mult;

	return khz >> 32 ? 0 : (u32)khz;
}

static bool counts_counter(const struct tsc_clock *clock, const struct timekeeping *kernel)
{
	return kernel->known && kernel->mult && kernel->local == KCLOCK_COUNTER &&
	       (clock->is_arm64 ? !strcmp(kernel->source, "arch_sys_counter") : !strncmp(kernel->source, "tsc", 3));
}

static u32 id_of_counter(const struct tsc_clock *clock)
{
	return clock->is_arm64 ? EPITAPH_CLOCK_CNTVCT : EPITAPH_CLOCK_TSC;
}

static const char *name_of_counter(const struct tsc_clock *clock)
{
	return clock->is_arm64 ? "CNTVCT" : "TSC";
}

static bool counts_kvmclock(const struct timekeeping *kernel)
{
	return kernel && kernel->known && kernel->mult && kernel->local == KCLOCK_COUNTER && !strcmp(kernel->source, "kvm-clock");
}

bool tsc_clock_find(struct tsc_clock *clock, const struct postmortem *pm, const struct kernel *kernel, bool prefer_kernel)
{
	const struct clock *recorder = pm->recording ? &pm->recording->clock : NULL;

	*clock = (struct tsc_clock){ 0 };
	kernel = kernel ? kernel : pm->kernel;
	clock->is_arm64 = kernel ? kernel->machine == EM_AARCH64 : recorder && recorder->id == EPITAPH_CLOCK_CNTVCT;
	clock->keeper = kernel ? &kernel->clock : NULL;
	if (kernel && counts_counter(clock, &kernel->clock))
		clock->kernel = &kernel->clock;
	if (recorder && recorder->id == id_of_counter(clock) && !recorder->from_header)
		clock->recorder = recorder;
	else if (recorder)
		clock->other_clock = recorder->id;
	clock->by_kernel = clock->kernel && (prefer_kernel || !clock->recorder);
	if (clock->recorder)
		clock->khz = clock->recorder->khz;
	else if (clock->kernel)
		clock->khz = khz_of_timekeeping(clock->kernel);
	return clock->khz;
}

/* The first tick of the kernel's at @mono or behind it. */
static u64 counter_by_kernel(const struct timekeeping *kernel, u64 mono)
{
	__int128 ticks = (__int128)(s64)(mono - kernel->mono_ns) * ((__int128)1 << (kernel->shift & 63));

	return kernel->counter + (u64)(ticks / kernel->mult);
}

static u64 mono_by(const struct tsc_clock *clock, bool by_kernel, u64 counter)
{
	u64 mono = 0;

	if (by_kernel)
		timekeeping_mono_of_counter(clock->kernel, clock->kvmclock.mult ? guest_kvmclock_ns(&clock->kvmclock, counter) : counter, &mono);
	else
		mono = clock_mono(clock->recorder, counter);
	return mono;
}

/* --- how the guest's follows from the host's ------------------------------ */

/* Two measurements of one oscillator differ by less than a hundredth. */
static bool is_rate(u32 khz, u32 wanted)
{
	return apart_of(khz, wanted) <= wanted / 100;
}

static bool is_unstable(const struct tsc_clock *clock)
{
	return clock->recorder && clock->recorder->is_unstable;
}

/* A tick of arm64's may be many ns, of which a time of the kernel's has one. */
static u64 unit_ns(const struct tsc_clock *clock)
{
	u64 tick = (999999 + clock->khz) / clock->khz, unit = clock->recorder ? clock_units_ns(clock->recorder, 1) : 1;

	return tick > unit ? tick : unit;
}

static u64 later_of(u64 a, u64 b)
{
	return a > b ? a : b;
}

/*
 * The offset holds since the counter was set last.  That is said in CLOCK_BOOTTIME with the pace of
 * CLOCK_MONOTONIC_RAW; before 5.6, in CLOCK_BOOTTIME.
 */
static u64 holds_since(const struct timekeeping *host, const struct kvm_guest *vm)
{
	u64 since = vm->started, mono, raw;

	if (!host || !vm->tsc_written || !timekeeping_mono_of_boot(host, vm->tsc_written, &mono))
		return since;
	since = later_of(since, mono);
	raw = vm->tsc_written - (host->boot_ns - host->mono_ns);
	if (timekeeping_mono_of_raw(host, raw, &mono))
		since = later_of(since, mono);
	return since;
}

/* A counter that was 0 since its process was started has counted from then; else it came from elsewhere. */
static bool came_from_elsewhere(const struct guest_time *time, const struct kvm_guest *vm)
{
	u64 zero;

	return !vm->started || !guest_counter_host(&time->counter, 0, &zero) ||
	       mono_by(&time->host, time->host.by_kernel, zero) < vm->started;
}

/* What the times of a kernel follow from instead of the counter. */
static void say_other_clock(char *words, size_t size, const struct tsc_clock *clock, u32 recorders)
{
	const struct timekeeping *keeper = clock->keeper;

	*words = '\0';
	if (recorders == id_of_counter(clock))
		snprintf(words, size, ": no anchor of its recorder's clock is good");
	else if (recorders)
		snprintf(words, size, ": its recorder took %s", text_clock(recorders));
	else if (keeper && keeper->known)
		snprintf(words, size, ": its kernel counts by %.*s", (int)strnlen(keeper->source, sizeof(keeper->source)), keeper->source);
}

/* A guest without our recorder mostly counts by kvm-clock.  Before that was set last, it may have gone another way. */
static int find_kvmclock(struct guest_time *time, const struct kvm_guest *vm, struct err *err)
{
	struct tsc_clock *guest = &time->guest;
	int ret = guest_kvmclock_read(&guest->kvmclock, vm, &time->counter, err);

	if (ret)
		return ret;
	guest->kernel = guest->keeper;
	guest->by_kernel = true;
	guest->khz = guest_kvmclock_khz(&guest->kvmclock);
	if (time->clock_set > time->first) {
		time->first = time->clock_set;
		time->clock_is_set = true;
	}
	return 0;
}

/*
 * KVM of arm64 does not keep when a counter was set.  QEMU sets it back by as long as it had stopped the guest, all
 * stops together by no more than from the start of its process to the time at which it is 0 by the last offset.
 */
static int find_set_back(struct guest_time *time, const struct kvm_guest *vm, struct err *err)
{
	u64 zero;

	if (came_from_elsewhere(time, vm))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "it was resumed here, or came from another host, and KVM of arm64 does not keep when its counter was set");
	guest_counter_host(&time->counter, 0, &zero);
	time->set_back = mono_by(&time->host, time->host.by_kernel, zero) - vm->started;
	return 0;
}

static int refuse_other_clock(const struct tsc_clock *guest, struct err *err)
{
	char other[100];

	say_other_clock(other, sizeof(other), guest, guest->other_clock);
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "it has no times of %s%s%s; only %s related to the host's", guest->is_arm64 ? "" : "a ",
		       name_of_counter(guest), other, guest->is_arm64 ? "that is" : "a TSC and kvm-clock are");
}

int guest_time_find(struct guest_time *time, const struct tsc_clock *host, const struct tsc_clock *guest,
		    const struct kvm_guest *vm, u64 end, struct err *err)
{
	u32 given;
	int ret;

	*time = (struct guest_time){ .host = *host, .guest = *guest, .first = vm->started, .last = end };
	if (!host->khz)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "the host has no times of %s%s", host->is_arm64 ? "" : "a ", name_of_counter(host));
	if (host->is_arm64 != guest->is_arm64)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "it counts by %s, and the host by %s", name_of_counter(guest), name_of_counter(host));
	if (!guest->khz && (guest->is_arm64 || !counts_kvmclock(guest->keeper)))
		return refuse_other_clock(guest, err);
	if (is_unstable(host) || is_unstable(guest))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "the %s found its %s unstable", is_unstable(host) ? "host" : "guest", name_of_counter(host));
	ret = guest_counter_read(&time->counter, vm, host->khz, err);
	if (ret)
		return ret;
	if (host->is_arm64) {
		ret = find_set_back(time, vm, err);
		if (ret)
			return ret;
	} else if (came_from_elsewhere(time, vm)) {
		time->first = holds_since(host->keeper, vm);
		time->is_set = time->first;
	}
	if (counts_kvmclock(guest->keeper) && vm->clock_is_steady)
		time->clock_set = mono_by(host, host->by_kernel, vm->clock_counter);
	if (!guest->khz) {
		ret = find_kvmclock(time, vm, err);
		if (ret)
			return ret;
	}
	given = guest_counter_khz(&time->counter, host->khz);
	if (!time->guest.khz || !is_rate(time->guest.khz, given))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "its %s runs at %u kHz, and the host gives it %u kHz", name_of_counter(guest), time->guest.khz, given);
	time->base = ROUNDING_NS + unit_ns(&time->host) + unit_ns(&time->guest) + time->counter.spread * 1000000 / time->guest.khz;
	return 0;
}

enum guest_boot guest_boot_of(const struct clock *recorder, const struct timekeeping *kernel)
{
	const struct clock_anchor *last = recorder->nr ? &recorder->anchors[recorder->nr - 1] : NULL;
	u64 real;

	if (!last || !last->real_ns || !timekeeping_real(kernel, last->mono_ns, &real))
		return GUEST_BOOT_UNKNOWN;
	return apart_of(real, last->real_ns) <= SAME_BOOT_NS ? GUEST_BOOT_SAME : GUEST_BOOT_OTHER;
}

static u64 counter_at(const struct tsc_clock *clock, u64 mono)
{
	u64 counter;

	if (!clock->by_kernel)
		return clock_of_mono(clock->recorder, mono);
	counter = counter_by_kernel(clock->kernel, mono);
	return clock->kvmclock.mult ? guest_kvmclock_counter(&clock->kvmclock, counter) : counter;
}

enum guest_place guest_time_host(const struct guest_time *time, u64 mono, u64 *host)
{
	u64 own, counter;

	if (mono >= FOREVER)
		return GUEST_AFTER;
	own = counter_at(&time->guest, mono);
	/* Where the counter would have been below 0, or above all that it can be, there is no such time. */
	if (apart_of(mono_by(&time->guest, time->guest.by_kernel, own), mono) > ROUNDING_NS)
		return mono_by(&time->guest, time->guest.by_kernel, own) > mono ? GUEST_BEFORE : GUEST_AFTER;
	if (!guest_counter_host(&time->counter, own, &counter))
		return GUEST_BEFORE;
	*host = mono_by(&time->host, time->host.by_kernel, counter);
	if (*host < time->first)
		return GUEST_BEFORE;
	/* The last events of both may come within the bound. */
	return *host > time->last && *host - time->last > time->base ? GUEST_AFTER : GUEST_PLACED;
}

/* --- the bound ------------------------------------------------------------- */

/* What is known of a clock that is not the counter, or took no way of it that is known. */
static u64 foreign_bound(const struct tsc_clock *clock, const struct stream *stream, u64 mono)
{
	u64 bound = clock->recorder ? clock->recorder->bound_ns : 0;

	if (clock->keeper)
		bound += timekeeping_bound(clock->keeper, mono);
	else if (!stream)
		bound += CLOCK_LOCAL_DOUBT_NS;
	if (stream)
		bound += stream->doubt + (stream->ops->bound ? stream->ops->bound(stream, mono) : 0);
	return bound;
}

/* A line of the log has the time of the kernel's local clock. */
static bool is_kernels(const struct stream *stream)
{
	return !stream || stream->clock == STREAM_LOCAL || stream->clock == STREAM_COUNTER;
}

static bool is_recorders(const struct stream *stream)
{
	return stream && stream->clock == STREAM_RECORDER;
}

/* By how much a time that took its stream's way may be off one that took the way that is taken here. */
static u64 way_bound(const struct tsc_clock *clock, const struct stream *stream, u64 mono)
{
	bool by_kernel = is_kernels(stream) && clock->kernel;
	u64 counter;

	if (!by_kernel && !(is_recorders(stream) && clock->recorder))
		return foreign_bound(clock, stream, mono);
	if (by_kernel == clock->by_kernel)
		return 0;
	counter = counter_at(clock, mono);
	return apart_of(mono_by(clock, by_kernel, counter), mono_by(clock, clock->by_kernel, counter));
}

u64 guest_time_host_bound(const struct guest_time *time, const struct stream *stream, u64 mono)
{
	return way_bound(&time->host, stream, mono);
}

/* Its time was taken from its own way; what came another way to that time adds what it may be off. */
u64 guest_time_bound(const struct guest_time *time, const struct stream *stream, u64 mono)
{
	bool is_own = time->guest.by_kernel ? is_kernels(stream) : is_recorders(stream);

	return time->base + (is_own ? 0 : foreign_bound(&time->guest, stream, mono));
}
