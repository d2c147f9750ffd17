// SPDX-License-Identifier: GPL-2.0-or-later
#include "list_entry.h"

#include <stdio.h>
#include <string.h>

#include "access_words.h"
#include "judge/words.h"
#include "kernel_state/list_break.h"
#include "left_stack.h"
#include "linux_kernel/vmem.h"
#include "other_kind.h"
#include "overrun.h"

#define MOST_SYMBOLS	20000
#define MOST_WORDS	8192	/* of one variable */
#define WORDS_OF_LAST	64	/* of a variable whose size is not known */
#define MOST_HOLDERS	3
#define MOST_OF_OBJECT	4096	/* bytes in which heads are looked for */
#define MOST_ENTRIES	100000	/* of all lists that are walked */

u64 list_entry_words(const struct kernel *kernel, const struct kernel_module *module, u64 at, char type)
{
	const struct kernel_module_range *range;
	struct ksym symbol;
	u64 left;

	if (!strchr("dDbB", type) || at % 8)
		return 0;
	if (kernel_modules_find(kernel->modules, module, at, &symbol) && symbol.start == at && symbol.size >= 8)
		return symbol.size / 8 < MOST_WORDS ? symbol.size / 8 : MOST_WORDS;
	/* Of the last one of a section the size is not known. */
	range = kernel_module_range_at(module, at);
	left = range ? (range->start + range->size - at) / 8 : 1;
	return left < WORDS_OF_LAST ? left : WORDS_OF_LAST;
}

/* Of the variables of @module, the first that has the head of such a list. */
static bool search_module(struct list_break *found, const struct kernel *kernel, const struct kernel_module *module,
			  const struct kernel_object *object)
{
	char type, name[KALLSYMS_NAME_MAX];
	u32 left = MOST_ENTRIES;
	u64 at;

	for (u32 i = 0; i < MOST_SYMBOLS && kernel_modules_symbol(kernel->modules, module, i, &at, &type, name); i++) {
		u64 words = list_entry_words(kernel, module, at, type);

		for (u64 k = 0; k < words; k++)
			if (list_break_find(found, kernel->vmem, at + 8 * k, object->start, object->size, &left) ||
			    tree_break_find(found, kernel->vmem, at + 8 * k, object->start, object->size, &left))
				return true;
	}
	return false;
}

/* "stations of module sta_table" */
static void put_list_name(char text[KERNEL_SYMBOL_MAX], const struct explain *explain, u64 head)
{
	if (!words_symbol(explain, head, text, KERNEL_SYMBOL_MAX)) {
		snprintf(text, KERNEL_SYMBOL_MAX, "at %016llx", head);
		return;
	}
	if (strstr(text, "+0x0/"))
		text[strcspn(text, "+")] = '\0';
	else
		text[strcspn(text, "/")] = '\0';
}

void list_entry_claim(struct explain *explain, const char *place)
{
	const struct kernel *kernel = explain->kernel;
	const struct kernel_module *module;
	char list[KERNEL_SYMBOL_MAX];
	struct kernel_object object;
	struct list_break found = { 0 };
	u64 address;

	if (!kernel || !left_stack_reading(explain, &address, &module) || !kernel_object_at(kernel, address, &object) || object.state != KOBJECT_IN_USE)
		return;
	if (!search_module(&found, kernel, module, &object))
		return;
	put_list_name(list, explain, found.head);
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s used the pointer %016llx, which it had read from %016llx: the list or tree %.60s still has that for an entry, and it is none any more. It was freed without being taken out, or was written over.",
		      place, explain->access.pointer_value, object.start, list);
	finding_evidence_timeless(explain->finding, "another entry leads to %016llx, and the link back there is %016llx, which leads elsewhere; it is of cache %s, and in use",
				  found.entry, found.back, object.cache);
	finding_open(explain->finding, "Who freed the entry and left it there; who has its memory now is innocent. epitaph events '+kmem:*' records both.");
}

const struct kernel_module *list_entry_module(const struct explain *explain)
{
	const struct kernel_modules *modules = explain->kernel ? explain->kernel->modules : NULL;
	struct fault_text of = { 0 };

	if (!modules || !explain->cause || !explain->cause->place.text)
		return NULL;
	fault_text_take_module(&of, explain->cause->place);
	for (u32 i = 0; i < modules->nr; i++)
		if (*of.module && !strcmp(modules->list[i].name, of.module))
			return &modules->list[i];
	return NULL;
}

static bool search_variables(struct list_break *found, const struct kernel *kernel, const struct kernel_module *module, u64 value, u32 *left)
{
	char type, name[KALLSYMS_NAME_MAX];
	u64 at;

	for (u32 i = 0; i < MOST_SYMBOLS && kernel_modules_symbol(kernel->modules, module, i, &at, &type, name); i++) {
		u64 words = list_entry_words(kernel, module, at, type);

		for (u64 k = 0; k < words; k++)
			if (list_wild_find(found, kernel->vmem, at + 8 * k, value, left))
				return true;
	}
	return false;
}

/* In objects to which registers point. */
static bool search_objects(struct list_break *found, const struct explain *explain, u64 value, u32 *left)
{
	const struct kernel *kernel = explain->kernel;
	struct kernel_object object;

	for (u32 i = 0; i < explain->fault.nr_registers; i++) {
		if (!kernel_object_at(kernel, explain->fault.registers[i].value, &object) || object.state != KOBJECT_IN_USE)
			continue;
		for (u64 k = 0; k + 16 <= object.size && k < MOST_OF_OBJECT; k += 8)
			if (list_wild_find(found, kernel->vmem, object.start + k, value, left))
				return true;
	}
	return false;
}

/* The list leads to an entry that has the poison of list_del(), which no entry of a list has. */
static void claim_taken_out(struct explain *explain, const char *place, const char *list, const struct list_break *found, const struct kernel_object *object)
{
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s went on from an entry that has the poison of list_del(), and to which the list %.60s still leads: %016llx, in an object of cache %.40s. It was in the list twice: freed without being taken out, given out and taken out again, as a rule.",
		      place, list, found->entry, object->cache);
	finding_open(explain->finding, "Who freed it in the list: by one put too many, as a rule. Or two changed the list at once, without its lock. Who came upon it is innocent.");
}

void wild_entry_claim(struct explain *explain, const char *place)
{
	const struct kernel *kernel = explain->kernel;
	const struct kernel_module *module = list_entry_module(explain);
	struct finding *finding = explain->finding;
	char list[KERNEL_SYMBOL_MAX];
	struct kernel_object object;
	struct list_break found = { 0 };
	u32 left = MOST_ENTRIES;
	u64 value = explain->access.base, next;

	if (!module || !finding->kind ||
	    (strcmp(finding->kind, "wild-pointer") && strcmp(finding->kind, "user-pointer") && strcmp(finding->kind, "deleted-entry")) || explain->access.is_call ||
	    !access_is_traced(explain) || explain->access.memory.base < 0 || explain->access.memory.index >= 0)
		return;
	if ((!search_variables(&found, kernel, module, value, &left) && !search_objects(&found, explain, value, &left)) ||
	    !kernel_object_at(kernel, found.entry, &object) || object.state == KOBJECT_UNKNOWN || !vmem_number(kernel->vmem, found.entry, 8, &next))
		return;
	put_list_name(list, explain, found.head);
	finding_evidence_timeless(finding, "the list %.80s leads to the entry %016llx, in the object %016llx of cache %s, which is %s: its next one is %016llx",
				  list, found.entry, object.start, object.cache, object.state == KOBJECT_FREE ? "free" : "in use", next);
	if (!strcmp(finding->kind, "deleted-entry")) {
		claim_taken_out(explain, place, list, &found, &object);
		return;
	}
	if (object.state == KOBJECT_FREE) {
		finding_claim(finding, finding->kind, FINDING_LIKELY,
			      "%s used the pointer %016llx out of an entry that is free, and that the list %.60s still has: it was freed without being taken out.",
			      place, next, list);
		finding_open(finding, "Who freed the entry and left it there. epitaph events '+kmem:*' records that.");
		return;
	}
	if (other_kind_claim(explain, place, &object, found.entry, list) || overrun_claim_of(explain, place, &object, found.entry, next, module))
		return;
	finding_claim(finding, finding->kind, FINDING_LIKELY,
		      "%s used the pointer %016llx, out of an entry of the list %.60s, %016llx: that was written over, or freed without being taken out, and is another one's by now.",
		      place, next, list, found.entry);
	finding_open(finding, "Who wrote there, or who freed the entry and left it there. epitaph events '+kmem:*' records the owners.");
}

void object_variables_add(struct explain *explain)
{
	const struct kernel *kernel = explain->kernel;
	const struct kernel_module *module;
	char type, name[KALLSYMS_NAME_MAX];
	struct kernel_object object;
	u64 address, at, value;
	u32 nr = 0;

	if (!kernel || !left_stack_reading(explain, &address, &module) || !kernel_object_at(kernel, address, &object) || object.state != KOBJECT_IN_USE)
		return;
	for (u32 i = 0; i < MOST_SYMBOLS && nr < MOST_HOLDERS && kernel_modules_symbol(kernel->modules, module, i, &at, &type, name); i++) {
		u64 words = list_entry_words(kernel, module, at, type);

		for (u64 k = 0; k < words; k++) {
			if (!vmem_number(kernel->vmem, at + 8 * k, 8, &value) || value != object.start)
				continue;
			finding_evidence_timeless(explain->finding, "the module's variable %.80s has the address of that object, %016llx, of cache %s", name, object.start,
						  object.cache);
			nr++;
			break;
		}
	}
}
