// SPDX-License-Identifier: GPL-2.0-or-later
#include "html_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "event/field_iter.h"
#include "recording/klog.h"
#include "timeline/slice_source.h"
#include "html_data_block.h"

#define VARINT_MAX	10

enum column {
	COLUMN_TIME,		/* since the row before; zigzag */
	COLUMN_CPU,		/* and 1 more */
	COLUMN_KIND,
	COLUMN_NAME,
	COLUMN_TASK,
	COLUMN_AUX,
	NR_COLUMNS,
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
 * @leaders: whose events make slices, by the kind that begins them
 */
struct html_rows {
	struct strings *strings;
	u64 written;
	u32 nr;
	u64 start;
	u64 time;
	struct slice_source leaders[HTML_SYS + 1];
	struct bytes_of_column columns[NR_COLUMNS];
};

int html_rows_new(struct html_rows **ret, struct strings *strings, struct err *err)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return err_sys(err, "memory");
	(*ret)->strings = strings;
	return 0;
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
static u32 number_of_task(struct html_rows *rows, s64 pid, const char *comm, size_t size)
{
	char escaped[TASK_COMM * 4 + 1] = "<...>";
	char text[sizeof(escaped) + 24];

	if (pid < 0)
		return 0;
	if (comm)
		escape_text(escaped, sizeof(escaped), comm, size);
	snprintf(text, sizeof(text), "%s-%lld", escaped, pid);
	return strings_number(rows->strings, text);
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

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* "irq_vectors:local_timer_entry" and its like. */
static enum html_kind kind_of_vector(const char *name)
{
	size_t len = strlen(name);

	if (len > 6 && !strcmp(name + len - 6, "_entry"))
		return HTML_IRQ;
	if (len > 5 && !strcmp(name + len - 5, "_exit"))
		return HTML_IRQ_END;
	return HTML_EVENT;
}

static enum html_kind html_kind_of(struct html_rows *rows, const struct item *item, u32 *aux)
{
	const char *name = item_name(item);
	enum html_kind kind;

	if (!strcmp(name, "sched:sched_switch")) {
		*aux = next_task(rows, item);
		return HTML_SWITCH;
	}
	if (!strcmp(name, "irq:irq_handler_entry")) {
		*aux = name_of_irq(rows, item);
		return HTML_IRQ;
	}
	if (!strcmp(name, "irq:irq_handler_exit"))
		return HTML_IRQ_END;
	if (!strcmp(name, "irq:softirq_entry")) {
		*aux = name_of_softirq(rows, item);
		return HTML_SOFT;
	}
	if (!strcmp(name, "irq:softirq_exit"))
		return HTML_SOFT_END;
	if (!strcmp(name, "raw_syscalls:sys_enter")) {
		*aux = name_of_call(rows, item);
		return HTML_SYS;
	}
	if (begins(name, "syscalls:sys_enter_")) {
		*aux = number_of_text(rows, name + 19, strlen(name + 19));
		return HTML_SYS;
	}
	if (!strcmp(name, "raw_syscalls:sys_exit") || begins(name, "syscalls:sys_exit_"))
		return HTML_SYS_END;
	if (!begins(name, "irq_vectors:"))
		return HTML_EVENT;
	kind = kind_of_vector(name);
	if (kind == HTML_IRQ)
		*aux = number_of_text(rows, name + 12, strlen(name + 12) - 6);
	return kind;
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
static bool leads_kind(struct html_rows *rows, const struct item *item, enum html_kind kind)
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
	return is_slice_source(&rows->leaders[kind], item->stream);
}

/*
 * Not of the channel that says who runs: a number other than 0.  Its clock may be
 * another, and then its events do not stand exactly between those.
 */
static u32 is_beside(const struct html_rows *rows, const struct item *item)
{
	const struct slice_source *leader = &rows->leaders[HTML_SWITCH];

	return leader->channel && item->stream && strcmp(leader->channel, item->stream->channel);
}

static enum html_kind kind_of_line(struct html_rows *rows, const struct line *line, u32 *aux)
{
	enum html_kind kind;

	switch (line->kind) {
	case LINE_LOST:
		*aux = is_beside(rows, line->item);
		return line->item->extra ? HTML_MCE : HTML_LOST;
	case LINE_DAMAGED:
		*aux = is_beside(rows, line->item);
		return HTML_DAMAGED;
	case LINE_UNFINISHED:
		return HTML_UNFINISHED;
	case LINE_MARK:
		return HTML_MARK;
	case LINE_CRASH:
		return HTML_CRASH;
	case LINE_END:
		return HTML_END;
	case LINE_EVENT:
		break;
	}
	if (line->item->extra)
		return kind_of_extra(line->item->extra, aux);
	/* Nothing follows from what may be anything. */
	if (line->item->marks & ITEM_IN_DAMAGED)
		return HTML_EVENT;
	kind = html_kind_of(rows, line->item, aux);
	return leads_kind(rows, line->item, kind) ? kind : HTML_EVENT;
}

static void put_who(struct html_rows *rows, const struct item *item)
{
	const char *name = item_name(item);
	const char *colon = strchr(name, ':');

	if (colon && !begins(name, "unknown:"))
		name = colon + 1;
	put_column(rows, COLUMN_NAME, number_of_text(rows, name, strlen(name)));
	put_column(rows, COLUMN_TASK, (item->marks & ITEM_IN_DAMAGED) || is_beside(rows, item) ? 0 :
	    number_of_task(rows, item->pid, item->comm, item->comm ? strlen(item->comm) : 0));
}

void html_rows_add(struct html_rows *rows, const struct line *line)
{
	u32 aux = 0;
	u64 delta;

	if (!rows->written && !rows->nr)
		rows->start = rows->time = line->item->time;
	delta = line->item->time - rows->time;
	rows->time = line->item->time;
	rows->nr++;
	put_column(rows, COLUMN_TIME, delta << 1 ^ -(delta >> 63));
	put_column(rows, COLUMN_CPU, line->item->cpu < 0xffff ? line->item->cpu + 1 : 0);
	put_column(rows, COLUMN_KIND, kind_of_line(rows, line, &aux));
	if (line->kind == LINE_EVENT) {
		put_who(rows, line->item);
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

int html_rows_write(struct html_rows *rows, FILE *f, struct err *err)
{
	u8 *data = malloc(size_of_all(rows));
	u32 i, n;
	int ret;

	if (!data)
		return err_sys(err, "memory");
	n = store_varint(data, rows->nr);
	for (i = 0; i < NR_COLUMNS; i++) {
		struct bytes_of_column *c = &rows->columns[i];

		n += store_varint(data + n, c->size);
		memcpy(data + n, c->data, c->size);
		n += c->size;
		c->size = 0;
	}
	rows->written += rows->nr;
	rows->nr = 0;
	ret = html_block(f, "rows", data, n, err);
	free(data);
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
