/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes between the library and its engine, which may be a process of its own; see
 * docs/library.md.  Numbers are in host order: both sides are of one build.  The library's side
 * trusts none of the engine's bytes.
 */
#ifndef EPITAPH_LIB_WIRE_H
#define EPITAPH_LIB_WIRE_H

#include "base/byte_writer.h"
#include "base/err.h"

#define WIRE_VERSION	4
#define WIRE_MAX	(32U << 20)	/* bytes of a message */
#define WIRE_BATCH	(256U << 10)	/* a batch is closed when it has as many */
#define WIRE_WALKS	16

/* At most, in an answer to WIRE_FINDINGS. */
#define WIRE_NR_FINDINGS	16
#define WIRE_NR_EVIDENCE	64	/* of a finding */
#define WIRE_NR_SENTENCES	64	/* of a list of a finding */
#define WIRE_SENTENCE		4096	/* bytes */

/* Descriptors of epitaph-reader. */
#define WIRE_FD_SOCKET	3		/* messages; the side that ends first closes it */
#define WIRE_FD_DEATH	4		/* how the process that parses died */
#define WIRE_FD_DUMP	5		/* of epitaph_dump_open_fd() */

/*
 * Questions: numbers in this order, texts as wire_text().
 * Answers: behind ">"; one of a status other than 0 is a text.
 */
enum wire_message_type {
	WIRE_OPEN = 1,		/* sources, guest, nr and paths, nr and places of debuginfo > kind, region, nr and numbers */
	WIRE_GENERATION,	/* index > see answer_generation() */
	WIRE_TASKS,		/* index > nr, each: pid, name */
	WIRE_NAME,		/* index, address > text */
	WIRE_ADDRESS,		/* index, text > is there, address */
	WIRE_READ,		/* is virtual, address, size > bytes */
	WIRE_WALK,		/* index, kinds, flags, from > number of the walk */
	WIRE_NEXT,		/* number of the walk > items and definitions */
	WIRE_END,		/* number of the walk > nothing */
	WIRE_FINDINGS,		/* index > see findings_answer() */
	WIRE_GUEST,		/* index > is there, process, name, UUID */
	WIRE_PROGRESS,		/* before an answer: done, total, what */
};

/**
 * struct wire_head - in front of each message
 * @size: bytes behind it
 * @type: of a question; its answer has the same
 * @status: of an answer: 0 or enum err_code
 * @errnum: of an answer with ERR_IO
 */
struct wire_head {
	u32 size;
	u16 type;
	u16 version;
	u32 status;
	u32 errnum;
};

/* How the process that parses died: on WIRE_FD_DEATH. */
struct wire_death {
	u32 signal;		/* 0: it exited */
	u32 status;
	u32 used_kib;
};

/* A definition instead of an item: in wire_item.definition. */
#define WIRE_DEFINES	0xffffffffU

/* Behind the bits of enum epitaph_item_flag. */
#define WIRE_HAS_COMM	0x80000000U

/**
 * struct wire_item - an item of a batch, at a multiple of 8 bytes
 * @size: all of it, with payload, text and padding
 * @definition: number of its definition, which came before
 * @payload: bytes behind this
 * @text: bytes behind the payload, and a NUL behind them
 * @comm: terminated, with WIRE_HAS_COMM
 *
 * Of a definition only @size and @definition: WIRE_DEFINES are there, then the fields of struct
 * wire_definition, the name and the channel as texts, and each field.
 */
struct wire_item {
	u32 size;
	u32 definition;
	u64 time;
	u64 real;
	u64 nr_lost;
	s64 pid;
	u32 cpu;
	u32 flags;
	u32 payload;
	u32 text;
	char comm[24];
};

/**
 * struct wire_definition - what the items of one kind have in common
 * @kind: enum epitaph_kind
 * @order: enum byte_order, of the numbers in payloads
 * @has_channel: else the text is ""
 */
struct wire_definition {
	u32 size;
	u32 definition;
	u32 kind;
	u32 order;
	u32 has_channel;
	u32 nr_fields;
};

enum wire_place {
	WIRE_FIXED,		/* at the offset */
	WIRE_DYNAMIC,		/* a word at the offset: length and offset, 16 bits each */
	WIRE_RELATIVE,		/* the same, from behind that word */
	WIRE_REST,		/* from the offset up to the end of the payload */
	WIRE_TEXT,		/* the text of the item */
};

enum wire_field_kind {
	WIRE_NUMBER,
	WIRE_CHARS,
	WIRE_ARRAY,
};

/**
 * struct wire_field - a field; its name stands behind it, as a text
 * @off: in the payload; with WIRE_DYNAMIC and WIRE_RELATIVE, of that word
 * @size: there
 * @element: bytes of a number of an array
 * @skipped: with WIRE_DYNAMIC: the word counts from so many bytes before the payload
 */
struct wire_field {
	u32 kind;
	u32 place;
	u32 off;
	u32 size;
	u32 element;
	u32 is_signed;
	u32 skipped;
};

/* A text: its length, its bytes and a NUL. */
static inline void wire_text(struct pack *p, const char *text, size_t len)
{
	pack_u32(p, len);
	pack_bytes(p, text, len);
	pack_u8(p, 0);
}

/* The text at *@off, the message's, and behind it; NULL and overrun: none that is terminated. */
const char *wire_take_text(struct bytes *b, u64 *off, size_t *len);
u32 wire_take_u32(struct bytes *b, u64 *off);
u64 wire_take_u64(struct bytes *b, u64 *off);

#endif
