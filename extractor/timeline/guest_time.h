/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which time of the host a time of its guest is, and how exactly: by the counter that both count, which is the
 * TSC, or CNTVCT of arm64.
 * docs/host-and-guest.md says what that rests on.
 */
#ifndef EPITAPH_TIMELINE_GUEST_TIME_H
#define EPITAPH_TIMELINE_GUEST_TIME_H

#include "kvm/guest_kvmclock.h"
#include "postmortem.h"

/**
 * struct tsc_clock - a kernel's two ways between its counter and its CLOCK_MONOTONIC
 * @is_arm64: the counter is CNTVCT; else the TSC
 * @kernel: its own timekeeping; NULL: it does not count the TSC, or is not there
 * @recorder: the anchors of its recorder; NULL: the same
 * @keeper: its own timekeeping, whatever that counts; NULL: it is not there
 * @kvmclock: what @kernel counts, if that is not the counter; only a guest has one
 * @by_kernel: @kernel is the one that is taken
 * @khz: ticks in a millisecond
 * @other_clock: enum epitaph_clock_id of its recorder, if that is not the counter, or has no good anchor; else 0
 */
struct tsc_clock {
	const struct timekeeping *kernel;
	const struct clock *recorder;
	const struct timekeeping *keeper;
	struct guest_kvmclock kvmclock;
	bool is_arm64;
	bool by_kernel;
	u32 khz;
	u32 other_clock;
};

/**
 * struct guest_time - of one guest
 * @first: CLOCK_MONOTONIC of the host before which this was not its guest, or its counter another one
 * @last: the same, after which there was no host; ~0: unknown
 * @base: part of the bound that all events have, ns
 * @is_set: it was resumed, or came from another host; its counter was set at @first
 * @set_back: arm64: what it did before QEMU stopped it and let it go on may have been so much earlier, ns
 * @clock_set: CLOCK_MONOTONIC of the host when its kvm-clock was set last; 0: it has none, or that is not known
 * @clock_is_set: that is @first
 */
struct guest_time {
	struct tsc_clock host;
	struct tsc_clock guest;
	struct guest_counter counter;
	u64 first;
	u64 last;
	u64 base;
	bool is_set;
	u64 set_back;
	u64 clock_set;
	bool clock_is_set;
};

enum guest_place {
	GUEST_PLACED,
	GUEST_BEFORE,		/* it was no guest of this host yet, or its counter never had that number */
	GUEST_AFTER,		/* the host had ended */
};

/* The ways of @pm's kernel. @kernel: of the same dump; NULL: @pm's own. Return: is there one? */
bool tsc_clock_find(struct tsc_clock *clock, const struct postmortem *pm, const struct kernel *kernel, bool prefer_kernel);

/**
 * guest_time_find() - how the times of @guest follow from those of its host
 * @vm: the guest, as the host's dump has it
 * @end: CLOCK_MONOTONIC of the host's end; ~0: unknown
 *
 * Return: 0; -ERR_NOT_OURS and why, which begins after "its times are not known: ".
 */
int guest_time_find(struct guest_time *time, const struct tsc_clock *host, const struct tsc_clock *guest,
		    const struct kvm_guest *vm, u64 end, struct err *err);

enum guest_boot { GUEST_BOOT_UNKNOWN, GUEST_BOOT_SAME, GUEST_BOOT_OTHER };

/* Did the guest's @kernel start when the one did that @recorder is of? By the time of day of both. */
enum guest_boot guest_boot_of(const struct clock *recorder, const struct timekeeping *kernel);

/* CLOCK_MONOTONIC of the host at @mono of the guest's. */
enum guest_place guest_time_host(const struct guest_time *time, u64 mono, u64 *host);

/* How far an event of the guest's @stream may be off the host's counter; NULL: a line of the kernel's log. */
u64 guest_time_bound(const struct guest_time *time, const struct stream *stream, u64 mono);

/* The same of an event of the host's @stream at its time @mono. Two events may be off by the sum of theirs. */
u64 guest_time_host_bound(const struct guest_time *time, const struct stream *stream, u64 mono);

#endif
