// SPDX-License-Identifier: GPL-2.0-or-later
#include "module_area.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/words.h"
#include "linux_kernel/vmem.h"

/* arch/x86/include/asm/pgtable_64_types.h, with CONFIG_RANDOMIZE_BASE. */
#define AREA_START	0xffffffffc0000000ULL
#define AREA_END	0xfffffffffefff000ULL
#define MOST_SYMBOLS	20000

/* "name(OE)" of "Modules linked in: ... [last unloaded: name(OE)]"; a text of NULL: none was. */
static struct report_text last_unloaded(const struct explain *explain)
{
	static const char word[] = "[last unloaded: ";
	u32 from = 0;
	struct report_text line = fault_text_line(explain->death, explain->cause, "Modules linked in:", &from);
	const char *at = line.text ? memmem(line.text, line.len, word, sizeof(word) - 1) : NULL, *end;
	struct report_text name = { NULL, 0 };

	if (!at)
		return name;
	end = line.text + line.len;
	name.text = at + sizeof(word) - 1;
	while (name.text + name.len < end && !strchr("(]: ", name.text[name.len]))
		name.len++;
	return name;
}

/* When it was unloaded, by the trace: ", unloaded 0.026 s before the end". */
static void put_when(char when[64], const struct explain *explain, struct report_text name)
{
	const struct history *history = &explain->history;
	u64 end = explain->pm->end.time;

	snprintf(when, 64, ", which was unloaded");
	for (u32 i = history->nr_modules; i--; ) {
		const struct history_module *module = &history->modules[i];
		u64 ns = end > module->time ? end - module->time : 0;

		if (strlen(module->name) != name.len || memcmp(module->name, name.text, name.len))
			continue;
		if (module->is_gone)
			snprintf(when, 64, ", unloaded %llu.%03llu s before the end", ns / 1000000000, ns / 1000000 % 1000);
		return;
	}
}

#define PAGE		4096ULL
#define AROUND		1024	/* an entry of a list is in a structure */
#define MOST_DATA	(256ULL << 20)

/* Has the kernel's loader of modules a pointer there, which it never takes back? */
static bool is_of_loading(const struct kernel *kernel, u64 address)
{
	static const char *const variables[] = { "cur_orc_table", "cur_orc_ip_table", "mod_tree", "module_addr_min", "module_addr_max", NULL };
	char symbol[KERNEL_SYMBOL_MAX];

	return kernel_symbol(kernel, address, symbol, sizeof(symbol)) && plumbing_begins(symbol, variables);
}

/* The first word between two symbols that points to what lies around @address; 0: none does. */
static u64 find_pointer(const struct kernel *kernel, const char *from, const char *to, u64 address)
{
	u64 start, end, found = 0;
	u64 *words = NULL;

	if (!kallsyms_address(kernel->kallsyms, from, &start) || !kallsyms_address(kernel->kallsyms, to, &end) || start & 7 || end < start ||
	    end - start > MOST_DATA)
		return 0;
	words = malloc(PAGE);
	for (u64 at = start; words && at < end && !found; at = (at | (PAGE - 1)) + 1) {
		u64 len = (at | (PAGE - 1)) + 1 - at;

		if (!vmem_get(kernel->vmem, at, words, len))
			continue;
		for (u64 i = 0; i < len / 8 && !found; i++)
			if (words[i] - (address - AROUND) < 2 * AROUND && at + i * 8 < end && !is_of_loading(kernel, at + i * 8))
				found = at + i * 8;
	}
	free(words);
	return found;
}

/* Do all modules that came or went in the trace have that name, and did the last one go? */
static bool is_only_gone(const struct history *history, struct report_text name)
{
	bool is_gone = false;

	for (u32 i = 0; i < history->nr_modules; i++) {
		const struct history_module *module = &history->modules[i];

		if (strlen(module->name) != name.len || memcmp(module->name, name.text, name.len))
			return false;
		is_gone = module->is_gone;
	}
	return is_gone;
}

/* Is no page at the address, by the dump? */
static bool has_no_page(const struct kernel *kernel, u64 address)
{
	u64 paddr;

	return !vmem_translate(kernel->vmem, address & ~(PAGE - 1), &paddr) && vmem_lack(kernel->vmem) == VMEM_UNMAPPED;
}

/* An object in use has the pointer, not a variable. */
static bool claim_kept(struct explain *explain, struct report_text name, const char *when)
{
	const struct faulting_access *access = &explain->access;

	if (!explain->kernel || !access->has_object || !access->is_certain || !access->agrees || !explain->has_slab ||
	    explain->slab.state != KOBJECT_IN_USE || !is_only_gone(&explain->history, name) || !has_no_page(explain->kernel, explain->fault.address))
		return false;
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s of an object of cache %s, which is in use, still points to memory of a module that is gone, %016llx: %.*s%s.",
		      *access->pointer ? access->pointer : "A pointer", explain->slab.cache, access->pointer_value, WORDS(name), when);
	if (strstr(access->pointer, "->f_op"))
		finding_open(explain->finding, "Which file of it was open. Without .owner = THIS_MODULE in its file_operations a module can be unloaded while its files are open. Who uses the file is innocent.");
	else
		finding_open(explain->finding, "Why the module went before that object. Who came upon it is innocent.");
	return true;
}

/* A variable of the kernel points there still: what was registered there is gone with its module. */
static bool claim_registered(struct explain *explain, struct report_text name, const char *when)
{
	const struct kernel *kernel = explain->kernel;
	char symbol[KERNEL_SYMBOL_MAX];
	u64 at;

	if (!kernel || !kernel->kallsyms || explain->fault.access == FAULT_CALL || !has_no_page(kernel, explain->fault.address))
		return false;
	at = find_pointer(kernel, "_sdata", "_edata", explain->fault.address) ?: find_pointer(kernel, "__bss_start", "__bss_stop", explain->fault.address);
	if (!at || !kernel_symbol(kernel, at, symbol, sizeof(symbol)))
		return false;
	symbol[strcspn(symbol, "+")] = '\0';
	finding_evidence_timeless(explain->finding, "the kernel's variable %.60s, at %016llx, points there", symbol, at);
	if (!is_only_gone(&explain->history, name))
		return false;
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "The kernel's variable %.60s still points to memory of a module that is gone, %016llx: %.*s%s, did not take back what it had registered there.", symbol,
		      explain->fault.address, WORDS(name), when);
	finding_open(explain->finding, "Whether a module that is loaded registered data of its start there (__initdata). Who came upon it is innocent.");
	return true;
}

void module_area_add(struct explain *explain)
{
	const struct fault_text *fault = &explain->fault;
	const struct kernel *kernel = explain->kernel;
	struct report_text name;
	char when[64], symbol[KERNEL_SYMBOL_MAX];

	if (!fault->has_address || fault->address < AREA_START || fault->address >= AREA_END ||
	    (kernel && kernel_symbol(kernel, fault->address, symbol, sizeof(symbol))))
		return;
	name = last_unloaded(explain);
	if (!name.len)
		return;
	put_when(when, explain, name);
	if (claim_kept(explain, name, when) || claim_registered(explain, name, when))
		return;
	finding_open(explain->finding,
		     "Modules lie there. Perhaps %.*s did%s; or it is __init of one, or a broken pointer.",
		     WORDS(name), when);
}

/* --- memory that another module has since ------------------------------------------ */

/*
 * Of an address in a module's own struct module: a pointer or a number is there by the kernel's types, where no other structure begins. The
 * kernel has lists, a kobject and more in others of its members.
 */
static bool is_plain_member(const struct kernel *kernel, const struct kernel_module *module, u64 address)
{
	struct btf_parameter parameter;
	char member[80];
	u32 type;

	if (!kernel->ktypes || address < module->va || !kernel_btf_parameter(kernel->ktypes, "module_put", 0, &parameter))
		return false;
	type = parameter.type;
	for (u32 size = 8; size >= 4; size -= 4)
		if (kernel_btf_behind(kernel->ktypes, parameter.type, (u32)(address - module->va), size, member, sizeof(member), &type))
			return !strpbrk(member, ".[");
	return false;
}

/* Has the module variables, by its symbols, and none at @address? */
static bool is_no_variable(const struct kernel *kernel, const struct kernel_module *module, u64 address)
{
	const struct kernel_modules *modules = kernel->modules;
	char type, name[KALLSYMS_NAME_MAX];
	struct ksym symbol;
	u32 nr = 0;
	u64 at;

	for (u32 i = 0; i < MOST_SYMBOLS && kernel_modules_symbol(modules, module, i, &at, &type, name); i++)
		nr += strchr("dDbB", type) && strcmp(name, "__this_module");
	if (!nr)
		return false;
	if (!kernel_modules_find(modules, module, address, &symbol) || address - symbol.start >= symbol.size)
		return true;
	return !strcmp(symbol.name, "__this_module") && is_plain_member(kernel, module, address);
}

/* The only module that was unloaded in the trace, before @name was loaded; NULL: there is none, or more. */
static const struct history_module *gone_before(const struct history *history, const char *name)
{
	const struct history_module *gone = NULL;
	u64 loaded = 0;
	u32 nr = 0;

	for (u32 i = 0; i < history->nr_modules; i++) {
		const struct history_module *module = &history->modules[i];

		if (!module->is_gone && !strcmp(module->name, name))
			loaded = module->time;
		if (!module->is_gone)
			continue;
		gone = module;
		nr++;
	}
	return nr == 1 && loaded && gone->time < loaded ? gone : NULL;
}

void module_area_claim_left(struct explain *explain, const char *place)
{
	const struct kernel *kernel = explain->kernel;
	const struct faulting_access *access = &explain->access;
	const struct history_module *gone = NULL;
	const struct kernel_module *now = NULL;
	u64 end = explain->pm->end.time, ns;

	if (*explain->fault.module || !kernel || !kernel->modules || !access->has_object || access->object < AREA_START || access->object >= AREA_END)
		return;
	now = kernel_modules_at(kernel->modules, access->object);
	if (now && is_no_variable(kernel, now, access->object))
		gone = gone_before(&explain->history, now->name);
	if (!gone)
		return;
	ns = end > gone->time ? end - gone->time : 0;
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s followed a pointer out of %016llx, where module %.60s has no variable: it is of module %.60s, which had that memory before, was unloaded %llu.%03llu s before the end, and did not take back what it had registered.",
		      place, access->object, now->name, gone->name, ns / 1000000000, ns / 1000000 % 1000);
	finding_open(explain->finding, "What it had registered: its exit function lacks the counterpart. The module %.60s, and who came upon it, are innocent.", now->name);
}
