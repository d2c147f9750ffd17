// SPDX-License-Identifier: GPL-2.0-or-later
#include "item.h"

#include <stdlib.h>
#include <string.h>

/* --- definitions and batches --------------------------------------------- */

struct definitions *definitions_new(void)
{
	struct definitions *definitions = calloc(1, sizeof(*definitions));

	if (definitions)
		atomic_init(&definitions->users, 1);
	return definitions;
}

void definitions_unref(struct definitions *definitions)
{
	if (!definitions || atomic_fetch_sub(&definitions->users, 1) > 1)
		return;
	for (u32 i = 0; i < definitions->nr; i++) {
		free(definitions->list[i]->texts);
		free(definitions->list[i]);
	}
	free(definitions->list);
	free(definitions);
}

static bool wire_field_is_sane(const struct wire_field *f)
{
	return f->kind <= WIRE_ARRAY && f->place <= WIRE_TEXT &&
	       (f->kind != WIRE_ARRAY || f->element == 1 || f->element == 2 || f->element == 4 ||
		f->element == 8);
}

/* Of a copy of @b's bytes: names point into it. */
static bool read_definition(struct definition *d, struct bytes *b)
{
	u64 off = sizeof(struct wire_definition);
	const char *channel;

	d->name = wire_take_text(b, &off, NULL);
	channel = wire_take_text(b, &off, NULL);
	d->channel = bytes_u32(b, offsetof(struct wire_definition, has_channel)) ? channel : NULL;
	for (u32 i = 0; i < d->nr_fields; i++) {
		const struct wire_field *wire = bytes_ptr(b, off, sizeof(*wire));

		if (!wire)
			return false;
		memcpy(&d->fields[i].wire, wire, sizeof(*wire));
		off += sizeof(*wire);
		d->fields[i].name = wire_take_text(b, &off, NULL);
		if (b->overrun || !wire_field_is_sane(&d->fields[i].wire))
			return false;
	}
	return !b->overrun;
}

bool definitions_add(struct definitions *definitions, struct bytes *b)
{
	u32 nr_fields = bytes_u32(b, offsetof(struct wire_definition, nr_fields));
	u32 order = bytes_u32(b, offsetof(struct wire_definition, order)), n = definitions->nr;
	struct definition *d;
	struct bytes copy;
	void *list;

	if (b->overrun || nr_fields > b->size / sizeof(struct wire_field) ||
	    (order != ORDER_LITTLE && order != ORDER_BIG) ||
	    (definitions->size += b->size + 64 * (u64)nr_fields) > DEFINITIONS_MAX)
		return false;
	/* Room for the next power of two. */
	if (!(n & (n - 1))) {
		list = reallocarray(definitions->list, n ? 2 * n : 1, sizeof(*definitions->list));
		if (!list)
			return false;
		definitions->list = list;
	}
	d = calloc(1, sizeof(*d) + nr_fields * sizeof(d->fields[0]));
	if (!d)
		return false;
	d->kind = bytes_u32(b, offsetof(struct wire_definition, kind));
	d->order = order;
	d->nr_fields = nr_fields;
	d->texts = malloc(b->size);
	if (d->texts) {
		memcpy(d->texts, b->data, b->size);
		copy = bytes_of(d->texts, b->size, ORDER_HOST);
	}
	if (!d->texts || !read_definition(d, &copy)) {
		free(d->texts);
		free(d);
		return false;
	}
	definitions->list[definitions->nr++] = d;
	return true;
}

struct batch *batch_new(struct pack *bytes, struct definitions *definitions, u64 end_time)
{
	struct batch *batch = malloc(sizeof(*batch));

	if (!batch) {
		pack_free(bytes);
		return NULL;
	}
	*batch = (struct batch){
		.bytes = *bytes, .definitions = definitions, .end_time = end_time,
	};
	atomic_init(&batch->users, 1);
	atomic_fetch_add(&definitions->users, 1);
	return batch;
}

void batch_unref(struct batch *batch)
{
	if (!batch || atomic_fetch_sub(&batch->users, 1) > 1)
		return;
	definitions_unref(batch->definitions);
	pack_free(&batch->bytes);
	free(batch);
}

const struct wire_item *batch_next(struct batch *batch, size_t *off, bool *bad)
{
	const struct pack *bytes = &batch->bytes;

	*bad = false;
	while (*off < bytes->size) {
		const struct wire_item *wire = (const void *)(bytes->data + *off);
		size_t left = bytes->size - *off, used;
		struct bytes b;

		*bad = true;
		if (left < sizeof(struct wire_definition) || wire->size % 8 || wire->size > left ||
		    wire->size < sizeof(struct wire_definition))
			return NULL;
		*off += wire->size;
		if (wire->definition == WIRE_DEFINES) {
			b = bytes_of(wire, wire->size, ORDER_HOST);
			if (!definitions_add(batch->definitions, &b))
				return NULL;
			*bad = false;
			continue;
		}
		used = sizeof(*wire) + (u64)wire->payload + wire->text + (wire->text ? 1 : 0);
		if (wire->size < sizeof(*wire) || used > wire->size ||
		    wire->comm[sizeof(wire->comm) - 1] ||
		    (wire->text && ((const u8 *)wire)[used - 1]) ||
		    wire->definition >= batch->definitions->nr)
			return NULL;
		*bad = false;
		return wire;
	}
	return NULL;
}

/* --- items --------------------------------------------------------------- */

struct epitaph_item *item_new(struct batch *batch, const struct wire_item *wire)
{
	struct epitaph_item *item = malloc(sizeof(*item));

	if (!item)
		return NULL;
	*item = (struct epitaph_item){
		.batch = batch, .wire = wire, .definition = batch->definitions->list[wire->definition],
	};
	atomic_init(&item->users, 1);
	atomic_fetch_add(&batch->users, 1);
	return item;
}

const struct epitaph_item *epitaph_item_ref(const struct epitaph_item *item)
{
	if (item)
		atomic_fetch_add(&((struct epitaph_item *)item)->users, 1);
	return item;
}

void epitaph_item_unref(const struct epitaph_item *item)
{
	struct epitaph_item *mine = (struct epitaph_item *)item;

	if (!mine || atomic_fetch_sub(&mine->users, 1) > 1)
		return;
	batch_unref(mine->batch);
	free(mine);
}

enum epitaph_kind epitaph_item_kind(const struct epitaph_item *item)
{
	return item->definition->kind;
}

uint32_t epitaph_item_flags(const struct epitaph_item *item)
{
	return item->wire->flags & ~WIRE_HAS_COMM;
}

uint64_t epitaph_item_time(const struct epitaph_item *item)
{
	return item->wire->time;
}

int64_t epitaph_item_before_end(const struct epitaph_item *item)
{
	return item->batch->end_time - item->wire->time;
}

uint64_t epitaph_item_real_time(const struct epitaph_item *item)
{
	return item->wire->real;
}

uint32_t epitaph_item_cpu(const struct epitaph_item *item)
{
	return item->wire->cpu;
}

int64_t epitaph_item_pid(const struct epitaph_item *item)
{
	return item->wire->pid;
}

const char *epitaph_item_comm(const struct epitaph_item *item)
{
	return item->wire->flags & WIRE_HAS_COMM ? item->wire->comm : NULL;
}

const char *epitaph_item_name(const struct epitaph_item *item)
{
	return item->definition->name;
}

const char *epitaph_item_channel(const struct epitaph_item *item)
{
	return item->definition->channel;
}

uint64_t epitaph_item_nr_lost(const struct epitaph_item *item)
{
	return item->wire->nr_lost;
}

static const u8 *payload_of(const struct epitaph_item *item)
{
	return (const u8 *)(item->wire + 1);
}

const char *epitaph_item_text(const struct epitaph_item *item, size_t *size)
{
	if (size)
		*size = item->wire->text;
	return item->wire->text ? (const char *)payload_of(item) + item->wire->payload : "";
}

size_t epitaph_item_printable_text(const struct epitaph_item *item, char *buffer, size_t room)
{
	enum epitaph_kind kind = epitaph_item_kind(item);
	size_t size;
	const char *text = epitaph_item_text(item, &size);

	if (kind != EPITAPH_EVENT && kind != EPITAPH_MACHINE_CHECK)
		return epitaph_escape(buffer, room, text, size);
	if (!room)
		return 0;
	if (size >= room)
		size = room - 1;
	memcpy(buffer, text, size);
	buffer[size] = '\0';
	return size;
}

/* --- fields -------------------------------------------------------------- */

size_t epitaph_item_nr_fields(const struct epitaph_item *item)
{
	return item->definition->nr_fields;
}

const char *epitaph_item_field_name(const struct epitaph_item *item, size_t i)
{
	return i < item->definition->nr_fields ? item->definition->fields[i].name : NULL;
}

ssize_t epitaph_item_find_field(const struct epitaph_item *item, const char *name)
{
	const struct definition *d = item->definition;

	for (u32 i = 0; name && i < d->nr_fields; i++)
		if (!strcmp(d->fields[i].name, name))
			return i;
	return -1;
}

/* The bytes of field @i; false: it is absent. */
static bool find_item_field(const struct epitaph_item *item, size_t i, struct bytes *ret)
{
	struct bytes payload = bytes_of(payload_of(item), item->wire->payload,
					item->definition->order);
	const struct wire_field *f;
	u64 off, size;
	size_t len;
	u32 word;

	if (i >= item->definition->nr_fields)
		return false;
	f = &item->definition->fields[i].wire;
	off = f->off;
	size = f->size;
	switch (f->place) {
	case WIRE_TEXT:
		*ret = bytes_of(epitaph_item_text(item, &len), 0, ORDER_HOST);
		ret->size = len;
		return true;
	case WIRE_REST:
		size = off < payload.size ? payload.size - off : size;
		break;
	case WIRE_DYNAMIC:
	case WIRE_RELATIVE:
		if (!bytes_has(&payload, off, size))
			return false;
		word = bytes_u32(&payload, off);
		if (f->place == WIRE_DYNAMIC && (word & 0xffff) < f->skipped)
			return false;
		off = f->place == WIRE_RELATIVE ? off + size + (word & 0xffff) :
						  (word & 0xffff) - f->skipped;
		size = word >> 16;
		break;
	}
	if (!bytes_has(&payload, off, size))
		return false;
	*ret = bytes_of(payload.data + off, size, payload.order);
	if (f->kind == WIRE_CHARS)
		ret->size = bytes_strlen(ret, 0, size);
	return true;
}

enum epitaph_field_kind epitaph_item_field_kind(const struct epitaph_item *item, size_t i)
{
	const struct wire_field *f;
	struct bytes b;

	if (!find_item_field(item, i, &b))
		return EPITAPH_FIELD_ABSENT;
	f = &item->definition->fields[i].wire;
	if (f->kind == WIRE_CHARS)
		return EPITAPH_FIELD_TEXT;
	if (f->kind == WIRE_ARRAY)
		return f->is_signed ? EPITAPH_FIELD_SIGNED_ARRAY : EPITAPH_FIELD_UNSIGNED_ARRAY;
	if (f->place == WIRE_REST || !is_number_size(b.size))
		return EPITAPH_FIELD_BYTES;
	return f->is_signed ? EPITAPH_FIELD_SIGNED : EPITAPH_FIELD_UNSIGNED;
}

uint64_t epitaph_item_field_number(const struct epitaph_item *item, size_t i)
{
	struct bytes b;
	const struct wire_field *f;

	if (!find_item_field(item, i, &b))
		return 0;
	f = &item->definition->fields[i].wire;
	return f->kind == WIRE_NUMBER ? bytes_number(&b, 0, b.size, f->is_signed) : 0;
}

const void *epitaph_item_field_data(const struct epitaph_item *item, size_t i, size_t *size)
{
	enum epitaph_field_kind kind = epitaph_item_field_kind(item, i);
	struct bytes b;

	if (size)
		*size = 0;
	if (kind == EPITAPH_FIELD_ABSENT || kind == EPITAPH_FIELD_SIGNED ||
	    kind == EPITAPH_FIELD_UNSIGNED || !find_item_field(item, i, &b))
		return NULL;
	if (size)
		*size = b.size;
	return b.data;
}

int epitaph_item_field_element(const struct epitaph_item *item, size_t i, size_t element,
			       uint64_t *value)
{
	const struct wire_field *f;
	struct bytes b;

	if (!find_item_field(item, i, &b))
		return 0;
	f = &item->definition->fields[i].wire;
	if (f->kind != WIRE_ARRAY || element >= b.size / f->element || !is_number_size(f->element))
		return 0;
	*value = bytes_number(&b, element * f->element, f->element, f->is_signed);
	return 1;
}
