// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who waits to write a per-CPU semaphore, who stands behind that, and who alone reads it; and who only seems to.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"
#include "judge/hang/percpu_sem.h"
#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"
#include "tap.h"

#define CODE	0xffffffffc0400000ULL
#define SEM	0xffffffffc0402400ULL
#define OTHER	0xffffffffc0402800ULL
#define QUEUE	0x40	/* in the semaphore */
#define CALLED	0xffffffff81100000ULL
#define STACK	0xffffc90000100000ULL
#define COUNTER	0xffff888000001000ULL	/* of each CPU, 8 bytes apart */

enum { DOWN_READ, WAKE_WRITER, SLEEP };

static const char *const called[] = { "__percpu_down_read", "rcuwait_wake_up", "msleep" };

enum { WRITER, READER, QUEUED, NR_TASKS };

static struct kernel_task tasks[NR_TASKS];
static u64 writer_of_sem, counters[2], kept_by_writer;
static u8 bytes[64];
static u32 len, sleeps;

#include "called_functions.h"

const struct kernel_module *kernel_modules_at(const struct kernel_modules *modules, u64 addr)
{
	static const struct kernel_module module = { .name = "snap" };

	(void)modules;
	return addr - CODE < sizeof(bytes) ? &module : NULL;
}

bool kernel_state_member(const struct kernel *kernel, const char *type, const char *path, u64 va, u64 *ret)
{
	(void)kernel;
	*ret = !strcmp(path, "writer.task") ? writer_of_sem : !strcmp(path, "block.counter") ? 1 : COUNTER;
	return va == SEM && !strcmp(type, "percpu_rw_semaphore");
}

bool kernel_btf_member(const struct kernel_btf *btf, const char *type, const char *path, struct btf_member_place *ret)
{
	(void)btf;
	(void)type;
	(void)path;
	*ret = (struct btf_member_place){ .offset = QUEUE, .size = 8 };
	return true;
}

bool kernel_percpu_at(const struct kernel *kernel, u64 va, u32 cpu, u64 *ret)
{
	(void)kernel;
	*ret = va + 8 * cpu;
	return cpu < ARRAY_SIZE(counters);
}

bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	(void)vmem;
	if (size == 4 && va - COUNTER < sizeof(counters)) {
		*ret = (u32)counters[(va - COUNTER) / 8];
		return true;
	}
	*ret = kept_by_writer;
	return va - STACK < 0x1000;
}

size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	(void)kernel;
	return (size_t)snprintf(buf, size, "%s", frame->ip >> 32 == CODE >> 32 && frame->ip >= CODE ? "snap_ioctl+0x20/0x40 [snap]" : frame->ip == 1 ? "percpu_down_write+0x1/0x2" : "percpu_rwsem_wait+0x1/0x2");
}

bool kernel_frame_function(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	kernel_frame_name(kernel, frame, buf, size);
	buf[strcspn(buf, "+")] = '\0';
	return true;
}

bool function_code_read_caller(struct function_code *code, const struct kernel *kernel, struct report_text frame)
{
	(void)frame;
	memset(code, 0, sizeof(*code));
	code->set = &instruction_set_x86_64;
	code->start = CODE;
	code->size = code->len = len;
	code->at = sleeps;
	code->is_whole = true;
	code->kernel = kernel;
	memcpy(code->bytes, bytes, len);
	return true;
}

void kernel_unwind(struct kernel_unwinder *unwinder, const struct kernel_task *task, struct kernel_stack *stack)
{
	static const u64 places[NR_TASKS] = { [WRITER] = 1, [READER] = CODE, [QUEUED] = 2 };

	(void)unwinder;
	*stack = (struct kernel_stack){ .nr = 1, .nr_sure = 1, .frames = { { .ip = places[task - tasks], .sp = STACK, .top = STACK + 64 } } };
}

/* --- a small assembler --------------------------------------------------------- */

static void emit(const u8 *from, u32 nr)
{
	memcpy(bytes + len, from, nr);
	len += nr;
}

static void call(u32 which)
{
	s32 distance = (s32)(CALLED + 16 * which - (CODE + len + 5));
	u8 code[5] = { 0xe8 };

	memcpy(code + 1, &distance, 4);
	emit(code, 5);
}

/* "mov rdi, SEM; call NAME" */
static void call_with(u32 which, u64 sem)
{
	u8 mov[7] = { 0x48, 0xc7, 0xc7 };
	u32 low = (u32)sem;

	memcpy(mov + 3, &low, 4);
	emit(mov, 7);
	call(which);
}

static void begin(void)
{
	static const char *const names[] = { "sh", "dmaeng", "fsync" };

	for (u32 i = 0; i < NR_TASKS; i++) {
		tasks[i] = (struct kernel_task){ .va = 0xffff888000010000ULL + 0x1000 * i, .pid = (s32)i + 1, .state = 'D' };
		strcpy(tasks[i].comm, names[i]);
	}
	writer_of_sem = tasks[WRITER].va;
	kept_by_writer = SEM;
	counters[0] = 1;
	counters[1] = 0;
	len = 0;
}

static void end(void)
{
	emit((const u8 []){ 0xc3 }, 1);
}

/* It sleeps in what it calls, and has taken the semaphore at its end, where the slow way lies. */
static void put_reader(u64 sem)
{
	call(SLEEP);
	sleeps = len;
	end();
	call_with(DOWN_READ, sem);
	end();
}

static bool take(u32 task, struct kernel_wait *wait, bool *waits)
{
	static struct kernel_modules modules;
	static struct kernel dump = { .machine = EM_X86_64, .modules = &modules, .kallsyms = (struct kallsyms *)&modules, .ktypes = (struct kernel_btf *)&modules };
	struct kernel_tasks all = { .kernel = &dump, .list = tasks, .nr = NR_TASKS };
	const struct owners owners = { .tasks = &all };

	return percpu_sem_take(&owners, &dump, &tasks[task], wait, waits);
}

static const struct kernel_task *reader(void)
{
	struct kernel_wait wait = { 0 };
	bool waits = false;

	CHECK(take(WRITER, &wait, &waits) && waits && wait.lock == SEM && wait.owner_kind == KOWNER_GATE_READER, "it waits to write");
	return wait.owner;
}

static void sem__the_only_reader_is_named(void)
{
	begin();
	put_reader(SEM);
	CHECK(reader() == &tasks[READER], "by the code at the end of the function");
}

static void sem__one_of_two_readers_is_not(void)
{
	begin();
	put_reader(SEM);
	counters[1] = 1;
	CHECK(!reader(), "the other one may never leave");
	/* Who leaves on another CPU takes that one's counter below zero. */
	counters[0] = 2;
	counters[1] = ~0ULL;
	CHECK(reader() == &tasks[READER], "the sum is 1");
}

static void sem__a_reader_of_another_is_innocent(void)
{
	begin();
	put_reader(OTHER);
	CHECK(!reader(), "another semaphore");
}

static void sem__who_left_it_is_innocent(void)
{
	begin();
	call_with(DOWN_READ, SEM);
	call(WAKE_WRITER);
	call(SLEEP);
	sleeps = len;
	end();
	CHECK(!reader(), "it has given it back");
}

static void sem__who_waits_to_read_does_not_read(void)
{
	begin();
	call_with(DOWN_READ, SEM);
	sleeps = len;
	end();
	CHECK(!reader(), "it is in that call");
}

static void sem__who_waits_in_the_queue_stands_behind_the_writer(void)
{
	struct kernel_wait wait = { .kind = KWAIT_QUEUE, .lock = SEM + QUEUE };
	bool waits = true;

	begin();
	CHECK(take(QUEUED, &wait, &waits) && wait.owner == &tasks[WRITER] && wait.owner_kind == KOWNER_GATE_WRITER, "the semaphore names it");
	wait = (struct kernel_wait){ .kind = KWAIT_QUEUE, .lock = SEM + QUEUE };
	writer_of_sem = 0;
	CHECK(!take(QUEUED, &wait, &waits), "it names none");
	wait = (struct kernel_wait){ .kind = KWAIT_QUEUE, .lock = OTHER };
	CHECK(!take(QUEUED, &wait, &waits), "another queue");
}

static void sem__what_names_another_writer_is_none(void)
{
	struct kernel_wait wait = { 0 };
	bool waits = false;

	begin();
	writer_of_sem = tasks[READER].va;
	CHECK(!take(WRITER, &wait, &waits) && !waits, "a pointer on the stack");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(sem__the_only_reader_is_named);
	TAP_RUN(sem__one_of_two_readers_is_not);
	TAP_RUN(sem__a_reader_of_another_is_innocent);
	TAP_RUN(sem__who_left_it_is_innocent);
	TAP_RUN(sem__who_waits_to_read_does_not_read);
	TAP_RUN(sem__who_waits_in_the_queue_stands_behind_the_writer);
	TAP_RUN(sem__what_names_another_writer_is_none);
	instruction_finish();
	return tap_done();
}
