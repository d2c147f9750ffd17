// SPDX-License-Identifier: GPL-2.0-or-later
#include "printed_tasks.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TASKS	4096
#define MAX_LISTINGS	64
/* A listing without a line for this long is over. */
#define OPEN_NS		10000000000ULL
/* "task:%-15.15s state:%c" of sched_show_task() */
#define NAME_OFF	5
#define NAME_SIZE	15
#define STATE		" state:"
#define STATE_OFF	(NAME_OFF + NAME_SIZE + strlen(STATE))

/**
 * struct task_reader - state after the lines read so far
 * @listing: lines belong to it; NULL: to none
 * @task: lines belong to it; NULL: to none that counts
 * @in_trace: its call trace is being read
 * @last: time of the listing's last line
 */
struct task_reader {
	struct printed_tasks *tasks;
	struct printed_listing *listing;
	struct printed_task *task;
	bool in_trace;
	u64 last;
};

static bool words_begin(struct report_text text, const char *word)
{
	size_t len = strlen(word);

	return text.len >= len && !memcmp(text.text, word, len);
}

static struct report_text line_without_blanks(const struct report_line *line)
{
	struct report_text text = { line->text, line->len };

	while (text.len && (*text.text == ' ' || *text.text == '\t')) {
		text.text++;
		text.len--;
	}
	return text;
}

/* --- what begins ------------------------------------------------------------- */

static bool key_of(struct report_text text, enum printed_key *key)
{
	static const struct {
		const char *words;
		enum printed_key key;
	} keys[] = {
		{ "sysrq: Show Blocked State", PRINTED_BLOCKED }, { "sysrq: Show State", PRINTED_ALL },
		{ "sysrq: Show backtrace of all active CPUs", PRINTED_CPUS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (words_begin(text, keys[i].words)) {
			*key = keys[i].key;
			return true;
		}
	return false;
}

/* Forgets the oldest @nr. */
static void drop_listings(struct printed_tasks *tasks, u32 nr)
{
	u32 nr_tasks = nr < tasks->nr_listings ? tasks->listings[nr].first : tasks->nr;

	tasks->is_cut = true;
	tasks->nr_listings -= nr;
	tasks->nr -= nr_tasks;
	memmove(tasks->listings, tasks->listings + nr, tasks->nr_listings * sizeof(*tasks->listings));
	memmove(tasks->list, tasks->list + nr_tasks, tasks->nr * sizeof(*tasks->list));
	for (u32 i = 0; i < tasks->nr_listings; i++)
		tasks->listings[i].first -= nr_tasks;
	for (u32 i = 0; i < tasks->nr; i++)
		tasks->list[i].listing -= nr;
}

static void begin_listing(struct task_reader *r, enum printed_key key, u64 time)
{
	struct printed_tasks *tasks = r->tasks;

	if (tasks->nr_listings == MAX_LISTINGS)
		drop_listings(tasks, MAX_LISTINGS / 2);
	r->listing = &tasks->listings[tasks->nr_listings++];
	*r->listing = (struct printed_listing){ .key = key, .time = time, .first = tasks->nr };
	r->task = NULL;
	r->last = time;
}

/* The number behind @word, or -1. */
static s64 task_number_behind(struct report_text text, const char *word)
{
	const char *at = memmem(text.text, text.len, word, strlen(word)), *end = text.text + text.len;
	s64 n = 0;
	u32 digits = 0;

	if (!at)
		return -1;
	for (at += strlen(word); at < end && *at == ' '; )
		at++;
	for (; at < end && *at >= '0' && *at <= '9' && digits < 10; digits++)
		n = 10 * n + (*at++ - '0');
	return digits ? n : -1;
}

/* "task:watcher         state:D stack:0     pid:183   ppid:2      flags:0x00004000" */
static bool begins_task(struct report_text text, bool *is_blocked, u64 *pid)
{
	s64 number;

	if (!words_begin(text, "task:") || text.len < STATE_OFF + 2 || memcmp(text.text + NAME_OFF + NAME_SIZE, STATE, strlen(STATE)))
		return false;
	*is_blocked = text.text[STATE_OFF] == 'D' && text.text[STATE_OFF + 1] == ' ';
	number = task_number_behind((struct report_text){ text.text + STATE_OFF, text.len - STATE_OFF }, " pid:");
	*pid = number;
	return number >= 0;
}

/* "NMI backtrace for cpu 1"; with " skipped: idling at ..." behind it, the CPU did nothing. */
static bool begins_cpu(struct report_text text, bool *is_idle)
{
	*is_idle = report_text_has(text, " skipped: ");
	return words_begin(text, "NMI backtrace for cpu ");
}

static void begin_task(struct task_reader *r, struct report_text title, u64 pid, u64 time)
{
	struct printed_tasks *tasks = r->tasks;

	r->task = NULL;
	r->in_trace = false;
	if (tasks->nr == MAX_TASKS && r->listing->first) {
		drop_listings(tasks, tasks->nr_listings - 1);
		r->listing = tasks->listings;
	}
	if (tasks->nr == MAX_TASKS) {
		tasks->is_cut = true;
		return;
	}
	r->task = &tasks->list[tasks->nr++];
	r->listing->nr++;
	*r->task = (struct printed_task){ .listing = r->listing - tasks->listings, .pid = pid };
	r->task->report = (struct kernel_report){
		.kind = r->listing->key == PRINTED_CPUS ? KERNEL_REPORT_LOCKUP : KERNEL_REPORT_HUNG_TASK,
		.time = time, .caller = KERNEL_REPORT_NO_CALLER, .title = title,
	};
}

/* --- lines ------------------------------------------------------------------- */

static void read_line_of_task(struct task_reader *r, struct report_text text)
{
	struct kernel_report *report = &r->task->report;

	if (words_begin(text, "Call Trace:") || words_begin(text, "Call trace:")) {
		r->in_trace = !report->nr_frames;
		return;
	}
	if (!report->nr_frames && kernel_report_add_place(report, text))
		return;
	if (r->in_trace)
		r->in_trace = kernel_report_add_frame(report, text);
}

static void read_line_of_listing(struct task_reader *r, const struct report_line *line, struct report_text text)
{
	bool is_blocked, is_idle;
	u64 pid;

	if (r->listing->key != PRINTED_CPUS && begins_task(text, &is_blocked, &pid)) {
		r->task = NULL;
		if (is_blocked)
			begin_task(r, text, pid, line->time);
	} else if (r->listing->key == PRINTED_CPUS && begins_cpu(text, &is_idle)) {
		r->task = NULL;
		if (!is_idle)
			begin_task(r, text, 0, line->time);
	} else if (r->task) {
		read_line_of_task(r, text);
	}
}

static void read_task_line(struct task_reader *r, const struct report_line *line)
{
	struct report_text text = line_without_blanks(line);
	enum printed_key key;

	if (key_of(text, &key)) {
		begin_listing(r, key, line->time);
		return;
	}
	/* Another key, a report of its own, or silence. */
	if (words_begin(text, "sysrq: ") || words_begin(text, "INFO: task ") ||
	    (line->time > r->last && line->time - r->last > OPEN_NS))
		r->listing = NULL;
	if (!r->listing)
		return;
	r->last = line->time;
	read_line_of_listing(r, line, text);
}

/* Is there a line that begins a listing? Most logs have none. */
static bool has_listing(const struct report_line *lines, u32 nr)
{
	enum printed_key key;

	for (u32 i = 0; i < nr; i++)
		if (key_of(line_without_blanks(&lines[i]), &key))
			return true;
	return false;
}

int printed_tasks_read(struct printed_tasks *tasks, const struct report_line *lines, u32 nr, struct err *err)
{
	struct task_reader r = { .tasks = tasks };

	memset(tasks, 0, sizeof(*tasks));
	if (!has_listing(lines, nr))
		return 0;
	tasks->listings = calloc(MAX_LISTINGS, sizeof(*tasks->listings));
	tasks->list = calloc(MAX_TASKS, sizeof(*tasks->list));
	if (!tasks->listings || !tasks->list) {
		printed_tasks_free(tasks);
		return err_sys(err, "memory for the tasks that the kernel listed");
	}
	for (u32 i = 0; i < nr; i++)
		read_task_line(&r, &lines[i]);
	return 0;
}

void printed_tasks_free(struct printed_tasks *tasks)
{
	free(tasks->listings);
	free(tasks->list);
	memset(tasks, 0, sizeof(*tasks));
}

/* --- what they say ----------------------------------------------------------- */

struct report_text printed_task_name(const struct printed_task *task)
{
	struct report_text name = { task->report.title.text + NAME_OFF, NAME_SIZE };

	if (!words_begin(task->report.title, "task:"))
		return task->report.comm;
	while (name.len && name.text[name.len - 1] == ' ')
		name.len--;
	return name;
}

bool printed_task_same(const struct printed_task *a, const struct printed_task *b)
{
	const struct kernel_report *x = &a->report, *y = &b->report;

	if (a->pid != b->pid || !report_text_same(printed_task_name(a), printed_task_name(b)) || x->nr_frames != y->nr_frames)
		return false;
	for (u32 i = 0; i < x->nr_frames; i++)
		if (!report_text_same(x->frames[i], y->frames[i]))
			return false;
	return x->nr_frames;
}

const struct printed_task *printed_tasks_find(const struct printed_tasks *tasks, const struct printed_listing *listing, u64 pid)
{
	for (u32 i = listing->first; i < listing->first + listing->nr; i++)
		if (tasks->list[i].pid == pid)
			return &tasks->list[i];
	return NULL;
}
