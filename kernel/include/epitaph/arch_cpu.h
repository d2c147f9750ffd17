/* SPDX-License-Identifier: GPL-2.0-only */
/* Instructions of each architecture that the fast path has inline. */
#ifndef _EPITAPH_ARCH_CPU_H
#define _EPITAPH_ARCH_CPU_H

/*
 * plat_has_crc32() - this CPU has the instruction for CRC-32C.  On x86-64 that is no load and no
 * branch: the kernel patches a jump at boot.
 */
#if defined(CONFIG_X86_64)
#include <asm/cpufeature.h>
#define plat_has_crc32()	cpu_feature_enabled(X86_FEATURE_XMM4_2)
#elif defined(CONFIG_ARM64)
#include <asm/cpufeature.h>
#define plat_has_crc32()	cpu_have_named_feature(CRC32)
#else
#define plat_has_crc32()	false
#endif

/*
 * plat_try_cmpxchg_local() - cmpxchg_local() that says whether it did.  Where a flag is the answer,
 * nothing is compared a second time; the kernel has it from 6.5 on.
 */
#ifdef CONFIG_X86_64
static __always_inline bool plat_try_cmpxchg_local(u64 *p, u64 old, u64 new)
{
	bool done;

	asm volatile("cmpxchgq %[new], %[p]"
		     : "=@ccz" (done), [p] "+m" (*p), "+a" (old) : [new] "r" (new) : "memory");
	return done;
}
#else
static __always_inline bool plat_try_cmpxchg_local(u64 *p, u64 old, u64 new)
{
	return cmpxchg_local(p, old, new) == old;
}
#endif

/*
 * plat_first_bit() - number of the lowest bit that is set, from 1; or 0.  On riscv64 the compiler calls
 * a function of its library for that, and the kernel has none of that name.
 */
#ifdef CONFIG_RISCV
static __always_inline unsigned int plat_first_bit(u64 value)
{
	return value ? __ffs64(value) + 1 : 0;
}
#else
#define plat_first_bit(value)	__builtin_ffsll(value)
#endif

#endif /* _EPITAPH_ARCH_CPU_H */
