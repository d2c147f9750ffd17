// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who ran within the module since the task that died slept last; and when that says nothing.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdio.h>
#include <string.h>

#include "judge/hang/hang.h"
#include "judge/hang/owners.h"
#include "tap.h"

#define TICK	0xffffffffc0400100ULL

enum { READER, CLOSER, HUB, SHELL, NR_TASKS };

static struct kernel_task tasks[NR_TASKS] = {
	{ .pid = 116, .comm = "reader", .is_running = true }, { .pid = 115, .comm = "closer" }, { .pid = 117, .comm = "hub" }, { .pid = 96, .comm = "sh" },
};
static struct kernel_tasks all = { .list = tasks, .nr = NR_TASKS };
static struct runner runners[RUNNERS_PLACES];
static struct deferred places[DEFERRED_PLACES];
static u64 lost;

bool owners_open(struct owners *owners, const struct explain *explain)
{
	(void)explain;
	owners->tasks = &all;
	return true;
}

void owners_close(struct owners *owners)
{
	(void)owners;
}

void kernel_unwind(struct kernel_unwinder *unwinder, const struct kernel_task *task, struct kernel_stack *stack)
{
	(void)unwinder;
	*stack = (struct kernel_stack){ .nr = 1, .nr_sure = 1, .frames = { { .ip = (u64)task->pid } } };
}

size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *name, size_t size)
{
	(void)kernel;
	return (size_t)snprintf(name, size, "%s", frame->ip == 96 ? "do_wait+0x1/0x2" : "main+0x1/0x20 [cam]");
}

const struct runner *runners_find(const struct runners *of, u64 pid)
{
	for (u32 i = 0; i < NR_TASKS; i++)
		if (of->places[i].pid == pid)
			return &of->places[i];
	return NULL;
}

bool words_symbol(const struct explain *explain, u64 address, char *name, size_t size)
{
	(void)explain;
	snprintf(name, size, "tick+0x0/0x40 [cam]");
	return address == TICK;
}

u64 pm_lost(const struct postmortem *pm)
{
	(void)pm;
	return lost;
}

/* --- the trace ----------------------------------------------------------- */

static struct explain explain;
static struct finding finding;
static struct postmortem pm;
static struct kernel_report cause;
static struct history_cpu cpus[2];

/* The reader slept from 1000 to 2000 us and dies at 2100; the closer ran at 1500, the hub at 500, the shell at 1600. */
static void begin(bool has_dump)
{
	memset(&explain, 0, sizeof(explain));
	memset(&finding, 0, sizeof(finding));
	memset(&pm, 0, sizeof(pm));
	memset(cpus, 0, sizeof(cpus));
	memset(places, 0, sizeof(places));
	pm.kernel = has_dump ? (void *)&pm : NULL;
	cause = (struct kernel_report){ .time = 2100000, .pid = { "116", 3 } };
	explain.pm = &pm;
	explain.cause = &cause;
	explain.finding = &finding;
	explain.history.cpus = cpus;
	explain.history.nr_cpus = 2;
	explain.history.deferred.places = places;
	explain.history.runners.places = runners;
	strcpy(explain.fault.module, "cam");
	strcpy(explain.clearing, "stop+0x0/0x20 [cam]");
	cpus[0].pid = 116;
	runners[READER] = (struct runner){ .pid = 116, .comm = "reader", .out = 1000000, .in = 2000000 };
	runners[CLOSER] = (struct runner){ .pid = 115, .comm = "closer", .in = 1500000, .out = 1510000, .state = 1, .other = 2, .nr_so = 1, .nr_other = 20 };
	runners[HUB] = (struct runner){ .pid = 117, .comm = "hub", .in = 500000, .out = 510000 };
	runners[SHELL] = (struct runner){ .pid = 96, .comm = "sh", .in = 1600000, .out = 1610000 };
	lost = 0;
}

static bool is_asked(void)
{
	module_between_add(&explain);
	return finding.nr_evidence == 1 && strstr(finding.evidence[0].text, "closer-115 ran, the only one") &&
	       (!pm.kernel || strstr(finding.open, "Whether closer-115 cleared it, in stop() of module cam"));
}

static bool is_nothing(void)
{
	module_between_add(&explain);
	return !finding.nr_evidence && !*finding.open;
}

#define SAID	"%s; %s", finding.evidence[0].text, finding.open

static void between__one_of_the_module_ran(void)
{
	begin(true);
	CHECK(is_asked() && strstr(finding.evidence[0].text, "in another state then than 20 times"), SAID);
}

static void between__two_of_the_module_ran(void)
{
	begin(true);
	runners[HUB].out = 1700000;
	CHECK(is_nothing(), SAID);
}

/* It never gave up the other CPU. */
static void between__one_runs_all_the_time(void)
{
	begin(true);
	cpus[1].pid = 117;
	CHECK(is_nothing(), SAID);
}

static void between__none_ran(void)
{
	begin(true);
	runners[CLOSER].in = runners[CLOSER].out = 900000;
	CHECK(is_nothing(), SAID);
}

static void between__a_timer_of_the_module_ran(void)
{
	begin(true);
	places[7] = (struct deferred){ .object = 0x1000, .function = TICK, .began = { .time = 1800000 }, .ended = { .time = 1800010 } };
	CHECK(is_nothing(), SAID);
}

static void between__events_are_lost(void)
{
	begin(true);
	lost = 1;
	CHECK(is_nothing(), SAID);
}

static void between__it_died_in_an_interrupt(void)
{
	begin(true);
	cause.interrupted = (struct report_text){ "x+0x1/0x2", 9 };
	CHECK(is_nothing(), SAID);
}

/* Another one had its place, and ran in that time. */
static void between__one_is_forgotten(void)
{
	begin(true);
	explain.history.runners.replaced = 1200000;
	CHECK(is_nothing(), SAID);
}

/* Without a dump it is not known who is within the module. */
static void between__a_region_has_two_that_ran(void)
{
	begin(false);
	CHECK(is_nothing(), SAID);
}

static void between__a_region_has_one_that_changed(void)
{
	begin(false);
	runners[SHELL].in = runners[SHELL].out = 0;
	CHECK(is_asked(), SAID);
}

static void between__a_region_has_one_that_slept_as_ever(void)
{
	begin(false);
	runners[SHELL].in = runners[SHELL].out = 0;
	runners[CLOSER].nr_so = 20;
	CHECK(is_nothing(), SAID);
}

/* Nothing is known of the pointer, but that the closer sleeps with the object that it was read from. */
static void begin_with_sleeper(void)
{
	begin(true);
	*explain.clearing = '\0';
	explain.access.has_object = true;
	explain.nr_sleepers = 1;
	explain.sleepers[0] = (struct sleeper){ .pid = 115, .function = "vm_create" };
	finding.kind = "null-pointer";
	strcpy(finding.open, "Where the pointer got this value. And so on.");
}

static bool asks_sleeper(void)
{
	module_between_add(&explain);
	return strstr(finding.open, "Whether closer-115 had not set that pointer yet, or cleared it: it sleeps in vm_create()");
}

static void between__it_sleeps_with_the_object(void)
{
	begin_with_sleeper();
	CHECK(asks_sleeper(), SAID);
}

static void between__two_sleep_with_the_object(void)
{
	begin_with_sleeper();
	explain.nr_sleepers = 2;
	explain.sleepers[1] = (struct sleeper){ .pid = 117, .function = "hub" };
	CHECK(!asks_sleeper(), SAID);
}

static void between__another_one_sleeps_with_it(void)
{
	begin_with_sleeper();
	explain.sleepers[0].pid = 117;
	CHECK(!asks_sleeper(), SAID);
}

static void between__the_pointer_was_not_null(void)
{
	begin_with_sleeper();
	explain.access.pointer_value = 0x4141414141414141ULL;
	CHECK(!asks_sleeper(), SAID);
}

static void between__more_is_known_of_the_pointer(void)
{
	begin_with_sleeper();
	strcpy(finding.open, "Why set() had not set it.");
	CHECK(!asks_sleeper(), SAID);
}

int main(void)
{
	TAP_RUN(between__it_sleeps_with_the_object);
	TAP_RUN(between__two_sleep_with_the_object);
	TAP_RUN(between__another_one_sleeps_with_it);
	TAP_RUN(between__the_pointer_was_not_null);
	TAP_RUN(between__more_is_known_of_the_pointer);
	TAP_RUN(between__one_of_the_module_ran);
	TAP_RUN(between__two_of_the_module_ran);
	TAP_RUN(between__one_runs_all_the_time);
	TAP_RUN(between__none_ran);
	TAP_RUN(between__a_timer_of_the_module_ran);
	TAP_RUN(between__events_are_lost);
	TAP_RUN(between__it_died_in_an_interrupt);
	TAP_RUN(between__one_is_forgotten);
	TAP_RUN(between__a_region_has_two_that_ran);
	TAP_RUN(between__a_region_has_one_that_changed);
	TAP_RUN(between__a_region_has_one_that_slept_as_ever);
	return tap_done();
}
