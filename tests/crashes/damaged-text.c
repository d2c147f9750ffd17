// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A byte of a module's function is overwritten in memory; the function, correct in its file,
 * dies of an invalid opcode.
 *
 * pattern: damaged text: bad memory, a stray write through another mapping
 * finding: invalid opcode that is no BUG; the text is not what was built, or "not known"
 * never: BUG() or an assertion; checksum() as wrong source code
 * must: ^likely: .*no BUG\(\) is there
 * not: failed
 * guest: insmod /test/damaged-text.ko
 */
#include <linux/vmalloc.h>
#include "crash.h"

#ifdef CONFIG_ARM64
#define WHERE	19	/* the uppermost byte of an instruction */
#define WHAT	0	/* of none */
#else
#define WHERE	5	/* behind the nops of ftrace, 0x31 or such */
#define WHAT	0x06	/* no opcode in long mode */
#endif

static noinline u32 checksum(u32 value)
{
	u32 sum = 0;
	int i;

	for (i = 0; i < 32; i++)
		sum += READ_ONCE(value) >> i;
	return sum;
}

static void damage(void *text)
{
	struct page *page = vmalloc_to_page(text);
	u8 *alias = vmap(&page, 1, VM_MAP, PAGE_KERNEL);

	alias[offset_in_page(text)] = WHAT;
	vunmap(alias);
}

static int run(void *unused)
{
	u32 sum = 0;
	int i;

	for (i = 0; i < 10; i++) {
		sum += checksum(i);
		msleep(100);
		if (i == 7)
			damage((u8 *)checksum + WHERE);
	}
	return sum;
}

static int __init checksum_init(void)
{
	return run_thread(run, NULL, 0, "checksum");
}
module_init(checksum_init);
