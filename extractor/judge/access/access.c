// SPDX-License-Identifier: GPL-2.0-or-later
/* Accesses by pointers that were NULL, freed, poisoned or wild. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "access_words.h"
#include "bad_call.h"
#include "base/kernel_half.h"
#include "failed_allocation.h"
#include "free_link.h"
#include "free_list.h"
#include "freeing.h"
#include "judge/left_frame.h"
#include "judge/lost_item.h"
#include "judge/object_events.h"
#include "judge/other_member.h"
#include "judge/unset_timer.h"
#include "linux_kernel/vmem.h"
#include "module_area.h"
#include "left_stack.h"
#include "list_entry.h"
#include "misfree.h"
#include "null_pointer.h"
#include "other_kind.h"
#include "overrun.h"
#include "pointer_bytes.h"
#include "protection.h"
#include "vmalloc_area.h"
#include "judge/words.h"

#define MOST_APART_NS	(600ULL * 1000000000)	/* a time that was taken for a pointer, from the end */
#define SMALL	0x10000ULL

/* --- the evidence of the instruction -------------------------------------- */

/* Registers that may have been the pointer itself: the address is a field behind their value. */
static void guess_registers(struct explain *explain)
{
	const struct fault_text *fault = &explain->fault;

	for (u32 i = 0; i < fault->nr_registers; i++) {
		const struct fault_register *reg = &fault->registers[i];

		if (strcmp(reg->name, "CR2") && reg->value >= ADDRESS_PAGE && reg->value <= fault->address &&
		    fault->address - reg->value < ADDRESS_PAGE)
			finding_evidence_timeless(explain->finding, "the address is %s (%016llx) + 0x%llx", reg->name,
						  reg->value, fault->address - reg->value);
	}
}

/* "0x8", "-0x8" */
static void put_offset(char text[24], s64 offset)
{
	snprintf(text, 24, "%s0x%llx", offset < 0 ? "-" : "", offset < 0 ? -(u64)offset : (u64)offset);
}

/* Where the way to the object begins: "at 0x8 of ffff888003f1c180, which RDI has", "in chain+0x8/0x10 [module]" */
static void put_way(char text[KERNEL_SYMBOL_MAX], const struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	char offset[24];

	put_offset(offset, access->start_offset);
	if (!access->variable)
		snprintf(text, KERNEL_SYMBOL_MAX, "at %s of %016llx, which %s has", offset, access->start,
			 instruction_register(access->instruction.set, access->object_register));
	else if (words_symbol(explain, access->variable, text + 3, KERNEL_SYMBOL_MAX - 3))
		memcpy(text, "in ", 3);
	else
		snprintf(text, KERNEL_SYMBOL_MAX, "in %016llx", access->variable);
}

static void add_object(struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	const char *sure = access->is_certain ? "" : "probably: ", *pointer = *access->pointer ? access->pointer : "that pointer";
	const char *by = explain->kernel && explain->kernel->kept ? "in the memory that the recorder kept" : "by the dump";
	char start[KERNEL_SYMBOL_MAX], offset[24];

	put_way(start, explain);
	put_offset(offset, access->object_offset);
	if (!access->has_object && access->variable)
		finding_evidence_timeless(explain->finding, "%s%s was read %s, where it still is %s", sure, pointer, start, by);
	else if (access->nr_hops == 1)
		finding_evidence_timeless(explain->finding, "%s%s was read at %s of %016llx, where it still is %s, and the address of that %s",
					  sure, pointer, offset, access->object, by, start);
	else if (access->nr_hops)
		finding_evidence_timeless(explain->finding, "%s%s was read at %s of %016llx, where it still is %s; the way there, by %u pointers, begins %s",
					  sure, pointer, offset, access->object, by, access->nr_hops, start);
	else if (access->has_object)
		finding_evidence_timeless(explain->finding, "%s%s was read at %s of %016llx, which %s has", sure, pointer,
					  offset, access->object, instruction_register(access->instruction.set, access->object_register));
}

static void add_call(struct explain *explain)
{
	const struct faulting_access *access = &explain->access;

	if (*access->jumped_at)
		finding_evidence_timeless(explain->finding, "at %s, a jump to what %s has: a call at a function's end, which leaves no frame",
					  access->jumped_at, instruction_register(access->instruction.set, access->memory.base));
	else
		finding_evidence_timeless(explain->finding, "instruction: %s, a call of what %s has", access->instruction.text,
					  instruction_register(access->instruction.set, access->memory.base));
	add_object(explain);
}

static void add_instruction(struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	const struct instruction_access *memory = &access->memory;
	char index[40] = "";

	if (memory->index >= 0)
		snprintf(index, sizeof(index), ", %s=%016llx", instruction_register(access->instruction.set, memory->index), access->index);
	if (memory->base >= 0)
		finding_evidence_timeless(explain->finding, "instruction: %s, with %s=%016llx%s", access->instruction.text,
					  instruction_register(access->instruction.set, memory->base), access->base, index);
	else
		finding_evidence_timeless(explain->finding, "instruction: %s%s", access->instruction.text, index);
	add_object(explain);
}

/* What the log, the registers and the code say must be one story. */
static void weaken_contradiction(struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	struct finding *finding = explain->finding;

	finding_evidence_timeless(finding, "against it: the instruction there (%s) uses %016llx by the registers, not %016llx",
				  access->instruction.text, access->address, explain->fault.address);
	finding_open(finding, "Which is wrong: the registers, the address or the code that the kernel printed.");
	if (finding->strength > FINDING_POSSIBLE)
		finding->strength--;
}

static void add_registers(struct explain *explain)
{
	const struct faulting_access *access = &explain->access;

	if (access->is_call) {
		add_call(explain);
	} else if (explain->fault.access == FAULT_CALL || !access->is_decoded || !access->has_memory) {
		guess_registers(explain);
	} else if (!access->agrees) {
		weaken_contradiction(explain);
		guess_registers(explain);
	} else {
		add_instruction(explain);
	}
}

/* --- claims -------------------------------------------------------------- */

/* mm/slub.c, init_object(): the poison is in an object that was just taken as well. */
static void claim_freed(struct explain *explain, const char *place)
{
	char doing[ACCESS_DOING], when[80];
	bool is_free = access_is_traced(explain) && object_is_freed(explain, when) && !explain->access.called_since;
	const char *or_new = is_free ? "" : ", or from an object that was taken and never set";

	access_words_doing(doing, explain);
	if (access_is_traced(explain))
		finding_claim(explain->finding, "freed-memory", FINDING_LIKELY,
			      "%s %s %016llx. It read that pointer from freed memory%s: it is the slab allocator's poison 0x6b.",
			      place, doing, explain->fault.address, or_new);
	else
		finding_claim(explain->finding, "freed-memory", FINDING_LIKELY,
			      "%s used a pointer that it read from freed memory%s: the address %016llx is the slab allocator's poison 0x6b.",
			      place, or_new, explain->fault.address);
	finding_open(explain->finding, "%s, unless an event below says so.", is_free ? "Who freed it" : "Which of the two: kmalloc() leaves the poison in what it gives. Who freed it");
}

#define TAIL_MAPPING	0xdead000000000400ULL	/* include/linux/poison.h: the mapping of a page behind the first of a larger one */
#define MAPPING		0x200			/* more than a struct address_space has */

/* Is it, or is it perhaps, no entry of a list, but a struct page of which the mapping was asked? */
static bool claim_tail_page(struct explain *explain, const char *place)
{
	u64 address = explain->fault.address;

	if (access_is_traced(explain) ? explain->access.memory.index >= 0 || explain->access.pointer_value != TAIL_MAPPING : address - TAIL_MAPPING >= MAPPING)
		return false;
	if (access_is_traced(explain))
		finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
			      "%s used the mapping of a page that is not the first of a larger one: the kernel has %016llx there (TAIL_MAPPING), which is no pointer.",
			      place, TAIL_MAPPING);
	else
		finding_claim(explain->finding, "deleted-entry", FINDING_POSSIBLE,
			      "%s used the address %016llx: it is made of the poison of list_del(), of an entry that was already taken out of its list; or of the mapping of a page that is not the first of a larger one (TAIL_MAPPING).",
			      place, address);
	finding_open(explain->finding, "%s", access_is_traced(explain) ? "Where that page is from. The first one, by compound_head() or page_folio(), has the mapping." :
									 "Which of the two. The source at this place says what it is.");
	return true;
}

static void claim_deleted(struct explain *explain, const char *place)
{
	char doing[ACCESS_DOING];

	if (claim_tail_page(explain, place))
		return;
	access_words_doing(doing, explain);
	if (access_is_traced(explain))
		finding_claim(explain->finding, "deleted-entry", FINDING_LIKELY,
			      "%s went on from an entry that was already taken out of its list: it %s %016llx, which is made of the poison of list_del().",
			      place, doing, explain->fault.address);
	else
		finding_claim(explain->finding, "deleted-entry", FINDING_LIKELY,
			      "%s went on from an entry that was already taken out of its list: the address %016llx is made of the poison of list_del().",
			      place, explain->fault.address);
	finding_open(explain->finding, "Who took it out; it is often freed as well.");
}

/*
 * May the allocator's poison be in memory? It is there if slub_debug= asks for it, or a kernel is built so, as the debug
 * kernels of distributions are. A log without the command line does not say.
 */
static bool may_have_poison(const struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;

	for (u32 i = 0; i < lines->nr; i++) {
		struct report_text line = { lines->list[i].text, lines->list[i].len };

		if (report_text_has(line, "ommand line: "))
			return report_text_has(line, "slub_debug") || report_text_has(line, "slab_debug") ||
			       strstr(explain->pm->origin.release, "debug");
	}
	return true;
}

/* A pointer that the code read out of an object which was freed. */
static void claim_read_from_freed(struct explain *explain, const char *place, const char *when)
{
	const struct faulting_access *access = &explain->access;
	char reg[HOLDER_WORDS];

	access_words_holder(reg, access);
	finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
		      "%s used a pointer%s that it had read from freed memory: %016llx + 0x%llx%s%s, freed%s.",
		      place, reg, access->object, access->object_offset,
		      explain->has_slab ? ", in cache " : "", explain->has_slab ? explain->slab.cache : "", when);
	finding_open(explain->finding, "Why it was used after that: who else had the object's address.");
}

/* arm64 says so of an address that is right but for its last bits. */
static bool is_unaligned(const struct explain *explain)
{
	u32 from = 0;

	return fault_text_line(explain->death, explain->cause, ": alignment fault", &from).text;
}

/* What a copy or a fill has left to do is in RCX, in units of what it copies at once: Intel's manual, volume 2, REP. */
static bool has_negative_count(const struct explain *explain, u64 *count)
{
	const struct faulting_access *access = &explain->access;
	static const char *const words[] = { "rep movs", "rep stos", NULL };

	return access->agrees && plumbing_begins(access->instruction.text, words) &&
	       fault_text_register(&explain->fault, "RCX", count) && *count > ~0ULL << 40;
}

static void claim_negative_count(struct explain *explain, const char *place, const char *doing, u64 count)
{
	finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
		      "%s %s %016llx, where no memory is: a copy or fill whose length was below zero (RCX is %lld).",
		      place, doing, explain->fault.address, (s64)count);
	finding_open(explain->finding, "Which length: one from which more was taken away than it has, and that was not checked.");
}

/* An address of the kernel's has its upper 16 bits set. The one that is missing; -1: none, or more than one. */
static int missing_bit(u64 address)
{
	u64 missing = ~address >> 48;

	return missing && !(missing & (missing - 1)) ? 48 + __builtin_ctzll(missing) : -1;
}

/* Is the address one of the kernel's but for one bit? A register that has it with that bit says so, too. */
static bool open_flipped_bit(struct explain *explain)
{
	const struct fault_text *fault = &explain->fault;
	int bit = missing_bit(fault->address);
	u64 whole = fault->address | 1ULL << (bit & 63);
	const char *name = NULL;

	if (bit < 0)
		return false;
	for (u32 i = 0; i < fault->nr_registers && !name; i++)
		if (fault->registers[i].value == whole)
			name = fault->registers[i].name;
	finding_open(explain->finding, "Why one bit of it is clear: with bit %d it is %016llx, %s%s. clear_bit() of too large a number does that, and memory that fails.",
		     bit, whole, name ? "as in " : "an address of the kernel", name ? name : "");
	return true;
}

/* XSAVE and its like use thousands of bytes, and the fault is in the midst of them. */
static bool claim_far_behind(struct explain *explain, const char *place)
{
	const struct faulting_access *access = &explain->access;
	u64 distance = explain->fault.address - access->address;
	char name[16] = "";

	/* A tag of arm64 is no distance. */
	if (!access_is_traced(explain) || !explain->fault.has_address || distance < 64 || distance > SMALL)
		return false;
	sscanf(access->instruction.text, "%15s", name);
	finding_claim(explain->finding, "wild-pointer", FINDING_SHOWN,
		      "%s %s %016llx by %s, 0x%llx bytes behind where that began (%016llx, in %s): %s.", place, access_words_verb(explain->fault.access),
		      explain->fault.address, name, distance, access->address, instruction_register(access->instruction.set, access->memory.base),
		      access_is_forbidden(explain) ? "which it may not" : "where no memory is");
	finding_open(explain->finding, "Whether the buffer is too small for the registers of this CPU, or its address is wrong.");
	return true;
}

static void claim_wild(struct explain *explain, const char *place)
{
	const struct fault_text *fault = &explain->fault;
	struct finding *finding = explain->finding;
	char doing[ACCESS_DOING], symbol[KERNEL_SYMBOL_MAX] = "", letters[LETTERS_WORDS], hands[OBJECT_HANDS], filling[FILLING_WORDS];
	char giver[2 * WORDS_FUNCTION], run[RUN_WORDS];
	u32 from, at;
	u64 count;

	pointer_bytes_letters(letters, explain);

	access_words_doing(doing, explain);
	if (has_negative_count(explain, &count)) {
		claim_negative_count(explain, place, doing, count);
		return;
	}
	if (claim_far_behind(explain, place) || bad_entry_claim(explain, doing))
		return;
	if (!access_is_forbidden(explain) && (vmalloc_page_claim(explain, place, doing) || vmalloc_area_claim(explain, place, doing) || pointer_bytes_claim_sign(explain, place, doing) ||
					   pointer_bytes_claim_index(explain, place, doing) ||
					   pointer_bytes_claim_upper(explain, place, doing)))
		return;
	pointer_bytes_filling(filling, explain);
	if (access_is_forbidden(explain))
		kernel_symbol(explain->kernel, fault->address, symbol, sizeof(symbol));
	if (*symbol)
		finding_claim(finding, "wild-pointer", FINDING_SHOWN,
			      "%s %s %016llx, which it may not: %.100s is there.", place, doing, fault->address, symbol);
	else
		finding_claim(finding, "wild-pointer", FINDING_SHOWN, "%s %s %016llx, %s%s.", place, doing,
			      fault->address, access_is_forbidden(explain) ? "which it may not" :
			      is_unaligned(explain) ? "which is not aligned as this access needs it" : "where no memory is", *letters ? letters : filling);
	if ((*letters || *filling) && object_changed_hands(explain, hands))
		finding_open(finding, "Perhaps %s.", hands);
	else if (*letters && pointer_bytes_run(run, &from, &at, explain))
		finding_open(finding, "Whether the text \"%s\", which begins 0x%x behind the start of the object and goes on over the pointer at 0x%x, was too long for its place in front of it; or another user of that memory wrote it.",
			     run, from, at);
	else if (*letters)
		finding_open(finding, "Whether what was read is no pointer at all, or that text was written over it: by a neighbour that is too long, or a second user.");
	else if (open_flipped_bit(explain))
		;
	else if (object_changed_hands(explain, hands))
		finding_open(finding, "Perhaps %s.", hands);
	else if (words_module_behind(giver, explain->cause))
		finding_open(finding, "Where the value is from: look at what %.140s gave.", giver);
	else if (*filling)
		finding_open(finding, "Who filled that memory: its next owner after it was freed, or one that wrote too far. epitaph events '+kmem:*' records the owners.");
	if (*letters || *filling)
		object_variables_add(explain);
	if (!access_is_forbidden(explain))
		module_area_add(explain);
}

/* The read may have been right: the object was perhaps freed by what was called after it. */
static void claim_perhaps_freed(struct explain *explain, const char *place)
{
	claim_wild(explain, place);
	finding_open(explain->finding,
		     "Where the pointer got this value. The object that it was read from is free now; it may have been freed after the read.");
}

static bool is_of_page_table(const struct explain *explain)
{
	u32 from = 0;

	return fault_text_line(explain->death, explain->cause, "reserved bit violation", &from).text;
}

/* The pointer may be right. */
static void claim_page_table(struct explain *explain, const char *place, const char *doing)
{
	finding_claim(explain->finding, "wild-pointer", FINDING_POSSIBLE,
		      "%s %s %016llx; a page table on the way there has a bit that must not be set: page tables were overwritten, or the memory is faulty.",
		      place, doing, explain->fault.address);
	finding_open(explain->finding, "Who wrote there. The pointer itself may be right.");
}

/*
 * Is @pointer an offset of per-CPU memory: has each of the first CPUs memory there? For the text of a claim that is
 * but possible: small numbers are such offsets as well.
 */
static bool is_percpu_offset(const struct explain *explain, u64 pointer)
{
	const struct kernel *kernel = explain->kernel;
	u64 va, byte, first, second;

	if (!kernel || pointer < ADDRESS_PAGE || !kernel_percpu_at(kernel, 0, 0, &first) || !kernel_percpu_at(kernel, 0, 1, &second) || first == second)
		return false;
	for (u32 cpu = 0; cpu < 2; cpu++)
		if (!kernel_percpu_at(kernel, pointer, cpu, &va) || !in_kernel_half(va) || !vmem_number(kernel->vmem, va, 1, &byte))
			return false;
	return true;
}

/* Of its registers only a pointer without an index is such an offset. */
static bool has_percpu_offset(const struct explain *explain)
{
	return is_percpu_offset(explain, access_is_traced(explain) && explain->access.memory.index < 0 ? explain->access.pointer_value : explain->fault.address);
}

static void add_percpu(struct explain *explain)
{
	if (has_percpu_offset(explain))
		finding_open(explain->finding, "Perhaps it is a per-CPU offset, used without per_cpu_ptr(): each CPU has memory there.");
}

/* Is it an object's address without its upper half? The physical address is the same number below 4 GiB. */
static bool claim_cut_pointer(struct explain *explain, const char *place, const char *doing)
{
	const struct kernel *kernel = explain->kernel;
	u64 value = explain->access.pointer_value, symbol, base;
	struct kernel_object object;

	if (!kernel || !kernel->kallsyms || !access_is_traced(explain) || explain->access.memory.index >= 0 || value < SMALL || value >> 32 ||
	    !kallsyms_address(kernel->kallsyms, "page_offset_base", &symbol) || !vmem_number(kernel->vmem, symbol, 8, &base))
		return false;
	value |= base & ~0xffffffffULL;
	if (!kernel_object_at(kernel, value, &object) || object.start != value || object.state != KOBJECT_IN_USE)
		return false;
	finding_claim(explain->finding, "user-pointer", FINDING_LIKELY,
		      "%s %s %016llx, of which only the lower 32 bits are there: with the upper ones it is an object in use, %016llx of cache %s. The pointer was cut, or it is a physical address.",
		      place, doing, explain->fault.address, value, object.cache);
	finding_open(explain->finding, "Where it was stored in 32 bits, or given to a device and taken back as it is.");
	return true;
}

/* The wall clock's time of the last minutes is no address of anything else: it changes by 2^32 each 4 seconds. */
static bool claim_time(struct explain *explain, const char *place, const char *doing)
{
	u64 value = access_is_traced(explain) ? explain->access.pointer_value : explain->fault.address, now = explain->pm->end.real_ns;
	bool is_ahead = value > now;
	u64 apart = is_ahead ? value - now : now - value;

	if (!now || apart > MOST_APART_NS)
		return false;
	finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY, "%s %s %016llx: that is no pointer, but the time in ns since 1970, of %llu ms %s the end.",
		      place, doing, explain->fault.address, apart / 1000000, is_ahead ? "after" : "before");
	finding_open(explain->finding, "Who wrote the time there, and who took it for a pointer: two that use the same bytes, such as skb->cb, or of which one takes the object for another kind.");
	return true;
}

static void claim_other(struct explain *explain, enum address_kind kind, const char *place)
{
	const struct fault_text *fault = &explain->fault;
	struct finding *finding = explain->finding;
	char when[80], doing[ACCESS_DOING];

	access_words_doing(doing, explain);
	finding_open(finding, "Where the pointer got this value.");
	if (is_of_page_table(explain))
		claim_page_table(explain, place, doing);
	else if (kind == ADDRESS_NEW && may_have_poison(explain))
		finding_claim(finding, "wild-pointer", FINDING_LIKELY,
			      "%s used a pointer that was never set: the address %016llx is the slab allocator's poison 0x5a of new memory.",
			      place, fault->address);
	else if (kind == ADDRESS_USER && fault->access != FAULT_CALL && !access_is_forbidden(explain) &&
		 pointer_bytes_claim_number(explain, place, doing, has_percpu_offset(explain)))
		;
	else if (kind == ADDRESS_USER && fault->address < SMALL)
		finding_claim(finding, "wild-pointer", FINDING_POSSIBLE,
			      "%s %s at 0x%llx: a NULL pointer plus a large offset, or a number that was taken for a pointer.",
			      place, access_words_verb(fault->access), fault->address);
	else if (fault->access == FAULT_CALL)
		bad_call_claim(explain);
	else if (claim_time(explain, place, doing) || free_link_claim(explain, place))
		;
	else if (kind == ADDRESS_USER && !access_is_forbidden(explain) && claim_cut_pointer(explain, place, doing))
		;
	/* Memory of a process is there, as a rule; a broken pointer or index leads to none. */
	else if (kind == ADDRESS_USER && !access_is_forbidden(explain))
		finding_claim(finding, "user-pointer", FINDING_POSSIBLE,
			      "%s %s %016llx, where user space has its addresses and no memory is: a pointer of a process, or a broken pointer or index.",
			      place, doing, fault->address);
	else if (kind == ADDRESS_USER)
		finding_claim(finding, "user-pointer", FINDING_SHOWN,
			      "%s %s %016llx, an address of user space, and not by way of copy_from_user() or the like.",
			      place, doing, fault->address);
	else if (free_list_is_walked(explain))
		free_list_claim(explain);
	else if (!access_is_traced(explain) || !object_is_freed(explain, when))
		claim_wild(explain, place);
	/* With an index the fault may be the index's. */
	else if (explain->access.called_since || explain->access.memory.index >= 0)
		claim_perhaps_freed(explain, place);
	else
		claim_read_from_freed(explain, place, when);
	if (kind == ADDRESS_USER && finding->strength == FINDING_POSSIBLE)
		add_percpu(explain);
}

/* --- who handled it ------------------------------------------------------ */

static const char *register_with(const struct fault_text *fault, u64 value)
{
	for (u32 i = 0; i < fault->nr_registers; i++)
		if (fault->registers[i].value == value)
			return fault->registers[i].name;
	return NULL;
}

/* The object has evidence of its own. */
static bool is_of_object(const struct explain *explain, u64 value)
{
	const struct faulting_access *access = &explain->access;

	return access->has_object && access->agrees &&
	       value == (explain->has_slab ? explain->slab.start : access->object);
}

static void add_handlers(struct explain *explain)
{
	const struct history *history = &explain->history;
	struct finding *finding = explain->finding;
	bool any = false;

	for (u32 i = 0; i < history->nr_values; i++) {
		const struct history_value *value = &history->values[i];
		const struct history_use *use = &value->last[0];
		const char *reg = register_with(&explain->fault, value->value);
		char site[2 * WORDS_FUNCTION + 8];

		if (!value->nr || (!reg && explain->front == value->value))
			continue;
		any = true;
		words_site(site, explain, use->site, use->time, use->raw);
		if (!is_of_object(explain, value->value))
			finding_evidence(finding, use->time, finding_event(use->cpu, use->event),
					 "%s %s=%016llx, which %s has, by %s-%lld%s on CPU %u", use->event,
					 use->field, value->value, reg ?: "a register", use->comm, use->pid, site, use->cpu);
		/* A name of the file stands in a command that is pasted. */
		if (!use->event[strspn(use->event, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:")])
			finding_next(finding, "epitaph report --all --event '%s' FILE", use->event);
	}
	if (history->nr_values && history->nr_events && !any)
		finding_note(&finding->not_found, "a recorded event that has one of the %u pointers in the registers",
			     history->nr_values);
}

static bool is_access(const struct kernel_report *report, const struct fault_text *fault)
{
	return report && (report->kind == KERNEL_REPORT_OOPS || report->kind == KERNEL_REPORT_BUG) &&
	       (fault->has_address || report_text_has(report->title, "general protection fault"));
}

/* Did the kernel print where it was? The line may be lost; what is in no function has an address there. */
static bool has_place_line(const struct explain *explain)
{
	static const char *const words[] = { "RIP: 0010:", "pc : ", "Krnl PSW", "NIP [", "epc : " };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		u32 from = 0;

		if (fault_text_line(explain->death, explain->cause, words[i], &from).text)
			return true;
	}
	return false;
}

/* Of which function the claim speaks. Where the CPU jumped to is no place; what checks a list does so for its caller. */
static void put_subject(char place[4 * WORDS_FUNCTION], const struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct report_text caller = words_frame(report, plumbing_has);
	struct report_text dying = words_frame(report, plumbing_is_of_dying);
	bool is_call = explain->fault.access == FAULT_CALL;
	char function[WORDS_FUNCTION], by[2 * WORDS_FUNCTION];

	words_function(function, report->place);
	if (!plumbing_is_of_checking(function) || !left_frame_place(by, explain, report, caller))
		words_place(by, caller);
	/* It was the allocator that read or wrote there. */
	if (plumbing_is_of_checking(function) && caller.text && strncmp(function, "__list_", 7))
		snprintf(place, 4 * WORDS_FUNCTION, "%s(), called by %s,", function, by);
	else if (plumbing_is_of_checking(function) && caller.text)
		snprintf(place, 4 * WORDS_FUNCTION, "%s", by);
	else if (plumbing_is_of_tracing(function) && caller.text) {
		char behind[2 * WORDS_FUNCTION] = "";

		/* The tracepoint of a function reads what that was given. */
		words_module_behind_frame(behind, report, caller);
		snprintf(place, 4 * WORDS_FUNCTION, "A tracepoint in %.200s%s%.200s%s", by, *behind ? ", which worked for " : "", behind, *behind ? "," : "");
	} else if (!is_call && words_module_behind(by, report)) {
		char where[2 * WORDS_FUNCTION];

		words_place(where, report->place);
		snprintf(place, 4 * WORDS_FUNCTION, "%.220s, which worked for %.220s,", where, by);
	} else {
		words_place(place, is_call || !report->place.text ? dying : report->place);
	}
	/* Who called it is innocent. */
	if (!report->place.text && !is_call && dying.text && !has_place_line(explain)) {
		words_place(by, dying);
		snprintf(place, 4 * WORDS_FUNCTION, "A function that %s called", by);
	}
}

/*
 * A work item names its queue in its first word. kernel/workqueue.c, process_one_work() takes that, and then its second
 * member, the workqueue: NULL there is a word that names none.
 */
static void claim_without_queue(struct explain *explain)
{
	char function[WORDS_FUNCTION];

	words_function(function, explain->cause->place);
	if (strcmp(function, "process_one_work") || explain->fault.access == FAULT_CALL || explain->fault.address != 8 ||
	    (access_is_traced(explain) && explain->access.pointer_value))
		return;
	finding_claim(explain->finding, "null-pointer", FINDING_LIKELY,
		      "process_one_work() came to a work item that was queued and names no queue any more (NULL): it was set up again (INIT_WORK()), overwritten or freed while it was queued.");
	finding_open(explain->finding, "Whose work item it was. The worker and the kernel's code are innocent.");
}

/* include/linux/poison.h: of 32-bit machines the poison of list_del() is 0x100, and 0x122, before 4.17 0x200. */
static void claim_poison_of_32(struct explain *explain, const char *place)
{
	u64 address = explain->fault.address;

	if (!explain->fault.is_32bit || (address != 0x100 && address != 0x104 && address != 0x122 && address != 0x200))
		return;
	finding_claim(explain->finding, "null-pointer", FINDING_POSSIBLE,
		      "%s %s at 0x%llx: a NULL pointer plus that, or, on a machine of 32 bits, the pointer of an entry that was already taken out of its list by list_del().",
		      place, access_words_verb(explain->fault.access), address);
	finding_open(explain->finding, "Which of the two: a walk of a list, or a second list_del(), is the latter.");
}

static void claim_null(struct explain *explain, const char *place)
{
	null_pointer_claim(explain, place);
	claim_poison_of_32(explain, place);
	claim_without_queue(explain);
	failed_allocation_add(explain);
	failed_registration_add(explain);
}

/* lib/rbtree.c reads no pointers but those of the tree and of the node that it was given. */
static void open_tree(struct explain *explain)
{
	static const char *const words[] = { "rb_erase", "__rb_erase", "rb_insert_color", "__rb_insert", "rb_next", "rb_prev", "rb_first", "rb_last", NULL };
	char function[WORDS_FUNCTION], giver[2 * WORDS_FUNCTION];
	enum finding_strength strength = explain->finding->strength;

	words_function(function, explain->cause->place);
	if (!plumbing_begins(function, words) || !words_module_behind(giver, explain->cause) || strength < FINDING_LIKELY ||
	    (strcmp(explain->finding->kind, "null-pointer") && strcmp(explain->finding->kind, "wild-pointer")))
		return;
	finding_open(explain->finding, "What damaged the tree: a node that %.140s or another user took out twice or put in twice, that was freed or written over while in it, or two users without a lock.",
		     giver);
}

bool judge_access(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	const struct fault_text *fault = &explain->fault;
	enum address_kind kind;
	struct report_text caller = words_frame(report, plumbing_has);
	char place[4 * WORDS_FUNCTION], giver[2 * WORDS_FUNCTION];
	bool is_other_kind = false, is_open;

	if (!is_access(report, fault) || report_text_has(report->title, "stack"))
		return false;
	put_subject(place, explain);
	if (!left_frame_place(giver, explain, report, caller))
		words_place(giver, caller);
	bad_target_take(explain);
	kind = fault_text_address_kind(fault);
	if (is_bad_return(explain))
		bad_return_claim(explain);
	else if (!fault->has_address)
		protection_claim(explain, place);
	else if (is_error_pointer(explain, kind))
		error_pointer_claim(explain, place);
	else if (is_null_pointer(explain, kind))
		claim_null(explain, place);
	else if (caller.text && freeing_claim(explain, giver))
		;
	else if (kind == ADDRESS_FREED && may_have_poison(explain))
		claim_freed(explain, place);
	else if (kind == ADDRESS_DELETED)
		claim_deleted(explain, place);
	else
		claim_other(explain, kind, place);
	/* Texts of its own kind may fill the object in front as well. */
	if (!access_is_forbidden(explain))
		is_other_kind = other_kind_claim_read(explain, place);
	if (!access_is_forbidden(explain) && !is_other_kind)
		overrun_claim(explain, place);
	overrun_claim_end_of_text(explain, giver);
	left_stack_claim(explain, place);
	if (explain->finding->strength != FINDING_LIKELY || kind == ADDRESS_DELETED)
		wild_entry_claim(explain, place);
	if (explain->finding->strength != FINDING_LIKELY)
		list_entry_claim(explain, place);
	if (explain->finding->strength != FINDING_LIKELY)
		other_member_claim(explain, place);
	is_open = explain->finding->strength != FINDING_LIKELY || is_other_kind;
	if (explain->finding->strength != FINDING_LIKELY)
		unset_timer_claim(explain);
	lost_item_claim(explain, place, is_other_kind);
	if (is_open)
		object_events_claim(explain, place);
	object_events_ask(explain);
	module_area_claim_left(explain, place);
	open_tree(explain);
	misfree_add(explain);
	words_report_evidence(explain, report);
	add_registers(explain);
	object_add(explain);
	overrun_add(explain);
	add_handlers(explain);
	return true;
}
