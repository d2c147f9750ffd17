// SPDX-License-Identifier: GPL-2.0-or-later
#include "unwind.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "unwind_impl.h"

/* --- what all stacks have in common -------------------------------------- */

static const struct unwind_machine *machine_of(const struct kernel *kernel)
{
	static const struct unwind_machine *const machines[] = { &unwind_x86, &unwind_arm64, &unwind_s390 };

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i]->elf == kernel->machine)
			return machines[i];
	return NULL;
}

u64 kernel_return_address(const struct kernel *kernel, u64 word)
{
	const struct unwind_machine *machine = machine_of(kernel);

	return machine && machine->code_address ? machine->code_address(word) : word;
}

int kernel_unwinder_open(struct kernel_unwinder **ret, const struct kernel_tasks *tasks,
			 struct err *err)
{
	const struct kernel *kernel = tasks->kernel;
	struct kernel_unwinder *u = calloc(1, sizeof(*u));
	int res = 0;

	if (!u)
		return err_sys(err, "memory for stacks");
	u->tasks = tasks;
	u->machine = machine_of(kernel);
	if (!u->machine)
		snprintf(u->why, sizeof(u->why), "stacks of %s are not unwound",
			 kernel->machine ? text_machine(kernel->machine) : "this machine");
	else
		res = u->machine->open(u, err);
	if (u->data && !kernel_text_find(&u->text, kernel)) {
		u->machine->close(u);
		u->data = NULL;
		snprintf(u->why, sizeof(u->why), "the kernel's symbols do not say where its code is (_stext, _etext)");
	}
	if (res)
		kernel_unwinder_close(u);
	else
		*ret = u;
	return res;
}

void kernel_unwinder_close(struct kernel_unwinder *u)
{
	if (!u)
		return;
	if (u->data)
		u->machine->close(u);
	free(u);
}

const char *kernel_unwinder_way(const struct kernel_unwinder *u)
{
	return u->data ? u->way : NULL;
}

bool kernel_unwinder_is_text(const struct kernel_unwinder *u, u64 va)
{
	return u->data && kernel_text_has(&u->text, va);
}

/* --- the stacks of a task and of its CPU --------------------------------- */

void unwind_add_stack(struct unwind_state *s, u64 from, u64 size, enum kernel_stack_kind kind)
{
	if (s->nr_stacks < UNWIND_STACKS && from && from + size > from)
		s->stacks[s->nr_stacks++] = (struct stack_range){ from, from + size, kind, false };
}

bool unwind_lies_on(const struct stack_range *stack, u64 va, u64 size)
{
	return va >= stack->from && va < stack->to && size <= stack->to - va;
}

bool unwind_on_a_stack(struct unwind_state *s, u64 va, u64 size)
{
	if (s->on >= 0 && unwind_lies_on(&s->stacks[s->on], va, size))
		return true;
	for (u32 i = 0; i < s->nr_stacks; i++) {
		if (s->stacks[i].is_visited || !unwind_lies_on(&s->stacks[i], va, size))
			continue;
		s->stacks[i].is_visited = true;
		s->on = i;
		return true;
	}
	return false;
}

/* --- how it ends --------------------------------------------------------- */

bool unwind_end(struct unwind_state *s, enum kernel_stack_end end, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->ret->why, sizeof(s->ret->why), fmt, ap);
	va_end(ap);
	s->ret->end = end;
	return false;
}

bool unwind_break(struct unwind_state *s, const char *why)
{
	char name[KERNEL_SYMBOL_MAX];

	if (!kernel_symbol(s->u->tasks->kernel, s->ip, name, sizeof(name)))
		snprintf(name, sizeof(name), "%#llx", s->ip);
	return unwind_end(s, KSTACK_END_BROKEN, "%s at %.80s", why, name);
}

bool unwind_read(struct unwind_state *s, u64 va, u64 *ret)
{
	char why[80];

	if (va % 8 || !unwind_on_a_stack(s, va, 8)) {
		snprintf(why, sizeof(why), "the frame leads to %#llx, on no stack of this task,", va);
		return unwind_break(s, why);
	}
	if (!vmem_u64(s->u->tasks->kernel->vmem, va, ret))
		return unwind_end(s, KSTACK_END_BROKEN, "%s", vmem_why(s->u->tasks->kernel->vmem));
	return true;
}

/* --- a stack ------------------------------------------------------------- */

static bool add_stack_frame(struct unwind_state *s, u64 ip, u64 sp, bool is_guess)
{
	struct kernel_stack *ret = s->ret;

	if (ret->nr == KERNEL_STACK_FRAMES)
		return unwind_end(s, KSTACK_END_LIMIT, "more than %u frames", KERNEL_STACK_FRAMES);
	ret->frames[ret->nr++] = (struct kernel_frame){
		.ip = ip, .sp = sp, .stack = s->stacks[s->on].kind, .is_guess = is_guess,
		.is_exact = !is_guess && s->is_exact, .regs = is_guess ? 0 : s->regs_at,
	};
	return true;
}

/* The rest of a stack whose chain broke: each word that may be a return address. */
static void guess_frames(struct unwind_state *s)
{
	const struct stack_range *stack = &s->stacks[s->on];
	char why[sizeof(s->ret->why)];
	u64 word;

	memcpy(why, s->ret->why, sizeof(why));
	for (u64 va = (s->sp + 7) & ~7ULL; unwind_lies_on(stack, va, 8); va += 8) {
		if (!vmem_u64(s->u->tasks->kernel->vmem, va, &word))
			break;
		if (s->u->machine->code_address)
			word = s->u->machine->code_address(word);
		if (kernel_text_has(&s->u->text, word) && !add_stack_frame(s, word, va + 8, true))
			break;
	}
	s->ret->end = KSTACK_END_BROKEN;
	memcpy(s->ret->why, why, sizeof(why));
}

void kernel_unwind(struct kernel_unwinder *u, const struct kernel_task *task,
		   struct kernel_stack *ret)
{
	struct unwind_state s = { .u = u, .task = task, .ret = ret, .on = -1 };
	struct kernel_frame *frame;

	ret->nr = ret->nr_sure = 0;
	ret->why[0] = '\0';
	if (!u->data) {
		unwind_end(&s, KSTACK_NOT_UNWOUND, "%s", u->why);
		return;
	}
	if (task->is_lacking) {
		unwind_end(&s, KSTACK_NOT_UNWOUND, "%s", "the dump lacks what the kernel knows of this task");
		return;
	}
	if (!task->stack) {
		unwind_end(&s, KSTACK_NOT_UNWOUND, "%s", "it is dead and has given its stack back");
		return;
	}
	unwind_add_stack(&s, task->stack, u->tasks->stack_size, KSTACK_TASK);
	if (task->is_running)
		u->machine->add_cpu_stacks(&s, task->cpu);
	if (!(task->is_running ? u->machine->begin_running(&s) : u->machine->begin_asleep(&s)))
		return;
	while (add_stack_frame(&s, s.ip, s.sp, false)) {
		const int on = s.on;

		frame = &ret->frames[ret->nr - 1];
		ret->nr_sure = ret->nr;
		if (!u->machine->step(&s))
			break;
		frame->top = s.on == on ? s.sp : 0;
	}
	if (ret->end == KSTACK_END_BROKEN)
		guess_frames(&s);
}

/* --- names --------------------------------------------------------------- */

size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *buf,
			 size_t size)
{
	return frame->is_exact ? kernel_symbol(kernel, frame->ip, buf, size) :
				 kernel_caller(kernel, frame->ip, buf, size);
}

bool kernel_frame_function(const struct kernel *kernel, const struct kernel_frame *frame, char *buf,
			   size_t size)
{
	if (!kernel_frame_name(kernel, frame, buf, size))
		return false;
	buf[strcspn(buf, ".+")] = '\0';
	return true;
}
