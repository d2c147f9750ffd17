// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace_seed.h"
#include "kernel_seed.h"

#include <bpf/btf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

static void put_log(void)
{
	static const char text[] = "Kernel panic - not syncing: a seed";

	put(SEED_PRB, SEED_VA + SEED_RING, 8);
	put(SEED_RING, 2, 4);
	put(SEED_RING + 8, SEED_VA + SEED_DESCS, 8);
	put(SEED_RING + 16, SEED_VA + SEED_INFOS, 8);
	put(SEED_RING + 24, 3, 8);
	put(SEED_RING + 48, 9, 4);
	put(SEED_RING + 56, SEED_VA + SEED_TEXT, 8);
	for (uint64_t i = 0; i < 4; i++) {
		put(SEED_DESCS + 24 * i, i | 2ULL << 62, 8);
		put(SEED_DESCS + 24 * i + 8, 64 * i, 8);
		put(SEED_DESCS + 24 * i + 16, 64 * i + 64, 8);
		put(SEED_INFOS + 88 * i, i, 8);
		put(SEED_INFOS + 88 * i + 16, sizeof(text), 2);
		put(SEED_TEXT + 64 * i, i, 8);
		memcpy(mem + SEED_TEXT + 64 * i + 8, text, sizeof(text));
	}
}

static void add_halves(struct btf *b, int ptr, int u32_id)
{
	int half = btf__add_struct(b, "module_layout", 16);

	btf__add_field(b, "base", ptr, 0, 0);
	btf__add_field(b, "size", u32_id, 64, 0);
	btf__add_field(b, "text_size", u32_id, 96, 0);
	btf__add_struct(b, "bin_attribute", 16);
	btf__add_field(b, "private", ptr, 64, 0);
	btf__add_struct(b, "module_notes_attrs", 8);
	btf__add_field(b, "attrs", u32_id, 64, 0);
	btf__add_struct(b, "module", 184);
	btf__add_field(b, "core_layout", half, 640, 0);
	btf__add_field(b, "init_layout", half, 768, 0);
	btf__add_field(b, "notes_attrs", ptr, 176 * 8, 0);
}

static void add_pieces(struct btf *b, int ptr, int u32_id, int id)
{
	int piece;

	btf__add_enum(b, "mod_mem_type", 4);
	btf__add_enum_value(b, "MOD_TEXT", 0);
	btf__add_enum_value(b, "MOD_INIT_TEXT", 1);
	piece = btf__add_struct(b, "module_memory", 16);
	btf__add_field(b, "base", ptr, 0, 0);
	btf__add_field(b, "size", u32_id, 64, 0);
	piece = btf__add_array(b, u32_id, piece, 2);
	btf__add_struct(b, "module", 184);
	btf__add_field(b, "mem", piece, 640, 0);
	btf__add_field(b, "build_id", id, 152 * 8, 0);
}

/* As include/linux has them, but for what nobody asks for. */
static void put_types(enum seed_kernel kernel)
{
	struct btf *b = btf__new_empty();
	int u32_id = btf__add_int(b, "u32", 4, 0), u64_id = btf__add_int(b, "u64", 8, 0);
	int ch = btf__add_int(b, "char", 1, 0), ptr = btf__add_ptr(b, 0), list, base, data;
	int comm = btf__add_array(b, u32_id, ch, 16), name = btf__add_array(b, u32_id, ch, 56);
	int id = btf__add_array(b, u32_id, ch, 20);
	const void *raw;
	uint32_t size;

	list = btf__add_struct(b, "list_head", 16);
	btf__add_field(b, "next", ptr, 0, 0);
	btf__add_field(b, "prev", ptr, 64, 0);
	base = btf__add_struct(b, "tk_read_base", 56);
	btf__add_field(b, "clock", ptr, 0, 0);
	btf__add_field(b, "mask", u64_id, 64, 0);
	btf__add_field(b, "cycle_last", u64_id, 128, 0);
	btf__add_field(b, "mult", u32_id, 192, 0);
	btf__add_field(b, "shift", u32_id, 224, 0);
	btf__add_field(b, "xtime_nsec", u64_id, 256, 0);
	btf__add_field(b, "base", u64_id, 320, 0);
	btf__add_field(b, "base_real", u64_id, 384, 0);
	base = btf__add_array(b, u32_id, base, 2);
	btf__add_struct(b, "tk_fast", 120);
	btf__add_field(b, "base", base, 64, 0);
	btf__add_struct(b, "clocksource", 8);
	btf__add_field(b, "name", ptr, 0, 0);
	data = btf__add_struct(b, "cyc2ns_data", 16);
	btf__add_field(b, "cyc2ns_mul", u32_id, 0, 0);
	btf__add_field(b, "cyc2ns_shift", u32_id, 32, 0);
	btf__add_field(b, "cyc2ns_offset", u64_id, 64, 0);
	data = btf__add_array(b, u32_id, data, 2);
	btf__add_struct(b, "cyc2ns", 40);
	btf__add_field(b, "data", data, 0, 0);
	btf__add_field(b, "seq", list, 256, 0);
	btf__add_struct(b, "rq", 8);
	btf__add_field(b, "curr", ptr, 0, 0);
	btf__add_struct(b, "task_struct", 32);
	btf__add_field(b, "pid", u32_id, 0, 0);
	btf__add_field(b, "comm", comm, 64, 0);
	btf__add_struct(b, "mod_kallsyms", 32);
	btf__add_field(b, "symtab", ptr, 0, 0);
	btf__add_field(b, "num_symtab", u32_id, 64, 0);
	btf__add_field(b, "strtab", ptr, 128, 0);
	btf__add_field(b, "typetab", ptr, 192, 0);
	if (kernel == SEED_6_1)
		add_halves(b, ptr, u32_id);
	else
		add_pieces(b, ptr, u32_id, id);
	btf__add_field(b, "state", u32_id, 0, 0);
	btf__add_field(b, "list", list, 64, 0);
	btf__add_field(b, "name", name, 192, 0);
	btf__add_field(b, "kallsyms", ptr, 896, 0);
	ftrace_seed_types(b, ptr, u32_id, u64_id, list, kernel == SEED_6_19);
	raw = btf__raw_data(b, &size);
	if (!raw || size > SEED_SIZE - SEED_BTF)
		abort();
	memcpy(mem + SEED_BTF, raw, size);
	put(SEED_OFFSETS + 4 * (NR - 1), -1 - (SEED_BTF + (int)size), 4);
	btf__free(b);
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
	put(TASK, 7, 4);
	memcpy(mem + TASK + 8, "seeding", 8);
	put(TASK + 0x20, 1, 4);
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
	put_log();
	put_types(kernel);
	put_structs();
	ftrace_seed(mem);
}
