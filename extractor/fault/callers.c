// SPDX-License-Identifier: GPL-2.0-or-later
#include "callers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instruction/built_address.h"
#include "calls.h"
#include "instruction/instruction.h"

#define MOST_SYMBOLS	20000
#define MOST_BYTES	(1U << 20)	/* of a module's code */
#define MOST_WORDS	8192		/* of one variable */

/**
 * struct call_search - what is looked for in one function
 * @last: where it was called last; negative: it was not
 * @is_taken: its address is used in another way
 */
struct call_search {
	u64 start;
	s64 last;
	bool is_taken;
};

/* How the text of an instruction has a number: of x86-64 any may have it. */
struct number_text {
	char plain[24];
	char negative[24];
};

static struct number_text number_text(u64 value)
{
	struct number_text text;

	snprintf(text.plain, sizeof(text.plain), "0x%llx", value);
	snprintf(text.negative, sizeof(text.negative), "-0x%llx", -value);
	return text;
}

static bool text_has_number(const struct instruction *one, const struct number_text *text)
{
	return strstr(one->text, text->plain) || strstr(one->text, text->negative);
}

static void search_part(struct call_search *search, const struct instruction_set *set, const u8 *bytes, u32 len, u64 ip, s64 at_most)
{
	const struct number_text number = number_text(search->start);
	struct built_addresses built = { .known = 0 };
	struct instruction one;

	for (u32 at = 0; at < len; at += one.len) {
		if (!instruction_decode(&one, set, bytes + at, len - at, ip + at)) {
			search->is_taken = true;
			return;
		}
		if ((one.is_call || one.jumps) && one.target == search->start)
			search->last = at_most >= 0 ? at_most : (s64)at;
		else if (!one.is_call && !one.jumps && (text_has_number(&one, &number) || built_addresses_names(&built, &one, search->start, 1)))
			search->is_taken = true;
		search->is_taken |= built_addresses_lose(&built, &one, search->start);
		built_addresses_step(&built, &one, INSTRUCTION_NO_REGISTER);
	}
}

/* Has the variable at @at the address? Of the last one of a section the size is not known. */
static bool variable_has(const struct kernel *kernel, const struct kernel_module *module, u64 at, u64 start)
{
	struct ksym symbol;
	u64 words = 1, value;

	if (kernel_modules_find(kernel->modules, module, at, &symbol) && symbol.start == at && symbol.size >= 8)
		words = symbol.size / 8 < MOST_WORDS ? symbol.size / 8 : MOST_WORDS;
	for (u64 i = 0; at % 8 == 0 && i < words; i++)
		if (vmem_number(kernel->vmem, at + 8 * i, 8, &value) && value == start)
			return true;
	return false;
}

static void take_one_caller(struct callers *ret, const struct function_code *code, const struct call_search *search)
{
	ret->is_open |= search->is_taken;
	if (search->last < 0)
		return;
	if (ret->nr == CALLERS_MAX)
		ret->is_open = true;
	else
		ret->list[ret->nr++] = (struct caller){ code->start, code->size, (u32)search->last };
}

bool callers_find(struct callers *ret, const struct kernel *kernel, u64 start)
{
	const struct kernel_module *module = kernel->modules ? kernel_modules_at(kernel->modules, start) : NULL;
	struct function_code *code = module && instruction_can_decode() ? malloc(sizeof(*code)) : NULL;
	struct call_search search = { .start = start };
	char type, name[KERNEL_SYMBOL_MAX];
	u32 bytes = 0;
	u64 at;

	*ret = (struct callers){ 0 };
	for (u32 i = 0; code && i < MOST_SYMBOLS && bytes < MOST_BYTES && kernel_modules_symbol(kernel->modules, module, i, &at, &type, name); i++) {
		if (strchr("dDbBrR", type)) {
			ret->is_open |= variable_has(kernel, module, at, start);
			continue;
		}
		if ((type | ' ') != 't' || !function_code_read_function(code, kernel, at) || code->start != at)
			continue;
		bytes += code->size;
		search.last = -1;
		search.is_taken = code->len < code->size;
		search_part(&search, code->set, code->bytes, code->len, code->start, -1);
		search_part(&search, code->set, code->cold, code->cold_len, code->cold_start, code->size);
		take_one_caller(ret, code, &search);
	}
	free(code);
	return code && bytes && bytes < MOST_BYTES;
}

static const char *const frees[] = {
	"kfree", "kfree_sensitive", "kvfree", "kmem_cache_free", "kvfree_call_rcu", "devm_kfree", "kfree_const", "kmem_cache_free_bulk", NULL,
};

static const char *const cancels[] = {
	"del_timer", "del_timer_sync", "timer_delete", "timer_delete_sync", "timer_shutdown", "timer_shutdown_sync", "try_to_del_timer_sync",
	"timer_delete_sync_try", NULL,
};

static const char *const puts_files[] = { "fput", "__fput_sync", NULL };

enum naming { NAMES_NOT, NAMES, NAMES_PERHAPS };

static enum naming part_names_head(const struct instruction_set *set, const u8 *bytes, u32 len, u64 ip, u64 address)
{
	const struct number_text number = number_text(address);
	struct built_addresses built = { .known = 0 };
	struct instruction one;
	bool perhaps = false;

	for (u32 at = 0; at < len && instruction_decode(&one, set, bytes + at, len - at, ip + at); at += one.len) {
		if (text_has_number(&one, &number) || built_addresses_names(&built, &one, address, 9))
			return NAMES;
		perhaps |= built_addresses_lose(&built, &one, address);
		built_addresses_step(&built, &one, INSTRUCTION_NO_REGISTER);
	}
	return perhaps ? NAMES_PERHAPS : NAMES_NOT;
}

/* What a function must do to be named; @address: of a head, 0: it calls one of @calls */
static enum naming is_wanted(const struct function_code *code, u64 address, const char *const *calls)
{
	enum naming own, apart;

	if (!address)
		return calls_one_of(code, calls) ? NAMES : NAMES_NOT;
	own = part_names_head(code->set, code->bytes, code->len, code->start, address);
	apart = part_names_head(code->set, code->cold, code->cold_len, code->cold_start, address);
	return own == NAMES || apart == NAMES ? NAMES : own != NAMES_NOT ? own : apart;
}

static bool name_functions(struct named_functions *ret, const struct kernel *kernel, const struct kernel_module *module, u64 address,
			   const char *const *calls)
{
	struct function_code *code = instruction_can_decode() ? malloc(sizeof(*code)) : NULL;
	char type, name[KERNEL_SYMBOL_MAX];
	enum naming naming;
	bool is_open = false;
	u32 bytes = 0;
	u64 at;

	*ret = (struct named_functions){ 0 };
	for (u32 i = 0; code && i < MOST_SYMBOLS && bytes < MOST_BYTES && kernel_modules_symbol(kernel->modules, module, i, &at, &type, name); i++) {
		if ((type | ' ') != 't' || !strcmp(name, "cleanup_module") || !function_code_read_function(code, kernel, at) || code->start != at)
			continue;
		bytes += code->size;
		naming = is_wanted(code, address, calls);
		is_open |= naming == NAMES_PERHAPS;
		if (naming != NAMES)
			continue;
		if (ret->nr < CALLERS_NAMED)
			snprintf(ret->names[ret->nr], sizeof(ret->names[0]), "%.80s+0x0/0x%x [%.60s]", code->name, code->size, code->module);
		ret->nr++;
	}
	free(code);
	return bytes && bytes < MOST_BYTES && !is_open;
}

bool callers_freeing(struct named_functions *ret, const struct kernel *kernel, const struct kernel_module *module)
{
	return name_functions(ret, kernel, module, 0, frees);
}

bool callers_cancelling(struct named_functions *ret, const struct kernel *kernel, const struct kernel_module *module)
{
	return name_functions(ret, kernel, module, 0, cancels);
}

bool callers_putting_files(struct named_functions *ret, const struct kernel *kernel, const struct kernel_module *module)
{
	return name_functions(ret, kernel, module, 0, puts_files);
}

bool callers_of_head(struct named_functions *ret, const struct kernel *kernel, const struct kernel_module *module, u64 address)
{
	return name_functions(ret, kernel, module, address, NULL);
}
