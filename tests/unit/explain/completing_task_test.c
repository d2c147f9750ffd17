// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which task is to complete something, or uses a file that is removed: one that sleeps there, if no other is there that runs.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"
#include "judge/hang/completing_task.h"
#include "judge/hang/percpu_sem.h"
#include "tap.h"

#define CODE	0xffffffffc0400000ULL
#define ROOM	64		/* bytes of each function */
#define CALLED	0xffffffff81100000ULL
#define DONE	0xffffffffc0402400ULL
#define MODULE	"vport"

enum { ASK, SERVE, NR_FUNCTIONS };
enum { COMPLETE, SLEEP };
enum { WAITER, SERVER, OTHER, NR_TASKS };

static const char *const module_functions[] = { "ask", "serve" };
static const char *const called[] = { "complete", "msleep" };

#include "called_functions.h"
#include "module_functions.h"

static struct kernel_task tasks[NR_TASKS];
static struct kernel_stack stacks[NR_TASKS];
static const char *names[NR_TASKS], *sleeps_in[NR_TASKS];
static struct kernel_wait waited;

bool percpu_sem_take(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task, struct kernel_wait *wait, bool *waits)
{
	(void)owners;
	(void)kernel;
	(void)task;
	(void)wait;
	(void)waits;
	return false;
}

void kernel_unwind(struct kernel_unwinder *unwinder, const struct kernel_task *task, struct kernel_stack *stack)
{
	(void)unwinder;
	*stack = stacks[task - tasks];
	/* By its task the name of a frame is found. */
	for (u32 i = 0; i < stack->nr; i++)
		stack->frames[i].sp = (u64)(task - tasks);
	if (sleeps_in[task - tasks]) {
		stack->frames[1] = stack->frames[0];
		stack->frames[0].top = 1;
		stack->nr = stack->nr_sure = 2;
	}
}

size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	(void)kernel;
	return (size_t)snprintf(buf, size, "%s", frame->top ? sleeps_in[frame->sp] : names[frame->sp]);
}

bool kernel_frame_function(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	kernel_frame_name(kernel, frame, buf, size);
	buf[strcspn(buf, "+")] = '\0';
	return true;
}

bool function_code_read_caller(struct function_code *code, const struct kernel *kernel, struct report_text frame)
{
	return !strncmp(frame.text, "ask+", 4) && function_code_read_function(code, kernel, CODE);
}

bool kernel_wait_of(const struct kernel_waits *w, const struct kernel_task *task, const struct kernel_stack *stack, struct kernel_wait *ret)
{
	(void)w;
	(void)stack;
	*ret = waited;
	return task == &tasks[WAITER];
}

int kernel_wait_chain(const struct kernel_waits *w, const struct kernel_task *task, struct kernel_chain *ret, struct err *err)
{
	(void)w;
	(void)err;
	*ret = (struct kernel_chain){ .tasks = { task }, .waits = { waited }, .nr = 1, .is_sure = true, .last_waits = task == &tasks[WAITER] };
	return 0;
}

/* "call msleep; mov rdi, DONE; call complete; ret" */
static void put_server(void)
{
	struct function *f = &functions[SERVE];
	u64 start = CODE + ROOM * SERVE;
	u32 low = (u32)DONE;
	s32 distance;

	memcpy(f->bytes, (u8 []){ 0xe8, 0, 0, 0, 0, 0x48, 0xc7, 0xc7, 0, 0, 0, 0, 0xe8, 0, 0, 0, 0, 0xc3 }, f->len = 18);
	distance = (s32)(CALLED + 16 * SLEEP - (start + 5));
	memcpy(f->bytes + 1, &distance, 4);
	memcpy(f->bytes + 8, &low, 4);
	distance = (s32)(CALLED + 16 * COMPLETE - (start + 17));
	memcpy(f->bytes + 13, &distance, 4);
}

static void stand(u32 task, const char *name, u64 ip)
{
	names[task] = name;
	stacks[task] = (struct kernel_stack){ .nr = 1, .nr_sure = 1, .frames = { { .ip = ip } } };
}

static void begin(enum kernel_wait_kind kind)
{
	for (u32 i = 0; i < NR_TASKS; i++)
		tasks[i] = (struct kernel_task){ .va = 0xffff888000010000ULL + 0x1000 * i, .pid = (s32)i + 1, .comm = "task", .state = 'D' };
	memset(functions, 0, sizeof(functions));
	memset(sleeps_in, 0, sizeof(sleeps_in));
	functions[ASK] = (struct function){ { 0xc3 }, 1 };
	put_server();
	waited = (struct kernel_wait){ .kind = kind, .lock = DONE };
	stand(OTHER, "elsewhere+0x1/0x2", 0x1000);
}

static const struct kernel_task *extended(void)
{
	static struct kernel_modules modules;
	static struct kernel dump = { .machine = EM_X86_64, .modules = &modules, .kallsyms = (struct kallsyms *)&modules };
	struct kernel_tasks all = { .kernel = &dump, .list = tasks, .nr = NR_TASKS };
	static struct kernel_chain chain;
	struct owners owners = { .tasks = &all, .chain = &chain };

	chain = (struct kernel_chain){ .tasks = { &tasks[WAITER] }, .waits = { waited }, .nr = 1, .is_sure = true, .last_waits = true };
	completing_task_extend(&owners, &dump);
	return chain.waits[0].owner;
}

/* It waits for DONE, and SERVER sleeps in the only function that completes that. */
static void begin_completion(void)
{
	begin(KWAIT_COMPLETION);
	stand(WAITER, "ask+0x1/0x2 [vport]", 0x1000);
	stand(SERVER, "serve+0x5/0x12 [vport]", CODE + ROOM * SERVE + 5);
}

static void task__the_only_one_that_sleeps_in_front_of_it(void)
{
	begin_completion();
	CHECK(extended() == &tasks[SERVER], "it is in the only function");
}

static void task__not_if_another_one_runs_there(void)
{
	begin_completion();
	stand(OTHER, "serve+0x5/0x12 [vport]", CODE + ROOM * SERVE + 5);
	tasks[OTHER].is_running = true;
	CHECK(!extended(), "that of another device sleeps, and this one's runs");
	tasks[OTHER].is_running = false;
	tasks[OTHER].state = 'R';
	CHECK(!extended(), "or it could run");
}

static void task__not_if_it_is_not_seen_where_another_one_runs(void)
{
	begin_completion();
	stacks[OTHER] = (struct kernel_stack){ .end = KSTACK_NOT_UNWOUND };
	tasks[OTHER].is_running = true;
	CHECK(!extended(), "it may be there");
	stacks[OTHER].end = KSTACK_END_USER;
	CHECK(extended() == &tasks[SERVER], "one in user space is not");
}

/* It removes a file, and SERVER alone sleeps in a function of such a file. */
static void begin_removal(void)
{
	begin(KWAIT_QUEUE);
	stand(WAITER, "kernfs_drain+0x1/0x2", 0x1000);
	stand(SERVER, "kernfs_fop_write_iter+0x1/0x2", 0x1000);
}

static void user__the_only_one_that_sleeps_in_a_file(void)
{
	begin_removal();
	CHECK(extended() == &tasks[SERVER], "it uses the file");
}

static void user__not_if_another_one_runs_in_a_file(void)
{
	begin_removal();
	stand(OTHER, "sysfs_kf_seq_show+0x1/0x2", 0x1000);
	tasks[OTHER].is_running = true;
	CHECK(!extended(), "it may be in that file, and the one that sleeps in another");
}

static void user__not_if_it_is_not_seen_where_another_one_runs(void)
{
	begin_removal();
	stacks[OTHER] = (struct kernel_stack){ .end = KSTACK_NOT_UNWOUND };
	tasks[OTHER].is_running = true;
	CHECK(!extended(), "it may be in that file");
}

/* It calls what the module has for the last close of that file, and SERVER reads another one, such as /proc/kmsg. */
static void user__who_sleeps_in_the_files_release_waits_for_none(void)
{
	begin_removal();
	stand(WAITER, "proc_entry_rundown+0x1/0x2", 0x1000);
	stand(SERVER, "proc_reg_read+0x1/0x2", 0x1000);
	sleeps_in[WAITER] = "wait_for_completion+0x1/0x2";
	CHECK(extended() == &tasks[SERVER], "it sleeps there itself");
	sleeps_in[WAITER] = "card_release+0x1/0x2 [card]";
	CHECK(!extended(), "what it called sleeps");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(task__the_only_one_that_sleeps_in_front_of_it);
	TAP_RUN(task__not_if_another_one_runs_there);
	TAP_RUN(task__not_if_it_is_not_seen_where_another_one_runs);
	TAP_RUN(user__the_only_one_that_sleeps_in_a_file);
	TAP_RUN(user__not_if_another_one_runs_in_a_file);
	TAP_RUN(user__not_if_it_is_not_seen_where_another_one_runs);
	TAP_RUN(user__who_sleeps_in_the_files_release_waits_for_none);
	instruction_finish();
	return tap_done();
}
