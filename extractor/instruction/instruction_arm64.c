// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions of arm64. What they read and write of memory is taken from their bits, as libcapstone 4 does not
 * say how many bytes that are, nor knows the atomic ones of Armv8.1: Arm Architecture Reference Manual (DDI 0487),
 * C4.1.88, "Loads and Stores".
 */
#ifndef EPITAPH_NO_CAPSTONE

#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "instruction_impl.h"

#define NO_REGISTER	31	/* of what is not an address: xzr, which reads as 0 */

/* KPROBES_BRK_IMM and BUG_BRK_IMM of arch/arm64/include/asm/brk-imm.h */
#define KPROBES_BRK	4
#define BUG_BRK		0x800

/* Registers x0 to x28 lie behind one another in libcapstone's numbers, x29 and x30 do not. */
static s32 arm64_register(u32 reg)
{
	if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
		return (s32)(reg - ARM64_REG_X0);
	if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
		return (s32)(reg - ARM64_REG_W0);
	return reg == ARM64_REG_X29 ? 29 : reg == ARM64_REG_X30 ? 30 : reg == ARM64_REG_SP || reg == ARM64_REG_WSP ? 31 : INSTRUCTION_NO_REGISTER;
}

static bool is_whole_arm64(u32 reg)
{
	return (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28) || reg == ARM64_REG_X29 || reg == ARM64_REG_X30 || reg == ARM64_REG_SP || reg == ARM64_REG_XZR;
}

/* --- memory --------------------------------------------------------------- */

static u32 word_bits(u32 word, u32 from, u32 nr)
{
	return word >> from & ((1U << nr) - 1);
}

static s64 signed_bits(u32 word, u32 from, u32 nr)
{
	return (s64)((u64)word << (64 - from - nr)) >> (64 - nr);
}

static struct instruction_access *add_access(struct instruction *ret, u32 word, u32 size, bool reads, bool writes)
{
	struct instruction_access *access = &ret->accesses[ret->nr_accesses++];

	*access = (struct instruction_access){
		.base = (s32)word_bits(word, 5, 5), .index = INSTRUCTION_NO_REGISTER, .size = (u8)size, .reads = reads, .writes = writes,
		.stored = INSTRUCTION_NO_REGISTER,
	};
	return access;
}

static void put_stored(struct instruction_access *access, u32 reg)
{
	access->stores = reg == NO_REGISTER ? STORED_ZERO : STORED_REGISTER;
	access->stored = reg == NO_REGISTER ? INSTRUCTION_NO_REGISTER : (s32)reg;
}

/* Of a load into register @reg. */
static void put_load(struct instruction *ret, const struct instruction_access *access, u32 reg)
{
	if (access->size != 8 || access->index >= 0 || reg == NO_REGISTER)
		return;
	ret->effect = access->is_absolute ? INSTRUCTION_VARIABLE : INSTRUCTION_LOAD;
	ret->to = (s32)reg;
	ret->from = access->base;
	ret->plus = access->offset;
}

/* One register, of @size bytes, at the base and @offset. */
static void read_single(struct instruction *ret, u32 word, u32 size, bool loads, bool is_vector, s64 offset)
{
	struct instruction_access *access = add_access(ret, word, size, loads, !loads);

	access->offset = offset;
	if (loads && !is_vector)
		put_load(ret, access, word_bits(word, 0, 5));
	else if (!loads && !is_vector)
		put_stored(access, word_bits(word, 0, 5));
}

static void read_pair(struct instruction *ret, u32 word)
{
	u32 opc = word_bits(word, 30, 2), first = word_bits(word, 0, 5), second = word_bits(word, 10, 5);
	bool is_vector = word_bits(word, 26, 1), loads = word_bits(word, 22, 1), is_post = word_bits(word, 23, 2) == 1;
	u32 size = is_vector ? 4U << opc : opc == 2 ? 8 : 4;
	s64 offset = is_post ? 0 : signed_bits(word, 15, 7) * size;
	struct instruction_access *next;

	read_single(ret, word, size, loads, is_vector, offset);
	next = add_access(ret, word, size, loads, !loads);
	next->offset = offset + size;
	if (is_vector)
		return;
	if (!loads)
		put_stored(next, second);
	else if (ret->effect == INSTRUCTION_LOAD && second != NO_REGISTER && second != first)
		ret->second = (s32)second;
}

/* "ldr x0, [x1, w2, uxtw #3]" */
static void put_index(struct instruction_access *access, u32 word)
{
	u32 option = word_bits(word, 13, 3), reg = word_bits(word, 16, 5);

	access->index = reg == NO_REGISTER ? INSTRUCTION_NO_REGISTER : (s32)reg;
	access->scale = word_bits(word, 12, 1) ? access->size : 1;
	access->index_as = option == 2 ? INDEX_UNSIGNED_HALF : option == 6 ? INDEX_SIGNED_HALF : INDEX_WHOLE;
}

/* A single register at an offset, or at a register more. */
static void read_register(struct instruction *ret, u32 word)
{
	u32 size_bits = word_bits(word, 30, 2), opc = word_bits(word, 22, 2), way = word_bits(word, 10, 2);
	bool is_vector = word_bits(word, 26, 1), is_scaled = word_bits(word, 24, 1), has_index = !is_scaled && word_bits(word, 21, 1);
	u32 size = 1U << (is_vector ? size_bits | (opc & 2) << 1 : size_bits);
	bool loads = is_vector ? opc & 1 : opc;
	s64 offset = is_scaled ? (s64)word_bits(word, 10, 12) * size : has_index || way == 1 ? 0 : signed_bits(word, 12, 9);
	struct instruction_access *access;

	/* A hint to load, which never faults. */
	if (!is_vector && size_bits == 3 && opc == 2)
		return;
	if (!has_index) {
		read_single(ret, word, size, loads, is_vector, offset);
		return;
	}
	access = add_access(ret, word, size, loads, !loads);
	put_index(access, word);
	if (!loads && !is_vector)
		put_stored(access, word_bits(word, 0, 5));
}

/* ldxr, stxr, ldar, stlr, cas and their like. */
static void read_exclusive(struct instruction *ret, u32 word)
{
	bool is_ordered = word_bits(word, 23, 1), loads = word_bits(word, 22, 1), is_pair = word_bits(word, 21, 1);
	u32 size = 1U << word_bits(word, 30, 2);

	if (is_ordered && is_pair) {
		add_access(ret, word, size, true, true);
	} else if (is_pair && size < 4) {
		add_access(ret, word, 8U * size, true, true);
	} else if (is_pair) {
		add_access(ret, word, 2 * size, loads, !loads);
	} else {
		read_single(ret, word, size, loads, false, 0);
	}
}

static bool is_atomic(u32 word)
{
	return (word & 0x3f200c00) == 0x38200000;
}

/* ldapr */
static bool is_load_acquire(u32 word)
{
	return (word & 0x3ffffc00) == 0x38bfc000;
}

static void read_memory_access(struct instruction *ret, u32 word, u64 ip)
{
	if ((word & 0x3f000000) == 0x08000000) {
		read_exclusive(ret, word);
	} else if (is_load_acquire(word)) {
		read_single(ret, word, 1U << word_bits(word, 30, 2), true, false, 0);
	} else if (is_atomic(word)) {
		add_access(ret, word, 1U << word_bits(word, 30, 2), true, true);
	} else if ((word & 0x3b000000) == 0x18000000) {
		/* A hint again. */
		if (word_bits(word, 30, 2) == 3)
			return;
		read_single(ret, word, word_bits(word, 30, 2) == 1 || word_bits(word, 26, 1) ? 4U << word_bits(word, 30, 2) : 4, true, true, 0);
		ret->accesses[0].base = INSTRUCTION_NO_REGISTER;
		ret->accesses[0].is_absolute = true;
		ret->accesses[0].offset = (s64)(ip + (u64)(signed_bits(word, 5, 19) * 4));
		if (!word_bits(word, 26, 1))
			put_load(ret, &ret->accesses[0], word_bits(word, 0, 5));
	} else if ((word & 0x3a000000) == 0x28000000) {
		read_pair(ret, word);
	} else if ((word & 0x3b000000) == 0x39000000 || (word & 0x3b200000) == 0x38000000 || (word & 0x3b200c00) == 0x38200800) {
		read_register(ret, word);
	}
}

/* --- what libcapstone 4 does not know -------------------------------------- */

static const char *order_of_atomic(u32 word, u32 acquires, u32 releases)
{
	bool a = word_bits(word, acquires, 1), l = word_bits(word, releases, 1);

	return a && l ? "al" : a ? "a" : l ? "l" : "";
}

static const char *size_letter(u32 word)
{
	static const char *const sizes[] = { "b", "h", "", "" };

	return sizes[word_bits(word, 30, 2)];
}

static void put_atomic_text(struct instruction *ret, u32 word, const char *mnemonic, const char *order, u32 first, u32 second)
{
	char letter = word_bits(word, 30, 2) == 3 ? 'x' : 'w', names[2][8];

	for (u32 i = 0; i < 2; i++) {
		u32 reg = i ? second : first;

		if (reg == NO_REGISTER)
			snprintf(names[i], sizeof(names[i]), "%czr", letter);
		else
			snprintf(names[i], sizeof(names[i]), "%c%u", letter, reg);
	}
	snprintf(ret->text, sizeof(ret->text), "%s%s%s %s, %s, [%s]", mnemonic, order, size_letter(word), names[0], names[1],
		 instruction_set_arm64.names[word_bits(word, 5, 5)]);
}

bool instruction_read_unknown(struct instruction *ret, u32 word)
{
	static const char *const names[] = { "ldadd", "ldclr", "ldeor", "ldset", "ldsmax", "ldsmin", "ldumax", "ldumin" };
	u32 source = word_bits(word, 16, 5), to = word_bits(word, 0, 5), opc = word_bits(word, 12, 3);
	bool is_cas = (word & 0x3fa07c00) == 0x08a07c00, is_load = is_load_acquire(word);
	char letter = word_bits(word, 30, 2) == 3 ? 'x' : 'w';
	u32 written = is_cas ? source : to;

	/* Also what fills the end of a section. */
	if (word <= 0xffff) {
		ret->len = 4;
		ret->goes_on = false;
		snprintf(ret->text, sizeof(ret->text), "udf #%u", word);
		return true;
	}
	if (!is_cas && !is_load && (!is_atomic(word) || (word_bits(word, 15, 1) && opc)))
		return false;
	ret->len = 4;
	read_memory_access(ret, word, 0);
	if (is_load)
		snprintf(ret->text, sizeof(ret->text), "ldapr%s %c%u, [%s]", size_letter(word), letter, to, instruction_set_arm64.names[word_bits(word, 5, 5)]);
	else if (is_cas)
		put_atomic_text(ret, word, "cas", order_of_atomic(word, 22, 15), source, to);
	else
		put_atomic_text(ret, word, word_bits(word, 15, 1) ? "swp" : names[opc], order_of_atomic(word, 23, 22), source, to);
	if (written != NO_REGISTER)
		ret->written = 1U << written;
	return true;
}

/* --- what a register gets -------------------------------------------------- */

/*
 * The register that an instruction of data processing or of the system changes, C4.1.86 to C4.1.89: libcapstone 4 takes
 * those which cmp and msr read for one, and does not name that of adds. False: it is no such instruction.
 */
static bool read_destination(u32 *written, u32 word)
{
	bool is_immediate = word_bits(word, 26, 3) == 4, is_register = word_bits(word, 25, 3) == 5;
	bool is_sum = (word & 0x1f800000) == 0x11000000 || (word & 0x1fe00000) == 0x0b200000, is_logical = (word & 0x1f800000) == 0x12000000;
	bool is_condition = (word & 0x1fe00000) == 0x1a400000, may_be_stack = (is_sum && !word_bits(word, 29, 1)) || (is_logical && word_bits(word, 29, 2) != 3);
	u32 to = word_bits(word, 0, 5);

	if ((word & 0xffc00000) == 0xd5000000) {
		*written = word_bits(word, 21, 1) && to != NO_REGISTER ? 1U << to : 0;
		/* Hints sign return addresses, and check them. */
		if ((word & 0xfffff01f) == 0xd503201f && word_bits(word, 5, 7))
			*written = 1U << 17 | 1U << 30;
		return true;
	}
	if (!is_immediate && !is_register)
		return false;
	*written = is_condition || (to == NO_REGISTER && !may_be_stack) ? 0 : 1U << to;
	return true;
}

/* A copy, a number or an address. */
static void take_effect_arm64(struct instruction *ret, const cs_insn *insn)
{
	u32 nr = insn->detail->arm64.op_count;
	const cs_arm64_op *ops = insn->detail->arm64.operands, *last = &ops[nr ? nr - 1 : 0];
	bool has_shift = nr && last->shift.type != ARM64_SFT_INVALID && last->shift.value;
	enum instruction_effect effect = INSTRUCTION_OTHER;
	u64 shift = nr && last->shift.type == ARM64_SFT_LSL ? last->shift.value : 0;

	if (nr < 2 || ops[0].type != ARM64_OP_REG || arm64_register(ops[0].reg) < 0)
		return;
	switch (insn->id) {
	case ARM64_INS_MOV:
	case ARM64_INS_MOVZ:
	case ARM64_INS_MOVN:
		if (nr == 2 && last->type == ARM64_OP_IMM) {
			ret->plus = insn->id == ARM64_INS_MOVN ? (s64)~((u64)last->imm << shift) : (s64)((u64)last->imm << shift);
			if (!is_whole_arm64(ops[0].reg))
				ret->plus = (s64)(u32)ret->plus;
			effect = INSTRUCTION_NUMBER;
		} else if (nr == 2 && last->type == ARM64_OP_REG && is_whole_arm64(ops[0].reg) && arm64_register(last->reg) >= 0) {
			ret->from = arm64_register(last->reg);
			effect = INSTRUCTION_COPY;
		} else if (nr == 2 && (last->reg == ARM64_REG_XZR || last->reg == ARM64_REG_WZR)) {
			effect = INSTRUCTION_NUMBER;
		}
		break;
	case ARM64_INS_ADD:
	case ARM64_INS_SUB:
		if (nr != 3 || last->type != ARM64_OP_IMM || !is_whole_arm64(ops[0].reg) || (has_shift && !shift))
			break;
		ret->from = arm64_register(ops[1].reg);
		ret->plus = insn->id == ARM64_INS_ADD ? (s64)((u64)last->imm << shift) : -(s64)((u64)last->imm << shift);
		effect = ret->from < 0 ? INSTRUCTION_OTHER : INSTRUCTION_COPY;
		break;
	case ARM64_INS_ADR:
	case ARM64_INS_ADRP:
		ret->plus = last->imm;
		effect = insn->id == ARM64_INS_ADRP ? INSTRUCTION_PAGE : INSTRUCTION_ADDRESS;
		break;
	case ARM64_INS_MRS:
		effect = strstr(insn->op_str, "sp_el0") || strstr(insn->op_str, "SP_EL0") ? INSTRUCTION_OF_TASK : INSTRUCTION_OTHER;
		break;
	default:
		break;
	}
	if (effect == INSTRUCTION_OTHER)
		return;
	ret->effect = effect;
	ret->to = arm64_register(ops[0].reg);
}

static void take_compared_arm64(struct instruction *ret, const cs_insn *insn)
{
	const cs_arm64_op *ops = insn->detail->arm64.operands;

	if (insn->id != ARM64_INS_CMP || insn->detail->arm64.op_count != 2 || !is_whole_arm64(ops[0].reg) || ops[1].shift.value || ops[1].ext != ARM64_EXT_INVALID)
		return;
	if (ops[1].type == ARM64_OP_REG)
		ret->compared[1] = arm64_register(ops[1].reg);
	else
		ret->number = ops[1].imm;
	ret->compared[0] = arm64_register(ops[0].reg);
}

/* --- where it goes on ------------------------------------------------------ */

static enum instruction_condition condition_of_arm64(const cs_insn *insn)
{
	const cs_arm64 *arm64 = &insn->detail->arm64;
	bool is_of_bit = insn->id == ARM64_INS_TBZ || insn->id == ARM64_INS_TBNZ;

	if (insn->id == ARM64_INS_CBZ || insn->id == ARM64_INS_CBNZ || (is_of_bit && !arm64->operands[1].imm))
		return insn->id == ARM64_INS_CBZ || insn->id == ARM64_INS_TBZ ? CONDITION_ZERO : CONDITION_NOT_ZERO;
	switch (insn->id == ARM64_INS_B ? arm64->cc : ARM64_CC_INVALID) {
	case ARM64_CC_EQ:
		return CONDITION_ZERO;
	case ARM64_CC_NE:
		return CONDITION_NOT_ZERO;
	case ARM64_CC_HS:
		return CONDITION_CARRY;
	case ARM64_CC_LO:
		return CONDITION_NO_CARRY;
	default:
		return CONDITION_OTHER;
	}
}

static void take_way_arm64(struct instruction *ret, const cs_insn *insn)
{
	const cs_arm64 *arm64 = &insn->detail->arm64;
	const cs_arm64_op *last = arm64->op_count ? &arm64->operands[arm64->op_count - 1] : NULL;
	bool is_plain = insn->id == ARM64_INS_B && (arm64->cc == ARM64_CC_INVALID || arm64->cc == ARM64_CC_AL);

	ret->is_call = insn->id == ARM64_INS_BL || insn->id == ARM64_INS_BLR;
	ret->jumps = insn->id == ARM64_INS_B || insn->id == ARM64_INS_BR || insn->id == ARM64_INS_CBZ || insn->id == ARM64_INS_CBNZ ||
		     insn->id == ARM64_INS_TBZ || insn->id == ARM64_INS_TBNZ;
	ret->condition = condition_of_arm64(insn);
	if (ret->jumps && arm64->op_count > 1 && arm64->operands[0].type == ARM64_OP_REG)
		ret->tested = arm64_register(arm64->operands[0].reg);
	ret->goes_on = !is_plain && insn->id != ARM64_INS_BR && insn->id != ARM64_INS_RET && insn->id != ARM64_INS_ERET;
	ret->is_bug = insn->id == ARM64_INS_BRK && last && last->imm == BUG_BRK;
	ret->is_trap = insn->id == ARM64_INS_BRK && last && last->imm == KPROBES_BRK;
	ret->pauses = insn->id == ARM64_INS_YIELD || insn->id == ARM64_INS_WFE;
	if ((ret->is_call || ret->jumps) && last && last->type == ARM64_OP_REG)
		ret->called = arm64_register(last->reg);
	if ((ret->is_call || ret->jumps) && last && last->type == ARM64_OP_IMM)
		ret->target = (u64)last->imm;
	/* Whom they call changes what a function may change: SMC Calling Convention (DEN0028), 2.6. */
	if (ret->is_call || insn->id == ARM64_INS_HVC || insn->id == ARM64_INS_SMC || insn->id == ARM64_INS_SVC)
		ret->written |= instruction_set_arm64.call_changes;
}

void instruction_read_arm64(struct instruction *ret, const struct capstone *capstone)
{
	const cs_insn *insn = capstone->insn;
	u32 word;

	memcpy(&word, insn->bytes, sizeof(word));
	word = le32toh(word);
	if (!read_destination(&ret->written, word))
		ret->written = instruction_written(capstone, capstone->arm64, arm64_register);
	read_memory_access(ret, word, insn->address);
	take_way_arm64(ret, insn);
	take_effect_arm64(ret, insn);
	take_compared_arm64(ret, insn);
}

#endif
