// SPDX-License-Identifier: GPL-2.0-or-later
/* What was asked for: a crash by sysrq, by code that calls panic(), an orderly end; lists of tasks. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "words.h"

#define MOST_IO_ERRORS	3
#define MOST_LISTED	4		/* tasks or CPUs that are named */
#define STANDS_NS	10000000000ULL	/* between two listings, that tell that a task does not move */
#define LISTED_OLD_NS	120000000000ULL	/* by then khungtaskd speaks itself */
#define ORDERLY_NS	180000000000ULL	/* in which the system shuts down, or is forced to */

/* --- sysrq --------------------------------------------------------------- */

static bool has_frame(const struct kernel_report *report, const char *name)
{
	char function[WORDS_FUNCTION];

	for (u32 i = 0; i < report->nr_frames; i++) {
		words_function(function, report->frames[i]);
		if (!strcmp(function, name))
			return true;
	}
	return false;
}

bool judge_sysrq(struct explain *explain)
{
	struct finding *finding = explain->finding;
	const struct kernel_report *report = explain->panic;
	char task[WORDS_TASK];

	if (!report_text_has(explain->said, "sysrq triggered crash"))
		return false;
	words_task(task, report);
	if (report && *task && has_frame(report, "write_sysrq_trigger"))
		finding_claim(finding, "sysrq-crash", FINDING_SHOWN,
			      "The crash was asked for: the task %s wrote \"c\" to /proc/sysrq-trigger.", task);
	else if (report && report->nr_frames)
		finding_claim(finding, "sysrq-crash", FINDING_SHOWN,
			      "The crash was asked for by sysrq-c, from a keyboard or a serial console: no write to /proc/sysrq-trigger is on the stack.");
	else
		finding_claim(finding, "sysrq-crash", FINDING_SHOWN,
			      "The crash was asked for by sysrq-c; the call trace that says by whom is not here.");
	finding_open(finding, "Why it was asked for. If the machine was hanging, look at the seconds before.");
	words_report_evidence(explain, report);
	return true;
}

/* --- init ---------------------------------------------------------------- */

static const char *signal_name(u32 signal)
{
	switch (signal) {
	case 4: return "SIGILL";
	case 6: return "SIGABRT";
	case 7: return "SIGBUS";
	case 9: return "SIGKILL";
	case 11: return "SIGSEGV";
	case 15: return "SIGTERM";
	default: return "no common one";
	}
}

/* Lines of the log of a fault of process 1. */
static void add_faults_of_init(struct explain *explain, u64 before)
{
	const struct report_lines *lines = &explain->death->lines;

	for (u32 i = 0; i < lines->nr; i++) {
		struct report_text text = { lines->list[i].text, lines->list[i].len };

		if (lines->list[i].time <= before &&
		    (report_text_has(text, "[1]: segfault at") || report_text_has(text, "[1] trap ") ||
		     report_text_has(text, "[1]: unhandled") || report_text_has(text, "[1] general protection")))
			finding_evidence(explain->finding, lines->list[i].time, finding_line(text.text, text.len), "%.*s", WORDS(text));
	}
}

/* An oops that ended the task is the cause of the panic about its end. */
static bool take_oops_of(struct explain *explain, const char *pid)
{
	const struct death *death = explain->death;
	u32 end = death->panic < 0 ? death->reports.nr : death->panic;

	while (end--) {
		const struct kernel_report *report = &death->reports.list[end];

		if (report->kind != KERNEL_REPORT_OOPS || report->pid.len != strlen(pid) ||
		    memcmp(report->pid.text, pid, report->pid.len))
			continue;
		explain->cause = report;
		fault_text_read(&explain->fault, death, report);
		return true;
	}
	return false;
}

bool judge_init(struct explain *explain)
{
	struct finding *finding = explain->finding;
	const char *at = explain->said.text;
	u32 code;

	if (report_text_has(explain->said, "Attempted to kill the idle task!"))
		take_oops_of(explain, "0");
	if (!report_text_has(explain->said, "Attempted to kill init!") || take_oops_of(explain, "1"))
		return false;
	at = memmem(at, explain->said.len, "exitcode=0x", 11);
	code = at ? report_text_number(explain->said, at + 11, 16) : 0;
	if (!at)
		finding_claim(finding, "init-died", FINDING_SHOWN,
			      "Process 1 ended, and no system runs without it.");
	else if (code & 0x7f)
		finding_claim(finding, "init-died", FINDING_SHOWN,
			      "Process 1 was killed by signal %u (%s), and no system runs without it.",
			      code & 0x7f, signal_name(code & 0x7f));
	else
		finding_claim(finding, "init-died", FINDING_SHOWN,
			      "Process 1 ended by itself with status %u, and no system runs without it.",
			      code >> 8 & 0xff);
	words_report_evidence(explain, explain->panic);
	add_faults_of_init(explain, explain->panic ? explain->panic->time : explain->pm->end.time);
	finding_open(finding, code & 0x7f ? "Who sent the signal, or what made it fault." :
					    "Why it ended.");
	finding_next(finding, "epitaph report --pid 1 --all FILE");
	return true;
}

/* --- root ---------------------------------------------------------------- */

bool judge_root(struct explain *explain)
{
	struct finding *finding = explain->finding;

	if (!report_text_has(explain->said, "Unable to mount root fs") &&
	    !report_text_has(explain->said, "No working init found") &&
	    !report_text_has(explain->said, "Requested init"))
		return false;
	if (report_text_has(explain->said, "Unable to mount root fs"))
		finding_claim(finding, "no-root", FINDING_SHOWN,
			      "The kernel found no root file system: %.*s.", WORDS(explain->said));
	else
		finding_claim(finding, "no-root", FINDING_SHOWN,
			      "The root file system has no init that runs: %.*s.", WORDS(explain->said));
	words_report_evidence(explain, explain->panic);
	finding_open(finding, "Why: root= and initrd of the boot loader, and the driver of the disk, decide this.");
	finding_next(finding, "epitaph report --source log --all FILE");
	return true;
}

/* --- file system --------------------------------------------------------- */

/* "vdb" of "EXT4-fs error (device vdb): ..." and "EXT4-fs (device vdb): panic forced ...". */
static bool device_of(struct report_text text, char device[32])
{
	const char *at = text.text ? memmem(text.text, text.len, "(device ", 8) : NULL;
	size_t len = 0;

	if (!at)
		return false;
	for (at += 8; at + len < text.text + text.len && len < 31 &&
	     (isalnum((unsigned char)at[len]) || at[len] == '-' || at[len] == '_'); len++)
		device[len] = at[len];
	device[len] = '\0';
	return len;
}

/* Is the disk of @len bytes @device itself, or does it have it as a partition: sda1, nvme0n1p2? */
static bool is_disk_of(const char *device, const char *disk, size_t len)
{
	if (!len || strncmp(device, disk, len))
		return false;
	device += len;
	if (isdigit((unsigned char)disk[len - 1]) && *device == 'p')
		device++;
	else if (isdigit((unsigned char)disk[len - 1]))
		return !*device;
	return strspn(device, "0123456789") == strlen(device);
}

/* Words in front of the disk's name: of the block layer, of the buffer cache and of a journal. */
static const char *const io_errors[] = {
	"error, dev ", "Buffer I/O error on dev ", "Buffer I/O error on device ",
	"updating journal superblock for ", "flushing file data on ",
};

/* The length of the disk's name at @at; a journal is called by its disk and its inode: sda1-8. */
static size_t disk_name(const char *at, const char *end, bool is_journal)
{
	size_t len = 0, digits = 0;

	while (at + len < end && (isalnum((unsigned char)at[len]) || at[len] == '-' || at[len] == '_'))
		len++;
	while (digits < len && isdigit((unsigned char)at[len - digits - 1]))
		digits++;
	return is_journal && digits && digits < len && at[len - digits - 1] == '-' ? len - digits - 1 : len;
}

/* Requests that a disk may refuse without harm, and an answer that it does not know one. */
static bool is_harmless(struct report_text line)
{
	static const char *const words[] = {
		"operation not supported error", "(WRITE_ZEROES)", "(DISCARD)", "(SECURE_ERASE)", "(SECURE ERASE)",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (report_text_has(line, words[i]))
			return true;
	return false;
}

/* Words of ext4, XFS and btrfs themselves, behind the device. */
static bool says_io_error(struct report_text line)
{
	static const char *const words[] = {
		"I/O error", "IO failure", "Cannot read block bitmap", "Cannot read inode bitmap",
		"unable to read itable block",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (report_text_has(line, words[i]))
			return true;
	return false;
}

static bool is_io_error(struct report_text line, const char *device)
{
	const char *end = line.text + line.len, *at;
	char named[32];

	if (is_harmless(line))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(io_errors); i++) {
		at = memmem(line.text, line.len, io_errors[i], strlen(io_errors[i]));
		if (!at)
			continue;
		at += strlen(io_errors[i]);
		if (is_disk_of(device, at, disk_name(at, end, i >= 3)))
			return true;
	}
	return says_io_error(line) && device_of(line, named) && !strcmp(device, named);
}

/* I/O errors of @device, or of the disk that it is a partition of: the first lines become evidence. */
static bool had_io_error(struct explain *explain, const char *device, u64 before)
{
	const struct report_lines *lines = &explain->death->lines;
	u32 nr = 0;

	for (u32 i = 0; i < lines->nr && nr < MOST_IO_ERRORS; i++) {
		struct report_text text = { lines->list[i].text, lines->list[i].len };

		if (lines->list[i].time > before || !is_io_error(text, device))
			continue;
		finding_evidence(explain->finding, lines->list[i].time, finding_line(text.text, text.len), "%.*s", WORDS(text));
		nr++;
	}
	return nr;
}

bool judge_filesystem(struct explain *explain)
{
	const struct kernel_report *cause = explain->cause;
	struct finding *finding = explain->finding;
	char device[32];
	bool is_cause = cause && cause->kind == KERNEL_REPORT_FILESYSTEM;

	if (!is_cause && !report_text_has(explain->said, "panic forced after error"))
		return false;
	if (!device_of(is_cause ? cause->title : explain->said, device))
		snprintf(device, sizeof(device), "an unknown device");
	words_report_evidence(explain, explain->panic);
	if (had_io_error(explain, device, explain->panic ? explain->panic->time : explain->pm->end.time))
		finding_claim(finding, "filesystem", FINDING_LIKELY,
			      "The file system on %s has errors=panic and found an error, after reads or writes of its disk had failed.", device);
	else
		finding_claim(finding, "filesystem", FINDING_SHOWN,
			      "The file system on %s has errors=panic, and it found an error in itself.", device);
	if (is_cause)
		words_report_evidence(explain, cause);
	if (finding->strength == FINDING_SHOWN) {
		finding_note(&finding->not_found, "an I/O error of %s in the log", device);
		finding_open(finding, "What damaged it. On that machine, with the file system not mounted: fsck -n /dev/%s", device);
	}
	return true;
}

/* --- panic() ------------------------------------------------------------- */

/* Texts by which panic() ends what was reported before: alone they do not say why. */
static bool is_end_of_report(struct report_text said)
{
	static const char *const texts[] = {
		"Fatal exception", "hung_task: blocked", "softlockup: hung", "Hard LOCKUP", "RCU Stall",
		"panic_on_warn set", "Fatal hardware error",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (report_text_has(said, texts[i]))
			return true;
	return false;
}

bool judge_panic_call(struct explain *explain)
{
	struct finding *finding = explain->finding;
	const struct kernel_report *panic = explain->panic;
	struct report_text caller = words_frame(panic, plumbing_is_of_dying);
	char place[2 * WORDS_FUNCTION], task[WORDS_TASK];

	if (!explain->said.len || (explain->cause && explain->cause != panic))
		return false;
	words_place(place, caller);
	words_task(task, panic);
	if (is_end_of_report(explain->said))
		finding_claim(finding, "panic-call", FINDING_NOT_KNOWN,
			      "The kernel panicked with \"%.*s\"; the lines that say for what are not in this file.",
			      WORDS(explain->said));
	else if (caller.text)
		finding_claim(finding, "panic-call", FINDING_SHOWN, "%s called panic()%s%s: \"%.*s\".", place,
			      *task ? ", in the task " : "", task, WORDS(explain->said));
	else
		finding_claim(finding, "panic-call", FINDING_SHOWN, "The kernel called panic(): \"%.*s\".",
			      WORDS(explain->said));
	if (finding->strength == FINDING_SHOWN)
		finding_open(finding, "Why the code decided so; read its source.");
	words_report_evidence(explain, panic);
	return true;
}

/* --- tasks and CPUs that sysrq listed ------------------------------------- */

static const struct printed_listing *last_listing(const struct explain *explain, bool is_of_cpus)
{
	const struct printed_tasks *printed = &explain->printed;

	for (u32 i = printed->nr_listings; i--; )
		if ((printed->listings[i].key == PRINTED_CPUS) == is_of_cpus)
			return &printed->listings[i];
	return NULL;
}

void listed_ask(struct explain *explain)
{
	const struct printed_listing *last = last_listing(explain, false);

	for (u32 i = 0; last && i < last->nr; i++)
		history_ask_task(&explain->history, explain->printed.list[last->first + i].pid);
}

/* Since when the task has stood there, by an earlier listing that is old enough to tell; 0: unknown. */
static u64 listed_since(const struct explain *explain, const struct printed_listing *last, const struct printed_task *task)
{
	const struct printed_tasks *printed = &explain->printed;
	u64 since = 0;

	for (const struct printed_listing *each = last; each-- > printed->listings; ) {
		const struct printed_task *before;

		if (each->key == PRINTED_CPUS || each->time > last->time)
			continue;
		before = printed_tasks_find(printed, each, task->pid);
		if (!before || !printed_task_same(before, task))
			break;
		if (last->time - each->time >= STANDS_NS)
			since = each->time;
	}
	return since;
}

static bool has_gone_on(const struct explain *explain, const struct printed_listing *last, const struct printed_task *task)
{
	const struct history_task *history = history_task(&explain->history, task->pid);

	return history && (history->woken > last->time || history->out > last->time);
}

static void name_of_listed(char name[WORDS_TASK], const struct printed_task *task)
{
	snprintf(name, WORDS_TASK, "%.*s-%llu", WORDS(printed_task_name(task)), task->pid);
}

/* "__mutex_lock(), called by watcher() in module two_mutexes" */
static void where_listed(char where[4 * WORDS_FUNCTION], const struct kernel_report *report)
{
	struct report_text caller = words_frame(report, plumbing_is_of_waiting);
	char place[2 * WORDS_FUNCTION], function[WORDS_FUNCTION] = "";

	words_place(place, caller);
	for (u32 i = 1; i < report->nr_frames && caller.text; i++)
		if (report->frames[i].text == caller.text)
			words_function(function, report->frames[i - 1]);
	if (*function && strcmp(function, "schedule") && strcmp(function, "__schedule"))
		snprintf(where, 4 * WORDS_FUNCTION, "%s(), called by %s", function, place);
	else
		snprintf(where, 4 * WORDS_FUNCTION, "%s", place);
}

static void add_listed(struct explain *explain, const struct printed_task *task, u64 since)
{
	char name[WORDS_TASK], where[4 * WORDS_FUNCTION], before[80] = "";

	name_of_listed(name, task);
	where_listed(where, &task->report);
	if (since)
		snprintf(before, sizeof(before), ", as %llu s before", (task->report.time - since) / 1000000000);
	finding_evidence(explain->finding, task->report.time, finding_line(task->report.title.text, task->report.title.len),
			 "%s was blocked (state D) in %s%s", name, where, before);
}

/* What the CPUs ran that were not idle. */
static void add_listed_cpus(struct explain *explain, bool is_claim)
{
	const struct printed_listing *last = last_listing(explain, true);
	u64 end = explain->pm->end.time, ns = last && end > last->time ? end - last->time : 0;

	for (u32 i = 0; last && i < last->nr && i < MOST_LISTED; i++) {
		const struct kernel_report *report = &explain->printed.list[last->first + i].report;
		struct report_text place = report->place.text ? report->place : words_frame(report, plumbing_has);
		char task[WORDS_TASK], text[2 * WORDS_FUNCTION];

		words_task(task, report);
		words_place(text, place);
		/* The one that listed them. */
		if (!report->cpu.text || has_frame(report, "__handle_sysrq"))
			continue;
		if (is_claim)
			finding_evidence(explain->finding, report->time, finding_line(report->title.text, report->title.len),
					 "CPU %.*s ran %s, in %s", WORDS(report->cpu), *task ? task : "an unknown task", text);
		else
			finding_note(&explain->finding->also, "when sysrq-l was pressed, %llu.%03llu s before the end, CPU %.*s ran %s, in %s",
				     ns / 1000000000, ns / 1000000 % 1000, WORDS(report->cpu), *task ? task : "an unknown task", text);
	}
}

/* How many of the listing stand there still as far as is known, the first of them, and how long they all have. */
static u32 count_listed(const struct explain *explain, const struct printed_listing *last, const struct printed_task **first, u64 *since)
{
	u32 nr = 0;

	*first = NULL;
	*since = ~0ULL;
	for (u32 i = 0; i < last->nr; i++) {
		const struct printed_task *task = &explain->printed.list[last->first + i];
		u64 one = listed_since(explain, last, task);

		if (has_gone_on(explain, last, task))
			continue;
		*first = *first ?: task;
		*since = one < *since ? one : *since;
		nr++;
	}
	return nr;
}

bool judge_listed(struct explain *explain)
{
	const struct printed_listing *last = last_listing(explain, false);
	struct finding *finding = explain->finding;
	char name[WORDS_TASK], where[4 * WORDS_FUNCTION];
	const struct printed_task *first;
	u64 end = explain->pm->end.time, ns = last && end > last->time ? end - last->time : 0, since;
	char when[60] = "right before the end";
	u32 nr, added = 0;

	/* The memory knows better. */
	if (!last || explain->pm->end.how != OUTCOME_UNKNOWN || explain->pm->kernel || ns > LISTED_OLD_NS)
		return false;
	nr = count_listed(explain, last, &first, &since);
	if (!nr)
		return false;
	if (ns >= 1000000000)
		snprintf(when, sizeof(when), "%llu s before the end", ns / 1000000000);
	name_of_listed(name, first);
	where_listed(where, &first->report);
	explain->listed = &first->report;
	finding->is_noticed = true;
	finding_claim(finding, "hung-task", since ? FINDING_LIKELY : FINDING_POSSIBLE,
		      "%u task%s blocked when sysrq-%c was pressed, %s%s; %s%s, in %s.", nr, nr > 1 ? "s were" : " was", last->key, when,
		      since ? ", and at least 10 s before that" : "", nr > 1 ? "the first is " : "", name, where);
	finding_open(finding, since ? "Who holds what they wait for, or should have woken them: a task that waits is not the culprit." :
				      "Whether they stay blocked: each task that waits for a disk is, for a moment. sysrq-w again, 10 s later, would show it.");
	for (u32 i = 0; i < last->nr && added < MOST_LISTED; i++) {
		const struct printed_task *task = &explain->printed.list[last->first + i];

		if (has_gone_on(explain, last, task))
			continue;
		add_listed(explain, task, listed_since(explain, last, task));
		added++;
	}
	if (nr > added)
		finding_note(&finding->also, "%u more tasks were blocked then", nr - added);
	add_listed_cpus(explain, true);
	finding_note(&finding->not_found, "how it ended: it still ran when this was read, or was reset later");
	finding_note(&finding->missing, "who holds the lock: a vmcore has it");
	finding_next(finding, "epitaph report --source log --all FILE");
	return true;
}

void listed_note(struct explain *explain)
{
	const struct printed_listing *last = last_listing(explain, false);
	u64 end = explain->pm->end.time, ns = last && end > last->time ? end - last->time : 0;
	char text[FINDING_TEXT] = "", name[WORDS_TASK], where[4 * WORDS_FUNCTION];
	size_t len = 0;

	if (explain->listed)
		return;
	for (u32 i = 0; last && i < last->nr && i < MOST_LISTED && len < sizeof(text) / 2; i++) {
		const struct printed_task *task = &explain->printed.list[last->first + i];

		name_of_listed(name, task);
		where_listed(where, &task->report);
		len += snprintf(text + len, sizeof(text) - len, "%s%s in %s", i ? "; " : "", name, where);
	}
	if (last && last->nr)
		finding_note(&explain->finding->also, "when sysrq-%c was pressed, %llu.%03llu s before the end, %u task%s blocked: %s",
			     last->key, ns / 1000000000, ns / 1000000 % 1000, last->nr, last->nr > 1 ? "s were" : " was", text);
	add_listed_cpus(explain, false);
}

/* --- no crash, or no word ------------------------------------------------ */

static void add_last_of_cpus(struct explain *explain)
{
	const struct history *history = &explain->history;

	for (u32 i = 0; i < history->nr_cpus && i < FINDING_EVIDENCE; i++) {
		const struct history_cpu *cpu = history_cpu(history, i);

		if (cpu && cpu->switched)
			finding_evidence(explain->finding, cpu->last, finding_event(i, ""),
					 "last event of CPU %u, which ran %s-%llu", i, cpu->comm, cpu->pid);
		else if (cpu)
			finding_evidence(explain->finding, cpu->last, finding_event(i, ""), "last event of CPU %u", i);
	}
}

/* What a kernel prints last that ends at once and in no order. */
static const struct last_words {
	const char *words;
	const char *claim;
	const char *open;
} all_last_words[] = {
	{ "sysrq: Resetting", "The machine was reset by sysrq-b", "Who asked for it, and why. If the machine was hanging, look at the seconds before." },
	{ "sysrq: Power Off", "The machine was switched off by sysrq-o", "Who asked for it, and why. If the machine was hanging, look at the seconds before." },
	{ "softdog: Initiating system reboot", "The software watchdog (softdog) reset the machine, as no program had written to it in time",
	  "Why: the program had ended, or what it waits for, or all of them, hung." },
};

static bool claim_last_words(struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;
	const struct report_line *line = lines->nr ? &lines->list[lines->nr - 1] : NULL;
	struct finding *finding = explain->finding;

	for (size_t i = 0; line && i < ARRAY_SIZE(all_last_words); i++) {
		const struct last_words *last = &all_last_words[i];

		if (!report_text_has((struct report_text){ line->text, line->len }, last->words))
			continue;
		finding_claim(finding, "reset", FINDING_SHOWN, "%s: that is the last that the kernel printed.", last->claim);
		finding_evidence(finding, line->time, finding_line(line->text, line->len), "%.*s", (int)line->len, line->text);
		finding_open(finding, "%s", last->open);
		finding_next(finding, "epitaph report --last 60 FILE");
		return true;
	}
	return false;
}

/* Did it go to sleep, and not say that it woke up? */
static const struct report_line *find_sleep(const struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;

	for (u32 i = lines->nr; i--; ) {
		struct report_text text = { lines->list[i].text, lines->list[i].len };

		if (report_text_has(text, "PM: suspend exit") || report_text_has(text, "PM: hibernation: hibernation exit"))
			return NULL;
		if (report_text_has(text, "PM: suspend entry") || report_text_has(text, "PM: hibernation: hibernation entry"))
			return &lines->list[i];
	}
	return NULL;
}

/* Why the kernel shuts down by itself: "acpitz: critical temperature reached". */
static bool claim_heat(struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;
	const struct postmortem_end *end = &explain->pm->end;

	for (u32 i = lines->nr; i--; ) {
		const struct report_line *line = &lines->list[i];
		struct report_text text = { line->text, line->len };

		if (line->time > end->time || end->time - line->time > ORDERLY_NS ||
		    (!report_text_has(text, "critical temperature reached") && !report_text_has(text, "HARDWARE PROTECTION shutdown")))
			continue;
		finding_claim(explain->finding, "ended", FINDING_SHOWN,
			      "This kernel did not crash: it was too hot or had to protect its hardware, and ended in order, by \"%s\".", end->reason);
		finding_evidence(explain->finding, line->time, finding_line(line->text, line->len), "%.*s", WORDS(text));
		return true;
	}
	return false;
}

/* What was looked for in vain is said of all that was. */
static void note_no_end(struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;
	bool has_sysrq = false, has_oops = false;

	for (u32 i = 0; i < lines->nr; i++)
		has_sysrq |= lines->list[i].len > 7 && !memcmp(lines->list[i].text, "sysrq: ", 7);
	for (u32 i = 0; i < explain->death->reports.nr; i++)
		has_oops |= explain->death->reports.list[i].kind == KERNEL_REPORT_OOPS;
	finding_note(&explain->finding->not_found, "a panic%s%s in the log or in the marks", has_oops ? "" : has_sysrq ? " or an oops" : ", an oops",
		     has_sysrq ? "" : " or a sysrq");
}

bool judge_end(struct explain *explain)
{
	const struct postmortem_end *end = &explain->pm->end;
	struct finding *finding = explain->finding;
	const struct report_line *sleep;

	if (end->how == OUTCOME_ENDED && claim_heat(explain))
		return true;
	if (end->how == OUTCOME_ENDED) {
		finding_claim(finding, "ended", FINDING_SHOWN, "This kernel did not crash: it ended in order, by \"%s\".",
			      end->reason);
		return true;
	}
	if (end->how == OUTCOME_CRASHED) {
		finding_claim(finding, "panic-call", FINDING_NOT_KNOWN,
			      "It crashed, and no word of why is left: %s", *end->reason ? end->reason : "no log, no stamp.");
		return true;
	}
	if (claim_last_words(explain))
		return true;
	sleep = find_sleep(explain);
	if (sleep)
		finding_evidence(finding, sleep->time, finding_line(sleep->text, sleep->len), "%.*s", (int)sleep->len, sleep->text);
	if (sleep)
		finding_claim(finding, "reset", FINDING_NOT_KNOWN,
			      "The kernel went to sleep and did not say that it woke up: it hung on one of these ways, was reset, lost its power, or slept when this was read.");
	else
		finding_claim(finding, "reset", FINDING_NOT_KNOWN,
			      "The kernel did not say how it ended: it was reset, lost its power, hung, or still ran when this was read.");
	finding_open(finding, "Which of these: hardware, a hypervisor, a watchdog or a power switch leaves no word.");
	add_last_of_cpus(explain);
	note_no_end(explain);
	finding_next(finding, "epitaph report --last 5 FILE");
	finding_next(finding, "ipmitool sel list    # what the management controller saw");
	return true;
}
