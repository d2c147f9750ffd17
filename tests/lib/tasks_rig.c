// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks_rig.h"

#include <bpf/btf.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

struct rig_kernel rig_kernel;

#define MAX_SYMBOLS	16

static struct {
	const char *name;
	u64 va;
} symbols[MAX_SYMBOLS];
static u32 nr_symbols;

void rig_add_symbol(const char *name, u64 va)
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

/* Functions are called by their number in hundreds of bytes: "f3"; the sixth waits. */
bool kallsyms_find(const struct kallsyms *k, u64 addr, struct ksym *ret)
{
	(void)k;
	if (addr < CODE || addr >= CODE + 0x1000)
		return false;
	ret->start = addr & ~0xffULL;
	ret->size = 0x100;
	snprintf(ret->name, sizeof(ret->name), "f%llu", (addr - CODE) >> 8);
	if (rig_kernel.thunk && ret->start == CODE + rig_kernel.thunk)
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
	add_field(btf, rig_kernel.has_rings ? "first_waiter" : "wait_list", rig_kernel.has_rings ? pointer : list, 16);
	btf__add_struct(btf, "mutex_waiter", 24);
	add_field(btf, "list", list, 0);
	add_field(btf, "task", pointer, 16);
}

/* What a thread's own queue of work items has, and who flushes it. */
static void add_kthread_work_types(struct btf *btf, int u64_id)
{
	int work = btf__add_struct(btf, "kthread_work", 16);

	add_field(btf, "func", u64_id, 0);
	add_field(btf, "worker", u64_id, 8);
	btf__add_struct(btf, "kthread_worker", 16);
	add_field(btf, "task", u64_id, 0);
	add_field(btf, "current_work", u64_id, 8);
	btf__add_struct(btf, "kthread", 16);
	add_field(btf, "parked", u64_id, 8);
	btf__add_struct(btf, "kthread_flush_work", 32);
	add_field(btf, "work", work, 0);
	add_field(btf, "done", u64_id, 16);
}

/* A namespace of pids: in it an index, of which a node has four slots. */
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

	if (!rig_kernel.is_arm64) {
		thread = btf__add_struct(btf, "thread_struct", 24);
		add_field(btf, rig_kernel.is_s390 ? "ksp" : "sp", u64_id, 8);
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

	if (rig_kernel.has_meta) {
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
	add_field(btf, "worker_private", u64_id, offsetof(struct test_task, worker_private));
	if (rig_kernel.is_arm64)
		add_arm64_types(btf, u64_id, u32_id);
	else if (rig_kernel.is_s390)
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

void rig_put_rows(struct rig *rig, bool is_old)
{
	u32 places[NR_ROWS] = { 0 };
	u8 entries[NR_ROWS * 6];
	u64 at_places = kmem_put(&rig->k, places, 4 * NR_ROWS), at_entries;

	for (u32 i = 0; i < NR_ROWS; i++) {
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
		if (rig_kernel.is_renumbered)
			entries[6 * i + 4] = (rows[i].sp_reg == REG_SP ? 3 : rows[i].sp_reg) | (rows[i].bp_reg == 1 ? 8 : rows[i].bp_reg) << 4;
		entries[6 * i + 5] = type | end << 2;
	}
	at_entries = kmem_put(&rig->k, entries, 6 * NR_ROWS);
	rig_add_symbol("__start_orc_unwind_ip", at_places);
	rig_add_symbol("__stop_orc_unwind_ip", at_places + 4 * NR_ROWS);
	rig_add_symbol("__start_orc_unwind", at_entries);
	rig_add_symbol("__stop_orc_unwind", at_entries + 6 * NR_ROWS);
	rig_add_symbol("_stext", CODE);
	rig_add_symbol("_etext", CODE + 0x1000);
}

u64 rig_put_words(struct rig *rig, const u64 *words, u32 nr)
{
	static u64 stack[STACK_SIZE / 8];
	u64 va;

	memset(stack, 0, sizeof(stack));
	va = kmem_put(&rig->k, stack, sizeof(stack));
	if (nr)
		memcpy(kmem_at(&rig->k, va), words, 8 * nr);
	return va;
}

u64 rig_put_task(struct rig *rig, u32 pid, u64 stack, u64 sp)
{
	struct test_task task = {
		.stack = stack, .sp = sp, .pid = pid, .tgid = pid, .state = 2, .flags = KERNEL_TASK_KTHREAD,
	};

	snprintf(task.comm, sizeof(task.comm), "t%u", pid);
	return kmem_put(&rig->k, &task, sizeof(task));
}

struct test_task *rig_task(struct rig *rig, u64 va)
{
	return kmem_at(&rig->k, va);
}

void rig_link_tasks(struct rig *rig, const u64 *tasks, u32 nr, u32 to)
{
	for (u32 i = 0; i < nr; i++) {
		rig_task(rig, tasks[i])->next = tasks[i + 1 < nr ? i + 1 : to] + offsetof(struct test_task, next);
		rig_task(rig, tasks[i])->prev = tasks[i ? i - 1 : nr - 1] + offsetof(struct test_task, next);
	}
	rig_add_symbol("init_task", tasks[0]);
}

void rig_make(struct rig *rig)
{
	memset(rig, 0, sizeof(*rig));
	nr_symbols = 0;
	rig->k = kmem_make(&(struct kmem_paging){ KMEM_X86_64, 12, 48, 4 });
}

void rig_open(struct rig *rig, bool is_old)
{
	struct err err = ERR_INIT;
	int fd = kmem_fd(&rig->k);
	char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	rig->kernel.machine = rig_kernel.is_arm64 ? EM_AARCH64 : rig_kernel.is_s390 ? EM_S390 : EM_X86_64;
	rig->kernel.ktypes = make_types(is_old);
	if (!CHECK(!dump_open(&rig->kernel.dump, path, &err) &&
		   !vmem_open(&rig->kernel.vmem, rig->kernel.dump, &err) &&
		   !kernel_tasks_open(&rig->tasks, &rig->kernel, &err) &&
		   !kernel_unwinder_open(&rig->unwinder, rig->tasks, &err) &&
		   !kernel_waits_open(&rig->waits, rig->tasks, rig->unwinder, &err), "%s", err.msg))
		exit(99);
	close(fd);
}

void rig_close(struct rig *rig)
{
	kernel_waits_close(rig->waits);
	kernel_unwinder_close(rig->unwinder);
	kernel_tasks_close(rig->tasks);
	kernel_btf_close(rig->kernel.ktypes);
	vmem_close(rig->kernel.vmem);
	dump_close(rig->kernel.dump);
	kmem_free(&rig->k);
}

u32 rig_random(u32 *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}
