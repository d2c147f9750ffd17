// SPDX-License-Identifier: GPL-2.0-or-later
#include "faulting_access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "function_code.h"
#include "last_load.h"
#include "origins.h"
#include "tail_jump.h"
#include "veneer.h"

/* --- registers ------------------------------------------------------------ */

static bool value_of(const struct instruction_set *set, const struct fault_text *fault, s32 number, u64 *ret)
{
	const char *name = instruction_register(set, number);

	return *name && fault_text_register(fault, name, ret);
}

#define MOST_MEMBER	4096	/* bytes of an object up to a member */
#define MOST_GIVERS	4	/* that hand over what they were given */
#define MOST_XSAVE	16384	/* AMX has 8 KiB, all else less than 4: Intel's manual, volume 1, chapter 13 */

/* How many of them it uses. What XSAVE and its like do depends on the CPU. */
static u64 bytes_used(const struct instruction *instruction, const struct instruction_access *memory)
{
	if (!strncmp(instruction->text, "xsave", 5) || !strncmp(instruction->text, "xrstor", 6))
		return MOST_XSAVE;
	return memory->size ?: 1;
}

/*
 * @address without a tag, to compare with what the kernel printed. arm64 may have one in the top byte, as KASAN does, and prints an
 * address with it or without.
 */
static u64 address_printed(const struct instruction_set *set, u64 address)
{
	return set == &instruction_set_arm64 ? (u64)((s64)(address << 8) >> 8) : address;
}

/* The address of one of the instruction's accesses. */
static bool calculate(struct faulting_access *access, const struct instruction_access *memory, bool has_place,
		      const struct fault_text *fault)
{
	const struct instruction_set *set = access->instruction.set;
	u64 base = 0, index = 0;

	/* What is relative to the instruction is only known where that is. */
	if (memory->is_relative || (memory->is_absolute && !has_place) || (memory->base >= 0 && !value_of(set, fault, memory->base, &base)) ||
	    (memory->index >= 0 && !value_of(set, fault, memory->index, &index)))
		return false;
	access->has_memory = true;
	access->memory = *memory;
	access->base = base;
	index = memory->index_as == INDEX_UNSIGNED_HALF ? (u32)index : memory->index_as == INDEX_SIGNED_HALF ? (u64)(s64)(s32)index : index;
	access->index = index;
	access->pointer_value = base;
	access->address = base + index * memory->scale + (u64)memory->offset;
	/* What crosses into a page that is not there faults at the page's first byte. */
	access->agrees = !fault->has_address ||
			 address_printed(set, fault->address) - address_printed(set, access->address) < bytes_used(&access->instruction, memory);
	return true;
}

/* Of two accesses of an instruction, the one that the kernel names. */
static void choose_memory(struct faulting_access *access, bool has_place, const struct fault_text *fault)
{
	for (u32 i = 0; i < access->instruction.nr_accesses && !(access->has_memory && access->agrees); i++)
		calculate(access, &access->instruction.accesses[i], has_place, fault);
}

/* --- names ---------------------------------------------------------------- */

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
	/* The kernel's own function of that name has a task as its first argument. */
	bool is_current = origin->reg == ORIGIN_CURRENT;
	s32 nr = is_current ? 0 : instruction_argument(access->instruction.set, origin->reg);
	struct btf_parameter parameter;
	char member[ACCESS_PATH];

	if (nr < 0 || !kernel_btf_parameter(types, is_current ? "wake_up_process" : function, nr, &parameter) || !*parameter.name)
		return false;
	*type = parameter.type;
	snprintf(access->pointer, sizeof(access->pointer), "%s", is_current ? "current" : parameter.name);
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

/**
 * struct holder - a register that has what was read on the way to the base, or lies beside it
 * @number: of the register
 * @value: of it
 * @plus: so much is added in it to what was read
 */
struct holder {
	s32 number;
	u64 value;
	s32 plus;
};

/* One that has what the first @nr loads of @base came to. */
static bool find_holder(struct holder *holder, const struct origins *origins, const struct origin *base, u32 nr,
			const struct fault_text *fault)
{
	for (s32 i = 0; i < INSTRUCTION_REGISTERS; i++) {
		const struct origin *origin = &origins->of[i];

		if (origin->nr_loads != nr || !origin_same_loads(origin, base, nr) ||
		    !value_of(origins->set, fault, i, &holder->value))
			continue;
		holder->number = i;
		holder->plus = origin->plus;
		return true;
	}
	return false;
}

/*
 * Is the pointer still where it was read from? Then memory has the rest of the way, from a register that has
 * its start.
 */
static void find_source_in_memory(struct faulting_access *access, const struct origins *origins, const struct origin *base,
				  const struct kernel *kernel, const struct fault_text *fault, bool is_of_dump)
{
	u32 last = base->nr_loads - 1U, nr = last;
	struct holder holder;
	u64 object, value;
	bool is_held = false;

	while (nr && !is_held)
		is_held = find_holder(&holder, origins, base, --nr, fault);
	if (!is_held && base->reg == ORIGIN_ADDRESS && is_of_dump) {
		holder = (struct holder){ .number = INSTRUCTION_NO_REGISTER, .value = base->address };
		is_held = true;
	}
	if (!is_held || !kernel)
		return;
	object = holder.value - (s64)holder.plus;
	for (u32 i = nr; i < last; i++)
		if (!vmem_number(kernel->vmem, object + (s64)base->loads[i], 8, &object))
			return;
	if (!vmem_number(kernel->vmem, object + (s64)base->loads[last], 8, &value) ||
	    value != access->pointer_value - (s64)base->plus)
		return;
	access->has_object = last || holder.number >= 0;
	access->variable = holder.number < 0 ? base->address + (s64)base->loads[0] : 0;
	access->object_register = holder.number;
	access->object = object;
	access->object_offset = base->loads[last];
	access->called_since = base->is_before_call;
	access->nr_hops = last - nr;
	access->start = holder.value;
	access->start_offset = (s64)base->loads[nr] - holder.plus;
}

/* What the base was read from: a register may still have it. */
static void find_source(struct faulting_access *access, const struct origins *origins, const struct origin *base,
			const struct kernel *kernel, const struct fault_text *fault, bool is_of_dump)
{
	u32 nr = base->nr_loads;
	struct holder holder;

	if (!nr)
		return;
	if (!find_holder(&holder, origins, base, nr - 1, fault)) {
		find_source_in_memory(access, origins, base, kernel, fault, is_of_dump);
		return;
	}
	access->has_object = true;
	access->object_register = holder.number;
	access->object = holder.value;
	access->object_offset = (s64)base->loads[nr - 1] - holder.plus;
	access->called_since = base->is_before_call;
}

/* Names what @origin is of, by the types that fit. */
static void name_by_types(struct faulting_access *access, const struct function_code *code, const struct kernel *kernel, const struct origin *origin)
{
	struct prototypes prototypes = { NULL, NULL };

	if (origin->reg == ORIGIN_CURRENT && kernel && kernel->ktypes)
		name_field(access, kernel->ktypes, code->name, origin);
	else if (open_prototypes(&prototypes, kernel, code))
		name_field(access, prototypes.types, code->name, origin);
	kernel_btf_close(prototypes.own);
}

static void take_member(struct faulting_access *access, const struct origin *origin, u64 reader)
{
	if (!origin->nr_loads || (origin->nr_loads == 1 && origin->reg == ORIGIN_ADDRESS))
		return;
	access->has_member = true;
	access->member = origin->loads[origin->nr_loads - 1];
	access->member_at = *origin;
	access->member_at.nr_loads--;
	access->member_at.plus = (s32)access->member;
	access->reader = reader;
}

/*
 * The function at @target returned the pointer. Code in assembler may be called for something else, and keeps the register or not: the
 * thunks of jumps by a register, static calls, what copies to user space, what a sanitizer or a tracer puts in.
 */
static void take_result(struct faulting_access *access, const struct kernel *kernel, u64 target)
{
	static const char *const own[] = { "__x86_", "__SCT__", "preempt_schedule", "__fentry__", "mcount", "ftrace_", "stackleak_", "__put_user_", "__get_user_",
					   "clear_page", "copy_page", "copy_user_", "rep_", "__sanitizer_", "__asan_", "__tsan_", "__msan_" };
	char name[ACCESS_PLACE];

	if (!kernel_symbol(kernel, veneer_end(kernel, target), name, sizeof(name)) || !strstr(name, "+0x0/"))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		if (!strncmp(name, own[i], strlen(own[i])))
			return;
	snprintf(access->returned_by, sizeof(access->returned_by), "%s", name);
}

/* What the caller gave in register @reg is a NULL pointer, and @origin->plus behind it. */
static void take_given(struct faulting_access *access, const struct function_code *code, const struct kernel *kernel,
		       struct report_text caller, const struct origin *origin)
{
	struct faulting_access named = { .instruction.set = code->set, .memory = { .index = INSTRUCTION_NO_REGISTER } };

	access->is_given_null = true;
	snprintf(access->giver, sizeof(access->giver), "%.*s", (int)caller.len, caller.text);
	name_by_types(&named, code, kernel, origin);
	snprintf(access->given, sizeof(access->given), "%s", named.pointer);
	access->is_given_pointer = *named.type;
	take_member(access, origin, code->start);
}

static bool is_bad_value(u64 value)
{
	return value < MOST_MEMBER || value >= -4095ULL;
}

/*
 * The function was given the pointer in register @reg, and it is a small number, NULL, or an error number: is that a NULL pointer of its
 * caller's, to which the caller added that number, or which pointer has the caller read? One that only hands over what it was given itself
 * is passed. @code becomes that of the caller.
 */
static int trace_given(struct faulting_access *access, struct function_code *code, const struct kernel *kernel,
		       const struct kernel_report *report, s32 reg, struct err *err)
{
	struct origins *origins = malloc(sizeof(*origins));
	int ret = 0;

	if (!origins)
		return err_sys(err, "the origins of registers");
	for (u32 i = 0; !ret && i < report->nr_frames && i < MOST_GIVERS; i++) {
		const struct origin *origin = &origins->of[reg];
		struct instruction call;
		u64 called = code->start;

		if (!function_code_read_caller(code, kernel, report->frames[i]) || !tail_jump_call_before(&call, code) || call.target != called)
			break;
		ret = origins_find(origins, code, err);
		if (ret || !origins->are_certain || origin->reg == INSTRUCTION_NO_REGISTER)
			break;
		if (access->pointer_value >= -4095ULL && !origin->plus && origin->nr_loads) {
			take_member(access, origin, code->start);
			snprintf(access->giver, sizeof(access->giver), "%.*s", (int)report->frames[i].len, report->frames[i].text);
		}
		if (access->pointer_value >= -4095ULL ? origin->plus || origin->nr_loads : (u64)(s64)origin->plus != access->pointer_value)
			break;
		if (origin->nr_loads || (access->pointer_value - 1 < MOST_MEMBER && origin->reg < INSTRUCTION_REGISTERS)) {
			take_given(access, code, kernel, report->frames[i], origin);
			break;
		}
		if (access->pointer_value - 1 < MOST_MEMBER || origin->reg >= INSTRUCTION_REGISTERS)
			break;
		reg = origin->reg;
	}
	free(origins);
	return ret;
}

/*
 * No way alone leads there, as in a loop that moves the pointer on. What was read last in the order of the code is it all the same, if memory
 * has that very pointer there still. Zeros are everywhere.
 */
static void take_last_load(struct faulting_access *access, const struct function_code *code, const struct kernel *kernel, const struct fault_text *fault)
{
	u64 object, here;
	s64 offset;
	s32 from;

	if (!kernel || !code->start || is_bad_value(access->pointer_value) || !last_load_find(code, access->memory.base, &from, &offset) ||
	    !value_of(code->set, fault, from, &object) || !vmem_number(kernel->vmem, object + (u64)offset, 8, &here) || here != access->pointer_value)
		return;
	access->has_object = access->is_certain = true;
	access->object_register = from;
	access->object = object;
	access->object_offset = offset;
}

static int trace_base(struct faulting_access *access, const struct function_code *code, const struct kernel *kernel,
		      const struct fault_text *fault, s32 *given, struct err *err)
{
	struct origins *origins = malloc(sizeof(*origins));
	const struct origin *base;
	int ret;

	if (!origins)
		return err_sys(err, "the origins of registers");
	ret = origins_find(origins, code, err);
	if (!ret && origins->of[access->memory.base].reg != INSTRUCTION_NO_REGISTER) {
		base = &origins->of[access->memory.base];
		access->is_certain = origins->are_certain;
		find_source(access, origins, base, kernel, fault, code->start);
		/* On a way that was not seen nothing may have been added: then the value has no name. */
		if (access->is_certain)
			access->pointer_value -= (s64)base->plus;
		if (access->is_certain || !base->plus)
			name_by_types(access, code, kernel, base);
		if (access->is_certain)
			take_member(access, base, code->start);
		if (access->is_certain && kernel && base->reg == ORIGIN_RESULT && !base->nr_loads)
			take_result(access, kernel, base->address);
		if (given && access->is_certain && !base->nr_loads && base->reg < INSTRUCTION_REGISTERS)
			*given = base->reg;
	} else if (!ret && !access->is_call) {
		take_last_load(access, code, kernel, fault);
	}
	free(origins);
	return ret;
}

/* --- a call by a pointer --------------------------------------------------- */

/* What called or jumped: @access->instruction, at the place where @code is. */
static int trace_register(struct faulting_access *access, const struct function_code *code, const struct kernel *kernel,
			  const struct fault_text *fault, struct err *err)
{
	access->is_call = true;
	access->memory = (struct instruction_access){ .base = access->instruction.called, .index = INSTRUCTION_NO_REGISTER };
	access->pointer_value = fault->address;
	return trace_base(access, code, kernel, fault, NULL, err);
}

/* The function that was called came to its end by a jump. */
static int trace_tail(struct faulting_access *access, struct function_code *code, const struct kernel *kernel,
		      const struct fault_text *fault, struct err *err)
{
	struct tail_jump tail;

	if (!tail_jump_find(&tail, code, access->instruction.target, kernel, fault)) {
		if (function_code_read_function(code, kernel, access->instruction.target))
			snprintf(access->tail, sizeof(access->tail), "%s", code->name);
		return 0;
	}
	access->instruction = tail.jump;
	access->is_sure_jump = tail.is_sure;
	snprintf(access->jumped_at, sizeof(access->jumped_at), "%s+0x%x/0x%x%s%s%s", code->name, code->at, code->size,
		 *code->module ? " [" : "", code->module, *code->module ? "]" : "");
	if (tail.is_alone)
		return trace_register(access, code, kernel, fault, err);
	access->is_call = true;
	access->memory = (struct instruction_access){ .base = tail.jump.called, .index = INSTRUCTION_NO_REGISTER };
	return 0;
}

static int trace_call(struct faulting_access *access, struct function_code *code, const struct kernel *kernel,
		      const struct fault_text *fault, struct err *err)
{
	struct instruction *call = &access->instruction;
	u64 value;

	if (!tail_jump_call_before(call, code))
		return 0;
	call->called = tail_jump_register(kernel, call);
	if (call->called == INSTRUCTION_NO_REGISTER && call->target)
		return trace_tail(access, code, kernel, fault, err);
	/* It must be what the CPU jumped to. */
	if (call->called == INSTRUCTION_NO_REGISTER || !value_of(call->set, fault, call->called, &value) ||
	    value != fault->address)
		return 0;
	return trace_register(access, code, kernel, fault, err);
}

/* --- all ------------------------------------------------------------------ */

static int read_code(struct faulting_access *access, struct function_code *code, const struct kernel *kernel,
		     const struct kernel_report *report, const struct fault_text *fault, struct err *err)
{
	u32 at = code->at - code->from;
	s32 given = INSTRUCTION_NO_REGISTER;
	int ret;

	access->is_decoded = instruction_decode(&access->instruction, code->set, code->bytes + at, code->len - at,
						code->start + code->at);
	choose_memory(access, code->start, fault);
	if (!access->has_memory || !access->agrees || access->memory.base < 0)
		return 0;
	ret = trace_base(access, code, kernel, fault, &given, err);
	if (!ret && given >= 0 && kernel && code->start && is_bad_value(access->pointer_value))
		ret = trace_given(access, code, kernel, report, given, err);
	return ret;
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
		ret = read_code(access, code, kernel, report, fault, err);
	}
	free(code);
	return ret;
}
