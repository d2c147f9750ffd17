// SPDX-License-Identifier: GPL-2.0-or-later
#include "register_use.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"

#define NAMES	5

/**
 * struct use_search - the ways that are followed
 * @reg: the register
 * @names: of it and of its parts; the first two are written as a whole
 * @seen: by place: the function's own, then its cold part
 * @todo: nr places from which a way goes on
 */
struct use_search {
	const struct function_code *code;
	s32 reg;
	char names[NAMES][16];
	bool seen[2 * FUNCTION_CODE_MAX];
	u32 todo[2 * FUNCTION_CODE_MAX];
	u32 nr;
};

/* "rbx", "ebx", "bx", "bl", "bh"; "r12", "r12d", "r12w", "r12b"; "x19", "w19". */
static void put_names(char names[NAMES][16], const struct instruction_set *set, s32 reg)
{
	static const char *const old[] = { "ax", "cx", "dx", "bx", "sp", "bp", "si", "di" }, *const ends[] = { "", "d", "w", "b" };

	memset(names, 0, NAMES * sizeof(names[0]));
	if (set != &instruction_set_x86_64) {
		snprintf(names[0], sizeof(names[0]), "%s", instruction_register(set, reg));
		snprintf(names[1], sizeof(names[1]), "w%s", instruction_register(set, reg) + 1);
		return;
	}
	for (u32 i = 0; reg >= 8 && i < ARRAY_SIZE(ends); i++)
		snprintf(names[i], sizeof(names[i]), "r%d%s", reg, ends[i]);
	if (reg >= 8)
		return;
	snprintf(names[0], sizeof(names[0]), "r%s", old[reg]);
	snprintf(names[1], sizeof(names[1]), "e%s", old[reg]);
	snprintf(names[2], sizeof(names[2]), "%s", old[reg]);
	snprintf(names[3], sizeof(names[3]), "%.*sl", reg < 4 ? 1 : 2, old[reg]);
	snprintf(names[4], sizeof(names[4]), "%.*sh", reg < 4 ? 1 : 2, old[reg]);
}

/* Does the text have that name, as a word? */
static bool has_word(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = len ? strstr(text, name) : NULL; at; at = strstr(at + 1, name))
		if ((at == text || !isalnum((u8)at[-1])) && !isalnum((u8)at[len]))
			return true;
	return false;
}

/* What changes a part of its first operand, or reads it, too, of arm64. */
static bool keeps_a_part(const char *text)
{
	static const char *const words[] = { "movk ", "bfi ", "bfxil ", "bfm ", "bfc ", "cas" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strncmp(text, words[i], strlen(words[i])))
			return true;
	return false;
}

/* The first operand of an instruction that writes it and does not read it. NULL: it is none. */
static const char *operand_written(const struct use_search *search, const struct instruction *one)
{
	static const char *const words[] = { "mov ", "movzx ", "movsx ", "movsxd ", "movabs ", "lea ", "pop " };
	const char *space = strchr(one->text, ' ');

	if (one->set != &instruction_set_x86_64)
		return space && one->written & 1U << search->reg && !one->is_call && !keeps_a_part(one->text) ? space + 1 : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strncmp(one->text, words[i], strlen(words[i])))
			return one->text + strlen(words[i]);
	return NULL;
}

/* Is it written, and not read? */
static bool is_written_alone(const struct use_search *search, const struct instruction *one)
{
	const char *comma = strchr(one->text, ','), *operand = operand_written(search, one);

	/* "ldp x19, x20, [sp, #0x10]" */
	if (one->effect == INSTRUCTION_LOAD && one->second == search->reg && one->from != search->reg)
		return true;
	for (u32 i = 0; i < 2; i++) {
		size_t len = strlen(search->names[i]);

		/* "xor ebx, ebx" */
		if (!strncmp(one->text, "xor ", 4) && !strncmp(one->text + 4, search->names[i], len) && comma && !strcmp(comma + 2, search->names[i]))
			return true;
		if (!operand || strncmp(operand, search->names[i], len) || (operand[len] && operand[len] != ','))
			continue;
		for (u32 k = 0; k < NAMES; k++)
			if (comma && has_word(comma, search->names[k]))
				return false;
		return true;
	}
	return false;
}

static void come_to_use(struct use_search *search, u32 place)
{
	if (search->seen[place])
		return;
	search->seen[place] = true;
	search->todo[search->nr++] = place;
}

/* Where in the code a jump leads; false: out of the function, which has given the caller's registers back by then. */
static bool place_of_use(u32 *place, const struct function_code *code, u64 target)
{
	*place = (u32)(target - code->start);
	if (target - code->start < code->size)
		return true;
	*place = FUNCTION_CODE_MAX + (u32)(target - code->cold_start);
	return code->cold_start && target - code->cold_start < code->cold_len;
}

/* False: one that is needed, or what comes next is not seen. */
static bool follow_use(struct use_search *search, u32 place)
{
	const struct function_code *code = search->code;
	bool is_cold = place >= FUNCTION_CODE_MAX;
	u32 at = is_cold ? place - FUNCTION_CODE_MAX : place, len = is_cold ? code->cold_len : code->len, next;
	struct instruction one;

	if (at >= len || !instruction_decode(&one, code->set, (is_cold ? code->cold : code->bytes) + at, len - at, (is_cold ? code->cold_start : code->start) + at))
		return false;
	if (is_written_alone(search, &one))
		return true;
	for (u32 i = 0; i < NAMES; i++)
		if (has_word(one.text, search->names[i]))
			return false;
	if (one.jumps && place_of_use(&next, code, one.target))
		come_to_use(search, next);
	/* A call that never comes back may be the last. */
	if (one.is_trap || !one.goes_on || (one.is_call && at + one.len == len))
		return true;
	if (at + one.len == len)
		return false;
	come_to_use(search, place + one.len);
	return true;
}

bool register_is_needed(const struct function_code *code, u32 at, s32 reg)
{
	struct use_search *search = calloc(1, sizeof(*search));
	bool is = !search || code->from || !code->is_whole || at >= code->len || !*instruction_register(code->set, reg) || !instruction_can_decode();

	if (!is) {
		search->code = code;
		search->reg = reg;
		put_names(search->names, code->set, reg);
		come_to_use(search, at);
	}
	while (!is && search->nr)
		is = !follow_use(search, search->todo[--search->nr]);
	free(search);
	return is;
}
