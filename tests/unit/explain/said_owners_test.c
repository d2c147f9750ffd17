// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks that hang, by the lines of the log and the trace alone: who holds what, and what waits for the work item of whom.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdio.h>
#include <string.h>

#include "judge/hang/chain_claims.h"
#include "judge/words.h"
#include "tap.h"

#define WORK	0xffff888002700b40ULL
#define POLL	0xffffffffc0400200ULL

static u64 lost;

u64 pm_lost(const struct postmortem *pm)
{
	(void)pm;
	return lost;
}

bool words_symbol(const struct explain *explain, u64 address, char *name, size_t size)
{
	(void)explain;
	snprintf(name, size, "poll_link+0x0/0x40 [hid]");
	return address == POLL;
}

bool words_deferred(const struct explain *explain, const struct deferred *of, char *name, size_t size)
{
	return words_symbol(explain, of->function, name, size);
}

/* --- the log and the trace ----------------------------------------------- */

static struct kernel_report reports[3];
static struct report_line lines[1];
static struct deferred places[DEFERRED_PLACES];
static struct explain explain;
static struct finding finding;

static struct report_text text(const char *words)
{
	return (struct report_text){ words, strlen(words) };
}

static void put_report(u32 i, const char *title, const char *const *frames)
{
	reports[i] = (struct kernel_report){ .kind = KERNEL_REPORT_HUNG_TASK, .time = 900, .title = text(title) };
	for (; *frames; frames++)
		reports[i].frames[reports[i].nr_frames++] = text(*frames);
}

static void begin(const char *line)
{
	static struct postmortem pm;
	static struct death death;

	death = (struct death){ .lines = { .list = lines, .nr = 1 }, .reports = { .list = reports, .nr = 3 }, .cause = 1 };
	lines[0] = (struct report_line){ .time = 900, .text = line, .len = strlen(line) };
	finding = (struct finding){ .kind = "hung-task", .strength = FINDING_SHOWN };
	explain = (struct explain){ .pm = &pm, .death = &death, .cause = &reports[1], .finding = &finding };
	explain.history.deferred.places = places;
	explain.history.deferred.has_ends[DEFERRED_WORK] = true;
	memset(places, 0, sizeof(places));
	lost = 0;
}

/* A worker, 55, runs poll_link() and waits for the lock of a task, 130, which waits for a work item to end since 500. */
static void begin_flush(void)
{
	static const char *const worker[] = { "__mutex_lock.constprop.0+0x39d/0x720", "poll_link+0x46/0x70 [hid]", "process_one_work+0x1c7/0x380",
					      "worker_thread+0x4d/0x380", NULL };
	static const char *const remover[] = { "__flush_work.isra.0+0x170/0x280", "__cancel_work_timer+0xff/0x190", "hid_remove+0x20/0x40 [hid]", NULL };

	begin("epitaph: task kworker/2:1:55 is blocked on a mutex likely owned by task remover:130.");
	put_report(0, "INFO: task kworker/2:1:55 blocked for more than 8 seconds.", worker);
	put_report(1, "INFO: task remover:130 blocked for more than 8 seconds.", remover);
	places[0] = (struct deferred){ .object = WORK, .function = POLL, .kind = DEFERRED_WORK, .is_running = true, .began = { .time = 400, .pid = 55 } };
	history_ask_task(&explain.history, 130);
	explain.history.tasks[0].out = 500;
}

static bool is_deadlock(void)
{
	return said_owners_claim(&explain, 55, false) && strstr(finding.claim, "A deadlock");
}

static void said_owners__the_only_work_item_that_runs_is_waited_for(void)
{
	begin_flush();
	CHECK(is_deadlock() && finding.strength == FINDING_LIKELY && strstr(finding.claim, "remover-130 waits for the work item poll_link() of module hid, which kworker/2:1-55 runs"),
	      "%s", finding.claim);
}

/* What began before the trace did may run as well. */
static void said_owners__a_work_item_of_another_module_is_possible(void)
{
	begin_flush();
	reports[1].frames[2] = text("usb_remove+0x20/0x40 [usb]");
	CHECK(is_deadlock() && finding.strength == FINDING_POSSIBLE, "%s", finding.claim);
	begin_flush();
	explain.death->is_hang_silent = true;
	CHECK(!is_deadlock(), "another one may hang, and is not reported: %s", finding.claim);
}

static void said_owners__what_came_later_is_not_waited_for(void)
{
	begin_flush();
	places[1] = (struct deferred){ .object = WORK + 64, .kind = DEFERRED_WORK, .is_pending = true, .started = { .time = 890 } };
	CHECK(is_deadlock(), "%s", finding.claim);
	begin_flush();
	places[0].began.time = 501;
	CHECK(!is_deadlock() && strstr(finding.claim, "waits itself for a work item"), "%s", finding.claim);
}

static void said_owners__another_work_item_may_be_it(void)
{
	begin_flush();
	places[1] = (struct deferred){ .object = WORK + 64, .kind = DEFERRED_WORK, .is_pending = true, .started = { .time = 100 } };
	CHECK(!is_deadlock(), "queued before: %s", finding.claim);
	begin_flush();
	places[1] = (struct deferred){ .object = WORK + 64, .kind = DEFERRED_WORK, .is_running = true, .began = { .time = 100, .pid = 57 } };
	CHECK(!is_deadlock(), "runs as well: %s", finding.claim);
	begin_flush();
	places[0].began.pid = 57;
	CHECK(!is_deadlock(), "of another worker: %s", finding.claim);
	begin_flush();
	put_report(0, "INFO: task kworker/1:1:57 blocked for more than 8 seconds.", (const char *[]){ "foo+0x1/0x2 [foo]", "process_one_work+0x1c7/0x380", NULL });
	CHECK(!is_deadlock(), "another worker hangs: %s", finding.claim);
}

static void said_owners__what_the_trace_lacks_is_no_proof(void)
{
	begin_flush();
	lost = 1;
	CHECK(!is_deadlock(), "lost: %s", finding.claim);
	begin_flush();
	explain.history.deferred.nr_dropped = 1;
	CHECK(!is_deadlock(), "dropped: %s", finding.claim);
	begin_flush();
	explain.history.deferred.has_ends[DEFERRED_WORK] = false;
	CHECK(!is_deadlock(), "no ends: %s", finding.claim);
	begin_flush();
	explain.history.tasks[0].out = 0;
	CHECK(!is_deadlock(), "no switch: %s", finding.claim);
	begin_flush();
	explain.history.tasks[0].woken = 700;
	CHECK(!is_deadlock(), "woken since: %s", finding.claim);
}

static void said_owners__the_end_waits_for_what_its_functions_say(void)
{
	begin_flush();
	put_report(1, "INFO: task remover:130 blocked for more than 8 seconds.", (const char *[]){ "__mutex_lock.constprop.0+0x39d/0x720", "hub_power+0xe/0x30 [hub]", NULL });
	CHECK(said_owners_claim(&explain, 55, false) && strstr(finding.claim, "remover-130 holds what is waited for and waits itself for a mutex in hub_power() of module hub"),
	      "%s", finding.claim);
}

/* --- a chain of notifiers ------------------------------------------------ */

static void begin_chain(const char *reader)
{
	static const char *const frames[] = { "rwsem_down_write_slowpath+0x315/0x6f0", "blocking_notifier_chain_unregister+0x22/0xb0", "on_policy+0x21/0xf70 [pol]",
					      "blocking_notifier_call_chain+0x5c/0x80", "announcer+0x3c/0x50 [pol]", NULL };
	static char line[160];

	snprintf(line, sizeof(line), "epitaph: task announcer:129 is blocked on an rw-semaphore likely owned by task announcer:129 <%s>.", reader);
	begin(line);
	put_report(0, "INFO: task announcer:129 blocked for more than 10 seconds.", frames);
	explain.death->cause = 0;
}

static void said_owners__a_callback_changes_its_own_chain(void)
{
	begin_chain("reader");
	CHECK(said_owners_claim(&explain, 129, false) && finding.strength == FINDING_LIKELY &&
	      strstr(finding.claim, "announcer-129 waits for itself: on_policy() of module pol, a callback of a chain"), "%s", finding.claim);
}

static void said_owners__another_chain_is_no_own_one(void)
{
	begin_chain("reader");
	reports[0].nr_frames = 3;
	CHECK(!said_owners_claim(&explain, 129, false), "not within one: %s", finding.claim);
	begin_chain("writer");
	CHECK(!said_owners_claim(&explain, 129, false), "it writes one: %s", finding.claim);
	begin_chain("reader");
	reports[0].frames[1] = text("down_write+0x22/0xb0");
	CHECK(!said_owners_claim(&explain, 129, false), "another rwsem: %s", finding.claim);
}

int main(void)
{
	TAP_RUN(said_owners__the_only_work_item_that_runs_is_waited_for);
	TAP_RUN(said_owners__a_work_item_of_another_module_is_possible);
	TAP_RUN(said_owners__what_came_later_is_not_waited_for);
	TAP_RUN(said_owners__another_work_item_may_be_it);
	TAP_RUN(said_owners__what_the_trace_lacks_is_no_proof);
	TAP_RUN(said_owners__the_end_waits_for_what_its_functions_say);
	TAP_RUN(said_owners__a_callback_changes_its_own_chain);
	TAP_RUN(said_owners__another_chain_is_no_own_one);
	return tap_done();
}
