// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_counter.h"

#define AMD_BITS	32
#define INTEL_BITS	48
#define MOST_SCALED	16	/* times, up or down: further apart are no two processors with a TSC */

/* A ratio says itself which processor's it is: those of the two are never the same. */
static bool find_ratio_bits(u64 ratio, u32 *bits)
{
	static const u32 all[] = { AMD_BITS, INTEL_BITS };

	for (u32 i = 0; i < ARRAY_SIZE(all); i++) {
		*bits = all[i];
		if (ratio >= (1ULL << all[i]) / MOST_SCALED && ratio <= (1ULL << all[i]) * MOST_SCALED)
			return true;
	}
	return false;
}

static int report_no_offset(struct err *err)
{
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "KVM's offset of its clock is not in the host's dump");
}

int guest_counter_read(struct guest_counter *ret, const struct kvm_guest *guest, u32 khz, struct err *err)
{
	const struct kvm_vcpu *first = guest->vcpus;
	s64 low = 0, high = 0, apart;

	if (!guest->nr_vcpus)
		return report_no_offset(err);
	if (guest->tsc_adjusted)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "the host slept, and KVM changed the offset of its clock when it woke: its times cannot be put on the host's timeline; read its own dump, or this one with --guest");
	*ret = (struct guest_counter){ .ratio = first->tsc_ratio };
	for (u32 i = 0; i < guest->nr_vcpus; i++) {
		if (!guest->vcpus[i].has_tsc || !guest->vcpus[i].tsc_ratio)
			return report_no_offset(err);
		if (guest->vcpus[i].tsc_moves)
			return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
				       "KVM moves its clock all the time: it is to run faster than the host's, which cannot be scaled");
		if (guest->vcpus[i].tsc_ratio != ret->ratio)
			return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "the clocks of its virtual CPUs run at different rates");
		apart = (s64)(guest->vcpus[i].tsc_offset - first->tsc_offset);
		low = apart < low ? apart : low;
		high = apart > high ? apart : high;
	}
	if (!find_ratio_bits(ret->ratio, &ret->bits))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "KVM scales its clock by %llu, which is no ratio", ret->ratio);
	ret->offset = first->tsc_offset + (u64)low;
	ret->spread = (u64)high - (u64)low;
	if (ret->spread > guest_counter_khz(ret, khz))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "the clocks of its virtual CPUs are %llu ticks apart, which is more than a millisecond", ret->spread);
	return 0;
}

bool guest_counter_host(const struct guest_counter *counter, u64 guest, u64 *host)
{
	unsigned __int128 scaled = (unsigned __int128)(guest - counter->offset) << counter->bits;

	scaled /= counter->ratio;
	*host = (u64)scaled;
	return scaled < 1ULL << 63;
}

u64 guest_counter_guest(const struct guest_counter *counter, u64 host)
{
	return (u64)((unsigned __int128)host * counter->ratio >> counter->bits) + counter->offset;
}

u32 guest_counter_khz(const struct guest_counter *counter, u32 khz)
{
	unsigned __int128 scaled = (unsigned __int128)khz * counter->ratio >> counter->bits;

	return scaled >> 32 ? ~0U : (u32)scaled;
}
