// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks that wait for an element of a mempool with one in hand; and those that have given it on.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"
#include "judge/hang/chain_claims.h"
#include "linux_kernel/btf.h"
#include "tap.h"

#define CODE	0xffffffffc0400000ULL
#define CALLED	0xffffffff81100000ULL
#define POOL	0xffff888000002000ULL
#define WAIT	0x30	/* in the pool */

enum { FILL, SLEEP, SUBMIT };

static u8 bytes[64];
static u32 len, sleeps, least, left;
static struct kernel_task tasks[2];

bool kallsyms_find(const struct kallsyms *k, u64 addr, struct ksym *ret)
{
	(void)k;
	(void)addr;
	(void)ret;
	return false;
}

const struct kernel_module *kernel_modules_at(const struct kernel_modules *modules, u64 addr)
{
	static const struct kernel_module module = { .name = "bounce" };

	(void)modules;
	return addr - CODE < sizeof(bytes) ? &module : NULL;
}

size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	(void)kernel;
	return (size_t)snprintf(buf, size, "%s", frame->ip < CODE ? "mempool_alloc+0x1/0x2" : "stripe_write+0x10/0x40 [bounce]");
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
	(void)unwinder;
	(void)task;
	*stack = (struct kernel_stack){ .nr = 2, .nr_sure = 2, .frames = { { .ip = CALLED + 0x1000 }, { .ip = CODE + 1 } } };
}

bool kernel_wait_of(const struct kernel_waits *w, const struct kernel_task *task, const struct kernel_stack *stack, struct kernel_wait *ret)
{
	(void)w;
	(void)task;
	(void)stack;
	*ret = (struct kernel_wait){ .kind = KWAIT_QUEUE, .lock = POOL + WAIT };
	return true;
}

bool kernel_btf_member(const struct kernel_btf *btf, const char *type, const char *path, struct btf_member_place *ret)
{
	(void)btf;
	(void)path;
	*ret = (struct btf_member_place){ .offset = WAIT, .size = 8 };
	return !strcmp(type, "mempool_s");
}

bool kernel_state_member(const struct kernel *kernel, const char *type, const char *path, u64 va, u64 *ret)
{
	(void)kernel;
	(void)type;
	*ret = strcmp(path, "min_nr") ? left : least;
	return va == POOL;
}

/* --- code -------------------------------------------------------------------------- */

static void emit(const u8 *from, u32 nr)
{
	memcpy(bytes + len, from, nr);
	len += nr;
}

#define EMIT(...) emit((const u8 []){ __VA_ARGS__ }, sizeof((const u8 []){ __VA_ARGS__ }))

#define KEEP	EMIT(0x49, 0x89, 0xc4)		/* mov r12, rax */
#define GIVE	EMIT(0x4c, 0x89, 0xe7)		/* mov rdi, r12 */
#define STORE	EMIT(0x4c, 0x89, 0x63, 0x08)	/* mov [rbx + 8], r12 */
#define FORGET	EMIT(0x45, 0x31, 0xe4)		/* xor r12d, r12d */

static void call(u32 which)
{
	s32 distance = (s32)(CALLED + 16 * which - (CODE + len + 5));
	u8 code[5] = { 0xe8 };

	memcpy(code + 1, &distance, 4);
	emit(code, 5);
	sleeps = len;
}

static void begin(void)
{
	len = 0;
	least = 2;
	left = 0;
	for (u32 i = 0; i < 2; i++) {
		tasks[i] = (struct kernel_task){ .pid = (s32)i + 1, .state = 'D' };
		strcpy(tasks[i].comm, i ? "stripe-b" : "stripe-a");
	}
}

static bool is_deadlock(void)
{
	static struct kernel_modules modules;
	static struct kernel dump = { .machine = EM_X86_64, .modules = &modules, .kallsyms = (struct kallsyms *)&modules, .ktypes = (struct kernel_btf *)&modules };
	static struct postmortem pm = { .kernel = &dump };
	static struct finding finding;
	struct kernel_chain chain = { .nr = 1, .last_waits = true, .tasks = { &tasks[0] }, .waits = { { .kind = KWAIT_QUEUE, .lock = POOL + WAIT } } };
	struct kernel_tasks all = { .list = tasks, .nr = 2 };
	struct owners owners = { .tasks = &all, .chain = &chain };
	struct explain *explain = calloc(1, sizeof(*explain));

	EMIT(0xc3);
	memset(&finding, 0, sizeof(finding));
	finding.kind = "hung-task";
	explain->pm = &pm;
	explain->finding = &finding;
	pool_wait_claim(explain, &owners);
	free(explain);
	CHECK(!*finding.claim || (finding.strength == FINDING_LIKELY && strstr(finding.claim, "stripe-a-1, stripe-b-2")), "%s", finding.claim);
	return *finding.claim;
}

static void pool__each_has_one_and_wants_another(void)
{
	begin();
	call(FILL);
	KEEP;
	call(SLEEP);
	call(FILL);
	CHECK(is_deadlock(), "two of two");
	begin();
	call(FILL);
	KEEP;
	call(FILL);
	least = 3;
	CHECK(!is_deadlock(), "the third comes back");
	begin();
	call(FILL);
	KEEP;
	call(FILL);
	left = 1;
	CHECK(!is_deadlock(), "one is left");
}

static void pool__the_first_element_is_none_in_hand(void)
{
	begin();
	call(SLEEP);
	call(FILL);
	CHECK(!is_deadlock(), "it takes its first");
}

static void pool__what_was_given_on_comes_back(void)
{
	begin();
	call(FILL);
	KEEP;
	GIVE;
	call(SUBMIT);
	call(FILL);
	CHECK(!is_deadlock(), "to another function");
	begin();
	call(FILL);
	KEEP;
	STORE;
	call(SUBMIT);
	call(FILL);
	CHECK(!is_deadlock(), "into memory");
	begin();
	call(FILL);
	call(SUBMIT);
	call(FILL);
	CHECK(!is_deadlock(), "or was not kept");
	begin();
	call(FILL);
	KEEP;
	FORGET;
	call(FILL);
	CHECK(!is_deadlock(), "or was forgotten");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(pool__each_has_one_and_wants_another);
	TAP_RUN(pool__the_first_element_is_none_in_hand);
	TAP_RUN(pool__what_was_given_on_comes_back);
	instruction_finish();
	return tap_done();
}
