// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a register had in a function on a stack, by where the functions that it called keep it: code by hand, and a stack.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "fault/frame_register.h"
#include "instruction/instruction.h"
#include "kernel_state/cpu_regs.h"
#include "linux_kernel/vmem.h"
#include "tap.h"

#define CODE	0xffffffff81000000ULL
#define STACK	0xffffc90000100000ULL
#define RBX	3
#define RAX	0
#define R12	12
#define FRAME	0x40	/* bytes of each */
#define NR	4

/* The frame number @i is in a function of 64 bytes, at its byte 32. */
static u8 functions[NR][64];
static u64 words[NR * FRAME / 8];
static struct kernel_regs saved;
static u64 saved_at;

size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	(void)kernel;
	return (size_t)snprintf(buf, size, "%llu", (frame->ip - CODE) / 64);
}

bool function_code_read_caller(struct function_code *code, const struct kernel *kernel, struct report_text frame)
{
	u32 nr = (u32)(*frame.text - '0');

	(void)kernel;
	memset(code, 0, sizeof(*code));
	code->set = &instruction_set_x86_64;
	code->start = CODE + 64ULL * nr;
	code->size = code->len = 64;
	code->at = 32;
	code->is_whole = true;
	memcpy(code->bytes, functions[nr], 64);
	return true;
}

bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	(void)vmem;
	if (size != 8 || va < STACK || va - STACK >= sizeof(words))
		return false;
	*ret = words[(va - STACK) / 8];
	return true;
}

bool kernel_saved_regs(const struct kernel *kernel, u64 va, u32 first, struct kernel_regs *ret)
{
	(void)kernel;
	(void)first;
	*ret = saved;
	return va == saved_at;
}

bool kernel_cpu_regs(const struct kernel *kernel, u32 cpu, struct kernel_regs *ret)
{
	(void)kernel;
	*ret = saved;
	return cpu == 1;
}

static struct kernel_stack stack;
static struct kernel_task task;

static void begin(void)
{
	memset(functions, 0x90, sizeof(functions));
	memset(&stack, 0, sizeof(stack));
	memset(&task, 0, sizeof(task));
	saved_at = 0;
	stack.nr = stack.nr_sure = NR;
	for (u32 i = 0; i < NR; i++) {
		stack.frames[i].ip = CODE + 64 * i + 32;
		stack.frames[i].sp = STACK + FRAME * i;
		stack.frames[i].top = STACK + FRAME * (i + 1);
		functions[i][63] = 0xc3;
	}
	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = 0x1000 + i;
}

#define PUT(nr, ...) memcpy(functions[nr], (const u8 []){ __VA_ARGS__ }, sizeof((const u8 []){ __VA_ARGS__ }))

static bool read_register(u64 *ret, u32 frame, s32 reg)
{
	static const struct kernel kernel = { .machine = EM_X86_64 };

	return frame_register(ret, &kernel, &task, &stack, frame, reg);
}

/* The word @depth below the return address of frame @nr: that is the last of its part. */
static u64 pushed(u32 nr, u32 depth)
{
	return 0x1000 + (nr + 1) * FRAME / 8 - 2 - depth;
}

static void frame__what_it_called_pushes_it(void)
{
	u64 value = 0;

	begin();
	PUT(1, 0x41, 0x54, 0x53);	/* push r12; push rbx */
	CHECK(read_register(&value, 2, RBX) && value == pushed(1, 1), "the second word: %#llx", value);
	CHECK(read_register(&value, 2, R12) && value == pushed(1, 0), "the first word: %#llx", value);
}

static void frame__one_that_does_not_use_it_is_passed(void)
{
	u64 value = 0;

	begin();
	PUT(0, 0x53);
	CHECK(read_register(&value, 3, RBX) && value == pushed(0, 0), "of the innermost: %#llx", value);
}

static void frame__one_that_writes_it_without_a_push_hides_it(void)
{
	u64 value = 0;

	begin();
	PUT(0, 0x53);
	PUT(1, 0x31, 0xdb);	/* xor ebx, ebx */
	CHECK(!read_register(&value, 3, RBX), "it is not seen");
	begin();
	PUT(0, 0x53);
	/* A push behind a jump is none of the start. */
	PUT(1, 0x75, 0x10, 0x53, 0x31, 0xdb);
	CHECK(!read_register(&value, 3, RBX), "nor that");
	begin();
	PUT(1, 0x31, 0xdb, 0x53);
	CHECK(!read_register(&value, 3, RBX), "what is pushed behind a write is another value");
}

static void frame__a_register_that_calls_may_change_is_not_known(void)
{
	u64 value = 0;

	begin();
	PUT(1, 0x50);
	CHECK(!read_register(&value, 2, RAX), "no function keeps it");
}

static void frame__an_interrupt_keeps_all(void)
{
	u64 value = 0;

	begin();
	saved.r[KREG_AX] = 0xa;
	saved.r[KREG_BX] = 0xb;
	saved_at = stack.frames[2].regs = STACK;
	CHECK(read_register(&value, 2, RAX) && value == 0xa, "its own");
	CHECK(read_register(&value, 3, RBX) && value == 0xb, "what it did not touch, of its caller");
	PUT(2, 0x53);
	CHECK(read_register(&value, 3, RBX) && value == pushed(2, 0), "what it did, is on the stack");
}

static void frame__a_cpu_was_stopped_with_its_registers(void)
{
	u64 value = 0;

	begin();
	task.is_running = true;
	task.cpu = 1;
	saved.r[KREG_BX] = 0xc;
	CHECK(read_register(&value, 0, RBX) && value == 0xc, "of that CPU");
	CHECK(read_register(&value, 1, RBX) && value == 0xc, "and of its caller");
	task.is_running = false;
	CHECK(!read_register(&value, 0, RBX), "a task that sleeps has none there");
}

static void frame__nothing_is_read_where_a_part_has_no_end(void)
{
	u64 value = 0;

	begin();
	PUT(1, 0x53);
	stack.frames[1].top = 0;
	CHECK(!read_register(&value, 2, RBX), "another stack follows");
}

static void frame__an_architecture_that_is_not_decoded_has_none(void)
{
	static const struct kernel kernel = { .machine = EM_S390 };
	u64 value = 0;

	begin();
	task.is_running = true;
	task.cpu = 1;
	CHECK(!frame_register(&value, &kernel, &task, &stack, 0, RBX), "no register");
	CHECK(!frame_argument(&value, &kernel, &task, &stack, 0), "no argument");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(frame__what_it_called_pushes_it);
	TAP_RUN(frame__one_that_does_not_use_it_is_passed);
	TAP_RUN(frame__one_that_writes_it_without_a_push_hides_it);
	TAP_RUN(frame__a_register_that_calls_may_change_is_not_known);
	TAP_RUN(frame__an_interrupt_keeps_all);
	TAP_RUN(frame__a_cpu_was_stopped_with_its_registers);
	TAP_RUN(frame__nothing_is_read_where_a_part_has_no_end);
	TAP_RUN(frame__an_architecture_that_is_not_decoded_has_none);
	instruction_finish();
	return tap_done();
}
