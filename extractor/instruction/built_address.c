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
	/* A copy of another register may be of one that a loop changes. */
	case INSTRUCTION_COPY:
		*ret = built->of[one->from] + (u64)one->plus;
		return built->pages & 1U << one->from || (one->from == one->to && built->known & 1U << one->from);
	default:
		return false;
	}
}

void built_addresses_step(struct built_addresses *built, const struct instruction *one, s32 keep)
{
	u64 address = 0;
	bool is_made = address_made(&address, built, one);

	built->known &= ~one->written;
	built->pages &= ~one->written;
	if (one->effect == INSTRUCTION_PAGE) {
		built->of[one->to] = (u64)one->plus;
		built->pages |= 1U << one->to;
	} else if (is_made) {
		built->of[one->to] = address;
		built->known |= 1U << one->to;
	}
	if (!one->jumps && one->goes_on)
		return;
	built->known &= keep >= 0 ? 1U << keep : 0;
	built->pages = 0;
}

bool built_addresses_lose(const struct built_addresses *built, const struct instruction *one, u64 address)
{
	for (s32 i = 0; one->jumps && i < INSTRUCTION_REGISTERS; i++)
		if (built->pages & 1U << i && built->of[i] == (address & ~0xfffULL))
			return true;
	return false;
}

bool built_addresses_access(u64 *ret, const struct built_addresses *built, const struct instruction_access *access)
{
	bool has_base = access->base >= 0 && access->index < 0 && (built->known | built->pages) & 1U << access->base;

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
