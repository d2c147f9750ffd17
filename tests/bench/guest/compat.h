/* SPDX-License-Identifier: GPL-2.0-only */
/* Older kernels made to look like the newest. */
#ifndef _BENCH_COMPAT_H
#define _BENCH_COMPAT_H

#include <linux/bio.h>
#include <linux/version.h>

/* From 6.10 on, __assign_str() takes the source from __string(). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
#define bench_assign_str(dst, src) __assign_str(dst, src)
#else
#define bench_assign_str(dst, src) __assign_str(dst)
#endif

/* From 5.18 on, bio_init() takes the disk and the operation. */
static inline void bench_bio_init(struct bio *bio, struct block_device *disk, struct bio_vec *vec)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 18, 0)
	bio_init(bio, vec, 1);
	bio_set_dev(bio, disk);
	bio->bi_opf = REQ_OP_READ;
#else
	bio_init(bio, disk, vec, 1, REQ_OP_READ);
#endif
}

#endif /* _BENCH_COMPAT_H */
