// SPDX-License-Identifier: GPL-2.0-or-later
/* Accesses by pointers that were NULL, freed, poisoned or wild. */
#include <stdio.h>
#include <string.h>

#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"
#include "words.h"

#define PAGE		4096
#define LIST_POISON	0xdead000000000000ULL	/* CONFIG_ILLEGAL_POINTER_VALUE */
#define USER_END	0x0000800000000000ULL
#define SMALL		0x10000ULL

/* What the address is made of. */
enum address_kind {
	ADDRESS_NULL,
	ADDRESS_FREED,		/* POISON_FREE of the slab allocator, include/linux/poison.h */
	ADDRESS_NEW,		/* POISON_INUSE */
	ADDRESS_DELETED,	/* LIST_POISON1 and 2 */
	ADDRESS_ERROR,		/* ERR_PTR() */
	ADDRESS_USER,
	ADDRESS_WILD,
};

/* Do the six middle bytes of @address repeat @byte? An offset may have changed the lowest two. */
static bool repeats(u64 address, u8 byte)
{
	for (u32 i = 2; i < 8; i++)
		if ((u8)(address >> (8 * i)) != byte)
			return false;
	return true;
}

static enum address_kind kind_of_address(u64 address)
{
	if (address < PAGE)
		return ADDRESS_NULL;
	if (address >= -(u64)PAGE)
		return ADDRESS_ERROR;
	if (repeats(address, 0x6b))
		return ADDRESS_FREED;
	if (repeats(address, 0x5a))
		return ADDRESS_NEW;
	/* 0x100 and 0x122, and what a field's offset adds to or takes from them. */
	if (address - (LIST_POISON - PAGE) < 2 * PAGE)
		return ADDRESS_DELETED;
	if (address < USER_END)
		return ADDRESS_USER;
	return ADDRESS_WILD;
}

static const char *verb_of(enum fault_access access)
{
	switch (access) {
	case FAULT_READ: return "read";
	case FAULT_WRITE: return "wrote";
	case FAULT_CALL: return "jumped";
	default: return "accessed memory";
	}
}

/* A register that has an error number, to which the address is a field behind: its place; -1: none. */
static s64 error_register(const struct fault_text *fault)
{
	for (u32 i = 0; i < fault->nr_registers; i++)
		if (strcmp(fault->registers[i].name, "CR2") && fault->registers[i].value >= -4095ULL &&
		    fault->address - fault->registers[i].value < PAGE)
			return i;
	return -1;
}

static bool is_error(u64 value)
{
	return value >= -4095ULL;
}

/* The number of an error that base or index has, if the address is a field or an element behind it; 0: none. */
static u64 indexed_error(const struct faulting_access *access)
{
	if (is_error(access->base) && access->address - access->base < PAGE)
		return access->base;
	if (access->memory.scale == 1 && is_error(access->index) && access->address - access->index < PAGE)
		return access->index;
	return 0;
}

/* Does the instruction say which pointer it was? */
static bool is_traced(const struct explain *explain)
{
	return explain->access.has_memory && explain->access.agrees && explain->access.memory.base >= 0;
}

/* --- the evidence of the instruction -------------------------------------- */

/* Registers that may have been the pointer itself: the address is a field behind their value. */
static void guess_registers(struct explain *explain)
{
	const struct fault_text *fault = &explain->fault;

	for (u32 i = 0; i < fault->nr_registers; i++) {
		const struct fault_register *reg = &fault->registers[i];

		if (strcmp(reg->name, "CR2") && fault->address - reg->value < PAGE && reg->value >= PAGE)
			finding_evidence_timeless(explain->finding, "the address is %s (%016llx) + 0x%llx", reg->name,
						  reg->value, fault->address - reg->value);
	}
}

static void add_object(struct explain *explain)
{
	const struct faulting_access *access = &explain->access;

	if (access->has_object)
		finding_evidence_timeless(explain->finding, "%s%s was read at 0x%llx of %016llx, which %s has",
					  access->is_certain ? "" : "probably: ", *access->pointer ? access->pointer : "that pointer",
					  access->object_offset, access->object, instruction_register(access->object_register));
}

static void add_call(struct explain *explain)
{
	finding_evidence_timeless(explain->finding, "instruction: %s, a call of what %s has", explain->access.instruction.text,
				  instruction_register(explain->access.memory.base));
	add_object(explain);
}

static void add_instruction(struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	const struct instruction_access *memory = &access->memory;
	char index[40] = "";

	if (memory->index >= 0)
		snprintf(index, sizeof(index), ", %s=%016llx", instruction_register(memory->index), access->index);
	if (memory->base >= 0)
		finding_evidence_timeless(explain->finding, "instruction: %s, with %s=%016llx%s", access->instruction.text,
					  instruction_register(memory->base), access->base, index);
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

#define ACCESS_WORDS	96
#define ACCESS_DOING	(ACCESS_WORDS + 80)
#define REGISTERS_WORDS	48
#define HOLDER_WORDS	8
#define ACCESS_NAMES	(2 * ACCESS_PATH + 40)

/* "RAX", "RAX + RDX * 8 + 0x10" */
static void put_registers(char text[REGISTERS_WORDS], const struct instruction_access *memory)
{
	char times[8] = "", plus[24] = "";

	if (memory->index < 0) {
		snprintf(text, REGISTERS_WORDS, "%s", instruction_register(memory->base));
		return;
	}
	if (memory->scale > 1)
		snprintf(times, sizeof(times), " * %u", memory->scale);
	if (memory->offset)
		snprintf(plus, sizeof(plus), " %c 0x%llx", memory->offset < 0 ? '-' : '+',
			 memory->offset < 0 ? -memory->offset : memory->offset);
	snprintf(text, REGISTERS_WORDS, "%s + %s%s%s", instruction_register(memory->base),
		 instruction_register(memory->index), times, plus);
}

/* "8 bytes at 0x18 of", "8 bytes at". */
static void put_distance(char text[ACCESS_WORDS], u32 size, s64 offset)
{
	if (!offset)
		snprintf(text, ACCESS_WORDS, "%u bytes at", size);
	else if (offset < 0)
		snprintf(text, ACCESS_WORDS, "%u bytes 0x%llx in front of", size, -offset);
	else
		snprintf(text, ACCESS_WORDS, "%u bytes at 0x%llx of", size, offset);
}

/* From the pointer, with what an index adds. */
static void put_access(char text[ACCESS_WORDS], const struct faulting_access *access)
{
	put_distance(text, access->memory.size, (s64)(access->address - access->pointer_value));
}

/* The register that has the pointer; "": it has what was added as well. */
static const char *holder(const struct faulting_access *access)
{
	return access->base == access->pointer_value ? instruction_register(access->memory.base) : "";
}

/* " (RAX)" or nothing */
static void put_holder(char text[HOLDER_WORDS], const struct faulting_access *access)
{
	const char *reg = holder(access);

	*text = '\0';
	if (*reg)
		snprintf(text, HOLDER_WORDS, " (%s)", reg);
}

/* ": dev->netdev_ops, of which dev was NULL" */
static void put_names(char text[ACCESS_NAMES], const struct faulting_access *access, const char *was)
{
	const char *sure = access->is_certain ? "" : "probably ";

	*text = '\0';
	if (*access->field)
		snprintf(text, ACCESS_NAMES, ": %s%s, of which %s was %s", sure, access->field, access->pointer, was);
	else if (*access->pointer)
		snprintf(text, ACCESS_NAMES, ": %s%s was %s", sure, access->pointer, was);
}

static const char *verb_of_access(const struct faulting_access *access, enum fault_access said)
{
	if (said == FAULT_UNKNOWN && access->memory.writes)
		return "wrote";
	return said == FAULT_UNKNOWN ? "read" : verb_of(said);
}

/* container_of() of NULL, or of an entry near it, has the value of an error number. */
static bool is_around_null(const struct faulting_access *access)
{
	return access->memory.index < 0 && is_error(access->pointer_value) && (!access->base || !access->address);
}

/* A pointer below a page: NULL, or nearly. */
static void claim_traced_null(struct explain *explain, const char *place)
{
	const struct faulting_access *access = &explain->access;
	const char *verb = verb_of_access(access, explain->fault.access);
	struct finding *finding = explain->finding;
	char words[ACCESS_WORDS], names[ACCESS_NAMES], reg[HOLDER_WORDS], registers[REGISTERS_WORDS];

	put_access(words, access);
	put_names(names, access, "NULL");
	put_holder(reg, access);
	put_registers(registers, &access->memory);
	if (is_around_null(access))
		finding_claim(finding, "null-pointer", FINDING_POSSIBLE,
			      "%s %s %s a pointer that was %lld%s: NULL, of which an offset was taken away (container_of()), or an error number that was taken for a pointer.",
			      place, verb, words, (s64)access->pointer_value, reg);
	else if (access->memory.scale == 1 && access->index && access->index < PAGE)
		finding_claim(finding, "null-pointer", FINDING_LIKELY,
			      "%s %s address 0x%llx, which is %s: NULL plus an index or an offset, or a small number taken for a pointer.",
			      place, verb, access->address, registers);
	else if (access->pointer_value >= PAGE)
		finding_claim(finding, "null-pointer", FINDING_POSSIBLE,
			      "%s %s address 0x%llx, which is %s: NULL, or a pointer and an index that do not fit.",
			      place, verb, access->address, registers);
	else if (access->pointer_value)
		finding_claim(finding, "null-pointer", FINDING_LIKELY,
			      "%s %s %s a pointer that was 0x%llx%s: NULL plus an offset, or a small number taken for a pointer.",
			      place, verb, words, access->pointer_value, reg);
	else
		finding_claim(finding, "null-pointer", FINDING_SHOWN, "%s %s %s a NULL pointer%s%s.", place, verb, words,
			      reg, names);
	if (*access->pointer && access->is_certain && !access->pointer_value)
		finding_open(finding, "Why %s was NULL.", access->pointer);
	else
		finding_open(finding, "Where the pointer got this value. The source at this place says which pointer it is.");
}

static void claim_null(struct explain *explain, const char *place)
{
	const struct fault_text *fault = &explain->fault;
	struct finding *finding = explain->finding;

	if (is_traced(explain) && fault->access != FAULT_CALL) {
		claim_traced_null(explain, place);
		return;
	}
	if (fault->access == FAULT_CALL)
		finding_claim(finding, "null-pointer", FINDING_SHOWN,
			      "A function pointer was NULL and was called, by %s%s%s%s.", place,
			      *explain->access.pointer ? ": " : "",
			      *explain->access.pointer && !explain->access.is_certain ? "probably " : "",
			      explain->access.pointer);
	else if (fault->address)
		finding_claim(finding, "null-pointer", FINDING_SHOWN,
			      "%s %s address 0x%llx: a NULL pointer plus that, probably a field of a structure.",
			      place, verb_of(fault->access), fault->address);
	else
		finding_claim(finding, "null-pointer", FINDING_SHOWN, "%s %s through a NULL pointer.", place,
			      verb_of(fault->access));
	finding_open(finding, "Why it was NULL. The source at this place says which pointer it is.");
}

/* ", which is ENOENT" */
static void put_error(char text[40], s64 number)
{
	const char *name = strerrorname_np((int)-number);

	snprintf(text, 40, "%s%.24s", name ? ", which is " : "", name ?: "");
}

/* Base and index: either may be the pointer, or both are right and do not fit. */
static void claim_indexed_error(struct explain *explain, const char *place, u64 number)
{
	const struct faulting_access *access = &explain->access;
	char error[40], registers[REGISTERS_WORDS];

	put_error(error, (s64)number);
	put_registers(registers, &access->memory);
	finding_claim(explain->finding, "error-pointer", FINDING_POSSIBLE,
		      "%s %s %u bytes at %s, where one has %lld: an error number that was taken for a pointer%s, or a pointer and an index that do not fit.",
		      place, verb_of_access(access, explain->fault.access), access->memory.size, registers, (s64)number, error);
}

static void claim_traced_error(struct explain *explain, const char *place)
{
	const struct faulting_access *access = &explain->access;
	s64 number = (s64)access->pointer_value;
	char words[ACCESS_WORDS], names[ACCESS_NAMES], error[40], reg[HOLDER_WORDS];

	put_error(error, number);
	put_access(words, access);
	put_names(names, access, "that");
	put_holder(reg, access);
	/* What container_of() takes away is a multiple of 8. */
	if (number % 8)
		finding_claim(explain->finding, "error-pointer", FINDING_LIKELY,
			      "%s %s %s an error number that was taken for a pointer: ERR_PTR(%lld)%s%s%s%s.", place,
			      verb_of_access(access, explain->fault.access), words, number, *holder(access) ? ", in " : "",
			      holder(access), error, names);
	else
		finding_claim(explain->finding, "error-pointer", FINDING_POSSIBLE,
			      "%s %s %s a pointer that was %lld%s: an error number that was taken for a pointer%s, or NULL, of which an offset was taken away (container_of()).",
			      place, verb_of_access(access, explain->fault.access), words, number, reg, error);
}

static void claim_error(struct explain *explain, const char *place)
{
	const struct fault_text *fault = &explain->fault;
	s64 reg = error_register(fault);
	char error[40];

	put_error(error, reg >= 0 ? (s64)fault->registers[reg].value : 0);
	if (is_traced(explain) && explain->access.memory.index >= 0)
		claim_indexed_error(explain, place, indexed_error(&explain->access));
	else if (is_traced(explain))
		claim_traced_error(explain, place);
	else if (reg >= 0 && !((s64)fault->registers[reg].value % 8))
		finding_claim(explain->finding, "error-pointer", FINDING_POSSIBLE,
			      "%s %s through a pointer that was %lld (%s): an error number that was taken for a pointer%s, or NULL, of which an offset was taken away (container_of()).",
			      place, verb_of(fault->access), (s64)fault->registers[reg].value,
			      fault->registers[reg].name, error);
	else if (reg >= 0)
		finding_claim(explain->finding, "error-pointer", FINDING_LIKELY,
			      "%s %s through an error number that was taken for a pointer: ERR_PTR(%lld), in %s%s.",
			      place, verb_of(fault->access), (s64)fault->registers[reg].value,
			      fault->registers[reg].name, error);
	else
		finding_claim(explain->finding, "error-pointer", FINDING_POSSIBLE,
			      "%s %s at %lld: through an error number that was taken for a pointer, or in front of a NULL pointer.",
			      place, verb_of(fault->access), (s64)fault->address);
	finding_open(explain->finding, "Which call failed: its caller did not look at IS_ERR().");
}

/* Does the pointer have an error number? The instruction knows; without it, any register may. */
static bool is_of_error(const struct explain *explain, enum address_kind kind)
{
	const struct faulting_access *access = &explain->access;

	if (is_traced(explain) && explain->fault.access != FAULT_CALL)
		return access->memory.index >= 0 ? indexed_error(access) :
						   is_error(access->pointer_value) && !is_around_null(access);
	return kind == ADDRESS_ERROR ||
	       (kind == ADDRESS_NULL && explain->fault.address && error_register(&explain->fault) >= 0);
}

/* In front of a NULL pointer is NULL as well. */
static bool is_of_null(const struct explain *explain, enum address_kind kind)
{
	const struct faulting_access *access = &explain->access;

	return kind == ADDRESS_NULL || (is_traced(explain) && kind == ADDRESS_ERROR &&
					(access->pointer_value < PAGE || is_around_null(access)));
}

/* In front of an address: "read 8 bytes at 0x8 of the pointer in RAX:", "read 8 bytes at RAX + RDX:", or "read at". */
static void put_doing(char text[ACCESS_DOING], const struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	const struct instruction_access *memory = &access->memory;
	const char *verb = verb_of_access(access, explain->fault.access);
	char words[ACCESS_WORDS], registers[REGISTERS_WORDS];

	put_registers(registers, memory);
	put_distance(words, memory->size, memory->offset);
	if (!access->has_memory || !access->agrees || explain->fault.access == FAULT_CALL)
		snprintf(text, ACCESS_DOING, "%s at", verb_of(explain->fault.access));
	else if (memory->base < 0)
		snprintf(text, ACCESS_DOING, "%s %u bytes at", verb, memory->size);
	else if (memory->index >= 0)
		snprintf(text, ACCESS_DOING, "%s %u bytes at %s:", verb, memory->size, registers);
	else
		snprintf(text, ACCESS_DOING, "%s %s the pointer in %s:", verb, words, registers);
}

static void claim_freed(struct explain *explain, const char *place)
{
	char doing[ACCESS_DOING];

	put_doing(doing, explain);
	if (is_traced(explain))
		finding_claim(explain->finding, "freed-memory", FINDING_LIKELY,
			      "%s %s %016llx. It read that pointer from freed memory: it is the slab allocator's poison 0x6b.",
			      place, doing, explain->fault.address);
	else
		finding_claim(explain->finding, "freed-memory", FINDING_LIKELY,
			      "%s used a pointer that it read from freed memory: the address %016llx is the slab allocator's poison 0x6b.",
			      place, explain->fault.address);
	finding_open(explain->finding, "Who freed it, unless an event below says so.");
}

static void claim_deleted(struct explain *explain, const char *place)
{
	char doing[ACCESS_DOING];

	put_doing(doing, explain);
	if (is_traced(explain))
		finding_claim(explain->finding, "deleted-entry", FINDING_LIKELY,
			      "%s went on from an entry that was already taken out of its list: it %s %016llx, which is made of the poison of list_del().",
			      place, doing, explain->fault.address);
	else
		finding_claim(explain->finding, "deleted-entry", FINDING_LIKELY,
			      "%s went on from an entry that was already taken out of its list: the address %016llx is made of the poison of list_del().",
			      place, explain->fault.address);
	finding_open(explain->finding, "Who took it out; it is often freed as well.");
}

/* Is there memory, which only may not be written or executed? */
static bool is_forbidden(struct explain *explain)
{
	u32 from = 0, again = 0;

	return fault_text_line(explain->death, explain->cause, "permissions violation", &from).text ||
	       fault_text_line(explain->death, explain->cause, "permission fault", &again).text;
}

/* A pointer that the code read out of an object which was freed. */
static void claim_read_from_freed(struct explain *explain, const char *place, const char *when)
{
	const struct faulting_access *access = &explain->access;
	char reg[HOLDER_WORDS];

	put_holder(reg, access);
	finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
		      "%s used a pointer%s that it had read from freed memory: %016llx + 0x%llx%s%s, freed%s.",
		      place, reg, access->object, access->object_offset,
		      explain->has_slab ? ", in cache " : "", explain->has_slab ? explain->slab.cache : "", when);
	finding_open(explain->finding, "Why it was used after that: who else had the object's address.");
}

/* ": the pointer is the text \"OVERFLOW\"", or the address, if no pointer is known, and if the eight bytes are, in the order of memory; or "". */
static void put_letters(char text[48], const struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	u64 pointer = access->memory.index < 0 ? access->pointer_value : access->base;
	u64 value = is_traced(explain) ? pointer : explain->fault.address;
	char letters[9] = "";
	u32 differ = 0;

	*text = '\0';
	for (u32 i = 0; i < 8; i++) {
		letters[i] = (char)(value >> (8 * i));
		if (letters[i] < ' ' || letters[i] > '~')
			return;
		differ += i && letters[i] != letters[i - 1];
	}
	/* What fills memory has one byte, or two by turns. */
	if (differ < 2 || !memcmp(letters, letters + 2, 6))
		return;
	snprintf(text, 48, ": the %s is the text \"%s\"", is_traced(explain) ? "pointer" : "address", letters);
}

/* arm64 says so of an address that is right but for its last bits. */
static bool is_unaligned(const struct explain *explain)
{
	u32 from = 0;

	return fault_text_line(explain->death, explain->cause, ": alignment fault", &from).text;
}

static void claim_wild(struct explain *explain, const char *place)
{
	const struct fault_text *fault = &explain->fault;
	struct finding *finding = explain->finding;
	char doing[ACCESS_DOING], symbol[KERNEL_SYMBOL_MAX] = "", letters[48];

	put_letters(letters, explain);

	put_doing(doing, explain);
	if (is_forbidden(explain))
		kernel_symbol(explain->pm->kernel, fault->address, symbol, sizeof(symbol));
	if (*symbol)
		finding_claim(finding, "wild-pointer", FINDING_SHOWN,
			      "%s %s %016llx, which it may not: %.100s is there.", place, doing, fault->address, symbol);
	else
		finding_claim(finding, "wild-pointer", FINDING_SHOWN, "%s %s %016llx, %s%s.", place, doing,
			      fault->address, is_forbidden(explain) ? "which it may not" :
			      is_unaligned(explain) ? "which is not aligned as this access needs it" : "where no memory is", letters);
	if (*letters)
		finding_open(finding, "Who wrote that text over the pointer: a neighbour that is too long, or another user of the memory.");
}

/* Does the function take an object from a list of free ones, by a pointer in it? */
static bool is_allocating(struct report_text place)
{
	static const char *const words[] = {
		"__kmem_cache_alloc", "kmem_cache_alloc", "___slab_alloc", "__slab_alloc", "slab_alloc", "__kmalloc",
		"kmalloc_trace", "get_freepointer", NULL,
	};
	char function[WORDS_FUNCTION];

	words_function(function, place);
	return plumbing_begins(function, words);
}

static void add_freeing(struct finding *finding, const struct history_freeing *freeing)
{
	finding_evidence(finding, freeing->time, finding_event(freeing->cpu, "kmem:kfree"), "%s-%lld freed %016llx, on CPU %u",
			 freeing->comm, freeing->pid, freeing->object, freeing->cpu);
}

/* The name of the cache whose descriptor is at @value; "": none is. */
static void cache_at(char name[KERNEL_CACHE_NAME], const struct kernel *kernel, u64 value)
{
	struct kernel_object object;
	struct btf_member_place place;
	u64 text;

	*name = '\0';
	if (!kernel_object_at(kernel, value, &object) || object.start != value || strcmp(object.cache, "kmem_cache") ||
	    !kernel->ktypes || !kernel_btf_member(kernel->ktypes, "kmem_cache", "name", &place) ||
	    !vmem_number(kernel->vmem, value + place.offset, 8, &text) ||
	    vmem_string(kernel->vmem, text, name, KERNEL_CACHE_NAME) <= 0)
		*name = '\0';
}

/* Does the crash have to do with @value: has a register it, or the descriptor of its cache? */
static bool is_of_crash(const struct explain *explain, u64 value)
{
	const struct fault_text *fault = &explain->fault;
	const struct kernel *kernel = explain->pm->kernel;
	struct kernel_object object = { 0 };
	bool is_known = kernel && kernel_object_at(kernel, value, &object) && object.start == value;
	char name[KERNEL_CACHE_NAME];

	for (u32 i = 0; i < fault->nr_registers; i++) {
		if (fault->registers[i].value == value)
			return true;
		if (is_known)
			cache_at(name, kernel, fault->registers[i].value);
		if (is_known && *name && !strcmp(name, object.cache))
			return true;
	}
	return false;
}

/* The allocator followed a pointer in a free object: whose request it was does not matter. */
static void claim_free_list(struct explain *explain)
{
	const struct history_freeing *first = &explain->history.first, *second = &explain->history.second;
	struct finding *finding = explain->finding;
	char function[WORDS_FUNCTION];
	bool is_recorded = second->object && explain->history.has_frees && explain->history.has_allocations &&
			   !pm_lost(explain->pm);

	words_function(function, explain->cause->place);
	if (!is_recorded || !is_of_crash(explain, second->object)) {
		finding_claim(finding, "wild-pointer", FINDING_LIKELY,
			      "The allocator's list of free objects is damaged: %s() followed a pointer of it to %016llx, where no memory is.",
			      function, explain->fault.address);
		finding_open(finding, "Who wrote to an object after it was freed, or freed it twice: not the one that allocates now. epitaph events '+kmem:*' records that.");
		if (is_recorded)
			finding_evidence(finding, second->time, finding_event(second->cpu, "kmem:kfree"),
					 "possible, if it is of that list: %s-%lld freed %016llx once more, with no recorded allocation between",
					 second->comm, second->pid, second->object);
		return;
	}
	finding_claim(finding, "wild-pointer", FINDING_LIKELY,
		      "The allocator's list of free objects is damaged, as %s() found; %s-%lld had freed %016llx twice, with no recorded allocation between.",
		      function, second->comm, second->pid, second->object);
	finding_open(finding, "Whether the second time was the error, or the first. The one that allocates now is innocent.");
	add_freeing(finding, first);
	add_freeing(finding, second);
}

/* What is there, if not code that the kernel may run. */
static const char *what_is_at(u64 address)
{
	return address < USER_END ? "where user space has its addresses" : "where no code is";
}

/* Only the dump knows whether what lies on top of the stack is a call of that address. */
static void claim_jump(struct explain *explain)
{
	struct report_text frame = words_frame(explain->cause, plumbing_is_of_dying);
	const struct report_text guess = explain->cause->guess;
	u64 address = explain->fault.address;
	char caller[2 * WORDS_FUNCTION];

	words_place(caller, frame.text ? frame : guess);
	if (explain->access.is_call) {
		finding_claim(explain->finding, "wild-pointer", FINDING_SHOWN,
			      "The CPU jumped to %016llx, %s; %s called it.", address, what_is_at(address), caller);
		return;
	}
	finding_claim(explain->finding, "wild-pointer", FINDING_SHOWN, "The CPU jumped to %016llx, %s.", address,
		      what_is_at(address));
	if (frame.text || guess.text)
		finding_evidence_timeless(explain->finding, "possible: %s called it; %s", caller,
					  frame.text ? "it is the next of the call trace" : "that lies on top of the stack, perhaps from earlier");
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

static void claim_other(struct explain *explain, enum address_kind kind, const char *place)
{
	const struct fault_text *fault = &explain->fault;
	struct finding *finding = explain->finding;
	char when[80], doing[ACCESS_DOING];

	put_doing(doing, explain);
	finding_open(finding, "Where the pointer got this value.");
	if (is_of_page_table(explain))
		claim_page_table(explain, place, doing);
	else if (kind == ADDRESS_NEW)
		finding_claim(finding, "wild-pointer", FINDING_LIKELY,
			      "%s used a pointer that was never set: the address %016llx is the slab allocator's poison 0x5a of new memory.",
			      place, fault->address);
	else if (kind == ADDRESS_USER && fault->address < SMALL)
		finding_claim(finding, "wild-pointer", FINDING_POSSIBLE,
			      "%s %s at 0x%llx: a NULL pointer plus a large offset, or a number that was taken for a pointer.",
			      place, verb_of(fault->access), fault->address);
	else if (fault->access == FAULT_CALL)
		claim_jump(explain);
	/* Memory of a process is there, as a rule; a broken pointer or index leads to none. */
	else if (kind == ADDRESS_USER && !is_forbidden(explain))
		finding_claim(finding, "user-pointer", FINDING_POSSIBLE,
			      "%s %s %016llx, where user space has its addresses and no memory is: a pointer of a process, or a broken pointer or index.",
			      place, doing, fault->address);
	else if (kind == ADDRESS_USER)
		finding_claim(finding, "user-pointer", FINDING_SHOWN,
			      "%s %s %016llx, an address of user space, and not by way of copy_from_user() or the like.",
			      place, doing, fault->address);
	else if (is_allocating(explain->cause->place))
		claim_free_list(explain);
	else if (!is_traced(explain) || !object_is_freed(explain, when))
		claim_wild(explain, place);
	/* With an index the fault may be the index's. */
	else if (explain->access.called_since || explain->access.memory.index >= 0)
		claim_perhaps_freed(explain, place);
	else
		claim_read_from_freed(explain, place, when);
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

		if (!value->nr)
			continue;
		any = true;
		if (!is_of_object(explain, value->value))
			finding_evidence(finding, use->time, finding_event(use->cpu, use->event),
					 "%s %s=%016llx, which %s has, by %s-%lld on CPU %u", use->event,
					 use->field, value->value, reg ?: "a register", use->comm, use->pid, use->cpu);
		/* A name of the file stands in a command that is pasted. */
		if (!use->event[strspn(use->event, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:")])
			finding_next(finding, "epitaph report --all --event '%s' FILE", use->event);
	}
	if (history->nr_values && history->nr_events && !any)
		finding_note(&finding->not_found, "a recorded event that has one of the %u pointers in the registers",
			     history->nr_values);
}

/* A report of KASAN says it all itself. */
static bool judge_kasan(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;

	if (!report || !report_text_has(report->title, "BUG: KASAN:"))
		return false;
	finding_claim(explain->finding,
		      report_text_has(report->title, "-free") ? "freed-memory" : "wild-pointer",
		      FINDING_SHOWN, "KASAN saw it: %.*s.", WORDS(report->title));
	words_report_evidence(explain, report);
	return true;
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

bool judge_access(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	const struct fault_text *fault = &explain->fault;
	enum address_kind kind = kind_of_address(fault->address);
	char place[3 * WORDS_FUNCTION], function[WORDS_FUNCTION];
	struct report_text at;

	if (judge_kasan(explain))
		return true;
	if (!is_access(report, fault) || report_text_has(report->title, "stack"))
		return false;
	/* Where the CPU jumped to is no place; what checks a list does so for its caller. */
	words_function(function, report->place);
	if (plumbing_is_of_checking(function) && words_frame(report, plumbing_has).text)
		at = words_frame(report, plumbing_has);
	else
		at = fault->access == FAULT_CALL || !report->place.text ? words_frame(report, plumbing_is_of_dying) :
								report->place;
	words_place(place, at);
	/* Who called it is innocent. */
	if (!report->place.text && fault->access != FAULT_CALL && at.text && !has_place_line(explain)) {
		char caller[2 * WORDS_FUNCTION];

		memcpy(caller, place, sizeof(caller));
		snprintf(place, sizeof(place), "A function that %s called", caller);
	}
	if (!fault->has_address)
		finding_claim(explain->finding, "wild-pointer", FINDING_POSSIBLE,
			      "%s used an address that no memory can have, or an instruction that is not allowed (general protection fault).",
			      place);
	else if (is_of_error(explain, kind))
		claim_error(explain, place);
	else if (is_of_null(explain, kind))
		claim_null(explain, place);
	else if (kind == ADDRESS_FREED)
		claim_freed(explain, place);
	else if (kind == ADDRESS_DELETED)
		claim_deleted(explain, place);
	else
		claim_other(explain, kind, place);
	words_report_evidence(explain, report);
	add_registers(explain);
	object_add(explain);
	add_handlers(explain);
	return true;
}
