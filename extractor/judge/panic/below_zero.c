// SPDX-License-Identifier: GPL-2.0-or-later
#include "below_zero.h"

#include <stdlib.h>
#include <string.h>

#include "fault/function_code.h"
#include "judge/words.h"
#include "linux_kernel/vmem.h"

#define MOST_BYTES	(1U << 20)	/* of a module's code */
#define LOWEST		(-(1LL << 31))
#define JUST_OVER	(1LL << 28)	/* above LOWEST; what was overwritten is seldom there */
#define FEW		(1LL << 20)	/* below zero: a count that was taken from too often */
#define MOST_AT_ONCE	(1ULL << 27)	/* that is taken away */

/* What counts: memory that is read and written, without an index. */
static const struct instruction_access *counted(const struct instruction *one)
{
	const struct instruction_access *access = &one->accesses[0];

	return one->nr_accesses == 1 && access->reads && access->writes && (access->size == 4 || access->size == 8) && access->base >= 0 && access->index < 0 &&
	       !access->is_relative && !(one->written & 1U << access->base) ? access : NULL;
}

/* Right in front of the jump to the check, or over it: "sub dword ptr [rbp], 1; js" */
static bool find_count(struct instruction *count, const struct function_code *code)
{
	struct instruction one;

	memset(count, 0, sizeof(*count));
	for (u32 at = 0; !code->from && at < code->len; at += one.len) {
		if (!function_code_decode(code, at, &one))
			return false;
		if ((!strncmp(one.text, "js ", 3) && one.target == code->start + code->at) || (!strncmp(one.text, "jns ", 4) && at + one.len == code->at))
			return counted(count);
		*count = one;
	}
	return false;
}

/* What it takes away, if the code says so; -1: a register does. */
static s64 amount(const struct instruction *count)
{
	const char *last = strrchr(count->text, ',');
	char *end;
	u64 nr;

	if (!last)
		return 1;
	nr = strtoull(last + 1, &end, 0);
	return *end || nr > MOST_AT_ONCE ? -1 : (s64)nr;
}

static bool writes_there(const struct instruction_set *set, const u8 *bytes, u32 len, u64 ip, const struct instruction_access *count)
{
	struct instruction one;

	for (u32 at = 0; at < len; at += one.len) {
		if (!instruction_decode(&one, set, bytes + at, len - at, ip + at))
			return false;
		for (u32 i = 0; i < one.nr_accesses; i++) {
			const struct instruction_access *access = &one.accesses[i];

			if (access->writes && access->size == count->size && access->offset == count->offset && access->base >= 0 && access->index < 0 &&
			    access->base != set->stack && !access->is_relative)
				return true;
		}
	}
	return false;
}

/* The only other function of the module that writes so far behind a pointer. */
static bool put_other_writer(char other[2 * WORDS_FUNCTION], const struct kernel *kernel, u64 start, const struct instruction_access *count)
{
	struct module_walk walk = { .kernel = kernel, .module = kernel->modules ? kernel_modules_at(kernel->modules, start) : NULL, .most = MOST_BYTES };
	struct function_code *code = malloc(sizeof(*code));
	u32 nr = 0;

	while (code && walk.module && function_code_next(code, &walk)) {
		if (code->start == start || (!writes_there(code->set, code->bytes, code->len, code->start, count) &&
					     !writes_there(code->set, code->cold, code->cold_len, code->cold_start, count)))
			continue;
		nr++;
		words_place(other, (struct report_text){ code->name, strlen(code->name) });
	}
	free(code);
	return nr == 1 && module_walk_is_whole(&walk) && !walk.has_skipped;
}

static void claim_below(struct explain *explain, const char *kind, const char *place, const char *did, const char *end, s64 value, const char *other)
{
	struct finding *finding = explain->finding;

	if (value < -FEW) {
		finding_claim(finding, kind, FINDING_LIKELY, "%.160s %s: what it counted down is %lld, below zero, for it was counted up over the largest number of 32 bits with a sign before%s%.100s.%s",
			      place, did, value, *other ? ", in " : "", other, end);
		finding_open(finding, "How a sum that is too large comes through: it has to be made in 64 bits, or looked at before it is made. Who takes away from it is innocent.");
		return;
	}
	finding_claim(finding, kind, FINDING_LIKELY, "%.160s %s: what it counted down is %lld by now, below zero: more was taken from it than was added.%s", place, did, value, end);
	finding_open(finding, "Who took from it once too often%s%.100s%s: this is where it was noticed.", *other ? ", or did not add, as " : ", or did not add", other,
		     *other ? ", which alone of that module writes there, too, was to" : "");
}

void below_zero_claim(struct explain *explain, const char *kind, const char *place, const char *did, const char *end)
{
	const struct kernel *kernel = explain->pm->kernel;
	struct function_code *code = kernel && instruction_can_decode() ? malloc(sizeof(*code)) : NULL;
	const struct instruction_access *access;
	char other[2 * WORDS_FUNCTION] = "";
	struct instruction count;
	u64 base, value;

	if (code && function_code_read(code, kernel, explain->death, explain->cause) && code->start && find_count(&count, code)) {
		access = counted(&count);
		if (fault_text_register(&explain->fault, instruction_register(code->set, access->base), &base) &&
		    vmem_number(kernel->vmem, base + (u64)access->offset, access->size, &value)) {
			s64 is = access->size == 4 ? (s32)value : (s64)value;

			if ((is < 0 && is >= -FEW) || (access->size == 4 && is < LOWEST + JUST_OVER && amount(&count) >= 0)) {
				if (!put_other_writer(other, kernel, code->start, access))
					*other = '\0';
				claim_below(explain, kind, place, did, end, is, other);
				finding_evidence_timeless(explain->finding, "instruction: %s, with %s=%016llx", count.text, instruction_register(code->set, access->base), base);
			}
		}
	}
	free(code);
}
