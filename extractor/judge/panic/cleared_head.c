// SPDX-License-Identifier: GPL-2.0-or-later
#include "cleared_head.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel_half.h"
#include "fault/function_code.h"
#include "judge/words.h"
#include "linux_kernel/vmem.h"

#define MOST_BYTES	(4U << 20)	/* of a module's code */
#define LEAST_ZEROS	3		/* low bytes of the second pointer: an address ends so by chance once in 2^24 */
#define LEAST_STORES	3		/* of 0, side by side: a buffer is cleared so, and hardly some members */

/* "list_add corruption. prev->next should be next (@head), but was ..." */
static bool read_head(struct report_text line, u64 *head)
{
	static const char words[] = "prev->next should be next (";
	const char *at = line.text ? memmem(line.text, line.len, words, sizeof(words) - 1) : NULL;

	if (!at)
		return false;
	*head = report_text_number(line, at + sizeof(words) - 1, 16);
	return in_kernel_half(*head);
}

/**
 * struct zero_row - places side by side to which a function stores 0
 * @start, @end: behind what its first argument points to
 */
struct zero_row {
	s64 start, end;
};

/* The first row over @from that is as long as a buffer's. */
static bool read_zero_row(struct zero_row *row, const struct function_code *code, s64 from)
{
	s64 offset[INSTRUCTION_REGISTERS] = { 0 };
	u32 known = 1U << code->set->arguments[0], nr = 0;
	const struct instruction_access *access;
	struct instruction one;

	*row = (struct zero_row){ 0, 0 };
	for (u32 at = 0; at < code->len; at += one.len) {
		bool is_copy;

		if (!function_code_decode(code, at, &one))
			return false;
		access = &one.accesses[0];
		if (one.nr_accesses == 1 && access->writes && access->stores == STORED_ZERO && access->base >= 0 && access->index < 0 && known & 1U << access->base) {
			s64 place = offset[access->base] + access->offset;

			nr = nr && place == row->end ? nr + 1 : 1;
			row->start = nr == 1 ? place : row->start;
			row->end = place + access->size;
			if (nr >= LEAST_STORES && row->start <= from && row->end > from + 8)
				return true;
		}
		is_copy = one.effect == INSTRUCTION_COPY && known & 1U << one.from;
		if (is_copy)
			offset[one.to] = offset[one.from] + one.plus;
		known &= ~one.written;
		known |= is_copy ? 1U << one.to : 0;
	}
	return false;
}

/*
 * The only function of the module of @frame that clears a row over the head, which lies @from behind the start of its object, up to a
 * byte of its second pointer that is 0.
 */
static bool find_clearing(char place[2 * WORDS_FUNCTION], struct zero_row *found, const struct kernel *kernel, struct report_text frame, s64 from, u32 zeros)
{
	struct function_code *code = malloc(sizeof(*code));
	struct module_walk walk = { .kernel = kernel, .most = MOST_BYTES };
	char name[KERNEL_SYMBOL_MAX];
	struct zero_row row;
	u32 nr = 0;

	if (code && kernel->modules && instruction_can_decode() && function_code_read_caller(code, kernel, frame) && *code->module)
		walk.module = kernel_modules_at(kernel->modules, code->start);
	while (code && walk.module && function_code_next(code, &walk))
		if (read_zero_row(&row, code, from) && row.end <= from + 8 + zeros) {
			snprintf(name, sizeof(name), "%.80s+0x0/0x%x [%.60s]", code->name, code->size, code->module);
			*found = row;
			nr++;
		}
	free(code);
	if (nr == 1)
		words_place(place, (struct report_text){ name, strlen(name) });
	return nr == 1 && module_walk_is_whole(&walk);
}

bool cleared_head_claim(struct explain *explain, const char *place, struct report_text line)
{
	const struct kernel *kernel = explain->kernel;
	char clearing[2 * WORDS_FUNCTION];
	struct kernel_object object;
	u64 head, first, second;
	struct zero_row row;

	if (!kernel || !read_head(line, &head) || !vmem_number(kernel->vmem, head, 8, &first) || !vmem_number(kernel->vmem, head + 8, 8, &second) || first ||
	    !in_kernel_half(second) || second & ((1ULL << 8 * LEAST_ZEROS) - 1))
		return false;
	finding_claim(explain->finding, "list-corruption", FINDING_LIKELY,
		      "%.150s found a list whose head, %016llx, was overwritten with zeros that end within its second pointer, %016llx.", place, head, second);
	finding_open(explain->finding, "Who clears too much of what lies in front of it: a memset() or a copy with the size of something larger. Who noticed it is innocent.");
	if (!kernel_object_at(kernel, head, &object) ||
	    !find_clearing(clearing, &row, kernel, words_frame(explain->cause, plumbing_has), (s64)(head - object.start), (u32)__builtin_ctzll(second) / 8))
		return true;
	finding_claim(explain->finding, "list-corruption", FINDING_LIKELY,
		      "%.120s found a list whose head was overwritten with zeros, probably by %.120s: that clears 0x%llx bytes from 0x%llx behind the start of an object on, and the head lies at 0x%llx.",
		      place, clearing, (u64)(row.end - row.start), (u64)row.start, head - object.start);
	finding_evidence_timeless(explain->finding, "by the dump the head %016llx has 0 and %016llx: the zeros end within its second pointer", head, second);
	finding_open(explain->finding, "Why it clears that much: its size is not that of what it clears. Who noticed it is innocent.");
	return true;
}
