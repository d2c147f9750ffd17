/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A compiled print format: prints of an event what the kernel's trace file has.
 *
 * The arguments are read as C reads them.  The text differs from the kernel's in one thing: "%p"
 * shows the address and not a hash.  A format with a call or a conversion that is not known here
 * has no program.
 */
#ifndef EPITAPH_EVENT_PRINT_PROGRAM_H
#define EPITAPH_EVENT_PRINT_PROGRAM_H

#include "base/byte_writer.h"
#include "field_layout.h"

#define PRINT_NAME_MAX	624	/* bytes of the name of an address */

/**
 * struct print_names - what the recorded kernel calls its numbers and addresses
 * @enumerator: the value of an enumerator that a format has by name; NULL: none is known
 * @symbol: of an address of code, to @buf, terminated; @has_offset: with the offset in the function;
 *	@raw: when, as the source of the event has it
 * @string: the string of the kernel at @addr, to @buf, terminated; NULL: its memory is not at hand
 * @pads_pointers: "%p" has all digits, as in the kernel's trace file
 *
 * All return false for what they do not know.
 */
struct print_names {
	bool (*enumerator)(void *priv, const char *name, s64 *ret);
	bool (*symbol)(void *priv, u64 addr, u64 raw, bool has_offset,
		       char buf[PRINT_NAME_MAX]);
	bool (*string)(void *priv, u64 addr, char buf[PRINT_NAME_MAX]);
	bool pads_pointers;
	void *priv;
};

struct label;
struct print_program;

/**
 * print_program_new() - compile what stands behind "print fmt:"
 * @layout: the fields of the event, which must outlive the program, as must @names
 * @print: terminated
 * @long_size: bytes of a long of the machine that recorded, 4 or 8
 *
 * Return: NULL if it is not known how the kernel prints this, or without memory.
 */
struct print_program *print_program_new(const struct layout *layout, const char *print,
					u32 long_size, const struct print_names *names);
void print_program_free(struct print_program *program);

/* Bytes that it takes. */
size_t print_program_memory(const struct print_program *program);

/*
 * Adds what is printed of an event, not escaped.  @raw: its time, as its source has it.
 *
 * Return: false if the payload does not hold all that it needs; nothing is added then.
 */
bool print_program_run(const struct print_program *program, struct pack *p, struct bytes *payload,
		       u64 raw);

/**
 * print_program_labels() - names of the numbers of a field
 * @labels: *@nr of them, the program's, of the first __print_symbolic() of the field alone
 */
bool print_program_labels(const struct print_program *program, const struct layout_field *field,
			  const struct label **labels, u32 *nr);

/*
 * May libtraceevent, which other tools print with, be given the print format?  Of some that a
 * kernel could write it reads or writes where nothing is, or prints 2 GiB.
 */
bool print_program_is_safe_for_others(const struct print_program *program);

/**
 * struct label - a name of a number
 * @text: @len bytes, not escaped
 * @is_known: it has a @value: the kernel left no name in its place
 */
struct label {
	u64 value;
	const char *text;
	u32 len;
	bool is_known;
};

#endif
