/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the kvm-clock of a guest follows from its TSC: docs/host-and-guest.md. */
#ifndef EPITAPH_KVM_GUEST_KVMCLOCK_H
#define EPITAPH_KVM_GUEST_KVMCLOCK_H

#include "guest_counter.h"

/**
 * struct guest_kvmclock - ns = @ns + (((TSC - @counter) << @shift) * @mult >> 32)
 * @counter: the guest's TSC when KVM set the clock
 * @mult: 0: there is none
 * @shift: below 0: to the right
 */
struct guest_kvmclock {
	u64 counter;
	u64 ns;
	u32 mult;
	s32 shift;
};

/* Return: 0; -ERR_NOT_OURS if it is not known, or no one function of the TSC. */
int guest_kvmclock_read(struct guest_kvmclock *ret, const struct kvm_guest *guest, const struct guest_counter *counter,
			struct err *err);

/* What it says when the guest's TSC is @counter. */
u64 guest_kvmclock_ns(const struct guest_kvmclock *clock, u64 counter);

/* The guest's TSC when it says @ns, within what a nanosecond has of ticks. */
u64 guest_kvmclock_counter(const struct guest_kvmclock *clock, u64 ns);

/* Ticks of the guest's TSC in a millisecond. */
u32 guest_kvmclock_khz(const struct guest_kvmclock *clock);

#endif
