// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel that dies while it boots.  scripts/kernel-from-source builds it into the kernel of the
 * guests of this directory.
 *
 * die=setup,console,early,core: so many boots die, the first of them where the first word says.  How
 * many have died stands in a byte of the clock's memory, which a reset keeps.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <asm/io.h>

#define CMOS_BYTE	0x6e

static char words[64] __initdata;

static u8 __init deaths(void)
{
	outb(CMOS_BYTE, 0x70);
	return inb(0x71);
}

static void __init count_death(void)
{
	u8 n = deaths() + 1;

	outb(CMOS_BYTE, 0x70);
	outb(n, 0x71);
}

/* Is this boot to die at @where? */
static bool __init dies_at(const char *where)
{
	const char *p = words;
	u8 n;

	for (n = deaths(); n && p; n--)
		p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL;
	if (!p || strncmp(p, where, strlen(where)) || (p[strlen(where)] && p[strlen(where)] != ','))
		return false;
	count_death();
	return true;
}

/* Before the memory allocators; parameters that stand before it have been read. */
static int __init die_in_setup(char *text)
{
	strscpy(words, text, sizeof(words));
	if (dies_at("setup"))
		panic("die: in setup\n");
	return 1;
}
__setup("die=", die_in_setup);

/* Behind the recorder's, before those of real consoles. */
static int __init die_in_console_initcall(void)
{
	if (dies_at("console"))
		*(volatile int *)0x10 = 1;
	return 0;
}
console_initcall(die_in_console_initcall);

/* One CPU runs. */
static int __init die_in_early_initcall(void)
{
	if (dies_at("early"))
		*(volatile int *)0x20 = 1;
	return 0;
}
early_initcall(die_in_early_initcall);

/* All CPUs run. */
static int __init die_in_core_initcall(void)
{
	if (dies_at("core"))
		BUG();
	return 0;
}
core_initcall(die_in_core_initcall);
