// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace_seed.h"
#include "kernel_seed.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static unsigned char *mem;

static void put(size_t at, uint64_t value, size_t size)
{
	memcpy(mem + at, &value, size);
}

/* Where things of the seed are in memory, by address. */
enum {
	MODULES = SEED_DATA, FAST = SEED_DATA + 0x20, CLOCKSOURCE = SEED_DATA + 0xa0,
	PER_CPU = SEED_DATA + 0xc0, CYC2NS = SEED_DATA + 0xd0, RQ = SEED_DATA + 0x100,
	TASK = SEED_DATA + 0x110, MODULE = SEED_DATA + 0x140, SYMTAB = SEED_DATA + 0x200,
	STRTAB = SEED_DATA + 0x280, NOTES = SEED_DATA + 0x2a0, NOTE = NOTES + 0x40,
	UNFORMED = SEED_DATA + 0x300,
	TIMEKEEPER = SEED_MORE, CLOCK_DATA = SEED_MORE + 0x20, TOD_BASE = SEED_MORE + 0x60,
	BOOT_TB = SEED_MORE + 0x70, TB_SCALE = SEED_MORE + 0x78, TB_SHIFT = SEED_MORE + 0x80,
	PV_CLOCK = SEED_MORE + 0x88, KVM_OFFSET = SEED_MORE + 0x90, RESERVED = SEED_MORE + 0xa0,
	NR_RESERVED = SEED_MORE + 0xe0, FAST_RAW = SEED_MORE + 0x100,
	LOCAL_CLOCK = 0x20, KVM_CLOCK = 0x30,	/* functions */
};

static const struct { uint64_t at; const char *name; } symbols[] = {
	{ 0, "T_stext" }, { MODULES, "dmodules" }, { FAST, "dtk_fast_mono" },
	{ PER_CPU, "D__per_cpu_offset" }, { CYC2NS, "dcyc2ns" }, { RQ, "drunqueues" },
	{ RQ + 8, "D__sched_clock_offset" }, { RQ + 8, "d__sched_clock_stable" },
	{ RQ + 8, "d__use_tsc" }, { RQ + 8, "Tsched_clock_cpu" }, { RQ + 8, "d__gtod_offset" },
	{ TASK + 0x20, "Dnr_cpu_ids" }, { TASK + 0x24, "dpanic_cpu" },
	{ SEED_ARRAYS, "Dftrace_trace_arrays" }, { SEED_EVENTS, "Dftrace_events" },
	{ SEED_COMMON, "dftrace_common_fields" }, { SEED_SAVED, "bsavedcmd" },
	{ SEED_CLOCKS, "dtrace_clocks" }, { SEED_ENTER, "tsyscall_get_enter_fields" },
	{ TIMEKEEPER - 8, "btk_core" }, { FAST_RAW, "dtk_fast_raw" }, { CLOCK_DATA, "dcd" },
	{ TOD_BASE, "Dtod_clock_base" }, { BOOT_TB, "dboot_tb" }, { TB_SCALE, "dtb_to_ns_scale" },
	{ TB_SHIFT, "dtb_to_ns_shift" }, { PV_CLOCK, "D__SCK__pv_sched_clock" },
	{ KVM_OFFSET, "dkvm_sched_clock_offset" }, { KVM_CLOCK, "tkvm_sched_clock_read" },
	{ LOCAL_CLOCK, "Ttrace_clock_local" }, { RESERVED, "dreserved_mem_table" },
	{ NR_RESERVED, "dreserved_mem_count" },
	{ SEED_BTF, "D__start_BTF" }, { SEED_SIZE, "D__stop_BTF" },
};
#define NR (sizeof(symbols) / sizeof(*symbols))

static void put_symbols(void)
{
	size_t at = SEED_TOKENS, names = SEED_NAMES;

	for (int i = 0; i < 256; i++) {
		put(SEED_INDEX + 2 * i, at - SEED_TOKENS, 2);
		if (i > ' ' && i < 127)
			mem[at++] = i;
		at++;
	}
	for (size_t i = 0; i < NR; i++) {
		mem[names++] = strlen(symbols[i].name);
		memcpy(mem + names, symbols[i].name, strlen(symbols[i].name));
		names += strlen(symbols[i].name);
		put(SEED_OFFSETS + 4 * i, -1 - symbols[i].at, 4);
	}
	put(SEED_NR_SYMS, NR, 4);
	put(SEED_BASE, SEED_VA, 8);
}

static void put_log(enum seed_kernel kernel)
{
	static const char * const panic[] = { "a seed", "", "Oops", "Kernel panic - not syncing: a seed" };
	static const char * const oops[] = {
		"Oops: a seed\nof it", "BUG: another", "", "Kernel panic - not syncing: Fatal exception" };

	put(SEED_PRB, SEED_VA + SEED_RING, 8);
	put(SEED_RING, 2, 4);
	put(SEED_RING + 8, SEED_VA + SEED_DESCS, 8);
	put(SEED_RING + 16, SEED_VA + SEED_INFOS, 8);
	put(SEED_RING + 24, 3, 8);
	put(SEED_RING + 48, 9, 4);
	put(SEED_RING + 56, SEED_VA + SEED_TEXT, 8);
	for (uint64_t i = 0; i < 4; i++) {
		const char *text = kernel == SEED_6_1 ? oops[i] : panic[i];

		put(SEED_DESCS + 24 * i, i | 2ULL << 62, 8);
		put(SEED_DESCS + 24 * i + 8, 64 * i, 8);
		put(SEED_DESCS + 24 * i + 16, 64 * i + 64, 8);
		put(SEED_INFOS + 88 * i, i, 8);
		put(SEED_INFOS + 88 * i + 16, strlen(text), 2);
		put(SEED_TEXT + 64 * i, i, 8);
		memcpy(mem + SEED_TEXT + 64 * i + 8, text, strlen(text));
	}
}

static void put_types(enum seed_kernel kernel)
{
	size_t size = types_seed(mem + SEED_BTF, SEED_SIZE - SEED_BTF, kernel);

	put(SEED_OFFSETS + 4 * (NR - 1), -1 - (SEED_BTF + (int)size), 4);
}

static void put_structs(void)
{
	put(MODULES, SEED_VA + UNFORMED + 8, 8);
	put(UNFORMED, 3, 4);
	put(UNFORMED + 8, SEED_VA + MODULE + 8, 8);
	put(MODULE + 8, SEED_VA + MODULES, 8);
	memcpy(mem + MODULE + 24, "seed", 5);
	put(MODULE + 80, SEED_MODULE, 8);
	put(MODULE + 88, 0x100, 4);
	put(MODULE + 92, 0x80, 4);
	put(MODULE + 112, SEED_VA + MODULE + 120, 8);
	put(MODULE + 120, SEED_VA + SYMTAB, 8);
	put(MODULE + 128, 3, 4);
	put(MODULE + 136, SEED_VA + STRTAB, 8);
	memcpy(mem + MODULE + 152, "seeds of modules", 16);
	put(MODULE + 176, SEED_VA + NOTES, 8);
	put(NOTES + 16, SEED_VA + NOTE, 8);
	memcpy(mem + NOTE, "\4\0\0\0\10\0\0\0\3\0\0\0GNU\0sunflower", 24);
	memcpy(mem + STRTAB + 1, "one\0two", 8);
	for (int i = 1; i < 3; i++) {
		put(SYMTAB + 24 * i, 4 * i - 3, 4);
		put(SYMTAB + 24 * i + 6, 1, 2);
		put(SYMTAB + 24 * i + 8, SEED_MODULE + 16 * i, 8);
	}
	put(FAST + 8, SEED_VA + CLOCKSOURCE, 8);
	put(FAST + 8 + 24, 1 << 20, 4);
	put(FAST + 8 + 28, 20, 4);
	put(CLOCKSOURCE, SEED_VA + CLOCKSOURCE + 8, 8);
	memcpy(mem + CLOCKSOURCE + 8, "tsc", 4);
	put(CYC2NS, 1 << 10, 4);
	put(CYC2NS + 4, 10, 4);
	put(RQ, SEED_VA + TASK, 8);
	put(RQ + 8, 1, 8);
	put(NR_RESERVED, 2, 4);
	put(RESERVED + 16, SEED_PAGES, 8);
	put(RESERVED + 24, 0x1000, 8);
	put(TASK, 7, 4);
	memcpy(mem + TASK + 8, "seeding", 8);
	put(TASK + 0x20, 1, 4);
}

/* What a local clock of any machine is made of. */
static void put_clocks(void)
{
	put(TIMEKEEPER, 1000, 8);
	put(TIMEKEEPER + 8, 37000000000, 8);
	for (size_t at = CLOCK_DATA + 8; at < CLOCK_DATA + 56; at += 24)
		put(at + 16, 1 << 20 | 20ULL << 32, 8);
	put(TB_SCALE, 1ULL << 40, 8);
	put(FAST_RAW + 8 + 24, 1 << 20 | 20ULL << 32, 8);
	put(FAST + 8 + 40, 5000, 8);
	put(FAST + 8 + 48, 1700000000000000000, 8);
}

/* struct new_utsname; that of one kernel is not what VMCOREINFO says. */
static void put_name(enum seed_kernel kernel)
{
	static const char * const names[] = { "Linux", "seed", "6.1.0", "#1 SMP", "x86_64" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		strcpy((char *)mem + SEED_UTS + 65 * i, names[i]);
	if (kernel != SEED_6_1)
		strcpy((char *)mem + SEED_UTS + 65 * 2, "6.12.0");
}

void kernel_seed(unsigned char *memory, enum seed_kernel kernel)
{
	mem = memory;
	memset(mem, 0, SEED_ALL);
	put(8 * 511, 0x63, 8);		/* the second table is this one */
	put(8 * 510, 0x63, 8);		/* so is the third */
	put(8 * 8, 0xe3, 8);		/* 2 MiB from address 0 on */
	put(8 * 9, 0xe3, 8);		/* again */
	put_symbols();
	put_log(kernel);
	put_types(kernel);
	put_structs();
	put_clocks();
	put_name(kernel);
	ftrace_seed(mem);
}

/* In the table, by one that is as long. */
static void rename_symbol(const char *name, const char *other)
{
	char *at = memmem(mem + SEED_NAMES, SEED_RING - SEED_NAMES, name, strlen(name));

	memcpy(at, other, strlen(other));
}

void kernel_seed_clock(unsigned char *memory, const char *source)
{
	mem = memory;
	strcpy((char *)mem + CLOCKSOURCE + 8, source);
	if (!strcmp(source, "kvm-clock"))
		put(PV_CLOCK, SEED_VA + KVM_CLOCK, 8);
	else
		rename_symbol("sched_clock_cpu", "sched_clock_gpu");
}

void kernel_seed_functions(unsigned char *memory)
{
	mem = memory;
	rename_symbol("trace_clocks", "tracy_clocks");
}
