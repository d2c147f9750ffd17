// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfetto_schema.h"

#include <stdio.h>
#include <string.h>

#include "event/field_iter.h"

#define MAX_FIELDS	8	/* of a message of the table */
#define MAX_LIST	2048	/* characters of an array as text */

struct named {
	const char *name;
	u32 number;
};

struct typed {
	const char *name;
	u32 number;
	struct named fields[MAX_FIELDS];
};

#define SCHED_WAKE { { "comm", 1 }, { "pid", 2 }, { "prio", 3 }, { "success", 4 }, { "target_cpu", 5 } }

/* What trace processor makes slices, states, names and counters of. */
static const struct typed typed_events[PERFETTO_NR_TYPED] = {
	{ "ftrace:print", 3, { { "ip", 1 }, { "buf", 2 } } },
	{ "sched:sched_switch", 4,
	  { { "prev_comm", 1 }, { "prev_pid", 2 }, { "prev_prio", 3 }, { "prev_state", 4 },
	    { "next_comm", 5 }, { "next_pid", 6 }, { "next_prio", 7 } } },
	{ "power:cpu_frequency", 11, { { "state", 1 }, { "cpu_id", 2 } } },
	{ "power:cpu_idle", 13, { { "state", 1 }, { "cpu_id", 2 } } },
	{ "sched:sched_wakeup", 17, SCHED_WAKE },
	{ "sched:sched_waking", 20, SCHED_WAKE },
	{ "irq:softirq_entry", 24, { { "vec", 1 } } },
	{ "irq:softirq_exit", 25, { { "vec", 1 } } },
	{ "irq:softirq_raise", 26, { { "vec", 1 } } },
	{ "irq:irq_handler_entry", 36, { { "irq", 1 }, { "name", 2 } } },
	{ "irq:irq_handler_exit", 37, { { "irq", 1 }, { "ret", 2 } } },
	{ "sched:sched_wakeup_new", 114, SCHED_WAKE },
	{ "task:task_newtask", 235,
	  { { "pid", 1 }, { "comm", 2 }, { "clone_flags", 3 }, { "oom_score_adj", 4 } } },
	{ "task:task_rename", 236,
	  { { "pid", 1 }, { "oldcomm", 2 }, { "newcomm", 3 }, { "oom_score_adj", 4 } } },
	{ "sched:sched_process_free", 240, { { "comm", 1 }, { "pid", 2 }, { "prio", 3 } } },
	{ "raw_syscalls:sys_enter", 329, { { "id", 1 }, { "args", 2 } } },
	{ "raw_syscalls:sys_exit", 330, { { "id", 1 }, { "ret", 2 } } },
	{ "irq_vectors:local_timer_entry", 559, { { "vector", 1 } } },
	{ "irq_vectors:local_timer_exit", 560, { { "vector", 1 } } },
};

void perfetto_marks(char *buf, size_t size, const struct item *item)
{
	static const struct {
		u32 mark;
		const char *name;
	} marks[] = {
		{ ITEM_UNCERTAIN, "uncertain-order" },
		{ ITEM_IN_DAMAGED, "damaged" },
		{ ITEM_UNPROVEN, "uncommitted" },
		{ ITEM_REPAIRED, "repaired" },
		{ ITEM_LOST_BEFORE, "lost-before" },
	};
	size_t n = 0;
	u32 i;

	*buf = 0;
	for (i = 0; i < ARRAY_SIZE(marks); i++)
		if ((item->marks & marks[i].mark) && n < size)
			n += snprintf(buf + n, size - n, "%s%s", n ? ", " : "", marks[i].name);
}

static u32 field_number(const struct typed *typed, const char *field)
{
	u32 i;

	for (i = 0; i < MAX_FIELDS && typed->fields[i].name; i++)
		if (!strcmp(typed->fields[i].name, field))
			return typed->fields[i].number;
	return 0;
}

/* Does the schema know every field?  An event with others is a generic one: nothing is lost. */
static bool covers(const struct typed *typed, const struct item *item)
{
	struct field_iter fields;
	struct field field;

	field_iter_begin(&fields, item);
	while (field_iter_next(&fields, &field))
		if (!field_number(typed, field.name) || field.kind == FIELD_ABSENT)
			return false;
	return fields.known;
}

static const struct typed *find_typed(const struct item *item, struct slice_source *leaders)
{
	const char *name = item_name(item);
	u32 i;

	/* Slices are not made of what may be anything. */
	if (item->marks & ITEM_IN_DAMAGED)
		return NULL;
	for (i = 0; i < PERFETTO_NR_TYPED; i++)
		if (!strcmp(typed_events[i].name, name))
			return covers(&typed_events[i], item) &&
			       is_slice_source(&leaders[i], item->stream) ? &typed_events[i] : NULL;
	return NULL;
}

static void put_typed_field(struct protobuf *p, u32 number, const struct field *field)
{
	u64 value;
	u32 i;

	switch (field->kind) {
	case FIELD_NUMBER:
		return protobuf_u64(p, number, field->number);
	case FIELD_TEXT:
		return protobuf_text(p, number, field->data, field->size);
	case FIELD_ARRAY:
		for (i = 0; field_element(field, i, &value); i++)
			protobuf_u64(p, number, value);
		return;
	default:
		return;
	}
}

static void put_typed(struct protobuf *p, const struct typed *typed, const struct item *item)
{
	u32 message = protobuf_begin(p, typed->number);
	struct field_iter fields;
	struct field field;

	field_iter_begin(&fields, item);
	while (field_iter_next(&fields, &field))
		put_typed_field(p, field_number(typed, field.name), &field);
	protobuf_end(p, message);
}

/* "[1, 2, 3]", and "..." where there are more than fit. */
static void put_list(struct protobuf *p, const struct field *field)
{
	char buf[MAX_LIST + 32] = "[";
	size_t n = 1;
	u64 value;
	u32 i;

	for (i = 0; field_element(field, i, &value) && n < MAX_LIST; i++)
		n += snprintf(buf + n, sizeof(buf) - n, field->is_signed ? "%s%lld" : "%s%llu",
			      i ? ", " : "", value);
	snprintf(buf + n, sizeof(buf) - n, "%s]", n < MAX_LIST ? "" : ", ...");
	protobuf_str(p, GENERIC_FIELD_STR, buf);
}

static void put_hex_value(struct protobuf *p, const u8 *data, size_t size)
{
	char buf[MAX_LIST + 8];
	size_t n = 0;
	size_t i;

	for (i = 0; i < size && n < MAX_LIST; i++)
		n += snprintf(buf + n, sizeof(buf) - n, "%02x", data[i]);
	snprintf(buf + n, sizeof(buf) - n, "%s", i < size ? "..." : "");
	protobuf_str(p, GENERIC_FIELD_STR, buf);
}

static void put_generic_field(struct protobuf *p, const struct field *field)
{
	u32 message = protobuf_begin(p, GENERIC_FIELD);

	protobuf_text(p, GENERIC_FIELD_NAME, field->name, strlen(field->name));
	switch (field->kind) {
	case FIELD_NUMBER:
		protobuf_u64(p, field->is_signed ? GENERIC_FIELD_INT : GENERIC_FIELD_UINT,
			     field->number);
		break;
	case FIELD_TEXT:
		protobuf_text(p, GENERIC_FIELD_STR, field->data, field->size);
		break;
	case FIELD_ARRAY:
		put_list(p, field);
		break;
	case FIELD_BYTES:
		put_hex_value(p, field->data, field->size);
		break;
	case FIELD_ABSENT:
		break;
	}
	protobuf_end(p, message);
}

static void put_text_field(struct protobuf *p, const char *name, const char *text)
{
	u32 message = protobuf_begin(p, GENERIC_FIELD);

	protobuf_str(p, GENERIC_FIELD_NAME, name);
	protobuf_str(p, GENERIC_FIELD_STR, text);
	protobuf_end(p, message);
}

static void put_raw_payload(struct protobuf *p, const struct item *item)
{
	struct field raw = { .name = "raw", .kind = FIELD_BYTES,
			     .data = item->payload, .size = item->size };

	put_generic_field(p, &raw);
}

static void put_generic(struct protobuf *p, const struct item *item)
{
	u32 message = protobuf_begin(p, FTRACE_GENERIC);
	const char *name = item_name(item);
	const char *colon = strchr(name, ':');
	struct field_iter fields;
	struct field field;
	char marks[80];

	field_iter_begin(&fields, item);
	if (fields.known && colon)
		name = colon + 1;
	protobuf_text(p, GENERIC_EVENT_NAME, name, strlen(name));
	while (field_iter_next(&fields, &field))
		put_generic_field(p, &field);
	if (!fields.known)
		put_raw_payload(p, item);
	perfetto_marks(marks, sizeof(marks), item);
	if (*marks)
		put_text_field(p, "epitaph_marks", marks);
	protobuf_end(p, message);
}

bool perfetto_event(struct protobuf *p, const struct item *item,
		    struct slice_source leaders[PERFETTO_NR_TYPED])
{
	u32 event = protobuf_begin(p, BUNDLE_EVENT);
	const struct typed *typed = find_typed(item, leaders);

	protobuf_u64(p, FTRACE_TIMESTAMP, item->time);
	protobuf_u64(p, FTRACE_PID, item->pid);
	if (typed)
		put_typed(p, typed, item);
	else
		put_generic(p, item);
	if (p->full) {
		protobuf_drop(p, event);
		return false;
	}
	protobuf_end(p, event);
	return true;
}
