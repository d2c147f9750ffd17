// SPDX-License-Identifier: GPL-2.0-only
/* What ftrace has of an event: is it the same, and then its format goes into the region. */

#include <linux/err.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include "probe.h"
#include "recorder.h"

static bool same_field(const struct epitaph_field *ours,
		       const struct trace_event_fields *theirs)
{
	return !strcmp(ours->name, theirs->name) && ours->size == theirs->size &&
	       ours->align == theirs->align && !ours->is_signed == !theirs->is_signed;
}

/* Return: the name of the first field that is another, or NULL. */
static const char *differing_field(const struct epitaph_event *ev,
				   const struct trace_event_call *call)
{
	const struct epitaph_field *ours = ev->fields;
	const struct trace_event_fields *theirs = call->class->fields_array;

	for (; theirs && theirs->type && ours->type; ours++, theirs++)
		if (!same_field(ours, theirs))
			return ours->name;
	return ours->type ? ours->name : theirs && theirs->type ? theirs->name : NULL;
}

/* Return: NULL if @ev is what ftrace has, or why not. */
static const char *mismatch(const struct epitaph_event *ev,
			    const struct trace_event_call *call)
{
	if (!(call->flags & TRACE_EVENT_FL_TRACEPOINT) || call->tp != ev->tp)
		return "ftrace has another tracepoint of that name";
	if (differing_field(ev, call))
		return "the kernel's record has another layout";
	return NULL;
}

static const char *publish_event(struct epitaph_event *ev)
{
	int err;

	if (ev->published)
		return NULL;
	err = epitaph_event_publish(ev);
	if (err == -EMSGSIZE)
		return "it is larger than a sub-buffer holds";
	if (err)
		return "there is no room for its format or its id";
	ev->published = true;
	return NULL;
}

const char *epitaph_event_prepare(struct epitaph_event *ev)
{
	struct trace_event_file *file = trace_get_event_file(NULL, ev->system, ev->name);
	const char *why;

	if (IS_ERR(file)) {
		if (epitaph_event_is_compiled(ev))
			return "ftrace has no such event";
		epitaph_find_syms(ev);
		return publish_event(ev);
	}
	/* The file pins the module, and so ->call, until we put it. */
	why = mismatch(ev, file->event_call);
	if (!why) {
		WRITE_ONCE(ev->call, file->event_call);
		epitaph_find_syms(ev);
		why = publish_event(ev);
	}
	trace_put_event_file(file);
	return why;
}
