/* SPDX-License-Identifier: GPL-2.0-only */
/* VMCOREINFO: the kernel's description of itself for dump tools, read by ourselves. */
#ifndef EPITAPH_CRASH_VMCOREINFO_H
#define EPITAPH_CRASH_VMCOREINFO_H

#include <linux/types.h>

/**
 * epitaph_kaslr_offset() - what was added to link addresses
 *
 * KERNELOFFSET of VMCOREINFO (Documentation/admin-guide/kdump/vmcoreinfo.rst).
 * Return: 0 if unknown.
 */
u64 epitaph_kaslr_offset(void);

/**
 * epitaph_build_id() - of vmlinux
 * @id: filled in
 *
 * BUILD-ID of VMCOREINFO.
 * Return: bytes, 0 if unknown.
 */
u8 epitaph_build_id(u8 id[20]);

#endif /* EPITAPH_CRASH_VMCOREINFO_H */
