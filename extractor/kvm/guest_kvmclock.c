// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_kvmclock.h"

#define MOST_SHIFT	31	/* more is not needed for any rate */

static int refuse_clock(struct err *err, const char *why)
{
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "its kernel counts by kvm-clock, and %s", why);
}

int guest_kvmclock_read(struct guest_kvmclock *ret, const struct kvm_guest *guest, const struct guest_counter *counter,
			struct err *err)
{
	*ret = (struct guest_kvmclock){ 0 };
	/* One that never ran has no rate yet. */
	for (u32 i = 0; i < guest->nr_vcpus; i++) {
		const struct kvm_vcpu *vcpu = &guest->vcpus[i];

		if (!vcpu->clock_mult)
			continue;
		if (ret->mult && (ret->mult != vcpu->clock_mult || ret->shift != vcpu->clock_shift))
			return refuse_clock(err, "that of its virtual CPUs runs at different rates");
		ret->mult = vcpu->clock_mult;
		ret->shift = vcpu->clock_shift;
	}
	if (!ret->mult || ret->shift > MOST_SHIFT || ret->shift < -MOST_SHIFT)
		return refuse_clock(err, "KVM's rate of that is not in the host's dump");
	if (!guest->clock_is_steady)
		return refuse_clock(err, "KVM makes that anew all the time: the host's own clock is no TSC, or the TSCs of the guest's CPUs are not one");
	ret->counter = guest_counter_guest(counter, guest->clock_counter);
	ret->ns = guest->clock_ns;
	return 0;
}

u64 guest_kvmclock_ns(const struct guest_kvmclock *clock, u64 counter)
{
	__int128 ticks = (s64)(counter - clock->counter);

	ticks = clock->shift < 0 ? ticks >> -clock->shift : ticks * ((__int128)1 << clock->shift);
	return clock->ns + (u64)(ticks * clock->mult >> 32);
}

u64 guest_kvmclock_counter(const struct guest_kvmclock *clock, u64 ns)
{
	__int128 ticks = (__int128)(s64)(ns - clock->ns) * ((__int128)1 << 32) / clock->mult;

	ticks = clock->shift < 0 ? ticks * ((__int128)1 << -clock->shift) : ticks >> clock->shift;
	return clock->counter + (u64)ticks;
}

u32 guest_kvmclock_khz(const struct guest_kvmclock *clock)
{
	unsigned __int128 khz = ((unsigned __int128)1000000 << (32 + MOST_SHIFT - clock->shift)) / clock->mult >> MOST_SHIFT;

	return khz >> 32 ? ~0U : (u32)khz;
}
