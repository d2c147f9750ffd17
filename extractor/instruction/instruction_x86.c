// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef EPITAPH_NO_CAPSTONE

#include "instruction_impl.h"

#define NAMES(a, b, c, d, e) { X86_REG_##a, X86_REG_##b, X86_REG_##c, X86_REG_##d, X86_REG_##e }

/* A register and its parts: which one is it? */
static s32 x86_register(u32 reg)
{
	static const u32 parts[][5] = {
		NAMES(RAX, EAX, AX, AL, AH), NAMES(RCX, ECX, CX, CL, CH), NAMES(RDX, EDX, DX, DL, DH),
		NAMES(RBX, EBX, BX, BL, BH), NAMES(RSP, ESP, SP, SPL, SPL), NAMES(RBP, EBP, BP, BPL, BPL),
		NAMES(RSI, ESI, SI, SIL, SIL), NAMES(RDI, EDI, DI, DIL, DIL), NAMES(R8, R8D, R8W, R8B, R8B),
		NAMES(R9, R9D, R9W, R9B, R9B), NAMES(R10, R10D, R10W, R10B, R10B),
		NAMES(R11, R11D, R11W, R11B, R11B), NAMES(R12, R12D, R12W, R12B, R12B),
		NAMES(R13, R13D, R13W, R13B, R13B), NAMES(R14, R14D, R14W, R14B, R14B),
		NAMES(R15, R15D, R15W, R15B, R15B),
	};

	for (u32 i = 0; i < ARRAY_SIZE(parts); i++)
		for (u32 k = 0; k < ARRAY_SIZE(parts[i]); k++)
			if (parts[i][k] == reg)
				return (s32)i;
	return INSTRUCTION_NO_REGISTER;
}

/* Registers that an instruction changes, and that libcapstone does not name. */
static u32 changes_silently(u32 id)
{
	switch (id) {
	case X86_INS_CMPXCHG:
	case X86_INS_XLATB:
		return 1U << 0;
	case X86_INS_ENTER:
		return 1U << 4 | 1U << 5;
	/* Whom they call changes what it likes. */
	case X86_INS_SYSCALL:
	case X86_INS_SYSENTER:
	case X86_INS_VMCALL:
	case X86_INS_VMMCALL:
	case X86_INS_ENCLS:
	case X86_INS_ENCLU:
	case X86_INS_VMLAUNCH:
	case X86_INS_VMRESUME:
	case X86_INS_VMRUN:
	case X86_INS_GETSEC:
		return ~0U;
	default:
		return 0;
	}
}

static void take_access(struct instruction *ret, const cs_insn *insn, const cs_x86_op *op)
{
	const x86_op_mem *mem = &op->mem;
	struct instruction_access *access = &ret->accesses[ret->nr_accesses++];

	*access = (struct instruction_access){
		.base = x86_register(mem->base), .index = x86_register(mem->index),
		.scale = mem->scale, .offset = mem->disp, .size = op->size,
		.reads = op->access & CS_AC_READ, .writes = op->access & CS_AC_WRITE, .stored = INSTRUCTION_NO_REGISTER,
	};
	if (mem->base == X86_REG_RIP) {
		access->is_absolute = true;
		access->offset += (s64)(insn->address + insn->size);
	}
	/* With the prefix of the address's size the registers count by half. */
	access->is_relative = insn->detail->x86.addr_size != 8 || mem->segment == X86_REG_FS || mem->segment == X86_REG_GS ||
			      (access->base < 0 && mem->base != X86_REG_INVALID && mem->base != X86_REG_RIP) ||
			      (access->index < 0 && mem->index != X86_REG_INVALID && mem->index != X86_REG_RIZ);
}

/* A copy of a register or of memory, an address that is calculated, or a number. */
static void take_effect_x86(struct instruction *ret, const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;
	const cs_x86_op *to = &x86->operands[0], *from = &x86->operands[1];
	u32 id = insn->id;

	if (x86->op_count != 2 || to->type != X86_OP_REG || to->size < 4)
		return;
	if ((id == X86_INS_MOV || id == X86_INS_MOVABS) && from->type == X86_OP_IMM) {
		ret->to = x86_register(to->reg);
		ret->plus = to->size == 4 ? (s64)(u32)from->imm : from->imm;
		ret->effect = ret->to < 0 ? INSTRUCTION_OTHER : INSTRUCTION_NUMBER;
		return;
	}
	if (to->size != 8)
		return;
	ret->to = x86_register(to->reg);
	if (id == X86_INS_MOV && from->type == X86_OP_REG) {
		ret->from = x86_register(from->reg);
		ret->effect = INSTRUCTION_COPY;
	} else if ((id == X86_INS_ADD || id == X86_INS_SUB) && from->type == X86_OP_IMM) {
		ret->from = ret->to;
		ret->plus = id == X86_INS_ADD ? from->imm : -from->imm;
		ret->effect = INSTRUCTION_COPY;
	} else if ((id == X86_INS_LEA || id == X86_INS_MOV) && from->type == X86_OP_MEM && ret->nr_accesses &&
		   !ret->accesses[0].is_relative && ret->accesses[0].index < 0) {
		ret->from = ret->accesses[0].base;
		ret->plus = ret->accesses[0].offset;
		ret->effect = id == X86_INS_LEA ? INSTRUCTION_COPY : INSTRUCTION_LOAD;
	}
	if (id == X86_INS_MOV && ret->to >= 0 && from->type == X86_OP_MEM && from->mem.segment == X86_REG_GS && from->mem.index == X86_REG_INVALID &&
	    (from->mem.base == X86_REG_INVALID || from->mem.base == X86_REG_RIP) && ret->nr_accesses && x86->addr_size == 8) {
		ret->effect = INSTRUCTION_OF_CPU;
		ret->plus = ret->accesses[0].offset;
		return;
	}
	if (ret->to >= 0 && ret->from < 0 && from->type == X86_OP_MEM && ret->effect != INSTRUCTION_OTHER)
		ret->effect = ret->effect == INSTRUCTION_LOAD ? INSTRUCTION_VARIABLE : INSTRUCTION_ADDRESS;
	else if (ret->to < 0 || ret->from < 0)
		ret->effect = INSTRUCTION_OTHER;
}

/* "mov qword ptr [rdi + 0xc8], 0" */
static void take_stored(struct instruction *ret, const cs_insn *insn)
{
	const cs_x86_op *to = &insn->detail->x86.operands[0], *from = &insn->detail->x86.operands[1];
	struct instruction_access *access = &ret->accesses[0];

	if (insn->detail->x86.op_count != 2 || to->type != X86_OP_MEM || insn->id != X86_INS_MOV)
		return;
	if (from->type == X86_OP_IMM && !from->imm)
		access->stores = STORED_ZERO;
	if (from->type == X86_OP_REG)
		access->stored = x86_register(from->reg);
	if (access->stored >= 0)
		access->stores = STORED_REGISTER;
}

/* "cmp rbx, rbp", "cmp rbx, 0xffffffffc0434010" */
static void take_compared_x86(struct instruction *ret, const cs_insn *insn)
{
	const cs_x86_op *a = &insn->detail->x86.operands[0], *b = &insn->detail->x86.operands[1];

	if (insn->id != X86_INS_CMP || insn->detail->x86.op_count != 2 || a->type != X86_OP_REG || a->size != 8)
		return;
	if (b->type == X86_OP_REG)
		ret->compared[1] = x86_register(b->reg);
	else if (b->type == X86_OP_IMM)
		ret->number = b->imm;
	else
		return;
	ret->compared[0] = x86_register(a->reg);
}

/* libcapstone 4 counts none of these as a jump. */
static bool is_loop(u32 id)
{
	return id == X86_INS_LOOP || id == X86_INS_LOOPE || id == X86_INS_LOOPNE;
}

static enum instruction_condition condition_of_x86(u32 id)
{
	switch (id) {
	case X86_INS_JE:
		return CONDITION_ZERO;
	case X86_INS_JNE:
		return CONDITION_NOT_ZERO;
	case X86_INS_JB:
		return CONDITION_CARRY;
	case X86_INS_JAE:
		return CONDITION_NO_CARRY;
	default:
		return CONDITION_OTHER;
	}
}

static void take_way_x86(struct instruction *ret, const struct capstone *capstone, const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;
	csh handle = capstone->x86_64;
	u32 id = insn->id;

	ret->is_call = capstone->insn_group(handle, insn, CS_GRP_CALL);
	ret->jumps = !ret->is_call && (is_loop(id) || capstone->insn_group(handle, insn, CS_GRP_JUMP));
	ret->condition = condition_of_x86(id);
	/* Behind the ud2 of a WARN() the kernel goes on. */
	ret->goes_on = id != X86_INS_JMP && id != X86_INS_LJMP && id != X86_INS_HLT &&
		       !capstone->insn_group(handle, insn, CS_GRP_RET) &&
		       !capstone->insn_group(handle, insn, CS_GRP_IRET);
	ret->is_bug = id == X86_INS_UD2;
	ret->is_trap = id == X86_INS_INT3;
	ret->pauses = id == X86_INS_PAUSE;
	if ((ret->jumps || ret->is_call) && x86->op_count == 1 && x86->operands[0].type == X86_OP_REG)
		ret->called = x86_register(x86->operands[0].reg);
	if ((ret->jumps || ret->is_call) && x86->op_count == 1 && x86->operands[0].type == X86_OP_IMM)
		ret->target = x86->operands[0].imm;
	if (ret->is_call)
		ret->written |= instruction_set_x86_64.call_changes;
}

void instruction_read_x86(struct instruction *ret, const struct capstone *capstone)
{
	const cs_insn *insn = capstone->insn;
	const cs_x86 *x86 = &insn->detail->x86;

	for (u32 i = 0; i < x86->op_count && ret->nr_accesses < INSTRUCTION_ACCESSES; i++)
		if (x86->operands[i].type == X86_OP_MEM)
			take_access(ret, insn, &x86->operands[i]);
	ret->written = instruction_written(capstone, capstone->x86_64, x86_register) | changes_silently(insn->id);
	take_way_x86(ret, capstone, insn);
	take_effect_x86(ret, insn);
	take_stored(ret, insn);
	take_compared_x86(ret, insn);
	/* Neither uses the memory. */
	if (insn->id == X86_INS_LEA || insn->id == X86_INS_NOP)
		ret->nr_accesses = 0;
}

#endif
