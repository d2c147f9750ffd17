// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * On which ways a lock is held, in functions by hand: what leaves it held, what takes it again, what only looks like that.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"
#include "fault/lock_flow.h"
#include "tap.h"

#define START	0xffffffff81000000ULL
#define LOCK	0xffffffff82345678ULL
#define OTHER	0xffffffff82345800ULL

/* What can be called, each 16 bytes behind the one before. */
static const char *const called[] = {
	"mutex_lock", "mutex_unlock", "mutex_lock_interruptible", "mutex_trylock", "_raw_spin_lock", "_raw_spin_unlock", "down", "up", "msleep",
	"__stack_chk_fail", "wake_up_bit", "out_of_line_wait_on_bit_lock", "kthread_complete_and_exit", "__x86_return_thunk",
	"_raw_read_lock", "_raw_read_unlock", "__srcu_read_lock", "__srcu_read_unlock",
};
#define CALLED	0xffffffff81100000ULL

#include "called_functions.h"

bool kallsyms_address(struct kallsyms *k, const char *name, u64 *ret)
{
	(void)k;
	*ret = START;
	return !strcmp(name, "__x86_indirect_thunk_rax");
}

static const struct kernel dump = { .machine = EM_X86_64, .kallsyms = (struct kallsyms *)&dump };

/* --- a small assembler ------------------------------------------------------ */

static struct function_code *code;

static void begin(void)
{
	code = calloc(1, sizeof(*code));
	code->set = &instruction_set_x86_64;
	code->start = START;
	code->is_whole = true;
	code->kernel = &dump;
}

static void emit(const u8 *bytes, u32 nr)
{
	memcpy(code->bytes + code->len, bytes, nr);
	code->len += nr;
	code->size = code->len;
}

#define EMIT(...) emit((const u8 []){ __VA_ARGS__ }, sizeof((const u8 []){ __VA_ARGS__ }))

static void emit_near(u8 op, u64 target)
{
	s32 distance = (s32)(target - (START + code->len + 5));
	u8 bytes[5] = { op };

	memcpy(bytes + 1, &distance, 4);
	emit(bytes, 5);
}

static u64 address_of(const char *name)
{
	for (u32 i = 0; i < ARRAY_SIZE(called); i++)
		if (!strcmp(called[i], name))
			return CALLED + 16 * i;
	exit(99);
}

static void call(const char *name)
{
	emit_near(0xe8, address_of(name));
}

/* "mov rdi, LOCK; call NAME" */
static void call_with(const char *name, u64 lock)
{
	u8 mov[7] = { 0x48, 0xc7, 0xc7 };
	u32 low = (u32)lock;

	memcpy(mov + 3, &low, 4);
	emit(mov, 7);
	call(name);
}

/* "mov rdi, rbx; call NAME" */
static void call_with_rbx(const char *name)
{
	EMIT(0x48, 0x89, 0xdf);
	call(name);
}

#define JE	0x74
#define JNE	0x75
#define JAE	0x73

/* A jump ahead, up to here(). */
static u32 jump(u8 op)
{
	EMIT(op, 0);
	return code->len;
}

static void here(u32 from)
{
	code->bytes[from - 1] = (u8)(code->len - from);
}

static void jump_back(u8 op, u32 to)
{
	EMIT(op, (u8)(to - (code->len + 2)));
}

#define TEST_EAX	EMIT(0x85, 0xc0)
#define TEST_EBP	EMIT(0x85, 0xed)
#define RETURN		EMIT(0xc3)

/* Its ways, as it is at @at. */
static struct lock_flow flow_at(u32 at, enum lock_family family)
{
	struct lock_flow flow;

	code->at = at;
	CHECK(lock_flow_read(&flow, code, family), "it is read");
	free(code);
	return flow;
}

static void check_way(const struct lock_flow *flow, u64 address, u8 at, u8 ends, bool is_known, const char *what)
{
	const struct lock_way *way = &flow->ways[0];

	CHECK(flow->nr == 1 && way->address == address && way->at == at && way->ends == ends && way->is_known == is_known,
	      "%s: %u ways, %#llx, at %u, ends %u, known %d", what, flow->nr, way->address, way->at, way->ends, way->is_known);
}

/* --- what comes back with it -------------------------------------------------- */

static void lock__an_error_leaves_it_held(void)
{
	struct lock_flow flow;
	u32 error, sleep;

	begin();
	call_with("mutex_lock", LOCK);
	TEST_EBP;
	error = jump(JNE);
	call("msleep");
	sleep = code->len;
	call_with("mutex_unlock", LOCK);
	RETURN;
	here(error);
	RETURN;
	flow = flow_at(sleep, LOCK_MUTEX);
	check_way(&flow, LOCK, LOCK_HELD, LOCK_HELD | LOCK_GIVEN, true, "one way has it");
	CHECK(!flow.gives_other && !flow.ways[0].again_at, "nothing else");
}

static void lock__each_way_gives_it_back(void)
{
	struct lock_flow flow;
	u32 error;

	begin();
	TEST_EBP;
	error = jump(JNE);
	call_with("mutex_lock", LOCK);
	call_with("mutex_unlock", LOCK);
	here(error);
	emit_near(0xe9, address_of("__x86_return_thunk"));
	flow = flow_at(0, LOCK_MUTEX);
	check_way(&flow, LOCK, LOCK_NOT_YET, LOCK_NOT_YET | LOCK_GIVEN, true, "none has it");
}

/* What was given back in front of a call is not held in what that runs. */
static void lock__what_is_given_back_before_is_free(void)
{
	struct lock_flow flow;
	u32 sleep;

	begin();
	call_with("_raw_read_lock", LOCK);
	call_with("_raw_read_unlock", LOCK);
	call("msleep");
	sleep = code->len;
	RETURN;
	flow = flow_at(sleep, LOCK_RW_READ);
	check_way(&flow, LOCK, LOCK_GIVEN, LOCK_GIVEN, true, "before the call");

	begin();
	call_with("_raw_read_lock", LOCK);
	call("msleep");
	sleep = code->len;
	call_with("_raw_read_unlock", LOCK);
	RETURN;
	flow = flow_at(sleep, LOCK_RW_READ);
	check_way(&flow, LOCK, LOCK_HELD, LOCK_GIVEN, true, "around the call");
}

static void lock__a_call_at_the_end_gives_it_back(void)
{
	struct lock_flow flow;

	begin();
	call_with("mutex_lock", LOCK);
	EMIT(0x48, 0xc7, 0xc7, 0x78, 0x56, 0x34, 0x82);
	emit_near(0xe9, address_of("mutex_unlock"));
	flow = flow_at(12, LOCK_MUTEX);
	check_way(&flow, LOCK, LOCK_HELD, LOCK_GIVEN, true, "by a jump");
}

/* "if (mutex_lock_interruptible()) return -EINTR": with an error it has it not. */
static void lock__an_answer_decides(void)
{
	struct lock_flow flow;
	u32 error, got;

	begin();
	call_with("mutex_lock_interruptible", LOCK);
	TEST_EAX;
	error = jump(JNE);
	call_with("mutex_unlock", LOCK);
	here(error);
	RETURN;
	flow = flow_at(0, LOCK_MUTEX);
	check_way(&flow, LOCK, LOCK_NOT_YET, LOCK_NOT_YET | LOCK_GIVEN, true, "interrupted");

	begin();
	call_with("mutex_trylock", LOCK);
	TEST_EAX;
	got = jump(JNE);
	RETURN;
	here(got);
	call("msleep");
	error = code->len;
	call_with("mutex_unlock", LOCK);
	RETURN;
	flow = flow_at(error, LOCK_MUTEX);
	check_way(&flow, LOCK, LOCK_HELD, LOCK_NOT_YET | LOCK_GIVEN, true, "tried");

	/* It gives the answer to its caller: what that does is not known. */
	begin();
	call_with("mutex_trylock", LOCK);
	RETURN;
	flow = flow_at(0, LOCK_MUTEX);
	CHECK(flow.nr == 1 && !flow.ways[0].is_known, "an answer that no one looks at");
}

/* "if (x) lock; ...; if (x) unlock": one way that cannot be gives back what it has not taken. */
static void lock__what_two_conditions_do_is_no_leaving(void)
{
	struct lock_flow flow;
	u32 skip;

	begin();
	TEST_EBP;
	skip = jump(JE);
	call_with("mutex_lock", LOCK);
	here(skip);
	TEST_EBP;
	skip = jump(JE);
	call_with("mutex_unlock", LOCK);
	here(skip);
	RETURN;
	flow = flow_at(0, LOCK_MUTEX);
	CHECK(flow.gives_other, "it gives back what it has not taken");
}

static void lock__a_panic_is_no_end(void)
{
	struct lock_flow flow;
	u32 good;

	begin();
	call_with("mutex_lock", LOCK);
	TEST_EBP;
	good = jump(JE);
	call("__stack_chk_fail");
	here(good);
	call_with("mutex_unlock", LOCK);
	RETURN;
	flow = flow_at(0, LOCK_MUTEX);
	check_way(&flow, LOCK, LOCK_NOT_YET, LOCK_GIVEN, true, "of an overwritten stack");

	begin();
	call_with("mutex_lock", LOCK);
	TEST_EBP;
	good = jump(JE);
	call("kthread_complete_and_exit");
	here(good);
	call_with("mutex_unlock", LOCK);
	RETURN;
	flow = flow_at(0, LOCK_MUTEX);
	check_way(&flow, LOCK, LOCK_NOT_YET, LOCK_HELD | LOCK_GIVEN, true, "a thread that ends keeps it");
}

/* --- which lock -------------------------------------------------------------- */

static void lock__two_locks_are_two(void)
{
	struct lock_flow flow;

	begin();
	call_with("mutex_lock", LOCK);
	call_with("mutex_lock", OTHER);
	call_with("mutex_unlock", OTHER);
	call_with("mutex_unlock", LOCK);
	RETURN;
	flow = flow_at(24, LOCK_MUTEX);
	CHECK(flow.nr == 2 && flow.ways[0].at == LOCK_HELD && flow.ways[1].at == LOCK_HELD && flow.ways[0].ends == LOCK_GIVEN &&
	      flow.ways[1].ends == LOCK_GIVEN && !flow.ways[0].again_at, "%u", flow.nr);
	CHECK(flow.ways[0].address == LOCK && flow.ways[1].address == OTHER, "%#llx %#llx", flow.ways[0].address, flow.ways[1].address);
}

static void lock__an_srcu_is_read_between_its_calls(void)
{
	struct lock_flow flow;

	begin();
	call_with("__srcu_read_lock", LOCK);
	call("msleep");
	call_with("__srcu_read_unlock", LOCK);
	call("msleep");
	RETURN;
	flow = flow_at(24, LOCK_SRCU);
	CHECK(flow.nr == 1 && flow.ways[0].address == LOCK && flow.ways[0].ends == LOCK_GIVEN, "%u", flow.nr);
}

static void lock__another_family_is_none(void)
{
	struct lock_flow flow;

	begin();
	call_with("mutex_lock", LOCK);
	RETURN;
	flow = flow_at(0, LOCK_SEMAPHORE);
	CHECK(!flow.nr && !flow.gives_other, "%u", flow.nr);
}

/* --- what takes it again -------------------------------------------------------- */

static void lock__a_continue_takes_it_again(void)
{
	struct lock_flow flow;
	u32 top, end, taken;

	begin();
	EMIT(0x53, 0x48, 0x89, 0xfb);	/* push rbx; mov rbx, rdi */
	top = code->len;
	call_with_rbx("_raw_spin_lock");
	taken = code->len;
	TEST_EBP;
	end = jump(JE);
	TEST_EBP;
	jump_back(JNE, top);
	call_with_rbx("_raw_spin_unlock");
	jump_back(0xeb, top);
	here(end);
	call_with_rbx("_raw_spin_unlock");
	EMIT(0x5b);
	RETURN;
	flow = flow_at(taken, LOCK_SPIN);
	CHECK(flow.nr == 1 && flow.ways[0].again_at == taken && flow.ways[0].is_known && !flow.gives_other, "at %u, %u", flow.ways[0].again_at, taken);
}

static void lock__each_round_gives_it_back(void)
{
	struct lock_flow flow;
	u32 top, end;

	begin();
	EMIT(0x53, 0x48, 0x89, 0xfb);
	top = code->len;
	call_with_rbx("_raw_spin_lock");
	TEST_EBP;
	end = jump(JE);
	call_with_rbx("_raw_spin_unlock");
	jump_back(0xeb, top);
	here(end);
	call_with_rbx("_raw_spin_unlock");
	EMIT(0x5b);
	RETURN;
	flow = flow_at(0, LOCK_SPIN);
	CHECK(flow.nr == 1 && !flow.ways[0].again_at && flow.ways[0].ends == LOCK_GIVEN, "at %u", flow.ways[0].again_at);
}

/* --- bits -------------------------------------------------------------------- */

static void lock__a_bit_is_taken_in_line(void)
{
	struct lock_flow flow;
	u32 got, sleep;

	begin();
	EMIT(0xf0, 0x48, 0x0f, 0xba, 0x2b, 0x00);	/* lock bts qword ptr [rbx], 0 */
	got = jump(JAE);
	call_with_rbx("out_of_line_wait_on_bit_lock");
	here(got);
	call("msleep");
	sleep = code->len;
	EMIT(0xf0, 0x80, 0x23, 0xfe);			/* lock and byte ptr [rbx], 0xfe */
	call_with_rbx("wake_up_bit");
	RETURN;
	flow = flow_at(sleep, LOCK_BIT);
	CHECK(flow.nr && flow.ways[0].at == LOCK_HELD && flow.ways[0].ends == LOCK_GIVEN && flow.ways[0].is_known, "at %u ends %u", flow.ways[0].at,
	      flow.ways[0].ends);

	/* A mark that was there already is not its own. */
	begin();
	EMIT(0xf0, 0x48, 0x0f, 0xba, 0x2b, 0x00);
	got = jump(JAE);
	call("msleep");
	sleep = code->len;
	RETURN;
	here(got);
	RETURN;
	flow = flow_at(sleep, LOCK_BIT);
	CHECK(flow.nr && flow.ways[0].at == LOCK_NOT_YET, "at %u", flow.ways[0].at);
}

static void lock__which_bit_of_which_word_is_seen(void)
{
	struct lock_flow flow;
	u32 got, sleep;

	begin();
	EMIT(0xf0, 0x48, 0x0f, 0xba, 0x6b, 0x10, 0x03);	/* lock bts qword ptr [rbx + 0x10], 3 */
	got = jump(JAE);
	call_with_rbx("out_of_line_wait_on_bit_lock");
	here(got);
	call("msleep");
	sleep = code->len;
	RETURN;
	flow = flow_at(sleep, LOCK_BIT);
	CHECK(flow.nr && flow.ways[0].bit == 3 && flow.ways[0].origin.reg == 3 && !flow.ways[0].origin.nr_loads && flow.ways[0].origin.plus == 0x10,
	      "bit %d, of register %d and %d", flow.ways[0].bit, flow.ways[0].origin.reg, flow.ways[0].origin.plus);

	/* One that a register names may be any. */
	begin();
	EMIT(0xf0, 0x48, 0x0f, 0xab, 0x03);		/* lock bts qword ptr [rbx], rax */
	got = jump(JAE);
	call_with_rbx("out_of_line_wait_on_bit_lock");
	here(got);
	call("msleep");
	sleep = code->len;
	RETURN;
	flow = flow_at(sleep, LOCK_BIT);
	CHECK(flow.nr && flow.ways[0].bit < 0, "bit %d", flow.ways[0].bit);
}

static void lock__of_a_part_nothing_is_known(void)
{
	struct lock_flow flow;

	begin();
	call_with("mutex_lock", LOCK);
	RETURN;
	code->is_whole = false;
	CHECK(!lock_flow_read(&flow, code, LOCK_MUTEX), "a part");
	free(code);
	/* A jump into the middle of an instruction. */
	begin();
	call_with("mutex_lock", LOCK);
	jump_back(JE, 3);
	call_with("mutex_unlock", LOCK);
	RETURN;
	flow = flow_at(0, LOCK_MUTEX);
	CHECK(flow.nr == 1 && !flow.ways[0].is_known, "known %d", flow.ways[0].is_known);
}

static void lock__any_bytes_are_survived(void)
{
	struct lock_flow flow;

	srand(1);
	for (u32 i = 0; i < 3000; i++) {
		begin();
		for (u32 k = 0; k < 200; k++)
			EMIT((u8)rand());
		if (i % 2)
			code->bytes[rand() % 100] = 0xe8;
		code->at = (u32)rand() % 400;
		lock_flow_read(&flow, code, i % NR_LOCK_FAMILIES);
		free(code);
	}
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(lock__an_error_leaves_it_held);
	TAP_RUN(lock__each_way_gives_it_back);
	TAP_RUN(lock__what_is_given_back_before_is_free);
	TAP_RUN(lock__a_call_at_the_end_gives_it_back);
	TAP_RUN(lock__an_answer_decides);
	TAP_RUN(lock__what_two_conditions_do_is_no_leaving);
	TAP_RUN(lock__a_panic_is_no_end);
	TAP_RUN(lock__two_locks_are_two);
	TAP_RUN(lock__an_srcu_is_read_between_its_calls);
	TAP_RUN(lock__another_family_is_none);
	TAP_RUN(lock__a_continue_takes_it_again);
	TAP_RUN(lock__each_round_gives_it_back);
	TAP_RUN(lock__a_bit_is_taken_in_line);
	TAP_RUN(lock__which_bit_of_which_word_is_seen);
	TAP_RUN(lock__of_a_part_nothing_is_known);
	TAP_RUN(lock__any_bytes_are_survived);
	instruction_finish();
	return tap_done();
}
