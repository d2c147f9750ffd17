// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace_seed.h"

#include <stdint.h>
#include <string.h>

#include "kernel_seed.h"

#define VA(at) (SEED_VA + (at))

/* Where things are in memory; each struct as types_seed.c says. */
enum {
	ARRAY = SEED_FTRACE, BUFFER = ARRAY + 0x50, BUFFERS = BUFFER + 0x20, CPU = BUFFERS + 0x10,
	READER = CPU + 0x70, HEAD = READER + 0x30, SAVED = HEAD + 0x30, PIDS = SAVED + 0x18,
	COMMS = PIDS + 0x8, TRACEPOINT = COMMS + 0x20, SYSCALL = TRACEPOINT + 0x8,
	ARGS = SYSCALL + 0x30, CLASSES = ARGS + 0x10, CALLS = CLASSES + 0x80, FIELDS = CALLS + 0x380,
	TEXTS = FIELDS + 0x270,
	/* Behind what the second sub-buffer has. */
	OPENAT = SEED_PAGES + 0x1800, OPENAT_ARGS = OPENAT + 0x30, OPENAT_TEXTS = OPENAT_ARGS + 0x20,
	GRAPH = SEED_PAGES + 0x1900, GRAPH_FIELDS = GRAPH + 0x20, GRAPH_TEXTS = GRAPH_FIELDS + 0xc0,
	PROBE = SEED_PAGES + 0x1b00, PROBE_CALLS = PROBE + 0x20, PROBE_FIELDS = PROBE_CALLS + 0xc0,
	PROBE_TEXTS = PROBE_FIELDS + 0xf0,
	SNAPSHOT = GRAPH, SNAPSHOT_CPUS = SNAPSHOT + 0x20, SNAPSHOT_CPU = SNAPSHOT_CPUS + 0x10,
	SNAPSHOT_READER = SNAPSHOT_CPU + 0x70, SNAPSHOT_PAGE = SNAPSHOT_READER + 0x30,
	SNAPSHOT_TEXTS = SNAPSHOT_PAGE + 0x40,
};

static unsigned char *mem;
static size_t texts, fields, calls;

static void put(size_t at, uint64_t value, size_t size)
{
	memcpy(mem + at, &value, size);
}

/* A string of the kernel's. */
static uint64_t text(const char *s)
{
	size_t at = texts;

	memcpy(mem + at, s, strlen(s) + 1);
	texts += strlen(s) + 1;
	return VA(at);
}

static void empty_list(size_t at)
{
	put(at, VA(at), 8);
	put(at + 8, VA(at), 8);
}

/* In front of all others. */
static void add_to_list(size_t list, size_t at)
{
	uint64_t first;

	memcpy(&first, mem + list, 8);
	put(at, first, 8);
	put(at + 8, VA(list), 8);
	put(first - SEED_VA + 8, VA(at), 8);
	put(list, VA(at), 8);
}

/* Fields are listed the last one first. */
static void add_field(size_t list, const char *type, const char *name, int off, int size)
{
	size_t at = fields;

	add_to_list(list, at);
	put(at + 16, text(name), 8);
	put(at + 24, text(type), 8);
	put(at + 32, off, 4);
	put(at + 36, size, 4);
	fields += 0x30;
}

static void add_call(size_t class, int id, uint64_t name, const char *print, uint64_t data)
{
	size_t at = calls;

	add_to_list(SEED_EVENTS, at);
	put(at + 16, VA(class), 8);
	put(at + 24, name, 8);
	put(at + 32, id, 4);
	put(at + 40, text(print), 8);
	put(at + 48, data ? 0 : id == 17 ? 8 : 0, 4);
	put(at + 56, data, 8);
	calls += 0x40;
}

/* From 6.19 on what arguments point to is recorded: of sys_read bytes, of this one its path. */
static void put_openat(size_t class)
{
	static const char * const args[] = { "dfd", "filename", "flags", "mode" };
	size_t others = texts;

	texts = OPENAT_TEXTS;
	put(OPENAT, text("sys_openat"), 8);
	put(OPENAT + 8, 4, 4);
	put(OPENAT + 16, VA(OPENAT_ARGS), 8);
	empty_list(OPENAT + 24);
	put(OPENAT + 40, 2, 4);
	put(OPENAT + 44, 0xff, 1);
	for (size_t i = 0; i < 4; i++)
		put(OPENAT_ARGS + 8 * i, text(args[i]), 8);
	add_call(class, 22, text("sys_enter_openat"), "\"\"", VA(OPENAT));
	put(SYSCALL + 40, 1, 4);
	texts = others;
}

/* Those that the kernel prints by a function of its own. */
static const struct { int id; const char *name; } builtins[] = {
	{ 1, "function" }, { 2, "wakeup" }, { 3, "context_switch" }, { 4, "kernel_stack" }, { 5, "print" },
	{ 6, "bprint" }, { 7, "user_stack" }, { 8, "bputs" }, { 9, "raw_data" }, { 10, "func_repeats" },
};

static void put_events(void)
{
	const size_t class = CLASSES, builtin = CLASSES + 0x20, enter = CLASSES + 0x40, leave = CLASSES + 0x60;

	fields = FIELDS;
	calls = CALLS;
	empty_list(SEED_EVENTS);
	empty_list(SEED_COMMON);
	add_field(SEED_COMMON, "unsigned short", "common_type", 0, 2);
	add_field(SEED_COMMON, "unsigned char", "common_flags", 2, 1);
	add_field(SEED_COMMON, "unsigned char", "common_preempt_count", 3, 1);
	add_field(SEED_COMMON, "int", "common_pid", 4, 4);
	put(class, text("sched"), 8);
	empty_list(class + 16);
	add_field(class + 16, "unsigned int", "value", 8, 4);
	add_field(class + 16, "__data_loc char[]", "name", 12, 4);
	put(builtin, text("ftrace"), 8);
	empty_list(builtin + 16);
	add_field(builtin + 16, "unsigned long", "ip", 8, 8);
	put(enter, text("syscalls"), 8);
	put(enter + 8, VA(SEED_ENTER), 8);
	put(TRACEPOINT, text("seed"), 8);
	put(SYSCALL, text("sys_read"), 8);
	put(SYSCALL + 8, 1, 4);
	put(SYSCALL + 16, VA(ARGS), 8);
	empty_list(SYSCALL + 24);
	add_field(SYSCALL + 24, "int", "__syscall_nr", 8, 4);
	add_field(SYSCALL + 24, "unsigned long", "fd", 16, 8);
	put(ARGS, text("fd"), 8);
	for (size_t i = 0; i < sizeof(builtins) / sizeof(*builtins); i++)
		add_call(builtin, builtins[i].id, text(builtins[i].name), "\"%ps\", REC->ip", 0);
	add_call(class, 17, VA(TRACEPOINT), "\"%d %s\", REC->value, __get_str(name)", 0);
	add_call(enter, 20, text("sys_enter_read"), "\"fd: 0x%08lx\", REC->fd", VA(SYSCALL));
	put_openat(enter);
	put(leave, text("syscalls"), 8);
	empty_list(leave + 16);
	add_field(leave + 16, "long", "ret", 16, 8);
	add_call(leave, 21, text("sys_exit_read"), "\"0x%lx\", REC->ret", VA(SYSCALL));
}

/* An event of 4 * @words bytes behind the header, which is common fields and @rest. */
static size_t put_event(size_t at, int id, unsigned int words, const void *rest, size_t size)
{
	put(at, words | 100 << 5, 4);
	put(at + 4, id, 2);
	put(at + 8, 7, 4);
	memcpy(mem + at + 12, rest, size);
	return at + 4 + 4 * words;
}

static void put_pages(void)
{
	const uint64_t bprint[] = { VA(0x10), text("%5d %s %pS %*x %.3llu %hhd %hu %c %%%i|%p\n"),
				    0x0064656500000005, VA(0x10), 0x0000000700000004, 9, 0x0101010101010101, 2, 3 };
	const uint64_t more[] = { VA(0x10), text("%-+5hd %lld %ps %ps %-8s|%8s|%.1s %pI4 %n"), 0x0000000600000005,
				  VA(0x10) << 32, VA(0x10) >> 32 | SEED_MODULE << 32, SEED_MODULE >> 32 | 0x6261ULL << 32,
				  0x6867660065646300, 0x6e6d6c6b6a69 };
	const uint64_t print[] = { VA(0x10), 0x0a7878 }, stack[] = { 3, VA(0x10), ~0ULL };
	/* Of the argument four bytes, at 32; of the open an unknown flag, too. */
	const uint64_t enter[] = { 0, 9, 4 << 16 | 32, 0x42004100 };
	const uint64_t openat[] = { 0, 3, 0x1000, 0x42001141, 0600, 5 << 16 | 56, 0x6374652f };
	const uint64_t code[] = { VA(0x10), VA(0x10), 0x0000006400010002 };
	const uint64_t bputs[] = { VA(0x10), text("puts\n") };
	const uint32_t event[] = { 5, 5 << 16 | 16, 0x64656573, 0 };
	size_t at = SEED_PAGES + 16;

	at = put_event(at, 17, 6, event, 16);
	at = put_event(at, 6, 2 + sizeof(bprint) / 4, bprint, sizeof(bprint));
	at = put_event(at, 6, 2 + sizeof(more) / 4, more, sizeof(more));
	at = put_event(at, 1, 6, code, 16);
	at = put_event(at, 10, 8, code, 24);
	at = put_event(at, 8, 6, bputs, 16);
	at = put_event(at, 9, 6, code, 16);
	put(SEED_PAGES, 1000, 8);
	put(SEED_PAGES + 8, at - SEED_PAGES - 16, 8);
	at = SEED_PAGES + 0x1000 + 16;
	at = put_event(at, 5, 6, print, 16);
	at = put_event(at, 4, 8, stack, 24);
	at = put_event(at, 20, 10, enter, 32);
	at = put_event(at, 22, 16, openat, 56);
	at = put_event(at, 7, 8, stack, 24);
	at = put_event(at, 2, 6, enter, 16);
	at = put_event(at, 3, 6, code, 16);
	at = put_event(at, 21, 6, enter, 16);
	put(SEED_PAGES + 0x1000, 2000, 8);
	put(SEED_PAGES + 0x1008, at - SEED_PAGES - 0x1010, 8);
}

static void put_ring(void)
{
	empty_list(SEED_ARRAYS);
	add_to_list(SEED_ARRAYS, ARRAY);
	put(ARRAY + 16, text("seed"), 8);
	put(ARRAY + 32, VA(BUFFER), 8);
	put(BUFFER, 1, 4);
	put(BUFFER + 8, VA(BUFFERS), 8);
	put(BUFFER + 16, VA(0x20), 8);
	put(BUFFERS, VA(CPU), 8);
	put(CPU, 1, 8);
	put(CPU + 8, VA(HEAD), 8);
	put(CPU + 16, VA(HEAD), 8);
	put(CPU + 24, VA(HEAD), 8);
	put(CPU + 32, VA(READER), 8);
	put(READER + 32, 2, 8);
	put(READER + 40, VA(SEED_PAGES), 8);
	put(HEAD, VA(HEAD) | 1, 8);
	put(HEAD + 8, VA(HEAD), 8);
	put(HEAD + 16, 0x800, 8);
	put(HEAD + 32, 3, 8);
	put(HEAD + 40, VA(SEED_PAGES + 0x1000), 8);
	put(SEED_CLOCKS, VA(0x20), 8);
	put(SEED_CLOCKS + 8, text("mono...."), 8);
	put(SEED_SAVED, VA(SAVED), 8);
	put(SAVED, VA(PIDS), 8);
	put(SAVED + 8, 2, 4);
	put(SAVED + 16, VA(COMMS), 8);
	put(PIDS, 7, 4);
	put(PIDS + 4, ~0U, 4);
	memcpy(mem + COMMS, "seeding", 8);
}

void ftrace_seed_clock(unsigned char *memory, const char *name)
{
	uint64_t at;

	memcpy(&at, memory + SEED_CLOCKS + 8, 8);
	memcpy(memory + (at - SEED_VA), name, strlen(name) + 1);
}

void ftrace_seed_twice(unsigned char *memory)
{
	memcpy(memory + HEAD + 40, memory + READER + 40, 8);
}

/* Another class of events, its fields and texts there. */
static void begin_class(unsigned char *memory, size_t class, const char *system, size_t its_fields, size_t its_texts)
{
	mem = memory;
	fields = its_fields;
	texts = its_texts;
	put(class, text(system), 8);
	empty_list(class + 16);
}

/* The second sub-buffer ends here. */
static void end_page(size_t at)
{
	put(SEED_PAGES + 0x1008, at - SEED_PAGES - 0x1010, 8);
}

/* The builtin event of this number is another one. */
static void rename_builtin(int nr, const char *name)
{
	put(CALLS + 0x40 * nr + 16, VA(GRAPH), 8);
	put(CALLS + 0x40 * nr + 24, text(name), 8);
}

void ftrace_seed_graph(unsigned char *memory)
{
	/* Of one function within another, then one that was called before all this; how deep, from when to when. */
	static const uint64_t outer[] = { VA(0x10), 0, 100, 2000000100 }, inner[] = { VA(0x20), 1, 200, 1700 };
	static const uint64_t other[] = { VA(0x30), 0, 300, 20300 };
	static const struct { int id; const uint64_t *call; } calls_of[] = {
		{ 3, other }, { 2, outer }, { 2, inner }, { 3, inner }, { 2, inner }, { 2, other },
		{ 3, inner }, { 3, outer },
	};
	size_t at = SEED_PAGES + 0x1000 + 16;

	begin_class(memory, GRAPH, "ftrace", GRAPH_FIELDS, GRAPH_TEXTS);
	add_field(GRAPH + 16, "unsigned long", "func", 8, 8);
	add_field(GRAPH + 16, "unsigned long", "depth", 16, 8);
	add_field(GRAPH + 16, "unsigned long long", "calltime", 24, 8);
	add_field(GRAPH + 16, "unsigned long long", "rettime", 32, 8);
	rename_builtin(1, "funcgraph_entry");
	rename_builtin(2, "funcgraph_exit");
	for (size_t i = 0; i < sizeof(calls_of) / sizeof(*calls_of); i++)
		at = put_event(at, calls_of[i].id, 10, calls_of[i].call, 32);
	end_page(at);
}

void ftrace_seed_probes(unsigned char *memory)
{
	const uint64_t known[] = { VA(0x10), SEED_MODULE + 0x10, VA(OPENAT_TEXTS), 5 }, unknown[] = { 1, 1, 1, 0 };
	const uint64_t none[] = { 0, 0, 0, 0 };
	size_t at = SEED_PAGES + 0x1000 + 16;

	begin_class(memory, PROBE, "kprobes", PROBE_FIELDS, PROBE_TEXTS);
	add_field(PROBE + 16, "unsigned long", "__probe_func", 8, 8);
	add_field(PROBE + 16, "unsigned long", "__probe_ret_ip", 16, 8);
	add_field(PROBE + 16, "const char *", "text", 24, 8);
	add_field(PROBE + 16, "int", "n", 32, 4);
	calls = PROBE_CALLS;
	add_call(PROBE, 23, text("back"), "\"(%lx <- %lx) %s %p %px %pK %5d %%\", REC->__probe_func, "
		 "REC->__probe_ret_ip, REC->text, REC->n, REC->n, REC->n, MOD_INVALID", 0);
	add_call(PROBE, 24, text("there"), "\"(%lx) %pS %ps %*d %s\", REC->__probe_ret_ip, REC->__probe_func, "
		 "REC->__probe_func, MOD_INIT_TEXT, REC->n, REC->text", 0);
	add_call(PROBE, 25, text("few"), "\"%d %d\", REC->n", 0);
	for (int id = 23; id <= 25; id++) {
		at = put_event(at, id, 10, known, 32);
		at = put_event(at, id, 10, unknown, 32);
		at = put_event(at, id, 10, none, 32);
	}
	end_page(at);
}

void ftrace_seed_large(unsigned char *memory)
{
	mem = memory;
	put(BUFFER + 24, 1, 4);
	put(SEED_PAGES + 0x1008, 0x1800, 8);
}

void ftrace_seed_endless(unsigned char *memory)
{
	mem = memory;
	put(CPU, ~0ULL, 8);
	put(CPU + 24, VA(SEED_FTRACE), 8);
	put(HEAD, VA(HEAD), 8);
}

void ftrace_seed_events_again(unsigned char *memory)
{
	mem = memory;
	put(CALLS, VA(CALLS + 0x80), 8);
}

void ftrace_seed_instances_again(unsigned char *memory)
{
	mem = memory;
	put(SEED_ARRAYS + 8, VA(SEED_ALL - 16), 8);
	put(SEED_ALL - 8, VA(SEED_ALL - 16), 8);
}

void ftrace_seed_earlier(unsigned char *memory)
{
	mem = memory;
	put(ARRAY + 64, 2, 4);
}

void ftrace_seed_snapshot(unsigned char *memory)
{
	const uint64_t print[] = { VA(0x10), 0x0a7878 };

	mem = memory;
	put(ARRAY + 48, VA(SNAPSHOT), 8);
	put(ARRAY + 56, 1, 4);
	put(SNAPSHOT, 1, 4);
	put(SNAPSHOT + 8, VA(SNAPSHOT_CPUS), 8);
	put(SNAPSHOT + 16, VA(0x30), 8);
	put(SNAPSHOT_CPUS, VA(SNAPSHOT_CPU), 8);
	put(SNAPSHOT_CPU, 1, 8);
	put(SNAPSHOT_CPU + 24, VA(SNAPSHOT_READER), 8);
	put(SNAPSHOT_CPU + 32, VA(SNAPSHOT_READER), 8);
	put(SNAPSHOT_READER + 32, 1, 8);
	put(SNAPSHOT_READER + 40, VA(SNAPSHOT_PAGE), 8);
	put(SNAPSHOT_PAGE, 1500, 8);
	put(SNAPSHOT_PAGE + 8, put_event(SNAPSHOT_PAGE + 16, 5, 6, print, 16) - SNAPSHOT_PAGE - 16, 8);
	memcpy(mem + SEED_CLOCKS + 24, mem + SEED_CLOCKS, 16);
	put(SEED_CLOCKS + 24, VA(0x30), 8);
	texts = SNAPSHOT_TEXTS;
	put(SEED_CLOCKS + 32, text("local"), 8);
}

void ftrace_seed_lost(unsigned char *memory)
{
	mem = memory;
	memset(mem + HEAD, 0, 16);
	put(READER + 40, 0, 8);
	put(HEAD + 40, 0, 8);
}

void ftrace_seed_cut(unsigned char *memory)
{
	memset(memory + HEAD, 0, 16);
	memset(memory + SEED_CLOCKS, 0, 8);
}

void ftrace_seed(unsigned char *memory)
{
	mem = memory;
	texts = TEXTS;
	put_ring();
	put_events();
	put_pages();
	ftrace_seed_clock(mem, "mono");
}
