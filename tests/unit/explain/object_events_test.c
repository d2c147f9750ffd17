// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An object whose timer a task took out while its work item ran: given up only if the memory says so, too.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdio.h>
#include <string.h>

#include "judge/object_events.h"
#include "kernel_state/tasks.h"
#include "tap.h"

#define OBJECT	0xffff888002700b00ULL
#define TIMER	(OBJECT + 0x18)
#define WORK	(OBJECT + 0x40)
#define TICK	0xffffffffc0400100ULL
#define APPLY	0xffffffffc0400200ULL
#define OTHER	0xffffffffc0400300ULL	/* another function */
#define SAMPLES	0x0003820900038200ULL

#define APART	0x1000ULL	/* of objects */

static u64 timer_function, work_function, object_size, lost, others_pointer;

bool kernel_state_member(const struct kernel *kernel, const char *type, const char *path, u64 va, u64 *ret)
{
	(void)kernel;
	(void)path;
	*ret = !strcmp(type, "timer_list") ? timer_function : work_function;
	return va == TIMER || va == WORK;
}

bool kernel_object_at(const struct kernel *kernel, u64 addr, struct kernel_object *ret)
{
	(void)kernel;
	*ret = (struct kernel_object){ .start = OBJECT + (addr - OBJECT) / APART * APART, .size = (u32)object_size, .cache = "kmalloc-256" };
	return addr - ret->start < object_size;
}

/* The pointer of the other objects. */
bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	(void)vmem;
	*ret = others_pointer;
	return size == 8 && (va - OBJECT) % APART == 0x10;
}

bool words_symbol(const struct explain *explain, u64 address, char *name, size_t size)
{
	(void)explain;
	snprintf(name, size, "%s", address == TICK ? "bar_tick+0x0/0x40 [bar]" : "bar_apply+0x0/0x40 [bar]");
	return address == TICK || address == APPLY || address == OTHER;
}

u64 pm_lost(const struct postmortem *pm)
{
	(void)pm;
	return lost;
}

/* --- the trace ----------------------------------------------------------- */

static struct explain explain;
static struct finding finding;
static struct history_cpu cpu;
static struct deferred places[DEFERRED_PLACES];

const struct deferred *deferred_find(const struct deferred_table *table, u64 object)
{
	for (u32 i = 0; i < 2; i++)
		if (table->places[i].object == object)
			return &table->places[i];
	return NULL;
}

/* A worker, 35, runs the work item; a task, 117, takes the timer out. */
static void begin(void)
{
	static struct postmortem pm;
	static struct kernel_report cause;

	memset(&pm, 0, sizeof(pm));
	pm.kernel = (void *)&pm;
	pm.end.pid = 35;
	cause = (struct kernel_report){ .time = 1000 };
	finding = (struct finding){ .kind = "wild-pointer", .strength = FINDING_SHOWN };
	cpu = (struct history_cpu){ .last = 1000, .nr_works = 1, .works = { { .object = WORK, .runner = 35 } } };
	explain = (struct explain){ .pm = &pm, .kernel = pm.kernel, .cause = &cause, .finding = &finding };
	explain.history.cpus = &cpu;
	explain.history.nr_cpus = 1;
	explain.history.has_work_ends = true;
	explain.history.deferred.places = places;
	memset(places, 0, sizeof(places));
	others_pointer = OBJECT;
	places[0] = (struct deferred){ .object = WORK, .function = APPLY, .kind = DEFERRED_WORK, .is_running = true, .began = { .time = 100, .pid = 35 } };
	places[1] = (struct deferred){ .object = TIMER, .function = TICK, .kind = DEFERRED_TIMER, .nr_runs = 40, .nr_cancels = 1,
				       .started = { .time = 200, .pid = 0 }, .cancelled = { .time = 300, .pid = 117, .comm = "hotplugd" } };
	object_size = 256;
	lost = 0;
	timer_function = work_function = SAMPLES;
}

static enum finding_strength judged(void)
{
	object_events_claim(&explain, "bar_apply()");
	return finding.strength;
}

/* Freed, and given to another. */
static void given_up__neither_is_there_any_more(void)
{
	begin();
	CHECK(judged() == FINDING_LIKELY && strstr(finding.claim, "given up under it: hotplugd-117 cancelled its timer"), "%s; %s", finding.claim, finding.open);
}

/* It was stopped, perhaps, and something else is damaged. */
static void given_up__the_timer_is_there_still(void)
{
	begin();
	timer_function = TICK;
	CHECK(judged() == FINDING_SHOWN && strstr(finding.open, "hotplugd-117"), "%s; %s", finding.claim, finding.open);
}

/* The work item is there still. */
static void given_up__the_work_item_is_there_still(void)
{
	begin();
	work_function = APPLY;
	CHECK(judged() == FINDING_SHOWN, "%s; %s", finding.claim, finding.open);
}

/* Both were set up anew: the object is its owner's. */
static void given_up__both_were_set_up_anew(void)
{
	begin();
	timer_function = work_function = OTHER;
	CHECK(judged() == FINDING_SHOWN, "%s; %s", finding.claim, finding.open);
}

/* Its owner cleared it, perhaps, to use it anew. */
static void given_up__both_were_cleared(void)
{
	begin();
	timer_function = work_function = 0;
	CHECK(judged() == FINDING_SHOWN, "%s; %s", finding.claim, finding.open);
}

/* The timer is in another object than the work item. */
static void given_up__it_is_of_another_object(void)
{
	begin();
	object_size = 0x40;
	CHECK(judged() == FINDING_SHOWN && !*finding.open, "%s; %s", finding.claim, finding.open);
}

/* It was taken out before the work item began. */
static void given_up__it_was_taken_out_before(void)
{
	begin();
	places[1].cancelled.time = 50;
	CHECK(judged() == FINDING_SHOWN && !*finding.open, "%s; %s", finding.claim, finding.open);
}

/* The worker itself took it out. */
static void given_up__the_worker_took_it_out(void)
{
	begin();
	places[1].cancelled.pid = 35;
	CHECK(judged() == FINDING_SHOWN && !*finding.open, "%s; %s", finding.claim, finding.open);
}

/* Events are lost: it may have been started anew. */
static void given_up__events_are_lost(void)
{
	begin();
	lost = 1;
	CHECK(judged() == FINDING_SHOWN && !*finding.open, "%s; %s", finding.claim, finding.open);
}

/* It is taken out again and again. */
static void given_up__it_is_taken_out_again_and_again(void)
{
	begin();
	places[1].nr_cancels = 3;
	CHECK(judged() == FINDING_SHOWN && !*finding.open, "%s; %s", finding.claim, finding.open);
}

/* --- a task that died with the object ------------------------------------- */

static struct runner reader;

const struct runner *runners_find(const struct runners *runners, u64 pid)
{
	(void)runners;
	return pid == 35 ? &reader : NULL;
}

/* It slept from 250 to 900, and the timer was taken out at 300. */
static void begin_task(void)
{
	begin();
	cpu.nr_works = 0;
	reader = (struct runner){ .pid = 35, .comm = "reader", .out = 250, .in = 900 };
	explain.has_slab = true;
	explain.slab = (struct kernel_object){ .start = OBJECT, .size = 256, .state = KOBJECT_IN_USE, .cache = "kmalloc-256" };
	explain.access.has_object = true;
	explain.access.object = OBJECT;
	explain.access.object_offset = 0x10;
	strcpy(finding.open, "Where the pointer got this value.");
}

static bool is_asked(void)
{
	object_events_ask(&explain);
	return finding.nr_evidence == 1 && strstr(finding.open, "Whether hotplugd-117 gave the object up with reader-35 still using it");
}

static void task_died__the_timer_is_there_no_more(void)
{
	begin_task();
	CHECK(is_asked() && finding.strength == FINDING_SHOWN, "%s", finding.open);
}

static void task_died__the_object_is_free(void)
{
	begin_task();
	timer_function = TICK;
	explain.slab.state = KOBJECT_FREE;
	CHECK(is_asked(), "%s", finding.open);
}

/* It was stopped, and another one wrote over the pointer. */
static void task_died__the_timer_is_still_there(void)
{
	begin_task();
	timer_function = TICK;
	CHECK(!is_asked() && !finding.nr_evidence, "%s", finding.open);
}

/* It may have been of another object, which was there before. */
static void task_died__it_was_taken_out_before_that_slept(void)
{
	begin_task();
	reader.out = 350;
	CHECK(!is_asked() && !finding.nr_evidence, "%s", finding.open);
}

/* The one that died slept since; but two others that have such a timer have a pointer there. */
static void begin_others(void)
{
	begin_task();
	reader.out = 350;
	for (u32 i = 2; i < 4; i++)
		places[i] = (struct deferred){ .object = TIMER + APART * i, .function = TICK, .kind = DEFERRED_TIMER, .nr_runs = 40, .is_pending = true };
}

static void task_died__it_was_one_of_these(void)
{
	begin_others();
	CHECK(is_asked(), "%s", finding.open);
}

static void task_died__these_have_no_pointer_there(void)
{
	begin_others();
	others_pointer = SAMPLES;
	CHECK(!is_asked() && !finding.nr_evidence, "%s", finding.open);
}

static void task_died__one_is_no_kind(void)
{
	begin_others();
	places[3].is_pending = false;
	CHECK(!is_asked() && !finding.nr_evidence, "%s", finding.open);
}

static void task_died__these_have_it_elsewhere(void)
{
	begin_others();
	places[2].object += 8;
	places[3].object += 8;
	CHECK(!is_asked() && !finding.nr_evidence, "%s", finding.open);
}

static void task_died__the_timer_was_started_anew(void)
{
	begin_task();
	places[1].started.time = 400;
	places[1].is_pending = true;
	CHECK(!is_asked() && !finding.nr_evidence, "%s", finding.open);
}

static void task_died__the_timer_is_of_the_next_object(void)
{
	begin_task();
	explain.slab.size = 0x18;
	CHECK(!is_asked() && !finding.nr_evidence, "%s", finding.open);
}

static void task_died__more_is_known(void)
{
	begin_task();
	strcpy(finding.open, "Which way that was.");
	CHECK(!is_asked() && !finding.nr_evidence, "%s", finding.open);
}

int main(void)
{
	TAP_RUN(task_died__the_timer_is_there_no_more);
	TAP_RUN(task_died__the_object_is_free);
	TAP_RUN(task_died__the_timer_is_still_there);
	TAP_RUN(task_died__it_was_taken_out_before_that_slept);
	TAP_RUN(task_died__it_was_one_of_these);
	TAP_RUN(task_died__these_have_no_pointer_there);
	TAP_RUN(task_died__one_is_no_kind);
	TAP_RUN(task_died__these_have_it_elsewhere);
	TAP_RUN(task_died__the_timer_was_started_anew);
	TAP_RUN(task_died__the_timer_is_of_the_next_object);
	TAP_RUN(task_died__more_is_known);
	TAP_RUN(given_up__neither_is_there_any_more);
	TAP_RUN(given_up__the_timer_is_there_still);
	TAP_RUN(given_up__the_work_item_is_there_still);
	TAP_RUN(given_up__both_were_set_up_anew);
	TAP_RUN(given_up__both_were_cleared);
	TAP_RUN(given_up__it_is_of_another_object);
	TAP_RUN(given_up__it_was_taken_out_before);
	TAP_RUN(given_up__the_worker_took_it_out);
	TAP_RUN(given_up__events_are_lost);
	TAP_RUN(given_up__it_is_taken_out_again_and_again);
	return tap_done();
}
