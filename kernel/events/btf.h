/* SPDX-License-Identifier: GPL-2.0-only */
/* What functions of the kernel take, by its BTF. */
#ifndef EPITAPH_EVENTS_BTF_H
#define EPITAPH_EVENTS_BTF_H

#include <epitaph/plat.h>

#define EPITAPH_BTF_TEXT	64

/**
 * struct epitaph_prototype - a function of the kernel, and the arguments that we read of it
 * @function: its name
 * @takes: a word for each of its first arguments, as epitaph_btf_read() writes them; "a/b" is either,
 *	"_" is any
 * @is_there: BTF has such a function
 * @is_known: and at least one that takes that
 * @found: what another one takes
 */
struct epitaph_prototype {
	const char	*function;
	const char	*takes;
	bool		is_there;
	bool		is_known;
	char		found[EPITAPH_BTF_TEXT];
};

/* Return: of the BTF whose header is at @btf, which may be anything else; 0 then. */
size_t epitaph_btf_size(const void *btf);

/**
 * epitaph_btf_room() - how many u32 epitaph_btf_read() wants
 * @btf: of the kernel
 * @size: of it
 *
 * Return: 0 if this is no BTF.
 */
size_t epitaph_btf_room(const void *btf, size_t size);

/**
 * epitaph_btf_read() - look up prototypes
 * @btf: of the kernel
 * @size: of it
 * @at: room for as many u32 as epitaph_btf_room() says
 * @prototypes: is_there, is_known and found are set, and were false and empty
 * @nr: of them
 *
 * An argument is "8" or "4", an integer of so many bytes, or "4" for an enum; "pt_regs" a struct or
 * union of that name; one with "*" behind it a pointer to that; "char*" to one byte, "void*" to
 * nothing, "?" something else; "..." the end of a function that takes any number.
 *
 * Return: all of it was understood.
 */
bool epitaph_btf_read(const void *btf, size_t size, u32 *at, struct epitaph_prototype *prototypes,
		      unsigned int nr);

#endif /* EPITAPH_EVENTS_BTF_H */
