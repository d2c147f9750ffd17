// SPDX-License-Identifier: GPL-2.0-or-later
#include "narrow_counter.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux_kernel/vmem.h"
#include "words.h"

#define LARGEST		255	/* of 8 bits */
#define MOST_LEN	1024	/* bytes of such a loop */

/* "RAX" of "eax" and "ax", "R08" of "r8d" and "r8w"; false: of 8 bits, or no register. */
static bool name_whole(char name[8], const char *part)
{
	char *end;
	unsigned long nr;

	if (*part == 'r' && isdigit((u8)part[1])) {
		nr = strtoul(part + 1, &end, 10);
		if ((*end && *end != 'd' && *end != 'w') || nr > 15)
			return false;
		snprintf(name, 8, "R%02u", (u8)nr);
		return true;
	}
	part += *part == 'e' || *part == 'r';
	if (strlen(part) != 2 || part[1] == 'l' || part[1] == 'h')
		return false;
	snprintf(name, 8, "R%c%c", toupper((u8)part[0]), toupper((u8)part[1]));
	return true;
}

/* "al", "sil", "r8b" */
static bool is_byte(const char *part)
{
	size_t len = strlen(part);

	return len > 1 && (part[len - 1] == 'l' || (*part == 'r' && part[len - 1] == 'b'));
}

static s32 register_called(const struct instruction_set *set, const char *name)
{
	for (s32 i = 0; i < set->nr_registers; i++)
		if (!strcmp(instruction_register(set, i), name))
			return i;
	return INSTRUCTION_NO_REGISTER;
}

/* From the farthest place to which the code jumps back over where it was, up to that jump. */
static bool find_extent(u32 *start, u32 *end, const struct function_code *code)
{
	struct instruction one;

	*start = code->at;
	*end = 0;
	for (u32 at = 0; at < code->len; at += one.len) {
		u64 to;

		if (!function_code_decode(code, at, &one))
			return *end;
		to = one.target - code->start;
		if (!one.jumps || !one.target || at < code->at || to > code->at)
			continue;
		*start = to < *start ? (u32)to : *start;
		*end = at + one.len;
	}
	return *end && *end - *start <= MOST_LEN;
}

/* Does the jump behind the comparison go on below the number, and leave at it? */
static bool ends_there(const struct instruction *jump, const struct function_code *code, u32 start, u32 end)
{
	bool is_inside = jump->target - code->start >= start && jump->target - code->start < end;
	static const char *const below[] = { "jb ", "jl ", "jne ", NULL }, *const at[] = { "jae ", "jge ", "je ", NULL };

	return jump->jumps && jump->target && (plumbing_begins(jump->text, below) ? is_inside : plumbing_begins(jump->text, at) && !is_inside);
}

bool narrow_counter_find(struct narrow_counter *ret, const struct function_code *code)
{
	char counter[8] = "", part[8], byte[8], first[8], second[8], name[8];
	struct instruction one, last = { 0 }, load = { 0 };
	u32 start, end, written = 0;
	bool is = false;

	if (code->from || !find_extent(&start, &end, code))
		return false;
	for (u32 at = start; at < end; at += one.len) {
		if (!function_code_decode(code, at, &one))
			return false;
		written |= one.written;
		if (is || !*counter || sscanf(last.text, "cmp %7[a-z0-9], %7[a-z0-9]", first, second) != 2 || last.nr_accesses || !name_whole(name, first) ||
		    strcmp(name, counter) || !name_whole(name, second) || !ends_there(&one, code, start, end)) {
			if (strncmp(one.text, "cmp ", 4) && (sscanf(one.text, "movzx %7[a-z0-9], %7[a-z0-9]", part, byte) != 2 || one.nr_accesses || !is_byte(byte) ||
							      !name_whole(counter, part)))
				*counter = '\0';
			if (strncmp(one.text, "cmp ", 4) && one.nr_accesses == 1 && one.accesses[0].reads && !one.accesses[0].writes && !strncmp(one.text, "mov", 3))
				load = one;
			last = one;
			continue;
		}
		is = true;
		ret->bound = register_called(code->set, name);
	}
	if (!is || ret->bound < 0)
		return false;
	ret->has_from = written >> ret->bound & 1;
	ret->from = load.accesses[0];
	return !ret->has_from || (load.written == 1U << ret->bound && load.accesses[0].base >= 0 && load.accesses[0].index < 0 && !load.accesses[0].is_relative &&
				  !(written >> load.accesses[0].base & 1));
}

bool narrow_counter_ask(u64 *bound, const struct explain *explain)
{
	struct function_code *code = explain->kernel && explain->cause && explain->cause->place.text && instruction_can_decode() ? malloc(sizeof(*code)) : NULL;
	struct fault_text regs = { 0 };
	struct narrow_counter counter = { 0 };
	u64 base;
	bool is = code && function_code_read(code, explain->kernel, explain->death, explain->cause) && code->start && narrow_counter_find(&counter, code);

	if (is) {
		words_registers_below(&regs, explain, explain->cause->place);
		is = counter.has_from ? fault_text_register(&regs, instruction_register(code->set, counter.from.base), &base) &&
						vmem_number(explain->kernel->vmem, base + (u64)counter.from.offset, counter.from.size, bound) :
					fault_text_register(&regs, instruction_register(code->set, counter.bound), bound);
		is = is && *bound > LARGEST && *bound <= UINT16_MAX;
	}
	free(code);
	return is;
}

bool narrow_counter_claim(struct explain *explain)
{
	char place[2 * WORDS_FUNCTION];
	u64 bound;

	if (!narrow_counter_ask(&bound, explain))
		return false;
	words_place(place, explain->cause->place);
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s goes round a loop that is to end when a counter of 8 bits gets to %llu, and that never does: 255 is its largest.", place, bound);
	finding_open(explain->finding, "Whether so many may be there at all; if so, the counter has to be wider.");
	return true;
}
