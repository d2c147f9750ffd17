/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface between the files of redact.h. */
#ifndef EPITAPH_REDACT_REDACT_IMPL_H
#define EPITAPH_REDACT_REDACT_IMPL_H

#include "region/packed_decode.h"
#include "recording/recording.h"
#include "redact.h"

struct field_classes;
struct preview;
struct symbol_map;

/**
 * struct redaction - the state of redact()
 * @salt: of the copy; it seeds the checks
 * @failed: errno of the first failed write; 0: none
 * @profile: PROFILE_NONE: the following are NULL
 * @preview: NULL: the copy is written
 */
struct redaction {
	struct recording *recording;
	struct pseudonyms *names;
	struct redacted *count;
	u64 salt;
	int fd;
	int failed;
	enum redact_profile profile;
	const struct classes *classes;
	struct field_classes *events;
	struct symbol_map *symbols;
	struct preview *preview;
};

/* A text that grows up to its room. */
struct bounded_text {
	char *buf;
	size_t room;
	size_t len;
};

/* False: there is no room for all of it, and nothing is added. */
bool redact_append(struct bounded_text *t, const char *s, size_t n);

/* Writes bytes at @off of the copy. */
void redact_put(struct redaction *r, u64 off, const void *data, size_t size);

/* Writes an entry of @size bytes, with a new check in its last 8. */
void redact_put_checked(struct redaction *r, u64 off, void *entry, size_t size);

/* --- entries.c ------------------------------------------------------------ */

/* Redacts an array section. False: not an array of a known type. */
bool redact_entries(struct redaction *r, const struct section *sec);

/* --- event.c -------------------------------------------------------------- */

/* Redacts the payload of one event, @size bytes, in place. */
void redact_payload(struct redaction *r, u32 id, u8 *payload, u32 size);

/* The replacement of the number @value in @field of events @id. */
u64 redact_number_of(struct redaction *r, u32 id, const struct layout_field *field, u64 value);

/* --- packed.c ------------------------------------------------------------- */

/**
 * redact_packed() - redact the payload of a packed event, in place
 *
 * The size does not change: the replacement of a number has the same number of bytes.
 *
 * Return: false: the event cannot be decoded.
 */
bool redact_packed(struct redaction *r, const struct packed_decode_slots *slots, u8 *payload, u32 size);

/* May @layout be in the copy? The layout of a small event contains values of a field. */
bool redact_may_publish(struct redaction *r, const struct packed_layout *layout);

/* Slots that are bases of large numbers: has a number that does not stay set it? */
struct redact_bases {
	bool is_private[PACKING_NR];
};

/* Looks at one packed event. */
void redact_note_bases(struct redaction *r, const struct packed_decode_slots *slots,
		       const u8 *payload, u32 size, struct redact_bases *bases);

/* Redacts the payload of a definition for packed events, in place. @bases: of a profile. */
void redact_slot(struct redaction *r, const struct redact_bases *bases, u32 id, u8 *payload);

/* --- ring.c --------------------------------------------------------------- */

void redact_ring(struct redaction *r, const struct section *sec);

/* --- text.c: log, records and formats -------------------------------------- */

void redact_log(struct redaction *r, const struct section *sec);
void redact_records(struct redaction *r, const struct section *sec);
void redact_formats(struct redaction *r, const struct section *sec);

/* --- disclose.c: what a profile makes of a value ---------------------------- */

/* Without a profile, each of these is the pseudonym that there was before profiles. */

/* @where is what the value is called in a preview. As pseudonym_text(). */
void redact_text(struct redaction *r, enum field_class class, const char *where, char *buf,
		 size_t room, const char *text, size_t size);

/* A number of @size bytes; only with a profile. */
u64 redact_number(struct redaction *r, enum field_class class, const char *where, u32 size,
		  u64 value);
void redact_bytes(struct redaction *r, enum field_class class, const char *where, void *buf,
		  const void *data, size_t size);
u32 redact_pid(struct redaction *r, const char *where, u32 pid);
u64 redact_address(struct redaction *r, enum field_class class, const char *where, u64 addr);

static inline enum class_fate redact_fate(const struct redaction *r, enum field_class class)
{
	return classes_fate(r->classes, class, r->profile);
}

/* --- symbol_map.c ----------------------------------------------------------- */

/* Where the functions lie whose names the recording has; NULL without memory. */
struct symbol_map *symbol_map_new(const struct symbols *symbols);
void symbol_map_free(struct symbol_map *map);

/* The pseudonym of an address. Those in one function stay as far from each other as they were. */
u64 symbol_map_address(const struct redaction *r, u64 addr);

/* The bytes of "function+0x1/0x2 [module]" at the beginning; 0: there is none. */
size_t symbol_span(const char *s, size_t n);

/*
 * "function+0x1/0x2 [module]" at the beginning of @text, of @n bytes: what it becomes, at most
 * @room bytes. Return: how many bytes of @text it has; 0: there is none.
 */
size_t redact_symbol_name(struct redaction *r, struct bounded_text *out, const char *text, size_t n,
			  bool is_short);

/* --- field_class.c ---------------------------------------------------------- */

struct field_classes *field_classes_new(void);
void field_classes_free(struct field_classes *events);

/* Did the kernel name events @id, not a user or a module of others? */
bool redact_is_own_event(struct redaction *r, u32 id);

/* The class of @field, which is one of events @id. */
enum field_class redact_class_of(struct redaction *r, u32 id, const struct layout_field *field);

/* The text of a format without names, for an event that the kernel did not name. */
bool redact_foreign_format(struct redaction *r, struct bounded_text *t, u32 id);

/* --- log_shape.c ------------------------------------------------------------ */

#define SHAPE_PIECES	16

/* What stands in a line where its shape has a piece; @kind: see log_shape.c. */
struct shape_piece {
	char kind;
	const char *at;
	size_t len;
};

struct shaped_line {
	struct shape_piece pieces[SHAPE_PIECES];
	u32 nr;
};

/* Take a line apart by the first shape that it has; false: it has none. */
bool log_shape_match(struct shaped_line *line, const char *text, const char *end);

/* How many bytes at @s are of @chars. */
size_t text_span(const char *s, size_t n, const char *chars);

/* --- log_words.c ------------------------------------------------------------ */

/* Appends what a profile makes of lines of a log; @size bytes at most, for as many of @text. */
void log_words_lines(struct redaction *r, const char *where, struct bounded_text *t,
		     const char *text, size_t size);

/* The length of "<6>[    0.123456] ", with digits only; 0: there is none. */
size_t log_prefix_len(const char *line, size_t n);

/* --- preview.c -------------------------------------------------------------- */

struct preview *preview_new(void);
void preview_free(struct preview *preview);
void preview_text(struct preview *preview, enum field_class class, const char *where,
		  const char *before, size_t n, const char *after, size_t n_after);
void preview_number(struct preview *preview, enum field_class class, const char *where, u64 before,
		    u64 after);
void preview_print(const struct redaction *r, const struct redact_policy *policy);

#endif
