// SPDX-License-Identifier: GPL-2.0-or-later
#include "function_code.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "exception_table.h"
#include "fault_text.h"
#include "linux_kernel/kept_kernel.h"
#include "veneer.h"

#define MOST_SYMBOLS	20000	/* of a module */
#define PRINTED_MAX	64	/* bytes of the line */

/**
 * struct printed_code - the line "Code:"
 * @at: which of @bytes is the instruction's first
 */
struct printed_code {
	u8 bytes[PRINTED_MAX];
	u32 len;
	u32 at;
};

static s32 hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool function_code_decode(const struct function_code *code, u32 at, struct instruction *ret)
{
	if (at >= code->len || !instruction_decode(ret, code->set, code->bytes + at, code->len - at, code->start + code->from + at))
		return false;
	ret->target = veneer_end(code->kernel, ret->target);
	return true;
}

bool function_code_is_tracer(const struct function_code *code, u32 at, const struct instruction *call)
{
	struct instruction before;

	if (!call->is_call || at > call->set->tracer_at)
		return false;
	return call->set != &instruction_set_arm64 ||
	       (at >= 4 && function_code_decode(code, at - 4, &before) && before.effect == INSTRUCTION_COPY && before.to == 9 && before.from == 30);
}

/* i386 prints its code in the same form; its instructions are others. */
static bool is_of_i386(const struct death *death, const struct kernel_report *report)
{
	u32 from = 0;

	if (fault_text_line(death, report, "EAX: ", &from).text)
		return true;
	from = 0;
	return fault_text_line(death, report, "EIP", &from).text;
}

/* "Code: d65f03c0 f9400c00 (f9400001)": words of four bytes, whose low one is the first. */
static bool read_printed_words(struct printed_code *printed, const char *at, const char *end)
{
	bool is_marked = false;

	for (printed->len = 0; !is_marked && end - at >= 8 && printed->len + 4 <= PRINTED_MAX; at++) {
		u32 word = 0;

		is_marked = *at == '(';
		at += is_marked;
		for (u32 i = 0; i < 8; i++, at++) {
			if (at == end || hex_digit(*at) < 0)
				return false;
			word = word << 4 | (u32)hex_digit(*at);
		}
		printed->at = printed->len;
		for (u32 i = 0; i < 4; i++)
			printed->bytes[printed->len++] = (u8)(word >> 8 * i);
	}
	return is_marked;
}

/* "Code: 0f 1f 44 00 00 <48> 8b 07 ..."; another architecture's words have four bytes. */
static bool read_printed(struct printed_code *printed, const struct instruction_set *set, const struct death *death,
			 const struct kernel_report *report)
{
	static const char word[] = "Code: ";
	u32 from = 0;
	struct report_text line = fault_text_line(death, report, word, &from);
	const char *at = line.text ? memmem(line.text, line.len, word, sizeof(word) - 1) : NULL;
	const char *end;
	bool is_marked = false;

	printed->len = 0;
	if (!at)
		return false;
	end = line.text + line.len;
	if (set == &instruction_set_arm64)
		return read_printed_words(printed, at + sizeof(word) - 1, end);
	for (at += sizeof(word) - 1; at + 1 < end && printed->len < PRINTED_MAX; ) {
		bool is_here = *at == '<';

		at += is_here;
		if (at + 1 >= end || hex_digit(at[0]) < 0 || hex_digit(at[1]) < 0)
			break;
		if (is_here) {
			printed->at = printed->len;
			is_marked = true;
		}
		printed->bytes[printed->len++] = (u8)(hex_digit(at[0]) << 4 | hex_digit(at[1]));
		at += 2;
		if (at < end && *at != '>' && *at != ' ')
			return false;
		while (at < end && (*at == '>' || *at == ' '))
			at++;
	}
	return is_marked;
}

/* The numbers of "name+0x5/0x10 [module]". */
static bool read_place(struct function_code *code, struct report_text place)
{
	const char *plus = place.text ? memchr(place.text, '+', place.len) : NULL;
	const char *slash = plus ? memchr(plus, '/', place.text + place.len - plus) : NULL;
	size_t len = plus ? (size_t)(plus - place.text) : 0;
	u64 at, size;

	if (!slash || !len || len >= sizeof(code->name) || slash - plus < 4 || place.text + place.len - slash < 4)
		return false;
	at = report_text_number(place, plus + 3, 16);
	size = report_text_number(place, slash + 3, 16);
	if (at >= size || size > 1U << 24)
		return false;
	memcpy(code->name, place.text, len);
	code->name[len] = '\0';
	code->at = (u32)at;
	code->size = (u32)size;
	return true;
}

static bool find_code(const struct kernel *kernel, const char *name, const char *module, u64 *ret)
{
	const struct kept_symbol *kept = kernel->kept ? kept_symbol_named(kernel, name, module) : NULL;

	if (kept)
		*ret = kept->start;
	if (kernel->kept)
		return kept;
	if (*module)
		return kernel->modules && kernel_modules_address(kernel->modules, name, ret);
	return kernel->kallsyms && kallsyms_address(kernel->kallsyms, name, ret);
}

/* Does the dump have the bytes there that were printed? Several functions may have one name. */
static bool agrees(const struct kernel *kernel, u64 ip, const struct printed_code *printed)
{
	u8 bytes[PRINTED_MAX];
	u32 nr = printed->len - printed->at;

	return vmem_get(kernel->vmem, ip, bytes, nr) && !memcmp(bytes, printed->bytes + printed->at, nr);
}

/* The symbol that has @addr. @module: the name of the module that has it; "": the kernel itself */
static bool symbol_or_kept_at(const struct kernel *kernel, u64 addr, struct ksym *symbol, char module[KMODULE_NAME_MAX])
{
	const struct kept_symbol *kept = kept_symbol_at(kernel, addr);
	const struct kernel_module *owner = kernel->modules ? kernel_modules_at(kernel->modules, addr) : NULL;

	snprintf(module, KMODULE_NAME_MAX, "%s", kept ? kept->module : owner ? owner->name : "");
	if (kept) {
		*symbol = (struct ksym){ .start = kept->start, .size = kept->size };
		memcpy(symbol->name, kept->name, sizeof(symbol->name));
		return true;
	}
	return owner ? kernel_modules_find(kernel->modules, owner, addr, symbol) : kernel->kallsyms && kallsyms_find(kernel->kallsyms, addr, symbol);
}

/* "name.cold": unlikely code, which may jump back. */
static void read_cold(struct function_code *code, const struct kernel *kernel)
{
	char name[FUNCTION_CODE_NAME + 8], module[KMODULE_NAME_MAX];
	struct ksym symbol;
	u64 start;

	code->cold_start = 0;
	code->cold_len = 0;
	snprintf(name, sizeof(name), "%s.cold", code->name);
	if (!find_code(kernel, name, code->module, &start) || !symbol_or_kept_at(kernel, start, &symbol, module) || strcmp(module, code->module))
		return;
	if (symbol.size > FUNCTION_CODE_MAX || !vmem_get(kernel->vmem, start, code->cold, symbol.size)) {
		code->is_whole = false;
		return;
	}
	code->cold_start = start;
	code->cold_len = (u32)symbol.size;
}

/*
 * Of arm64, bytes of the word in front of the next function, which points to what the tracer calls for that
 * (DYNAMIC_FTRACE_WITH_CALL_OPS): a kernel address is no pair of instructions.
 */
static u32 word_of_next(const struct function_code *code)
{
	u32 upper;

	if (code->set != &instruction_set_arm64 || code->size < 8 || (code->start + code->size) % 8)
		return 0;
	memcpy(&upper, code->bytes + code->size - 4, 4);
	return upper >> 16 == 0xffff ? 8 : 0;
}

static bool read_whole(struct function_code *code, const struct kernel *kernel, u64 start)
{
	code->set = instruction_set_of(kernel->machine);
	if (!code->set || !vmem_get(kernel->vmem, start, code->bytes, code->size))
		return false;
	code->start = start;
	code->kernel = kernel;
	code->from = 0;
	code->len = code->size - word_of_next(code);
	code->is_whole = true;
	read_cold(code, kernel);
	code->may_recover = exception_table_has(kernel, start, code->size) ||
			    (code->cold_start && exception_table_has(kernel, code->cold_start, code->cold_len));
	return true;
}

static bool read_from_dump(struct function_code *code, const struct kernel *kernel,
			   const struct printed_code *printed)
{
	u64 start;

	return kernel && code->size <= FUNCTION_CODE_MAX && find_code(kernel, code->name, code->module, &start) &&
	       agrees(kernel, start + code->at, printed) && read_whole(code, kernel, start);
}

/* As much as lies in the function. */
static void take_printed(struct function_code *code, const struct printed_code *printed)
{
	u32 before = printed->at < code->at ? printed->at : code->at;
	u32 room = code->size - (code->at - before);

	code->start = 0;
	code->kernel = NULL;
	code->may_recover = false;
	code->cold_start = 0;
	code->cold_len = 0;
	code->from = code->at - before;
	code->len = printed->len - printed->at + before;
	if (code->len > room)
		code->len = room;
	memcpy(code->bytes, printed->bytes + printed->at - before, code->len);
	code->is_whole = code->len == code->size;
}

/* Nothing was printed that could be compared: the name must lead to this module, and to one place. */
static bool is_code_of_module(const struct kernel *kernel, const struct function_code *code, u64 start)
{
	const struct kernel_module *module;
	const struct kept_symbol *kept = kept_symbol_at(kernel, start);

	if (kept)
		return kept->size == code->size;
	if (!*code->module)
		return kallsyms_is_only(kernel->kallsyms, code->name);
	module = kernel_modules_at(kernel->modules, start);
	return module && !strcmp(module->name, code->module);
}

bool function_code_read_caller(struct function_code *code, const struct kernel *kernel, struct report_text frame)
{
	struct fault_text fault = { 0 };
	u64 start;

	if (!kernel || !read_place(code, frame) || code->size > FUNCTION_CODE_MAX)
		return false;
	fault_text_take_module(&fault, frame);
	snprintf(code->module, sizeof(code->module), "%s", fault.module);
	return find_code(kernel, code->name, code->module, &start) && is_code_of_module(kernel, code, start) &&
	       read_whole(code, kernel, start);
}

/* Only arm64 has a line "pstate: ". */
static const struct instruction_set *set_of_report(const struct death *death, const struct kernel_report *report)
{
	u32 from = 0;

	return fault_text_line(death, report, "pstate: ", &from).text ? &instruction_set_arm64 : &instruction_set_x86_64;
}

bool function_code_read(struct function_code *code, const struct kernel *kernel, const struct death *death,
			const struct kernel_report *report)
{
	struct printed_code printed;
	struct fault_text fault = { 0 };
	u32 from = 0;

	code->set = set_of_report(death, report);
	/* Near the start of a module the kernel, x86-64's, cannot print what lies around. */
	if (fault_text_line(death, report, "Code: Unable to access opcode bytes", &from).text)
		return function_code_read_caller(code, kernel, report->place);
	if (!read_place(code, report->place) || is_of_i386(death, report) || !read_printed(&printed, code->set, death, report))
		return false;
	fault_text_take_module(&fault, report->place);
	snprintf(code->module, sizeof(code->module), "%s", fault.module);
	if (!read_from_dump(code, kernel, &printed))
		take_printed(code, &printed);
	return true;
}

/* The function that begins at @target, perhaps behind its endbr64 or bti; @module as that of symbol_or_kept_at(). */
static bool find_beginning(const struct kernel *kernel, u64 target, struct ksym *symbol, char module[KMODULE_NAME_MAX])
{
	if (!symbol_or_kept_at(kernel, target, symbol, module))
		return false;
	return (target == symbol->start || target == symbol->start + 4) && !strstr(symbol->name, ".cold");
}

bool function_code_read_function(struct function_code *code, const struct kernel *kernel, u64 target)
{
	char module[KMODULE_NAME_MAX];
	struct ksym symbol;

	if (!kernel || !find_beginning(kernel, target, &symbol, module) || !symbol.size || symbol.size > FUNCTION_CODE_MAX ||
	    strlen(symbol.name) >= sizeof(code->name))
		return false;
	memcpy(code->name, symbol.name, strlen(symbol.name) + 1);
	memcpy(code->module, module, sizeof(code->module));
	code->size = (u32)symbol.size;
	code->at = 0;
	return read_whole(code, kernel, symbol.start);
}

bool function_code_next(struct function_code *code, struct module_walk *walk)
{
	char type, name[KERNEL_SYMBOL_MAX];
	u64 start;

	while (walk->module && kernel_modules_symbol(walk->kernel->modules, walk->module, walk->next, &start, &type, name)) {
		walk->is_cut = walk->next >= MOST_SYMBOLS || walk->bytes >= walk->most;
		if (walk->is_cut)
			return false;
		walk->next++;
		/* What lies apart, its function says: @cold_start. */
		if ((type | ' ') != 't' || strstr(name, ".cold"))
			continue;
		if (!function_code_read_function(code, walk->kernel, start)) {
			walk->has_skipped = true;
			continue;
		}
		/* The other name of one. */
		if (code->start != start)
			continue;
		walk->bytes += code->size;
		return true;
	}
	return false;
}

bool function_code_leaves_to(const struct function_code *code, u64 target)
{
	char module[KMODULE_NAME_MAX];
	struct ksym symbol;

	return code->kernel && find_beginning(code->kernel, target, &symbol, module);
}

bool function_code_has_no_tables(const struct function_code *code)
{
	u64 thunk;

	return code->kernel && code->kernel->kallsyms && kallsyms_address(code->kernel->kallsyms, "__x86_indirect_thunk_rax", &thunk);
}
