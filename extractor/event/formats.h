/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EPITAPH_EVENT_FORMATS_H
#define EPITAPH_EVENT_FORMATS_H

/**
 * DOC: formats
 *
 * What the events of one recording look like, as the recorded kernel's own format texts say.  A
 * text is parsed when the first event of its id is asked for, and its print format is compiled
 * when the first event is printed: a recording has thousands of formats, and events of few.
 *
 * The texts may be anybody's.  All that is made of them is bounded: the length of a text, its
 * fields, the depth and number of operations, the memory of all programs, and what a conversion
 * may print.  No field reaches beyond the largest event, and no program reads beyond a payload::
 *
 *	format = formats_get(formats, item->id);
 *	program = formats_program(formats, item->id);
 *	if (program && print_program_run(program, &text, &payload))
 */

#include "base/byte_reader.h"
#include "base/damage_notes.h"
#include "base/err.h"
#include "field_layout.h"
#include "print_program.h"
#include "region/generation.h"
#include "region/packed_layout.h"
#include "region/subbuf.h"

/* The fields with which an event says the name of a task. */
struct format_comm {
	const struct layout_field *pid;
	const struct layout_field *comm;
};

#define FORMAT_MAX_COMMS	2

/**
 * struct format - of one id
 * @is_known: there is a @layout; otherwise an event is bytes
 * @system, @name: terminated
 * @print: what stands behind "print fmt:", terminated
 * @is_switch: sched:sched_switch
 * @is_bare: a line of the kernel's trace file does not begin with its name
 * @cpu: of epitaph:mark and mark:NAME, where it was written; else NULL
 * @irq: with context, common_flags of that moment (docs/context.md); else NULL, as is @preempt
 * @early: of epitaph:early, the event that it is; else NULL
 * @comms: nr_comms of them
 */
struct format {
	bool is_known;
	struct layout layout;
	const char *system;
	const char *name;
	const char *print;
	bool is_switch;
	bool is_bare;
	const struct layout_field *cpu;
	const struct layout_field *early;
	const struct layout_field *irq;
	const struct layout_field *preempt;
	u32 nr_comms;
	struct format_comm comms[FORMAT_MAX_COMMS];
};

struct formats;

/* What the events were recorded on. */
struct formats_machine {
	enum byte_order order;
	u32 long_size;
};

/**
 * formats_new() - without any, yet
 * @ret: for formats_free(), which accepts NULL
 * @notes: take what is damaged; must outlive it; NULL: formats_incomplete() alone says so
 */
int formats_new(struct formats **ret, const struct formats_machine *machine,
		struct damage_notes *notes, struct err *err);

/**
 * formats_add() - one more
 * @system: terminated; must outlive @formats
 * @name: @len bytes of it, copied
 * @text: terminated; must outlive @formats; NULL: the source has it
 *
 * Return: false without memory, or for an @id that cannot be.
 */
bool formats_add(struct formats *formats, u32 id, const char *system, const char *name,
		 size_t len, const char *text);

/* formats_add_packing() - a line of how events are packed; false without memory, or if it cannot be */
bool formats_add_packing(struct formats *formats, const char *line);

/* The packing of @number below PACKING_ALL, of event 0 if there is none. */
const struct packed_layout *formats_packing(const struct formats *formats, u32 number);

/* As formats_add(), and @formats owns @text, which is from malloc(); false: @text is freed. */
bool formats_keep(struct formats *formats, char *text);

/* The text of @id from malloc(), or NULL; called at most once for each. */
typedef char *formats_text_fn(void *priv, u32 id);

/* Where formats find the texts that formats_add() was not given. */
void formats_source(struct formats *formats, formats_text_fn *text, void *priv);

/* What the recorded kernel calls addresses and numbers, which programs ask; copied. */
void formats_use_names(struct formats *formats, const struct print_names *names);

/* Something is wrong with formats, at byte @off of a region or NOTE_NOWHERE. */
void formats_note(struct formats *formats, u64 off, const char *what);

/**
 * formats_read() - find the formats of a region
 * @ret: for formats_free(), which accepts NULL
 * @generation: its notes take what is damaged
 */
int formats_read(struct formats **ret, struct generation *generation, struct err *err);

/**
 * formats_read_program() - the formats of a program's ring
 * @data: @size bytes of its slot, a sequence of batches
 * @whole: set to false if a batch is damaged: it is left out, and those behind one of no possible size
 * @system: of all its events, whatever the texts say; from malloc(), and freed with @ret, or on failure
 */
int formats_read_program(struct formats **ret, struct generation *generation, const u8 *data, u32 size,
			 char *system, bool *whole, struct err *err);

/* formats_more() - those that joined a region since, while it is recorded into */
void formats_more(struct formats *formats, struct generation *generation);

/* For these two: where in the section of formats they go on, and how many bytes of text may come. */
struct formats_place {
	u64 off;
	u64 room;
};

struct formats_place *formats_place(struct formats *formats);

void formats_free(struct formats *formats);

/* Never NULL; not known if the format of @id is lost or of no use. */
const struct format *formats_get(struct formats *formats, u32 id);

/*
 * What prints the events of @id.  NULL: the format is not known, or its print format: then its
 * fields are all that there is to print.
 */
const struct print_program *formats_program(struct formats *formats, u32 id);

/* "system:name", or "unknown:ID"; formats'. Parses nothing. */
const char *formats_name(struct formats *formats, u32 id);

/* Was any batch damaged, so that an unknown id may have been anything? */
bool formats_incomplete(const struct formats *formats);

u32 formats_nr(const struct formats *formats);

/* The id of format @i of formats_nr(). */
u32 formats_id(const struct formats *formats, u32 i);

/* The text from "name:" on, *@ret_size bytes, formats'; NULL: there is none. */
const char *formats_text(struct formats *formats, u32 id, size_t *ret_size);

/* Parses all that are not yet, so that what cannot be is noted. */
void formats_check(struct formats *formats);

/* Is there a format of @id?  Parses nothing. */
bool formats_has(const struct formats *formats, u32 id);

#endif
