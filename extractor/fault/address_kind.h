/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the address of an access that faulted is made of. */
#ifndef EPITAPH_FAULT_ADDRESS_KIND_H
#define EPITAPH_FAULT_ADDRESS_KIND_H

#include "base/types.h"

#define ADDRESS_PAGE		4096
#define ADDRESS_USER_END	0x0000800000000000ULL
#define ADDRESS_USER_END_ARM64	0x0010000000000000ULL	/* with 52 bits; others have fewer */

enum address_kind {
	ADDRESS_NULL,
	ADDRESS_FREED,		/* POISON_FREE of the slab allocator, include/linux/poison.h */
	ADDRESS_NEW,		/* POISON_INUSE */
	ADDRESS_DELETED,	/* LIST_POISON1 and 2 */
	ADDRESS_ERROR,		/* ERR_PTR() */
	ADDRESS_USER,
	ADDRESS_WILD,
};

/* @user_end: behind the addresses of user space */
enum address_kind address_kind(u64 address, u64 user_end);

#endif
