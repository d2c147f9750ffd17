// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks, their stacks and what they wait for, out of a small dump: lists, ORC tables and frame
 * records made by hand, whole ones and such as lead nowhere or in circles.
 *
 * build: tests/lib/kmem_image.c @extractor -Wl,-z,muldefs
 */
#include <bpf/btf.h>
#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "kernel_state/waits.h"
#include "kernel_state/completed_by.h"
#include "kmem_image.h"
#include "tap.h"

#define STACK_SIZE	16384
#define CODE		(KMEM_TEXT + 0x200000)	/* nothing of it is in the dump: only its rows are */

/* struct task_struct of this kernel; bytes of what is before each member do not matter. */
struct test_task {
	u64 stack, next, prev, signal, node_next, node_prev, fp, sp, pc, pid_link, thread_pid;
	u32 state, exit_state, flags, cpu, pid, tgid;
	char comm[16];
};

/* struct pt_regs of arm64, as far as it matters. */
struct arm64_regs {
	u64 x[31], sp, pc, pstate;
	u64 record[2], type;
};

/* struct pt_regs of s390x, and what a frame begins with. */
struct s390_regs {
	u64 mask, addr, gprs[16];
};

struct s390_frame {
	u64 empty[9], gprs[10], back_chain;
};

/* What the next rig is: of arm64, and since 6.13; of s390x. */
static bool is_arm64, has_meta, is_s390;

/* Its ORC has the numbers of 7.2: 3 is the stack pointer, 8 is what the caller had. */
static bool is_renumbered;

/* Its mutexes lead to the first of a ring of waiters, as since 7.1. */
static bool has_rings;

/* A row of ORC: from @at in the code on; the type as since 6.4. */
struct row {
	u32 at;
	int16_t sp_offset;
	u8 sp_reg, bp_reg, type;
};

#define REG_BP	4
#define REG_SP	5
#define TYPE_END	1
#define TYPE_CALL	2

#define MAX_SYMBOLS	16

static struct {
	const char *name;
	u64 va;
} symbols[MAX_SYMBOLS];
static u32 nr_symbols;

static void add_symbol(const char *name, u64 va)
{
	symbols[nr_symbols].name = name;
	symbols[nr_symbols++].va = va;
}

/* --- what is asked of the kernel's symbols and CPUs ---------------------- */

bool kallsyms_address(struct kallsyms *k, const char *name, u64 *ret)
{
	(void)k;
	for (u32 i = 0; i < nr_symbols; i++)
		if (!strcmp(symbols[i].name, name)) {
			*ret = symbols[i].va;
			return true;
		}
	return false;
}

static u32 thunk;	/* which of them is the code of indirect calls; 0: none */

/* Functions are called by their number in hundreds of bytes: "f3"; the sixth waits. */
bool kallsyms_find(const struct kallsyms *k, u64 addr, struct ksym *ret)
{
	(void)k;
	if (addr < CODE || addr >= CODE + 0x1000)
		return false;
	ret->start = addr & ~0xffULL;
	ret->size = 0x100;
	snprintf(ret->name, sizeof(ret->name), "f%llu", (addr - CODE) >> 8);
	if (thunk && ret->start == CODE + thunk)
		strcpy(ret->name, "__x86_indirect_thunk_array");
	if (ret->start == CODE + 0x600)
		strcpy(ret->name, "__mutex_lock");
	if (ret->start == CODE + 0x700)
		strcpy(ret->name, "kthread_flush_work_fn");
	if (ret->start == CODE + 0x800)
		strcpy(ret->name, "el1h_64_irq");
	if (ret->start == CODE + 0x900)
		strcpy(ret->name, "el0t_64_sync");
	return true;
}

static size_t name_of(u64 addr, u32 back, char *buf, size_t size)
{
	struct ksym sym;

	if (!kallsyms_find(NULL, addr - back, &sym))
		return 0;
	return snprintf(buf, size, "%s+0x%llx/0x100", sym.name, addr - sym.start);
}

size_t kernel_symbol(const struct kernel *kernel, u64 addr, char *buf, size_t size)
{
	(void)kernel;
	return name_of(addr, 0, buf, size);
}

size_t kernel_caller(const struct kernel *kernel, u64 addr, char *buf, size_t size)
{
	(void)kernel;
	return name_of(addr, 1, buf, size);
}

bool kernel_percpu(const struct kernel *kernel, const char *symbol, u32 cpu, u64 *ret)
{
	(void)kernel;
	(void)symbol;
	(void)cpu;
	(void)ret;
	return false;
}

bool kernel_percpu_at(const struct kernel *kernel, u64 va, u32 cpu, u64 *ret)
{
	(void)va;
	return kernel_percpu(kernel, "", cpu, ret);
}

bool kernel_percpu_pointer(const struct kernel *kernel, const char *symbol, u32 cpu, u64 *ret)
{
	return kernel_percpu(kernel, symbol, cpu, ret);
}

/* --- types --------------------------------------------------------------- */

static void add_field(struct btf *btf, const char *name, int type, size_t offset)
{
	btf__add_field(btf, name, type, 8 * offset, 0);
}

static void add_row_type(struct btf *btf, int u32_id, bool is_old)
{
	int s16 = btf__add_int(btf, "short", 2, BTF_INT_SIGNED);

	btf__add_struct(btf, "orc_entry", 6);
	btf__add_field(btf, "sp_offset", s16, 0, 0);
	btf__add_field(btf, "bp_offset", s16, 16, 0);
	btf__add_field(btf, "sp_reg", u32_id, 32, 4);
	btf__add_field(btf, "bp_reg", u32_id, 36, 4);
	btf__add_field(btf, "type", u32_id, 40, is_old ? 2 : 3);
	btf__add_field(btf, is_old ? "end" : "signal", u32_id, is_old ? 42 : 43, 1);
}

static void add_lock_types(struct btf *btf, int u64_id, int list)
{
	int pointer = btf__add_ptr(btf, u64_id);

	btf__add_struct(btf, "mutex", 32);
	add_field(btf, "owner", u64_id, 0);
	add_field(btf, has_rings ? "first_waiter" : "wait_list", has_rings ? pointer : list, 16);
	btf__add_struct(btf, "mutex_waiter", 24);
	add_field(btf, "list", list, 0);
	add_field(btf, "task", pointer, 16);
}

/* A namespace of pids: in it an index, of which a node has four slots. */
/* What a thread's own queue of work items has, and who flushes it. */
static void add_kthread_work_types(struct btf *btf, int u64_id)
{
	int work = btf__add_struct(btf, "kthread_work", 16);

	add_field(btf, "func", u64_id, 0);
	add_field(btf, "worker", u64_id, 8);
	btf__add_struct(btf, "kthread_worker", 16);
	add_field(btf, "task", u64_id, 0);
	add_field(btf, "current_work", u64_id, 8);
	btf__add_struct(btf, "kthread_flush_work", 32);
	add_field(btf, "work", work, 0);
	add_field(btf, "done", u64_id, 16);
}

static void add_pid_types(struct btf *btf, int char_id, int u64_id, int u32_id)
{
	int slots = btf__add_array(btf, u32_id, u64_id, 4), xarray, idr;

	xarray = btf__add_struct(btf, "xarray", 16);
	add_field(btf, "xa_head", u64_id, 8);
	idr = btf__add_struct(btf, "idr", 16);
	add_field(btf, "idr_rt", xarray, 0);
	btf__add_struct(btf, "pid_namespace", 16);
	add_field(btf, "idr", idr, 0);
	btf__add_struct(btf, "xa_node", 40);
	add_field(btf, "shift", char_id, 0);
	add_field(btf, "slots", slots, 8);
	btf__add_struct(btf, "pid", 16);
	add_field(btf, "tasks", u64_id, 0);
	add_field(btf, "numbers", u32_id, 8);
}

static int add_thread_type(struct btf *btf, int u64_id)
{
	int context, thread;

	if (!is_arm64) {
		thread = btf__add_struct(btf, "thread_struct", 24);
		add_field(btf, is_s390 ? "ksp" : "sp", u64_id, 8);
		return thread;
	}
	context = btf__add_struct(btf, "cpu_context", 24);
	add_field(btf, "fp", u64_id, 0);
	add_field(btf, "sp", u64_id, 8);
	add_field(btf, "pc", u64_id, 16);
	thread = btf__add_struct(btf, "thread_struct", 24);
	add_field(btf, "cpu_context", context, 0);
	return thread;
}

static void add_arm64_types(struct btf *btf, int u64_id, int u32_id)
{
	int x = btf__add_array(btf, u32_id, u64_id, 31), record = btf__add_array(btf, u32_id, u64_id, 2), meta;

	if (has_meta) {
		meta = btf__add_struct(btf, "frame_record_meta", 24);
		add_field(btf, "record", record, 0);
		add_field(btf, "type", u64_id, 16);
		record = meta;
	}
	btf__add_struct(btf, "pt_regs", sizeof(struct arm64_regs));
	add_field(btf, "regs", x, offsetof(struct arm64_regs, x));
	add_field(btf, "sp", u64_id, offsetof(struct arm64_regs, sp));
	add_field(btf, "pc", u64_id, offsetof(struct arm64_regs, pc));
	add_field(btf, "pstate", u64_id, offsetof(struct arm64_regs, pstate));
	add_field(btf, "stackframe", record, offsetof(struct arm64_regs, record));
}

static void add_s390_types(struct btf *btf, int u64_id, int u32_id)
{
	int ten = btf__add_array(btf, u32_id, u64_id, 10), sixteen = btf__add_array(btf, u32_id, u64_id, 16);
	int psw = btf__add_struct(btf, "psw_t", 16);

	add_field(btf, "mask", u64_id, 0);
	add_field(btf, "addr", u64_id, 8);
	btf__add_struct(btf, "pt_regs", sizeof(struct s390_regs));
	add_field(btf, "psw", psw, 0);
	add_field(btf, "gprs", sixteen, offsetof(struct s390_regs, gprs));
	btf__add_struct(btf, "stack_frame", sizeof(struct s390_frame));
	add_field(btf, "gprs", ten, offsetof(struct s390_frame, gprs));
	add_field(btf, "back_chain", u64_id, offsetof(struct s390_frame, back_chain));
}

static struct kernel_btf *make_types(bool is_old)
{
	struct btf *btf = btf__new_empty();
	int u32_id = btf__add_int(btf, "u32", 4, 0), u64_id = btf__add_int(btf, "long", 8, 0);
	int char_id = btf__add_int(btf, "char", 1, 0), list, name, thread, info;
	struct kernel_btf *kt = NULL;
	const void *data;
	u32 size;

	list = btf__add_struct(btf, "list_head", 16);
	name = btf__add_array(btf, u32_id, char_id, 16);
	thread = add_thread_type(btf, u64_id);
	info = btf__add_struct(btf, "thread_info", 4);
	add_field(btf, "cpu", u32_id, 0);
	btf__add_struct(btf, "signal_struct", 16);
	add_field(btf, "thread_head", list, 0);
	btf__add_struct(btf, "task_struct", sizeof(struct test_task));
	add_field(btf, "stack", u64_id, offsetof(struct test_task, stack));
	add_field(btf, "tasks", list, offsetof(struct test_task, next));
	add_field(btf, "signal", u64_id, offsetof(struct test_task, signal));
	add_field(btf, "thread_node", list, offsetof(struct test_task, node_next));
	add_field(btf, "thread", thread, offsetof(struct test_task, fp));
	add_field(btf, "__state", u32_id, offsetof(struct test_task, state));
	add_field(btf, "exit_state", u32_id, offsetof(struct test_task, exit_state));
	add_field(btf, "flags", u32_id, offsetof(struct test_task, flags));
	add_field(btf, "thread_info", info, offsetof(struct test_task, cpu));
	add_field(btf, "pid", u32_id, offsetof(struct test_task, pid));
	add_field(btf, "tgid", u32_id, offsetof(struct test_task, tgid));
	add_field(btf, "comm", name, offsetof(struct test_task, comm));
	add_field(btf, "pid_links", u64_id, offsetof(struct test_task, pid_link));
	add_field(btf, "thread_pid", u64_id, offsetof(struct test_task, thread_pid));
	if (is_arm64)
		add_arm64_types(btf, u64_id, u32_id);
	else if (is_s390)
		add_s390_types(btf, u64_id, u32_id);
	else
		add_row_type(btf, u32_id, is_old);
	add_pid_types(btf, char_id, u64_id, u32_id);
	add_lock_types(btf, u64_id, list);
	add_kthread_work_types(btf, u64_id);
	data = btf__raw_data(btf, &size);
	if (!CHECK(!kernel_btf_parse(&kt, data, size, NULL), "types"))
		exit(99);
	btf__free(btf);
	return kt;
}

/* --- a dump -------------------------------------------------------------- */

struct rig {
	struct kmem k;
	struct kernel kernel;
	struct kernel_tasks *tasks;
	struct kernel_unwinder *unwinder;
	struct kernel_waits *waits;
	struct kernel_stack stack;
};

static void put_rows(struct rig *rig, const struct row *rows, u32 nr, bool is_old)
{
	u32 places[16] = { 0 };
	u8 entries[16 * 6];
	u64 at_places = kmem_put(&rig->k, places, 4 * nr), at_entries;

	for (u32 i = 0; i < nr; i++) {
		u32 type = rows[i].type, end = 0;
		s32 place = CODE + rows[i].at - (at_places + 4 * i);

		/* Before 6.4 an end had a bit of its own, no register, and a call the type 0. */
		if (is_old) {
			end = type == TYPE_END;
			type = type <= TYPE_CALL ? 0 : type - TYPE_CALL;
		}
		memcpy(kmem_at(&rig->k, at_places + 4 * i), &place, 4);
		memcpy(entries + 6 * i, &rows[i].sp_offset, 2);
		memcpy(entries + 6 * i + 2, &(int16_t){ -16 }, 2);
		entries[6 * i + 4] = rows[i].sp_reg | rows[i].bp_reg << 4;
		if (is_renumbered)
			entries[6 * i + 4] = (rows[i].sp_reg == REG_SP ? 3 : rows[i].sp_reg) | (rows[i].bp_reg == 1 ? 8 : rows[i].bp_reg) << 4;
		entries[6 * i + 5] = type | end << 2;
	}
	at_entries = kmem_put(&rig->k, entries, 6 * nr);
	add_symbol("__start_orc_unwind_ip", at_places);
	add_symbol("__stop_orc_unwind_ip", at_places + 4 * nr);
	add_symbol("__start_orc_unwind", at_entries);
	add_symbol("__stop_orc_unwind", at_entries + 6 * nr);
	add_symbol("_stext", CODE);
	add_symbol("_etext", CODE + 0x1000);
}

static u64 put_words(struct rig *rig, const u64 *words, u32 nr)
{
	static u64 stack[STACK_SIZE / 8];
	u64 va;

	memset(stack, 0, sizeof(stack));
	va = kmem_put(&rig->k, stack, sizeof(stack));
	if (nr)
		memcpy(kmem_at(&rig->k, va), words, 8 * nr);
	return va;
}

static u64 put_task(struct rig *rig, u32 pid, u64 stack, u64 sp)
{
	struct test_task task = {
		.stack = stack, .sp = sp, .pid = pid, .tgid = pid, .state = 2, .flags = KERNEL_TASK_KTHREAD,
	};

	snprintf(task.comm, sizeof(task.comm), "t%u", pid);
	return kmem_put(&rig->k, &task, sizeof(task));
}

static struct test_task *task_at(struct rig *rig, u64 va)
{
	return kmem_at(&rig->k, va);
}

/* Link the tasks to a list of processes; the last leads to the one of number @to. */
static void link_tasks(struct rig *rig, const u64 *tasks, u32 nr, u32 to)
{
	for (u32 i = 0; i < nr; i++) {
		task_at(rig, tasks[i])->next = tasks[i + 1 < nr ? i + 1 : to] + offsetof(struct test_task, next);
		task_at(rig, tasks[i])->prev = tasks[i ? i - 1 : nr - 1] + offsetof(struct test_task, next);
	}
	add_symbol("init_task", tasks[0]);
}

static void make_rig(struct rig *rig)
{
	memset(rig, 0, sizeof(*rig));
	nr_symbols = 0;
	rig->k = kmem_make(&(struct kmem_paging){ KMEM_X86_64, 12, 48, 4 });
}

static void open_rig(struct rig *rig, bool is_old)
{
	struct err err = ERR_INIT;
	int fd = kmem_fd(&rig->k);
	char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	rig->kernel.machine = is_arm64 ? EM_AARCH64 : is_s390 ? EM_S390 : EM_X86_64;
	rig->kernel.ktypes = make_types(is_old);
	if (!CHECK(!dump_open(&rig->kernel.dump, path, &err) &&
		   !vmem_open(&rig->kernel.vmem, rig->kernel.dump, &err) &&
		   !kernel_tasks_open(&rig->tasks, &rig->kernel, &err) &&
		   !kernel_unwinder_open(&rig->unwinder, rig->tasks, &err) &&
		   !kernel_waits_open(&rig->waits, rig->tasks, rig->unwinder, &err), "%s", err.msg))
		exit(99);
	close(fd);
}

static void close_rig(struct rig *rig)
{
	kernel_waits_close(rig->waits);
	kernel_unwinder_close(rig->unwinder);
	kernel_tasks_close(rig->tasks);
	kernel_btf_close(rig->kernel.ktypes);
	vmem_close(rig->kernel.vmem);
	dump_close(rig->kernel.dump);
	kmem_free(&rig->k);
}

/* f1 keeps 16 bytes, f2 has a frame pointer, nothing calls f3, and of f4 ORC says nothing. */
static const struct row rows[] = {
	{ 0x100, 16, REG_SP, 1, TYPE_CALL },
	{ 0x200, 16, REG_BP, 0, TYPE_CALL },
	{ 0x300, 0, 0, 0, TYPE_END },
	{ 0x400, 0, 0, 0, 0 },
	{ 0x500, 8, REG_SP, 0, TYPE_CALL },
	{ 0x600, 64, REG_SP, 0, TYPE_CALL },
};
#define NR_ROWS	(sizeof(rows) / sizeof(rows[0]))

/* Unwind a task whose stack has @words; {stack} stands for their address. */
static void unwind_words(struct rig *rig, u64 *words, u32 nr, bool is_old)
{
	u64 stack, task;

	make_rig(rig);
	put_rows(rig, rows, NR_ROWS, is_old);
	stack = put_words(rig, words, nr);
	for (u32 i = 0; i < nr; i++)
		if (words[i] < STACK_SIZE && words[i])
			memcpy(kmem_at(&rig->k, stack + 8 * i), &(u64){ stack + words[i] }, 8);
	task = put_task(rig, 7, stack, stack);
	link_tasks(rig, &task, 1, 0);
	open_rig(rig, is_old);
	kernel_unwind(rig->unwinder, &rig->tasks->list[0], &rig->stack);
}

static void check_frames(const struct rig *rig, const u32 *at, u32 nr, u32 nr_sure)
{
	const struct kernel_stack *stack = &rig->stack;

	CHECK(stack->nr == nr && stack->nr_sure == nr_sure, "%u, %u sure", stack->nr, stack->nr_sure);
	for (u32 i = 0; i < nr && i < stack->nr; i++)
		CHECK(stack->frames[i].ip == CODE + at[i] && stack->frames[i].is_guess == (i >= nr_sure),
		      "frame %u at +%#llx, guess %d", i, stack->frames[i].ip - CODE, stack->frames[i].is_guess);
}

/* --- stacks -------------------------------------------------------------- */

/* What __switch_to_asm() saved: r15 to r12, bx, bp, and where it returns to. */
#define SAVED(bp, ip)	0, 0, 0, 0, 0, bp, CODE + (ip)

static void unwind_a_whole_stack(bool is_old)
{
	u64 words[] = {
		SAVED(0, 0x180),		/* f1 */
		11 * 8, CODE + 0x220,		/* its caller's frame pointer; returns to f2 */
		0, 0, 0x1000000, CODE + 0x310,	/* f2's; returns to f3, where it began */
	};
	struct rig rig;

	unwind_words(&rig, words, 13, is_old);
	check_frames(&rig, (u32[]){ 0x180, 0x220, 0x310 }, 3, 3);
	CHECK(rig.stack.end == KSTACK_END_THREAD, "%d %s", rig.stack.end, rig.stack.why);
	CHECK(rig.stack.frames[0].top == rig.stack.frames[0].sp + 16, "%#llx", rig.stack.frames[0].top);
	close_rig(&rig);
}

static void unwind__follows_sp_and_bp_to_where_a_thread_began(void)
{
	unwind_a_whole_stack(false);
}

static void unwind__knows_the_layout_of_before_6_4(void)
{
	unwind_a_whole_stack(true);
}

static void unwind__knows_the_numbers_of_7_2(void)
{
	is_renumbered = true;
	unwind_a_whole_stack(false);
	is_renumbered = false;
}

static void unwind__marks_what_is_behind_a_break_as_guesses(void)
{
	u64 words[] = {
		SAVED(0, 0x180), 0x1000000, CODE + 0x420, 0x1000000, CODE + 0x222, 0x1000000, CODE + 0x333,
	};
	struct rig rig;

	unwind_words(&rig, words, 13, false);
	check_frames(&rig, (u32[]){ 0x180, 0x420, 0x222, 0x333 }, 4, 2);
	CHECK(rig.stack.end == KSTACK_END_BROKEN && strstr(rig.stack.why, "f4+0x"), "%d %s", rig.stack.end, rig.stack.why);
	close_rig(&rig);
}

static void unwind__leaves_a_stack_that_leads_back_into_itself(void)
{
	u64 words[] = { SAVED(0, 0x180), 8, CODE + 0x220, CODE + 0x220, CODE + 0x220 };
	struct rig rig;

	/* f2's caller is said to be at the stack's start. */
	words[2] = CODE + 0x220;
	unwind_words(&rig, words, 11, false);
	CHECK(rig.stack.end == KSTACK_END_BROKEN && strstr(rig.stack.why, "back into itself"), "%d %s",
	      rig.stack.end, rig.stack.why);
	close_rig(&rig);
}

/* --- a CPU that ran ------------------------------------------------------ */

static struct kernel_regs stopped;

bool kernel_cpu_regs(const struct kernel *kernel, u32 cpu, struct kernel_regs *ret)
{
	(void)kernel;
	(void)cpu;
	*ret = stopped;
	return true;
}

/* It ran at @at, with the stack pointer at the start of @words, as those of unwind_words(). */
static void unwind_running(struct rig *rig, u64 *words, u32 nr, u32 at, bool is_old)
{
	unwind_words(rig, words, nr, is_old);
	stopped.r[KREG_IP] = CODE + at;
	stopped.r[KREG_SP] = rig->tasks->list[0].stack;
	rig->tasks->list[0].is_running = true;
	kernel_unwind(rig->unwinder, &rig->tasks->list[0], &rig->stack);
}

/* Of f4 ORC says nothing; up to 6.3 it said of thunks that the stack ends there, as it does of f3. */
static void check_thunk(u32 at, bool is_old)
{
	u64 at_start[] = { CODE + 0x180, 0x1000000, CODE + 0x310 };
	u64 behind_call[] = { CODE + at + 5, CODE + 0x180, 0x1000000, CODE + 0x310 };
	u64 elsewhere[] = { CODE + 0x180, CODE + 0x180, 0x1000000, CODE + 0x310 };
	struct rig rig;

	thunk = at;
	unwind_running(&rig, at_start, 3, at, is_old);
	CHECK(rig.stack.nr_sure >= 2 && rig.stack.frames[0].ip == CODE + at && rig.stack.frames[1].ip == CODE + 0x180 && !rig.stack.frames[1].is_exact,
	      "%u sure, %d %s", rig.stack.nr_sure, rig.stack.end, rig.stack.why);
	close_rig(&rig);
	unwind_running(&rig, behind_call, 4, at + 12, is_old);
	CHECK(rig.stack.nr_sure >= 2 && rig.stack.frames[1].ip == CODE + 0x180 && rig.stack.frames[1].sp == rig.stack.frames[0].sp + 16,
	      "behind its own call: %u sure, %d %s", rig.stack.nr_sure, rig.stack.end, rig.stack.why);
	close_rig(&rig);
	unwind_running(&rig, elsewhere, 4, at + 12, is_old);
	CHECK(rig.stack.nr_sure == 1 && rig.stack.end == KSTACK_END_BROKEN, "what is on top is not of its own call: %u sure, %d", rig.stack.nr_sure,
	      rig.stack.end);
	close_rig(&rig);
	thunk = 0;
}

static void unwind__a_thunk_was_called_from_what_is_on_top_of_the_stack(void)
{
	check_thunk(0x400, false);
	check_thunk(0x300, false);
	check_thunk(0x300, true);
}

static void unwind__what_is_no_thunk_began_there(void)
{
	u64 words[] = { CODE + 0x180, 0x1000000, CODE + 0x310 };
	struct rig rig;

	unwind_running(&rig, words, 3, 0x300, false);
	CHECK(rig.stack.nr == 1 && rig.stack.end == KSTACK_END_THREAD, "%u, %d %s", rig.stack.nr, rig.stack.end, rig.stack.why);
	close_rig(&rig);
}

static void unwind__ends_after_so_many_frames(void)
{
	static u64 words[STACK_SIZE / 8] = { SAVED(0, 0x580) };
	struct rig rig;

	for (u32 i = 7; i < STACK_SIZE / 8; i++)
		words[i] = CODE + 0x580;
	unwind_words(&rig, words, STACK_SIZE / 8, false);
	CHECK(rig.stack.end == KSTACK_END_LIMIT && rig.stack.nr == KERNEL_STACK_FRAMES, "%d %u", rig.stack.end,
	      rig.stack.nr);
	close_rig(&rig);
}

static void unwind__says_that_a_stack_pointer_is_elsewhere(void)
{
	struct rig rig;
	u64 task;

	make_rig(&rig);
	put_rows(&rig, rows, NR_ROWS, false);
	task = put_task(&rig, 7, put_words(&rig, NULL, 0), 0x1234);
	link_tasks(&rig, &task, 1, 0);
	open_rig(&rig, false);
	kernel_unwind(rig.unwinder, &rig.tasks->list[0], &rig.stack);
	CHECK(rig.stack.end == KSTACK_NOT_UNWOUND && !rig.stack.nr && strstr(rig.stack.why, "0x1234"), "%d %s",
	      rig.stack.end, rig.stack.why);
	close_rig(&rig);
}

static void unwind__without_orc_says_so(void)
{
	struct rig rig;
	u64 task;

	make_rig(&rig);
	task = put_task(&rig, 7, put_words(&rig, NULL, 0), 0);
	link_tasks(&rig, &task, 1, 0);
	open_rig(&rig, false);
	kernel_unwind(rig.unwinder, &rig.tasks->list[0], &rig.stack);
	CHECK(rig.stack.end == KSTACK_NOT_UNWOUND && strstr(rig.stack.why, "ORC") &&
	      !kernel_unwinder_way(rig.unwinder), "%d %s", rig.stack.end, rig.stack.why);
	close_rig(&rig);
}

/* --- tasks --------------------------------------------------------------- */

/* Task @nr_broken - 1 leads to @broken. */
static void open_tasks(struct rig *rig, u32 nr, u32 to, u32 nr_broken, u64 broken)
{
	u64 tasks[8];

	make_rig(rig);
	for (u32 i = 0; i < nr; i++)
		tasks[i] = put_task(rig, 10 + i, 0, 0);
	link_tasks(rig, tasks, nr, to);
	if (nr_broken)
		task_at(rig, tasks[nr_broken - 1])->next = broken;
	open_rig(rig, false);
}

static void tasks__are_listed_with_their_threads(void)
{
	struct rig rig;
	u64 tasks[3], head, thread;

	make_rig(&rig);
	for (u32 i = 0; i < 3; i++)
		tasks[i] = put_task(&rig, 10 + i, 0, 0);
	thread = put_task(&rig, 20, 0, 0);
	head = kmem_put(&rig.k, (u64[2]){ tasks[1] + offsetof(struct test_task, node_next) }, 16);
	task_at(&rig, tasks[1])->signal = head;
	task_at(&rig, tasks[1])->node_next = thread + offsetof(struct test_task, node_next);
	task_at(&rig, thread)->node_next = head;
	task_at(&rig, thread)->tgid = 11;
	task_at(&rig, thread)->state = 0x402;
	link_tasks(&rig, tasks, 3, 0);
	open_rig(&rig, false);
	CHECK(rig.tasks->nr == 4 && !rig.tasks->notes.nr, "%u, %llu notes", rig.tasks->nr, rig.tasks->notes.nr);
	CHECK(kernel_tasks_find(rig.tasks, thread) && kernel_tasks_find(rig.tasks, thread)->tgid == 11 &&
	      kernel_tasks_find(rig.tasks, thread)->state == 'I' && kernel_tasks_find(rig.tasks, tasks[0])->state == 'D',
	      "a thread");
	CHECK(!kernel_tasks_find(rig.tasks, thread + 8), "beside a task");
	close_rig(&rig);
}

static void tasks__a_circle_beside_the_head_is_told_and_left(void)
{
	struct rig rig;

	open_tasks(&rig, 5, 2, 0, 0);
	CHECK(rig.tasks->nr == 5 && rig.tasks->notes.nr == 1 && strstr(rig.tasks->notes.list[0].text, "back into itself"),
	      "%u, %llu notes", rig.tasks->nr, rig.tasks->notes.nr);
	close_rig(&rig);
}

static void tasks__a_list_that_breaks_off_is_told(void)
{
	struct rig rig;

	open_tasks(&rig, 3, 0, 3, 0x123456789000);
	CHECK(rig.tasks->nr == 3 && rig.tasks->notes.nr == 1 && strstr(rig.tasks->notes.list[0].text, "breaks off"),
	      "%u, %llu notes", rig.tasks->nr, rig.tasks->notes.nr);
	close_rig(&rig);
}

/* --- waits --------------------------------------------------------------- */

#define WAITER_AT	(8 * 8)		/* in the frame of the function that waits */
#define LIST_OF_MUTEX	16

/* Tasks that sleep in the function that waits, each with a mutex. */
struct queue {
	struct rig rig;
	u64 tasks[3], stacks[3], mutexes[3];
	u32 nr;
};

static void make_queue(struct queue *q, u32 nr)
{
	const u64 words[] = { SAVED(0, 0x680), 0, 0, 0, 0, 0, 0, 0, CODE + 0x310 };

	make_rig(&q->rig);
	put_rows(&q->rig, rows, NR_ROWS, false);
	q->nr = nr;
	for (u32 i = 0; i < nr; i++) {
		u64 mutex[4] = { 0 };

		q->stacks[i] = put_words(&q->rig, words, 15);
		q->tasks[i] = put_task(&q->rig, 10 + i, q->stacks[i], q->stacks[i]);
		memcpy(kmem_at(&q->rig.k, q->stacks[i] + WAITER_AT + 16), &q->tasks[i], 8);
		q->mutexes[i] = kmem_put(&q->rig.k, mutex, sizeof(mutex));
	}
	link_tasks(&q->rig, q->tasks, nr, 0);
}

static void put_word(struct queue *q, u64 va, u64 word)
{
	memcpy(kmem_at(&q->rig.k, va), &word, 8);
}

static void link_nodes(struct queue *q, u64 a, u64 b)
{
	put_word(q, a, b);
	put_word(q, b + 8, a);
}

static u64 waiter_of(const struct queue *q, u32 i)
{
	return q->stacks[i] + WAITER_AT;
}

/* Task @i waits for mutex @m, alone. */
static void wait_for_mutex(struct queue *q, u32 i, u32 m, u64 owner)
{
	link_nodes(q, waiter_of(q, i), q->mutexes[m] + LIST_OF_MUTEX);
	link_nodes(q, q->mutexes[m] + LIST_OF_MUTEX, waiter_of(q, i));
	put_word(q, q->mutexes[m], owner);
}

static bool wait_of(struct queue *q, u32 i, struct kernel_wait *wait)
{
	const struct kernel_task *task = kernel_tasks_find(q->rig.tasks, q->tasks[i]);

	kernel_unwind(q->rig.unwinder, task, &q->rig.stack);
	return kernel_wait_of(q->rig.waits, task, &q->rig.stack, wait);
}

static void waits__a_mutex_and_its_owner_are_found(void)
{
	struct kernel_wait wait;
	struct queue q;

	make_queue(&q, 2);
	wait_for_mutex(&q, 0, 0, q.tasks[1] | 1);
	open_rig(&q.rig, false);
	if (CHECK(wait_of(&q, 0, &wait), "%u frames %s", q.rig.stack.nr, q.rig.stack.why))
		CHECK(wait.kind == KWAIT_MUTEX && wait.lock == q.mutexes[0] && wait.owner_kind == KOWNER_SHOWN &&
		      wait.owner->va == q.tasks[1], "%d %#llx %d", wait.kind, wait.lock, wait.owner_kind);
	CHECK(!wait_of(&q, 1, &wait), "one without a list waits");
	close_rig(&q.rig);
}

static void waits__an_owner_has_to_be_a_task(void)
{
	struct kernel_wait wait;
	struct queue q;

	make_queue(&q, 2);
	wait_for_mutex(&q, 0, 0, q.tasks[1] + 8);
	/* It is handed over to the waiter, which is no deadlock. */
	wait_for_mutex(&q, 1, 1, q.tasks[1] | 4);
	open_rig(&q.rig, false);
	CHECK(wait_of(&q, 0, &wait) && wait.owner_kind == KOWNER_UNKNOWN && !wait.owner, "%d", wait.owner_kind);
	CHECK(wait_of(&q, 1, &wait) && wait.owner_kind == KOWNER_NONE && !wait.owner, "%d", wait.owner_kind);
	close_rig(&q.rig);
}

static void waits__what_does_not_prove_itself_is_none(void)
{
	struct kernel_wait wait;
	struct queue q;

	make_queue(&q, 3);
	/* A waiter that was woken is on no list; two on each other's have no lock. */
	link_nodes(&q, waiter_of(&q, 0), waiter_of(&q, 0));
	link_nodes(&q, waiter_of(&q, 1), waiter_of(&q, 2));
	link_nodes(&q, waiter_of(&q, 2), waiter_of(&q, 1));
	open_rig(&q.rig, false);
	for (u32 i = 0; i < 3; i++)
		CHECK(!wait_of(&q, i, &wait), "task %u waits", i);
	close_rig(&q.rig);
}

/* Its address is in a register that was saved. */
static void lead_to_ring(struct queue *q, u32 i, u32 m, u64 first)
{
	put_word(q, q->stacks[i], q->mutexes[m]);
	put_word(q, q->mutexes[m] + LIST_OF_MUTEX, first);
}

static void waits__the_lock_of_a_ring_is_found(void)
{
	struct kernel_wait wait;
	struct queue q;

	has_rings = true;
	make_queue(&q, 3);
	/* One waits alone, held by the second; that one and the third wait for another. */
	link_nodes(&q, waiter_of(&q, 0), waiter_of(&q, 0));
	lead_to_ring(&q, 0, 0, waiter_of(&q, 0));
	put_word(&q, q.mutexes[0], q.tasks[1] | 1);
	/* Seen of 7.2: a word that leads to the waiter itself, which has a waiter where a lock has it. */
	put_word(&q, q.stacks[0] + 8, q.mutexes[0]);
	put_word(&q, q.stacks[0], waiter_of(&q, 0) - LIST_OF_MUTEX);
	link_nodes(&q, waiter_of(&q, 1), waiter_of(&q, 2));
	link_nodes(&q, waiter_of(&q, 2), waiter_of(&q, 1));
	lead_to_ring(&q, 1, 1, waiter_of(&q, 2));
	lead_to_ring(&q, 2, 1, waiter_of(&q, 2));
	open_rig(&q.rig, false);
	CHECK(wait_of(&q, 0, &wait) && wait.kind == KWAIT_MUTEX && wait.lock == q.mutexes[0] && wait.is_first &&
	      wait.owner && wait.owner->va == q.tasks[1], "%#llx", wait.lock);
	CHECK(wait_of(&q, 1, &wait) && wait.lock == q.mutexes[1] && !wait.is_first && wait.owner_kind == KOWNER_NONE,
	      "%#llx", wait.lock);
	CHECK(wait_of(&q, 2, &wait) && wait.lock == q.mutexes[1] && wait.is_first, "%#llx", wait.lock);
	close_rig(&q.rig);
	has_rings = false;
}

static void waits__a_ring_without_its_lock_is_none(void)
{
	struct kernel_wait wait;
	struct queue q;

	has_rings = true;
	make_queue(&q, 3);
	/* The mutex has no waiter any more; it has another one; the ring is broken. */
	link_nodes(&q, waiter_of(&q, 0), waiter_of(&q, 0));
	lead_to_ring(&q, 0, 0, 0);
	link_nodes(&q, waiter_of(&q, 1), waiter_of(&q, 1));
	lead_to_ring(&q, 1, 1, waiter_of(&q, 0));
	lead_to_ring(&q, 2, 2, waiter_of(&q, 2));
	put_word(&q, waiter_of(&q, 2), waiter_of(&q, 1));
	open_rig(&q.rig, false);
	for (u32 i = 0; i < 3; i++)
		CHECK(!wait_of(&q, i, &wait), "task %u waits", i);
	close_rig(&q.rig);
	has_rings = false;
}

static void count_deadlock(const struct kernel_chain *chain, void *priv)
{
	CHECK(chain->is_cycle && chain->is_sure && chain->nr - chain->back == 2, "%u to %u", chain->back, chain->nr);
	++*(u32 *)priv;
}

static void waits__a_cycle_is_found_once(void)
{
	static struct kernel_chain chain;
	struct queue q;
	u32 nr = 0;

	make_queue(&q, 3);
	wait_for_mutex(&q, 0, 0, q.tasks[1]);
	wait_for_mutex(&q, 1, 1, q.tasks[2]);
	wait_for_mutex(&q, 2, 2, q.tasks[1]);
	open_rig(&q.rig, false);
	CHECK(!kernel_deadlocks(q.rig.waits, &chain, count_deadlock, &nr, NULL) && nr == 1, "%u", nr);
	CHECK(!kernel_wait_chain(q.rig.waits, kernel_tasks_find(q.rig.tasks, q.tasks[0]), &chain, NULL) &&
	      chain.nr == 3 && chain.is_cycle && chain.back == 1, "%u back to %u", chain.nr, chain.back);
	close_rig(&q.rig);
}

/* Task 0 flushes the queue of task 1, which runs f5: by an item on its stack, whose function is @function. */
static bool flushes(struct kernel_wait *wait, u64 function, bool runs, bool is_on_stack)
{
	u64 current, worker, item;
	struct queue q;
	bool is;

	make_queue(&q, 2);
	current = kmem_put(&q.rig.k, (u64[2]){ CODE + 0x500, 0 }, 16);
	worker = kmem_put(&q.rig.k, (u64[2]){ q.tasks[1], runs ? current : 0 }, 16);
	item = is_on_stack ? q.stacks[0] + 0x400 : kmem_put(&q.rig.k, (u64[4]){ 0 }, 32);
	put_word(&q, item, function);
	put_word(&q, item + 8, worker);
	open_rig(&q.rig, false);
	*wait = (struct kernel_wait){ .kind = KWAIT_COMPLETION, .lock = item + 16 };
	completed_by(q.rig.tasks, kernel_tasks_find(q.rig.tasks, q.tasks[0]), wait);
	is = wait->owner && wait->owner_kind == KOWNER_WORKER && wait->owner->va == q.tasks[1];
	close_rig(&q.rig);
	return is;
}

static void waits__a_thread_that_runs_work_items_is_who_completes_a_flush(void)
{
	struct kernel_wait wait;

	CHECK(flushes(&wait, CODE + 0x700, true, true) && !strcmp(wait.work, "f5"), "\"%s\"", wait.work);
	CHECK(!flushes(&wait, CODE + 0x500, true, true), "another function of an item");
	CHECK(!flushes(&wait, CODE + 0x700, false, true), "it runs nothing");
	CHECK(!flushes(&wait, CODE + 0x700, true, false), "the item is not on the stack of who waits");
}

static void tasks__behind_a_gap_are_found_from_the_end(void)
{
	struct rig rig;

	open_tasks(&rig, 6, 0, 2, 0x123456789000);
	CHECK(rig.tasks->nr == 6 && rig.tasks->notes.nr == 2 && strstr(rig.tasks->notes.list[1].text, "4 tasks more were"),
	      "%u, %llu notes", rig.tasks->nr, rig.tasks->notes.nr);
	close_rig(&rig);
}

/* --- any bytes ----------------------------------------------------------- */

#define ROUNDS		16

static u32 next_random(u32 *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* A word of what was put into the dump becomes a random one, or that of another place. */
static void damage_queue(struct queue *q, u32 *seed)
{
	const u64 size = q->rig.k.used;

	for (u32 i = 0; i < 40; i++) {
		u64 to = KMEM_TEXT + next_random(seed) % (size / 8) * 8;
		u64 from = KMEM_TEXT + next_random(seed) % (size / 8) * 8;

		switch (next_random(seed) % 3) {
		case 0:
			put_word(q, to, (u64)next_random(seed) << 40 | next_random(seed));
			break;
		case 1:
			put_word(q, to, from);
			break;
		case 2:
			memcpy(kmem_at(&q->rig.k, to), kmem_at(&q->rig.k, from), 8);
			break;
		}
	}
}

static void count_any(const struct kernel_chain *chain, void *priv)
{
	*(u32 *)priv += chain->nr;
}

static void all__any_bytes_are_read_to_an_end(void)
{
	static struct kernel_chain chain;
	struct kernel_wait wait;
	char name[KERNEL_SYMBOL_MAX];
	u32 seed = 1, nr = 0;
	struct queue q;

	for (u32 round = 0; round < ROUNDS; round++) {
		make_queue(&q, 3);
		for (u32 i = 0; i < 3; i++)
			wait_for_mutex(&q, i, i, q.tasks[(i + 1) % 3]);
		damage_queue(&q, &seed);
		open_rig(&q.rig, false);
		for (u32 i = 0; i < q.rig.tasks->nr; i++) {
			kernel_unwind(q.rig.unwinder, &q.rig.tasks->list[i], &q.rig.stack);
			CHECK(q.rig.stack.nr_sure <= q.rig.stack.nr && q.rig.stack.nr <= KERNEL_STACK_FRAMES, "%u", q.rig.stack.nr);
			for (u32 k = 0; k < q.rig.stack.nr; k++)
				kernel_frame_name(&q.rig.kernel, &q.rig.stack.frames[k], name, sizeof(name));
			nr += kernel_wait_of(q.rig.waits, &q.rig.tasks->list[i], &q.rig.stack, &wait);
		}
		CHECK(!kernel_deadlocks(q.rig.waits, &chain, count_any, &nr, NULL), "no memory");
		close_rig(&q.rig);
	}
	CHECK(nr, "nothing was found in any");
}

/* The index leads to a task in the gap, to a pid that is not its task's, and back to its root. */
static void tasks__in_a_gap_are_found_by_their_pids(void)
{
	struct rig rig;
	u64 tasks[4], pid, false_pid, root, leaf;

	make_rig(&rig);
	for (u32 i = 0; i < 4; i++)
		tasks[i] = put_task(&rig, 10 + i, 0, 0);
	link_tasks(&rig, tasks, 4, 0);
	task_at(&rig, tasks[0])->next = 0x123456789000;
	task_at(&rig, tasks[0])->prev = tasks[3] + offsetof(struct test_task, next);
	task_at(&rig, tasks[3])->prev = 0x123456789000;
	pid = kmem_put(&rig.k, (u64[2]){ tasks[1] + offsetof(struct test_task, pid_link) }, 16);
	false_pid = kmem_put(&rig.k, (u64[2]){ tasks[2] + offsetof(struct test_task, pid_link) }, 16);
	task_at(&rig, tasks[1])->thread_pid = pid;
	leaf = kmem_put(&rig.k, (u64[5]){ 0, pid, false_pid }, 40);
	root = kmem_put(&rig.k, (u64[5]){ 6, leaf | 2 }, 40);
	memcpy(kmem_at(&rig.k, root + 16), &(u64){ root | 2 }, 8);
	add_symbol("init_pid_ns", kmem_put(&rig.k, (u64[2]){ 0, root | 2 }, 16));
	open_rig(&rig, false);
	CHECK(rig.tasks->nr == 3 && kernel_tasks_find(rig.tasks, tasks[1]) && kernel_tasks_find(rig.tasks, tasks[3]),
	      "%u tasks", rig.tasks->nr);
	CHECK(rig.tasks->notes.nr == 2 && strstr(rig.tasks->notes.list[1].text, "2 tasks more were"), "%llu notes",
	      rig.tasks->notes.nr);
	close_rig(&rig);
}

#define LACKING		0xffff888012340000ULL	/* mapped, to memory that the file does not have */

/* A task that the index of pids has, and the dump lacks; its stack is behind that of the only other one. */
static void make_lacking(struct queue *q, u64 words_of_it)
{
	u64 pid, leaf;

	make_rig(&q->rig);
	while (q->rig.k.used % STACK_SIZE)
		kmem_put(&q->rig.k, &(u64){ 0 }, 8);
	for (u32 i = 0; i < 2; i++) {
		const u64 words[] = { SAVED(0, 0x680), 0, 0, 0, 0, 0, 0, 0, CODE + 0x310, i && words_of_it ? LACKING : 0 };

		q->stacks[i] = put_words(&q->rig, words, 16);
	}
	put_rows(&q->rig, rows, NR_ROWS, false);
	for (u32 i = 0; i < 2; i++)
		q->mutexes[i] = kmem_put(&q->rig.k, (u64[4]){ 0 }, 32);
	q->tasks[0] = put_task(&q->rig, 10, q->stacks[0], q->stacks[0]);
	q->tasks[1] = LACKING;
	for (u32 i = 0; i < 2; i++)
		put_word(q, waiter_of(q, i) + 16, q->tasks[i]);
	link_tasks(&q->rig, q->tasks, 1, 0);
	task_at(&q->rig, q->tasks[0])->next = 0x123456789000;
	kmem_map(&q->rig.k, LACKING, 2 * KMEM_SIZE, 0);
	pid = kmem_put(&q->rig.k, (u64[2]){ LACKING + offsetof(struct test_task, pid_link), 77 }, 16);
	leaf = kmem_put(&q->rig.k, (u64[5]){ 0, pid }, 40);
	add_symbol("init_pid_ns", kmem_put(&q->rig.k, (u64[2]){ 0, leaf | 2 }, 16));
	wait_for_mutex(q, 0, 0, LACKING);
	wait_for_mutex(q, 1, 1, q->tasks[0]);
}

static void tasks__one_that_the_dump_lacks_is_known_by_its_pid(void)
{
	const struct kernel_task *task;
	struct kernel_wait wait;
	struct queue q;
	u32 nr = 0;

	make_lacking(&q, 1);
	open_rig(&q.rig, false);
	task = kernel_tasks_find(q.rig.tasks, LACKING);
	if (CHECK(task && q.rig.tasks->nr_lacking == 1, "%u lacking", q.rig.tasks->nr_lacking))
		CHECK(task->is_lacking && task->pid == 77 && task->stack == q.stacks[1], "%d %#llx", task->pid, task->stack);
	CHECK(wait_of(&q, 0, &wait) && wait.owner == task, "what waits for it");
	CHECK(wait_of(&q, 1, &wait) && wait.kind == KWAIT_MUTEX && wait.lock == q.mutexes[1] && wait.owner && wait.owner->va == q.tasks[0],
	      "what it waits for");
	CHECK(!kernel_deadlocks(q.rig.waits, &(struct kernel_chain){ 0 }, count_deadlock, &nr, NULL) && nr == 1, "%u deadlocks", nr);
	close_rig(&q.rig);
}

static void tasks__a_stack_that_names_it_once_is_not_its_own(void)
{
	struct kernel_wait wait;
	struct queue q;

	make_lacking(&q, 0);
	open_rig(&q.rig, false);
	CHECK(q.rig.tasks->nr_lacking == 1 && !kernel_tasks_find(q.rig.tasks, LACKING)->stack && !wait_of(&q, 1, &wait), "it has a stack");
	close_rig(&q.rig);
	/* What it left on its stack is on no list of a lock. */
	make_lacking(&q, 1);
	put_word(&q, q.mutexes[1] + LIST_OF_MUTEX, q.mutexes[1] + LIST_OF_MUTEX);
	put_word(&q, q.mutexes[1] + LIST_OF_MUTEX + 8, q.mutexes[1] + LIST_OF_MUTEX);
	open_rig(&q.rig, false);
	CHECK(!wait_of(&q, 1, &wait), "it waits for a lock whose list is empty");
	close_rig(&q.rig);
}

/* --- arm64 --------------------------------------------------------------- */

/* With another signature for each address: of the bits that all are ones in one of the kernel. */
#define SIGNED(ip)	((CODE + (ip)) & ~(((ip) >> 4 & 0x3fULL) << 48))
#define USER_MODE	0ULL
#define KERNEL_MODE	5ULL

/* Unwind a task that sleeps in f1, whose stack has @words as unwind_words() has them: from @fp on. */
static void unwind_records(struct rig *rig, u64 *words, u32 nr, u32 fp)
{
	u64 stack, task;

	is_arm64 = true;
	make_rig(rig);
	add_symbol("_stext", CODE);
	add_symbol("_etext", CODE + 0x1000);
	add_symbol("ret_from_fork", CODE + 0xa10);
	stack = put_words(rig, words, nr);
	for (u32 i = 0; i < nr; i++)
		if (words[i] < STACK_SIZE && words[i] >= 16)
			memcpy(kmem_at(&rig->k, stack + 8 * i), &(u64){ stack + words[i] }, 8);
	task = put_task(rig, 7, stack, stack);
	task_at(rig, task)->fp = stack + fp;
	task_at(rig, task)->pc = SIGNED(0x180);
	link_tasks(rig, &task, 1, 0);
	open_rig(rig, false);
	kernel_unwind(rig->unwinder, &rig->tasks->list[0], &rig->stack);
	is_arm64 = false;
}

static void arm64__follows_signed_records_to_where_a_thread_began(void)
{
	u64 words[] = {
		4 * 8, SIGNED(0x220),		/* f1's record; it returns to f2 */
		0, 0,
		8 * 8, SIGNED(0x310),		/* f2's, to f3 */
		0, 0,
		0, 0,				/* the thread's own */
	};
	struct rig rig;

	unwind_records(&rig, words, 10, 0);
	check_frames(&rig, (u32[]){ 0x180, 0x220, 0x310 }, 3, 3);
	CHECK(rig.stack.end == KSTACK_END_THREAD, "%d %s", rig.stack.end, rig.stack.why);
	CHECK(rig.stack.frames[1].sp == rig.tasks->list[0].stack + 16 &&
	      rig.stack.frames[1].top == rig.tasks->list[0].stack + 6 * 8, "%#llx to %#llx",
	      rig.stack.frames[1].sp, rig.stack.frames[1].top);
	close_rig(&rig);
}

static void arm64__one_that_came_from_user_space_says_so(void)
{
	u64 words[] = { 2 * 8, SIGNED(0x910), 0, 0 };
	struct rig rig;

	unwind_records(&rig, words, 4, 0);
	check_frames(&rig, (u32[]){ 0x180, 0x910 }, 2, 2);
	CHECK(rig.stack.end == KSTACK_END_USER, "%d %s", rig.stack.end, rig.stack.why);
	close_rig(&rig);
}

/* f1 was called by the entry of an interrupt, which came while f5 ran, which f3 had called. */
static void interrupt(struct rig *rig, u64 pc, u64 mode)
{
	enum { REGS = 2, AFTER = REGS + sizeof(struct arm64_regs) / 8 };
	u64 words[AFTER + 8] = { 0 };
	struct arm64_regs *regs = (struct arm64_regs *)&words[REGS];

	words[0] = 8 * REGS + offsetof(struct arm64_regs, record);
	words[1] = SIGNED(0x810);
	regs->x[29] = 8 * (AFTER + 2);
	regs->sp = 8 * AFTER;
	regs->pc = CODE + pc;
	regs->pstate = mode;
	regs->record[0] = has_meta ? 0 : regs->x[29];
	regs->record[1] = has_meta ? 0 : regs->pc;
	regs->type = has_meta ? 2 : 0;
	words[AFTER + 2] = 8 * (AFTER + 4);
	words[AFTER + 3] = SIGNED(0x310);
	unwind_records(rig, words, AFTER + 8, 0);
}

static void arm64_knows_what_was_interrupted(bool is_new)
{
	struct rig rig;

	has_meta = is_new;
	interrupt(&rig, 0x508, KERNEL_MODE);
	check_frames(&rig, (u32[]){ 0x180, 0x810, 0x508, 0x310 }, 4, 4);
	CHECK(rig.stack.frames[2].is_exact && rig.stack.frames[2].regs && !rig.stack.frames[1].is_exact, "%d",
	      rig.stack.frames[2].is_exact);
	CHECK(rig.stack.end == (is_new ? KSTACK_END_BROKEN : KSTACK_END_THREAD), "%d %s", rig.stack.end, rig.stack.why);
	close_rig(&rig);
	interrupt(&rig, 0x508, USER_MODE);
	CHECK(rig.stack.end == KSTACK_END_USER && rig.stack.nr == 2, "%d, %u frames: %s", rig.stack.end, rig.stack.nr,
	      rig.stack.why);
	close_rig(&rig);
	has_meta = false;
}

static void arm64__knows_what_an_interrupt_came_into(void)
{
	arm64_knows_what_was_interrupted(false);
}

/* A record of zeros that says neither "first" nor "registers" is none. */
static void arm64__knows_what_an_interrupt_came_into_since_6_13(void)
{
	arm64_knows_what_was_interrupted(true);
}

static void arm64__a_record_that_leads_back_or_away_ends_in_guesses(void)
{
	u64 back[] = { 0, 0, 4 * 8, SIGNED(0x220), 2 * 8, SIGNED(0x320), SIGNED(0x510) };
	u64 away[] = { 4 * STACK_SIZE, SIGNED(0x220), SIGNED(0x310), 0, 0 };
	u64 no_code[] = { 4 * 8, 0x10000, 0, 0, 0, 0 };
	struct rig rig;

	unwind_records(&rig, back, 7, 2 * 8);
	CHECK(rig.stack.end == KSTACK_END_BROKEN && rig.stack.nr_sure >= 2 && rig.stack.nr > rig.stack.nr_sure &&
	      strstr(rig.stack.why, "leads back"), "%d, %u of %u: %s", rig.stack.end, rig.stack.nr_sure, rig.stack.nr,
	      rig.stack.why);
	close_rig(&rig);
	unwind_records(&rig, away, 5, 0);
	check_frames(&rig, (u32[]){ 0x180, 0x220, 0x310 }, 3, 2);
	CHECK(strstr(rig.stack.why, "on no stack of this task"), "%s", rig.stack.why);
	close_rig(&rig);
	unwind_records(&rig, no_code, 6, 0);
	CHECK(rig.stack.end == KSTACK_END_BROKEN && rig.stack.nr == 1 && strstr(rig.stack.why, "no code"), "%d %s",
	      rig.stack.end, rig.stack.why);
	close_rig(&rig);
}

static void arm64__any_words_are_read_to_an_end(void)
{
	u32 seed = 64;

	for (u32 i = 0; i < 300; i++) {
		u64 words[64];
		struct rig rig;

		for (u32 k = 0; k < 64; k++) {
			u32 r = next_random(&seed);

			words[k] = r % 3 ? r % (8 * 80) & ~7U : r % 2 ? SIGNED(r >> 8 & 0xfff) : r;
		}
		has_meta = i % 2;
		unwind_records(&rig, words, 64, next_random(&seed) % 512 & ~7U);
		CHECK(rig.stack.nr <= KERNEL_STACK_FRAMES && rig.stack.nr_sure <= rig.stack.nr, "%u of %u", rig.stack.nr_sure,
		      rig.stack.nr);
		close_rig(&rig);
	}
	has_meta = false;
}

/* --- s390x --------------------------------------------------------------- */

/* Where a test's frame of that number is: so near that the next one's begins in it. */
#define FRAME(nr)	(8ULL * (4 + 6 * (nr)))
#define WORDS		96

/* In @words: the frame of that number, in which is where @ip goes on, and which leads to @caller. */
static void put_frame(u64 *words, u32 nr, u64 ip, u64 caller)
{
	words[(FRAME(nr) + offsetof(struct s390_frame, gprs)) / 8 + 8] = ip ? CODE + ip : 0;
	words[(FRAME(nr) + offsetof(struct s390_frame, back_chain)) / 8] = caller;
}

/* Unwind a task that sleeps in the first frame; numbers from 16 on in @words are places on its stack. */
static void unwind_chain(struct rig *rig, u64 *words)
{
	u64 stack, task;

	is_s390 = true;
	make_rig(rig);
	add_symbol("_stext", CODE);
	add_symbol("_etext", CODE + 0x1000);
	stack = put_words(rig, words, WORDS);
	for (u32 i = 0; i < WORDS; i++)
		if (words[i] < STACK_SIZE && words[i] >= 16)
			memcpy(kmem_at(&rig->k, stack + 8 * i), &(u64){ stack + words[i] }, 8);
	task = put_task(rig, 7, stack, stack + FRAME(0));
	link_tasks(rig, &task, 1, 0);
	open_rig(rig, false);
	kernel_unwind(rig->unwinder, &rig->tasks->list[0], &rig->stack);
	is_s390 = false;
}

static void s390__follows_the_back_chain_to_where_a_thread_began(void)
{
	u64 words[WORDS] = { 0 };
	struct rig rig;

	put_frame(words, 0, 0x180, FRAME(1));
	put_frame(words, 1, 0x220, FRAME(2));
	put_frame(words, 2, 0x310, 0);
	unwind_chain(&rig, words);
	check_frames(&rig, (u32[]){ 0x180, 0x220, 0x310 }, 3, 3);
	CHECK(rig.stack.end == KSTACK_END_THREAD, "%d %s", rig.stack.end, rig.stack.why);
	CHECK(rig.stack.frames[0].sp == rig.tasks->list[0].stack + FRAME(0) + sizeof(struct s390_frame) &&
	      rig.stack.frames[0].top == rig.stack.frames[0].sp + FRAME(1) - FRAME(0), "%#llx to %#llx",
	      rig.stack.frames[0].sp, rig.stack.frames[0].top);
	close_rig(&rig);
}

/* f1 was called in an interrupt, which came while f5 ran, which f3 had called. */
static void interrupt_s390(struct rig *rig, u64 mask)
{
	u64 words[WORDS] = { 0 };
	struct s390_regs *regs = (struct s390_regs *)&words[(FRAME(0) + sizeof(struct s390_frame)) / 8];

	put_frame(words, 0, 0x180, 0);
	regs->mask = mask;
	regs->addr = CODE + 0x508;
	regs->gprs[15] = FRAME(8);
	put_frame(words, 8, 0x610, FRAME(9));
	put_frame(words, 9, 0x310, 0);
	unwind_chain(rig, words);
}

static void s390__knows_what_an_interrupt_came_into(void)
{
	struct rig rig;

	interrupt_s390(&rig, 0x0404c00180000000ULL);
	check_frames(&rig, (u32[]){ 0x180, 0x508, 0x310 }, 3, 3);
	CHECK(rig.stack.frames[1].is_exact && rig.stack.frames[1].regs && rig.stack.end == KSTACK_END_THREAD, "%d %s",
	      rig.stack.end, rig.stack.why);
	close_rig(&rig);
	interrupt_s390(&rig, 0x0705c00180000000ULL);
	CHECK(rig.stack.end == KSTACK_END_USER && rig.stack.nr == 1, "%d, %u frames: %s", rig.stack.end, rig.stack.nr,
	      rig.stack.why);
	close_rig(&rig);
}

static void s390__a_chain_that_leads_back_or_away_ends_in_guesses(void)
{
	u64 back[WORDS] = { 0 }, away[WORDS] = { 0 };
	struct rig rig;

	put_frame(back, 0, 0x180, FRAME(2));
	put_frame(back, 2, 0x220, FRAME(1));
	put_frame(back, 1, 0x310, FRAME(2));
	unwind_chain(&rig, back);
	CHECK(rig.stack.end == KSTACK_END_BROKEN && rig.stack.nr_sure == 2 && strstr(rig.stack.why, "leads back"),
	      "%d, %u of %u: %s", rig.stack.end, rig.stack.nr_sure, rig.stack.nr, rig.stack.why);
	close_rig(&rig);
	put_frame(away, 0, 0x180, 8 * STACK_SIZE);
	unwind_chain(&rig, away);
	CHECK(rig.stack.end == KSTACK_END_BROKEN && rig.stack.nr_sure == 1 && strstr(rig.stack.why, "on no stack"),
	      "%d, %u of %u: %s", rig.stack.end, rig.stack.nr_sure, rig.stack.nr, rig.stack.why);
	close_rig(&rig);
}

static void s390__any_words_are_read_to_an_end(void)
{
	u32 seed = 390;

	for (u32 i = 0; i < 300; i++) {
		u64 words[WORDS];
		struct rig rig;

		for (u32 k = 0; k < WORDS; k++) {
			u32 r = next_random(&seed);

			words[k] = r % 3 ? r % (8 * WORDS) & ~7U : r % 2 ? CODE + (r >> 8 & 0xfff) : r;
		}
		unwind_chain(&rig, words);
		CHECK(rig.stack.nr <= KERNEL_STACK_FRAMES && rig.stack.nr_sure <= rig.stack.nr, "%u of %u", rig.stack.nr_sure,
		      rig.stack.nr);
		close_rig(&rig);
	}
}

int main(void)
{
	alarm(60);
	TAP_RUN(tasks__are_listed_with_their_threads);
	TAP_RUN(tasks__a_circle_beside_the_head_is_told_and_left);
	TAP_RUN(tasks__a_list_that_breaks_off_is_told);
	TAP_RUN(tasks__behind_a_gap_are_found_from_the_end);
	TAP_RUN(tasks__in_a_gap_are_found_by_their_pids);
	TAP_RUN(tasks__one_that_the_dump_lacks_is_known_by_its_pid);
	TAP_RUN(tasks__a_stack_that_names_it_once_is_not_its_own);
	TAP_RUN(unwind__follows_sp_and_bp_to_where_a_thread_began);
	TAP_RUN(unwind__knows_the_layout_of_before_6_4);
	TAP_RUN(unwind__knows_the_numbers_of_7_2);
	TAP_RUN(unwind__marks_what_is_behind_a_break_as_guesses);
	TAP_RUN(unwind__leaves_a_stack_that_leads_back_into_itself);
	TAP_RUN(unwind__a_thunk_was_called_from_what_is_on_top_of_the_stack);
	TAP_RUN(unwind__what_is_no_thunk_began_there);
	TAP_RUN(unwind__ends_after_so_many_frames);
	TAP_RUN(unwind__says_that_a_stack_pointer_is_elsewhere);
	TAP_RUN(unwind__without_orc_says_so);
	TAP_RUN(arm64__follows_signed_records_to_where_a_thread_began);
	TAP_RUN(arm64__one_that_came_from_user_space_says_so);
	TAP_RUN(arm64__knows_what_an_interrupt_came_into);
	TAP_RUN(arm64__knows_what_an_interrupt_came_into_since_6_13);
	TAP_RUN(arm64__a_record_that_leads_back_or_away_ends_in_guesses);
	TAP_RUN(arm64__any_words_are_read_to_an_end);
	TAP_RUN(s390__follows_the_back_chain_to_where_a_thread_began);
	TAP_RUN(s390__knows_what_an_interrupt_came_into);
	TAP_RUN(s390__a_chain_that_leads_back_or_away_ends_in_guesses);
	TAP_RUN(s390__any_words_are_read_to_an_end);
	TAP_RUN(waits__a_mutex_and_its_owner_are_found);
	TAP_RUN(waits__an_owner_has_to_be_a_task);
	TAP_RUN(waits__what_does_not_prove_itself_is_none);
	TAP_RUN(waits__the_lock_of_a_ring_is_found);
	TAP_RUN(waits__a_ring_without_its_lock_is_none);
	TAP_RUN(waits__a_cycle_is_found_once);
	TAP_RUN(waits__a_thread_that_runs_work_items_is_who_completes_a_flush);
	TAP_RUN(all__any_bytes_are_read_to_an_end);
	return tap_done();
}
