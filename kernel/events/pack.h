/* SPDX-License-Identifier: GPL-2.0-only */
/* How events are packed: the descriptions, and the unpacking. */
#ifndef EPITAPH_EVENTS_PACK_H
#define EPITAPH_EVENTS_PACK_H

#include <linux/types.h>

struct epitaph_event;
struct epitaph_field;

#define EPITAPH_MAX_PACKINGS	255	/* 0 is none */
#define EPITAPH_UNPACKED_MAX	256	/* bytes of a payload that is packed */

#define EPITAPH_EMPTY_MAX	255	/* where an array begins */

/* Letters of steps that have a code. */
#define EPITAPH_CODED_STEPS	"pnqduwjl"

/* Whether the recorder packs events: a parameter of the module. */
bool epitaph_packs(void);

int epitaph_packing_init(void);
void epitaph_packing_exit(void);

#define EPITAPH_STEP_OF_TASK	'+'	/* no step: a field of a task, whose name is one */

/**
 * struct epitaph_steps - a walk along the fields of an event, which begins with zeroes
 * @has_large: a number of 8 bytes was there
 * @of_task: how many fields that follow are of a task
 */
struct epitaph_steps {
	bool has_large;
	u8 of_task;
};

/* The letter of docs/packing.md for the next field; 0: there is none. */
char epitaph_packing_step(const struct epitaph_field *field, struct epitaph_steps *steps);

/* Codes of a step. */
u32 epitaph_packing_codes(char kind);

/* Where the array of varying length begins, as a __data_loc says it. */
u32 epitaph_packing_array(const struct epitaph_event *ev);

/* The line that describes a packing.  Return: its length, or -EINVAL: @ev does not pack. */
int epitaph_packing_text(const struct epitaph_event *ev, char *text, size_t size);

/* Into @ev->steps, if it has room for them.  Return: false: there is no such step. */
bool epitaph_packing_steps(const struct epitaph_event *ev);

/* Bytes of a packed @ev before the data of its first field. */
u32 epitaph_packing_head(const struct epitaph_event *ev);

/* formats.c: the event of a packing, or NULL; any context, RCU read side */
struct epitaph_event *epitaph_event_by_packing(u8 number);

/* formats.c: the event of a small id, and the number that it is; or NULL; as above */
struct epitaph_event *epitaph_event_by_small(u32 id, u32 *value);

/**
 * struct epitaph_entries - the texts, values and tasks that a sub-buffer holds so far
 * @data: bytes of the sub-buffer
 * @texts: by slot, offset of the text in @data; 0: none
 * @values: the same for values
 * @tasks: the same for tasks
 */
struct epitaph_entries {
	const u8 *data;
	u16 texts[256];
	u16 values[256];
	u16 tasks[256];
};

/* unpack.c */

/* The payload at byte @off is that of EPITAPH_ID_TEXT, EPITAPH_ID_VALUE or EPITAPH_ID_TASK. */
void epitaph_entries_add(struct epitaph_entries *entries, u32 id, u32 off);

/**
 * epitaph_unpack() - rebuild a packed event
 * @payload: of the packed event, @bytes
 * @out: EPITAPH_UNPACKED_MAX bytes
 *
 * Return: the event, or NULL: @entries lacks a text, value or task that it refers to, or its packing
 *	is unknown.
 */
struct epitaph_event *epitaph_unpack(const struct epitaph_entries *entries, const u8 *payload,
				     u32 bytes, u8 *out);

#endif /* EPITAPH_EVENTS_PACK_H */
