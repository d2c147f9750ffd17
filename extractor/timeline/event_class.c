// SPDX-License-Identifier: GPL-2.0-or-later
#include "event_class.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of the ids of one set of formats; 0: not asked yet. */
struct known {
	struct formats *formats;
	u16 by_id[IDS_MAX];
};

/*
 * @list: by number, from 0 for 1; a class never moves
 * @last: of @known, the one asked last
 */
struct classes {
	struct own *own;
	struct class **list;
	u32 nr;
	struct known **known;
	u32 nr_known;
	struct known *last;
};

static struct class *new_class(struct classes *classes, const struct tep_event *event)
{
	struct class *class = calloc(1, sizeof(*class));
	struct class **list = classes->list;

	if (!(classes->nr & (classes->nr - 1)))
		list = reallocarray(list, classes->nr ? 2 * classes->nr : 1, sizeof(*list));
	if (list)
		classes->list = list;
	if (!class || !list || !layout_make(&class->layout, event)) {
		free(class);
		return NULL;
	}
	class->event = event;
	list[classes->nr++] = class;
	class->id = classes->nr;
	return class;
}

static bool add_own(struct classes *classes, enum own_kind kind)
{
	struct class *class = new_class(classes, own_event(classes->own, kind));

	if (!class)
		return false;
	class->system = class->event->system;
	class->name = class->event->name;
	class->text = own_text(classes->own, kind);
	class->size = strlen(class->text);
	return true;
}

int classes_new(struct classes **ret, enum byte_order order, struct err *err)
{
	struct classes *classes = calloc(1, sizeof(*classes));
	bool good = classes && !own_new(&classes->own, order, err);
	enum own_kind kind;

	for (kind = 0; good && kind < OWN_NR; kind++)
		good = add_own(classes, kind);
	if (!good) {
		classes_free(classes);
		return err_sys(err, "memory for the kinds of events");
	}
	*ret = classes;
	return 0;
}

void classes_free(struct classes *classes)
{
	u32 i;

	if (!classes)
		return;
	for (i = 0; i < classes->nr; i++) {
		layout_free(&classes->list[i]->layout);
		free(classes->list[i]);
	}
	for (i = 0; i < classes->nr_known; i++)
		free(classes->known[i]);
	free(classes->list);
	free(classes->known);
	own_free(classes->own);
	free(classes);
}

u32 classes_nr(const struct classes *classes)
{
	return classes->nr;
}

const struct class *classes_at(const struct classes *classes, u32 id)
{
	return classes->list[id - 1];
}

const struct class *classes_own(const struct classes *classes, enum own_kind kind)
{
	return classes_at(classes, kind + 1);
}

static struct known *find_known(struct classes *classes, struct formats *formats)
{
	struct known *known, **all;
	u32 i;

	for (i = 0; i < classes->nr_known; i++)
		if (classes->known[i]->formats == formats)
			return classes->known[i];
	all = reallocarray(classes->known, classes->nr_known + 1, sizeof(*all));
	if (!all)
		return NULL;
	classes->known = all;
	known = calloc(1, sizeof(*known));
	if (!known)
		return NULL;
	known->formats = formats;
	all[classes->nr_known++] = known;
	return known;
}

/* What the text says behind its line with the id. */
static const char *body_of(const char *text, size_t size, size_t *ret_size)
{
	const char *line = memchr(text, '\n', size);
	const char *end = line ? memchr(line + 1, '\n', text + size - line - 1) : NULL;

	*ret_size = end ? (size_t)(text + size - end) : 0;
	return end;
}

static bool is_same(const struct class *class, const struct format *format, const char *text,
		    size_t size)
{
	size_t n, m;
	const char *a, *b;

	if (strcmp(class->system, format->system) || strcmp(class->name, format->name))
		return false;
	a = body_of(class->text, class->size, &n);
	b = body_of(text, size, &m);
	return n && n == m && !memcmp(a, b, n);
}

static const struct class *find_same(const struct classes *classes, const struct format *format,
				     const char *text, size_t size)
{
	u32 i;

	for (i = OWN_NR; i < classes->nr; i++)
		if (is_same(classes->list[i], format, text, size))
			return classes->list[i];
	return NULL;
}

/*
 * What may not be printed here is not given to anybody else to print: a reader of
 * trace.dat dies of what this one was kept from.  Fields alone are enough for it.
 */
static size_t without_print(const struct format *format, const char *text, size_t size)
{
	const char *print = format->printable ? NULL : memmem(text, size, "\nprint fmt:", 11);

	return print ? (size_t)(print - text) + 1 : size;
}

static const struct class *make(struct classes *classes, struct formats *formats, u32 id)
{
	const struct class *raw = classes_own(classes, OWN_RAW);
	const struct format *format = formats_get(formats, id);
	const struct class *same;
	struct class *class;
	const char *text;
	size_t size;

	text = formats_text(formats, id, &size);
	if (!format->event || !text)
		return raw;
	size = without_print(format, text, size);
	same = find_same(classes, format, text, size);
	if (same)
		return same;
	class = classes->nr < CLASSES_MAX ? new_class(classes, format->event) : NULL;
	if (!class)
		return raw;
	class->system = format->system;
	class->name = format->name;
	class->text = text;
	class->size = size;
	return class;
}

static const struct class *get(struct classes *classes, struct formats *formats, u32 id)
{
	struct known *known = classes->last;

	if (!known || known->formats != formats)
		known = classes->last = find_known(classes, formats);
	if (!known)
		return NULL;
	if (id >= IDS_MAX)
		return classes_own(classes, OWN_RAW);
	if (!known->by_id[id])
		known->by_id[id] = make(classes, formats, id)->id;
	return classes_at(classes, known->by_id[id]);
}

int classes_add(struct classes *classes, struct formats *formats, struct err *err)
{
	u32 i;

	for (i = 0; i < formats_nr(formats); i++)
		if (!get(classes, formats, formats_id(formats, i)))
			return err_sys(err, "memory for the kinds of events");
	return 0;
}

/* Readers of ftrace's own know that it ends with the event. */
static bool is_stack(const struct class *class)
{
	return !strcmp(class->system, "ftrace") && !strcmp(class->name, "kernel_stack");
}

/* Does the event have all that its format speaks of? */
static bool fits(const struct layout *layout, const struct entry *entry)
{
	struct bytes payload;

	if (entry->size < layout->size || layout->is_fixed)
		return entry->size >= layout->size;
	payload = bytes_of(entry->payload, entry->size, entry->stream->order);
	return layout_holds_dynamic(layout, &payload);
}

const struct class *classes_of(struct classes *classes, const struct entry *entry, bool stacks)
{
	const struct class *class;

	if (entry->extra)
		return classes_own(classes, own_kind_of(entry->extra));
	class = get(classes, entry->stream->formats, entry->id);
	if (!class)
		return NULL;
	if (stacks && class->layout.is_fixed && is_stack(class))
		return class;
	return fits(&class->layout, entry) ? class : classes_own(classes, OWN_RAW);
}
