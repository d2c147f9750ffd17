// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks out of a small dump: ORC tables, frame records and back chains made by hand, whole ones and
 * such as lead nowhere or in circles.
 *
 * build: tests/lib/tasks_rig.c tests/lib/kmem_image.c @extractor -Wl,-z,muldefs
 */
#include <string.h>
#include <unistd.h>

#include "tap.h"
#include "tasks_rig.h"

/* Unwind a task whose stack has @words; {stack} stands for their address. */
static void unwind_words(struct rig *rig, u64 *words, u32 nr, bool is_old)
{
	u64 stack, task;

	rig_make(rig);
	rig_put_rows(rig, is_old);
	stack = rig_put_words(rig, words, nr);
	for (u32 i = 0; i < nr; i++)
		if (words[i] < STACK_SIZE && words[i])
			memcpy(kmem_at(&rig->k, stack + 8 * i), &(u64){ stack + words[i] }, 8);
	task = rig_put_task(rig, 7, stack, stack);
	rig_link_tasks(rig, &task, 1, 0);
	rig_open(rig, is_old);
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
	rig_close(&rig);
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
	rig_kernel.is_renumbered = true;
	unwind_a_whole_stack(false);
	rig_kernel.is_renumbered = false;
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
	rig_close(&rig);
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
	rig_close(&rig);
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

	rig_kernel.thunk = at;
	unwind_running(&rig, at_start, 3, at, is_old);
	CHECK(rig.stack.nr_sure >= 2 && rig.stack.frames[0].ip == CODE + at && rig.stack.frames[1].ip == CODE + 0x180 && !rig.stack.frames[1].is_exact,
	      "%u sure, %d %s", rig.stack.nr_sure, rig.stack.end, rig.stack.why);
	rig_close(&rig);
	unwind_running(&rig, behind_call, 4, at + 12, is_old);
	CHECK(rig.stack.nr_sure >= 2 && rig.stack.frames[1].ip == CODE + 0x180 && rig.stack.frames[1].sp == rig.stack.frames[0].sp + 16,
	      "behind its own call: %u sure, %d %s", rig.stack.nr_sure, rig.stack.end, rig.stack.why);
	rig_close(&rig);
	unwind_running(&rig, elsewhere, 4, at + 12, is_old);
	CHECK(rig.stack.nr_sure == 1 && rig.stack.end == KSTACK_END_BROKEN, "what is on top is not of its own call: %u sure, %d", rig.stack.nr_sure,
	      rig.stack.end);
	rig_close(&rig);
	rig_kernel.thunk = 0;
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
	rig_close(&rig);
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
	rig_close(&rig);
}

static void unwind__says_that_a_stack_pointer_is_elsewhere(void)
{
	struct rig rig;
	u64 task;

	rig_make(&rig);
	rig_put_rows(&rig, false);
	task = rig_put_task(&rig, 7, rig_put_words(&rig, NULL, 0), 0x1234);
	rig_link_tasks(&rig, &task, 1, 0);
	rig_open(&rig, false);
	kernel_unwind(rig.unwinder, &rig.tasks->list[0], &rig.stack);
	CHECK(rig.stack.end == KSTACK_NOT_UNWOUND && !rig.stack.nr && strstr(rig.stack.why, "0x1234"), "%d %s",
	      rig.stack.end, rig.stack.why);
	rig_close(&rig);
}

static void unwind__without_orc_says_so(void)
{
	struct rig rig;
	u64 task;

	rig_make(&rig);
	task = rig_put_task(&rig, 7, rig_put_words(&rig, NULL, 0), 0);
	rig_link_tasks(&rig, &task, 1, 0);
	rig_open(&rig, false);
	kernel_unwind(rig.unwinder, &rig.tasks->list[0], &rig.stack);
	CHECK(rig.stack.end == KSTACK_NOT_UNWOUND && strstr(rig.stack.why, "ORC") &&
	      !kernel_unwinder_way(rig.unwinder), "%d %s", rig.stack.end, rig.stack.why);
	rig_close(&rig);
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

	rig_kernel.is_arm64 = true;
	rig_make(rig);
	rig_add_symbol("_stext", CODE);
	rig_add_symbol("_etext", CODE + 0x1000);
	rig_add_symbol("ret_from_fork", CODE + 0xa10);
	stack = rig_put_words(rig, words, nr);
	for (u32 i = 0; i < nr; i++)
		if (words[i] < STACK_SIZE && words[i] >= 16)
			memcpy(kmem_at(&rig->k, stack + 8 * i), &(u64){ stack + words[i] }, 8);
	task = rig_put_task(rig, 7, stack, stack);
	rig_task(rig, task)->fp = stack + fp;
	rig_task(rig, task)->pc = SIGNED(0x180);
	rig_link_tasks(rig, &task, 1, 0);
	rig_open(rig, false);
	kernel_unwind(rig->unwinder, &rig->tasks->list[0], &rig->stack);
	rig_kernel.is_arm64 = false;
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
	rig_close(&rig);
}

static void arm64__one_that_came_from_user_space_says_so(void)
{
	u64 words[] = { 2 * 8, SIGNED(0x910), 0, 0 };
	struct rig rig;

	unwind_records(&rig, words, 4, 0);
	check_frames(&rig, (u32[]){ 0x180, 0x910 }, 2, 2);
	CHECK(rig.stack.end == KSTACK_END_USER, "%d %s", rig.stack.end, rig.stack.why);
	rig_close(&rig);
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
	regs->record[0] = rig_kernel.has_meta ? 0 : regs->x[29];
	regs->record[1] = rig_kernel.has_meta ? 0 : regs->pc;
	regs->type = rig_kernel.has_meta ? 2 : 0;
	words[AFTER + 2] = 8 * (AFTER + 4);
	words[AFTER + 3] = SIGNED(0x310);
	unwind_records(rig, words, AFTER + 8, 0);
}

static void arm64_knows_what_was_interrupted(bool is_new)
{
	struct rig rig;

	rig_kernel.has_meta = is_new;
	interrupt(&rig, 0x508, KERNEL_MODE);
	check_frames(&rig, (u32[]){ 0x180, 0x810, 0x508, 0x310 }, 4, 4);
	CHECK(rig.stack.frames[2].is_exact && rig.stack.frames[2].regs && !rig.stack.frames[1].is_exact, "%d",
	      rig.stack.frames[2].is_exact);
	CHECK(rig.stack.end == (is_new ? KSTACK_END_BROKEN : KSTACK_END_THREAD), "%d %s", rig.stack.end, rig.stack.why);
	rig_close(&rig);
	interrupt(&rig, 0x508, USER_MODE);
	CHECK(rig.stack.end == KSTACK_END_USER && rig.stack.nr == 2, "%d, %u frames: %s", rig.stack.end, rig.stack.nr,
	      rig.stack.why);
	rig_close(&rig);
	rig_kernel.has_meta = false;
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
	rig_close(&rig);
	unwind_records(&rig, away, 5, 0);
	check_frames(&rig, (u32[]){ 0x180, 0x220, 0x310 }, 3, 2);
	CHECK(strstr(rig.stack.why, "on no stack of this task"), "%s", rig.stack.why);
	rig_close(&rig);
	unwind_records(&rig, no_code, 6, 0);
	CHECK(rig.stack.end == KSTACK_END_BROKEN && rig.stack.nr == 1 && strstr(rig.stack.why, "no code"), "%d %s",
	      rig.stack.end, rig.stack.why);
	rig_close(&rig);
}

static void arm64__any_words_are_read_to_an_end(void)
{
	u32 seed = 64;

	for (u32 i = 0; i < 300; i++) {
		u64 words[64];
		struct rig rig;

		for (u32 k = 0; k < 64; k++) {
			u32 r = rig_random(&seed);

			words[k] = r % 3 ? r % (8 * 80) & ~7U : r % 2 ? SIGNED(r >> 8 & 0xfff) : r;
		}
		rig_kernel.has_meta = i % 2;
		unwind_records(&rig, words, 64, rig_random(&seed) % 512 & ~7U);
		CHECK(rig.stack.nr <= KERNEL_STACK_FRAMES && rig.stack.nr_sure <= rig.stack.nr, "%u of %u", rig.stack.nr_sure,
		      rig.stack.nr);
		rig_close(&rig);
	}
	rig_kernel.has_meta = false;
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

	rig_kernel.is_s390 = true;
	rig_make(rig);
	rig_add_symbol("_stext", CODE);
	rig_add_symbol("_etext", CODE + 0x1000);
	stack = rig_put_words(rig, words, WORDS);
	for (u32 i = 0; i < WORDS; i++)
		if (words[i] < STACK_SIZE && words[i] >= 16)
			memcpy(kmem_at(&rig->k, stack + 8 * i), &(u64){ stack + words[i] }, 8);
	task = rig_put_task(rig, 7, stack, stack + FRAME(0));
	rig_link_tasks(rig, &task, 1, 0);
	rig_open(rig, false);
	kernel_unwind(rig->unwinder, &rig->tasks->list[0], &rig->stack);
	rig_kernel.is_s390 = false;
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
	rig_close(&rig);
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
	rig_close(&rig);
	interrupt_s390(&rig, 0x0705c00180000000ULL);
	CHECK(rig.stack.end == KSTACK_END_USER && rig.stack.nr == 1, "%d, %u frames: %s", rig.stack.end, rig.stack.nr,
	      rig.stack.why);
	rig_close(&rig);
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
	rig_close(&rig);
	put_frame(away, 0, 0x180, 8 * STACK_SIZE);
	unwind_chain(&rig, away);
	CHECK(rig.stack.end == KSTACK_END_BROKEN && rig.stack.nr_sure == 1 && strstr(rig.stack.why, "on no stack"),
	      "%d, %u of %u: %s", rig.stack.end, rig.stack.nr_sure, rig.stack.nr, rig.stack.why);
	rig_close(&rig);
}

static void s390__any_words_are_read_to_an_end(void)
{
	u32 seed = 390;

	for (u32 i = 0; i < 300; i++) {
		u64 words[WORDS];
		struct rig rig;

		for (u32 k = 0; k < WORDS; k++) {
			u32 r = rig_random(&seed);

			words[k] = r % 3 ? r % (8 * WORDS) & ~7U : r % 2 ? CODE + (r >> 8 & 0xfff) : r;
		}
		unwind_chain(&rig, words);
		CHECK(rig.stack.nr <= KERNEL_STACK_FRAMES && rig.stack.nr_sure <= rig.stack.nr, "%u of %u", rig.stack.nr_sure,
		      rig.stack.nr);
		rig_close(&rig);
	}
}

int main(void)
{
	alarm(60);
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
	return tap_done();
}
