// SPDX-License-Identifier: GPL-2.0-or-later
/* BTF of the types that the extractor asks for, as in include/linux, without the unused members. */
#include "kernel_seed.h"

#include <bpf/btf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct member {
	const char *name;
	int type;
	int off;
};

static struct btf *b;
static int u32_id, u64_id, ch, ptr, list;

static int add_struct(const char *name, int size, const struct member *m)
{
	int id = btf__add_struct(b, name, size);

	for (; m->name; m++)
		btf__add_field(b, m->name, m->type, m->off * 8, 0);
	return id;
}

#define STRUCT(name, size, ...) \
	add_struct(name, size, (const struct member[]){ __VA_ARGS__, { NULL, 0, 0 } })

static int array(int type, int nr)
{
	return btf__add_array(b, u32_id, type, nr);
}

static void add_clocks(void)
{
	int base = STRUCT("tk_read_base", 56, { "clock", ptr, 0 }, { "mask", u64_id, 8 },
			  { "cycle_last", u64_id, 16 }, { "mult", u32_id, 24 }, { "shift", u32_id, 28 },
			  { "xtime_nsec", u64_id, 32 }, { "base", u64_id, 40 }, { "base_real", u64_id, 48 });
	int data = STRUCT("cyc2ns_data", 16, { "cyc2ns_mul", u32_id, 0 }, { "cyc2ns_shift", u32_id, 4 },
			  { "cyc2ns_offset", u64_id, 8 });
	int read = STRUCT("clock_read_data", 24, { "epoch_ns", u64_id, 0 }, { "epoch_cyc", u64_id, 8 },
			  { "mult", u32_id, 16 }, { "shift", u32_id, 20 });

	STRUCT("tk_fast", 120, { "base", array(base, 2), 8 });
	STRUCT("clocksource", 8, { "name", ptr, 0 });
	STRUCT("timekeeper", 16, { "offs_boot", u64_id, 0 }, { "offs_tai", u64_id, 8 });
	STRUCT("cyc2ns", 40, { "data", array(data, 2), 0 }, { "seq", list, 32 });
	STRUCT("clock_data", 56, { "seq", u32_id, 0 }, { "read_data", array(read, 2), 8 });
}

/* Up to 6.3: the code in one piece, that of the beginning in another, and the build id in a note. */
static void add_module_in_halves(void)
{
	int half = STRUCT("module_layout", 16, { "base", ptr, 0 }, { "size", u32_id, 8 },
			  { "text_size", u32_id, 12 });

	STRUCT("bin_attribute", 16, { "private", ptr, 8 });
	STRUCT("module_notes_attrs", 8, { "attrs", u32_id, 8 });
	STRUCT("module", 184, { "core_layout", half, 80 }, { "init_layout", half, 96 },
	       { "notes_attrs", ptr, 176 });
}

static void add_module_in_pieces(void)
{
	int id = array(ch, 20), piece;

	btf__add_enum(b, "mod_mem_type", 4);
	btf__add_enum_value(b, "MOD_TEXT", 0);
	btf__add_enum_value(b, "MOD_INIT_TEXT", 1);
	btf__add_enum_value(b, "MOD_INVALID", -1);
	piece = STRUCT("module_memory", 16, { "base", ptr, 0 }, { "size", u32_id, 8 });
	piece = array(piece, 2);
	STRUCT("module", 184, { "mem", piece, 80 }, { "build_id", id, 152 });
}

/* The rest of a module's fields come last: they are added to the type that was made last. */
static void add_modules(enum seed_kernel kernel)
{
	int name = array(ch, 56);

	STRUCT("mod_kallsyms", 32, { "symtab", ptr, 0 }, { "num_symtab", u32_id, 8 },
	       { "strtab", ptr, 16 }, { "typetab", ptr, 24 });
	if (kernel == SEED_6_1)
		add_module_in_halves();
	else
		add_module_in_pieces();
	btf__add_field(b, "state", u32_id, 0, 0);
	btf__add_field(b, "list", list, 8 * 8, 0);
	btf__add_field(b, "name", name, 24 * 8, 0);
	btf__add_field(b, "kallsyms", ptr, 112 * 8, 0);
}

/* From 6.14 on a flag says whether an instance holds events of an earlier boot. */
static void add_flag_of_boot(void)
{
	btf__add_field(b, "flags", u32_id, 64 * 8, 0);
	btf__add_enum(b, NULL, 4);
	btf__add_enum_value(b, "TRACE_ARRAY_FL_LAST_BOOT", 2);
}

static void add_rings(enum seed_kernel kernel)
{
	int buffer = STRUCT("array_buffer", 16, { "tr", ptr, 0 }, { "buffer", ptr, 8 });

	STRUCT("trace_array", 72, { "list", list, 0 }, { "name", ptr, 16 },
	       { "array_buffer", buffer, 24 }, { "max_buffer", buffer, 40 },
	       { "allocated_snapshot", u32_id, 56 });
	if (kernel == SEED_6_19)
		add_flag_of_boot();
	STRUCT("trace_buffer", 32, { "cpus", u32_id, 0 }, { "buffers", ptr, 8 }, { "clock", ptr, 16 },
	       { "subbuf_order", u32_id, 24 });
	STRUCT("ring_buffer_per_cpu", 104, { "nr_pages", u64_id, 0 }, { "pages", ptr, 8 },
	       { "head_page", ptr, 16 }, { "commit_page", ptr, 24 }, { "reader_page", ptr, 32 },
	       { "entries", u64_id, 40 }, { "overrun", u64_id, 48 }, { "commit_overrun", u64_id, 56 },
	       { "dropped_events", u64_id, 64 }, { "read", u64_id, 72 });
	STRUCT("buffer_page", 48, { "list", list, 0 }, { "write", u64_id, 16 }, { "read", u32_id, 24 },
	       { "entries", u64_id, 32 }, { "page", ptr, 40 });
	STRUCT("reserve_mem_table", 32, { "name", list, 0 }, { "start", u64_id, 16 }, { "size", u64_id, 24 });
}

/* From 6.19 on also what arguments point to is recorded. */
static void add_syscalls(enum seed_kernel kernel)
{
	STRUCT("syscall_metadata", 48, { "name", ptr, 0 }, { "nb_args", u32_id, 8 },
	       { "args", ptr, 16 }, { "enter_fields", list, 24 });
	if (kernel != SEED_6_19)
		return;
	btf__add_field(b, "user_mask", u32_id, 40 * 8, 0);
	btf__add_field(b, "user_arg_size", ch, 44 * 8, 0);
	btf__add_field(b, "user_arg_is_str", ch, 45 * 8, 0);
}

static void add_events(void)
{
	int event = STRUCT("trace_event", 8, { "type", u32_id, 0 });

	STRUCT("trace_event_call", 64, { "list", list, 0 }, { "class", ptr, 16 }, { "name", ptr, 24 },
	       { "event", event, 32 }, { "print_fmt", ptr, 40 }, { "flags", u32_id, 48 },
	       { "data", ptr, 56 });
	STRUCT("trace_event_class", 32, { "system", ptr, 0 }, { "get_fields", ptr, 8 },
	       { "fields", list, 16 });
	STRUCT("ftrace_event_field", 48, { "link", list, 0 }, { "name", ptr, 16 }, { "type", ptr, 24 },
	       { "offset", u32_id, 32 }, { "size", u32_id, 36 }, { "is_signed", u32_id, 40 },
	       { "len", u32_id, 44 });
	STRUCT("tracepoint", 8, { "name", ptr, 0 });
	STRUCT("saved_cmdlines_buffer", 24, { "map_cmdline_to_pid", ptr, 0 },
	       { "cmdline_num", u32_id, 8 }, { "saved_cmdlines", ptr, 16 });
	btf__add_enum(b, NULL, 4);
	btf__add_enum_value(b, "TRACE_EVENT_FL_TRACEPOINT", 8);
	btf__add_enum_value(b, "TRACE_EVENT_FL_CUSTOM", 16);
}

size_t types_seed(unsigned char *at, size_t room, enum seed_kernel kernel)
{
	const void *raw;
	uint32_t size;

	b = btf__new_empty();
	u32_id = btf__add_int(b, "u32", 4, 0);
	u64_id = btf__add_int(b, "u64", 8, 0);
	ch = btf__add_int(b, "char", 1, 0);
	ptr = btf__add_ptr(b, 0);
	list = STRUCT("list_head", 16, { "next", ptr, 0 }, { "prev", ptr, 8 });
	add_clocks();
	STRUCT("rq", 8, { "curr", ptr, 0 });
	STRUCT("task_struct", 32, { "pid", u32_id, 0 }, { "comm", array(ch, 16), 8 });
	add_modules(kernel);
	add_rings(kernel);
	add_syscalls(kernel);
	add_events();
	raw = btf__raw_data(b, &size);
	if (!raw || size > room)
		abort();
	memcpy(at, raw, size);
	btf__free(b);
	return size;
}
