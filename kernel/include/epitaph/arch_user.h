/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What differs between architectures in user space, where tests are built. */
#ifndef _EPITAPH_ARCH_USER_H
#define _EPITAPH_ARCH_USER_H

/*
 * cmpxchg_local() - as the kernel's: atomic against whatever interrupts this
 * CPU, not against other CPUs
 *
 * Of any type of 32 or 64 bits: __le64 is another type than u64 here.
 */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define cmpxchg_local(p, old, new)					\
	({								\
		__typeof__(*(p)) __was = (old);				\
									\
		__asm__ __volatile__("cmpxchg %[new_], %[p_]"		\
				     : "+a" (__was), [p_] "+m" (*(p))	\
				     : [new_] "r" ((__typeof__(*(p)))(new)) : "memory"); \
		__was;							\
	})

/* As in arch_cpu.h. */
#define plat_try_cmpxchg_local(p, old, new)				\
	({								\
		u64 __old = (old);					\
		bool __done;						\
									\
		__asm__ __volatile__("cmpxchgq %[new_], %[p_]"		\
				     : "=@ccz" (__done), [p_] "+m" (*(p)), "+a" (__old) \
				     : [new_] "r" (new) : "memory");	\
		__done;							\
	})
#else
#define cmpxchg_local(p, old, new)					\
	({								\
		__typeof__(*(p)) __was = (old);				\
									\
		__atomic_compare_exchange_n(p, &__was, new, false,	\
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
		__was;							\
	})

#define plat_try_cmpxchg_local(p, old, new) (cmpxchg_local(p, old, new) == (old))
#endif

/* As in arch_cpu.h. */
#define plat_first_bit(value)	__builtin_ffsll(value)

/* This CPU has the instruction for CRC-32C. */
#if defined(__x86_64__)
#define plat_has_crc32()	__builtin_cpu_supports("sse4.2")
#elif defined(__aarch64__)
#include <sys/auxv.h>
#include <asm/hwcap.h>
#define plat_has_crc32()	(!!(getauxval(AT_HWCAP) & HWCAP_CRC32))
#else
#define plat_has_crc32()	false
#endif

/* The counter that the kernel's recorder uses, as EPITAPH_ARCH_COUNTER says there; 0: none. */
#if defined(__x86_64__)
#define PLAT_COUNTER_ID		1	/* EPITAPH_CLOCK_TSC */
static __always_inline u64 plat_counter(void)
{
	return __builtin_ia32_rdtsc();
}
#elif defined(__aarch64__)
#define PLAT_COUNTER_ID		4	/* EPITAPH_CLOCK_CNTVCT */
static __always_inline u64 plat_counter(void)
{
	u64 now;

	__asm__ __volatile__("mrs %0, cntvct_el0" : "=r" (now));
	return now;
}
#elif defined(__s390x__)
#include <epitaph/format.h>
#define PLAT_COUNTER_ID		8	/* EPITAPH_CLOCK_TOD */
static __always_inline u64 plat_counter(void)
{
	u64 now;

	__asm__ __volatile__("stckf %0" : "=Q" (now) : : "cc");
	return now >> EPITAPH_TOD_SHIFT;
}
#else
#define PLAT_COUNTER_ID		0
static __always_inline u64 plat_counter(void)
{
	return 0;
}
#endif

#endif /* _EPITAPH_ARCH_USER_H */
