/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the counter of a guest follows from that of its host, the TSC, or arm64's: docs/host-and-guest.md. */
#ifndef EPITAPH_KVM_GUEST_COUNTER_H
#define EPITAPH_KVM_GUEST_COUNTER_H

#include "guests.h"

/**
 * struct guest_counter - guest = (host * ratio >> bits) + offset, modulo 2^64
 * @spread: ticks of the guest by which the offsets of its virtual CPUs differ; @offset is the smallest
 */
struct guest_counter {
	u64 offset;
	u64 ratio;
	u32 bits;
	u64 spread;
};

/**
 * guest_counter_read() - that of the virtual CPUs of a guest
 * @khz: of the host's counter
 *
 * Return: 0; -ERR_NOT_OURS if it is not known, or differs among them by more than a millisecond.
 */
int guest_counter_read(struct guest_counter *ret, const struct kvm_guest *guest, u32 khz, struct err *err);

/* The host's counter when the guest's was @guest; false: before the host's was 0. */
bool guest_counter_host(const struct guest_counter *counter, u64 guest, u64 *host);

/* The guest's counter when the host's was @host. */
u64 guest_counter_guest(const struct guest_counter *counter, u64 host);

/* Ticks of the guest's in a millisecond, if the host has @khz. */
u32 guest_counter_khz(const struct guest_counter *counter, u32 khz);

#endif
