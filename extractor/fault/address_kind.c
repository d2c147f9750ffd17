// SPDX-License-Identifier: GPL-2.0-or-later
#include "address_kind.h"

#define LIST_POISON	0xdead000000000000ULL	/* CONFIG_ILLEGAL_POINTER_VALUE */

/* Do the bytes of @address repeat @byte? An offset may have changed the lowest two; arm64 prints 0 for the last one. */
static bool repeats(u64 address, u8 byte, u64 user_end)
{
	for (u32 i = 2; i < 7; i++)
		if ((u8)(address >> (8 * i)) != byte)
			return false;
	return address >> 56 == byte || (user_end == ADDRESS_USER_END_ARM64 && !(address >> 56));
}

enum address_kind address_kind(u64 address, u64 user_end)
{
	if (address < ADDRESS_PAGE)
		return ADDRESS_NULL;
	if (address >= -(u64)ADDRESS_PAGE)
		return ADDRESS_ERROR;
	if (repeats(address, 0x6b, user_end))
		return ADDRESS_FREED;
	if (repeats(address, 0x5a, user_end))
		return ADDRESS_NEW;
	/* 0x100 and 0x122, and what a field's offset adds to or takes from them. */
	if (address - (LIST_POISON - ADDRESS_PAGE) < 2 * ADDRESS_PAGE)
		return ADDRESS_DELETED;
	if (address < user_end)
		return ADDRESS_USER;
	return ADDRESS_WILD;
}
