// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A work function that took its work item for another one of its object, by a small memory. And others that used a function's address.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdlib.h>
#include <string.h>

#include "judge/other_member.h"
#include "kernel_state/tasks.h"
#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"
#include "tap.h"

#define TASK	0xffff888000001000ULL
#define THREAD	0xffff888000001100ULL
#define WORKER	0xffff888000001200ULL
#define OBJECT	0xffff888000002000ULL
#define FUNC	0x18	/* of work_struct */
#define FLIP	0xffffffffc0400000ULL
#define VBLANK	0xffffffffc0400040ULL

/* The object has two work items, at 0x10 and at 0x30. */
static u64 words[16], runs, current;

static struct kernel_task task = { .pid = 29, .va = TASK, .comm = "kworker/1:1" };
static struct kernel_tasks all = { .list = &task, .nr = 1 };

int kernel_tasks_open(struct kernel_tasks **ret, const struct kernel *kernel, struct err *err)
{
	(void)kernel;
	(void)err;
	*ret = &all;
	return 0;
}

void kernel_tasks_close(struct kernel_tasks *tasks)
{
	(void)tasks;
}

bool kernel_state_member(const struct kernel *kernel, const char *type, const char *member, u64 va, u64 *ret)
{
	(void)kernel;
	(void)type;
	if (va == TASK && !strcmp(member, "worker_private"))
		*ret = THREAD;
	else if (va == THREAD && !strcmp(member, "data"))
		*ret = WORKER;
	else if (va == WORKER && !strcmp(member, "task"))
		*ret = TASK;
	else if (va == WORKER && !strcmp(member, "current_work"))
		*ret = current;
	else if (va == WORKER && !strcmp(member, "current_func"))
		*ret = runs;
	else
		return false;
	return true;
}

bool kernel_btf_member(const struct kernel_btf *kt, const char *type, const char *member, struct btf_member_place *ret)
{
	(void)kt;
	*ret = (struct btf_member_place){ .offset = FUNC };
	return !strcmp(type, "work_struct") && !strcmp(member, "func");
}

bool kernel_object_at(const struct kernel *kernel, u64 va, struct kernel_object *ret)
{
	(void)kernel;
	*ret = (struct kernel_object){ .start = OBJECT, .size = sizeof(words), .state = KOBJECT_IN_USE, .cache = "kmalloc-128" };
	return va - OBJECT < sizeof(words);
}

bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	(void)vmem;
	if (size != 8 || va - OBJECT >= sizeof(words) || va % 8)
		return false;
	*ret = words[(va - OBJECT) / 8];
	return true;
}

bool words_symbol(const struct explain *explain, u64 address, char *name, size_t size)
{
	(void)explain;
	snprintf(name, size, "%s+0x%llx/0x40 [disp]", address - VBLANK < 0x40 ? "disp_vblank" : "disp_flip", address % 0x40);
	return address - FLIP < 0x80;
}

static void begin(void)
{
	memset(words, 0, sizeof(words));
	words[(0x10 + FUNC) / 8] = VBLANK;
	words[(0x30 + FUNC) / 8] = FLIP;
	task.flags = KERNEL_TASK_WORKER | KERNEL_TASK_KTHREAD;
	current = OBJECT + 0x30;
	runs = FLIP;
}

static struct finding finding;

static bool is_taken(u64 pointer)
{
	static struct kernel dump = { .ktypes = (struct kernel_btf *)&dump };
	static struct postmortem pm = { .kernel = &dump };
	static const struct kernel_report report = { .pid = { "29", 2 } };
	struct explain *explain = calloc(1, sizeof(*explain));

	memset(&finding, 0, sizeof(finding));
	finding.kind = "wild-pointer";
	explain->pm = &pm;
	explain->kernel = pm.kernel;
	explain->finding = &finding;
	explain->cause = &report;
	explain->access.has_memory = explain->access.agrees = true;
	explain->access.pointer_value = pointer;
	other_member_claim(explain, "plane_show() of module disp");
	free(explain);
	CHECK(!*finding.claim || finding.strength == FINDING_LIKELY, "%s", finding.claim);
	return *finding.claim;
}

static void other__the_function_of_a_neighbour_was_taken_for_a_pointer(void)
{
	begin();
	CHECK(is_taken(VBLANK) && strstr(finding.claim, "disp_flip() of module disp probably took its work item for another member"), "%s", finding.claim);
	CHECK(strstr(finding.evidence[0].text, "lies at 0x30") && strstr(finding.evidence[0].text, "at 0x10"), "%s", finding.evidence[0].text);
}

static void other__what_is_no_such_is_not_claimed(void)
{
	begin();
	CHECK(!is_taken(VBLANK + 8), "the middle of a function");
	CHECK(!is_taken(FLIP), "its own function");
	words[1] = VBLANK;
	words[15] = VBLANK;
	CHECK(!is_taken(VBLANK), "the object has it at several places");
	begin();
	words[(0x10 + FUNC) / 8] = 0;
	CHECK(!is_taken(VBLANK), "the object has it nowhere");
	begin();
	task.flags = KERNEL_TASK_KTHREAD;
	CHECK(!is_taken(VBLANK), "no worker died");
	begin();
	current = 0;
	CHECK(!is_taken(VBLANK), "it runs none");
}

int main(void)
{
	TAP_RUN(other__the_function_of_a_neighbour_was_taken_for_a_pointer);
	TAP_RUN(other__what_is_no_such_is_not_claimed);
	return tap_done();
}
