/* SPDX-License-Identifier: GPL-2.0-only */
/* Older kernels made to look like the newest.  The only file here that may say LINUX_VERSION_CODE. */
#ifndef _EPITAPH_PSTORE_COMPAT_H
#define _EPITAPH_PSTORE_COMPAT_H

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/version.h>

/*
 * What read() hands to pstore, pstore frees: with kvfree() since 6.6, kernel
 * commit 104fd0b5e948, and with kfree() before.  No warning if a megabyte in one
 * piece is not to be had.
 */
static inline void *record_alloc(size_t size)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
	return kmalloc(size, GFP_KERNEL | __GFP_NOWARN);
#else
	return kvmalloc(size, GFP_KERNEL | __GFP_NOWARN);
#endif
}

static inline void record_free(void *bytes)
{
	kvfree(bytes);
}

#endif /* _EPITAPH_PSTORE_COMPAT_H */
