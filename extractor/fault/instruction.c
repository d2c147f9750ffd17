// SPDX-License-Identifier: GPL-2.0-or-later
#include "instruction.h"

#ifndef EPITAPH_NO_CAPSTONE

#include <capstone/capstone.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define WORD(number)	#number
#define SONAME(number)	"libcapstone.so." WORD(number)

#define CALL_CHANGES	0x0fc7U	/* rax, rcx, rdx, rsi, rdi, r8 to r11, which a callee need not keep */

/* The functions of libcapstone; all or none. Each thread that decodes has them. */
struct decoder {
	typeof(&cs_open) open;
	typeof(&cs_option) option;
	typeof(&cs_disasm_iter) disasm_iter;
	typeof(&cs_malloc) malloc;
	typeof(&cs_free) free;
	typeof(&cs_close) close;
	typeof(&cs_regs_access) regs_access;
	typeof(&cs_insn_group) insn_group;
	void *library;
	csh handle;
	cs_insn *insn;
};

static _Thread_local struct decoder decoder;

/* libcapstone fills tables of its own when it first decodes, without a lock. */
static pthread_mutex_t tables = PTHREAD_MUTEX_INITIALIZER;

static bool find_functions(struct decoder *d, void *library)
{
	const struct { const char *name; void *to; } functions[] = {
		{ "cs_open", &d->open }, { "cs_option", &d->option }, { "cs_disasm_iter", &d->disasm_iter },
		{ "cs_malloc", &d->malloc }, { "cs_free", &d->free }, { "cs_close", &d->close },
		{ "cs_regs_access", &d->regs_access }, { "cs_insn_group", &d->insn_group },
	};

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		void *function = dlsym(library, functions[i].name);

		if (!function)
			return false;
		memcpy(functions[i].to, &function, sizeof(function));
	}
	return true;
}

void instruction_prepare(void)
{
	void *library = decoder.insn ? NULL : dlopen(SONAME(CS_API_MAJOR), RTLD_NOW | RTLD_LOCAL);
	struct decoder d = { 0 };

	if (!library || !find_functions(&d, library) || d.open(CS_ARCH_X86, CS_MODE_64, &d.handle) != CS_ERR_OK ||
	    d.option(d.handle, CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK)
		return;
	d.library = library;
	d.insn = d.malloc(d.handle);
	decoder = d;
}

void instruction_finish(void)
{
	if (!decoder.insn)
		return;
	decoder.free(decoder.insn, 1);
	decoder.close(&decoder.handle);
	dlclose(decoder.library);
	decoder = (struct decoder){ 0 };
}

bool instruction_can_decode(void)
{
	return decoder.insn;
}

/* --- registers ------------------------------------------------------------ */

#define NAMES(a, b, c, d, e) { X86_REG_##a, X86_REG_##b, X86_REG_##c, X86_REG_##d, X86_REG_##e }

/* A register and its parts: which one is it? */
static s32 number_of_register(u32 reg)
{
	static const u32 parts[INSTRUCTION_REGISTERS][5] = {
		NAMES(RAX, EAX, AX, AL, AH), NAMES(RCX, ECX, CX, CL, CH), NAMES(RDX, EDX, DX, DL, DH),
		NAMES(RBX, EBX, BX, BL, BH), NAMES(RSP, ESP, SP, SPL, SPL), NAMES(RBP, EBP, BP, BPL, BPL),
		NAMES(RSI, ESI, SI, SIL, SIL), NAMES(RDI, EDI, DI, DIL, DIL), NAMES(R8, R8D, R8W, R8B, R8B),
		NAMES(R9, R9D, R9W, R9B, R9B), NAMES(R10, R10D, R10W, R10B, R10B),
		NAMES(R11, R11D, R11W, R11B, R11B), NAMES(R12, R12D, R12W, R12B, R12B),
		NAMES(R13, R13D, R13W, R13B, R13B), NAMES(R14, R14D, R14W, R14B, R14B),
		NAMES(R15, R15D, R15W, R15B, R15B),
	};

	for (u32 i = 0; i < INSTRUCTION_REGISTERS; i++)
		for (u32 k = 0; k < ARRAY_SIZE(parts[i]); k++)
			if (parts[i][k] == reg)
				return (s32)i;
	return INSTRUCTION_NO_REGISTER;
}

/* --- one instruction ------------------------------------------------------ */

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

static void take_written(struct instruction *ret)
{
	cs_regs read, write;
	u8 nr_read, nr_write;

	if (decoder.regs_access(decoder.handle, decoder.insn, read, &nr_read, write, &nr_write) != CS_ERR_OK) {
		ret->written = ~0U;
		return;
	}
	ret->written |= changes_silently(decoder.insn->id);
	for (u32 i = 0; i < nr_write; i++) {
		s32 number = number_of_register(write[i]);

		if (number >= 0)
			ret->written |= 1U << number;
	}
}

static void take_access(struct instruction *ret, const cs_x86_op *op)
{
	const x86_op_mem *mem = &op->mem;
	struct instruction_access *access = &ret->accesses[ret->nr_accesses++];

	*access = (struct instruction_access){
		.base = number_of_register(mem->base), .index = number_of_register(mem->index),
		.scale = mem->scale, .offset = mem->disp, .size = op->size,
		.reads = op->access & CS_AC_READ, .writes = op->access & CS_AC_WRITE,
	};
	if (mem->base == X86_REG_RIP) {
		access->is_absolute = true;
		access->offset += (s64)(decoder.insn->address + decoder.insn->size);
	}
	/* With the prefix of the address's size the registers count by half. */
	access->is_relative = decoder.insn->detail->x86.addr_size != 8 || mem->segment == X86_REG_FS || mem->segment == X86_REG_GS ||
			      (access->base < 0 && mem->base != X86_REG_INVALID && mem->base != X86_REG_RIP) ||
			      (access->index < 0 && mem->index != X86_REG_INVALID && mem->index != X86_REG_RIZ);
}

/* A copy of a register or of memory, or an address that is calculated. */
static void take_effect(struct instruction *ret, const cs_x86 *x86)
{
	const cs_x86_op *to = &x86->operands[0], *from = &x86->operands[1];
	u32 id = decoder.insn->id;

	if (x86->op_count != 2 || to->type != X86_OP_REG || to->size != 8)
		return;
	ret->to = number_of_register(to->reg);
	if (id == X86_INS_MOV && from->type == X86_OP_REG) {
		ret->from = number_of_register(from->reg);
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
	    (from->mem.base == X86_REG_INVALID || from->mem.base == X86_REG_RIP) && ret->nr_accesses && decoder.insn->detail->x86.addr_size == 8) {
		ret->effect = INSTRUCTION_OF_CPU;
		ret->plus = ret->accesses[0].offset;
		return;
	}
	if (ret->to >= 0 && ret->from < 0 && from->type == X86_OP_MEM && ret->effect != INSTRUCTION_OTHER)
		ret->effect = ret->effect == INSTRUCTION_LOAD ? INSTRUCTION_VARIABLE : INSTRUCTION_ADDRESS;
	else if (ret->to < 0 || ret->from < 0)
		ret->effect = INSTRUCTION_OTHER;
}

/* libcapstone 4 counts none of these as a jump. */
static bool is_loop(u32 id)
{
	return id == X86_INS_LOOP || id == X86_INS_LOOPE || id == X86_INS_LOOPNE;
}

static void take_way(struct instruction *ret, const cs_x86 *x86)
{
	u32 id = decoder.insn->id;

	ret->is_call = decoder.insn_group(decoder.handle, decoder.insn, CS_GRP_CALL);
	ret->jumps = !ret->is_call && (is_loop(id) || decoder.insn_group(decoder.handle, decoder.insn, CS_GRP_JUMP));
	/* Behind the ud2 of a WARN() the kernel goes on. */
	ret->goes_on = id != X86_INS_JMP && id != X86_INS_LJMP && id != X86_INS_HLT &&
		       !decoder.insn_group(decoder.handle, decoder.insn, CS_GRP_RET) &&
		       !decoder.insn_group(decoder.handle, decoder.insn, CS_GRP_IRET);
	ret->is_trap = id == X86_INS_INT3;
	if ((ret->jumps || ret->is_call) && x86->op_count == 1 && x86->operands[0].type == X86_OP_REG)
		ret->called = number_of_register(x86->operands[0].reg);
	if ((ret->jumps || ret->is_call) && x86->op_count == 1 && x86->operands[0].type == X86_OP_IMM)
		ret->target = x86->operands[0].imm;
	if (ret->is_call)
		ret->written |= CALL_CHANGES;
}

static bool decode_with_tables(struct instruction *ret, const u8 *code, size_t len, u64 ip)
{
	const cs_insn *insn = decoder.insn;
	const cs_x86 *x86;
	uint64_t address = ip;

	*ret = (struct instruction){
		.to = INSTRUCTION_NO_REGISTER, .from = INSTRUCTION_NO_REGISTER, .called = INSTRUCTION_NO_REGISTER,
	};
	if (!insn || !decoder.disasm_iter(decoder.handle, &code, &len, &address, decoder.insn))
		return false;
	x86 = &insn->detail->x86;
	ret->len = insn->size;
	snprintf(ret->text, sizeof(ret->text), "%.24s%s%.50s", insn->mnemonic, *insn->op_str ? " " : "", insn->op_str);
	for (u32 i = 0; i < x86->op_count && ret->nr_accesses < INSTRUCTION_ACCESSES; i++)
		if (x86->operands[i].type == X86_OP_MEM)
			take_access(ret, &x86->operands[i]);
	take_written(ret);
	take_way(ret, x86);
	take_effect(ret, x86);
	/* Neither uses the memory. */
	if (insn->id == X86_INS_LEA || insn->id == X86_INS_NOP)
		ret->nr_accesses = 0;
	return true;
}

bool instruction_decode(struct instruction *ret, const u8 *code, size_t len, u64 ip)
{
	bool is_valid;

	pthread_mutex_lock(&tables);
	is_valid = decode_with_tables(ret, code, len, ip);
	pthread_mutex_unlock(&tables);
	return is_valid;
}

#else

void instruction_prepare(void)
{
}

void instruction_finish(void)
{
}

bool instruction_can_decode(void)
{
	return false;
}

bool instruction_decode(struct instruction *ret, const u8 *code, size_t len, u64 ip)
{
	(void)code;
	(void)len;
	(void)ip;
	*ret = (struct instruction){ .len = 0 };
	return false;
}

#endif

const char *instruction_register(s32 number)
{
	static const char *const names[INSTRUCTION_REGISTERS] = {
		"RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI", "R08", "R09", "R10", "R11", "R12", "R13", "R14", "R15",
	};

	return number >= 0 && number < INSTRUCTION_REGISTERS ? names[number] : "";
}
