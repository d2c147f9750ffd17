/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Every primitive that the ordering argument of ring.c uses.  The kernel half
 * names the kernel's own; the user half is what tests are built with.
 */
#ifndef _EPITAPH_PLAT_H
#define _EPITAPH_PLAT_H

#ifdef __KERNEL__

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/string.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/ktime.h>
#include <linux/types.h>
#include <asm/barrier.h>
#include <asm/byteorder.h>
#include <asm/processor.h>
/* Moved in 6.12, kernel commit 5f60d5f6bbc1. */
#if __has_include(<linux/unaligned.h>)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

#include <epitaph/arch_cpu.h>
#include <epitaph/clock.h>

/* This CPU has what the fast path takes for granted: the clock, and the sum, are instructions. */
extern bool epitaph_is_fast;

static inline u64 plat_load64(const void *p)
{
	return get_unaligned((const u64 *)p);
}

static inline u32 plat_load32(const void *p)
{
	return get_unaligned((const u32 *)p);
}

/* Of a word that the caller may read only a part of; KASAN looks at its first byte. */
static __always_inline u64 plat_read_aligned(const void *p)
{
	return read_word_at_a_time(p);
}

/* CLOCK_MONOTONIC, any context; roughly is enough. */
static inline u64 plat_mono_ns(void)
{
	return ktime_get_mono_fast_ns();
}

static inline u64 plat_jiffies(void)
{
	return jiffies;
}

/* @size is a multiple of 8.  By words: some CPUs' memset() goes by bytes. */
static inline void plat_zero(void *p, size_t size)
{
	memset64(p, 0, size / 8);
}

/* A region may have tens of GiB: in loops over it, others run at each of so many bytes. */
#define PLAT_RELAX_BYTES	(2UL << 20)
#define plat_relax_at(off)	do { if (!((off) % PLAT_RELAX_BYTES)) cond_resched(); } while (0)

/* A crash between any two stores is tested in user space only. */
#define crash_point(label)	do { } while (0)

#else /* user space */

#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <linux/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define S64_MIN	INT64_MIN
#define S64_MAX	INT64_MAX

#define cpu_to_le16(x)	htole16(x)
#define cpu_to_le32(x)	htole32(x)
#define cpu_to_le64(x)	htole64(x)
#define le16_to_cpu(x)	le16toh(x)
#define le32_to_cpu(x)	le32toh(x)
#define le64_to_cpu(x)	le64toh(x)

#define noinline	__attribute__((noinline))
#ifndef __always_inline
#define __always_inline	inline __attribute__((always_inline))
#endif
#define __aligned(n)	__attribute__((aligned(n)))

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

/* Of what interrupts of this CPU alone write: whichever value is seen will do. */
#define data_race(x)		(x)
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define barrier()		__asm__ __volatile__("" ::: "memory")
#define smp_wmb()		__atomic_thread_fence(__ATOMIC_RELEASE)
#define cpu_relax()		barrier()
#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)
#ifndef smp_rmb			/* a test may have its own */
#define smp_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE)
#endif

static inline void plat_zero(void *p, size_t size)
{
	memset(p, 0, size);
}

/* Only a kernel has to. */
#define PLAT_RELAX_BYTES	(2UL << 20)
#define plat_relax_at(off)	do { (void)(off); } while (0)

static inline u64 plat_load64(const void *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline u32 plat_load32(const void *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

__attribute__((no_sanitize("address")))
static inline u64 plat_read_aligned(const void *p)
{
	return *(const u64 *)p;
}

/* A test's times are near 0. */
static inline u64 plat_mono_ns(void)
{
	return 1ULL << 28;
}

static inline u64 plat_jiffies(void)
{
	return 1U << 15;
}

static inline void put_unaligned_le16(u16 v, void *p)
{
	v = cpu_to_le16(v);
	memcpy(p, &v, sizeof(v));
}

static inline void put_unaligned_le32(u32 v, void *p)
{
	v = cpu_to_le32(v);
	memcpy(p, &v, sizeof(v));
}

static inline void put_unaligned_le64(u64 v, void *p)
{
	v = cpu_to_le64(v);
	memcpy(p, &v, sizeof(v));
}

static inline u64 rol64(u64 word, unsigned int shift)
{
	return word << shift | word >> (64 - shift);
}

static inline u64 get_unaligned_le64(const void *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return le64_to_cpu(v);
}

static inline u32 get_unaligned_le32(const void *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return le32_to_cpu(v);
}

#include <epitaph/arch_user.h>

/* A test defines both: the clock, and what happens at a labelled step.  A program has its CPU's. */
#ifdef EPITAPH_PROGRAM
#define epitaph_clock()		plat_counter()
#else
u64 epitaph_clock(void);
#endif
#define epitaph_is_fast	true
#define epitaph_clock_near()	epitaph_clock()
#define epitaph_clock_ordered()	epitaph_clock()

#ifdef EPITAPH_CRASH_POINTS
void crash_point(const char *label);
#else
#define crash_point(label)	do { } while (0)
#endif

#endif /* user space */

/* The compiler knows nothing of @var any more: it does not add to an index before it is needed. */
#define plat_hide(var)	__asm__("" : "+r" (var))

/*
 * The array, as one whose size is not known.  A kernel with CONFIG_UBSAN_BOUNDS would check once more
 * an index that was checked already, and each event takes a fifth more instructions for the registers
 * that survive the check's call.
 */
#define plat_unbounded(array) (*(typeof((array)[0]) (*)[])&(array))

/* Of the loop that follows: its number of rounds is a constant; it is not. */
#ifdef __clang__
#define plat_unroll	_Pragma("clang loop unroll(full)")
#define plat_no_unroll	_Pragma("clang loop unroll(disable)")
#else
#define plat_unroll	_Pragma("GCC unroll 16")
#define plat_no_unroll	_Pragma("GCC unroll 1")
#endif

#endif /* _EPITAPH_PLAT_H */
