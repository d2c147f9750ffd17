// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who alone reads a rwsem, by the code of a function that it sleeps in; and who has left it, or reads another one.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <elf.h>
#include <string.h>

#include "instruction/instruction.h"
#include "judge/hang/code_holder.h"
#include "tap.h"

#define START	0xffffffffc0400000ULL
#define LOCK	0xffffffffc0402000ULL
#define OTHER	0xffffffffc0402100ULL
#define CALLED	0xffffffff81100000ULL

/* What can be called, each 16 bytes behind the one before. */
static const char *const called[] = { "down_read", "up_read", "msleep", "down", "up" };

static u8 bytes[256];
static u32 len, sleeps;

#include "called_functions.h"

bool kallsyms_address(struct kallsyms *k, const char *name, u64 *ret)
{
	(void)k;
	*ret = START;
	return !strcmp(name, "__x86_indirect_thunk_rax");
}

size_t kernel_symbol(const struct kernel *kernel, u64 addr, char *buf, size_t size)
{
	struct ksym symbol;

	return kallsyms_find(kernel->kallsyms, addr, &symbol) ? (size_t)snprintf(buf, size, "%s", symbol.name) : 0;
}

const struct kernel_module *kernel_modules_at(const struct kernel_modules *modules, u64 addr)
{
	static const struct kernel_module module = { .name = "volume" };

	(void)modules;
	return addr - START < sizeof(bytes) ? &module : NULL;
}

size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	(void)kernel;
	(void)frame;
	return (size_t)snprintf(buf, size, "volume_read+0x20/0x40 [volume]");
}

bool function_code_read_caller(struct function_code *code, const struct kernel *kernel, struct report_text frame)
{
	(void)frame;
	memset(code, 0, sizeof(*code));
	code->set = &instruction_set_x86_64;
	code->start = START;
	code->size = code->len = len;
	code->at = sleeps;
	code->is_whole = true;
	code->kernel = kernel;
	memcpy(code->bytes, bytes, len);
	return true;
}

void kernel_unwind(struct kernel_unwinder *unwinder, const struct kernel_task *task, struct kernel_stack *stack)
{
	(void)unwinder;
	(void)task;
	*stack = (struct kernel_stack){ .nr = 1, .nr_sure = 1, .frames = { { .ip = START + sleeps } } };
}

static struct kernel_task writer = { .pid = 7, .comm = "resized", .state = 'D' };
static u64 writer_waits_for;

bool kernel_wait_of(const struct kernel_waits *w, const struct kernel_task *task, const struct kernel_stack *stack, struct kernel_wait *ret)
{
	(void)w;
	(void)stack;
	*ret = (struct kernel_wait){ .kind = KWAIT_RWSEM_WRITE, .lock = writer_waits_for, .is_first = true };
	return task->pid == writer.pid;
}

/* --- a small assembler ------------------------------------------------------ */

#define EMIT(...) emit((const u8 []){ __VA_ARGS__ }, sizeof((const u8 []){ __VA_ARGS__ }))
#define RETURN	EMIT(0xc3)

static void emit(const u8 *from, u32 nr)
{
	memcpy(bytes + len, from, nr);
	len += nr;
}

static void emit_distance(u8 op, u64 target)
{
	s32 distance = (s32)(target - (START + len + 5));
	u8 code[5] = { op };

	memcpy(code + 1, &distance, 4);
	emit(code, 5);
}

static void call(u32 which)
{
	emit_distance(0xe8, CALLED + 16 * which);
}

/* "mov rdi, LOCK; call NAME" */
static void call_with(u32 which, u64 lock)
{
	u8 mov[7] = { 0x48, 0xc7, 0xc7 };
	u32 low = (u32)lock;

	memcpy(mov + 3, &low, 4);
	emit(mov, 7);
	call(which);
}

static void call_sleep(void)
{
	call(2);
	sleeps = len;
}

enum { DOWN, UP, SLEEP, TAKE, GIVE };

/* --- who reads ---------------------------------------------------------------- */

static struct kernel_wait prove(u64 nr_readers)
{
	static struct kernel_task reader = { .pid = 5, .comm = "fsread", .state = 'D' };
	static struct kernel_modules modules;
	static struct kernel dump = { .machine = EM_X86_64, .modules = &modules, .kallsyms = (struct kallsyms *)&modules };
	struct kernel_tasks tasks = { .list = &writer, .nr = 1 };
	const struct owners owners = { .tasks = &tasks };
	struct kernel_wait wait = { .kind = KWAIT_RWSEM_READ, .lock = LOCK, .nr_readers = nr_readers, .owner_kind = KOWNER_LAST_READER, .owner = &reader };

	reader_prove(&owners, &dump, &wait);
	return wait;
}

/* The compiler puts what seldom happens behind the end: "if (missing) wait_for_completion()". */
static void put_reader_that_sleeps_behind_its_end(void)
{
	u32 jump;

	len = 0;
	call_with(DOWN, LOCK);
	EMIT(0x85, 0xed, 0x75, 0);
	jump = len;
	call_with(UP, LOCK);
	RETURN;
	bytes[jump - 1] = (u8)(len - jump);
	call_sleep();
	EMIT(0xeb, (u8)(jump - (len + 2)));
}

static void reader__who_sleeps_behind_the_end_has_it(void)
{
	struct kernel_wait wait;

	put_reader_that_sleeps_behind_its_end();
	writer_waits_for = LOCK;
	wait = prove(1);
	CHECK(wait.owner_kind == KOWNER_READER && !strncmp(wait.work, "volume_read+", 12), "by the ways: %d", wait.owner_kind);
	CHECK(wait.writer == &writer, "the writer in front is named");
	writer_waits_for = OTHER;
	CHECK(!prove(1).writer, "one of another lock is none");
}

static void reader__of_two_none_is_proven(void)
{
	put_reader_that_sleeps_behind_its_end();
	CHECK(prove(2).owner_kind == KOWNER_LAST_READER, "the other one may be who has it");
}

static void reader__who_gave_it_back_is_innocent(void)
{
	len = 0;
	call_with(DOWN, LOCK);
	call_with(UP, LOCK);
	call_sleep();
	RETURN;
	CHECK(prove(1).owner_kind == KOWNER_LAST_READER, "it sleeps without it");
}

/* The word names the last that came, also when it has left: it may read another one since. */
static void reader__of_another_rwsem_is_innocent(void)
{
	len = 0;
	call_with(DOWN, OTHER);
	call_sleep();
	call_with(UP, OTHER);
	RETURN;
	CHECK(prove(1).owner_kind == KOWNER_LAST_READER, "another one");
}

/* --- who has a semaphore -------------------------------------------------------- */

static const struct kernel_task *holder(void)
{
	static const struct kernel_task waiter = { .pid = 9, .comm = "feeder", .state = 'D' };
	static struct kernel_modules modules;
	static struct kernel dump = { .machine = EM_X86_64, .modules = &modules, .kallsyms = (struct kallsyms *)&modules };
	struct kernel_tasks tasks = { .list = &writer, .nr = 1 };
	const struct owners owners = { .tasks = &tasks };
	const struct kernel_wait wait = { .kind = KWAIT_SEMAPHORE, .lock = LOCK };

	return code_holder_find(&owners, &dump, &waiter, &wait);
}

static void semaphore__who_took_it_and_is_to_give_it_back_has_it(void)
{
	len = 0;
	call_with(TAKE, LOCK);
	call_sleep();
	call_with(GIVE, LOCK);
	RETURN;
	CHECK(holder() == &writer, "it sleeps with it");
}

/* "for (;;) { down(&work_to_do); msleep(); }": another one gives it for each that there is to do. */
static void semaphore__that_counts_work_has_no_holder(void)
{
	len = 0;
	call_with(TAKE, LOCK);
	call_sleep();
	EMIT(0xeb, (u8)-(len + 2));
	CHECK(!holder(), "it was taken for good");
	len = 0;
	call_with(TAKE, LOCK);
	call_sleep();
	RETURN;
	CHECK(!holder(), "once");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(reader__who_sleeps_behind_the_end_has_it);
	TAP_RUN(reader__of_two_none_is_proven);
	TAP_RUN(reader__who_gave_it_back_is_innocent);
	TAP_RUN(reader__of_another_rwsem_is_innocent);
	TAP_RUN(semaphore__who_took_it_and_is_to_give_it_back_has_it);
	TAP_RUN(semaphore__that_counts_work_has_no_holder);
	instruction_finish();
	return tap_done();
}
