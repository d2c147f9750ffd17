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

enum { HUNG, READER, NR_TASKS };

static struct kernel_task list[] = {
	[HUNG] = { .va = 0x1000, .pid = 6, .comm = "kworker/u8:1", .state = 'D', .cpu = 0 },
	[READER] = { .va = 0x2000, .pid = 7, .comm = "epitaph", .state = 'R', .is_running = true, .cpu = 1 },
};
static struct kernel_tasks tasks = { .list = list, .nr = NR_TASKS };
static u64 ran[NR_TASKS];
/* Of each CPU: the clock that all share, and by how much its own lags. */
static struct {
	u64 clock;
	u64 lag;
} clocks[2];
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

bool kernel_cpu_is_online(const struct kernel *kernel, u32 cpu)
{
	(void)kernel;
	return cpu < ARRAY_SIZE(clocks);
}

bool kernel_percpu(const struct kernel *kernel, const char *symbol, u32 cpu, u64 *ret)
{
	(void)kernel;
	*ret = cpu;
	return has_clock && !strcmp(symbol, "runqueues");
}

bool kernel_state_member(const struct kernel *kernel, const char *type, const char *path, u64 va, u64 *ret)
{
	(void)kernel;
	if (!strcmp(type, "rq")) {
		*ret = clocks[va].clock - (strcmp(path, "clock") ? clocks[va].lag : 0);
		return true;
	}
	*ret = ran[va == list[READER].va];
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
	static struct kernel dump = { .nr_cpu_ids = ARRAY_SIZE(clocks) };
	static struct report_line line = { .time = 9000 * SECOND, .text = TITLE, .len = strlen(TITLE) };
	static struct kernel_report report = { .kind = KERNEL_REPORT_HUNG_TASK, .time = 9000 * SECOND, .title = { TITLE, strlen(TITLE) } };
	static struct postmortem pm = { .kernel = &dump, .end = { .time = 9000 * SECOND } };
	struct death death = { .lines = { .list = &line, .nr = 1 }, .reports = { .list = &report, .nr = 1 } };
	struct explain *explain = calloc(1, sizeof(*explain));
	struct finding *finding = calloc(1, sizeof(*finding));
	enum finding_strength ret;

	/* A CPU that has been idle since the task ran looked at its clock then. */
	clocks[1].clock = 20000 * SECOND;
	clocks[0].clock = clocks[1].clock - ago * SECOND;
	ran[READER] = clocks[1].clock - clocks[1].lag;
	ran[HUNG] = clocks[0].clock - clocks[0].lag;
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

static void still__clocks_of_two_cpus_may_lag(void)
{
	has_clock = true;
	clocks[1].lag = 130 * SECOND;
	CHECK(strength(125) == FINDING_SHOWN && strength(100) == FINDING_NOT_KNOWN, "that of the CPU which reads lags");
	clocks[1].lag = 0;
	clocks[0].lag = 130 * SECOND;
	CHECK(strength(125) == FINDING_SHOWN, "that of the task's lags");
	clocks[0].lag = 0;
}

static void still__a_holder_ran_by_the_clock_of_all(void)
{
	static const struct kernel dump;

	has_clock = true;
	clocks[0].clock = clocks[1].clock = 20000 * SECOND;
	clocks[0].lag = 60 * SECOND;
	clocks[1].lag = 0;
	ran[HUNG] = 1000 * SECOND;
	ran[READER] = 1030 * SECOND;
	CHECK(owners_ran_since(&dump, &list[READER], &list[HUNG]) == -1, "the waiter may have fallen asleep at 1060 s");
	ran[READER] = 1062 * SECOND;
	CHECK(owners_ran_since(&dump, &list[READER], &list[HUNG]) == 1, "surely after it");
	ran[READER] = 999 * SECOND;
	CHECK(!owners_ran_since(&dump, &list[READER], &list[HUNG]), "surely before it");
	ran[READER] = 1030 * SECOND;
	CHECK(owners_ran_since(&dump, &list[HUNG], &list[READER]) == -1, "one that ran at 1000 to 1060 s may have run before 1030 s");
	clocks[0].lag = 0;
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
	TAP_RUN(still__clocks_of_two_cpus_may_lag);
	TAP_RUN(still__a_holder_ran_by_the_clock_of_all);
	TAP_RUN(still__without_that_clock_it_sleeps);
	return tap_done();
}
