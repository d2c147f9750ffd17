// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What each event of the kernel says of tasks, timers, work items, objects and modules. Names of events and fields
 * are those of include/trace/events/{sched,timer,workqueue,kmem,module}.h.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdio.h>
#include <string.h>

#include "event/field_iter.h"
#include "event/formats.h"
#include "judge/history.h"
#include "tap.h"

#define OBJECT	0xffff888002700b00ULL
#define TICK	0xffffffff81400100ULL

struct event {
	const char *name;
	struct {
		const char *name;
		u64 number;
		const char *text;
	} fields[6];
};

static const struct event *trace;
static size_t nr, at;
static struct item item;

int timeline_open(struct timeline **ret, struct postmortem *pm, u64 after, bool no_log, struct err *err)
{
	(void)pm;
	(void)after;
	(void)no_log;
	(void)err;
	*ret = NULL;
	at = 0;
	return 0;
}

const struct item *timeline_next(struct timeline *timeline)
{
	static struct stream stream = { .formats = (void *)&stream };

	(void)timeline;
	if (at == nr)
		return NULL;
	item = (struct item){ .kind = ITEM_EVENT, .stream = &stream, .cpu = 1, .time = 100 + at, .id = at, .pid = 7, .comm = "bar" };
	at++;
	return &item;
}

void timeline_close(struct timeline *timeline)
{
	(void)timeline;
}

const char *formats_name(struct formats *formats, u32 id)
{
	(void)formats;
	return trace[id].name;
}

const struct format *formats_get(struct formats *formats, u32 id)
{
	static struct format format;

	(void)formats;
	format.is_switch = !strcmp(trace[id].name, "sched:sched_switch");
	return &format;
}

bool field_iter_find(const struct item *of, const char *name, struct field *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(trace->fields) && trace[of->id].fields[i].name; i++) {
		const char *text = trace[of->id].fields[i].text;

		if (strcmp(trace[of->id].fields[i].name, name))
			continue;
		*ret = (struct field){ .name = name, .kind = text ? FIELD_TEXT : FIELD_NUMBER, .number = trace[of->id].fields[i].number,
				       .data = text, .size = text ? strlen(text) : 0 };
		return true;
	}
	return false;
}

static struct history history;

static void read_trace(const struct event *events, size_t nr_events)
{
	static struct postmortem pm = { .origin.nr_cpus = 2, .end.time = 10000 };
	struct err err = { 0 };
	int ret;

	trace = events;
	nr = nr_events;
	history_free(&history);
	memset(&history, 0, sizeof(history));
	history_ask_task(&history, 35);
	ret = history_read(&history, &pm, &err);
	CHECK(!ret && history.nr_events == nr, "%d, %llu events", ret, (unsigned long long)history.nr_events);
}

#define READ(...) do {						\
	static const struct event events[] = { __VA_ARGS__ };	\
								\
	read_trace(events, ARRAY_SIZE(events));			\
} while (0)

static void history__task_switches_and_wakeups(void)
{
	READ({ "sched:sched_switch", { { "prev_comm", 0, "foo" }, { "prev_pid", 35, NULL }, { "prev_state", 2, NULL },
				       { "next_comm", 0, "bar" }, { "next_pid", 7, NULL }, { "next_prio", 120, NULL } } });
	CHECK(history.has_switches && history.tasks[0].out == 100 && !history.tasks[0].woken && history.cpus[1].pid == 7, "out %llu",
	      (unsigned long long)history.tasks[0].out);
	READ({ "sched:sched_waking", { { "comm", 0, "foo" }, { "pid", 35, NULL } } });
	CHECK(history.tasks[0].woken == 100, "waking");
	READ({ "sched:sched_wakeup", { { "comm", 0, "foo" }, { "pid", 35, NULL } } });
	CHECK(history.tasks[0].woken == 100, "wakeup");
	READ({ "sched:sched_wakeup_new", { { "comm", 0, "foo" }, { "pid", 35, NULL } } });
	CHECK(history.tasks[0].woken == 100, "wakeup_new");
	READ({ "sched:sched_process_exit", { { "comm", 0, "foo" }, { "pid", 35, NULL } } });
	CHECK(!history.tasks[0].woken, "an end is no wakeup");
}

static void history__timers_of_the_wheel(void)
{
	READ({ "timer:timer_start", { { "timer", OBJECT, NULL }, { "function", TICK, NULL } } });
	CHECK(history_origin(&history, OBJECT) && history_origin(&history, OBJECT)->function == TICK && history_origin(&history, OBJECT)->pid == 7,
	      "a start");
	READ({ "timer:timer_cancel", { { "timer", OBJECT, NULL } } });
	CHECK(history.cpus[1].cancelled == OBJECT && !history_origin(&history, OBJECT), "a timer is taken out");
	READ({ "timer:timer_expire_entry", { { "timer", OBJECT, NULL }, { "function", TICK, NULL } } });
	CHECK(history.cpus[1].runs == HISTORY_TIMER && history.cpus[1].object == OBJECT && !history.has_timer_ends, "it runs");
	READ({ "timer:timer_expire_entry", { { "timer", OBJECT, NULL } } }, { "timer:timer_expire_exit", { { "timer", OBJECT, NULL } } });
	CHECK(history.cpus[1].runs == HISTORY_NOTHING && history.has_timer_ends, "it ended");
	/* The task that is running then was only interrupted. */
	READ({ "timer:timer_start", { { "timer", OBJECT, NULL } } }, { "timer:timer_expire_entry", { { "timer", OBJECT, NULL } } },
	     { "timer:timer_expire_exit", { { "timer", OBJECT, NULL } } }, { "timer:timer_expire_entry", { { "timer", OBJECT, NULL } } },
	     { "timer:timer_start", { { "timer", OBJECT, NULL } } }, { "timer:timer_start", { { "timer", OBJECT + 0x100, NULL } } },
	     { "workqueue:workqueue_queue_work", { { "work", OBJECT + 0x200, NULL } } });
	CHECK(history_origin(&history, OBJECT) && history_origin(&history, OBJECT)->time == 100 && history_origin(&history, OBJECT)->pid == 7, "it armed itself again");
	CHECK(history_origin(&history, OBJECT + 0x100) && history_origin(&history, OBJECT + 0x100)->pid == DEFERRED_BY_TIMER, "it armed another one");
	CHECK(history_origin(&history, OBJECT + 0x200) && history_origin(&history, OBJECT + 0x200)->pid == DEFERRED_BY_TIMER, "it queued a work item");
	CHECK(deferred_find(&history.deferred, OBJECT)->started.pid == DEFERRED_BY_TIMER, "a timer's function started it last");
}

static void history__timers_of_high_resolution(void)
{
	READ({ "timer:hrtimer_start", { { "hrtimer", OBJECT, NULL }, { "function", TICK, NULL }, { "expires", 5000, NULL } } });
	CHECK(history_fine(&history, OBJECT) && history_fine(&history, OBJECT)->is_armed && history_fine(&history, OBJECT)->origin.expires == 5000 &&
	      history.cpus[1].fine_is_armed, "a start");
	READ({ "timer:hrtimer_start", { { "hrtimer", OBJECT, NULL }, { "expires", 5000, NULL } } }, { "timer:hrtimer_cancel", { { "hrtimer", OBJECT, NULL } } });
	CHECK(history_fine(&history, OBJECT) && !history_fine(&history, OBJECT)->is_armed && history.cpus[1].fine == OBJECT &&
	      !history.cpus[1].fine_is_armed, "it is taken out");
	READ({ "timer:hrtimer_expire_entry", { { "hrtimer", OBJECT, NULL }, { "now", 5001, NULL }, { "function", TICK, NULL } } });
	CHECK(history.cpus[1].ticked == 100 && history.cpus[1].repeated == OBJECT && history.cpus[1].repeats == 1 &&
	      history.cpus[1].repeated_function == TICK, "it runs");
	READ({ "timer:hrtimer_expire_exit", { { "hrtimer", OBJECT, NULL } } });
	CHECK(!history.cpus[1].ticked && !history.has_timer_ends, "its end is no run, and no end of a timer of the wheel");
	/* The task that is running then was only interrupted. */
	READ({ "timer:hrtimer_expire_exit", { { "hrtimer", OBJECT, NULL } } }, { "timer:hrtimer_expire_entry", { { "hrtimer", OBJECT, NULL } } },
	     { "timer:hrtimer_start", { { "hrtimer", OBJECT + 0x100, NULL } } }, { "workqueue:workqueue_queue_work", { { "work", OBJECT + 0x200, NULL } } },
	     { "timer:timer_start", { { "timer", OBJECT + 0x300, NULL } } });
	CHECK(history_fine(&history, OBJECT + 0x100) && history_fine(&history, OBJECT + 0x100)->origin.pid == DEFERRED_BY_TIMER, "it armed another one");
	CHECK(history_origin(&history, OBJECT + 0x200) && history_origin(&history, OBJECT + 0x200)->pid == DEFERRED_BY_TIMER, "it queued a work item");
	CHECK(history_origin(&history, OBJECT + 0x300) && history_origin(&history, OBJECT + 0x300)->pid == DEFERRED_BY_TIMER, "it armed one of the wheel");
}

static void history__work_items(void)
{
	READ({ "workqueue:workqueue_queue_work", { { "work", OBJECT, NULL }, { "function", TICK, NULL } } });
	CHECK(history_origin(&history, OBJECT) && history_origin(&history, OBJECT)->function == TICK, "it is queued");
	READ({ "workqueue:workqueue_activate_work", { { "work", OBJECT, NULL } } });
	CHECK(!history_origin(&history, OBJECT), "who activates it has not queued it");
	READ({ "workqueue:workqueue_execute_start", { { "work", OBJECT, NULL }, { "function", TICK, NULL } } });
	CHECK(history.cpus[1].runs == HISTORY_WORK && history.cpus[1].nr_works == 1 && history.cpus[1].works[0].object == OBJECT &&
	      history.cpus[1].works[0].runner == 7, "it runs");
	READ({ "workqueue:workqueue_execute_start", { { "work", OBJECT, NULL } } }, { "workqueue:workqueue_execute_end", { { "work", OBJECT, NULL } } });
	CHECK(history.cpus[1].runs == HISTORY_NOTHING && !history.cpus[1].nr_works && history.has_work_ends && !history.has_timer_ends, "it ended");
}

static void history__objects(void)
{
	READ({ "kmem:kmalloc", { { "call_site", TICK, NULL }, { "ptr", OBJECT, NULL }, { "bytes_req", 90, NULL }, { "bytes_alloc", 96, NULL } } },
	     { "kmem:kfree", { { "call_site", TICK, NULL }, { "ptr", OBJECT, NULL } } }, { "kmem:kfree", { { "ptr", OBJECT, NULL } } });
	CHECK(history.has_allocations && history.has_frees && history.first.time == 101 && history.second.time == 102, "freed twice");
	READ({ "kmem:kfree", { { "ptr", OBJECT, NULL } } }, { "kmem:kmem_cache_alloc", { { "ptr", OBJECT, NULL }, { "bytes_alloc", 96, NULL } } },
	     { "kmem:kfree", { { "ptr", OBJECT, NULL } } });
	CHECK(!history.has_allocations && history.has_frees && !history.first.time, "in use again in between");
	READ({ "kmem:kmalloc", { { "ptr", OBJECT, NULL }, { "bytes_alloc", 128, NULL } } }, { "kmem:kfree", { { "ptr", OBJECT + 0x40, NULL } } });
	CHECK(history.misfree.nr == 1 && history.misfree.taken.object == OBJECT, "an address within an object was freed");
	/* kfree_rcu() frees without kmem:kfree, and another object, which has the same place of the table, drove this one out. */
	READ({ "kmem:kmalloc", { { "ptr", OBJECT & ~0x3ffULL, NULL }, { "bytes_alloc", 1024, NULL } } },
	     { "kmem:kmalloc", { { "ptr", OBJECT, NULL }, { "bytes_alloc", 64, NULL } } },
	     { "kmem:kmalloc", { { "ptr", OBJECT + 0x20000000, NULL }, { "bytes_alloc", 64, NULL } } }, { "kmem:kfree", { { "ptr", OBJECT, NULL } } });
	CHECK(!history.misfree.nr, "memory that was given out anew");
	READ({ "kmem:mm_page_free", { { "pfn", 12, NULL } } });
	CHECK(!history.has_allocations && !history.has_frees, "a page is no object");
}

static void history__modules(void)
{
	READ({ "module:module_load", { { "name", 0, "bar" } } }, { "module:module_free", { { "name", 0, "foo" } } }, { "module:module_get", { { "name", 0, "bar" } } });
	CHECK(history.nr_modules == 2 && !history.modules[0].is_gone && !strcmp(history.modules[0].name, "bar") && history.modules[1].is_gone &&
	      !strcmp(history.modules[1].name, "foo"), "%u", history.nr_modules);
}

/* What all tables of timers and work items have of one. */
static void check_deferred(enum deferred_kind kind, const char *what)
{
	const struct deferred *deferred = deferred_find(&history.deferred, OBJECT);

	CHECK(deferred && deferred->kind == kind && deferred->nr_starts == 2 && deferred->nr_runs == 1 && deferred->function == TICK &&
	      deferred->started.time == 100 + nr - 1 && deferred->ended.time && history.deferred.has_ends[kind] && deferred->is_pending &&
	      !deferred->is_running, "%s: %u starts, %u runs", what, deferred ? deferred->nr_starts : 0, deferred ? deferred->nr_runs : 0);
}

static void deferred__starts_runs_and_ends(void)
{
	READ({ "timer:timer_start", { { "timer", OBJECT, NULL }, { "function", TICK, NULL } } }, { "timer:timer_cancel", { { "timer", OBJECT, NULL } } },
	     { "timer:timer_expire_entry", { { "timer", OBJECT, NULL } } }, { "timer:timer_expire_exit", { { "timer", OBJECT, NULL } } },
	     { "timer:timer_start", { { "timer", OBJECT, NULL } } });
	check_deferred(DEFERRED_TIMER, "a timer of the wheel");
	READ({ "timer:hrtimer_start", { { "hrtimer", OBJECT, NULL }, { "function", TICK, NULL } } }, { "timer:hrtimer_cancel", { { "hrtimer", OBJECT, NULL } } },
	     { "timer:hrtimer_expire_entry", { { "hrtimer", OBJECT, NULL } } }, { "timer:hrtimer_expire_exit", { { "hrtimer", OBJECT, NULL } } },
	     { "timer:hrtimer_start", { { "hrtimer", OBJECT, NULL } } });
	check_deferred(DEFERRED_FINE, "one of high resolution");
	READ({ "workqueue:workqueue_queue_work", { { "work", OBJECT, NULL }, { "function", TICK, NULL } } },
	     { "workqueue:workqueue_execute_start", { { "work", OBJECT, NULL } } }, { "workqueue:workqueue_execute_end", { { "work", OBJECT, NULL } } },
	     { "workqueue:workqueue_activate_work", { { "work", OBJECT, NULL } } });
	check_deferred(DEFERRED_WORK, "a work item");
}

/* It runs neither then nor anew right behind that. */
static void deferred__cancels(void)
{
	const struct deferred *deferred;

	READ({ "timer:timer_start", { { "timer", OBJECT, NULL } } }, { "timer:timer_cancel", { { "timer", OBJECT, NULL } } });
	deferred = deferred_find(&history.deferred, OBJECT);
	CHECK(deferred && deferred->nr_cancels == 1 && !deferred->is_pending && history.deferred.has_takings[DEFERRED_TIMER], "the wheel");
	CHECK(deferred && deferred->cancelled.pid == 7, "by a task");
	READ({ "timer:timer_expire_exit", { { "timer", OBJECT + 0x100, NULL } } }, { "timer:timer_start", { { "timer", OBJECT, NULL } } },
	     { "timer:timer_expire_entry", { { "timer", OBJECT + 0x100, NULL } } }, { "timer:timer_cancel", { { "timer", OBJECT, NULL } } });
	deferred = deferred_find(&history.deferred, OBJECT);
	CHECK(deferred && deferred->nr_cancels == 1 && deferred->cancelled.pid == DEFERRED_BY_TIMER, "by a timer's function, and not by the task that it came into");
	READ({ "timer:hrtimer_start", { { "hrtimer", OBJECT, NULL } } }, { "timer:hrtimer_cancel", { { "hrtimer", OBJECT, NULL } } });
	deferred = deferred_find(&history.deferred, OBJECT);
	CHECK(deferred && deferred->nr_cancels == 1 && !deferred->is_pending && history.deferred.has_takings[DEFERRED_FINE], "high resolution");
}

/* What finds no place runs all the same. */
static void deferred__more_than_have_a_place(void)
{
	static struct event many[DEFERRED_PLACES + 3];
	size_t n = 0;

	for (; n < DEFERRED_PLACES; n++)
		many[n] = (struct event){ "timer:timer_start", { { "timer", OBJECT + 0x100 * n, NULL } } };
	many[n++] = (struct event){ "timer:timer_expire_exit", { { "timer", OBJECT, NULL } } };
	many[n++] = (struct event){ "timer:timer_expire_entry", { { "timer", OBJECT - 0x100, NULL } } };
	many[n++] = (struct event){ "timer:timer_start", { { "timer", OBJECT, NULL } } };
	read_trace(many, n);
	CHECK(history.deferred.nr_dropped && !deferred_find(&history.deferred, OBJECT - 0x100), "%u dropped", history.deferred.nr_dropped);
	CHECK(deferred_find(&history.deferred, OBJECT)->started.pid == DEFERRED_BY_TIMER, "by a timer's function");
}

int main(void)
{
	TAP_RUN(history__task_switches_and_wakeups);
	TAP_RUN(history__timers_of_the_wheel);
	TAP_RUN(history__timers_of_high_resolution);
	TAP_RUN(history__work_items);
	TAP_RUN(history__objects);
	TAP_RUN(history__modules);
	TAP_RUN(deferred__starts_runs_and_ends);
	TAP_RUN(deferred__cancels);
	TAP_RUN(deferred__more_than_have_a_place);
	history_free(&history);
	return tap_done();
}
