// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "access_words.h"
#include "judge/words.h"
#include "pointer_bytes.h"

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

void pointer_bytes_letters(char text[LETTERS_WORDS], const struct explain *explain)
{
	u64 value = pointer_bytes(explain);
	char letters[9] = "";
	u32 differ = 0;

	*text = '\0';
	for (u32 i = 0; i < 8; i++) {
		letters[i] = (char)(value >> (8 * i));
		if (letters[i] < ' ' || letters[i] > '~')
			return;
		differ += i && letters[i] != letters[i - 1];
	}
	/* What fills memory has one byte, or two by turns. */
	if (differ < 2 || !memcmp(letters, letters + 2, 6))
		return;
	snprintf(text, LETTERS_WORDS, ": the %s is the text \"%s\"", access_is_traced(explain) ? "pointer" : "address", letters);
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
