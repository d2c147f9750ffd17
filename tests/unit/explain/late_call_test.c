// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks that are to call what completes something, behind their own wait; and who else may call it.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdlib.h>
#include <string.h>

#include "fault/callers.h"
#include "instruction/instruction.h"
#include "judge/hang/late_call.h"
#include "tap.h"

#define CODE	0xffffffffc0400000ULL
#define ROOM	64		/* bytes of each function */
#define DATA	0xffffffffc0500000ULL

enum { PUT, CLOSE, TUNE, TUNER, IRQ, EXIT, NR_FUNCTIONS };

static struct function {
	u8 bytes[ROOM];
	u32 len;
} functions[NR_FUNCTIONS];

static u64 variable;
static bool has_exit;

static u64 address_of(u32 which)
{
	return CODE + ROOM * which;
}

const struct kernel_module *kernel_modules_at(const struct kernel_modules *modules, u64 addr)
{
	static const struct kernel_module module = { .name = "dvb" };

	(void)modules;
	return addr - CODE < ROOM * NR_FUNCTIONS ? &module : NULL;
}

bool kernel_modules_symbol(const struct kernel_modules *modules, const struct kernel_module *module, u32 i, u64 *addr, char *type, char *name)
{
	(void)modules;
	(void)module;
	*addr = i < NR_FUNCTIONS ? address_of(i) : DATA;
	*type = i < NR_FUNCTIONS ? 't' : 'd';
	strcpy(name, "name");
	return i <= NR_FUNCTIONS;
}

bool kernel_modules_find(const struct kernel_modules *modules, const struct kernel_module *module, u64 addr, struct ksym *ret)
{
	(void)modules;
	(void)module;
	*ret = (struct ksym){ .start = addr, .size = 8 };
	return true;
}

bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	(void)vmem;
	*ret = variable;
	return va == DATA && size == 8;
}

bool kernel_state_member(const struct kernel *kernel, const char *type, const char *path, u64 va, u64 *ret)
{
	(void)kernel;
	(void)type;
	(void)va;
	*ret = address_of(EXIT);
	return has_exit && !strcmp(path, "exit");
}

bool function_code_read_function(struct function_code *code, const struct kernel *kernel, u64 target)
{
	u64 which = (target - CODE) / ROOM;

	(void)kernel;
	memset(code, 0, sizeof(*code));
	if (which >= NR_FUNCTIONS || !functions[which].len)
		return false;
	code->set = &instruction_set_x86_64;
	code->start = address_of((u32)which);
	code->size = code->len = functions[which].len;
	code->is_whole = true;
	memcpy(code->bytes, functions[which].bytes, code->len);
	return true;
}

static struct kernel_task tasks[] = {
	{ .pid = 1, .comm = "demuxd", .state = 'D' }, { .pid = 2, .comm = "tuner", .state = 'D' }, { .pid = 3, .comm = "scand", .state = 'D' },
};
static struct kernel_stack stacks[ARRAY_SIZE(tasks)];

void kernel_unwind(struct kernel_unwinder *unwinder, const struct kernel_task *task, struct kernel_stack *stack)
{
	(void)unwinder;
	*stack = stacks[task->pid - 1];
}

/* --- code and stacks --------------------------------------------------------- */

#define RETURN		0xc3

static void emit(u32 which, const u8 *bytes, u32 nr)
{
	memcpy(functions[which].bytes + functions[which].len, bytes, nr);
	functions[which].len += nr;
}

static void emit_return(u32 which)
{
	emit(which, (const u8 []){ RETURN }, 1);
}

/* A call of @target. Return: where it goes on behind it. */
static u64 emit_call(u32 which, u32 target)
{
	u64 next = address_of(which) + functions[which].len + 5;
	s32 distance = (s32)(address_of(target) - next);
	u8 bytes[5] = { 0xe8 };

	memcpy(bytes + 1, &distance, 4);
	emit(which, bytes, 5);
	return next;
}

static void sleep_at(u32 task, u64 inner, u64 outer)
{
	stacks[task] = (struct kernel_stack){ .nr = 2, .nr_sure = 2, .frames = { { .ip = inner }, { .ip = outer } } };
}

static u64 tunes, puts_behind, closes;

/* demuxd sleeps in CLOSE; tuner() calls TUNE, in which the task tuner sleeps, and then PUT. */
static void begin(void)
{
	memset(functions, 0, sizeof(functions));
	memset(stacks, 0, sizeof(stacks));
	variable = 0;
	has_exit = true;
	tasks[1].state = 'D';
	emit_return(PUT);
	emit_call(CLOSE, PUT);
	closes = address_of(CLOSE) + functions[CLOSE].len;
	emit_return(CLOSE);
	emit_return(TUNE);
	tunes = emit_call(TUNER, TUNE);
	puts_behind = emit_call(TUNER, PUT);
	emit_return(TUNER);
	sleep_at(0, closes, 0x1000);
	sleep_at(1, address_of(TUNE), tunes);
	sleep_at(2, address_of(TUNE), 0x1000);
}

static struct late_call find(void)
{
	static struct kernel_modules modules;
	static const struct kernel dump = { .modules = &modules };
	struct kernel_tasks all = { .list = tasks, .nr = ARRAY_SIZE(tasks) };
	const struct owners owners = { .tasks = &all };
	struct late_call late;

	CHECK(late_call_find(&late, &owners, &dump, address_of(PUT), &tasks[0]), "the code is there");
	return late;
}

static void late__who_is_to_call_it_behind_its_wait(void)
{
	struct late_call late;

	begin();
	late = find();
	CHECK(late.nr == 1 && late.tasks[0] == &tasks[1] && !late.is_open, "%u tasks, open %d", late.nr, late.is_open);
}

/* An interrupt's handler is on no stack, and only its address is known to what calls it. */
static void late__an_interrupt_may_call_it_too(void)
{
	begin();
	emit_call(IRQ, PUT);
	emit_return(IRQ);
	CHECK(find().is_open, "by a function of which no caller is seen");
}

static void late__the_exit_of_the_module_does_not_run(void)
{
	begin();
	emit_call(EXIT, PUT);
	emit_return(EXIT);
	CHECK(!find().is_open && find().nr == 1, "it would be on a stack");
}

static void late__a_pointer_may_lead_to_it(void)
{
	begin();
	variable = address_of(PUT);
	CHECK(find().is_open, "out of a variable");
	begin();
	/* mov rdi, offset PUT */
	emit(TUNE, (const u8 []){ 0x48, 0xc7, 0xc7, 0x00, 0x00, 0x40, 0xc0, RETURN }, 8);
	CHECK(find().is_open, "out of code");
}

static void late__who_called_it_already_may_come_again(void)
{
	begin();
	sleep_at(1, 0x1000, puts_behind);
	CHECK(find().is_open && !find().nr, "it is behind the call");
}

static void late__who_can_run_comes_to_it(void)
{
	begin();
	tasks[1].state = 'R';
	CHECK(find().is_open && !find().nr, "it does not wait");
}

static void late__two_are_found(void)
{
	begin();
	sleep_at(2, address_of(TUNE), tunes);
	CHECK(find().nr == 2 && !find().is_open, "both");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(late__who_is_to_call_it_behind_its_wait);
	TAP_RUN(late__an_interrupt_may_call_it_too);
	TAP_RUN(late__the_exit_of_the_module_does_not_run);
	TAP_RUN(late__a_pointer_may_lead_to_it);
	TAP_RUN(late__who_called_it_already_may_come_again);
	TAP_RUN(late__who_can_run_comes_to_it);
	TAP_RUN(late__two_are_found);
	instruction_finish();
	return tap_done();
}
