// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks of the kernel that failed: BUG(), WARN(), lists, counters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault/callers.h"
#include "fault/function_code.h"
#include "instruction/instruction.h"
#include "judge/left_frame.h"
#include "judge/words.h"
#include "below_zero.h"
#include "broken_list.h"
#include "panic.h"
#include "started_timer.h"
#include "unset_work.h"

#define SAID_MOST	150	/* bytes of a text within a claim */
#define REASON_NS	100000000ULL	/* between a line and the warning that it is the reason of */

/* The first of the report's lines that has @word. */
static struct report_text line_with(const struct kernel_report *report, const char *word)
{
	for (u32 i = 0; i < report->nr_lines; i++)
		if (report_text_has(report->lines[i], word))
			return report->lines[i];
	return (struct report_text){ NULL, 0 };
}

/* Where it stood, or who called what noticed it. */
static void place_of_check(char place[2 * WORDS_FUNCTION], const struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct report_text frame = words_frame(report, plumbing_has);
	char function[WORDS_FUNCTION];

	/* The allocator notices what others did, and may be all there is. */
	if (!frame.text)
		frame = words_frame(report, plumbing_is_of_dying);
	words_function(function, report->place);
	if (*function && !plumbing_has(function))
		words_place(place, report->place);
	else if (!left_frame_place(place, explain, report, frame))
		words_place(place, frame);
}

/* Is it a check of lists whose words are lost? lib/list_debug.c has no other code. */
static bool is_of_list_check(const struct kernel_report *report)
{
	char function[WORDS_FUNCTION];

	words_function(function, report->place);
	if (report_text_has(report->title, "list_debug.c"))
		return true;
	return report_text_has(report->title, "invalid opcode") &&
	       (!strncmp(function, "__list_add_valid", 16) || !strncmp(function, "__list_del_entry_valid", 22));
}

static bool is_list(const struct kernel_report *report, struct report_text *line)
{
	*line = line_with(report, "list_del corruption");
	if (!line->text)
		*line = line_with(report, "list_add ");
	if (!line->text && report->before.text &&
	    (report_text_has(report->before, "list_del corruption") || report_text_has(report->before, "list_add ")))
		*line = report->before;
	if (!line->text && (report_text_has(report->words_behind, "list_del corruption") || report_text_has(report->words_behind, "list_add ")))
		*line = report->words_behind;
	return line->text || is_of_list_check(report);
}

const struct kernel_report *reason_of_warning(const struct explain *explain)
{
	const struct death *death = explain->death;
	const struct kernel_report *warning, *reason;

	if (death->cause < 1)
		return NULL;
	warning = &death->reports.list[death->cause];
	reason = warning - 1;
	if (warning->kind != KERNEL_REPORT_WARNING || (warning->nr_lines && warning->lines[0].text < warning->title.text) ||
	    reason->kind != KERNEL_REPORT_BUG || reason->place.text || reason->nr_frames ||
	    reason->caller != warning->caller || warning->time - reason->time > REASON_NS)
		return NULL;
	return reason;
}

/*
 * The kernel's release, 6 and 8 as 6008: the word in front of the build's number in "CPU: 1 PID: 97 Comm: sh Not tainted
 * 3.10.0-1160.el7.x86_64 #1". 0: it is not known.
 */
static u32 release_of(const struct explain *explain)
{
	u32 from = 0, major = 0, minor = 0;
	struct report_text line = fault_text_line(explain->death, explain->cause, " Comm: ", &from);
	const char *end = line.text ? memmem(line.text, line.len, " #", 2) : NULL, *at = end;
	char release[16];

	while (at && at > line.text && at[-1] != ' ')
		at--;
	if (!at)
		return 0;
	snprintf(release, sizeof(release), "%.*s", (int)(end - at), at);
	return sscanf(release, "%u.%u", &major, &minor) == 2 ? major * 1000 + minor : 0;
}

/*
 * The text of a check that has one, which stands in front of its title, or the line "BUG: ..." that was printed alone
 * before it; a text of NULL: it has none.
 */
static struct report_text said_of(const struct explain *explain)
{
	const struct kernel_report *report = explain->cause, *reason = reason_of_warning(explain);
	struct report_text said = { NULL, 0 };

	if (report->nr_lines && report->lines[0].text < report->title.text)
		said = report->lines[0];
	/* Behind the title of a newer kernel's warning stands what another CPU printed. */
	else if (report->words_behind.text && release_of(explain) && release_of(explain) < 4015)
		said = report->words_behind;
	else if (reason)
		said = reason->title;
	while (said.len && strchr("!. ", said.text[said.len - 1]))
		said.len--;
	if (said.len > SAID_MOST)
		said.len = SAID_MOST;
	return said;
}

/* "percpu ref (port_release [module]) <= 0 (-1) after switching to atomic": noticed in a callback of RCU, of all alike. */
static void sign_by_release(struct explain *explain, struct report_text said)
{
	const char *at = memmem(said.text, said.len, "percpu ref (", 12), *end = said.text + said.len, *stop;
	struct report_text release;

	at = at ? at + 12 : end;
	stop = memchr(at, ')', end - at);
	if (!stop)
		return;
	release = (struct report_text){ at, stop - at };
	fault_text_take_module(&explain->fault, release);
	snprintf(explain->signed_by, sizeof(explain->signed_by), "%.*s", WORDS(release));
}

/* lib/refcount.c: its words say in which direction it is wrong. */
static const char *open_of_counter(struct report_text line)
{
	if (report_text_has(line, "saturated"))
		return "Who takes references and does not put them: each get needs its put, in error paths too. Or who overwrote the counter.";
	if (report_text_has(line, "addition on 0"))
		return "Where the last reference was put: this one came by a pointer that was left behind, or needs refcount_inc_not_zero().";
	if (report_text_has(line, "decrement hit 0"))
		return "Who put one too many, or counts from the wrong number: this put was not to be the last.";
	return "Which put was one too many, or which get is missing; or who overwrote it. This is where it was noticed.";
}

static void claim_refcount(struct explain *explain, const struct kernel_report *report)
{
	struct finding *finding = explain->finding;
	struct report_text line = line_with(report, "refcount_t:"), said = said_of(explain);
	static const char *const runs_others[] = {
		"call_timer_fn", "process_one_work", "rcu_do_batch", "__handle_irq_event_percpu", "tasklet_action_common", NULL,
	};
	struct report_text frame = words_frame(report, plumbing_has);
	char place[2 * WORDS_FUNCTION], by[2 * WORDS_FUNCTION], function[WORDS_FUNCTION], deferred[KERNEL_SYMBOL_MAX];
	bool is_left;

	place_of_check(place, explain);
	words_function(function, frame);
	/* No function that runs others counts references: it is one that came to its end by a jump. */
	is_left = plumbing_begins(function, runs_others) && !left_frame_place(by, explain, report, frame);
	finding_claim(finding, "refcount", FINDING_SHOWN, "A reference counter is wrong, as %s%s found: %.*s", is_left ? "what was called by " : "", place,
		      WORDS(line.text ? line : said.text ? said : report->title));
	if (said.text)
		sign_by_release(explain, said);
	if (left_frame_deferred(deferred, explain, report, frame))
		snprintf(explain->signed_by, sizeof(explain->signed_by), "%s", deferred);
	finding_open(finding, "%s", open_of_counter(line));
}

/* The first frame that is not of the allocators, if it was the page allocator that warned. */
static struct report_text asked_for_pages(const struct kernel_report *report)
{
	static const char *const warns[] = {
		"__alloc_pages", "__alloc_pages_nodemask", "__alloc_frozen_pages",
	};
	static const char *const words[] = {
		"__alloc_pages", "__alloc_frozen_pages", "alloc_pages", "alloc_frozen_pages", "__kmalloc", "___kmalloc", "kmalloc_", "kvmalloc",
		"__kvmalloc", "kzalloc", "kcalloc", "__get_free_pages", "get_zeroed_page", "__folio_alloc", "folio_alloc", "krealloc",
		"memdup_user", "memdup_user_nul", "kmemdup", "__do_kmalloc", NULL,
	};
	char function[WORDS_FUNCTION];
	bool is_it = false;

	words_function(function, report->place);
	for (size_t i = 0; i < ARRAY_SIZE(warns); i++)
		is_it |= !strcmp(function, warns[i]);
	for (u32 i = 0; is_it && i < report->nr_frames; i++) {
		words_function(function, report->frames[i]);
		if (*function && !plumbing_is_of_dying(function) && !plumbing_begins(function, words))
			return report->frames[i];
	}
	return (struct report_text){ NULL, 0 };
}

/* A text may end with a warning that nothing died of. */
static const char *dies_of_warnings(const struct explain *explain)
{
	return explain->panic ? " This machine panics then (kernel.panic_on_warn)." : "";
}

/* The only warning of these functions themselves: WARN_ON_ONCE_GFP(order > MAX_PAGE_ORDER) of mm/page_alloc.c. */
static bool claim_too_large(struct explain *explain)
{
	struct report_text by = asked_for_pages(explain->cause);
	char place[2 * WORDS_FUNCTION];

	if (!by.text || !report_text_has(explain->cause->title, "page_alloc.c"))
		return false;
	words_place(place, by);
	finding_claim(explain->finding, "warning", FINDING_LIKELY,
		      "%s asked for more memory in one piece than the page allocator ever has, and the kernel warned of that.%s",
		      place, dies_of_warnings(explain));
	finding_open(explain->finding, "Where the size is from: a length of user space, of a file or of a device that is not checked. It is no lack of memory.");
	fault_text_take_module(&explain->fault, by);
	return true;
}

/* The function of a module that the kernel's own code at the place was called by, or worked for; "": none. */
static void called_for(char called[2 * WORDS_FUNCTION], struct explain *explain)
{
	struct report_text caller = words_frame(explain->cause, plumbing_has);
	struct fault_text in = { 0 }, by = { 0 };

	*called = '\0';
	fault_text_take_module(&in, explain->cause->place);
	fault_text_take_module(&by, caller);
	if (!*in.module && *by.module && !left_frame_place(called, explain, explain->cause, caller))
		words_place(called, caller);
	else if (!*in.module && !*by.module)
		words_module_behind(called, explain->cause);
}

/* Functions whose own warnings all say one thing, those without words. Who was interrupted by that is innocent. */
static bool claim_one_warning(struct explain *explain)
{
	static const struct {
		const char *function, *file, *words, *open;
	} warnings[] = {
		{ "vsnprintf", "lib/vsprintf.c",
		  "it was given more than INT_MAX bytes of room, as a difference below zero is",
		  "Which sum went beyond its buffer: snprintf() answers what it would have written, scnprintf() what it has. The printing code is innocent." },
		{ "rcu_do_batch", "kernel/rcu/tree.c",
		  "RCU counted other callbacks than its list has: an object was given to call_rcu() twice, or freed or overwritten while it waited there",
		  "Which object: two ways that remove one, or a callback that was queued again before it ran. RCU and the task that was running are innocent." },
	};
	const struct kernel_report *report = explain->cause;
	char function[WORDS_FUNCTION], called[2 * WORDS_FUNCTION];

	words_function(function, report->place);
	for (size_t i = 0; i < ARRAY_SIZE(warnings); i++) {
		if (said_of(explain).len || strcmp(function, warnings[i].function) || !report_text_has(report->title, warnings[i].file))
			continue;
		called_for(called, explain);
		finding_claim(explain->finding, "warning", FINDING_LIKELY, "%s()%s%s%s warned: %s.%s", function, *called ? ", called by " : "", called,
			      *called ? "," : "", warnings[i].words, dies_of_warnings(explain));
		finding_open(explain->finding, "%s", warnings[i].open);
		return true;
	}
	return false;
}

/* Its only warning since 5.16, where it was BUG(): of a timer that is started already. */
static bool claim_add_timer(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	char function[WORDS_FUNCTION], place[2 * WORDS_FUNCTION];

	words_function(function, report->place);
	if (strcmp(function, "add_timer") || !report_text_has(report->title, "kernel/time/timer.c"))
		return false;
	if (!left_frame_place(place, explain, report, words_frame(report, plumbing_has)) && !words_module_behind(place, report))
		words_place(place, words_frame(report, plumbing_has));
	return started_timer_claim(explain, "warning", place, dies_of_warnings(explain));
}

/* The kernel warns of what its caller does. */
static void claim_warning(struct explain *explain, const char *place)
{
	char called[2 * WORDS_FUNCTION];
	struct report_text said = said_of(explain);

	called_for(called, explain);
	if (said.len)
		finding_claim(explain->finding, "warning", FINDING_SHOWN,
			      "%s%s%s%s warned: %.*s.%s", place,
			      *called ? ", called by " : "", called, *called ? "," : "", WORDS(said), dies_of_warnings(explain));
	else
		finding_claim(explain->finding, "warning", FINDING_SHOWN,
			      "%s%s%s%s warned, without words.%s", place,
			      *called ? ", called by " : "", called, *called ? "," : "", dies_of_warnings(explain));
	if (*called)
		finding_open(explain->finding, "What made the condition true; read the source at that line, and what its caller gave it.");
	if (!said.len)
		below_zero_claim(explain, "warning", place, "warned", dies_of_warnings(explain));
}

/* Bits of the preempt count: include/linux/preempt.h */
#define SERVES_SOFTIRQ	0x100
#define SOFTIRQS_OFF	0xfe00
#define IN_INTERRUPT	0xff0000
#define BELOW_ZERO	0x7fff0000	/* the uppermost bit is of another meaning, and inverted */

/* Where a task sleeps that has returned from all that it ran, or ends. */
static bool is_main_loop(struct report_text place)
{
	static const char *const words[] = {
		"worker_thread", "rescuer_thread", "kthread_worker_fn", "smpboot_thread_fn", "do_idle", "schedule_idle",
		"exit_to_user_mode", "syscall_exit_to_user_mode", "irqentry_exit", "ret_to_user", "do_task_dead", NULL,
	};
	char function[WORDS_FUNCTION];

	words_function(function, place);
	return plumbing_begins(function, words);
}

/* Before 6.10, and since. */
static const char *const leak_words[] = { "last function: ", "workfn=" };

/* The task of "BUG: scheduling while atomic: kworker/0:1/17/0x00000002". */
static bool task_of_atomic(struct report_text title, u64 *pid)
{
	const char *end = title.len ? memrchr(title.text, '/', title.len) : NULL;
	const char *at = end ? memrchr(title.text, '/', end - title.text) : NULL;

	if (!at || !report_text_has(title, "scheduling while atomic"))
		return false;
	*pid = report_text_number(title, at + 1, 10);
	return true;
}

/*
 * The work function that came back with the count raised, of those that the task @pid ran. Each that it ran
 * after that came back so as well: the first one did it. What the kernel says of a sleep lowers the count.
 */
static struct report_text leaked_by(const struct death *death, u64 pid)
{
	struct report_text function = { NULL, 0 };
	u64 other;

	for (s64 i = 0; i < death->cause; i++) {
		const struct kernel_report *report = &death->reports.list[i];

		if (task_of_atomic(report->title, &other) && other == pid) {
			function.text = NULL;
			continue;
		}
		if (function.text || !report_text_has(report->title, "BUG: workqueue leaked") || !report->pid.text ||
		    report_text_number(report->pid, report->pid.text, 10) != pid)
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(leak_words) && !function.text; k++) {
			u32 from = 0;
			struct report_text line = fault_text_line(death, report, leak_words[k], &from);
			const char *at = line.text ? memmem(line.text, line.len, leak_words[k], strlen(leak_words[k])) : NULL;

			if (at)
				function = (struct report_text){ at + strlen(leak_words[k]), line.text + line.len - at - strlen(leak_words[k]) };
		}
	}
	return function;
}

/* "BUG: scheduling while atomic: swapper/0/0/0x00000102" */
static void claim_slept(struct explain *explain, const char *place)
{
	struct report_text title = explain->cause->title, leak = { NULL, 0 };
	const char *at = memrchr(title.text, '/', title.len);
	u64 count = at && title.text + title.len - at > 3 ? report_text_number(title, at + 3, 16) : 1, pid;
	const char *where = "with a spinlock held, or preemption off";
	char by[2 * WORDS_FUNCTION];

	if (!count || count >= BELOW_ZERO) {
		finding_claim(explain->finding, "bug", FINDING_SHOWN,
			      "%s slept, and the count of what forbids that was too low, not too high (scheduling while atomic): preemption was enabled once more than it was disabled.",
			      place);
		finding_open(explain->finding, "Which unlock, or preempt_enable(), was one too many: this task, or an interrupt on its CPU, ran it before.");
		return;
	}
	if (count & IN_INTERRUPT)
		where = "in an interrupt";
	else if (count & SERVES_SOFTIRQ)
		where = "in a timer or another softirq";
	else if (count & SOFTIRQS_OFF)
		where = "with softirqs off, as spin_lock_bh() does";
	if (!is_main_loop(words_frame(explain->cause, plumbing_has))) {
		finding_claim(explain->finding, "bug", FINDING_SHOWN, "%s slept %s, where that is forbidden (scheduling while atomic).",
			      place, where);
		if (!(count & (IN_INTERRUPT | SERVES_SOFTIRQ)))
			finding_open(explain->finding, "Who took it: a function of the call trace, or one that this task ran before and that came back.");
		return;
	}
	if (task_of_atomic(title, &pid))
		leak = leaked_by(explain->death, pid);
	if (!leak.text) {
		finding_claim(explain->finding, "bug", FINDING_SHOWN,
			      "A task slept %s, where that is forbidden (scheduling while atomic): something that it had run before came back and left it so.",
			      where);
		finding_open(explain->finding, "What that was: it is on the stack no more. %s, where the task slept, is innocent.", place);
		return;
	}
	words_place(by, leak);
	fault_text_take_module(&explain->fault, leak);
	snprintf(explain->signed_by, sizeof(explain->signed_by), "%.*s", WORDS(leak));
	finding_claim(explain->finding, "lock-not-returned", FINDING_SHOWN,
		      "The work function %s came back %s, and the worker that had run it slept then (scheduling while atomic).", by,
		      where);
	finding_open(explain->finding, "On which of its ways it gives no lock back.");
	words_line_evidence(explain, "last function: ", leak);
}

/* What ran there, in which much is forbidden; "": a task. */
static const char *context_of(const struct kernel_report *report)
{
	static const struct {
		const char *runner, *words;
	} runners[] = {
		{ "call_timer_fn", ", in a timer's function" }, { "__hrtimer_run_queues", ", in the function of a timer of high resolution" },
		{ "rcu_do_batch", ", in a callback of RCU" }, { "tasklet_action_common", ", in a tasklet" },
		{ "handle_softirqs", ", in a softirq" }, { "__do_softirq", ", in a softirq" },
		{ "__handle_irq_event_percpu", ", in an interrupt" }, { "irq_work_single", ", in an irq_work" },
	};
	char function[WORDS_FUNCTION];

	for (u32 i = 0; i < report->nr_frames && !(report->interrupted.text && i >= report->interrupted_frame); i++) {
		words_function(function, report->frames[i]);
		for (size_t k = 0; k < ARRAY_SIZE(runners); k++)
			if (!strcmp(function, runners[k].runner))
				return runners[k].words;
	}
	return "";
}

/* "BUG: sleeping function called from invalid context at include/linux/sched/mm.h:201": kernel/sched/core.c, __might_resched() */
static void claim_might_sleep(struct explain *explain, const char *place)
{
	static const struct {
		const char *word;
		const char *where;
	} wheres[] = {
		{ "irqs_disabled(): 1", ", with interrupts off" },
		{ "in_atomic(): 1", ", with a spinlock held, or preemption off" },
		{ "RCU nest depth: 1", ", within rcu_read_lock()" },
		{ "non_block: 1", ", in a section that must not block" },
	};
	const char *context = context_of(explain->cause), *where = ", where that is forbidden";
	u32 from = 0;
	/* Since 5.17 */
	struct report_text line = report_text_behind(fault_text_line(explain->death, explain->cause, "preempt_count: ", &from), "preempt_count: ");
	u64 count = line.len ? report_text_number(line, line.text, 16) : 0;

	from = 0;
	for (size_t i = ARRAY_SIZE(wheres); i--; from = 0)
		if (fault_text_line(explain->death, explain->cause, wheres[i].word, &from).text)
			where = wheres[i].where;
	if (!*context && count & IN_INTERRUPT)
		context = ", in an interrupt";
	else if (!*context && count & SERVES_SOFTIRQ)
		context = ", in a timer or another softirq";
	else if (count & SOFTIRQS_OFF && !(count & SERVES_SOFTIRQ))
		where = ", with softirqs off, as spin_lock_bh() does";
	finding_claim(explain->finding, "bug", FINDING_SHOWN, "%s did what may sleep%s (%.*s).", place, *context ? context : where,
		      WORDS(explain->cause->title));
	if (*context)
		finding_open(explain->finding, "What else to do there, such as to ask for memory with GFP_ATOMIC; or how to have it done by a work item.");
	else
		finding_open(explain->finding, "Who took the lock, or turned that off: a function of the call trace, or one that came back.");
}

/* "BUG: Bad page state in process sh  pfn:7deea": mm/page_alloc.c, bad_page() */
static void claim_bad_page(struct explain *explain, const char *place)
{
	static const char because[] = "page dumped because: ";
	u32 from = 0;
	struct report_text line = fault_text_line(explain->death, explain->cause, because, &from);

	if (line.len > strlen(because))
		line = (struct report_text){ line.text + strlen(because), line.len - strlen(because) };
	finding_claim(explain->finding, "bug", FINDING_SHOWN, "A page of memory was freed, or taken, that is not as a free page is, by %s: %.*s.",
		      place, WORDS(line.text ? line : explain->cause->title));
	finding_open(explain->finding, "Who used it still, or wrote to what describes it: this is where it was noticed.");
}

/* "BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0 nice=0 stuck for 32s!": kernel/workqueue.c, wq_watchdog_timer_fn() */
static void claim_workqueue(struct explain *explain)
{
	struct report_text title = explain->cause->title;
	const char *cpus = memmem(title.text, title.len, " cpus=", 6), *stuck = memmem(title.text, title.len, " stuck for ", 11);
	const char *behind = cpus ? memchr(cpus + 6, ' ', title.text + title.len - cpus - 6) : NULL;

	finding_claim(explain->finding, "workqueue-stall", FINDING_SHOWN,
		      "No work item of the pool of CPU %.*s has begun for %llu s: what runs there does not end or never sleeps, or the kernel could make no worker more.",
		      behind ? (int)(behind - cpus - 6) : 1, behind ? cpus + 6 : "?", stuck ? report_text_number(title, stuck + 11, 10) : 0);
	finding_open(explain->finding, "Which work item: those in flight are in the lines behind this one, Showing busy workqueues.");
}

/* Who freed it; a text of NULL: what frees for others, later, had been asked by one that is gone. */
static struct report_text frame_of_freeing(const struct kernel_report *report)
{
	static const char *const words[] = { "kvfree", "vfree", "rcu_free", "__rcu_free", NULL };
	static const char *const deferred[] = {
		"rcu_do_batch", "rcu_core", "rcu_nocb", "srcu_invoke_callbacks", "process_one_work", "worker_thread",
		"kthread", "handle_softirqs", "__do_softirq", NULL,
	};
	char function[WORDS_FUNCTION];

	for (u32 i = 0; i < report->nr_frames; i++) {
		words_function(function, report->frames[i]);
		if (plumbing_begins(function, deferred))
			break;
		if (!plumbing_has(function) && !plumbing_begins(function, words))
			return report->frames[i];
	}
	return (struct report_text){ NULL, 0 };
}

/* The checks of mm/slub.c. That of a list of free objects is the only one in these functions, of kfree() since 6.8. */
static void claim_slub(struct explain *explain, const char *place)
{
	struct finding *finding = explain->finding;
	struct report_text frame = frame_of_freeing(explain->cause);
	char function[WORDS_FUNCTION], by[2 * WORDS_FUNCTION];

	words_function(function, explain->cause->place);
	if (!strcmp(function, "__kmem_cache_free") || !strcmp(function, "__slab_free") ||
	    !strcmp(function, "kmem_cache_free") || !strcmp(function, "do_slab_free") ||
	    (!strcmp(function, "kfree") && release_of(explain) >= 6008)) {
		words_place(by, frame);
		if (!frame.text)
			snprintf(by, sizeof(by), "A callback or a work item, for one that is not known,");
		finding_claim(finding, "bug", FINDING_LIKELY,
			      "%s freed an object that was free already: the allocator's list of free objects began with it (%.*s).", by,
			      WORDS(explain->cause->title));
		finding_open(finding, "Which of the two was wrong, and who freed it first: %s, or another user of the object.",
			     frame.text ? "this function, what it called" : "the same one");
		return;
	}
	finding_claim(finding, "bug", FINDING_SHOWN, "A check of the kernel's memory allocator failed (%.*s), for %s.",
		      WORDS(explain->cause->title), place);
}

/* "CFI failure at foo+0x1a/0x40 [foo] (target: bar+0x0/0x10 [bar]; expected type: 0x12345678)" */
static void claim_type(struct explain *explain, const char *place)
{
	struct report_text title = explain->cause->title, target = { NULL, 0 };
	const char *at = memmem(title.text, title.len, "(target: ", 9);
	char name[2 * WORDS_FUNCTION];

	if (at)
		target = (struct report_text){ at + 9, title.text + title.len - (at + 9) };
	words_place(name, target);
	finding_claim(explain->finding, "bug", FINDING_SHOWN,
		      "%s called %s by a pointer, and that is no function of the type that it expects (CFI).", place, name);
	finding_open(explain->finding, "Whether the pointer was overwritten, or the function was declared with another type.");
}

/* "PANIC at zio.c:3759:zio_done()", behind what was to be true: spl_panic() of ZFS */
static void claim_of_zfs(struct explain *explain, const char *place)
{
	const struct kernel_report *report = explain->cause;
	struct report_text said = said_of(explain);

	if (!said.text)
		said = report->title;
	finding_claim(explain->finding, "bug", FINDING_SHOWN, "A check of ZFS in %s failed: %.*s. ZFS stops the thread for ever; the kernel goes on, and what waits for that thread hangs.",
		      place, WORDS(said));
	finding_open(explain->finding, "What made the condition true: what is on the disks may be damaged, as by memory that fails, or the code is wrong.");
	fault_text_take_module(&explain->fault, words_frame(report, plumbing_has));
}

/* What the kernel checks for its callers, with words of its own before BUG(). */
static bool is_for_caller(const struct kernel_report *report)
{
	static const char *const words[] = {
		"usercopy: ", "detected buffer overflow in ", "skb_over_panic", "skb_under_panic",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (line_with(report, words[i]).text)
			return true;
	return false;
}

/* Functions that have but one BUG(), and what is true then. Who noticed that is innocent. */
static const struct one_check {
	const char *function, *file, *words, *open;
} one_checks[] = {
	{ "iput", "fs/inode.c", "the inode was cleared already when it was put: it had been put once too often before, by what else used it", NULL },
	{ "__put_cred", "kernel/cred.c", "credentials were put for the last time while a task uses them, or with a wrong count: they were put once too often", NULL },
	{ "napi_enable", "net/core/dev.c", "NAPI was enabled that was enabled already, or was never added (netif_napi_add())", NULL },
	{ "__get_vm_area_node", "mm/vmalloc.c", "vmalloc() or the like was called in an interrupt, a timer or another softirq, or with softirqs off (spin_lock_bh()), where that is forbidden",
	  "Where else to ask for it: before, or from a work item." },
	{ "free_netdev", "net/core/dev.c", "a network device was freed that is registered still, or freed already", NULL },
	{ "vunmap", "mm/vmalloc.c", "vunmap() was called in an interrupt, a timer or another softirq, or with softirqs off (spin_lock_bh()), where that is forbidden",
	  "Where else to give it back: from a work item. vunmap() is innocent." },
	{ "add_timer", "kernel/time/timer.c", "a timer was started that was started already and had not run yet, or that was never set up (timer_setup())", "Which of these. Of two starts one is wrong: mod_timer() starts it anew. Memory that was freed or overwritten looks so as well." },
	{ "d_instantiate", "fs/dcache.c", "a name was given an inode that has one already, or is still being looked up", NULL },
	{ "blk_mq_end_request", "block/blk-mq.c", "a request of a disk was ended for good of which a part was left", NULL },
	{ "folio_end_writeback", "mm/filemap.c", "the end of a page's writing was reported that was not being written", NULL },
};

static bool claim_one_check(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	char function[WORDS_FUNCTION], place[2 * WORDS_FUNCTION];

	words_function(function, report->place);
	for (size_t i = 0; i < ARRAY_SIZE(one_checks); i++) {
		if (strcmp(function, one_checks[i].function) || !report_text_has(report->title, one_checks[i].file))
			continue;
		if (!left_frame_place(place, explain, report, words_frame(report, plumbing_has)) && !words_module_behind(place, report))
			words_place(place, words_frame(report, plumbing_has));
		if (!strcmp(function, "add_timer") && started_timer_claim(explain, "bug", place, ""))
			return true;
		finding_claim(finding, "bug", FINDING_LIKELY, "A check in %s(), called by %s, failed: %s.", function, place, one_checks[i].words);
		finding_open(finding, "%s", one_checks[i].open ?: "Where that happened: this is where it was noticed.");
		return true;
	}
	return false;
}

/* A check of the kernel's own code: which module's function it worked for, if one is near. Who is wrong is open. */
static void claim_kernels_own(struct explain *explain, const char *place)
{
	char giver[2 * WORDS_FUNCTION];

	if ((words_module_behind(giver, explain->cause) && strcmp(giver, place)) ||
	    left_frame_place(giver, explain, explain->cause, words_frame(explain->cause, plumbing_has))) {
		finding_claim(explain->finding, "bug", FINDING_SHOWN, "A check in %s, which worked for %s%s, failed: %.*s", place, giver,
			      context_of(explain->cause), WORDS(explain->cause->title));
		finding_open(explain->finding, "What made the condition true; read the source at that line, and what that function gave.");
	} else {
		finding_claim(explain->finding, "bug", FINDING_SHOWN, "A check in %s failed: %.*s", place, WORDS(explain->cause->title));
	}
}

static void claim_for_caller(struct explain *explain, const char *place)
{
	struct report_text said = said_of(explain);

	finding_claim(explain->finding, "bug", FINDING_SHOWN, "The kernel stopped what %s did: %.*s.", place, WORDS(said.text ? said : explain->cause->title));
	finding_open(explain->finding, "Which of its lengths or pointers is wrong, and where that is from.");
	fault_text_take_module(&explain->fault, words_frame(explain->cause, plumbing_has));
}

/* The module of "VFS: Close: file count is 0 (f_op=frame_fops [grab_fd])", if the dump has it. */
static const struct kernel_module *module_of_file(struct explain *explain, struct report_text line)
{
	const struct kernel *kernel = explain->pm->kernel;
	const char *at = memchr(line.text, '[', line.len), *end = at ? memchr(at, ']', line.text + line.len - at) : NULL;

	for (u32 i = 0; end && kernel && kernel->modules && i < kernel->modules->nr; i++) {
		const char *name = kernel->modules->list[i].name;

		if (strlen(name) == (size_t)(end - at - 1) && !memcmp(name, at + 1, strlen(name)))
			return &kernel->modules->list[i];
	}
	return NULL;
}

/* Who closes the file has a right to, and is the one that notices. */
static bool claim_file(struct explain *explain)
{
	struct report_text line = line_with(explain->cause, "VFS: Close: file count is ");
	const struct kernel_module *module = line.text ? module_of_file(explain, line) : NULL;
	struct named_functions puts = { 0 };
	char function[WORDS_FUNCTION];

	if (!line.text)
		return false;
	finding_claim(explain->finding, "bug", FINDING_LIKELY,
		      "A file was closed that had been put for the last time before: \"%.*s\". It was put once too often, by what else used it.", WORDS(line));
	if (module && callers_putting_files(&puts, explain->pm->kernel, module) && puts.nr == 1) {
		words_function(function, (struct report_text){ puts.names[0], strlen(puts.names[0]) });
		finding_open(explain->finding, "Where that happened. Of module %.40s, whose file it was, %.60s() alone calls fput(): behind fd_install() the file is the descriptor's. Who closes it is innocent.",
			     module->name, function);
	} else {
		finding_open(explain->finding, "Where that happened: an fput() behind fd_install(), or an error path that puts it as well. Who closes it is innocent.");
	}
	return true;
}

bool judge_check(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	struct report_text line;
	char place[2 * WORDS_FUNCTION];

	if (!report || (report->kind != KERNEL_REPORT_OOPS && report->kind != KERNEL_REPORT_BUG &&
			report->kind != KERNEL_REPORT_WARNING))
		return false;
	place_of_check(place, explain);
	if (is_list(report, &line))
		broken_list_claim(explain, place, line);
	else if (report->kind == KERNEL_REPORT_WARNING && report_text_has(report->title, "refcount.c"))
		claim_refcount(explain, report);
	else if (report->kind == KERNEL_REPORT_WARNING && claim_too_large(explain))
		;
	else if (report->kind == KERNEL_REPORT_WARNING && (claim_one_warning(explain) || claim_add_timer(explain) || unset_work_claim(explain, dies_of_warnings(explain))))
		;
	else if (report->kind == KERNEL_REPORT_WARNING)
		claim_warning(explain, place);
	else if (kernel_report_is_of_zfs(report))
		claim_of_zfs(explain, place);
	else if (report_text_has(report->title, "CFI failure at "))
		claim_type(explain, place);
	else if (report_text_has(report->title, "scheduling while atomic"))
		claim_slept(explain, place);
	else if (report_text_has(report->title, "sleeping function called from invalid context"))
		claim_might_sleep(explain, place);
	else if (report_text_has(report->title, "Bad page state"))
		claim_bad_page(explain, place);
	else if (report_text_has(report->title, "workqueue lockup"))
		claim_workqueue(explain);
	else if (report_text_has(report->title, "kernel BUG at ") && report_text_has(report->title, "slub.c"))
		claim_slub(explain, place);
	else if (report_text_has(report->title, "kernel BUG at ") && is_for_caller(report))
		claim_for_caller(explain, place);
	else if (report_text_has(report->title, "kernel BUG at ") && (claim_file(explain) || claim_one_check(explain)))
		;
	else if (report_text_has(report->title, "nable to handle "))
		finding_claim(finding, "exception", FINDING_SHOWN, "An access of memory in %s failed: %.*s.", place, WORDS(report->title));
	else if (report_text_has(report->title, "kernel BUG at ") || report_text_has(report->title, "Kernel bug detected[#") || report->kind == KERNEL_REPORT_BUG)
		claim_kernels_own(explain, place);
	else
		return false;
	if (report_text_has(report->title, "kernel BUG at ") && !said_of(explain).len && finding->strength == FINDING_SHOWN)
		below_zero_claim(explain, "bug", place, "failed a check", "");
	if (!*finding->open)
		finding_open(finding, "What made the condition true; read the source at that line.");
	words_report_evidence(explain, report);
	left_frame_add(explain, report, words_frame(report, plumbing_has));
	return true;
}
