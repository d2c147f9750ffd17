/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What events look like, as the recorded kernel's own format texts say, and
 * the library that reads these.
 *
 * A format is parsed when the first event of its id comes.  The library trusts
 * formats; a region's are anybody's.  So a format is handed to it only if it
 * cannot make it read outside the buffer that formats_record() gives.
 */
#ifndef EPITAPH_EVENT_FORMATS_H
#define EPITAPH_EVENT_FORMATS_H

#include <event-parse.h>

#include "base/byte_reader.h"
#include "region/packed_layout.h"
#include "region/generation.h"
#include "region/subbuf.h"

#define FORMATS_COMMON	8	/* bytes of an event that are not recorded */

/* How an event tells what a task is called. */
struct format_comm {
	const struct tep_format_field *pid;
	const struct tep_format_field *comm;
};

#define FORMAT_MAX_COMMS	2

/**
 * struct format - of one id
 * @event: the library's, or NULL: @raw
 * @system: texts of its own
 * @printable: the library may run its print format
 * @is_plain: and makes of it what C does
 * @print: what stands behind "print fmt:", terminated
 * @is_switch: sched:sched_switch
 * @is_bare: a line of the kernel's trace file does not begin with its name
 * @cpu: of epitaph:mark, where it was written; else NULL
 * @irq: with context, common_flags of that moment (docs/context.md); else NULL, as is @preempt
 * @early: of epitaph:early, the event that it is; else NULL
 * @comms: nr_comms of them
 */
struct format {
	struct tep_event *event;
	const char *system;
	const char *name;
	bool printable;
	bool is_plain;
	const char *print;
	bool is_switch;
	bool is_bare;
	const struct tep_format_field *cpu;
	const struct tep_format_field *early;
	const struct tep_format_field *irq;
	const struct tep_format_field *preempt;
	u32 nr_comms;
	struct format_comm comms[FORMAT_MAX_COMMS];
};

/* An unsigned number of 2 or 4 bytes of the payload, where @field says it is; -1: it is not there. */
s64 format_number(const struct tep_format_field *field, struct bytes *payload);

struct formats;

/* What the events were recorded on; a @page_shift that cannot be is 12. */
struct formats_machine {
	enum byte_order order;
	u32 long_size;
	u32 page_shift;
};

/**
 * formats_new() - without any, yet
 * @ret: for formats_free(), which accepts NULL
 * @notes: take what is damaged; must outlive it
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

/* What formats_add() was told in @text becomes @formats', from malloc(), freed with it; false: freed. */
bool formats_keep(struct formats *formats, char *text);

/* The text of @id from malloc(), or NULL; called at most once for each. */
typedef char *formats_text_fn(void *priv, u32 id);

/* What the library is given for @text, from malloc(); NULL: @text itself. */
typedef char *formats_library_fn(void *priv, const char *text);

/* Who has the texts that formats_add() was not given; @library may be NULL. */
void formats_source(struct formats *formats, formats_text_fn *text, formats_library_fn *library,
		    void *priv);

/* Something is wrong with formats, at byte @off of a region or NOTE_NOWHERE. */
void formats_note(struct formats *formats, u64 off, const char *what);

/**
 * formats_read() - find the formats of a region
 * @ret: for formats_free(), which accepts NULL
 * @generation: its notes take what is damaged
 */
int formats_read(struct formats **ret, struct generation *generation, struct err *err);

/* formats_more() - those that joined a region since, while it is recorded into */
void formats_more(struct formats *formats, struct generation *generation);

/* For these two: where in the section of formats they go on, and how many bytes of text may come. */
struct formats_place {
	u64 off;
	u64 room;
};

struct formats_place *formats_place(struct formats *formats);

void formats_free(struct formats *formats);

/* Never NULL; without @event if the format of @id is lost or of no use. */
const struct format *formats_get(struct formats *formats, u32 id);

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

/**
 * formats_record() - an event as the library wants it
 * @payload: @size bytes
 * @pid: for common_pid
 *
 * Valid until the next call.
 */
struct tep_record *formats_record(struct formats *formats, u32 id, s64 pid,
				  const void *payload, u32 size);

struct tep_handle *formats_tep(struct formats *formats);

#endif
