// SPDX-License-Identifier: GPL-2.0-or-later
/* "epitaph info --stacks": the tasks of a dumped kernel and their stacks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernel_state/tasks.h"
#include "kernel_state/unwind.h"
#include "kernel_state/waits.h"
#include "info.h"
#include "json_common.h"
#include "phrase.h"

/**
 * struct stack_list - all that is printed
 * @stack, @chain: room for one
 * @order: of the tasks, as they are printed
 */
struct stack_list {
	struct postmortem *pm;
	struct kernel_tasks *tasks;
	struct kernel_unwinder *unwinder;
	struct kernel_waits *waits;
	const struct kernel_task **order;
	struct kernel_stack *stack;
	struct kernel_chain *chain;
};

static const char *const stack_names[] = {
	[KSTACK_TASK] = "task", [KSTACK_IRQ] = "irq", [KSTACK_NMI] = "nmi",
	[KSTACK_EXCEPTION] = "exception", [KSTACK_ENTRY] = "entry",
};

/* --- which, and in what order -------------------------------------------- */

/* Those that ran, then those that no signal wakes. */
static int rank_of_task(const struct kernel_task *task)
{
	return task->is_running ? 0 : task->state == 'D' ? 1 : 2;
}

static int by_interest(const void *a, const void *b)
{
	const struct kernel_task *x = *(const struct kernel_task *const *)a;
	const struct kernel_task *y = *(const struct kernel_task *const *)b;

	if (rank_of_task(x) != rank_of_task(y))
		return rank_of_task(x) - rank_of_task(y);
	if (!rank_of_task(x) || x->pid == y->pid)
		return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
	return x->pid < y->pid ? -1 : 1;
}

static void close_stacks(struct stack_list *l)
{
	free(l->stack);
	free(l->chain);
	free(l->order);
	kernel_waits_close(l->waits);
	kernel_unwinder_close(l->unwinder);
	kernel_tasks_close(l->tasks);
}

static int open_stacks(struct stack_list *l, struct postmortem *pm, struct err *err)
{
	int ret;
	u32 i;

	*l = (struct stack_list){ .pm = pm };
	if (!pm->kernel)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "there is no kernel's memory in it, and so no tasks: --stacks needs a vmcore");
	ret = kernel_tasks_open(&l->tasks, pm->kernel, err);
	if (!ret)
		ret = kernel_unwinder_open(&l->unwinder, l->tasks, err);
	if (!ret)
		ret = kernel_waits_open(&l->waits, l->tasks, l->unwinder, err);
	if (!ret) {
		l->order = calloc(l->tasks->nr + 1, sizeof(*l->order));
		l->stack = malloc(sizeof(*l->stack));
		l->chain = malloc(sizeof(*l->chain));
		if (!l->order || !l->stack || !l->chain)
			ret = err_sys(err, "memory for stacks");
	}
	if (ret) {
		close_stacks(l);
		return ret;
	}
	for (i = 0; i < l->tasks->nr; i++)
		l->order[i] = &l->tasks->list[i];
	qsort(l->order, l->tasks->nr, sizeof(*l->order), by_interest);
	for (i = 0; i < l->tasks->notes.kept; i++)
		damage_notes_add(&pm->notes, NOTE_NOWHERE, "the kernel: %s", l->tasks->notes.list[i].text);
	return 0;
}

/* --- text ---------------------------------------------------------------- */

static void put_task_head(const struct stack_list *l, const struct kernel_task *task)
{
	const struct kernel *kernel = l->pm->kernel;

	putchar('\n');
	text_put(stdout, task->comm, sizeof(task->comm));
	printf("-%d", task->pid);
	if (task->tgid != task->pid)
		printf(" of process %d", task->tgid);
	if (task->is_running)
		printf(", ran on CPU %u%s", task->cpu, task->cpu == kernel->cpu ? ", which died" : "");
	else
		printf(", state %c", task->state);
	printf("%s, task %#llx\n", task->flags & KERNEL_TASK_KTHREAD ? ", kernel thread" : "", task->va);
}

static void put_task_name(const struct kernel_task *task)
{
	text_put(stdout, task->comm, sizeof(task->comm));
	printf("-%d", task->pid);
}

/* "waits for mutex giro [victim] (0xffffffffc0383000), held by clerk-1" */
static void put_wait(const struct kernel_wait *wait)
{
	printf("waits %s", kernel_wait_word(wait->kind));
	if (wait->kind == KWAIT_BIT || (wait->kind == KWAIT_PAGE && !*wait->name))
		printf(" %u", wait->bit);
	if (*wait->name) {
		putchar(' ');
		text_put(stdout, wait->name, sizeof(wait->name));
	}
	printf(" (%s%#llx)", wait->kind == KWAIT_PAGE ? "page " : wait->kind == KWAIT_BIT ? "of the word at " : "",
	       wait->lock);
	if (wait->nr_readers)
		printf(", held by %llu reader%s", wait->nr_readers, plural(wait->nr_readers));
	if (wait->is_renewed)
		fputs(", which was set up anew since, and has no waiters", stdout);
	switch (wait->owner_kind) {
	case KOWNER_YOUNGER:
	case KOWNER_SHOWN:
		fputs(", held by ", stdout);
		put_task_name(wait->owner);
		break;
	case KOWNER_READER:
	case KOWNER_LAST_READER:
		fputs(", of which the last one to come was ", stdout);
		put_task_name(wait->owner);
		break;
	case KOWNER_WORKER:
		fputs(", of the work item ", stdout);
		text_put(stdout, *wait->work ? wait->work : "?", sizeof(wait->work));
		fputs(", which runs in ", stdout);
		put_task_name(wait->owner);
		break;
	case KOWNER_HOTPLUG:
		fputs(", of the callbacks of CPU hotplug that run in ", stdout);
		put_task_name(wait->owner);
		break;
	case KOWNER_HOTPLUG_WRITER:
		fputs(", held by what takes a CPU up or down: ", stdout);
		put_task_name(wait->owner);
		break;
	case KOWNER_ENDING:
		fputs(", which comes when the thread ends that is ", stdout);
		put_task_name(wait->owner);
		break;
	case KOWNER_PARKING:
		fputs(", which comes when the thread parks itself that is ", stdout);
		put_task_name(wait->owner);
		break;
	case KOWNER_UNKNOWN:
		fputs(", held by what is no task", stdout);
		break;
	case KOWNER_COMPLETER:	/* of judges alone */
	case KOWNER_CALLER:
	case KOWNER_GATE_WRITER:
	case KOWNER_GATE_READER:
	case KOWNER_FRONT:
	case KOWNER_USER:
	case KOWNER_CODE:
	case KOWNER_SRCU_READER:
	case KOWNER_NONE:
		break;
	}
}

/* A cycle, from one of its tasks around to it. */
static void put_deadlock(const struct kernel_chain *chain, void *unused)
{
	(void)unused;
	info_key(chain->is_sure ? "deadlock" : "deadlock?");
	for (u32 i = chain->back; i < chain->nr; i++) {
		if (i > chain->back) {
			fputs(",\n", stdout);
			info_key("");
		}
		put_task_name(chain->tasks[i]);
		putchar(' ');
		put_wait(&chain->waits[i]);
	}
	putchar('\n');
}

static void put_task_wait(const struct stack_list *l, const struct kernel_task *task)
{
	struct kernel_wait wait;

	if (!kernel_wait_of(l->waits, task, l->stack, &wait))
		return;
	fputs("    ", stdout);
	put_wait(&wait);
	putchar('\n');
}

static void put_stack_frame(const struct stack_list *l, const struct kernel_frame *frame)
{
	char name[KERNEL_SYMBOL_MAX];
	size_t len = kernel_frame_name(l->pm->kernel, frame, name, sizeof(name));

	fputs(frame->is_guess ? "    ? " : "    ", stdout);
	if (len)
		debuginfo_put_text(l->pm->debuginfo, stdout, name, len, frame->is_exact);
	else
		printf("%#llx", frame->ip);
	puts(frame->regs ? "  (interrupted here)" : "");
}

static void put_stack_end(const struct kernel_stack *stack)
{
	fputs("    ends: ", stdout);
	switch (stack->end) {
	case KSTACK_END_USER:
		fputs(stack->nr ? "called from user space" : "in user space", stdout);
		break;
	case KSTACK_END_THREAD:
		fputs("it began there", stdout);
		break;
	case KSTACK_END_BROKEN:
		printf("not known further%s: ", stack->nr > stack->nr_sure ? " but for guesses" : "");
		break;
	case KSTACK_NOT_UNWOUND:
		fputs("not unwound: ", stdout);
		break;
	case KSTACK_END_LIMIT:
		break;
	}
	text_put(stdout, stack->why, sizeof(stack->why));
	putchar('\n');
}

static void put_task_stack(const struct stack_list *l, const struct kernel_stack *stack)
{
	enum kernel_stack_kind kind = KSTACK_TASK;

	for (u32 i = 0; i < stack->nr; i++) {
		if (stack->frames[i].stack != kind)
			printf("    <%s>\n", stack_names[stack->frames[i].stack]);
		kind = stack->frames[i].stack;
		put_stack_frame(l, &stack->frames[i]);
	}
	put_stack_end(stack);
}

static void put_stack_totals(const struct stack_list *l)
{
	const char *way = kernel_unwinder_way(l->unwinder);
	u32 nr_ran = 0;

	for (u32 i = 0; i < l->tasks->nr; i++)
		nr_ran += l->tasks->list[i].is_running;
	info_key("tasks");
	printf("%u, %u of them ran; ", l->tasks->nr, nr_ran);
	if (way)
		printf("stacks by %s, a guess has a ? in front\n", way);
	else
		puts("their stacks are not unwound");
	if (kernel_btf_is_recorders(l->pm->kernel->ktypes)) {
		info_key("types");
		puts("of the recorder's build: the kernel has none");
	}
}

int info_stacks_text(struct postmortem *pm, const char *path, struct err *err)
{
	struct stack_list l;
	int ret = open_stacks(&l, pm, err);

	if (ret)
		return ret;
	info_dump_head(pm, path);
	put_stack_totals(&l);
	ret = kernel_deadlocks(l.waits, l.chain, put_deadlock, NULL, err);
	info_damage(&pm->notes, pm->dump);
	for (u32 i = 0; i < l.tasks->nr && !ret; i++) {
		kernel_unwind(l.unwinder, l.order[i], l.stack);
		put_task_head(&l, l.order[i]);
		put_task_wait(&l, l.order[i]);
		put_task_stack(&l, l.stack);
	}
	close_stacks(&l);
	return ret;
}

/* --- JSON ---------------------------------------------------------------- */

static void json_frame(struct json *j, const struct kernel *kernel, const struct kernel_frame *frame)
{
	char name[KERNEL_SYMBOL_MAX];

	json_open(j, NULL, '{');
	json_u64(j, "ip", frame->ip);
	json_str(j, "name", kernel_frame_name(kernel, frame, name, sizeof(name)) ? name : NULL);
	json_bool(j, "sure", !frame->is_guess);
	json_str(j, "stack", stack_names[frame->stack]);
	json_bool(j, "interrupted", frame->regs);
	json_close(j, '}');
}

static void json_wait(struct json *j, const struct kernel_wait *wait)
{
	static const char *const kinds[KERNEL_NR_WAITS] = {
		[KWAIT_MUTEX] = "mutex", [KWAIT_RWSEM_READ] = "rwsem_read",
		[KWAIT_RWSEM_WRITE] = "rwsem_write", [KWAIT_SEMAPHORE] = "semaphore",
		[KWAIT_COMPLETION] = "completion", [KWAIT_PAGE] = "page", [KWAIT_BIT] = "bit",
		[KWAIT_RTMUTEX] = "rtmutex", [KWAIT_QUEUE] = "queue",
	};

	json_open(j, "waits_for", '{');
	json_str(j, "kind", kinds[wait->kind]);
	json_u64(j, "address", wait->lock);
	json_known(j, "bit", wait->bit, wait->kind == KWAIT_PAGE || wait->kind == KWAIT_BIT);
	json_str(j, "name", *wait->name ? wait->name : NULL);
	json_u64(j, "readers", wait->nr_readers);
	if (wait->owner) {
		json_open(j, "owner", '{');
		json_s64(j, "pid", wait->owner->pid);
		json_text(j, "comm", wait->owner->comm, strlen(wait->owner->comm));
		json_u64(j, "address", wait->owner->va);
		json_bool(j, "sure", wait->owner_kind != KOWNER_LAST_READER);
		json_close(j, '}');
	} else {
		json_null(j, "owner");
	}
	json_close(j, '}');
}

/* The tasks of a cycle, each of which waits for the next one. */
static void json_deadlock(const struct kernel_chain *chain, void *priv)
{
	struct json *j = priv;

	json_open(j, NULL, '{');
	json_bool(j, "sure", chain->is_sure);
	json_open(j, "tasks", '[');
	for (u32 i = chain->back; i < chain->nr; i++)
		json_u64(j, NULL, chain->tasks[i]->va);
	json_close(j, ']');
	json_close(j, '}');
}

static void json_task(struct json *j, const struct stack_list *l, const struct kernel_task *task,
		      const struct kernel_stack *stack)
{
	static const char *const ends[] = {
		[KSTACK_END_USER] = "user space", [KSTACK_END_THREAD] = "thread",
		[KSTACK_END_BROKEN] = "broken", [KSTACK_END_LIMIT] = "limit",
		[KSTACK_NOT_UNWOUND] = "not unwound",
	};
	const char state[2] = { task->state, '\0' };
	struct kernel_wait wait;

	json_open(j, NULL, '{');
	json_s64(j, "pid", task->pid);
	json_s64(j, "tgid", task->tgid);
	json_text(j, "comm", task->comm, strlen(task->comm));
	json_str(j, "state", state);
	json_bool(j, "ran", task->is_running);
	json_known(j, "cpu", task->cpu, task->cpu != NO_CPU);
	json_bool(j, "kernel_thread", task->flags & KERNEL_TASK_KTHREAD);
	json_u64(j, "address", task->va);
	json_open(j, "frames", '[');
	for (u32 i = 0; i < stack->nr; i++)
		json_frame(j, l->pm->kernel, &stack->frames[i]);
	json_close(j, ']');
	json_str(j, "ends", ends[stack->end]);
	json_str(j, "why", *stack->why ? stack->why : NULL);
	if (kernel_wait_of(l->waits, task, stack, &wait))
		json_wait(j, &wait);
	else
		json_null(j, "waits_for");
	json_close(j, '}');
}

int info_stacks_json(struct postmortem *pm, const char *path, struct err *err)
{
	struct json j = { .f = stdout };
	struct stack_list l;
	int ret = open_stacks(&l, pm, err);

	if (ret)
		return ret;
	json_open(&j, NULL, '{');
	json_str(&j, "file", path);
	json_str(&j, "kernel", *pm->origin.release ? pm->origin.release : NULL);
	json_str(&j, "stacks_by", kernel_unwinder_way(l.unwinder));
	json_str(&j, "types_by", kernel_btf_is_recorders(pm->kernel->ktypes) ? "recorder" : "kernel");
	json_open(&j, "deadlocks", '[');
	ret = kernel_deadlocks(l.waits, l.chain, json_deadlock, &j, err);
	json_close(&j, ']');
	json_open(&j, "tasks", '[');
	for (u32 i = 0; i < l.tasks->nr && !ret; i++) {
		kernel_unwind(l.unwinder, l.order[i], l.stack);
		json_task(&j, &l, l.order[i], l.stack);
	}
	json_close(&j, ']');
	json_u64(&j, "damage_notes", pm->notes.nr);
	json_open(&j, "damage", '[');
	for (u64 i = 0; i < pm->notes.kept; i++)
		json_str(&j, NULL, pm->notes.list[i].text);
	json_close(&j, ']');
	json_container_damage(&j, pm->dump);
	json_close(&j, '}');
	json_end(&j);
	close_stacks(&l);
	return ret;
}
