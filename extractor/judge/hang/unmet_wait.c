// SPDX-License-Identifier: GPL-2.0-or-later
/* What is waited for cannot come. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel_half.h"
#include "chain_claims.h"
#include "fault/calls.h"
#include "fault/completions.h"
#include "fault/frame_register.h"
#include "fault/tail_jump.h"
#include "instruction/instruction.h"
#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"
#include "wait_words.h"

#define MOST_BYTES	(4U << 20)	/* of a module's code */
#define MOST_DISABLED	64		/* times that a tasklet is disabled */
#define MOST_OF_OBJECT	8192		/* bytes in which a percpu_ref is looked for */
#define MOST_LEFT	100000		/* a switch to atomic mode that is not done yet has far more */
#define FOREVER	(1ULL << 60)	/* ticks: for a time below zero the kernel takes MAX_JIFFY_OFFSET, half of what there is */
#define LONG_S	600ULL
#define DEAD_AND_ATOMIC	3		/* of percpu_count_ptr: include/linux/percpu-refcount.h */

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

/* --- a reference that is not put ------------------------------------------------ */

/*
 * Is there a percpu_ref at @ref, which its data points back to, that was killed? Its release function is given @ref, and completes @lock by
 * its code.
 */
static bool gives_completion(const struct kernel *kernel, u64 ref, u64 lock, u64 *left, u64 *release)
{
	struct completions completions;
	u64 data, back, pointer;

	return kernel_state_member(kernel, "percpu_ref", "data", ref, &data) && in_kernel_half(data) &&
	       kernel_state_member(kernel, "percpu_ref_data", "ref", data, &back) && back == ref &&
	       kernel_state_member(kernel, "percpu_ref", "percpu_count_ptr", ref, &pointer) && (pointer & DEAD_AND_ATOMIC) == DEAD_AND_ATOMIC &&
	       kernel_state_member(kernel, "percpu_ref_data", "count", data, left) && *left && *left < MOST_LEFT &&
	       kernel_state_member(kernel, "percpu_ref_data", "release", data, release) && in_kernel_half(*release) &&
	       completions_read(&completions, kernel, *release, ref, lock) && completions.nr_it;
}

#define NAME_MOST	32

/* What runs when the last reference of the device @dev is put: drivers/base/core.c, device_release(). */
static bool read_release(u64 *release, const struct kernel *kernel, u64 dev)
{
	u64 of;

	return (kernel_state_member(kernel, "device", "release", dev, release) && *release) ||
	       (kernel_state_member(kernel, "device", "type", dev, &of) && in_kernel_half(of) && kernel_state_member(kernel, "device_type", "release", of, release) && *release) ||
	       (kernel_state_member(kernel, "device", "class", dev, &of) && in_kernel_half(of) && kernel_state_member(kernel, "class", "dev_release", of, release));
}

/* Is a struct device at @dev, by its type, of which references are left, and whose release completes @lock by its code? */
static bool is_device_waited_for(const struct kernel *kernel, u64 dev, u64 lock, u64 *left, u64 *release)
{
	struct completions completions;
	u64 type, of_devices;

	return kallsyms_address(kernel->kallsyms, "device_ktype", &of_devices) && kernel_state_member(kernel, "device", "kobj.ktype", dev, &type) && type == of_devices &&
	       kernel_state_member(kernel, "device", "kobj.kref.refcount.refs.counter", dev, left) && *left && *left < MOST_LEFT &&
	       read_release(release, kernel, dev) && in_kernel_half(*release) && completions_read(&completions, kernel, *release, dev, lock) && completions.nr_it;
}

/* The function that alone takes references of devices, of the module that has @release. */
static bool find_taker(char function[2 * WORDS_FUNCTION], const struct kernel *kernel, u64 release)
{
	static const char *const takes[] = { "get_device", "class_find_device", "bus_find_device", "device_find_child", "device_find_child_by_name", "driver_find_device",
					     "kobject_get", NULL };
	const struct kernel_module *module = kernel->modules ? kernel_modules_at(kernel->modules, release) : NULL;
	struct callers_of callers = { .nr = 0 };

	if (module)
		find_callers_of(&callers, kernel, module, takes);
	words_function(function, (struct report_text){ callers.name, strlen(callers.name) });
	return callers.nr == 1 && callers.is_whole;
}

static bool left_device_claim(struct explain *explain, const struct owners *owners, const struct kernel_task *last, u64 lock, const struct kernel_object *object)
{
	const struct kernel *kernel = explain->pm->kernel;
	char function[KERNEL_SYMBOL_MAX], waits[2 * WORDS_FUNCTION], gives[2 * WORDS_FUNCTION], name[NAME_MOST + 1] = "", taker[2 * WORDS_FUNCTION];
	bool is_alone;
	u64 left = 0, release = 0, text, at = 0;

	while (at + 16 <= object->size && at < MOST_OF_OBJECT && !is_device_waited_for(kernel, object->start + at, lock, &left, &release))
		at += 8;
	if (at + 16 > object->size || at >= MOST_OF_OBJECT || !words_symbol(explain, release, function, sizeof(function)))
		return false;
	words_place(gives, (struct report_text){ function, strlen(function) });
	owners_name_wait(owners, kernel, last, function);
	words_place(waits, (struct report_text){ function, strlen(function) });
	if (kernel_state_member(kernel, "device", "kobj.name", object->start + at, &text))
		vmem_string(kernel->vmem, text, name, sizeof(name));
	is_alone = find_taker(taker, kernel, release);
	finding_claim(explain->finding, explain->finding->kind, owners->chain->is_sure ? FINDING_LIKELY : FINDING_POSSIBLE,
		      "%s-%d waits in %s for the last reference of the device \"%s\" to be put, and %llu %s left: %s completes the wait when none is%s%.60s%s.", last->comm,
		      last->pid, waits, name, left, left == 1 ? "is" : "are", gives, is_alone ? ". Of that module, " : "", is_alone ? taker : "", is_alone ? "() alone takes any" : "");
	finding_evidence_timeless(explain->finding, "the device lies at 0x%llx of %016llx, an object of cache %s, as does the completion", at, object->start, object->cache);
	finding_open(explain->finding, "Who has not put it: a way with an error that comes back without put_device(), as a rule. The one that waits is innocent.");
	return true;
}

void left_reference_claim(struct explain *explain, const struct owners *owners)
{
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1];
	const struct kernel_wait *wait = chain->last_waits ? &chain->waits[chain->nr - 1] : NULL;
	const struct kernel *kernel = explain->pm->kernel;
	char name[KERNEL_SYMBOL_MAX], waits[2 * WORDS_FUNCTION], gives[2 * WORDS_FUNCTION];
	u64 left, release, at = 0;
	struct kernel_object object;

	if (!wait || wait->kind != KWAIT_COMPLETION || !kernel->ktypes || !kernel_object_at(kernel, wait->lock, &object) ||
	    object.state == KOBJECT_FREE || left_device_claim(explain, owners, last, wait->lock, &object))
		return;
	while (at + 16 <= object.size && at < MOST_OF_OBJECT && !gives_completion(kernel, object.start + at, wait->lock, &left, &release))
		at += 8;
	if (at + 16 > object.size || at >= MOST_OF_OBJECT || !words_symbol(explain, release, name, sizeof(name)))
		return;
	words_place(gives, (struct report_text){ name, strlen(name) });
	owners_name_wait(owners, kernel, last, name);
	words_place(waits, (struct report_text){ name, strlen(name) });
	finding_claim(explain->finding, explain->finding->kind, chain->is_sure ? FINDING_LIKELY : FINDING_POSSIBLE,
		      "%s-%d waits in %s for the last reference of a percpu_ref to be put, and %llu %s left: it was killed, and %s completes the wait when none is.",
		      last->comm, last->pid, waits, left, left == 1 ? "is" : "are", gives);
	finding_evidence_timeless(explain->finding, "the percpu_ref lies at 0x%llx of %016llx, an object of cache %s, as does the completion", at, object.start,
				  object.cache);
	finding_open(explain->finding, "Who has not put it: a way with an error that comes back without percpu_ref_put(), as a rule, or a request that has not ended. The one that waits is innocent.");
}

/* --- a fence that is not signalled ----------------------------------------------- */

/* The function of @member in the fence's operations, as a frame has it. */
static bool name_operation(char name[KERNEL_SYMBOL_MAX], const struct explain *explain, u64 ops, const char *member)
{
	u64 function;

	return kernel_state_member(explain->pm->kernel, "dma_fence_ops", member, ops, &function) &&
	       words_symbol(explain, function, name, KERNEL_SYMBOL_MAX) && strstr(name, "+0x0/");
}

/* What the function that waits for it was given by its caller. */
static bool find_fence(u64 *fence, const struct explain *explain, const struct owners *owners, const struct kernel_task *task)
{
	const struct kernel *kernel = explain->pm->kernel;
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct function_code *code = malloc(sizeof(*code));
	char name[KERNEL_SYMBOL_MAX];
	struct instruction call;
	bool is = false;
	u32 frame;

	if (stack && code) {
		kernel_unwind(owners->unwinder, task, stack);
		frame = owners_frame(kernel, stack, "dma_fence_default_wait", 0) + 1;
		is = frame < stack->nr_sure && kernel_frame_name(kernel, &stack->frames[frame], name, sizeof(name)) &&
		     function_code_read_caller(code, kernel, (struct report_text){ name, strlen(name) }) && tail_jump_call_before(&call, code) &&
		     frame_given(fence, kernel, task, stack, frame, code, code->at);
	}
	free(stack);
	free(code);
	return is && in_kernel_half(*fence);
}

/* Of dma_fence.flags; bits were put in front of it since. */
static bool is_signalled(const struct kernel *kernel, u64 flags)
{
	s64 bit;

	return !kernel_btf_enum_value(kernel->ktypes, "dma_fence_flag_bits", "DMA_FENCE_FLAG_SIGNALED_BIT", &bit) || bit < 0 || bit > 63 ||
	       flags >> bit & 1;
}

void fence_claim(struct explain *explain, const struct owners *owners)
{
	const struct kernel_task *task = owners->chain->tasks[owners->chain->nr - 1];
	const struct kernel *kernel = explain->pm->kernel;
	char name[KERNEL_SYMBOL_MAX], of[2 * WORDS_FUNCTION], by[2 * WORDS_FUNCTION];
	u64 fence, ops, flags, context, number;

	if (!kernel->ktypes || !instruction_can_decode() || !owners_is_within(owners, kernel, task, "dma_fence_default_wait") ||
	    !find_fence(&fence, explain, owners, task) || !kernel_state_member(kernel, "dma_fence", "ops", fence, &ops) || !in_kernel_half(ops) ||
	    !name_operation(name, explain, ops, "get_driver_name") || !kernel_state_member(kernel, "dma_fence", "flags", fence, &flags) ||
	    is_signalled(kernel, flags) || !kernel_state_member(kernel, "dma_fence", "context", fence, &context) ||
	    !kernel_state_member(kernel, "dma_fence", "seqno", fence, &number))
		return;
	words_place(of, (struct report_text){ name, strlen(name) });
	owners_name_module(owners, kernel, task, by);
	finding_claim(explain->finding, explain->finding->kind, owners->chain->is_sure ? FINDING_LIKELY : FINDING_POSSIBLE,
		      "%s-%d waits%s%s for a fence (dma_fence) that is not signalled: number %llu of context %llu, whose driver's name is given by %s.", task->comm,
		      task->pid, *by ? " in " : "", by, number, context, of);
	finding_open(explain->finding, "Why that driver did not signal it: the job it is of was dropped, as by a reset, or its queue does not run. The one that waits is innocent.");
}

static bool read_variable(u64 *value, const struct kernel *kernel, const char *name)
{
	u64 at;

	return kernel->kallsyms && kallsyms_address(kernel->kallsyms, name, &at) && vmem_number(kernel->vmem, at, 8, value);
}

/*
 * When the timer on the stack of @task is due that wakes it: struct process_timer of kernel/time/timer.c. By the kernel's own function, and
 * by the task that it names.
 */
static bool find_due(u64 *expires, const struct kernel *kernel, const struct kernel_task *task, u32 stack_size)
{
	struct btf_member_place function, due, owner;
	u64 wakes, value, names, words = stack_size / 8;
	u64 *stack;
	bool found = false;

	if (!kernel->kallsyms || !kernel->ktypes || !kallsyms_address(kernel->kallsyms, "process_timeout", &wakes) ||
	    !kernel_btf_member(kernel->ktypes, "timer_list", "function", &function) || !kernel_btf_member(kernel->ktypes, "timer_list", "expires", &due) ||
	    !kernel_btf_member(kernel->ktypes, "process_timer", "task", &owner) || task->sp - task->stack >= stack_size)
		return false;
	stack = malloc(stack_size);
	if (!stack || !vmem_get(kernel->vmem, task->stack, stack, stack_size))
		words = 0;
	for (u64 i = (task->sp - task->stack) / 8; i < words && !found; i++) {
		u64 timer = task->stack + 8 * i - function.offset;

		if (stack[i] != wakes || !vmem_number(kernel->vmem, timer + owner.offset, 8, &names) || names != task->va ||
		    !vmem_number(kernel->vmem, timer + due.offset, 8, &value))
			continue;
		*expires = value;
		found = true;
	}
	free(stack);
	return found;
}

void long_sleep_claim(struct explain *explain, const struct owners *owners)
{
	const struct kernel *kernel = explain->pm->kernel;
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1], *first = chain->tasks[0];
	u64 expires, now, tick_ns, left;
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION];

	if (chain->is_cycle || chain->last_waits || last->is_running || last->state == 'R' || !find_due(&expires, kernel, last, owners->tasks->stack_size) ||
	    !read_variable(&now, kernel, "jiffies_64") || !read_variable(&tick_ns, kernel, "tick_nsec") || expires <= now || tick_ns < 100000 || tick_ns > 100000000)
		return;
	if (expires - now < FOREVER) {
		left = (expires - now) / 1000 * tick_ns / 1000000;
		if (left > LONG_S)
			finding_evidence_timeless(explain->finding, "%s-%d sleeps for a time: its timer is due %llu s after the end", last->comm, last->pid, left);
		return;
	}
	finding_evidence_timeless(explain->finding, "%s-%d sleeps for a time: its timer is due in 0x%llx ticks of the clock, as for a time below zero", last->comm, last->pid,
				  expires - now);
	owners_name_wait(owners, kernel, last, name);
	words_place(place, (struct report_text){ name, strlen(name) });
	if (chain->nr > 1)
		finding_claim(explain->finding, explain->finding->kind, chain->is_sure ? FINDING_LIKELY : FINDING_POSSIBLE,
			      "%s-%d waits for a lock, and at the end of the chain %s-%d holds it and sleeps for ever, in %s: the time that it was given is below zero.",
			      first->comm, first->pid, last->comm, last->pid, place);
	else
		finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
			      "%s-%d sleeps for ever, in %s: the time that it was given is below zero.", last->comm, last->pid, place);
	finding_open(explain->finding, "Which subtraction that is from: what was to take a part of a time took longer than all of it. Who waits for the lock is innocent.");
}
