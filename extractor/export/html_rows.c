// SPDX-License-Identifier: GPL-2.0-or-later
#include "html_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/fast_digits.h"
#include "event/field_iter.h"
#include "recording/klog.h"
#include "timeline/slice_source.h"
#include "timeline/vcpu_wait.h"
#include "html_data_block.h"

#define VARINT_MAX	10
#define LANES_MAX	0xffff

enum column {
	COLUMN_TIME,		/* since the row before; zigzag */
	COLUMN_CPU,		/* and 1 more */
	COLUMN_KIND,
	COLUMN_NAME,
	COLUMN_TASK,
	COLUMN_AUX,
	NR_COLUMNS,
};

enum aux {
	AUX_NONE,
	AUX_NAME,
	AUX_NEXT_TASK,
	AUX_IRQ,
	AUX_SOFTIRQ,
	AUX_CALL,
};

#define NR_MEANINGS	128
#define NR_TASKS	64

/**
 * struct event_meaning - what follows from the name of an event
 * @of: the name; empty: not known yet
 * @name: number of what is shown of it
 * @aux_name: number of a text, if @aux is AUX_NAME
 */
struct event_meaning {
	char of[64];
	enum html_kind kind;
	enum aux aux;
	u32 name;
	u32 aux_name;
};

/**
 * struct named_task - the number of what a task is called
 * @size: of its name
 * @number: 0: none yet
 * @is_exact: the text of that number is its name as it is, a letter for each byte
 */
struct named_task {
	s64 pid;
	size_t size;
	u32 number;
	bool is_exact;
	char comm[TASK_COMM];
};

struct bytes_of_column {
	u32 size;
	u8 data[HTML_ROWS * VARINT_MAX];
};

/**
 * struct html_rows - columns
 * @nr: rows in them
 * @written: rows before those
 * @time: of the last row
 * @end: what the page counts times from
 * @is_inexact: a time was too far from it for the page's numbers, and those behind it are rounded
 * @leaders: whose events make slices, by the kind that begins them: of the host, and of its guests
 * @lanes: where those of the guests begin, and how many CPUs of each have one
 * @meanings: of the names seen last
 * @tasks: those seen last
 */
struct html_rows {
	struct strings *strings;
	u64 written;
	u32 nr;
	u64 start;
	u64 time;
	u64 end;
	bool is_inexact;
	const struct joint *joint;
	struct slice_source leaders[1 + JOINT_GUESTS_MAX][HTML_SYS + 1];
	struct {
		u32 first;
		u32 cpus;
	} lanes[JOINT_GUESTS_MAX];
	struct event_meaning meanings[NR_MEANINGS];
	struct named_task tasks[NR_TASKS];
	struct bytes_of_column columns[NR_COLUMNS];
};

/* One for what is of no CPU, then its CPUs, as far as each guest behind it still has one. */
static void give_lanes(struct html_rows *rows)
{
	u32 nr = rows->joint ? rows->joint->nr : 0, lane = HTML_GUEST_LANE;

	for (u32 i = 0; i < nr; i++) {
		u32 cpus = rows->joint->list[i].vm->nr_vcpus, left = LANES_MAX - lane - (nr - i);

		rows->lanes[i].first = lane;
		rows->lanes[i].cpus = cpus < left ? cpus : left;
		lane += 1 + rows->lanes[i].cpus;
	}
}

int html_rows_new(struct html_rows **ret, struct strings *strings, u64 end, const struct joint *joint,
		  struct err *err)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return err_sys(err, "memory");
	(*ret)->strings = strings;
	(*ret)->end = end;
	(*ret)->joint = joint;
	give_lanes(*ret);
	return 0;
}

u32 html_rows_guest_lane(const struct html_rows *rows, const struct joint_guest *guest)
{
	return rows->lanes[guest - rows->joint->list].first;
}

u32 html_rows_guest_cpus(const struct html_rows *rows, const struct joint_guest *guest)
{
	return rows->lanes[guest - rows->joint->list].cpus;
}

/* 0 is the host. */
static u32 kernel_of(const struct html_rows *rows, const struct line *line)
{
	return line->guest ? 1 + (line->guest - rows->joint->list) : 0;
}

void html_rows_free(struct html_rows *rows)
{
	free(rows);
}

static u32 store_varint(u8 *at, u64 value)
{
	u32 n = 0;

	for (; value > 0x7f; value >>= 7)
		at[n++] = value | 0x80;
	at[n++] = value;
	return n;
}

static void put_column(struct html_rows *rows, enum column column, u64 value)
{
	struct bytes_of_column *c = &rows->columns[column];

	c->size += store_varint(c->data + c->size, value);
}

/* "comm-pid", as a report has it. */
static u32 find_number_of_task(struct html_rows *rows, s64 pid, const char *comm, size_t size)
{
	char text[TASK_COMM * 4 + 1 + DIGITS_MAX + 1] = "<...>";
	size_t len = strlen(text);

	if (comm)
		len = escape_text(text, TASK_COMM * 4 + 1, comm, size);
	text[len++] = '-';
	text[len + digits_dec(text + len, pid)] = '\0';
	return strings_number(rows->strings, text);
}

static u32 number_of_task(struct html_rows *rows, s64 pid, const char *comm, size_t size)
{
	struct named_task *task;

	if (pid < 0)
		return 0;
	if (!comm || size > TASK_COMM)
		return find_number_of_task(rows, pid, comm, size);
	task = &rows->tasks[pid % NR_TASKS];
	if (task->number && task->pid == pid && task->size == size && !memcmp(task->comm, comm, size))
		return task->number;
	task->pid = pid;
	task->size = size;
	memcpy(task->comm, comm, size);
	task->number = find_number_of_task(rows, pid, comm, size);
	task->is_exact = task->number != STRINGS_NR_LEFT_OUT && escape_plain(comm, size) == size;
	return task->number;
}

static u32 number_of_text(struct html_rows *rows, const void *text, size_t size)
{
	char escaped[256];

	escape_text(escaped, sizeof(escaped), text, size);
	return strings_number(rows->strings, escaped);
}

/* Who runs after a switch. */
static u32 next_task(struct html_rows *rows, const struct item *item)
{
	struct field pid, comm;

	if (!field_iter_find(item, "next_pid", &pid) || pid.kind != FIELD_NUMBER ||
	    !field_iter_find(item, "next_comm", &comm) || comm.kind != FIELD_TEXT)
		return 0;
	if (!(u32)pid.number)
		return number_of_task(rows, 0, "<idle>", 6);
	return number_of_task(rows, (u32)pid.number, comm.data, comm.size);
}

static u32 name_of_irq(struct html_rows *rows, const struct item *item)
{
	struct field name;

	if (!field_iter_find(item, "name", &name) || name.kind != FIELD_TEXT)
		return strings_number(rows->strings, "irq");
	return number_of_text(rows, name.data, name.size);
}

/* The kernel's numbers have been the same since 2.6.30. */
static u32 name_of_softirq(struct html_rows *rows, const struct item *item)
{
	static const char *const names[] = {
		"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED",
		"HRTIMER", "RCU",
	};
	struct field vec;

	if (!field_iter_find(item, "vec", &vec) || vec.kind != FIELD_NUMBER ||
	    vec.number >= ARRAY_SIZE(names))
		return strings_number(rows->strings, "softirq");
	return strings_number(rows->strings, names[vec.number]);
}

static u32 name_of_call(struct html_rows *rows, const struct item *item)
{
	char text[48] = "syscall ?";
	struct field id;

	if (field_iter_find(item, "id", &id) && id.kind == FIELD_NUMBER)
		snprintf(text, sizeof(text), "syscall %lld", (s64)id.number);
	return strings_number(rows->strings, text);
}

static u32 number_of_ns(struct html_rows *rows, u64 ns)
{
	char digits[DIGITS_MAX + 1];

	digits[digits_dec(digits, ns)] = '\0';
	return strings_number(rows->strings, digits);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static void set_meaning(struct event_meaning *meaning, enum html_kind kind, enum aux aux)
{
	meaning->kind = kind;
	meaning->aux = aux;
}

/* "irq_vectors:local_timer_entry" and its like. */
static void set_meaning_of_vector(struct html_rows *rows, struct event_meaning *meaning, const char *name)
{
	size_t len = strlen(name);

	if (len > 6 && !strcmp(name + len - 6, "_entry")) {
		set_meaning(meaning, HTML_IRQ, AUX_NAME);
		meaning->aux_name = number_of_text(rows, name, len - 6);
	} else if (len > 5 && !strcmp(name + len - 5, "_exit")) {
		set_meaning(meaning, HTML_IRQ_END, AUX_NONE);
	}
}

static void find_meaning(struct html_rows *rows, struct event_meaning *meaning, const char *name)
{
	const char *colon = strchr(name, ':');
	const char *shown = colon && !begins(name, "unknown:") ? colon + 1 : name;

	set_meaning(meaning, HTML_EVENT, AUX_NONE);
	meaning->name = number_of_text(rows, shown, strlen(shown));
	if (!strcmp(name, "sched:sched_switch")) {
		set_meaning(meaning, HTML_SWITCH, AUX_NEXT_TASK);
	} else if (!strcmp(name, "irq:irq_handler_entry")) {
		set_meaning(meaning, HTML_IRQ, AUX_IRQ);
	} else if (!strcmp(name, "irq:irq_handler_exit")) {
		set_meaning(meaning, HTML_IRQ_END, AUX_NONE);
	} else if (!strcmp(name, "irq:softirq_entry")) {
		set_meaning(meaning, HTML_SOFT, AUX_SOFTIRQ);
	} else if (!strcmp(name, "irq:softirq_exit")) {
		set_meaning(meaning, HTML_SOFT_END, AUX_NONE);
	} else if (!strcmp(name, "raw_syscalls:sys_enter")) {
		set_meaning(meaning, HTML_SYS, AUX_CALL);
	} else if (begins(name, "syscalls:sys_enter_")) {
		set_meaning(meaning, HTML_SYS, AUX_NAME);
		meaning->aux_name = number_of_text(rows, name + 19, strlen(name + 19));
	} else if (!strcmp(name, "raw_syscalls:sys_exit") || begins(name, "syscalls:sys_exit_")) {
		set_meaning(meaning, HTML_SYS_END, AUX_NONE);
	} else if (begins(name, "irq_vectors:")) {
		set_meaning_of_vector(rows, meaning, name + 12);
	}
}

/* What an event of this name means; valid until the next call. */
static const struct event_meaning *meaning_of(struct html_rows *rows, const char *name)
{
	struct event_meaning *meaning = &rows->meanings[(uintptr_t)name / 16 % NR_MEANINGS];

	if (meaning->of[0] && !strcmp(meaning->of, name))
		return meaning;
	find_meaning(rows, meaning, name);
	/* A longer one is looked up each time. */
	meaning->of[0] = '\0';
	if (strlen(name) < sizeof(meaning->of))
		strcpy(meaning->of, name);
	return meaning;
}

static u32 aux_of(struct html_rows *rows, const struct item *item, const struct event_meaning *meaning)
{
	switch (meaning->aux) {
	case AUX_NONE:
		break;
	case AUX_NAME:
		return meaning->aux_name;
	case AUX_NEXT_TASK:
		return next_task(rows, item);
	case AUX_IRQ:
		return name_of_irq(rows, item);
	case AUX_SOFTIRQ:
		return name_of_softirq(rows, item);
	case AUX_CALL:
		return name_of_call(rows, item);
	}
	return 0;
}

static enum html_kind kind_of_extra(const struct aux_event *extra, u32 *aux)
{
	const struct klog_line *line = extra->data;

	switch (extra->kind) {
	case AUX_EVENT_LOG:
		*aux = line->priority < 0 ? 0 : (line->priority & 7) + 1;
		return HTML_LOG;
	case AUX_EVENT_MCE:
		return HTML_MCE;
	}
	return HTML_EVENT;
}

/* Kinds that end what another begins are led by that. */
static bool leads_kind(struct html_rows *rows, const struct line *line, enum html_kind kind)
{
	switch (kind) {
	case HTML_IRQ_END:
	case HTML_SOFT_END:
	case HTML_SYS_END:
		kind--;
		break;
	default:
		break;
	}
	return is_slice_source(&rows->leaders[kernel_of(rows, line)][kind], line->item->stream);
}

/*
 * Not of the channel that says who runs: a number other than 0.  Its clock may be
 * another, and then its events do not stand exactly between those.
 */
static u32 is_beside(const struct html_rows *rows, u32 kernel, const struct stream *stream)
{
	const struct slice_source *leader = &rows->leaders[kernel][HTML_SWITCH];

	return leader->channel && stream && strcmp(leader->channel, stream->channel);
}

/* @meaning: of an event's name */
static enum html_kind kind_of_line(struct html_rows *rows, const struct line *line,
				   const struct event_meaning *meaning, u32 *aux)
{
	switch (line->kind) {
	case LINE_LOST:
		*aux = is_beside(rows, kernel_of(rows, line), line->item->stream);
		return line->item->extra ? HTML_MCE : HTML_LOST;
	case LINE_DAMAGED:
		*aux = is_beside(rows, kernel_of(rows, line), line->item->stream);
		return HTML_DAMAGED;
	case LINE_UNFINISHED:
		return HTML_UNFINISHED;
	case LINE_MARK:
		return HTML_MARK;
	case LINE_CRASH:
		return HTML_CRASH;
	case LINE_END:
		return HTML_END;
	case LINE_GAP:
		*aux = number_of_ns(rows, line->wait->to - line->wait->from);
		return HTML_NOT_RUN;
	case LINE_EVENT:
		break;
	}
	if (line->item->extra)
		return kind_of_extra(line->item->extra, aux);
	/* Nothing follows from what may be anything. */
	if (line->item->marks & ITEM_IN_DAMAGED)
		return HTML_EVENT;
	*aux = aux_of(rows, line->item, meaning);
	if (meaning->kind == HTML_EVENT || leads_kind(rows, line, meaning->kind))
		return meaning->kind;
	return HTML_EVENT;
}

static void put_who(struct html_rows *rows, const struct line *line, const struct event_meaning *meaning)
{
	const struct item *item = line->item;

	put_column(rows, COLUMN_NAME, meaning->name);
	put_column(rows, COLUMN_TASK, (item->marks & ITEM_IN_DAMAGED) ||
		   is_beside(rows, kernel_of(rows, line), item->stream) ? 0 :
	    number_of_task(rows, item->pid, item->comm, item->comm ? strlen(item->comm) : 0));
}

static void put_why_not_run(struct html_rows *rows, const struct vcpu_wait *wait)
{
	char words[VCPU_WAIT_WORDS];

	vcpu_wait_words(words, sizeof(words), wait);
	put_column(rows, COLUMN_NAME, strings_number(rows->strings, words));
	put_column(rows, COLUMN_TASK, 0);
}

/* And 1 more; 0: none. */
static u32 lane_of_line(const struct html_rows *rows, const struct line *line)
{
	u32 cpu = line->wait ? line->wait->cpu : line->item->cpu, lane;

	if (!line->guest)
		return cpu < (rows->joint ? HTML_GUEST_LANE : LANES_MAX) ? cpu + 1 : 0;
	lane = html_rows_guest_lane(rows, line->guest);
	/* The end of a guest is that of all its CPUs. */
	if (cpu >= html_rows_guest_cpus(rows, line->guest) || line->kind == LINE_CRASH)
		return lane + 1;
	return lane + 1 + cpu + 1;
}

/* Doubles of the page are exact up to 2^53, and so is a difference of two such times. */
static bool is_far_from_end(const struct html_rows *rows, u64 time)
{
	u64 apart = time > rows->end ? time - rows->end : rows->end - time;

	return apart >= 1ULL << 52;
}

bool html_rows_have_head(const struct html_rows *rows, const struct item *item)
{
	const struct named_task *task = &rows->tasks[(u64)item->pid % NR_TASKS];
	size_t size;

	if (!item->comm || !task->is_exact || item->pid != task->pid || item->cpu >= HTML_GUEST_LANE ||
	    rows->is_inexact || is_far_from_end(rows, item->time) || is_beside(rows, 0, item->stream))
		return false;
	size = strlen(item->comm);
	return size == task->size && !memcmp(item->comm, task->comm, size);
}

void html_rows_add(struct html_rows *rows, const struct line *line)
{
	const struct event_meaning *meaning = line->kind == LINE_EVENT ? meaning_of(rows, item_name(line->item)) : NULL;
	u64 delta, time = line->wait ? line->wait->to : line->item->time;
	u32 aux = 0;

	if (!rows->written && !rows->nr)
		rows->start = rows->time = time;
	delta = time - rows->time;
	rows->time = time;
	rows->is_inexact |= is_far_from_end(rows, time);
	rows->nr++;
	put_column(rows, COLUMN_TIME, delta << 1 ^ -(delta >> 63));
	put_column(rows, COLUMN_CPU, lane_of_line(rows, line));
	put_column(rows, COLUMN_KIND, kind_of_line(rows, line, meaning, &aux));
	if (line->kind == LINE_EVENT) {
		put_who(rows, line, meaning);
	} else if (line->kind == LINE_GAP) {
		put_why_not_run(rows, line->wait);
	} else {
		put_column(rows, COLUMN_NAME, 0);
		put_column(rows, COLUMN_TASK, 0);
	}
	put_column(rows, COLUMN_AUX, aux);
}

bool html_rows_full(const struct html_rows *rows)
{
	return rows->nr == HTML_ROWS;
}

static u64 size_of_all(const struct html_rows *rows)
{
	u64 size = VARINT_MAX;
	u32 i;

	for (i = 0; i < NR_COLUMNS; i++)
		size += VARINT_MAX + rows->columns[i].size;
	return size;
}

static int write_columns(const struct html_rows *rows, FILE *f, struct err *err)
{
	u8 *data = malloc(size_of_all(rows));
	u32 i, n;
	int ret;

	if (!data)
		return err_sys(err, "memory");
	n = store_varint(data, rows->nr);
	for (i = 0; i < NR_COLUMNS; i++) {
		const struct bytes_of_column *c = &rows->columns[i];

		n += store_varint(data + n, c->size);
		memcpy(data + n, c->data, c->size);
		n += c->size;
	}
	ret = html_block(f, "rows", data, n, err);
	free(data);
	return ret;
}

int html_rows_write(struct html_rows *rows, FILE *f, struct err *err)
{
	int ret = f ? write_columns(rows, f, err) : 0;

	for (u32 i = 0; i < NR_COLUMNS; i++)
		rows->columns[i].size = 0;
	rows->written += rows->nr;
	rows->nr = 0;
	return ret;
}

u64 html_rows_nr(const struct html_rows *rows)
{
	return rows->written + rows->nr;
}

u64 html_rows_start(const struct html_rows *rows)
{
	return rows->start;
}
