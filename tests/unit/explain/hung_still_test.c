// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A machine that runs, and a task that the kernel had reported as hung: does it hang still, by the memory?
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdlib.h>
#include <string.h>

#include "judge/hang/hang.h"
#include "judge/hang/owners.h"
#include "tap.h"

#define TITLE	"INFO: task kworker/u8:1:6 blocked for more than 122 seconds."
#define SECOND	1000000000ULL

static struct kernel_task list[] = {
	{ .va = 0x1000, .pid = 6, .comm = "kworker/u8:1", .state = 'D' }, { .va = 0x2000, .pid = 7, .comm = "epitaph", .state = 'R', .is_running = true },
};
static struct kernel_tasks tasks = { .list = list, .nr = ARRAY_SIZE(list) };
static u64 ran[ARRAY_SIZE(list)];
static bool has_clock;

int kernel_tasks_open(struct kernel_tasks **ret, const struct kernel *kernel, struct err *err)
{
	(void)kernel;
	(void)err;
	*ret = &tasks;
	return 0;
}

void kernel_tasks_close(struct kernel_tasks *all)
{
	(void)all;
}

bool kernel_state_member(const struct kernel *kernel, const char *type, const char *path, u64 va, u64 *ret)
{
	(void)kernel;
	(void)type;
	*ret = ran[va == list[1].va];
	return has_clock && !strcmp(path, "se.exec_start");
}

bool owners_open(struct owners *owners, const struct explain *explain)
{
	(void)explain;
	memset(owners, 0, sizeof(*owners));
	return false;
}

void owners_close(struct owners *owners)
{
	(void)owners;
}

/* @ago: seconds since it ran last; the report, of 122 s, is the last line of the log. */
static enum finding_strength strength(u64 ago)
{
	static struct kernel dump;
	static struct report_line line = { .time = 9000 * SECOND, .text = TITLE, .len = strlen(TITLE) };
	static struct kernel_report report = { .kind = KERNEL_REPORT_HUNG_TASK, .time = 9000 * SECOND, .title = { TITLE, strlen(TITLE) } };
	static struct postmortem pm = { .kernel = &dump, .end = { .time = 9000 * SECOND } };
	struct death death = { .lines = { .list = &line, .nr = 1 }, .reports = { .list = &report, .nr = 1 } };
	struct explain *explain = calloc(1, sizeof(*explain));
	struct finding *finding = calloc(1, sizeof(*finding));
	enum finding_strength ret;

	ran[1] = 20000 * SECOND;
	ran[0] = ran[1] - ago * SECOND;
	explain->pm = &pm;
	explain->death = &death;
	explain->cause = &report;
	explain->is_hang = true;
	explain->finding = finding;
	ret = judge_hung_task(explain) ? finding->strength : FINDING_NOT_KNOWN;
	free(finding);
	free(explain);
	return ret;
}

static void still__a_task_that_did_not_run_since(void)
{
	has_clock = true;
	CHECK(strength(122) == FINDING_SHOWN && strength(11000) == FINDING_SHOWN, "it has slept for as long as the kernel says, or longer");
}

static void still__not_one_that_ran_since(void)
{
	has_clock = true;
	CHECK(strength(0) == FINDING_NOT_KNOWN && strength(100) == FINDING_NOT_KNOWN, "it waits anew");
}

static void still__without_that_clock_it_sleeps(void)
{
	has_clock = false;
	CHECK(strength(0) == FINDING_SHOWN, "no more is known");
}

int main(void)
{
	TAP_RUN(still__a_task_that_did_not_run_since);
	TAP_RUN(still__not_one_that_ran_since);
	TAP_RUN(still__without_that_clock_it_sleeps);
	return tap_done();
}
