// SPDX-License-Identifier: GPL-2.0-or-later
#include "built_address.h"

/* The address that @one gives a register. */
static bool address_made(u64 *ret, const struct built_addresses *built, const struct instruction *one)
{
	switch (one->effect) {
	case INSTRUCTION_ADDRESS:
	case INSTRUCTION_NUMBER:
		*ret = (u64)one->plus;
		return true;
	case INSTRUCTION_COPY:
		*ret = built->of[one->from] + (u64)one->plus;
		return built->known & 1U << one->from;
	default:
		return false;
	}
}

void built_addresses_step(struct built_addresses *built, const struct instruction *one, s32 keep)
{
	u64 address = 0;
	bool is_made = address_made(&address, built, one);

	built->known &= ~one->written;
	if (is_made) {
		built->of[one->to] = address;
		built->known |= 1U << one->to;
	}
	if (one->jumps || !one->goes_on)
		built->known &= keep >= 0 ? 1U << keep : 0;
}

bool built_addresses_access(u64 *ret, const struct built_addresses *built, const struct instruction_access *access)
{
	bool has_base = access->base >= 0 && access->index < 0 && built->known & 1U << access->base;

	*ret = (has_base ? built->of[access->base] : 0) + (u64)access->offset;
	return access->is_absolute || (has_base && !access->is_relative);
}

bool built_addresses_load(u64 *ret, const struct built_addresses *built, const struct instruction *one, s32 reg)
{
	return (one->effect == INSTRUCTION_VARIABLE || one->effect == INSTRUCTION_LOAD) && one->to == reg &&
	       built_addresses_access(ret, built, &one->accesses[0]);
}

bool built_addresses_names(const struct built_addresses *built, const struct instruction *one, u64 from, u64 size)
{
	u64 address;

	if (address_made(&address, built, one) && address - from < size)
		return true;
	for (u32 i = 0; i < one->nr_accesses; i++)
		if (built_addresses_access(&address, built, &one->accesses[i]) && address - from < size)
			return true;
	return false;
}
