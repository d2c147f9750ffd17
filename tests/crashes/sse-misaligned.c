// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  An aligned load of SSE is given an address that is not a multiple of 16.  That is a general protection fault at an
 * address that is good.
 *
 * pattern: movaps of a buffer that is 8 bytes off, in code of crypto or RAID
 * upstream: the class of misaligned SSE access (for example of stacks of 8 bytes alignment in x86/crypto)
 * finding: an instruction of block_xor() needs 16 bytes of alignment, and its register has none; or: not known
 * never: a pointer that no memory can have; a freed object; a return address; NULL
 * x86: movaps
 * must: ^likely: block_xor\(\) .*multiple of 16
 * not: freed|NULL
 * guest: insmod /test/sse-misaligned.ko
 */
#include <asm/fpu/api.h>
#include "crash.h"

static noinline void block_xor(u8 *to, const u8 *from)
{
	kernel_fpu_begin();
	asm volatile("movaps (%0), %%xmm0\n\txorps %%xmm1, %%xmm0\n\tmovaps %%xmm0, (%1)"
		     : : "r" (from), "r" (to) : "memory");
	kernel_fpu_end();
}

static int __init block_init(void)
{
	u8 *from = kzalloc(256, GFP_KERNEL);
	u8 *to = kzalloc(256, GFP_KERNEL);

	block_xor(to, from);
	block_xor(to + 16, from + 8);
	return 0;
}
module_init(block_init);
