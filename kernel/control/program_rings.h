/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/epitaph-ring: threads of programs have rings of their own in the region.  docs/rings.md */
#ifndef EPITAPH_CONTROL_PROGRAM_RINGS_H
#define EPITAPH_CONTROL_PROGRAM_RINGS_H

#include <linux/types.h>
#include <epitaph/format.h>

struct epitaph_answer;

/* Context of all of these: process, may sleep. */

/* The device appears, and goes; no file is open then. */
void epitaph_program_rings_start(void);
void epitaph_program_rings_stop(void);

/**
 * epitaph_program_rings_plan() - the shape of a room for @size bytes
 *
 * Return: 0; -EINVAL: too few, and the answer says so.
 */
int epitaph_program_rings_plan(struct epitaph_answer *answer, struct epitaph_added *shape, u64 size);

/* Bytes in front of the first slot. */
u64 epitaph_program_rings_before(const struct epitaph_added *shape);

/**
 * epitaph_program_rings_room() - slots may be taken from here on
 * @shape: as it will be published; its memory has no owner
 *
 * Return: 0; -EEXIST: there is a room already; -ENOMEM.
 */
int epitaph_program_rings_room(const struct epitaph_added *shape);

/* No slot may be taken, or again. */
void epitaph_program_rings_run(bool run);

/*
 * All rings are over: what their programs write goes to pages of ordinary memory.  remove: and there is
 * no room; pause: and no ring is opened, until the end of the pause; lose: after epitaph_lose().
 */
void epitaph_program_rings_remove(void);
void epitaph_program_rings_pause(bool pause);
void epitaph_program_rings_lose(void);

/* Rings that are live, and that were not taken yet. */
void epitaph_program_rings_count(u32 *live, u32 *free);

#endif /* EPITAPH_CONTROL_PROGRAM_RINGS_H */
