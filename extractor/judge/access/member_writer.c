// SPDX-License-Identifier: GPL-2.0-or-later
#include "member_writer.h"

#include <stdlib.h>
#include <string.h>

#include "fault/frame_register.h"
#include "fault/tail_jump.h"
#include "kernel_state/unwind.h"
#include "linux_kernel/vmem.h"

/* The number of the frame that has that name; nr_sure: none. */
static u32 frame_of_giver(const struct kernel *kernel, const struct kernel_stack *stack, const char *giver)
{
	char name[KERNEL_SYMBOL_MAX];
	u32 i;

	for (i = 0; i < stack->nr_sure; i++)
		if (kernel_frame_name(kernel, &stack->frames[i], name, sizeof(name)) && !strcmp(name, giver))
			break;
	return i;
}

/* By the registers that the caller had. */
static bool address_of_caller(u64 *ret, const struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	const struct kernel *kernel = explain->kernel;
	struct function_code *code = malloc(sizeof(*code));
	struct kernel_stack *stack = malloc(sizeof(*stack));
	const char *giver = explain->access.giver;
	const struct kernel_task *task = NULL;
	struct kernel_unwinder *unwinder = NULL;
	struct kernel_tasks *tasks = NULL;
	struct err err = ERR_INIT;
	struct instruction call;
	bool is = false;
	u32 frame;

	if (code && stack && report->pid.text && !kernel_tasks_open(&tasks, kernel, &err) && !kernel_unwinder_open(&unwinder, tasks, &err)) {
		for (u32 i = 0; i < tasks->nr && !task; i++)
			if (tasks->list[i].is_running && (u64)tasks->list[i].pid == report_text_number(report->pid, report->pid.text, 10))
				task = &tasks->list[i];
		if (task)
			kernel_unwind(unwinder, task, stack);
		frame = task ? frame_of_giver(kernel, stack, giver) : 0;
		is = task && frame < stack->nr_sure && function_code_read_caller(code, kernel, (struct report_text){ giver, strlen(giver) }) &&
		     tail_jump_call_before(&call, code) && frame_value(ret, kernel, task, stack, frame, code, &explain->access.member_at);
	}
	kernel_unwinder_close(unwinder);
	kernel_tasks_close(tasks);
	free(stack);
	free(code);
	return is;
}

/* From the start of the object or variable on. */
static bool offset_in_object(u64 *ret, const struct kernel *kernel, u64 address, u64 reader)
{
	const struct kernel_module *module = kernel->modules ? kernel_modules_at(kernel->modules, address) : NULL;
	struct kernel_object object;
	struct ksym symbol;

	if (kernel_object_at(kernel, address, &object)) {
		*ret = address - object.start;
		return object.state == KOBJECT_IN_USE;
	}
	if (!module || module != kernel_modules_at(kernel->modules, reader) || !kernel_modules_find(kernel->modules, module, address, &symbol))
		return false;
	*ret = address - symbol.start;
	return true;
}

bool member_writer_find(struct member_writers *writers, u64 *offset, const struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	const struct kernel *kernel = explain->kernel;
	u64 address, value;

	if (!access->has_member || !kernel)
		return false;
	address = access->object + (u64)access->object_offset;
	return (*access->giver ? address_of_caller(&address, explain) : access->has_object) && vmem_number(kernel->vmem, address, 8, &value) &&
	       value == access->pointer_value && offset_in_object(offset, kernel, address, access->reader) &&
	       member_writers_find(writers, kernel, access->reader, (s64)*offset);
}
