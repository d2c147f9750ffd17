// SPDX-License-Identifier: GPL-2.0-or-later
#include "faulting_access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "function_code.h"
#include "origins.h"

/* --- registers ------------------------------------------------------------ */

static bool value_of(const struct fault_text *fault, s32 number, u64 *ret)
{
	const char *name = instruction_register(number);

	return *name && fault_text_register(fault, name, ret);
}

#define MOST_XSAVE	16384	/* AMX has 8 KiB, all else less than 4: Intel's manual, volume 1, chapter 13 */

/* How many of them it uses. What XSAVE and its like do depends on the CPU. */
static u64 bytes_used(const struct instruction *instruction, const struct instruction_access *memory)
{
	if (!strncmp(instruction->text, "xsave", 5) || !strncmp(instruction->text, "xrstor", 6))
		return MOST_XSAVE;
	return memory->size ?: 1;
}

/* The address of one of the instruction's accesses. */
static bool calculate(struct faulting_access *access, const struct instruction_access *memory, bool has_place,
		      const struct fault_text *fault)
{
	u64 base = 0, index = 0;

	/* What is relative to the instruction is only known where that is. */
	if (memory->is_relative || (memory->is_absolute && !has_place) || (memory->base >= 0 && !value_of(fault, memory->base, &base)) ||
	    (memory->index >= 0 && !value_of(fault, memory->index, &index)))
		return false;
	access->has_memory = true;
	access->memory = *memory;
	access->base = base;
	access->index = index;
	access->pointer_value = base;
	access->address = base + index * memory->scale + (u64)memory->offset;
	/* What crosses into a page that is not there faults at the page's first byte. */
	access->agrees = !fault->has_address || fault->address - access->address < bytes_used(&access->instruction, memory);
	return true;
}

/* Of two accesses of an instruction, the one that the kernel names. */
static void choose_memory(struct faulting_access *access, bool has_place, const struct fault_text *fault)
{
	for (u32 i = 0; i < access->instruction.nr_accesses && !(access->has_memory && access->agrees); i++)
		calculate(access, &access->instruction.accesses[i], has_place, fault);
}

/* --- names ---------------------------------------------------------------- */

/* The number among the registers that arguments are handed over in; -1: none of them. */
static s32 number_of_argument(s32 reg)
{
	static const s32 arguments[] = { 7, 6, 2, 1, 8, 9 };	/* rdi, rsi, rdx, rcx, r8, r9 */

	for (u32 i = 0; i < ARRAY_SIZE(arguments); i++)
		if (arguments[i] == reg)
			return (s32)i;
	return -1;
}

/**
 * struct prototypes - what names the arguments of a function
 * @types: of the kernel, or of the module
 * @own: @types, where they are to be closed
 */
struct prototypes {
	const struct kernel_btf *types;
	struct kernel_btf *own;
};

static bool is_only_of_module(const struct kernel *kernel, const struct function_code *code)
{
	const struct kernel_module *module = kernel->modules ? kernel_modules_at(kernel->modules, code->start) : NULL;
	char type, name[KALLSYMS_NAME_MAX];
	u32 nr = 0;
	u64 addr;

	for (u32 i = 0; module && kernel_modules_symbol(kernel->modules, module, i, &addr, &type, name); i++)
		nr += !strcmp(name, code->name);
	return nr == 1;
}

/* A part that the compiler made has other arguments, and one of several functions of that name may have. */
static bool open_prototypes(struct prototypes *prototypes, const struct kernel *kernel,
			    const struct function_code *code)
{
	struct err err = ERR_INIT;

	*prototypes = (struct prototypes){ NULL, NULL };
	if (!kernel || !kernel->ktypes || !kernel->kallsyms || !code->start || strchr(code->name, '.'))
		return false;
	if (!*code->module) {
		prototypes->types = kernel->ktypes;
		return kallsyms_is_only(kernel->kallsyms, code->name);
	}
	if (!is_only_of_module(kernel, code) || kernel_open_module_types(kernel, code->module, &prototypes->own, &err))
		return false;
	prototypes->types = prototypes->own;
	return true;
}

static bool append_member(char path[ACCESS_PATH], const char *member)
{
	size_t len = strlen(path);
	int n = snprintf(path + len, ACCESS_PATH - len, "->%s", member);

	return n > 0 && (size_t)n < ACCESS_PATH - len;
}

/* From the argument, along the pointers that were read. */
static bool name_pointer(struct faulting_access *access, const struct kernel_btf *types, const char *function,
			 const struct origin *origin, u32 *type)
{
	s32 nr = number_of_argument(origin->reg);
	struct btf_parameter parameter;
	char member[ACCESS_PATH];

	if (nr < 0 || !kernel_btf_parameter(types, function, nr, &parameter) || !*parameter.name)
		return false;
	*type = parameter.type;
	snprintf(access->pointer, sizeof(access->pointer), "%s", parameter.name);
	for (u32 i = 0; i < origin->nr_loads; i++) {
		if (origin->loads[i] < 0 || !kernel_btf_behind(types, *type, origin->loads[i], 8, member, sizeof(member), type) ||
		    !append_member(access->pointer, member)) {
			access->pointer[0] = '\0';
			return false;
		}
	}
	return true;
}

static void name_field(struct faulting_access *access, const struct kernel_btf *types, const char *function,
		       const struct origin *origin)
{
	s64 offset = access->memory.offset + origin->plus;
	char member[ACCESS_PATH];
	u32 type;

	if (!name_pointer(access, types, function, origin, &type))
		return;
	snprintf(access->type, sizeof(access->type), "%s", kernel_btf_pointee(types, type));
	/* What is added to a pointer makes another one. */
	if (access->is_call || access->memory.index >= 0 || offset < 0 ||
	    !kernel_btf_behind(types, type, (u32)offset, access->memory.size, member, sizeof(member), &type))
		return;
	snprintf(access->field, sizeof(access->field), "%s", access->pointer);
	if (!append_member(access->field, member))
		access->field[0] = '\0';
}

/* --- the object ----------------------------------------------------------- */

/* A register that still has what the base was read from. */
static void find_object(struct faulting_access *access, const struct origins *origins, const struct origin *base,
			const struct fault_text *fault)
{
	u32 nr = base->nr_loads;

	for (s32 i = 0; nr && i < INSTRUCTION_REGISTERS; i++) {
		const struct origin *origin = &origins->of[i];
		u64 value;

		if (origin->reg != base->reg || origin->nr_loads != nr - 1 || !origin_same_loads(origin, base, nr - 1) ||
		    !value_of(fault, i, &value))
			continue;
		access->has_object = true;
		access->object_register = i;
		access->object = value;
		access->object_offset = (s64)base->loads[nr - 1] - origin->plus;
		access->called_since = base->is_before_call;
		return;
	}
}

static int trace_base(struct faulting_access *access, const struct function_code *code, const struct kernel *kernel,
		      const struct fault_text *fault, struct err *err)
{
	struct origins *origins = malloc(sizeof(*origins));
	struct prototypes prototypes = { NULL, NULL };
	const struct origin *base;
	int ret;

	if (!origins)
		return err_sys(err, "the origins of registers");
	ret = origins_find(origins, code, err);
	if (!ret && origins->of[access->memory.base].reg != INSTRUCTION_NO_REGISTER) {
		base = &origins->of[access->memory.base];
		access->is_certain = origins->are_certain;
		find_object(access, origins, base, fault);
		/* On a way that was not seen nothing may have been added: then the value has no name. */
		if (access->is_certain)
			access->pointer_value -= (s64)base->plus;
		if ((access->is_certain || !base->plus) && open_prototypes(&prototypes, kernel, code))
			name_field(access, prototypes.types, code->name, base);
		kernel_btf_close(prototypes.own);
	}
	free(origins);
	return ret;
}

/* --- a call by a pointer --------------------------------------------------- */

/* "__x86_indirect_thunk_rax" calls what RAX has. */
static s32 register_of_thunk(const struct kernel *kernel, u64 target)
{
	static const char thunk[] = "_thunk_";
	struct ksym symbol;
	const char *at;

	if (!target || !kernel->kallsyms || !kallsyms_find(kernel->kallsyms, target, &symbol) ||
	    strncmp(symbol.name, "__x86_indirect_", 15))
		return INSTRUCTION_NO_REGISTER;
	at = strstr(symbol.name, thunk);
	/* The first of them has the name of all. */
	if (at && !strcmp(at, "_thunk_array"))
		return target == symbol.start ? 0 : INSTRUCTION_NO_REGISTER;
	for (s32 i = 0; at && i < INSTRUCTION_REGISTERS; i++) {
		const char *name = instruction_register(i), *found = at + sizeof(thunk) - 1;

		/* "r8", which is R08 in the kernel's lines. */
		if (!strcasecmp(found, name) || (name[1] == '0' && found[0] == 'r' && !strcmp(found + 1, name + 2)))
			return i;
	}
	return INSTRUCTION_NO_REGISTER;
}

/* The call that ends where the function would have gone on: sets @at to it. */
static bool find_call_before(struct instruction *call, struct function_code *code)
{
	u32 at = 0;

	while (at < code->at && instruction_decode(call, code->bytes + at, code->len - at, code->start + at)) {
		if (at + call->len == code->at && call->is_call) {
			code->at = at;
			return true;
		}
		at += call->len;
	}
	return false;
}

static int trace_call(struct faulting_access *access, struct function_code *code, const struct kernel *kernel,
		      const struct fault_text *fault, struct err *err)
{
	struct instruction *call = &access->instruction;
	u64 value;

	if (!find_call_before(call, code))
		return 0;
	if (call->called == INSTRUCTION_NO_REGISTER)
		call->called = register_of_thunk(kernel, call->target);
	/* It must be what the CPU jumped to. */
	if (call->called == INSTRUCTION_NO_REGISTER || !value_of(fault, call->called, &value) ||
	    value != fault->address)
		return 0;
	access->is_call = true;
	access->memory = (struct instruction_access){ .base = call->called, .index = INSTRUCTION_NO_REGISTER };
	return trace_base(access, code, kernel, fault, err);
}

/* --- all ------------------------------------------------------------------ */

static int read_code(struct faulting_access *access, const struct function_code *code, const struct kernel *kernel,
		     const struct fault_text *fault, struct err *err)
{
	u32 at = code->at - code->from;

	access->is_decoded = instruction_decode(&access->instruction, code->bytes + at, code->len - at,
						code->start + code->at);
	choose_memory(access, code->start, fault);
	if (!access->has_memory || !access->agrees || access->memory.base < 0)
		return 0;
	return trace_base(access, code, kernel, fault, err);
}

int faulting_access_read(struct faulting_access *access, const struct kernel *kernel, const struct death *death,
			 const struct kernel_report *report, struct report_text caller, const struct fault_text *fault,
			 struct err *err)
{
	struct function_code *code;
	u32 from = 0;
	int ret = 0;

	memset(access, 0, sizeof(*access));
	/* The instruction is then KASAN's own, which looks at the shadow of what the kernel names. */
	if (!report || !instruction_can_decode() || fault_text_line(death, report, "KASAN: ", &from).text)
		return 0;
	code = malloc(sizeof(*code));
	if (!code)
		return err_sys(err, "the code of a function");
	if (fault->access == FAULT_CALL) {
		/* trace_call() asks whether the guess is one. */
		if (function_code_read_caller(code, kernel, caller.text ? caller : report->guess))
			ret = trace_call(access, code, kernel, fault, err);
	} else if (function_code_read(code, kernel, death, report)) {
		ret = read_code(access, code, kernel, fault, err);
	}
	free(code);
	return ret;
}
