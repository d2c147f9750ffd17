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
#define NAMES_COMPARED	4096

enum { BY_CPU, BY_PID, BY_COMM, BY_EVENT, BY_CHANNEL, NR_BY };

static const char *const option_names[NR_BY] = {
	"--cpu", "--pid", "--comm", "--event", "--channel",
};

/**
 * struct empty_window - what the events have, compared with each option alone
 * @given: the option is given
 * @only: a window with this option alone
 * @fits: some event matches the option
 * @names: of the events, for options that are names
 * @first_cpu: lowest CPU with events
 * @last_cpu: highest CPU with events
 * @any: an event matches all options
 * @newest: time of the last such event
 */
struct empty_window {
	bool given[NR_BY];
	struct window only[NR_BY];
	bool fits[NR_BY];
	struct strings *names[NR_BY];
	u32 first_cpu;
	u32 last_cpu;
	bool any;
	u64 newest;
};

/* Return: is there any option? */
static bool split_options(struct empty_window *m, const struct window *window)
{
	int i;

	for (i = 0; i < NR_BY; i++)
		m->only[i] = (struct window)WINDOW_INIT;
	m->only[BY_CPU].cpu = window->cpu;
	m->only[BY_PID].pid = window->pid;
	m->only[BY_COMM].comm = window->comm;
	m->only[BY_EVENT].event = window->event;
	m->only[BY_CHANNEL].channel = window->channel;
	m->given[BY_CPU] = window->cpu >= 0;
	m->given[BY_PID] = window->pid >= 0;
	m->given[BY_COMM] = window->comm;
	m->given[BY_EVENT] = window->event;
	m->given[BY_CHANNEL] = window->channel;
	for (i = 0; i < NR_BY && !m->given[i]; i++)
		;
	return i < NR_BY;
}

/* What a glob of the option is compared with. An event has its system if the glob has one. */
static const char *name_for_option(const struct empty_window *m, int by, const struct item *item)
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

static void compare_event(struct empty_window *m, const struct window *window,
			  const struct item *item)
{
	const char *name;
	int i;

	for (i = 0; i < NR_BY; i++) {
		if (!m->given[i])
			continue;
		m->fits[i] = m->fits[i] || window_wants(&m->only[i], item);
		name = m->fits[i] ? NULL : name_for_option(m, i, item);
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

static int compare_events(struct empty_window *m, const struct window *window,
			  struct postmortem *pm, struct err *err)
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
			compare_event(m, window, item);
	}
	progress_end();
	timeline_close(tl);
	return 0;
}

/* The name that was meant, or the names that there are. */
static void put_other_names(struct strbuf *words, const struct strings *strings, const char *asked)
{
	const char *names[NAMES_COMPARED], *near;
	size_t i, size, nr = 0;
	const char *text = strings_all(strings, &size), *end = text + size;

	for (; text < end && nr < NAMES_COMPARED; text += strlen(text) + 1)
		if (*text && strcmp(text, STRINGS_LEFT_OUT))
			names[nr++] = text;
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

static const char *asked_name(const struct window *only)
{
	return only->comm ? only->comm : only->event ? only->event : only->channel;
}

/* No event matches option @by. */
static void note_option(struct damage_notes *notes, const struct empty_window *m, int by)
{
	const struct window *only = &m->only[by];
	const char *asked = asked_name(only);
	struct strbuf words = { 0 };
	char *text;

	strbuf_put(&words, "no event fits %s ", option_names[by]);
	if (asked) {
		strbuf_put(&words, "%s", asked);
		put_other_names(&words, m->names[by], asked);
	} else {
		strbuf_put(&words, "%lld", by == BY_CPU ? only->cpu : only->pid);
	}
	if (by == BY_CPU && m->first_cpu < m->last_cpu)
		strbuf_put(&words, "; there are CPUs %u to %u", m->first_cpu, m->last_cpu);
	else if (by == BY_CPU && m->first_cpu == m->last_cpu)
		strbuf_put(&words, "; there is CPU %u", m->first_cpu);
	text = strbuf_take(&words);
	if (text)
		damage_notes_add(notes, NOTE_NOWHERE, "%s", text);
	free(text);
}

/* Each option alone matches some event. */
static void note_combination(struct damage_notes *notes, const struct empty_window *m,
			     const struct postmortem *pm)
{
	u64 end = pm->end.time;
	char ago[40];

	text_seconds(ago, sizeof(ago), end > m->newest ? end - m->newest : m->newest - end, false);
	if (!m->any)
		damage_notes_add(notes, NOTE_NOWHERE,
				 "each of the options fits events, and no event fits all of them");
	else if (pm->isolated_buffer)
		damage_notes_add(notes, NOTE_NOWHERE, "only older events fit; --all shows them");
	else
		damage_notes_add(notes, NOTE_NOWHERE,
				 "the last event that fits is at T%c%s; --all shows it",
				 end >= m->newest ? '-' : '+', ago);
}

int window_explain_empty(struct damage_notes *notes, const struct window *window,
			 struct postmortem *pm, struct err *err)
{
	struct empty_window m = { .first_cpu = NO_CPU };
	bool has_misfit = false;
	int i, ret = 0;

	if (!split_options(&m, window) || window->shown || window->of_programs ||
	    (window->kind == WINDOW_LAST_EVENTS && !window->events) ||
	    !(pm->total.events + pm->aux_events.nr))
		return 0;
	for (i = 0; i < NR_BY && !ret; i++)
		if (asked_name(&m.only[i]))
			ret = strings_new(&m.names[i], err);
	if (!ret)
		ret = compare_events(&m, window, pm, err);
	for (i = 0; i < NR_BY && !ret; i++)
		if (m.given[i] && !m.fits[i]) {
			note_option(notes, &m, i);
			has_misfit = true;
		}
	if (!ret && !has_misfit)
		note_combination(notes, &m, pm);
	for (i = 0; i < NR_BY; i++)
		strings_free(m.names[i]);
	return ret;
}
