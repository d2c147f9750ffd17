// SPDX-License-Identifier: GPL-2.0-or-later
#include "veneer.h"

#include <elf.h>

#include "linux_kernel/vmem.h"

#define PAGE_OF_ADRP	12
#define BTI_C		0xd503245fU
#define BR_X16		0xd61f0200U

/* "adrp x16, page" */
static bool read_page(u64 *page, u32 word, u64 at)
{
	u64 pages = (u64)(word >> 5 & 0x7ffff) << 2 | (word >> 29 & 3);

	if ((word & 0x9f00001fU) != 0x90000010U)
		return false;
	*page = (at & ~0xfffULL) + ((u64)((s64)(pages << 43) >> 43) << PAGE_OF_ADRP);
	return true;
}

/* Of a jump that is "adrp x16; add x16, x16; br x16", perhaps behind "bti c". */
u64 veneer_end(const struct kernel *kernel, u64 target)
{
	u64 at = target, page, word;

	if (!target || !kernel || kernel->machine != EM_AARCH64 || !kernel->modules || !kernel_modules_at(kernel->modules, target))
		return target;
	if (vmem_number(kernel->vmem, at, 4, &word) && word == BTI_C)
		at += 4;
	if (!vmem_number(kernel->vmem, at, 4, &word) || !read_page(&page, (u32)word, at) ||
	    !vmem_number(kernel->vmem, at + 4, 4, &word) || (word & 0xffc003ffU) != 0x91000210U)
		return target;
	page += word >> 10 & 0xfff;
	return vmem_number(kernel->vmem, at + 8, 4, &word) && word == BR_X16 ? page : target;
}
