// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A task that its module wakes in a way that passes over it; and one that something else may wake.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"
#include "judge/hang/chain_claims.h"
#include "linux_kernel/vmem.h"
#include "tap.h"

#define CODE	0xffffffffc0400000ULL
#define ROOM	64
#define CALLED	0xffffffff81100000ULL
#define QUEUE	0xffff888000002000ULL

static const char *const called[] = { "__wake_up", "wake_up_process", "kthread_create_on_node", "schedule" };

enum { WAKE_UP, WAKE_PROCESS, CREATE, SCHEDULE };
enum { PUT, DONE, OTHER, NR_FUNCTIONS };

#define MODULE	"ring"

static const char *const module_functions[] = { "other", "ring_done", "other" };

static u64 sleeps_in;

#include "called_functions.h"
#include "module_functions.h"

size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	(void)kernel;
	return (size_t)snprintf(buf, size, "%s", frame->ip == CALLED + 16 * SCHEDULE ? "schedule+0x1/0x2" : frame->ip < CODE ? "queue_wait+0x1/0x2" : "ring_put+0x1/0x2 [ring]");
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
	*stack = (struct kernel_stack){ .nr = 3, .nr_sure = 3, .frames = { { .ip = CALLED + 16 * SCHEDULE }, { .ip = sleeps_in }, { .ip = CODE } } };
}

/* --- code -------------------------------------------------------------------------- */

static void emit(u32 which, const u8 *from, u32 nr)
{
	memcpy(functions[which].bytes + functions[which].len, from, nr);
	functions[which].len += nr;
}

static void call(u32 which, u32 target)
{
	s32 distance = (s32)(CALLED + 16 * target - (CODE + ROOM * which + functions[which].len + 5));
	u8 code[5] = { 0xe8 };

	memcpy(code + 1, &distance, 4);
	emit(which, code, 5);
}

/* "mov esi, MODE; call __wake_up" */
static void wake(u32 which, u8 mode)
{
	emit(which, (const u8 []){ 0xbe, mode, 0, 0, 0 }, 5);
	call(which, WAKE_UP);
}

static void end(u32 which)
{
	emit(which, (const u8 []){ 0xc3 }, 1);
}

static struct kernel_task task;

static void begin(void)
{
	memset(functions, 0, sizeof(functions));
	end(PUT);
	sleeps_in = CODE + 1;
	task = (struct kernel_task){ .pid = 6, .comm = "capt", .state = 'D' };
}

static bool is_deaf(void)
{
	static struct kernel_modules modules;
	static struct kernel dump = { .modules = &modules, .kallsyms = (struct kallsyms *)&modules };
	static struct postmortem pm = { .kernel = &dump };
	static struct finding finding;
	struct kernel_chain chain = { .nr = 1, .last_waits = true, .tasks = { &task }, .waits = { { .kind = KWAIT_QUEUE, .lock = QUEUE } } };
	struct kernel_tasks all = { .list = &task, .nr = 1 };
	struct owners owners = { .tasks = &all, .chain = &chain };
	struct explain *explain = calloc(1, sizeof(*explain));

	memset(&finding, 0, sizeof(finding));
	finding.kind = "hung-task";
	explain->pm = &pm;
	explain->finding = &finding;
	deaf_wait_claim(explain, &owners);
	free(explain);
	CHECK(!*finding.claim || (finding.strength == FINDING_LIKELY && strstr(finding.claim, "ring_done() of module ring")), "%s", finding.claim);
	return *finding.claim;
}

static void deaf__only_interruptible_tasks_are_woken(void)
{
	begin();
	wake(DONE, 1);
	end(DONE);
	CHECK(is_deaf(), "ring_done() passes over it");
}

static void deaf__what_wakes_all_may_wake_it(void)
{
	begin();
	wake(DONE, 1);
	end(DONE);
	wake(OTHER, 3);
	end(OTHER);
	CHECK(!is_deaf(), "wake_up() in another function");
	begin();
	wake(DONE, 1);
	wake(DONE, 3);
	end(DONE);
	CHECK(!is_deaf(), "and in the same one");
	begin();
	CHECK(!is_deaf(), "nothing wakes a queue: it is woken from elsewhere");
}

static void deaf__a_task_may_be_woken_itself(void)
{
	begin();
	wake(DONE, 1);
	end(DONE);
	call(OTHER, WAKE_PROCESS);
	end(OTHER);
	CHECK(!is_deaf(), "by wake_up_process()");
	begin();
	wake(DONE, 1);
	end(DONE);
	call(OTHER, CREATE);
	call(OTHER, WAKE_PROCESS);
	end(OTHER);
	CHECK(is_deaf(), "which only begins a thread that was made there");
}

static void deaf__a_wakeup_of_another_queue_is_none(void)
{
	begin();
	wake(DONE, 1);
	end(DONE);
	/* mov rdi, a variable */
	emit(OTHER, (const u8 []){ 0x48, 0xc7, 0xc7, 0, 0, 0x50, 0xc0 }, 7);
	wake(OTHER, 3);
	end(OTHER);
	CHECK(is_deaf(), "it is not its own");
}

static void deaf__who_hears_it_is_innocent(void)
{
	begin();
	wake(DONE, 1);
	end(DONE);
	task.state = 'S';
	CHECK(!is_deaf(), "it is interruptible");
	task.state = 'D';
	sleeps_in = CALLED + 0x1000;
	CHECK(!is_deaf(), "what it called sleeps, in a queue of its own");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(deaf__only_interruptible_tasks_are_woken);
	TAP_RUN(deaf__what_wakes_all_may_wake_it);
	TAP_RUN(deaf__a_task_may_be_woken_itself);
	TAP_RUN(deaf__a_wakeup_of_another_queue_is_none);
	TAP_RUN(deaf__who_hears_it_is_innocent);
	instruction_finish();
	return tap_done();
}
