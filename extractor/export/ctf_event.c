// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctf_event.h"

#include <stdlib.h>

#include "base/escape.h"
#include "region/task_names.h"

#define HEAD_MAX	(2 + 8 + 4 + 4 * TASK_COMM + 2 + 1)	/* bytes before the fields */

/* A run of bytes as they are, or one field that is not. */
struct copy_step {
	u32 off;
	u32 size;
	const struct layout_field *field;	/* NULL: a run */
};

/*
 * @size: bytes of all runs
 * @nr_fields: steps that are none
 */
struct plan {
	struct copy_step *steps;
	u32 nr;
	u32 size;
	u32 nr_fields;
};

/* Plans by number of the class. Number 0 is no class. */
struct ctf_plans {
	struct plan *list;
	u32 nr;
};

struct ctf_plans *ctf_plans_new(void)
{
	return calloc(1, sizeof(struct ctf_plans));
}

void ctf_plans_free(struct ctf_plans *plans)
{
	u32 i;

	if (!plans)
		return;
	for (i = 0; i < plans->nr; i++)
		free(plans->list[i].steps);
	free(plans->list);
	free(plans);
}

static bool is_copied(const struct layout_field *field)
{
	return !field->is_dynamic && field->kind != LAYOUT_TEXT;
}

static bool make_plan_steps(struct plan *plan, const struct layout *layout)
{
	struct copy_step *last = NULL;
	u32 i;

	plan->steps = calloc(layout->nr ? layout->nr : 1, sizeof(*plan->steps));
	if (!plan->steps)
		return false;
	for (i = 0; i < layout->nr; i++) {
		const struct layout_field *field = &layout->fields[i];
		u32 size = field->size;

		if (field->kind == LAYOUT_ARRAY)
			size -= size % field->element;
		if (is_copied(field))
			plan->size += size;
		else
			plan->nr_fields++;
		if (last && !last->field && is_copied(field) && last->off + last->size == field->off) {
			last->size += size;
			continue;
		}
		last = &plan->steps[plan->nr++];
		*last = (struct copy_step){ field->off, size, is_copied(field) ? NULL : field };
	}
	return true;
}

static const struct plan *new_ctf_plan(struct ctf_plans *plans, const struct event_class *class)
{
	struct plan *list = plans->list;
	u32 nr = plans->nr;

	if (class->id >= nr) {
		nr = 2 * class->id + 64;
		list = reallocarray(list, nr, sizeof(*list));
		if (!list)
			return NULL;
		memset(list + plans->nr, 0, (nr - plans->nr) * sizeof(*list));
		plans->list = list;
		plans->nr = nr;
	}
	return make_plan_steps(&list[class->id], &class->layout) ? &list[class->id] : NULL;
}

static inline const struct plan *plan_of(struct ctf_plans *plans, const struct event_class *class)
{
	if (class->id < plans->nr && plans->list[class->id].steps)
		return &plans->list[class->id];
	return new_ctf_plan(plans, class);
}

/*
 * A text up to its NUL, with one behind it; room for 4 * @size + 2 bytes is at @to.
 *
 * An empty one is a space: babeltrace2 2.0.4 shows the text of an earlier event
 * in its place.
 */
static u8 *pack_text(u8 *to, const u8 *text, u64 size)
{
	u64 i;

	if (!size || !text[0])
		return memcpy(to, " ", 2) + 2;
	i = escape_plain(text, size);
	memcpy(to, text, i);
	if (i < size && text[i])
		i = escape_text((char *)to, 4 * size + 1, text, strnlen((const char *)text, size));
	to[i] = 0;
	return to + i + 1;
}

static u8 *put_u16(u8 *to, enum byte_order order, u16 n)
{
	n = pack_order16(order, n);
	memcpy(to, &n, sizeof(n));
	return to + sizeof(n);
}

/* What is not copied as it is; it fits: event_classes_of() looked. */
static u8 *pack_field(u8 *to, const struct layout_field *field, struct bytes *payload)
{
	u64 off, size;

	field_layout_find(field, payload, &off, &size);
	if (field->kind == LAYOUT_TEXT)
		return pack_text(to, payload->data + off, size);
	size /= field->element;
	to = put_u16(to, payload->order, size);
	memcpy(to, payload->data + off, size * field->element);
	return to + size * field->element;
}

/* Fields may lie over each other, so that one byte of the payload may come as often as there are. */
static u64 most_of(const struct plan *plan, const struct exported *event)
{
	return HEAD_MAX + plan->size + plan->nr_fields * (4ULL * event->size + 3);
}

u64 ctf_event_most(struct ctf_plans *plans, const struct exported *event)
{
	const struct plan *plan = plan_of(plans, event->class);

	return plan ? most_of(plan, event) : 0;
}

static u8 *put_head(u8 *to, enum byte_order order, const struct exported *event, u64 time,
		    u8 marks)
{
	const struct item *item = event->item;
	const char *comm = item->comm ? item->comm : "<...>";
	u32 pid = pack_order32(order, item->pid < 0 ? -1 : item->pid);

	to = put_u16(to, order, event->class->id);
	time = pack_order64(order, time);
	memcpy(to, &time, sizeof(time));
	memcpy(to + 8, &pid, sizeof(pid));
	to = pack_text(to + 12, (const u8 *)comm, strnlen(comm, TASK_COMM));
	*to++ = marks;
	return to;
}

bool ctf_event_pack(struct pack *p, struct ctf_plans *plans, const struct exported *event,
		    u64 time, u8 marks)
{
	const struct plan *plan = plan_of(plans, event->class);
	struct bytes payload = bytes_of(event->payload, event->size, p->order);
	u8 *to = plan ? pack_room(p, most_of(plan, event)) : NULL;
	u32 i;

	if (!to)
		return false;
	to = put_head(to, p->order, event, time, marks);
	for (i = 0; i < plan->nr; i++) {
		const struct copy_step *step = &plan->steps[i];

		if (step->field) {
			to = pack_field(to, step->field, &payload);
		} else {
			memcpy(to, event->payload + step->off, step->size);
			to += step->size;
		}
	}
	p->size = to - p->data;
	return true;
}
