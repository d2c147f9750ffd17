/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EPITAPH_LINUX_KERNEL_UTSNAME_H
#define EPITAPH_LINUX_KERNEL_UTSNAME_H

#include "vmem.h"

#define UTSNAME_FIELD	65	/* bytes of each field of struct new_utsname */

/**
 * utsname_address() - where the kernel keeps its own name, a struct new_utsname
 *
 * VMCOREINFO has OFFSET(uts_namespace.name) since 5.11. Before, a struct kref of 4 bytes is in front of
 * the name; it counts if the release is there that VMCOREINFO has.
 *
 * Return: false: VMCOREINFO does not lead to it.
 */
bool utsname_address(struct vmem *vmem, u64 *ret);

/* Is the release there that VMCOREINFO has? */
bool utsname_is_release(struct vmem *vmem, u64 va);

#endif
