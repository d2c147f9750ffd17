// SPDX-License-Identifier: GPL-2.0-or-later
#include "instruction.h"

#include <elf.h>
#include <string.h>

#ifndef EPITAPH_NO_CAPSTONE

#include <dlfcn.h>
#include <endian.h>
#include <pthread.h>
#include <stdio.h>

#include "instruction_impl.h"

#define WORD(number)	#number
#define SONAME(number)	"libcapstone.so." WORD(number)

/* Each thread that decodes has its own. */
static _Thread_local struct capstone capstone;

/* libcapstone fills tables of its own when it first decodes, without a lock. */
static pthread_mutex_t tables = PTHREAD_MUTEX_INITIALIZER;

static bool find_functions(struct capstone *c, void *library)
{
	const struct { const char *name; void *to; } functions[] = {
		{ "cs_open", &c->open }, { "cs_option", &c->option }, { "cs_disasm_iter", &c->disasm_iter },
		{ "cs_malloc", &c->malloc }, { "cs_free", &c->free }, { "cs_close", &c->close },
		{ "cs_regs_access", &c->regs_access }, { "cs_insn_group", &c->insn_group },
	};

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		void *function = dlsym(library, functions[i].name);

		if (!function)
			return false;
		memcpy(functions[i].to, &function, sizeof(function));
	}
	return true;
}

static bool open_set(const struct capstone *c, cs_arch arch, cs_mode mode, csh *handle)
{
	return c->open(arch, mode, handle) == CS_ERR_OK && c->option(*handle, CS_OPT_DETAIL, CS_OPT_ON) == CS_ERR_OK;
}

void instruction_prepare(void)
{
	void *library = capstone.insn ? NULL : dlopen(SONAME(CS_API_MAJOR), RTLD_NOW | RTLD_LOCAL);
	struct capstone c = { 0 };

	if (!library || !find_functions(&c, library) || !open_set(&c, CS_ARCH_X86, CS_MODE_64, &c.x86_64))
		return;
	/* A libcapstone may have been built without it. */
	if (!open_set(&c, CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &c.arm64))
		c.arm64 = 0;
	c.library = library;
	c.insn = c.malloc(c.x86_64);
	capstone = c;
}

void instruction_finish(void)
{
	if (!capstone.insn)
		return;
	capstone.free(capstone.insn, 1);
	capstone.close(&capstone.x86_64);
	if (capstone.arm64)
		capstone.close(&capstone.arm64);
	dlclose(capstone.library);
	capstone = (struct capstone){ 0 };
}

bool instruction_can_decode(void)
{
	return capstone.insn;
}

u32 instruction_written(const struct capstone *c, csh handle, s32 (*number_of)(u32 reg))
{
	cs_regs read, write;
	u8 nr_read, nr_write;
	u32 written = 0;

	if (c->regs_access(handle, c->insn, read, &nr_read, write, &nr_write) != CS_ERR_OK)
		return ~0U;
	for (u32 i = 0; i < nr_write; i++) {
		s32 number = number_of(write[i]);

		if (number >= 0)
			written |= 1U << number;
	}
	return written;
}

static void clear(struct instruction *ret, const struct instruction_set *set)
{
	*ret = (struct instruction){
		.set = set, .goes_on = true, .to = INSTRUCTION_NO_REGISTER, .from = INSTRUCTION_NO_REGISTER, .called = INSTRUCTION_NO_REGISTER,
		.second = INSTRUCTION_NO_REGISTER, .tested = INSTRUCTION_NO_REGISTER, .compared = { INSTRUCTION_NO_REGISTER, INSTRUCTION_NO_REGISTER },
	};
}

static bool decode_with_tables(struct instruction *ret, const u8 *code, size_t len, u64 ip)
{
	bool is_x86 = ret->set == &instruction_set_x86_64;
	const cs_insn *insn = capstone.insn;
	const u8 *start = code;
	uint64_t address = ip;
	u32 word;

	if (!capstone.disasm_iter(is_x86 ? capstone.x86_64 : capstone.arm64, &code, &len, &address, capstone.insn)) {
		if (is_x86 || len < sizeof(word))
			return false;
		memcpy(&word, start, sizeof(word));
		return instruction_read_unknown(ret, le32toh(word));
	}
	ret->len = (u8)insn->size;
	snprintf(ret->text, sizeof(ret->text), "%.24s%s%.50s", insn->mnemonic, *insn->op_str ? " " : "", insn->op_str);
	if (is_x86)
		instruction_read_x86(ret, &capstone);
	else
		instruction_read_arm64(ret, &capstone);
	return true;
}

bool instruction_decode(struct instruction *ret, const struct instruction_set *set, const u8 *code, size_t len, u64 ip)
{
	bool is_valid;

	clear(ret, set);
	if (!set || !capstone.insn || (set == &instruction_set_arm64 && !capstone.arm64))
		return false;
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

bool instruction_decode(struct instruction *ret, const struct instruction_set *set, const u8 *code, size_t len, u64 ip)
{
	(void)code;
	(void)len;
	(void)ip;
	*ret = (struct instruction){ .set = set };
	return false;
}

#endif

const struct instruction_set instruction_set_x86_64 = {
	.machine = EM_X86_64,
	.nr_registers = 16,
	.names = {
		"RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI", "R08", "R09", "R10", "R11", "R12", "R13", "R14", "R15",
	},
	.nr_arguments = 6,
	.arguments = { 7, 6, 2, 1, 8, 9 },
	.result = 0,
	.stack = 4,
	.call_changes = 0x0fc7U,
	.kept = 1U << 3 | 1U << 5 | 0xfU << 12,
	.tracer_at = 4,		/* behind endbr64 */
};

/* Procedure Call Standard for the Arm 64-bit Architecture (IHI 0055), 6.1.1. */
const struct instruction_set instruction_set_arm64 = {
	.machine = EM_AARCH64,
	.nr_registers = 32,
	.names = {
		"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
		"x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp",
	},
	.nr_arguments = 8,
	.arguments = { 0, 1, 2, 3, 4, 5, 6, 7 },
	.result = 0,
	.stack = 31,
	.call_changes = 0x7ffffU | 1U << 30,
	.kept = 0x3ffU << 19 | 1U << 29,
	.tracer_at = 8,		/* behind bti, and where x30 is saved */
};

const struct instruction_set *instruction_set_of(u16 machine)
{
	return machine == EM_X86_64 ? &instruction_set_x86_64 : machine == EM_AARCH64 ? &instruction_set_arm64 : NULL;
}

const char *instruction_register(const struct instruction_set *set, s32 number)
{
	return set && number >= 0 && number < set->nr_registers ? set->names[number] : "";
}

s32 instruction_argument(const struct instruction_set *set, s32 number)
{
	for (s32 i = 0; set && i < set->nr_arguments; i++)
		if (set->arguments[i] == number)
			return i;
	return -1;
}
