// SPDX-License-Identifier: GPL-2.0-or-later
#include "list_entry.h"

#include <stdio.h>
#include <string.h>

#include "access_words.h"
#include "judge/words.h"
#include "kernel_state/list_break.h"
#include "left_stack.h"
#include "linux_kernel/vmem.h"

#define MOST_SYMBOLS	20000
#define MOST_WORDS	8192	/* of one variable */
#define MOST_HOLDERS	3
#define MOST_ENTRIES	100000	/* of all lists that are walked */

/* How many words the variable at @at has, the of the kind @type; 0: that is none. */
static u64 words_of_variable(const struct kernel *kernel, const struct kernel_module *module, u64 at, char type)
{
	struct ksym symbol;

	if (!strchr("dDbB", type) || at % 8)
		return 0;
	/* Of the last one of a section the size is not known. */
	if (kernel_modules_find(kernel->modules, module, at, &symbol) && symbol.start == at && symbol.size >= 8)
		return symbol.size / 8 < MOST_WORDS ? symbol.size / 8 : MOST_WORDS;
	return 1;
}

/* Of the variables of @module, the first that has the head of such a list. */
static bool search_module(struct list_break *found, const struct kernel *kernel, const struct kernel_module *module,
			  const struct kernel_object *object)
{
	char type, name[KALLSYMS_NAME_MAX];
	u32 left = MOST_ENTRIES;
	u64 at;

	for (u32 i = 0; i < MOST_SYMBOLS && kernel_modules_symbol(kernel->modules, module, i, &at, &type, name); i++) {
		u64 words = words_of_variable(kernel, module, at, type);

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
	const struct kernel *kernel = explain->pm->kernel;
	const struct kernel_module *module;
	char list[KERNEL_SYMBOL_MAX];
	struct kernel_object object;
	struct list_break found;
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

void object_variables_add(struct explain *explain)
{
	const struct kernel *kernel = explain->pm->kernel;
	const struct kernel_module *module;
	char type, name[KALLSYMS_NAME_MAX];
	struct kernel_object object;
	u64 address, at, value;
	u32 nr = 0;

	if (!kernel || !left_stack_reading(explain, &address, &module) || !kernel_object_at(kernel, address, &object) || object.state != KOBJECT_IN_USE)
		return;
	for (u32 i = 0; i < MOST_SYMBOLS && nr < MOST_HOLDERS && kernel_modules_symbol(kernel->modules, module, i, &at, &type, name); i++) {
		u64 words = words_of_variable(kernel, module, at, type);

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
