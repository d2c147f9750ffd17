// SPDX-License-Identifier: GPL-2.0-or-later
/* Exceptions of the CPU that are no access: a division, an instruction that is none. */
#include <stdlib.h>

#include "access.h"
#include "fault/function_code.h"
#include "instruction/instruction.h"
#include "judge/words.h"

/* What stands where the CPU found no valid instruction. */
enum invalid_code {
	CODE_UNKNOWN,
	CODE_OF_CHECK,		/* of BUG(), WARN() or UBSAN */
	CODE_IS_VALID,		/* but perhaps not to this CPU */
	CODE_IS_NONE,
};

static bool is_of_check(const u8 *at, u32 len)
{
	if (at[0] == 0x0f && len > 1)
		return at[1] == 0x0b || at[1] == 0xb9 || at[1] == 0xff;
	/* UD1 with a prefix of UBSAN, UDB, a locked jump and what newer kernels take of x86's invalid ones. */
	return at[0] == 0x67 || at[0] == 0xd6 || at[0] == 0xea || at[0] == 0xf0;
}

/* REX2, EVEX, VEX and two-byte opcodes, behind prefixes that may be a part of them: CPUs have instructions there that what decodes may not know. */
static bool is_of_newer(const u8 *at, u32 len)
{
	while (len > 1 && (*at == 0x66 || *at == 0xf2 || *at == 0xf3 || (*at & 0xf0) == 0x40)) {
		at++;
		len--;
	}
	return *at == 0xd5 || *at == 0x62 || *at == 0xc4 || *at == 0xc5 || *at == 0x0f;
}

static enum invalid_code invalid_code(const struct explain *explain)
{
	struct function_code *code = calloc(1, sizeof(*code));
	enum invalid_code ret = CODE_UNKNOWN;
	struct instruction instruction;
	const u8 *at;
	u32 len;

	if (code && function_code_read(code, explain->kernel, explain->death, explain->cause) &&
	    code->at >= code->from && code->at - code->from + 2 <= code->len) {
		at = code->bytes + (code->at - code->from);
		len = code->len - (code->at - code->from);
		if (code->set == &instruction_set_x86_64 && is_of_check(at, len))
			ret = CODE_OF_CHECK;
		else if (instruction_can_decode())
			ret = (code->set == &instruction_set_x86_64 && is_of_newer(at, len)) || instruction_decode(&instruction, code->set, at, len, code->start + code->at) ?
			      CODE_IS_VALID : CODE_IS_NONE;
	}
	free(code);
	return ret;
}

/* A word of this kind is reserved in all versions of the architecture: Arm's manual (DDI 0487), C4.1. BUG() is BRK, which is none. */
static bool is_reserved_of_arm64(const struct explain *explain)
{
	struct function_code *code = calloc(1, sizeof(*code));
	bool is = false;
	u32 at;

	if (code && function_code_read(code, explain->kernel, explain->death, explain->cause) && code->set == &instruction_set_arm64) {
		at = code->at - code->from + 3;
		is = code->at >= code->from && at < code->len && !(code->bytes[at] & 0x9e);
	}
	free(code);
	return is;
}

static void claim_invalid_code(struct explain *explain, const char *place)
{
	switch (invalid_code(explain)) {
	case CODE_IS_NONE:
		finding_claim(explain->finding, "exception", FINDING_LIKELY,
			      "The CPU found no valid instruction in %s, and no BUG() is there: the code is damaged, or something jumped into the middle of it.", place);
		break;
	case CODE_IS_VALID:
		finding_claim(explain->finding, "exception", FINDING_POSSIBLE,
			      "The CPU found no valid instruction in %s, and no BUG() is there: an instruction that this CPU does not have or that is switched off, damaged code, or a jump into the middle of it.", place);
		break;
	default:
		finding_claim(explain->finding, "exception", FINDING_SHOWN,
			      "The CPU found no valid instruction in %s: damaged code, a jump into data, an instruction that this CPU does not have, or a BUG() whose line is gone.", place);
	}
}

/*
 * DIV or IDIV by a register: its name, as "RCX"; @size: bytes of it. NULL: it is none, or the divisor is
 * one byte or in memory. Opcode F7 /6 and /7: Intel's manual, volume 2, DIV and IDIV.
 */
static const char *divisor_register(const u8 *at, u32 len, u32 *size, bool *is_signed)
{
	bool is_short = len && *at == 0x66;
	u8 rex = 0;

	at += is_short;
	len -= is_short;
	if (len && (*at & 0xf0) == 0x40) {
		rex = *at++;
		len--;
	}
	/* The second byte: 3 is a register, then 6 or 7. */
	if (len < 2 || *at != 0xf7 || at[1] < 0xf0)
		return NULL;
	*size = rex & 8 ? 8 : is_short ? 2 : 4;
	*is_signed = at[1] & 8;
	return instruction_register(&instruction_set_x86_64, (rex & 1) << 3 | (at[1] & 7));
}

/**
 * struct division - what the CPU was to divide
 * @name: of the divisor's register; NULL: it is not known
 * @divisor: as many bytes of it as the instruction takes
 * @has_numbers: of signed numbers, @from is that which was divided, by @by
 */
struct division {
	const char *name;
	u64 divisor;
	bool has_numbers;
	s64 from, by;
};

static s64 sign_extended(u64 value, u32 size)
{
	u32 shift = 64 - 8 * size;

	return (s64)(value << shift) >> shift;
}

/* RDX, or the part of it that is taken, has no more than the sign. */
static void read_numbers(struct division *division, const struct explain *explain, u32 size)
{
	u64 low, high;

	if (!fault_text_register(&explain->fault, "RAX", &low) || !fault_text_register(&explain->fault, "RDX", &high))
		return;
	division->from = sign_extended(low, size);
	division->by = sign_extended(division->divisor, size);
	division->has_numbers = sign_extended(high, size) == (division->from < 0 ? -1 : 0);
}

static void read_division(struct division *division, const struct explain *explain)
{
	struct function_code *code = calloc(1, sizeof(*code));
	bool is_signed = false;
	u32 at, size = 0;

	*division = (struct division){ .name = NULL };
	if (code && function_code_read(code, explain->kernel, explain->death, explain->cause) &&
	    code->at >= code->from && code->at - code->from < code->len) {
		at = code->at - code->from;
		division->name = divisor_register(code->bytes + at, code->len - at, &size, &is_signed);
	}
	free(code);
	if (!division->name || !fault_text_register(&explain->fault, division->name, &division->divisor)) {
		division->name = NULL;
		return;
	}
	division->divisor &= ~0ULL >> (64 - 8 * size);
	if (is_signed)
		read_numbers(division, explain, size);
}

static void claim_division(struct explain *explain, const char *place)
{
	struct division division;

	read_division(&division, explain);
	if (!division.name)
		finding_claim(explain->finding, "exception", FINDING_SHOWN,
			      "%s divided by zero, or the quotient was too large.", place);
	else if (!division.divisor)
		finding_claim(explain->finding, "exception", FINDING_SHOWN, "%s divided by zero (%s).", place, division.name);
	else if (division.has_numbers)
		finding_claim(explain->finding, "exception", FINDING_SHOWN,
			      "%s divided %lld by %lld, and the quotient was too large for its register.", place, (long long)division.from, (long long)division.by);
	else
		finding_claim(explain->finding, "exception", FINDING_SHOWN,
			      "%s divided by 0x%llx (%s), and the quotient was too large for its register.", place,
			      division.divisor, division.name);
}

/*
 * arm64 "Internal error: synchronous external abort: 0000000096000210 [#1]", before 4.20, and 32-bit arm, "Unhandled fault:
 * external abort on non-linefetch (0x1008) at 0xf0a00000" in front of "Internal error: : 1008 [#1]"
 */
static bool is_external_abort(const struct explain *explain)
{
	const struct kernel_report *report = explain->cause;

	return report_text_has(report->title, "external abort") ||
	       (report_text_has(report->title, "Internal error: : ") && report_text_has(report->before, "external abort"));
}

static void claim_external_abort(struct explain *explain, const char *place)
{
	finding_claim(explain->finding, "exception", FINDING_SHOWN,
		      "What %s accessed did not answer: the bus reported an error (external abort).", place);
	finding_open(explain->finding, "Whether the device there had power and its clock, and whether anything is at that address.");
	if (explain->cause->before.text && report_text_has(explain->cause->before, "external abort"))
		words_line_evidence(explain, "", explain->cause->before);
}

/*
 * What arm64 says of an instruction, and arm (arch/arm64/kernel/traps.c): do_el1_undef(), do_el1_bti(), do_el1_fpac(). BUG()
 * is none of them. The kernel signs the addresses of returns alone.
 */
static bool claim_instruction_of_arm(struct explain *explain, const char *place)
{
	struct report_text title = explain->cause->title;
	struct finding *finding = explain->finding;

	if (report_text_has(title, "Oops - Undefined instruction") && is_reserved_of_arm64(explain)) {
		finding_claim(finding, "exception", FINDING_LIKELY,
			      "The CPU found no instruction in %s, and no BUG() is there: the code is damaged, or something jumped into data.", place);
	} else if (report_text_has(title, "Oops - Undefined instruction") || report_text_has(title, "Oops - undefined instruction")) {
		finding_claim(finding, "exception", FINDING_SHOWN,
			      "The CPU found no valid instruction in %s: damaged code, a jump into data, or an instruction or system register that this CPU does not have.", place);
	} else if (report_text_has(title, "Oops - BTI")) {
		finding_claim(finding, "wild-pointer", FINDING_SHOWN,
			      "The CPU jumped by a pointer to %s, where no jump may go (BTI).", place);
		finding_open(finding, "Whether the pointer was bad, or code there was built without such places (-mbranch-protection=).");
	} else if (report_text_has(title, "Oops - FPAC")) {
		finding_claim(finding, "wild-pointer", FINDING_LIKELY,
			      "%s came to its end with a return address that is not the one of its beginning: its signature is wrong (pointer authentication).", place);
		finding_open(finding, "Whether the address was overwritten on the stack, or the stack pointer is not that of the beginning.");
	} else {
		return false;
	}
	return true;
}

bool judge_exception(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION];

	if (!report || report->kind != KERNEL_REPORT_OOPS)
		return false;
	words_place(place, report->place);
	if (report_text_has(report->title, "divide error"))
		claim_division(explain, place);
	else if (report_text_has(report->title, "invalid opcode"))
		claim_invalid_code(explain, place);
	else if (is_external_abort(explain))
		claim_external_abort(explain, place);
	else if (!claim_instruction_of_arm(explain, place))
		finding_claim(finding, "exception", FINDING_SHOWN, "An exception of the CPU in %s: %.*s.", place,
			      WORDS(report->title));
	words_report_evidence(explain, report);
	return true;
}
