// SPDX-License-Identifier: GPL-2.0-or-later
/* What is waited for cannot come. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel_half.h"
#include "chain_claims.h"
#include "fault/calls.h"
#include "fault/frame_register.h"
#include "fault/tail_jump.h"
#include "instruction/instruction.h"
#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"
#include "wait_words.h"

#define MOST_BYTES	(4U << 20)	/* of a module's code */
#define MOST_DISABLED	64		/* times that a tasklet is disabled */

/**
 * struct callers_of - the functions of a module that call one of some
 * @nr: how many do
 * @name: of the last one, as a frame has it
 * @is_whole: all of the module's code was looked at
 */
struct callers_of {
	u32 nr;
	char name[KERNEL_SYMBOL_MAX];
	bool is_whole;
};

/* Behind a module's last function zeros follow. */
static bool is_decoded(const struct function_code *code)
{
	struct instruction instruction;
	u32 end = code->len;

	while (end && !code->bytes[end - 1])
		end--;
	for (u32 at = 0; at < end; at += instruction.len)
		if (!function_code_decode(code, at, &instruction))
			return false;
	return code->len == code->size;
}

static void find_callers_of(struct callers_of *callers, const struct kernel *kernel, const struct kernel_module *module, const char *const *names)
{
	struct function_code *code = malloc(sizeof(*code));
	struct module_walk walk = { .kernel = kernel, .module = module, .most = MOST_BYTES };
	bool has_cold = false, has_undecoded = false;

	*callers = (struct callers_of){ .nr = 0 };
	while (code && function_code_next(code, &walk)) {
		has_cold |= code->cold_start;
		if (!calls_one_of(code, names)) {
			has_undecoded |= !is_decoded(code);
			continue;
		}
		callers->nr++;
		snprintf(callers->name, sizeof(callers->name), "%.80s+0x0/0x%x [%.60s]", code->name, code->size, code->module);
	}
	/* What lies apart is not looked at. */
	callers->is_whole = module_walk_is_whole(&walk) && !walk.has_skipped && !has_cold && !has_undecoded;
	free(code);
}

/**
 * struct module_frames - what a stack has of modules
 * @nearest: the innermost function of one, its @module, and whether it @sleeps itself: what it called has its own queue
 * @is_thread: that module has the function of the thread, which kthread() called
 */
struct module_frames {
	char nearest[KERNEL_SYMBOL_MAX];
	const struct kernel_module *module;
	bool sleeps, is_thread;
};

static void find_module_frames(struct module_frames *found, const struct kernel *kernel, const struct kernel_stack *stack)
{
	static const char *const sleeping[] = { "__switch_to", "__schedule", "schedule", "io_schedule", NULL };
	char function[KERNEL_SYMBOL_MAX];
	bool is_top = true;

	*found = (struct module_frames){ .module = NULL };
	for (u32 i = 0; i < stack->nr_sure; i++) {
		const struct kernel_module *module = kernel_modules_at(kernel->modules, stack->frames[i].ip);

		if (module && !found->module && kernel_frame_name(kernel, &stack->frames[i], found->nearest, sizeof(found->nearest))) {
			found->module = module;
			found->sleeps = is_top;
		}
		if (!kernel_frame_function(kernel, &stack->frames[i], function, sizeof(function)))
			continue;
		is_top &= plumbing_begins(function, sleeping);
		if (!strcmp(function, "kthread") && i)
			found->is_thread = found->module && found->module == kernel_modules_at(kernel->modules, stack->frames[i - 1].ip);
	}
}

/* --- a lock that was set up anew ---------------------------------------------------- */

/* The functions that set up a lock of that kind, and what the source calls them. */
static const struct setup_word {
	enum kernel_wait_kind kinds[2];
	const char *names[2];
	const char *word;
} setup_words[] = {
	{ { KWAIT_MUTEX, KWAIT_MUTEX }, { "__mutex_init" }, "mutex_init()" },
	{ { KWAIT_RWSEM_READ, KWAIT_RWSEM_WRITE }, { "__init_rwsem" }, "init_rwsem()" },
	{ { KWAIT_COMPLETION, KWAIT_COMPLETION }, { "__init_swait_queue_head" }, "init_completion()" },
	{ { KWAIT_QUEUE, KWAIT_QUEUE }, { "__init_waitqueue_head" }, "init_waitqueue_head()" },
};

static void claim_renewed(struct explain *explain, const struct kernel_task *task, const struct kernel_wait *wait, const struct module_frames *frames)
{
	char place[2 * WORDS_FUNCTION], setup[2 * WORDS_FUNCTION], lock[FINDING_TEXT / 2];
	const struct setup_word *word = NULL;
	struct finding *finding = explain->finding;
	struct callers_of callers = { .nr = 0 };

	for (size_t i = 0; i < ARRAY_SIZE(setup_words); i++)
		if (wait->kind == setup_words[i].kinds[0] || wait->kind == setup_words[i].kinds[1])
			word = &setup_words[i];
	if (frames->module && word)
		find_callers_of(&callers, explain->pm->kernel, frames->module, (const char *const[]){ word->names[0], NULL });
	words_place(place, (struct report_text){ frames->nearest, strlen(frames->nearest) });
	words_place(setup, (struct report_text){ callers.name, strlen(callers.name) });
	wait_words_lock(lock, sizeof(lock), wait);
	finding_claim(finding, finding->kind, FINDING_LIKELY,
		      "%s-%d waits %s%s%s, and that was set up anew%s%s while the task waited: it has no waiters now, and its unlock wakes none.", task->comm, task->pid, lock,
		      *frames->nearest ? ", in " : "", *frames->nearest ? place : "", callers.nr == 1 && callers.is_whole ? ", probably by " : "",
		      callers.nr == 1 && callers.is_whole ? setup : "");
	if (callers.nr == 1 && callers.is_whole)
		finding_open(finding, "Who called %s, which alone in its module calls %s, while it was in use; the one that waits is innocent.", setup, word->word);
	else
		finding_open(finding, "What set it up while it was in use (%s): a reset or a second probe, as a rule; or its memory was freed, and is another's now.",
			     word ? word->word : "its init function");
}

/* --- a variable whose change none tells ------------------------------------------------ */

static const char *const tells_change[] = { "wake_up_var", "__wake_up_bit", "wake_up_bit", NULL };

/* Of wait_var_event(): the entry on the stack has the variable, and no number of a bit. */
static bool read_var(u64 *var, const struct kernel *kernel, const struct kernel_wait *wait)
{
	struct btf_member_place entry, key;
	u64 bit;

	return kernel->ktypes && kernel_btf_member(kernel->ktypes, "wait_bit_queue_entry", "wq_entry", &entry) &&
	       kernel_btf_member(kernel->ktypes, "wait_bit_queue_entry", "key", &key) &&
	       kernel_state_member(kernel, "wait_bit_queue_entry", "key.flags", wait->waiter - entry.offset, var) && in_kernel_half(*var) &&
	       kernel_state_member(kernel, "wait_bit_queue_entry", "key.bit_nr", wait->waiter - entry.offset, &bit) && (s32)bit == -1;
}

static bool claim_untold(struct explain *explain, const struct kernel_task *task, const struct kernel_wait *wait, const struct module_frames *frames)
{
	const struct kernel *kernel = explain->pm->kernel;
	char place[2 * WORDS_FUNCTION], now[60] = "", what[KERNEL_SYMBOL_MAX + 80];
	struct finding *finding = explain->finding;
	struct callers_of callers;
	struct kernel_object object;
	u64 var, value = 1;

	if (wait->kind != KWAIT_QUEUE || strncmp(wait->name, "bit_wait_table+", 15) || !read_var(&var, kernel, wait))
		return false;
	if (vmem_number(kernel->vmem, var, 4, &value))
		snprintf(now, sizeof(now), "; its 4 bytes are 0x%llx", value);
	if (kernel_object_at(kernel, var, &object))
		snprintf(what, sizeof(what), "%016llx, 0x%llx of an object of cache %s", var, var - object.start, object.cache);
	else if (!words_symbol(explain, var, what, KERNEL_SYMBOL_MAX))
		snprintf(what, sizeof(what), "%016llx", var);
	finding_evidence_timeless(finding, "%s-%d waits for a change of the variable at %s (wait_var_event())%s", task->comm, task->pid, what, now);
	finding_open(finding, "Who changed the variable at %016llx and did not call wake_up_var(), or who should have changed it.", var);
	find_callers_of(&callers, kernel, frames->module, tells_change);
	if (callers.nr || !callers.is_whole || value)
		return true;
	words_place(place, (struct report_text){ frames->nearest, strlen(frames->nearest) });
	/* 0 is what most wait for, and may be what has not changed yet. */
	finding_claim(finding, finding->kind, FINDING_POSSIBLE,
		      "%s-%d waits in %s for a variable to change (wait_var_event()); that is 0 now, and no function of its module calls wake_up_var(): nothing there wakes it.",
		      task->comm, task->pid, place);
	finding_open(finding, "Whether it waits for 0: then who changed the variable at %016llx did not call wake_up_var(). Or it is another module that has not changed it yet.", var);
	return true;
}

/* --- a thread that has to park ----------------------------------------------------------- */

static const char *const parks[] = { "kthread_should_park", "kthread_parkme", "__kthread_should_park", "kthread_freezable_should_stop", NULL };

/* In front of the last task, which has to park itself: does no function of the module whose code it runs ask for that? */
static bool claim_unparked(struct explain *explain, const struct owners *owners, const struct module_frames *frames)
{
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *thread = chain->tasks[chain->nr - 1], *asker;
	char place[2 * WORDS_FUNCTION], by[2 * WORDS_FUNCTION];
	struct callers_of callers;

	if (chain->nr < 2 || chain->waits[chain->nr - 2].owner_kind != KOWNER_PARKING)
		return false;
	asker = chain->tasks[chain->nr - 2];
	find_callers_of(&callers, explain->pm->kernel, frames->module, parks);
	if (callers.nr || !callers.is_whole)
		return true;
	owners_name_module(owners, explain->pm->kernel, asker, by);
	words_place(place, (struct report_text){ frames->nearest, strlen(frames->nearest) });
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s-%d waits in kthread_park()%s%s for %s-%d to park itself, and that does not come to it: no function of its module asks kthread_should_park(); it is in %s.",
		      asker->comm, asker->pid, *by ? ", called by " : "", by, thread->comm, thread->pid, place);
	finding_open(explain->finding, "What is right: kthread_stop(), or a loop of the thread with kthread_should_park() and kthread_parkme(). Who waits behind it is innocent.");
	return true;
}

/* --- a tasklet that is disabled ------------------------------------------------------------ */

static bool claim_disabled(struct explain *explain, const struct owners *owners, const struct kernel_task *task)
{
	const struct kernel *kernel = explain->pm->kernel;
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct function_code *code = malloc(sizeof(*code));
	char name[KERNEL_SYMBOL_MAX] = "", place[2 * WORDS_FUNCTION], function[KERNEL_SYMBOL_MAX] = "", runs[2 * WORDS_FUNCTION];
	struct instruction call;
	u64 tasklet = 0, count = 0, state = 0, func = 0;
	u32 frame = 0;
	bool is = false;

	if (stack && code) {
		kernel_unwind(owners->unwinder, task, stack);
		frame = owners_frame(kernel, stack, "tasklet_kill", 0) + 1;
		is = frame < stack->nr_sure && kernel_frame_name(kernel, &stack->frames[frame], name, sizeof(name)) &&
		     function_code_read_caller(code, kernel, (struct report_text){ name, strlen(name) }) && tail_jump_call_before(&call, code) &&
		     frame_given(&tasklet, kernel, task, stack, frame, code, code->at) && in_kernel_half(tasklet) &&
		     kernel_state_member(kernel, "tasklet_struct", "count.counter", tasklet, &count) && (u32)count && (u32)count < MOST_DISABLED &&
		     kernel_state_member(kernel, "tasklet_struct", "state", tasklet, &state) && state & 1;
	}
	if (is && kernel_state_member(kernel, "tasklet_struct", "func", tasklet, &func))
		kernel_symbol(kernel, func, function, sizeof(function));
	if (is) {
		words_place(place, (struct report_text){ name, strlen(name) });
		words_place(runs, (struct report_text){ function, strlen(function) });
		finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
			      "%s-%d waits in tasklet_kill(), called by %s, for a tasklet that cannot run: it is scheduled, but disabled (tasklet_disable(), count %u)%s%s.",
			      task->comm, task->pid, place, (u32)count, *function ? "; its function is " : "", *function ? runs : "");
		finding_open(explain->finding, "Who disabled it and did not enable it before tasklet_kill(): %s itself, as a rule.", place);
	}
	free(code);
	free(stack);
	return is;
}

void unmet_wait_claim(struct explain *explain, const struct owners *owners)
{
	const struct kernel *kernel = explain->pm->kernel;
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1];
	const struct kernel_wait *wait = &chain->waits[chain->nr - 1];
	struct kernel_stack *stack;
	struct module_frames frames = { .module = NULL };

	if (chain->is_cycle || last->is_lacking || !kernel->modules || !kernel->kallsyms || !instruction_can_decode())
		return;
	stack = malloc(sizeof(*stack));
	if (stack) {
		kernel_unwind(owners->unwinder, last, stack);
		find_module_frames(&frames, kernel, stack);
	}
	free(stack);
	if (chain->last_waits && wait->is_renewed)
		claim_renewed(explain, last, wait, &frames);
	else if (frames.module && chain->last_waits && frames.sleeps && claim_untold(explain, last, wait, &frames))
		;
	else if (frames.module && frames.is_thread && claim_unparked(explain, owners, &frames))
		;
	else if (frames.module)
		claim_disabled(explain, owners, last);
}
