/* SPDX-License-Identifier: GPL-2.0-only */
/* What differs between architectures in user space, where tests are built. */
#ifndef _EPITAPH_ARCH_USER_H
#define _EPITAPH_ARCH_USER_H

/*
 * cmpxchg_local() - as the kernel's: atomic against whatever interrupts this
 * CPU, not against other CPUs
 */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
static inline u64 cmpxchg_local(u64 *p, u64 old, u64 new)
{
	__asm__ __volatile__("cmpxchgq %2, %1"
			     : "+a" (old), "+m" (*p) : "r" (new) : "memory");
	return old;
}

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
static inline u64 cmpxchg_local(u64 *p, u64 old, u64 new)
{
	__atomic_compare_exchange_n(p, &old, new, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
	return old;
}

#define plat_try_cmpxchg_local(p, old, new) (cmpxchg_local(p, old, new) == (old))
#endif

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

#endif /* _EPITAPH_ARCH_USER_H */
