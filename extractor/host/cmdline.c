// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmdline.h"

#include <stdlib.h>
#include <string.h>

#define SPACE	" \t\n"
#define ADDR	"epitaph.addr="
#define SIZE	"epitaph.size="

const char *cmdline_next(const char *line, const char *key, size_t *len)
{
	const char *word = line + strspn(line, SPACE);

	for (; *word; word += strspn(word, SPACE)) {
		*len = strcspn(word, SPACE);
		if (!strncmp(word, key, strlen(key)))
			return word;
		word += *len;
	}
	return NULL;
}

bool cmdline_has(const char *line, const char *key, const char *what)
{
	const char *word, *at;
	size_t len;

	while ((word = cmdline_next(line, key, &len))) {
		at = strstr(word, what);
		if (at && at + strlen(what) <= word + len)
			return true;
		line = word + len;
	}
	return false;
}

u64 cmdline_bytes(const char *text, const char **end)
{
	static const char suffixes[] = "kmgt";
	const char *at;
	char *behind;
	u64 n;

	*end = text;
	if (*text < '0' || *text > '9')
		return 0;
	n = strtoull(text, &behind, 0);
	at = *behind ? strchr(suffixes, *behind | 0x20) : NULL;
	*end = behind + !!at;
	return at ? n << 10 * (at - suffixes + 1) : n;
}

static bool parse_memmap(struct cmdline_memory *memory)
{
	const char *p = memory->word + strlen("memmap="), *end = memory->word + memory->len;
	const char *behind;

	while (p < end) {
		memory->size = cmdline_bytes(p, &behind);
		if (behind != p && *behind == '!') {
			memory->addr = cmdline_bytes(behind + 1, &behind);
			return true;
		}
		p = memchr(p, ',', end - p);
		if (!p)
			break;
		p++;
	}
	return false;
}

/* reserve_mem=SIZE:ALIGN:NAME */
static bool parse_reserve(struct cmdline_memory *memory)
{
	static const char name[] = ":epitaph";
	const char *behind;

	memory->addr = 0;
	memory->size = cmdline_bytes(memory->word + strlen("reserve_mem="), &behind);
	return memory->len > strlen(name) &&
	       !strncmp(memory->word + memory->len - strlen(name), name, strlen(name));
}

/* Of several the recorder takes the one that these name, or none. */
static bool parse_own_range(const char *line, struct cmdline_memory *memory)
{
	const char *size, *behind;
	size_t len;

	memory->word = cmdline_next(line, ADDR, &memory->len);
	size = cmdline_next(line, SIZE, &len);
	if (!memory->word || !size)
		return false;
	memory->addr = cmdline_bytes(memory->word + strlen(ADDR), &behind);
	memory->size = cmdline_bytes(size + strlen(SIZE), &behind);
	return true;
}

unsigned int cmdline_count_ranges(const char *line)
{
	const char *word, *p, *behind;
	unsigned int nr = 0;
	size_t len;

	for (; (word = cmdline_next(line, "memmap=", &len)); line = word + len)
		for (p = word + strlen("memmap="); p; p = (p = memchr(p, ',', word + len - p)) ? p + 1 : NULL) {
			cmdline_bytes(p, &behind);
			nr += behind != p && *behind == '!';
		}
	return nr;
}

bool cmdline_memory(const char *line, struct cmdline_memory *ret)
{
	ret->is_own = parse_own_range(line, ret);
	if (ret->is_own)
		return true;
	while ((ret->word = cmdline_next(line, "", &ret->len))) {
		if (!strncmp(ret->word, "memmap=", 7) && parse_memmap(ret))
			return true;
		if (!strncmp(ret->word, "reserve_mem=", 12) && parse_reserve(ret))
			return true;
		if (!strncmp(ret->word, "epitaph.device=", 15)) {
			ret->addr = ret->size = 0;
			return true;
		}
		line = ret->word + ret->len;
	}
	return false;
}
