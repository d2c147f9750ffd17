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
#else
static inline u64 cmpxchg_local(u64 *p, u64 old, u64 new)
{
	__atomic_compare_exchange_n(p, &old, new, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
	return old;
}
#endif

#endif /* _EPITAPH_ARCH_USER_H */
