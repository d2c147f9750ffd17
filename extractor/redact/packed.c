// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Redacts packed events. Their names and addresses are in definitions, which redact_slot()
 * redacts; the events themselves contain numbers.
 */
#include <string.h>

#include "redact_impl.h"

/* The field at @off. As in event.c, the first of several fields with the same bytes counts. */
static const struct layout_field *field_at(const struct format *format, u32 off)
{
	const struct layout_field *field = format->layout.fields;
	const struct layout_field *end = field + format->layout.nr;

	while (field < end && (off < field->off || off >= field->off + field->size))
		field++;
	return field < end && field->off == off ? field : NULL;
}

#define BASE_BELOW	(1ULL << 28)	/* EPITAPH_BASE_BELOW of the recorder */

/* The class of what @step fills at its byte @off. */
static enum field_class class_of_step(struct redaction *r, const struct packed_layout *layout,
				      const struct packed_layout_step *step, u32 off)
{
	const struct layout_field *field = field_at(formats_get(r->recording->formats, layout->id),
						    step->off + off);

	return field ? redact_class_of(r, layout->id, field) : CLASS_PRIVATE;
}

/*
 * The class of what is in slots, which serve all kinds of events: that of all fields of this kind,
 * or private if they differ. @off: of the field in what a step fills. Tasks have names, too.
 */
static enum field_class class_of_slots(struct redaction *r, u8 kind, u32 off)
{
	enum field_class class = NR_CLASSES;
	u32 i, j;

	for (i = 1; i < PACKING_NR; i++) {
		const struct packed_layout *layout = formats_packing(r->recording->formats, i);
		const struct format *format = formats_get(r->recording->formats, layout->id);

		for (j = 0; format->is_known && j < layout->nr_steps; j++) {
			const struct packed_layout_step *step = &layout->steps[j];
			enum field_class own = class_of_step(r, layout, step, off);

			if (step->kind != kind && !(kind == PACKING_TEXT && step->kind == PACKING_TASK))
				continue;
			class = class == NR_CLASSES || class == own ? own : CLASS_PRIVATE;
		}
	}
	return class == NR_CLASSES ? CLASS_PRIVATE : class;
}

/* Is the value in @slot a base, and therefore no address? */
static bool slot_is_base(const struct formats *formats, u8 slot)
{
	u32 i, j;

	for (i = 1; i < PACKING_NR; i++) {
		const struct packed_layout *layout = formats_packing(formats, i);

		for (j = 0; j < layout->nr_steps; j++)
			if (packed_layout_has_value(&layout->steps[j]) && layout->steps[j].base == slot)
				return true;
	}
	return false;
}

static void store_le(u8 *data, u64 value, u32 size)
{
	for (; size--; value >>= 8)
		*data++ = value;
}

/*
 * The first number of a sub-buffer that needs a base sets it to itself less 2^28, or to 0. If that
 * number has to go, its base has to, although numbers that stay may need it.
 */
void redact_note_bases(struct redaction *r, const struct packed_decode_slots *slots,
		       const u8 *payload, u32 size, struct redact_bases *bases)
{
	const struct packed_layout *layout = formats_packing(r->recording->formats, payload[0]);
	const struct format *format = formats_get(r->recording->formats, layout->id);
	struct packed_decode unpack;
	struct packed_decode_field field;

	if (!format->is_known || !packed_decode_begin(&unpack, layout, slots, payload, size))
		return;
	while (packed_decode_next(&unpack, &field) > 0) {
		const struct layout_field *about = field_at(format, field.step->off);
		u64 base = field.value - (field.value < BASE_BELOW ? field.value : BASE_BELOW);
		u16 at = slots->values[field.step->base];

		if (packed_layout_has_value(field.step) && at && base &&
		    base == packed_decode_value(slots->data + at) &&
		    (!about ||
		     redact_fate(r, redact_class_of(r, layout->id, about)) != FATE_KEEP))
			bases->is_private[field.step->base] = true;
	}
}

/* Pid and priority of a task; its name is in another slot. */
static void redact_packed_task(struct redaction *r, u8 *task)
{
	u32 pid = packed_decode_pid(task);
	s32 prio = packed_decode_prio(task);

	if (r->profile) {
		pid = redact_number(r, class_of_slots(r, PACKING_TASK, PACKING_TASK_PID),
				    "packed events: pid", 4, pid);
		prio = redact_number(r, class_of_slots(r, PACKING_TASK, PACKING_TASK_PRIO),
				     "packed events: priority", 4, prio);
	} else {
		pid = redact_pid(r, "", pid);
	}
	store_le(task + 1, prio, 2);
	store_le(task + 3, pid, 4);
}

void redact_slot(struct redaction *r, const struct redact_bases *bases, u32 id, u8 *payload)
{
	u8 name[EPITAPH_TEXT_WORDS * 4];
	u32 size = EPITAPH_VALUE_WORDS * 4 - 1;
	u64 value;

	if (id == EPITAPH_ID_TEXT) {
		redact_text(r, r->profile ? class_of_slots(r, PACKING_TEXT, 0) : CLASS_TASK,
			    "packed events: text", (char *)name, sizeof(name), (char *)payload + 1,
			    sizeof(name) - 1);
		memcpy(payload + 1, name, sizeof(name) - 1);
	} else if (id == EPITAPH_ID_TASK) {
		redact_packed_task(r, payload + 1);
	} else if (r->profile) {
		bool is_base = slot_is_base(r->recording->formats, payload[0]);
		enum field_class class = !is_base ? class_of_slots(r, PACKING_ADDRESS, 0) :
					 bases->is_private[payload[0]] ? CLASS_PRIVATE : CLASS_PLAIN;

		value = redact_number(r, class, "packed events: value", 8,
				      packed_decode_value(payload + 1));
		store_le(payload + 1, value, size);
	} else if (!slot_is_base(r->recording->formats, payload[0])) {
		value = packed_decode_value(payload + 1);
		store_le(payload + 1, pseudonym_address(r->names, value), size);
	}
}

bool redact_may_publish(struct redaction *r, const struct packed_layout *layout)
{
	const struct format *format = formats_get(r->recording->formats, layout->id);
	const struct layout_field *about;
	u32 i;

	if (!layout->id || layout->steps[0].kind != PACKING_SMALL)
		return layout->id;
	about = format->is_known ? field_at(format, layout->steps[0].off) : NULL;
	for (i = 0; about && i < packed_layout_count(layout); i++)
		if (redact_number_of(r, layout->id, about, i) != i)
			return false;
	return about;
}

/* A text that is in the event itself keeps its bytes. */
static void redact_short_text(struct redaction *r, u32 id, const struct layout_field *about,
			      const struct packed_decode_field *field, u8 *to)
{
	char text[8], other[8];

	store_le((u8 *)text, field->value, sizeof(text));
	redact_text(r, about && r->profile ? redact_class_of(r, id, about) : CLASS_PRIVATE,
		    "packed events: short text", other, sizeof(other), text, sizeof(text));
	memcpy(to, other, field->size);
}

/* Others refer to a slot, which is redacted where it is defined, or say where an array is. */
static bool has_own_number(u8 kind)
{
	return kind != PACKING_TEXT && kind != PACKING_ADDRESS && kind != PACKING_SHORT_TEXT &&
	       kind != PACKING_EMPTY && kind != PACKING_TASK;
}

/* One bit, or none: another number has no place there, and becomes none. */
static void store_mask(u8 *to, u32 size, u64 mask)
{
	if (size > 1)
		store_le(to + 1, mask, 8);
	else
		*to = mask & (mask - 1) ? 0 : (u8)__builtin_ffsll(mask);
}

static bool is_in_codes(const struct packed_decode_field *field)
{
	return !field->size &&
	       (field->step->kind == PACKING_IN_CODES || field->step->kind == PACKING_IN_CODE);
}

/* The first byte of a packed event is its number. */
static void store_in_codes(u8 *payload, const struct packed_decode *unpack,
			   const struct packed_layout_step *step, u64 value)
{
	u32 nr = packed_layout_codes(step), first_code = unpack->coded - nr, n, i;
	u32 most = nr == 1 ? PACKING_IN_CODE_MAX : PACKING_IN_CODES_MAX, codes = value > most ? 0 : value;

	for (n = 0; n < nr; n++) {
		i = first_code + n;
		payload[1 + i / 4] &= ~(3U << i % 4 * 2);
		payload[1 + i / 4] |= (codes >> n * 2 & 3) << i % 4 * 2;
	}
}

/* The replacement of a number has the room that the number had. */
static void store_other(u8 *payload, u32 at, const struct packed_decode *unpack,
			const struct packed_decode_field *field, u64 other)
{
	u64 encoded = 0;
	u32 i;

	if (field->step->kind == PACKING_MASK) {
		store_mask(payload + at, field->size, other);
	} else if (is_in_codes(field)) {
		store_in_codes(payload, unpack, field->step, other);
	} else if (field->size > 8) {
		store_le(payload + at + field->size - 8, other, 8);
	} else {
		/* The encoding is relative: add the difference, in the bytes that there are. */
		for (i = field->size; i-- > 0;)
			encoded = encoded << 8 | field->at[i];
		store_le(payload + at, encoded + other - field->value, field->size);
	}
}

bool redact_packed(struct redaction *r, const struct packed_decode_slots *slots, u8 *payload, u32 size)
{
	const struct packed_layout *layout = formats_packing(r->recording->formats, payload[0]);
	const struct format *format = formats_get(r->recording->formats, layout->id);
	u8 was[EPITAPH_PACKED_MAX];
	struct packed_decode_field field;
	const struct layout_field *about;
	struct packed_decode unpack;
	bool number_stays = true;
	u64 other;
	int ret;

	memcpy(was, payload, size);
	if (!format->is_known || !packed_decode_begin(&unpack, layout, slots, was, size))
		return false;
	while ((ret = packed_decode_next(&unpack, &field)) > 0) {
		about = field_at(format, field.step->off);
		if (field.step->kind == PACKING_SHORT_TEXT)
			redact_short_text(r, layout->id, about, &field, payload + (field.at - was));
		if (field.step->kind == PACKING_TASK && field.size > 1)
			redact_packed_task(r, payload + (field.at - was) + 1);
		if (!has_own_number(field.step->kind))
			continue;
		other = about ? redact_number_of(r, layout->id, about, field.value) : 0;
		/* It follows from the number before it: one that must not stay would stay with that. */
		if (field.step->kind == PACKING_SECTOR_BYTES && other != field.value && number_stays)
			return false;
		if (field.step->kind == PACKING_NUMBER)
			number_stays = other == field.value;
		store_other(payload, field.at - was, &unpack, &field, other);
	}
	memset(payload + (unpack.at - was), 0, unpack.end - unpack.at);
	r->count->events += !ret;
	return !ret;
}
