// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "access_words.h"
#include "judge/words.h"
#include "linux_kernel/vmem.h"
#include "pointer_bytes.h"

#define MOST_OF_OBJECT	4096	/* bytes */
#define MOST_ENDS	1	/* NUL, in eight letters */

/* The eight bytes that were taken for a pointer, or the address where no pointer is known. */
static u64 pointer_bytes(const struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	u64 pointer = access->memory.index < 0 ? access->pointer_value : access->base;

	return access_is_traced(explain) ? pointer : explain->fault.address;
}

/* Are they one byte, eight times, as memset() leaves them? No address of 64 bits is that, but 0 and -1. Mangled and masked bits aside. */
static bool is_filled(u64 value)
{
	u64 byte = value >> 56;

	/* What takes bits of it for flags, as a mutex does of its owner, has cleared them. */
	return byte && byte != 0xff && value >> 8 == byte * 0x01010101010101ULL && !((value ^ byte) & ~0x7ULL & 0xff);
}

static bool is_letter(char letter)
{
	return letter >= ' ' && letter <= '~';
}

void pointer_bytes_letters(char text[LETTERS_WORDS], const struct explain *explain)
{
	u64 value = pointer_bytes(explain);
	char letters[9] = "";
	u32 differ = 0, nr_ends = 0;

	*text = '\0';
	for (u32 i = 0; i < 8; i++) {
		letters[i] = (char)(value >> (8 * i));
		/* The end of a string may be among them. No pointer has a letter in its last byte. */
		if (!letters[i] && i > 1 && i < 7 && nr_ends++ < MOST_ENDS)
			letters[i] = '.';
		else if (!is_letter(letters[i]))
			return;
		differ += i && letters[i] != letters[i - 1];
	}
	/* What fills memory has one byte, or two by turns. */
	if (differ < 2 || !memcmp(letters, letters + 2, 6))
		return;
	snprintf(text, LETTERS_WORDS, ": the %s is the text \"%s\"", access_is_traced(explain) ? "pointer" : "address", letters);
}

bool pointer_bytes_run(char text[RUN_WORDS], u32 *from, u32 *at, const struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	const struct kernel_object *slab = &explain->slab;
	u64 place = access->object + (u64)access->object_offset;
	char bytes[MOST_OF_OBJECT], *end;
	u32 size = slab->size < MOST_OF_OBJECT ? slab->size : MOST_OF_OBJECT;
	u64 value;

	/* By now it may be another's. */
	if (!access_is_traced(explain) || !access->has_object || !explain->has_slab || place - slab->start + 8 > size ||
	    !vmem_get(explain->pm->kernel->vmem, slab->start, bytes, size))
		return false;
	*from = *at = (u32)(place - slab->start);
	memcpy(&value, bytes + *at, 8);
	if (value != pointer_bytes(explain))
		return false;
	while (*from && is_letter(bytes[*from - 1]))
		--*from;
	for (end = bytes + *at; end < bytes + size && is_letter(*end); end++)
		;
	snprintf(text, RUN_WORDS, "%.*s", (int)(end - bytes - *from), bytes + *from);
	return *from < *at && end >= bytes + *at + 8;
}

void pointer_bytes_filling(char text[FILLING_WORDS], const struct explain *explain)
{
	u64 value = pointer_bytes(explain);
	u8 byte = (u8)(value >> 56);
	char letter[8] = "";

	*text = '\0';
	if (!is_filled(value))
		return;
	if (byte > ' ' && byte <= '~')
		snprintf(letter, sizeof(letter), " ('%c')", byte);
	snprintf(text, FILLING_WORDS, ": it is the byte 0x%02x%s again and again, as filled memory has it, and no pointer", byte, letter);
}
