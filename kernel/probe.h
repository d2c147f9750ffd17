/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of epitaph.ko: which there are, which are recorded, their formats. */
#ifndef _EPITAPH_PROBE_H
#define _EPITAPH_PROBE_H

#include <linux/types.h>
#include <epitaph/probes.h>

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
 * Nothing is changed but our own tables, so a recorder that is told nonsense can
 * still leave everything as it is.  epitaph_select_free() is needed afterwards.
 *
 * Context: process.
 * Return: 0, -ENOMEM, or -EINVAL if a word of @globs names no event, and then
 *	the log says which and what is near it.
 */
int epitaph_probes_choose(const char *globs);

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

/* Call @fn for every event, recorded or not; it may not register any. */
void epitaph_for_each_event(void (*fn)(struct epitaph_event *ev, void *arg), void *arg);

/* select.c */
int epitaph_select(const char *globs);
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

/* The same with the print format as compiled, enum names replaced by us. */
int epitaph_format_text_compiled(struct epitaph_event *ev, char *buf, size_t size);

/* Fill in @ev->sym_off from its print format. */
void epitaph_find_syms(struct epitaph_event *ev);

/* format_file.c: "formats" and "formats_compiled" in debugfs, for tests */
void epitaph_format_files_add(void);
void epitaph_format_files_remove(void);

#endif /* _EPITAPH_PROBE_H */
