/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of one guest, out of the dump of its host, as a dump of its own. */
#ifndef EPITAPH_KVM_GUEST_DUMP_H
#define EPITAPH_KVM_GUEST_DUMP_H

#include "guests.h"

/**
 * guest_dump_open() - the memory of the guest that is called @which
 * @ret: set only on success
 * @host: belongs to @ret then, also on failure
 *
 * Return: 0; as kernel_open() and kvm_guests_open(); -ERR_NOT_OURS if there is no such guest;
 *	-ERR_CORRUPT if its page tables map more than the file can hold.
 */
int guest_dump_open(struct dump **ret, struct dump *host, const char *which, struct err *err);

/**
 * guest_dump_make() - the same of a guest that was found
 * @host: belongs to @ret then, but not on failure
 * @kernel: of @host
 */
int guest_dump_make(struct dump **ret, struct dump *host, const struct kernel *kernel,
		    const struct kvm_guest *guest, struct err *err);

#endif
