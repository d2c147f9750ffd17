// SPDX-License-Identifier: GPL-2.0-or-later
#include "string_interner.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "checksum.h"

#define SLOTS	(2 * STRINGS_MAX)	/* of the table; a power of two */

/**
 * struct strings - the interner
 * @text: all texts, one after the other, @size bytes
 * @off: where each text begins in @text
 * @seed: random, so that a hostile file cannot have texts of the same hash
 * @slots: hash table of numbers; 0: free
 * @left_out: how often there was no room
 */
struct strings {
	char *text;
	size_t size;
	size_t room;
	u64 seed;
	u64 left_out;
	u32 nr;
	u32 off[STRINGS_MAX];
	u32 slots[SLOTS];
};

int strings_new(struct strings **ret, struct err *err)
{
	struct strings *strings = calloc(1, sizeof(*strings));

	if (strings)
		strings->text = calloc(1, 4096);
	if (!strings || !strings->text) {
		free(strings);
		return err_sys(err, "memory");
	}
	strings->room = 4096;
	strings->size = 1;
	strings->nr = 1;
	if (getrandom(&strings->seed, sizeof(strings->seed), GRND_NONBLOCK) < 0)
		strings->seed = (uintptr_t)strings;
	strings_number(strings, STRINGS_LEFT_OUT);
	*ret = strings;
	return 0;
}

void strings_free(struct strings *strings)
{
	if (!strings)
		return;
	free(strings->text);
	free(strings);
}

static u32 add_string(struct strings *strings, const char *text)
{
	size_t size = strlen(text) + 1, room = strings->room;
	bool fits = size <= STRINGS_BYTES - strings->size && strings->nr < STRINGS_MAX;
	char *grown = strings->text;

	while (fits && room < strings->size + size)
		room *= 2;
	if (fits && room != strings->room)
		grown = realloc(strings->text, room);
	if (!fits || !grown) {
		strings->left_out++;
		return STRINGS_NR_LEFT_OUT;
	}
	strings->text = grown;
	strings->room = room;
	memcpy(strings->text + strings->size, text, size);
	strings->off[strings->nr] = strings->size;
	strings->size += size;
	return strings->nr++;
}

u32 strings_number(struct strings *strings, const char *text)
{
	u32 i = checksum(strings->seed, text, strlen(text)) & (SLOTS - 1), number;

	if (!*text)
		return 0;
	for (; strings->slots[i]; i = (i + 1) & (SLOTS - 1))
		if (!strcmp(strings->text + strings->off[strings->slots[i]], text))
			return strings->slots[i];
	number = add_string(strings, text);
	/* A text without room takes no slot: there would be no end to them. */
	if (number != STRINGS_NR_LEFT_OUT || strings->nr == STRINGS_NR_LEFT_OUT + 1)
		strings->slots[i] = number;
	return number;
}

u64 strings_left_out(const struct strings *strings)
{
	return strings->left_out;
}

const char *strings_all(const struct strings *strings, size_t *ret_size)
{
	*ret_size = strings->size;
	return strings->text;
}
