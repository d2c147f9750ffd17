// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A timer whose object was given out anew while its function ran, and a pointer whose upper half counted on, by a small memory. And what only
 * looks so.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdlib.h>
#include <string.h>

#include "judge/access/pointer_bytes.h"
#include "judge/lost_item.h"
#include "judge/words.h"
#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"
#include "tap.h"

#define OBJECT	0xffff888000002000ULL
#define ITEM	(OBJECT + 0x10)
#define OTHER	0xffff888000003000ULL
#define KICK	0xffffffffc0400000ULL
#define RESET	0xffffffffc0400040ULL
#define HALF	(1ULL << 32)
#define BASE	0xffffffff82000000ULL
#define MAX_PFN	0xffffffff82000008ULL

static u64 words[16], max_pfn;
static struct history_cpu cpu;
static enum kernel_object_state state_of_other;

const struct history_cpu *history_cpu(const struct history *history, u32 nr)
{
	(void)history;
	(void)nr;
	return &cpu;
}

/* A module that was unloaded has no symbols. */
const struct history_origin *history_origin(const struct history *history, u64 object)
{
	static const struct history_origin armed = { .object = ITEM, .function = 0xffffffffc0600000ULL };

	(void)history;
	return object == ITEM ? &armed : NULL;
}

bool kernel_btf_member(const struct kernel_btf *kt, const char *type, const char *member, struct btf_member_place *ret)
{
	(void)kt;
	*ret = (struct btf_member_place){ .offset = !strcmp(member, "function") || !strcmp(member, "func") ? 0x18 : 0x10 };
	return !strcmp(type, cpu.runs == HISTORY_TIMER ? "timer_list" : "work_struct");
}

bool kernel_object_at(const struct kernel *kernel, u64 va, struct kernel_object *ret)
{
	(void)kernel;
	*ret = (struct kernel_object){ .start = va & ~0xfffULL, .size = sizeof(words), .state = KOBJECT_IN_USE, .cache = "kmalloc-128" };
	if (ret->start == OTHER)
		ret->state = state_of_other;
	return va - OBJECT < sizeof(words) || va - OTHER < sizeof(words);
}

bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	(void)vmem;
	*ret = va == BASE ? 0xffff888000000000ULL : max_pfn;
	if (va == BASE || va == MAX_PFN)
		return true;
	if (size != 8 || va - OBJECT >= sizeof(words) || va % 8)
		return false;
	*ret = words[(va - OBJECT) / 8];
	return true;
}

bool kallsyms_address(struct kallsyms *kallsyms, const char *name, u64 *ret)
{
	(void)kallsyms;
	*ret = !strcmp(name, "max_pfn") ? MAX_PFN : BASE;
	return !strcmp(name, "max_pfn") || !strcmp(name, "page_offset_base");
}

bool words_symbol(const struct explain *explain, u64 address, char *name, size_t size)
{
	(void)explain;
	snprintf(name, size, "%s+0x%llx/0x40 [wdt]", address - RESET < 0x40 ? "wdt_reset" : "wdt_kick", address % 0x40);
	return address - KICK < 0x80;
}

static struct finding finding;

static struct explain *start(u64 pointer)
{
	static struct kernel dump = { .ktypes = (struct kernel_btf *)&dump, .kallsyms = (struct kallsyms *)&dump };
	static struct postmortem pm = { .kernel = &dump, .end = { .time = 9000000, .pid = 29 } };
	static const struct kernel_report report = { .time = 8000000 };
	struct explain *explain = calloc(1, sizeof(*explain));

	memset(&finding, 0, sizeof(finding));
	finding.kind = "null-pointer";
	finding.strength = FINDING_SHOWN;
	explain->pm = &pm;
	explain->kernel = pm.kernel;
	explain->finding = &finding;
	explain->cause = &report;
	explain->history.has_timer_ends = explain->history.has_work_ends = true;
	explain->access.has_memory = explain->access.agrees = explain->access.has_object = true;
	explain->access.memory.index = -1;
	explain->access.object = OBJECT;
	explain->access.object_offset = 0x38;
	explain->access.pointer_value = pointer;
	explain->has_slab = kernel_object_at(&dump, OBJECT, &explain->slab);
	return explain;
}

static void begin(enum history_deferred runs)
{
	memset(words, 0, sizeof(words));
	cpu = (struct history_cpu){ .runs = runs, .object = ITEM, .began = 1000000, .runner = 29 };
	state_of_other = KOBJECT_IN_USE;
	max_pfn = 1 << 18;
}

static bool is_lost(void)
{
	struct explain *explain = start(0);

	lost_item_claim(explain, "wdt_kick() of module wdt", false);
	free(explain);
	CHECK(!*finding.claim || finding.strength == FINDING_LIKELY, "%s", finding.claim);
	return *finding.claim;
}

static bool has_counted(u64 pointer)
{
	struct explain *explain = start(pointer);
	bool is = pointer_bytes_claim_upper(explain, "sta_rate()", "read at");

	free(explain);
	return is;
}

static void lost__an_item_is_in_its_object_no_more(void)
{
	begin(HISTORY_TIMER);
	CHECK(is_lost() && strstr(finding.claim, "the timer that it runs for lay in that"), "%s", finding.claim);
	words[(0x10 + 0x18) / 8] = 0x1234;
	CHECK(is_lost(), "another owner's number is there");
	begin(HISTORY_WORK);
	CHECK(is_lost() && strstr(finding.claim, "the work item that it runs for lay in that"), "%s", finding.claim);
}

static void lost__another_kind_says_less(void)
{
	struct explain *explain;

	for (u32 i = 0; i < 2; i++) {
		begin(HISTORY_TIMER);
		explain = start(0);
		finding.strength = FINDING_LIKELY;
		lost_item_claim(explain, "wdt_kick() of module wdt", i);
		free(explain);
		CHECK(!*finding.claim == !i, "%u: %s", i, finding.claim);
	}
}

static void lost__what_is_no_such_is_not_claimed(void)
{
	begin(HISTORY_TIMER);
	words[(0x10 + 0x18) / 8] = KICK;
	CHECK(!is_lost(), "it is there");
	words[(0x10 + 0x18) / 8] = RESET;
	CHECK(!is_lost(), "it was set up again, for another function");
	words[(0x10 + 0x18) / 8] = 0xffffffffc0600000ULL;
	CHECK(!is_lost(), "it is there, and its module is unloaded");
	words[(0x10 + 0x18) / 8] = 0;
	words[(0x10 + 0x10) / 8] = 4295000000;
	CHECK(!is_lost(), "timer_shutdown() took its function away");
	begin(HISTORY_TIMER);
	cpu.object = OTHER;
	CHECK(!is_lost(), "it lies elsewhere");
	begin(HISTORY_TIMER);
	cpu.began = 8500000;
	CHECK(!is_lost(), "it began behind the report");
	begin(HISTORY_WORK);
	cpu.runner = 30;
	CHECK(!is_lost(), "another task runs it");
	begin(HISTORY_NOTHING);
	CHECK(!is_lost(), "the CPU runs none");
}

static void upper__a_counter_counted_in_a_pointer(void)
{
	begin(HISTORY_NOTHING);
	words[7] = OTHER + 3 * HALF;
	CHECK(has_counted(words[7]) && strstr(finding.claim, "is 3 more than it is to be"), "%s", finding.claim);
	CHECK(!strstr(finding.open, "A bit that failed"), "%s", finding.open);
	words[7] = OTHER + HALF;
	CHECK(has_counted(words[7]) && strstr(finding.open, "A bit that failed"), "%s", finding.open);
}

static void upper__what_is_no_such_is_not_claimed(void)
{
	begin(HISTORY_NOTHING);
	words[7] = OTHER + HALF;
	state_of_other = KOBJECT_FREE;
	CHECK(!has_counted(words[7]), "what it leads to is free");
	state_of_other = KOBJECT_UNKNOWN;
	CHECK(!has_counted(words[7]), "it is not known whether it is free");
	begin(HISTORY_NOTHING);
	words[7] = OTHER + HALF + 8;
	CHECK(!has_counted(words[7]), "the midst of an object");
	words[7] = OTHER + 200 * HALF;
	CHECK(!has_counted(words[7]), "too many");
	words[7] = OTHER;
	CHECK(!has_counted(OTHER + HALF), "memory has another value by now");
	words[7] = OTHER + HALF;
	max_pfn = 1 << 21;
	CHECK(!has_counted(words[7]), "the machine has 8 GiB: the page may be one of a free object, which has no address");
}

int main(void)
{
	TAP_RUN(lost__an_item_is_in_its_object_no_more);
	TAP_RUN(lost__another_kind_says_less);
	TAP_RUN(lost__what_is_no_such_is_not_claimed);
	TAP_RUN(upper__a_counter_counted_in_a_pointer);
	TAP_RUN(upper__what_is_no_such_is_not_claimed);
	return tap_done();
}
