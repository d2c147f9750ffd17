// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A timer or work item that runs when its module is gone and another one lies there; and those of a module that was there
 * when they were asked for.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdlib.h>
#include <string.h>

#include "judge/access/access.h"
#include "judge/words.h"
#include "tap.h"

#define ITEM	0xffff888000002000ULL
#define BLINK	0xffffffffc0400040ULL

static struct history_cpu cpu;
static struct history_origin origin;
static const char *then;

const struct history_cpu *history_cpu(const struct history *history, u32 nr)
{
	(void)history;
	return nr == 1 ? &cpu : NULL;
}

const struct history_origin *history_origin(const struct history *history, u64 object)
{
	(void)history;
	return object == origin.object ? &origin : NULL;
}

bool words_symbol(const struct explain *explain, u64 address, char *name, size_t size)
{
	(void)explain;
	snprintf(name, size, "dummy_setup+0x10/0x100 [dummy]");
	return address == BLINK;
}

bool words_symbol_at(const struct explain *explain, u64 address, u64 time, u64 raw, char *name, size_t size)
{
	(void)explain;
	(void)time;
	(void)raw;
	snprintf(name, size, "%s", then ?: "");
	return address == BLINK && then;
}

static struct explain *explain;
static struct finding finding;

/* A timer of led was armed at 1 s, led went at 2 s, dummy came at 3 s, the timer ran at 4 s. */
static void begin(void)
{
	static const struct kernel_report report = { .kind = KERNEL_REPORT_OOPS, .time = 4100000000ULL, .title = { "Oops", 4 } };
	static struct death death;
	static struct postmortem pm = { .end = { .time = 4200000000ULL, .how = OUTCOME_CRASHED, .cpu = 1, .pid = 0 } };
	static const struct history_module modules[] = {
		{ 500000000, false, "led" }, { 2000000000, true, "led" }, { 3000000000ULL, false, "dummy" },
	};

	free(explain);
	explain = calloc(1, sizeof(*explain));
	memset(&finding, 0, sizeof(finding));
	explain->pm = &pm;
	explain->finding = &finding;
	explain->death = &death;
	explain->cause = &report;
	explain->history.has_timer_ends = explain->history.has_work_ends = true;
	memcpy(explain->history.modules, modules, sizeof(modules));
	explain->history.nr_modules = ARRAY_SIZE(modules);
	then = "led_blink+0x0/0x20 [led]";
	cpu = (struct history_cpu){ .runs = HISTORY_TIMER, .object = ITEM, .began = 4000000000ULL };
	origin = (struct history_origin){ .object = ITEM, .function = BLINK, .time = 1000000000, .comm = "insmod", .pid = 40 };
}

static bool is_claimed(void)
{
	return judge_outlived(explain) && !strcmp(finding.kind, "unloaded-module") && finding.strength == FINDING_LIKELY;
}

static void outlived__a_timer_is_its_own_modules(void)
{
	begin();
	CHECK(is_claimed() && strstr(finding.claim, "insmod-40 had armed it for led_blink() of module led, and module dummy has that memory since"),
	      "%s", finding.claim);
	CHECK(!strcmp(explain->fault.module, "led") && !strncmp(explain->signed_by, "led_blink", 9), "%s %s", explain->fault.module,
	      explain->signed_by);
}

static void outlived__a_work_item_of_its_worker(void)
{
	begin();
	cpu.runs = HISTORY_WORK;
	CHECK(is_claimed() && strstr(finding.claim, "ran a work item that outlived"), "%s", finding.claim);
	begin();
	cpu.runs = HISTORY_WORK;
	cpu.runner = 12;
	CHECK(!judge_outlived(explain), "another task runs");
}

static void outlived__a_function_without_a_name(void)
{
	begin();
	then = NULL;
	CHECK(is_claimed() && strstr(finding.claim, "for a function of a module that was there before"), "%s", finding.claim);
	CHECK(!*explain->fault.module && explain->is_signed_in_part, "%s", explain->fault.module);
}

static void outlived__a_module_that_was_there_is_not_chance(void)
{
	begin();
	origin.time = 3100000000ULL;
	CHECK(!judge_outlived(explain), "armed after it came");
	begin();
	origin.time = 2999500000ULL;
	CHECK(!judge_outlived(explain), "within the skew of two clocks");
	begin();
	explain->history.modules[0] = (struct history_module){ 400000000, false, "dummy" };
	CHECK(!judge_outlived(explain), "it was there before, and came again");
	begin();
	explain->history.nr_modules = 2;
	CHECK(!judge_outlived(explain), "when it came is not in the trace");
}

static void outlived__what_did_not_die_in_it(void)
{
	begin();
	cpu.runs = HISTORY_NOTHING;
	CHECK(!judge_outlived(explain), "it ended");
	begin();
	explain->history.has_timer_ends = false;
	CHECK(!judge_outlived(explain), "no ends are recorded");
	begin();
	cpu.began = 4150000000ULL;
	CHECK(!judge_outlived(explain), "it began after the oops");
	begin();
	origin.time = 4050000000ULL;
	CHECK(!judge_outlived(explain), "it was armed anew since");
}

int main(void)
{
	TAP_RUN(outlived__a_timer_is_its_own_modules);
	TAP_RUN(outlived__a_work_item_of_its_worker);
	TAP_RUN(outlived__a_function_without_a_name);
	TAP_RUN(outlived__a_module_that_was_there_is_not_chance);
	TAP_RUN(outlived__what_did_not_die_in_it);
	return tap_done();
}
