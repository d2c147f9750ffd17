// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Waits that cannot come to an end by the code of the module: none tells that a variable changed, or asks whether a thread has to park.
 * And those that can.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"
#include "judge/hang/chain_claims.h"
#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"
#include "tap.h"

#define CODE	0xffffffffc0400000ULL
#define ROOM	64
#define CALLED	0xffffffff81100000ULL
#define VARIABLE	0xffff888000002000ULL
#define ENTRY	0xffffc90000010020ULL	/* behind its key */

static const char *const called[] = { "wake_up_var", "kthread_should_park", "kthread_should_stop", "schedule", "kthread", "__mutex_init", "__switch_to" };

enum { WAKE_VAR, SHOULD_PARK, SHOULD_STOP, SCHEDULE, KTHREAD, MUTEX_INIT, SWITCH_TO };
enum { WAIT, PUT, NR_FUNCTIONS };

#define MODULE	"adc"

static const char *const module_functions[] = { "adc_wait", "adc_put" };

static u64 sleeps_in, begins_in, value, bit;

#include "called_functions.h"
#include "module_functions.h"

size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	(void)kernel;
	return (size_t)snprintf(buf, size, "%s", frame->ip == CALLED + 16 * SCHEDULE ? "schedule+0x1/0x2" : frame->ip == CALLED + 16 * KTHREAD ? "kthread+0x1/0x2" :
				frame->ip == CALLED + 16 * SWITCH_TO ? "__switch_to+0x1/0x2" :
				frame->ip < CODE ? "tasklet_wait+0x1/0x2" : "adc_wait+0x1/0x2 [adc]");
}

bool kernel_frame_function(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	kernel_frame_name(kernel, frame, buf, size);
	buf[strcspn(buf, "+")] = '\0';
	return true;
}

void kernel_unwind(struct kernel_unwinder *unwinder, const struct kernel_task *task, struct kernel_stack *stack)
{
	(void)unwinder;
	(void)task;
	/* The first one is of arm64. */
	*stack = (struct kernel_stack){ .nr = 5, .nr_sure = 5, .frames = { { .ip = CALLED + 16 * SWITCH_TO }, { .ip = CALLED + 16 * SCHEDULE }, { .ip = sleeps_in },
									   { .ip = begins_in }, { .ip = CALLED + 16 * KTHREAD } } };
}

bool kernel_btf_member(const struct kernel_btf *kt, const char *type, const char *member, struct btf_member_place *ret)
{
	(void)kt;
	*ret = (struct btf_member_place){ .offset = strcmp(member, "wq_entry") ? 0 : 0x20 };
	return !strcmp(type, "wait_bit_queue_entry");
}

bool kernel_state_member(const struct kernel *kernel, const char *type, const char *member, u64 va, u64 *ret)
{
	(void)kernel;
	*ret = strcmp(member, "key.flags") ? bit : VARIABLE;
	return !strcmp(type, "wait_bit_queue_entry") && va == ENTRY - 0x20;
}

bool kernel_object_at(const struct kernel *kernel, u64 va, struct kernel_object *ret)
{
	(void)kernel;
	(void)va;
	(void)ret;
	return false;
}

size_t kernel_symbol(const struct kernel *kernel, u64 addr, char *buf, size_t size)
{
	(void)kernel;
	(void)addr;
	(void)buf;
	(void)size;
	return 0;
}

bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	(void)vmem;
	*ret = value;
	return va == VARIABLE && size == 4;
}

/* --- code -------------------------------------------------------------------------- */

static void call(u32 which, u32 target)
{
	struct function *of = &functions[which];
	s32 distance = (s32)(CALLED + 16 * target - (CODE + ROOM * which + of->len + 5));

	of->bytes[of->len] = 0xe8;
	memcpy(of->bytes + of->len + 1, &distance, 4);
	of->len += 5;
}

static void end(u32 which)
{
	functions[which].bytes[functions[which].len++] = 0xc3;
}

static void begin(void)
{
	memset(functions, 0, sizeof(functions));
	sleeps_in = begins_in = CODE + 1;
	value = 0;
	bit = 0xffffffff;
	call(WAIT, SCHEDULE);
	end(WAIT);
}

static struct kernel_task tasks[] = { { .pid = 6, .comm = "unbind", .state = 'D' }, { .pid = 7, .comm = "strobe", .state = 'S' } };
static struct finding finding;

/* The claim of a chain whose last task has @wait, or is the owner of it. */
static bool is_unmet(const struct kernel_wait *wait, bool is_owner)
{
	static struct kernel_modules modules;
	static struct kernel dump = { .modules = &modules, .kallsyms = (struct kallsyms *)&modules, .ktypes = (struct kernel_btf *)&modules };
	static struct postmortem pm = { .kernel = &dump };
	struct kernel_chain chain = { .nr = is_owner ? 2 : 1, .last_waits = !is_owner, .tasks = { &tasks[0], &tasks[1] }, .waits = { *wait } };
	struct kernel_tasks all = { .list = tasks, .nr = 2 };
	struct owners owners = { .tasks = &all, .chain = &chain };
	struct explain *explain = calloc(1, sizeof(*explain));

	memset(&finding, 0, sizeof(finding));
	finding.kind = "hung-task";
	explain->pm = &pm;
	explain->finding = &finding;
	unmet_wait_claim(explain, &owners);
	free(explain);
	/* Whether 0 is what is waited for is not known. */
	CHECK(!*finding.claim || finding.strength == (strstr(finding.claim, "variable") ? FINDING_POSSIBLE : FINDING_LIKELY), "%s", finding.claim);
	return *finding.claim;
}

static bool is_untold(void)
{
	const struct kernel_wait wait = { .kind = KWAIT_QUEUE, .name = "bit_wait_table+0xf30/0x1800", .waiter = ENTRY };

	return is_unmet(&wait, false);
}

static void unmet__a_change_that_none_tells_wakes_none(void)
{
	begin();
	end(PUT);
	CHECK(is_untold() && strstr(finding.claim, "no function of its module calls wake_up_var()"), "%s", finding.claim);
}

static void unmet__what_may_be_told_is_not_claimed(void)
{
	begin();
	call(PUT, WAKE_VAR);
	end(PUT);
	CHECK(!is_untold(), "its module tells it");
	begin();
	end(PUT);
	value = 2;
	CHECK(!is_untold(), "it did not change yet");
	value = 0;
	bit = 3;
	CHECK(!is_untold(), "it waits for a bit");
	bit = 0xffffffff;
	sleeps_in = CALLED + 0x1000;
	CHECK(!is_untold(), "the function that it called sleeps, and the kernel wakes that");
}

static bool is_unparked(void)
{
	const struct kernel_wait wait = { .kind = KWAIT_COMPLETION, .owner = &tasks[1], .owner_kind = KOWNER_PARKING };

	return is_unmet(&wait, true);
}

static void unmet__a_thread_that_does_not_ask_never_parks(void)
{
	begin();
	call(PUT, SHOULD_STOP);
	end(PUT);
	CHECK(is_unparked() && strstr(finding.claim, "for strobe-7 to park itself") && strstr(finding.claim, "asks kthread_should_park()"), "%s", finding.claim);
}

static void unmet__a_thread_that_may_park_is_not_claimed(void)
{
	begin();
	call(PUT, SHOULD_PARK);
	end(PUT);
	CHECK(!is_unparked(), "it asks");
	begin();
	end(PUT);
	begins_in = CALLED + 0x1000;
	CHECK(!is_unparked(), "the thread's function is the kernel's, and may ask");
}

static void unmet__a_lock_that_was_set_up_anew_wakes_none(void)
{
	const struct kernel_wait wait = { .kind = KWAIT_MUTEX, .lock = VARIABLE, .is_renewed = true };

	begin();
	call(PUT, MUTEX_INIT);
	end(PUT);
	CHECK(is_unmet(&wait, false) && strstr(finding.claim, "probably by adc_put() of module adc"), "%s", finding.claim);
	call(WAIT, MUTEX_INIT);
	CHECK(is_unmet(&wait, false) && !strstr(finding.claim, "adc_put"), "two may have done it: %s", finding.claim);
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(unmet__a_change_that_none_tells_wakes_none);
	TAP_RUN(unmet__what_may_be_told_is_not_claimed);
	TAP_RUN(unmet__a_thread_that_does_not_ask_never_parks);
	TAP_RUN(unmet__a_thread_that_may_park_is_not_claimed);
	TAP_RUN(unmet__a_lock_that_was_set_up_anew_wakes_none);
	instruction_finish();
	return tap_done();
}
