// SPDX-License-Identifier: GPL-2.0-or-later
#include "device_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/byte_writer.h"
#include "event/field_layout.h"

#define MINOR_BITS	20	/* of a dev_t of the kernel's */

/* A walk along the fields of an event that are numbers of devices with a name. */
struct device_walk {
	const struct postmortem *pm;
	const struct layout_field *at;
	u32 left;
	struct bytes payload;
	u64 raw;
	u32 dev;
	char *name;
};

/* Return: false: it has none, as most events. */
static bool device_walk_begin(struct device_walk *walk, const struct postmortem *pm, const struct item *item,
			      char name[PRINT_NAME_MAX])
{
	const struct format *format = item->stream ? formats_get(item->stream->formats, item->id) : NULL;

	if (!format || !format->is_known || !format->layout.nr_devices)
		return false;
	*walk = (struct device_walk){
		.pm = pm, .name = name, .at = format->layout.fields, .left = format->layout.nr,
		.payload = bytes_of(item->payload, item->size, item->stream->order), .raw = item->raw,
	};
	return true;
}

/* The next one; NULL: that was all. */
static const struct layout_field *device_walk_next(struct device_walk *walk)
{
	for (; walk->left; walk->left--, walk->at++) {
		if (!walk->at->is_device || !layout_field_is_in(walk->at, &walk->payload))
			continue;
		walk->dev = bytes_number(&walk->payload, walk->at->off, 4, false);
		if (!pm_device_name(walk->pm, walk->dev, walk->raw, walk->name))
			continue;
		walk->left--;
		return walk->at++;
	}
	return NULL;
}

/* Where @word ends in @text, from @from on, with no digit before and behind it; 0: it is not there. */
static size_t number_end(const struct pack *text, size_t from, const char *word)
{
	const char *data = (const char *)text->data;
	size_t n = strlen(word);

	for (; from + n <= text->size; from++)
		if (!memcmp(data + from, word, n) && (!from || !isdigit((u8)data[from - 1])) &&
		    (from + n == text->size || !isdigit((u8)data[from + n])))
			return from + n;
	return 0;
}

/* Where @dev, which is printed with @between its two numbers, ends; 0: it is not there. */
static size_t pair_end(const struct pack *text, size_t from, u32 dev, char between)
{
	char word[24];

	snprintf(word, sizeof(word), "%u%c%u", dev >> MINOR_BITS, between, dev & ((1U << MINOR_BITS) - 1));
	return number_end(text, from, word);
}

static size_t printed_end(const struct pack *text, size_t from, u32 dev)
{
	size_t end = pair_end(text, from, dev, ',');
	char word[12];

	if (!end)
		end = pair_end(text, from, dev, ':');
	if (end)
		return end;
	snprintf(word, sizeof(word), "%u", dev);
	return number_end(text, from, word);
}

/* Return: where the rest begins. */
static size_t insert_name(struct pack *text, size_t at, const char *name)
{
	size_t size = text->size, n = strlen(name) + 3;

	pack_fmt(text, " (%s)", name);
	if (text->size != size + n)
		return at;
	memmove(text->data + at + n, text->data + at, size - at);
	memcpy(text->data + at, " (", 2);
	memcpy(text->data + at + 2, name, n - 3);
	text->data[at + n - 1] = ')';
	return at + n;
}

void device_names_put(struct pack *text, size_t head, const struct postmortem *pm, const struct item *item)
{
	char name[PRINT_NAME_MAX];
	struct device_walk walk;
	size_t end;

	if (!device_walk_begin(&walk, pm, item, name))
		return;
	while (device_walk_next(&walk)) {
		end = printed_end(text, head, walk.dev);
		if (end)
			head = insert_name(text, end, walk.name);
	}
}

void device_names_json(struct json *j, const struct postmortem *pm, const struct item *item)
{
	const struct layout_field *field;
	char name[PRINT_NAME_MAX];
	struct device_walk walk;
	bool any = false;

	if (item->extra || !device_walk_begin(&walk, pm, item, name))
		return;
	while ((field = device_walk_next(&walk))) {
		if (!any)
			json_open(j, "devices", '{');
		any = true;
		json_str(j, field->name, walk.name);
	}
	if (any)
		json_close(j, '}');
}
