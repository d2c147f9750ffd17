// SPDX-License-Identifier: GPL-2.0-or-later
#include "event_class.h"

#include <stdlib.h>
#include <string.h>

/* The classes of one set of formats: class numbers by event id; 0: not looked up yet. */
struct format_classes {
	struct formats *formats;
	u16 by_id[IDS_MAX];
};

/*
 * @list: the class with number n is list[n - 1]; a class never moves
 * @last: the member of @known that was used last
 */
struct event_classes {
	struct synthetic_events *synthetic;
	struct event_class **list;
	u32 nr;
	struct format_classes **known;
	u32 nr_known;
	struct format_classes *last;
};

static struct event_class *new_event_class(struct event_classes *classes,
					   struct formats *formats, u32 id)
{
	struct event_class *class = calloc(1, sizeof(*class));
	struct event_class **list = classes->list;
	const struct format *format = formats_get(formats, id);

	if (!(classes->nr & (classes->nr - 1)))
		list = reallocarray(list, classes->nr ? 2 * classes->nr : 1, sizeof(*list));
	if (list)
		classes->list = list;
	if (!class || !list) {
		free(class);
		return NULL;
	}
	class->system = format->system;
	class->name = format->name;
	class->layout = format->layout;
	class->program = formats_program(formats, id);
	list[classes->nr++] = class;
	class->id = classes->nr;
	return class;
}

static bool add_synthetic_class(struct event_classes *classes, enum synthetic_kind kind)
{
	struct event_class *class = new_event_class(classes, synthetic_formats(classes->synthetic),
						    synthetic_id(kind));

	if (!class)
		return false;
	class->text = synthetic_text(classes->synthetic, kind);
	class->size = strlen(class->text);
	return true;
}

int event_classes_new(struct event_classes **ret, enum byte_order order, struct err *err)
{
	struct event_classes *classes = calloc(1, sizeof(*classes));
	bool good = classes && !synthetic_events_new(&classes->synthetic, order, err);
	enum synthetic_kind kind;

	for (kind = 0; good && kind < SYNTHETIC_NR; kind++)
		good = add_synthetic_class(classes, kind);
	if (!good) {
		event_classes_free(classes);
		return err_sys(err, "memory for the kinds of events");
	}
	*ret = classes;
	return 0;
}

void event_classes_free(struct event_classes *classes)
{
	u32 i;

	if (!classes)
		return;
	for (i = 0; i < classes->nr; i++)
		free(classes->list[i]);
	for (i = 0; i < classes->nr_known; i++)
		free(classes->known[i]);
	free(classes->list);
	free(classes->known);
	synthetic_events_free(classes->synthetic);
	free(classes);
}

u32 event_classes_nr(const struct event_classes *classes)
{
	return classes->nr;
}

const struct event_class *event_classes_at(const struct event_classes *classes, u32 id)
{
	return classes->list[id - 1];
}

const struct event_class *event_classes_synthetic(const struct event_classes *classes,
						  enum synthetic_kind kind)
{
	return event_classes_at(classes, kind + 1);
}

static struct format_classes *find_format_classes(struct event_classes *classes,
						  struct formats *formats)
{
	struct format_classes *known, **all;
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

/* The part of a format text behind its line with the id. */
static const char *body_of_format(const char *text, size_t size, size_t *ret_size)
{
	const char *line = memchr(text, '\n', size);
	const char *end = line ? memchr(line + 1, '\n', text + size - line - 1) : NULL;

	*ret_size = end ? (size_t)(text + size - end) : 0;
	return end;
}

/* A class of the same system, name and format text, whatever its id. */
static const struct event_class *find_same_class(const struct event_classes *classes,
						 const struct format *format, const char *text,
						 size_t size)
{
	size_t n, m;
	const char *a, *b = body_of_format(text, size, &m);
	u32 i;

	for (i = SYNTHETIC_NR; i < classes->nr; i++) {
		const struct event_class *class = classes->list[i];

		if (strcmp(class->system, format->system) || strcmp(class->name, format->name))
			continue;
		a = body_of_format(class->text, class->size, &n);
		if (n && n == m && !memcmp(a, b, n))
			return class;
	}
	return NULL;
}

static const struct event_class *make_event_class(struct event_classes *classes,
						  struct formats *formats, u32 id)
{
	const struct event_class *raw = event_classes_synthetic(classes, SYNTHETIC_RAW);
	const struct format *format = formats_get(formats, id);
	const struct print_program *program;
	const struct event_class *same;
	struct event_class *class;
	const char *text, *print;
	size_t size;

	text = formats_text(formats, id, &size);
	if (!format->is_known || !text)
		return raw;
	/*
	 * A print format that libtraceevent could crash at is left out: programs that read an
	 * exported file print with it. They can show the fields without a print format.
	 */
	program = formats_program(formats, id);
	print = memmem(text, size, "\nprint fmt:", 11);
	if (print && (!program || !print_program_is_safe_for_others(program)))
		size = print - text + 1;
	same = find_same_class(classes, format, text, size);
	if (same)
		return same;
	class = classes->nr < EVENT_CLASSES_MAX ? new_event_class(classes, formats, id) : NULL;
	if (!class)
		return raw;
	class->text = text;
	class->size = size;
	return class;
}

static const struct event_class *get_event_class(struct event_classes *classes,
						 struct formats *formats, u32 id)
{
	struct format_classes *known = classes->last;

	if (!known || known->formats != formats)
		known = classes->last = find_format_classes(classes, formats);
	if (!known)
		return NULL;
	if (id >= IDS_MAX)
		return event_classes_synthetic(classes, SYNTHETIC_RAW);
	if (!known->by_id[id])
		known->by_id[id] = make_event_class(classes, formats, id)->id;
	return event_classes_at(classes, known->by_id[id]);
}

int event_classes_add(struct event_classes *classes, struct formats *formats, struct err *err)
{
	u32 i;

	for (i = 0; i < formats_nr(formats); i++)
		if (!get_event_class(classes, formats, formats_id(formats, i)))
			return err_sys(err, "memory for the kinds of events");
	return 0;
}

/* Does the payload hold all fields of its format? */
static bool layout_fits(const struct layout *layout, const struct item *item)
{
	struct bytes payload;

	if (item->size < layout->size || layout->is_fixed)
		return item->size >= layout->size;
	payload = bytes_of(item->payload, item->size, item->stream->order);
	return field_layout_holds_dynamic(layout, &payload);
}

const struct event_class *event_classes_of(struct event_classes *classes, const struct item *item,
					   bool stacks)
{
	const struct event_class *class;

	if (item->extra)
		return event_classes_synthetic(classes, synthetic_kind_of(item->extra));
	class = get_event_class(classes, item->stream->formats, item->id);
	if (!class)
		return NULL;
	/* Readers of ftrace's own events know that a stack ends with the event. */
	if (stacks && class->layout.is_fixed && !strcmp(class->system, "ftrace") &&
	    !strcmp(class->name, "kernel_stack"))
		return class;
	return layout_fits(&class->layout, item) ? class :
						   event_classes_synthetic(classes, SYNTHETIC_RAW);
}
