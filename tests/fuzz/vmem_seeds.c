// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory of each machine: VMCOREINFO, tables that lead to one another, and the kernel's name. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "seeds.h"

#define PAGE		4096
#define NR_PAGES	4
#define NAME		(3 * PAGE + 512)	/* init_uts_ns */

/* @entry: of each page of tables, all entries alike */
static const struct {
	int big;
	const char *info;
	uint64_t entry[3];
} machines[] = {
	{ 0, "NUMBER(phys_base)=0\nSYMBOL(swapper_pg_dir)=ffffffff80001000\n"
	     "SYMBOL(init_uts_ns)=ffffffff80003200\n", { 0x1063, 0, 0 } },
	{ 0, "NUMBER(phys_base)=0\nNUMBER(pgtable_l5_enabled)=1\nNUMBER(sme_mask)=0\n"
	     "SYMBOL(init_top_pgt)=ffffffff80001000\nSYMBOL(init_uts_ns)=ffffffff80003200\n",
	  { 0x2063, 0x10e3, 0 } },
	{ 0, "NUMBER(kimage_voffset)=0\nNUMBER(VA_BITS)=48\nSYMBOL(swapper_pg_dir)=1000\n"
	     "SYMBOL(init_uts_ns)=ffff000000003200\n", { 0x1003, 0, 0 } },
	{ 0, "NUMBER(kimage_voffset)=0\nNUMBER(VA_BITS)=52\nNUMBER(TCR_EL1_T1SZ)=0xc\nSYMBOL(swapper_pg_dir)=1000\n"
	     "SYMBOL(init_uts_ns)=fff0000000003200\n", { 0x2003, 0x1001, 0 } },
	{ 0, "PAGESIZE=65536\nNUMBER(kimage_voffset)=0\nNUMBER(VA_BITS)=42\nSYMBOL(swapper_pg_dir)=1000\n"
	     "SYMBOL(init_uts_ns)=fffffc0000003200\n", { 0x1003, 0, 0 } },
	{ 1, "SYMBOL(lowcore_ptr)=0\nSYMBOL(swapper_pg_dir)=1000\nSYMBOL(init_uts_ns)=3200\n",
	  { 0x2004, 0x3000, 0x3000 } },
	{ 1, "SYMBOL(lowcore_ptr)=0\nSYMBOL(swapper_pg_dir)=11000\nSYMBOL(init_uts_ns)=3200\n"
	     "KERNELOFFSET=10000\nKERNELOFFPHYS=0\n", { 0x2004, 0x400, 0 } },
	{ 1, "PAGESIZE=4096\nSYMBOL(_stext)=c000000000000000\nSYMBOL(swapper_pg_dir)=c000000000001000\n"
	     "SYMBOL(init_uts_ns)=c000000000003200\n", { 0x8000000000001009, 0, 0 } },
	{ 1, "PAGESIZE=65536\nSYMBOL(_stext)=c000000000000000\nSYMBOL(swapper_pg_dir)=c000000000001000\n"
	     "SYMBOL(init_uts_ns)=c000000000003200\n", { 0, 0, 0 } },
};

static void put(unsigned char *at, uint64_t value, int big)
{
	for (int i = 0; i < 8; i++)
		at[i] = value >> 8 * (big ? 7 - i : i);
}

void save_vmems(const char *dir)
{
	static unsigned char seed[1 + NR_PAGES * PAGE];
	unsigned char *memory = seed + 1;

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		memset(seed, 0, sizeof(seed));
		seed[0] = machines[i].big;
		snprintf((char *)memory, PAGE, "OSRELEASE=6.1.0\nOFFSET(uts_namespace.name)=0\n%s",
			 machines[i].info);
		for (size_t k = 0; k < 3 * (PAGE / 8); k++)
			put(memory + PAGE + 8 * k, machines[i].entry[k / (PAGE / 8)], machines[i].big);
		memcpy(memory + NAME + 130, "6.1.0", 6);
		seed_save(dir, i, seed, sizeof(seed));
	}
}
