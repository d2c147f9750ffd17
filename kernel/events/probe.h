/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of epitaph.ko: which there are, which are recorded, their formats. */
#ifndef EPITAPH_EVENTS_PROBE_H
#define EPITAPH_EVENTS_PROBE_H

#include <linux/types.h>
#include <epitaph/probes.h>

struct epitaph_answer;
struct epitaph_choice;
struct trace_event_call;

/* Made by the build, ends with NULL. */
extern const struct epitaph_event_set *const epitaph_sets[];

#define for_each_compiled_event(set, ev)				\
	for ((set) = epitaph_sets; *(set); (set)++)			\
		for ((ev) = (*(set))->events; *(ev); (ev)++)

/* probe.c */

/**
 * epitaph_probes_choose() - which events are wanted
 * @globs: see select.c; NULL or empty for the default
 *
 * Only our own tables change, so after wrong @globs the recorder can still leave everything
 * as it is.  epitaph_select_free() is needed afterwards.
 *
 * Context: process.
 * Return: 0, -ENOMEM, or -EINVAL if a word of @globs names no event; then the log has the
 *	word and names near it.
 */
int epitaph_probes_choose(const char *globs);

/**
 * epitaph_probes_change() - the same while recording
 * @answer: gets what is wrong with @globs, or how many are recorded now
 * @globs: if the first word begins with a sign, it changes what is there
 *
 * What is taken away runs no probe on any CPU afterwards.  Nothing is changed if
 * there is an error.
 *
 * Context: process, may sleep; between epitaph_probes_start() and _stop().
 * Return: 0, -ENOMEM, -E2BIG or -EINVAL.
 */
int epitaph_probes_change(struct epitaph_answer *answer, const char *globs);

/**
 * epitaph_probes_pause() - record no events, or go on with those that are wanted
 *
 * Leaves a mark, if it changes anything, that says who did.
 *
 * Context: as epitaph_probes_change().
 */
void epitaph_probes_pause(bool pause);

/* How many are recorded, wait for their tracepoint, cannot be; process context. */
struct epitaph_probe_counts {
	unsigned int on, absent, refused;
	bool is_paused;
};
void epitaph_probes_count(struct epitaph_probe_counts *counts);

/* Is no event recorded into the main channel, or into any?  Any context. */
bool epitaph_main_is_stopped(void);

/* Is it an event that a probe of ours records?  Any context, preemption off. */
bool epitaph_probes_have(const struct trace_event_call *call);

/**
 * epitaph_probes_start() - record them
 *
 * Events of modules come on whenever those are loaded.
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int epitaph_probes_start(void);

/**
 * epitaph_probes_stop() - record no more
 *
 * Afterwards no probe runs on any CPU.
 */
void epitaph_probes_stop(void);

/* Between these; and, epitaph_events_lock() held, record what is wanted and was not there before. */
bool epitaph_probes_are_started(void);
void epitaph_probes_attach(void);

/* events.c: epitaph_events_register(), and */

/* Call @fn for every event, recorded or not; it may not register any. */
void epitaph_for_each_event(void (*fn)(struct epitaph_event *ev, void *arg), void *arg);

/* The same while no event can come or go: under epitaph_events_lock(), or before others run. */
void epitaph_for_all_events(void (*fn)(struct epitaph_event *ev, void *arg), void *arg);

/* Did the build make it, or a module register it?  The same context. */
bool epitaph_event_is_compiled(const struct epitaph_event *ev);

/* It has no name, no probe, and is not wanted. */
void epitaph_event_reset(struct epitaph_event *ev);

/* Before a new choice: no event is wanted but those that other modules registered. */
void epitaph_want_none(void);

/* ftrace_event.c */

/**
 * epitaph_event_prepare() - check that an event can be recorded, and publish its format
 *
 * An event of a trace header cannot be checked if ftrace does not know it, so only a module
 * that brings its own header may have such events.
 *
 * Context: process, may sleep; epitaph_events_lock() held.
 * Return: NULL, or why not.
 */
const char *epitaph_event_prepare(struct epitaph_event *ev);

/* select.c: sets epitaph_event.wanted; no one else may change it or register events meanwhile */

/**
 * epitaph_select() - choose anew
 *
 * Return: 0, -ENOMEM, or -EINVAL for a word that fits no event: @answer says
 *	which, and what is near it.  Then all is as it was.
 */
int epitaph_select(struct epitaph_answer *answer, const char *globs);

/* The same for words that change what is chosen; -E2BIG: too many by now. */
int epitaph_select_more(struct epitaph_answer *answer, const char *globs);

/**
 * epitaph_choice_new() - words by themselves, for a channel
 * @globs: as for epitaph_select(); "default" is what is recorded if nothing is said
 *
 * Return: for epitaph_choice_free(); an error as epitaph_select() has it.
 */
struct epitaph_choice *epitaph_choice_new(struct epitaph_answer *answer, const char *globs);
bool epitaph_choice_wants(const struct epitaph_choice *choice, const struct epitaph_event *ev);
void epitaph_choice_free(struct epitaph_choice *choice);	/* NULL is fine */

/**
 * epitaph_select_one() - the event of that name
 * @name: "system:event", no glob
 *
 * Return: the event, or NULL: @answer has what is near it.
 */
struct epitaph_event *epitaph_select_one(struct epitaph_answer *answer, const char *name);

/**
 * epitaph_select_each() - all events that fit
 * @glob: "sched:*"; one word, no sign
 * @fn: is called for each until it says something but 0
 *
 * Return: what @fn said, or -EINVAL: there are none, and @answer has what is near.
 */
int epitaph_select_each(struct epitaph_answer *answer, const char *glob,
			int (*fn)(struct epitaph_event *ev, void *arg), void *arg);

/* Letters to change, add or drop to make one of the other; rough beyond 63. */
unsigned int epitaph_distance(const char *a, const char *b);

/* Who registers events wants them, so of words only those that name @ev count. */
void epitaph_select_added(struct epitaph_event *ev);
void epitaph_select_free(void);

/* format_text.c */

/**
 * epitaph_format_text() - the text of an event's "format" file
 * @ev: the print format is the kernel's if @ev->call is set
 *
 * It is the kernel's own to the byte, but for the ID.
 * Context: process; @ev->call must not go away.
 * Return: length without the final NUL, or -ENOSPC.
 */
int epitaph_format_text(struct epitaph_event *ev, char *buf, size_t size);

/**
 * struct epitaph_format_more - an event that has more than its own fields
 * @print_fmt: as ftrace has it; NULL: the compiled one
 * @fields: lines behind its own
 * @print: what stands at the end of what it prints
 * @args: the arguments of that
 * @words: of its payload; 0: it varies
 */
struct epitaph_format_more {
	const char *print_fmt;
	const struct epitaph_answer *fields, *print, *args;
	u32 words;
};

/* Its format as text, with @id; as epitaph_format_text().  @more: NULL: it has its own fields only. */
int epitaph_format_text_more(const struct epitaph_event *ev, u32 id,
			     const struct epitaph_format_more *more, char *buf, size_t size);

/* The same with the print format as compiled, enum names replaced by us. */
int epitaph_format_text_compiled(struct epitaph_event *ev, char *buf, size_t size);

/* Fill in @ev->sym_off from its print format. */
void epitaph_find_syms(struct epitaph_event *ev);

/* format_file.c: "formats" and "formats_compiled" in debugfs, for tests */
void epitaph_format_files_add(void);
void epitaph_format_files_remove(void);

#endif /* EPITAPH_EVENTS_PROBE_H */
