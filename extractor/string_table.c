// SPDX-License-Identifier: GPL-2.0-or-later
#include "string_table.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS	(2 * STRINGS_MAX)	/* of the table; a power of two */

/**
 * struct strings - all
 * @text: of all, one after the other, @size bytes
 * @off: where each begins in it
 * @slots: number of the one whose hash leads there, or 0
 */
struct strings {
	char *text;
	size_t size;
	size_t room;
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

static u64 hash(const char *text)
{
	u64 value = 14695981039346656037ULL;	/* FNV-1a */

	while (*text)
		value = (value ^ (u8)*text++) * 1099511628211ULL;
	return value ^ value >> 29;
}

static bool make_room(struct strings *strings, size_t size)
{
	size_t room = strings->room;
	char *text;

	if (size > STRINGS_BYTES - strings->size || strings->nr == STRINGS_MAX)
		return false;
	while (room < strings->size + size)
		room *= 2;
	if (room == strings->room)
		return true;
	text = realloc(strings->text, room);
	if (!text)
		return false;
	strings->text = text;
	strings->room = room;
	return true;
}

static u32 add(struct strings *strings, const char *text)
{
	size_t size = strlen(text) + 1;

	if (!make_room(strings, size))
		return 0;
	memcpy(strings->text + strings->size, text, size);
	strings->off[strings->nr] = strings->size;
	strings->size += size;
	return strings->nr++;
}

u32 strings_number(struct strings *strings, const char *text)
{
	u32 i = hash(text) & (SLOTS - 1);

	if (!*text)
		return 0;
	for (; strings->slots[i]; i = (i + 1) & (SLOTS - 1))
		if (!strcmp(strings->text + strings->off[strings->slots[i]], text))
			return strings->slots[i];
	strings->slots[i] = add(strings, text);
	return strings->slots[i];
}

const char *strings_all(const struct strings *strings, size_t *ret_size)
{
	*ret_size = strings->size;
	return strings->text;
}
