// SPDX-License-Identifier: GPL-2.0-or-later
#include "empty_window.h"

#include <stdlib.h>
#include <string.h>

#include "base/did_you_mean.h"
#include "base/strbuf.h"
#include "base/string_interner.h"
#include "base/text.h"
#include "os/progress.h"

#define NAMES_LISTED	6
#define NAMES_NEAR	4096	/* that are compared, letter by letter */

enum { BY_CPU, BY_PID, BY_COMM, BY_EVENT, BY_CHANNEL, NR_BY };

static const char *const options[NR_BY] = { "--cpu", "--pid", "--comm", "--event", "--channel" };

/**
 * struct empty_window - what is found out
 * @asks: for this; @only: for nothing else
 * @fits: some event
 * @names: that events have, of those that are asked for by name
 * @first_cpu: of which there are events; @last_cpu
 * @any: an event fits all that is asked for; @newest: the time of the last one
 */
struct empty_window {
	bool asks[NR_BY];
	struct window only[NR_BY];
	bool fits[NR_BY];
	struct strings *names[NR_BY];
	u32 first_cpu;
	u32 last_cpu;
	bool any;
	u64 newest;
};

static void ask(struct empty_window *m, const struct window *window)
{
	int i;

	for (i = 0; i < NR_BY; i++)
		m->only[i] = (struct window)WINDOW_INIT;
	m->only[BY_CPU].cpu = window->cpu;
	m->only[BY_PID].pid = window->pid;
	m->only[BY_COMM].comm = window->comm;
	m->only[BY_EVENT].event = window->event;
	m->only[BY_CHANNEL].channel = window->channel;
	m->asks[BY_CPU] = window->cpu >= 0;
	m->asks[BY_PID] = window->pid >= 0;
	m->asks[BY_COMM] = window->comm;
	m->asks[BY_EVENT] = window->event;
	m->asks[BY_CHANNEL] = window->channel;
}

static bool asks_at_all(const struct empty_window *m)
{
	int i;

	for (i = 0; i < NR_BY; i++)
		if (m->asks[i])
			return true;
	return false;
}

/* As the option has it: with the system, or without. */
static const char *name_of(const struct empty_window *m, int by, const struct item *item)
{
	const char *name, *colon;

	if (by == BY_COMM)
		return item->comm;
	if (by == BY_CHANNEL)
		return item->stream ? item->stream->channel : NULL;
	if (by != BY_EVENT)
		return NULL;
	name = item_name(item);
	colon = strchr(name, ':');
	return colon && !strchr(m->only[by].event, ':') ? colon + 1 : name;
}

static void look_at(struct empty_window *m, const struct window *window, const struct item *item)
{
	const char *name;
	int i;

	for (i = 0; i < NR_BY; i++) {
		if (!m->asks[i])
			continue;
		m->fits[i] = m->fits[i] || window_wants(&m->only[i], item);
		name = m->fits[i] ? NULL : name_of(m, i, item);
		if (name)
			strings_number(m->names[i], name);
	}
	if (item->cpu != NO_CPU) {
		m->first_cpu = item->cpu < m->first_cpu ? item->cpu : m->first_cpu;
		m->last_cpu = item->cpu > m->last_cpu ? item->cpu : m->last_cpu;
	}
	if (window_wants(window, item)) {
		m->any = true;
		m->newest = item->time;
	}
}

static int look(struct empty_window *m, const struct window *window, struct postmortem *pm,
		struct err *err)
{
	const struct item *item;
	struct timeline *tl;
	u64 done = 0;
	int ret = timeline_open(&tl, pm, 0, window->damaged, err);

	if (ret)
		return ret;
	while ((item = timeline_next(tl))) {
		progress("looking for what would fit", done++, pm->total.events);
		if (item_happened(item))
			look_at(m, window, item);
	}
	progress_end();
	timeline_close(tl);
	return 0;
}

/* All but the two that every table has; how many. */
static size_t list_names(const struct strings *strings, const char *names[NAMES_NEAR])
{
	size_t size, nr = 0;
	const char *text = strings_all(strings, &size), *end = text + size;

	for (; text < end && nr < NAMES_NEAR; text += strlen(text) + 1)
		if (*text && strcmp(text, STRINGS_LEFT_OUT))
			names[nr++] = text;
	return nr;
}

/* What it could have been. */
static void put_names(struct strbuf *words, const struct strings *strings, const char *asked)
{
	const char *names[NAMES_NEAR], *near;
	size_t i, nr = list_names(strings, names);

	near = did_you_mean(asked, names, nr);
	if (near) {
		strbuf_put(words, "; did you mean %s?", near);
		return;
	}
	for (i = 0; i < nr && i < NAMES_LISTED; i++)
		strbuf_put(words, "%s%s", i ? ", " : "; there are ", names[i]);
	if (nr > i)
		strbuf_put(words, " and others");
}

static const char *asked_for(const struct window *only)
{
	return only->comm ? only->comm : only->event ? only->event : only->channel;
}

static void put_cpus(struct strbuf *words, const struct empty_window *m)
{
	if (m->first_cpu < m->last_cpu)
		strbuf_put(words, "; there are CPUs %u to %u", m->first_cpu, m->last_cpu);
	else if (m->first_cpu == m->last_cpu)
		strbuf_put(words, "; there is CPU %u", m->first_cpu);
}

static void put_one(struct strbuf *words, const struct empty_window *m, int by)
{
	const struct window *only = &m->only[by];
	const char *asked = asked_for(only);

	if (asked) {
		strbuf_put(words, "no event fits %s %s", options[by], asked);
		put_names(words, m->names[by], asked);
	} else {
		strbuf_put(words, "no event fits %s %lld", options[by],
			   by == BY_CPU ? only->cpu : only->pid);
		if (by == BY_CPU)
			put_cpus(words, m);
	}
}

static void note(struct damage_notes *notes, struct strbuf *words)
{
	char *text = strbuf_take(words);

	if (text)
		damage_notes_add(notes, NOTE_NOWHERE, "%s", text);
	free(text);
}

/* Each by itself fits something. */
static void note_all(struct damage_notes *notes, const struct empty_window *m, const struct postmortem *pm)
{
	u64 end = pm->end.time;
	char ago[40];

	text_seconds(ago, sizeof(ago), end > m->newest ? end - m->newest : m->newest - end, false);
	if (!m->any)
		damage_notes_add(notes, NOTE_NOWHERE, "each of the options fits events, and no event fits all of them");
	else if (pm->isolated_buffer)
		damage_notes_add(notes, NOTE_NOWHERE, "only older events fit; --all shows them");
	else
		damage_notes_add(notes, NOTE_NOWHERE, "the last event that fits is at T%c%s; --all shows it",
				 end >= m->newest ? '-' : '+', ago);
}

static void tell(struct damage_notes *notes, const struct empty_window *m, const struct postmortem *pm)
{
	bool told = false;
	int i;

	for (i = 0; i < NR_BY; i++) {
		struct strbuf words = { 0 };

		if (!m->asks[i] || m->fits[i])
			continue;
		put_one(&words, m, i);
		note(notes, &words);
		told = true;
	}
	if (!told)
		note_all(notes, m, pm);
}

int window_explain_empty(struct damage_notes *notes, const struct window *window, struct postmortem *pm,
			 struct err *err)
{
	struct empty_window m = { .first_cpu = NO_CPU };
	int i, ret = 0;

	ask(&m, window);
	if (window->shown || (window->kind == WINDOW_LAST_EVENTS && !window->events) || !asks_at_all(&m) || !(pm->total.events + pm->aux_events.nr))
		return 0;
	for (i = 0; i < NR_BY && !ret; i++)
		if (asked_for(&m.only[i]))
			ret = strings_new(&m.names[i], err);
	if (!ret)
		ret = look(&m, window, pm, err);
	if (!ret)
		tell(notes, &m, pm);
	for (i = 0; i < NR_BY; i++)
		strings_free(m.names[i]);
	return ret;
}
