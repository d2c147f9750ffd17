// SPDX-License-Identifier: GPL-2.0-or-later
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_words.h"
#include "fault/last_load.h"
#include "judge/words.h"
#include "kernel_state/vmalloc_areas.h"
#include "linux_kernel/kallsyms.h"
#include "linux_kernel/vmem.h"
#include "pointer_bytes.h"

#define MOST_OF_OBJECT	4096	/* bytes */
#define MOST_COUNTS	64	/* a number that counts further is any number */
#define LOWEST		0x10000		/* vm.mmap_min_addr */
#define LOWEST_X86_64	0x400000	/* where programs begin that are not moved; what is not asked for lies far above */
#define MOST_OF_TABLE	256
#define LEAST_PERCPU	0x8000		/* the kernel's own per-CPU variables have more: stacks of interrupts, of exceptions */
#define MOST_OF_STACK	0x4000
#define WHERE		200
#define HALF		(1ULL << 32)
#define MOST_ENDS	1	/* NUL, in eight letters */

/* The eight bytes that were taken for a pointer, or the address where no pointer is known. */
static u64 pointer_bytes(const struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	u64 pointer = access->memory.index < 0 ? access->pointer_value : access->base;

	return access_is_traced(explain) ? pointer : explain->fault.address;
}

/* Are they one byte, eight times, as memset() leaves them? No address of 64 bits is that, but 0 and -1. Mangled and masked bits aside. */
static bool is_filled(u64 value)
{
	u64 byte = value >> 56;

	/* What takes bits of it for flags, as a mutex does of its owner, has cleared them. */
	return byte && byte != 0xff && value >> 8 == byte * 0x01010101010101ULL && !((value ^ byte) & ~0x7ULL & 0xff);
}

static bool is_letter(char letter)
{
	return letter >= ' ' && letter <= '~';
}

void pointer_bytes_letters(char text[LETTERS_WORDS], const struct explain *explain)
{
	u64 value = pointer_bytes(explain);
	char letters[9] = "";
	u32 differ = 0, nr_ends = 0;

	*text = '\0';
	for (u32 i = 0; i < 8; i++) {
		letters[i] = (char)(value >> (8 * i));
		/* The end of a string may be among them. No pointer has a letter in its last byte. */
		if (!letters[i] && i > 1 && i < 7 && nr_ends++ < MOST_ENDS)
			letters[i] = '.';
		else if (!is_letter(letters[i]))
			return;
		differ += i && letters[i] != letters[i - 1];
	}
	/* What fills memory has one byte, or two by turns. */
	if (differ < 2 || !memcmp(letters, letters + 2, 6))
		return;
	snprintf(text, LETTERS_WORDS, ": the %s is the text \"%s\"", access_is_traced(explain) ? "pointer" : "address", letters);
}

bool pointer_bytes_run(char text[RUN_WORDS], u32 *from, u32 *at, const struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	const struct kernel_object *slab = &explain->slab;
	u64 place = access->object + (u64)access->object_offset;
	char bytes[MOST_OF_OBJECT], *end;
	u32 size = slab->size < MOST_OF_OBJECT ? slab->size : MOST_OF_OBJECT;
	u64 value;

	/* By now it may be another's. */
	if (!access_is_traced(explain) || !access->has_object || !explain->has_slab || place - slab->start + 8 > size ||
	    !vmem_get(explain->kernel->vmem, slab->start, bytes, size))
		return false;
	*from = *at = (u32)(place - slab->start);
	memcpy(&value, bytes + *at, 8);
	if (value != pointer_bytes(explain))
		return false;
	while (*from && is_letter(bytes[*from - 1]))
		--*from;
	for (end = bytes + *at; end < bytes + size && is_letter(*end); end++)
		;
	snprintf(text, RUN_WORDS, "%.*s", (int)(end - bytes - *from), bytes + *from);
	return *from < *at && end >= bytes + *at + 8;
}

void pointer_bytes_filling(char text[FILLING_WORDS], const struct explain *explain)
{
	u64 value = pointer_bytes(explain);
	u8 byte = (u8)(value >> 56);
	char letter[8] = "";

	*text = '\0';
	if (!is_filled(value))
		return;
	if (byte > ' ' && byte <= '~')
		snprintf(letter, sizeof(letter), " ('%c')", byte);
	snprintf(text, FILLING_WORDS, ": it is the byte 0x%02x%s again and again, as filled memory has it, and no pointer", byte, letter);
}

/* --- a sign that was extended ---------------------------------------------- */

/**
 * struct lost_target - what lies 4 GiB behind the pointer
 * @start, @end: of it
 * @words: "an area of vmalloc()", "an object of cache kmalloc-64"
 */
struct lost_target {
	u64 start, end;
	char words[80];
};

static bool find_lost_target(struct lost_target *ret, const struct kernel *kernel, u64 address)
{
	struct kernel_object object;
	struct vmalloc_area area;

	if (vmalloc_area_at(kernel, address, &area)) {
		*ret = (struct lost_target){ area.start, area.end, "an area of vmalloc()" };
		return true;
	}
	if (!kernel_object_at(kernel, address, &object) || object.state != KOBJECT_IN_USE)
		return false;
	*ret = (struct lost_target){ object.start, object.start + object.size, "" };
	snprintf(ret->words, sizeof(ret->words), "an object of cache %.40s", object.cache);
	return true;
}

/* Does the function have it at hand: a register points there, or to an object that does? */
static bool has_at_hand(const struct explain *explain, const struct kernel *kernel, const struct lost_target *target)
{
	struct kernel_object object;
	u64 word;

	for (u32 i = 0; i < explain->fault.nr_registers; i++) {
		u64 value = explain->fault.registers[i].value;

		if (value - target->start < target->end - target->start)
			return true;
		if (!kernel_object_at(kernel, value, &object) || object.state != KOBJECT_IN_USE)
			continue;
		for (u64 at = 0; at + 8 <= object.size && at < MOST_OF_OBJECT; at += 8)
			if (vmem_number(kernel->vmem, object.start + at, 8, &word) && word == target->start)
				return true;
	}
	return false;
}

bool pointer_bytes_claim_sign(struct explain *explain, const char *place, const char *doing)
{
	const struct kernel *kernel = explain->kernel;
	u64 value = explain->access.pointer_value;
	struct lost_target target;

	if (!kernel || !access_is_traced(explain) || explain->access.memory.index >= 0 || !find_lost_target(&target, kernel, value + HALF) ||
	    !has_at_hand(explain, kernel, &target))
		return false;
	finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
		      "%s %s %016llx, where no memory is: 4 GiB behind that is %s, which it has at hand. An offset of 32 bits was extended with its sign, as of a number above 2 GiB that is an int.",
		      place, doing, explain->fault.address, target.words);
	finding_evidence_timeless(explain->finding, "that begins at %016llx: the pointer is that and 0x%llx, less 4 GiB", target.start, value + HALF - target.start);
	finding_open(explain->finding, "Which number that is: a byte that is shifted by 24 is an int, and so is the difference of two.");
	return true;
}

#define SIGN		(1ULL << 31)
#define MOST_INDEX	(1ULL << 20)	/* of what is left without that bit */

/* The variable of a module or the object in use that has @base and @target. */
static bool put_of_both(char text[WHERE], const struct kernel *kernel, u64 base, u64 target)
{
	const struct kernel_module *module = kernel->modules ? kernel_modules_at(kernel->modules, base) : NULL;
	struct kernel_object object;
	struct ksym symbol;

	if (module && kernel_modules_find(kernel->modules, module, base, &symbol)) {
		const struct kernel_module_range *range = kernel_module_range_at(module, base);

		snprintf(text, WHERE, "the variable %.80s of module %.40s", symbol.name, module->name);
		/* Of the last one of a section the size is not known. */
		return target - symbol.start < (symbol.size ?: range->start + range->size - symbol.start);
	}
	if (module || !kernel_object_at(kernel, base, &object) || object.state != KOBJECT_IN_USE)
		return false;
	snprintf(text, WHERE, "an object of cache %.40s, %016llx", object.cache, object.start);
	return target - object.start < object.size;
}

bool pointer_bytes_claim_index(struct explain *explain, const char *place, const char *doing)
{
	const struct faulting_access *access = &explain->access;
	const struct instruction_access *memory = &access->memory;
	const struct kernel *kernel = explain->kernel;
	u64 upper = access->index >> 32, rest = access->index & (SIGN - 1);
	char where[WHERE];

	if (!kernel || !access_is_traced(explain) || memory->index < 0 || (upper && upper != UINT32_MAX) || !(access->index & SIGN) || rest >= MOST_INDEX ||
	    !put_of_both(where, kernel, access->base, access->base + rest * memory->scale + (u64)memory->offset))
		return false;
	finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
		      "%s %s %016llx, where no memory is: the index in %s has bit 31 set, the sign of an int, and is %lld. Without that bit it is %llu, which is in %s.",
		      place, doing, explain->fault.address, instruction_register(access->instruction.set, memory->index), (s64)access->index, rest, where);
	finding_open(explain->finding, "Who set that bit: 1 << 31 does, of a shift by a number that was not checked, as one that a disk, a device or a user gave; or a flag that was not taken away.");
	return true;
}

/* Has the machine memory there, of which a page may have no address? Each page of a slab begins with an object, also one of 4 GiB before. */
static bool is_of_memory(const struct kernel *kernel, u64 address)
{
	u64 symbol, base, nr;

	return kernel->kallsyms && kallsyms_address(kernel->kallsyms, "page_offset_base", &symbol) && vmem_number(kernel->vmem, symbol, 8, &base) &&
	       kallsyms_address(kernel->kallsyms, "max_pfn", &symbol) && vmem_number(kernel->vmem, symbol, 8, &nr) && address >= base &&
	       (address - base) / ADDRESS_PAGE < nr;
}

bool pointer_bytes_claim_upper(struct explain *explain, const char *place, const char *doing)
{
	const struct faulting_access *access = &explain->access;
	const struct kernel *kernel = explain->kernel;
	u64 value = access->pointer_value, here;
	struct kernel_object object = { .start = 0 };
	u32 counts = 0;

	/* Only what memory has still was changed there. */
	if (!kernel || !access_is_traced(explain) || access->memory.index >= 0 || !access->has_object || !explain->has_slab ||
	    explain->slab.state != KOBJECT_IN_USE || !vmem_number(kernel->vmem, access->object + (u64)access->object_offset, 8, &here) || here != value ||
	    is_of_memory(kernel, value))
		return false;
	while (counts < MOST_COUNTS && object.start != value - ((u64)counts << 32)) {
		counts++;
		if (!kernel_object_at(kernel, value - ((u64)counts << 32), &object) || object.state != KOBJECT_IN_USE)
			object.start = 0;
	}
	if (!counts || object.start != value - ((u64)counts << 32))
		return false;
	finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
		      "%s %s %016llx, where no memory is: the upper half of that pointer is %u more than it is to be, for with the lower half begins an object in use, %016llx of cache %.40s.",
		      place, doing, explain->fault.address, counts, object.start, object.cache);
	finding_open(explain->finding, "What counted there: a table of numbers of 32 bits that ends in front of it, and whose index is too large; or a user of freed memory. %s",
		     counts & (counts - 1) ? "Who read it is innocent." : "A bit that failed in memory looks so too. Who read it is innocent.");
	return true;
}

/* --- a small number ------------------------------------------------------- */

static bool is_small(const struct explain *explain, u64 value)
{
	return value >= ADDRESS_PAGE && value < (explain->kernel->machine == EM_X86_64 ? LOWEST_X86_64 : LOWEST);
}

/* Where the register of the index has the pointer by now: the only place of the object behind @from that has it. */
static bool find_index(u64 *index, const struct kernel *kernel, u64 from, u64 value)
{
	struct kernel_object object;
	u64 here;
	u32 nr = 0;

	if (!kernel_object_at(kernel, from, &object)) {
		/* Where the object ends is not known of memory that was kept. */
		if (!kernel->kept)
			return false;
		object = (struct kernel_object){ .start = from, .size = MOST_OF_TABLE };
	}
	for (u64 at = from; at + 8 <= object.start + object.size; at += 8) {
		if (!vmem_number(kernel->vmem, at, 8, &here) || here != value)
			continue;
		*index = (at - from) / 8;
		nr++;
	}
	return nr == 1;
}

/* "at index 8 of the pointers that begin at 0x18 of ffff888003f1c180 (RDI)", and the address of that. */
static bool put_table_place(char where[WHERE], u64 *address, const struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	const struct instruction_set *set = access->instruction.set;
	struct function_code *code = calloc(1, sizeof(*code));
	struct instruction_access load = { .base = INSTRUCTION_NO_REGISTER, .index = INSTRUCTION_NO_REGISTER };
	u64 base = 0, index = 0;
	bool is = code && function_code_read(code, explain->kernel, explain->death, explain->cause) &&
		  last_load_of_table(&load, code, access->memory.base) &&
		  (load.base < 0 || fault_text_register(&explain->fault, instruction_register(set, load.base), &base));

	free(code);
	if (!is || !(load.index == access->memory.base ? find_index(&index, explain->kernel, base + (u64)load.offset, access->pointer_value) :
							 fault_text_register(&explain->fault, instruction_register(set, load.index), &index)) ||
	    index > UINT32_MAX)
		return false;
	*address = base + index * load.scale + (u64)load.offset;
	if (load.base >= 0)
		snprintf(where, WHERE, "at index %llu of the pointers that begin at 0x%llx of %016llx (%s)", index, (u64)load.offset, base,
			 instruction_register(set, load.base));
	else
		snprintf(where, WHERE, "at index %llu of the pointers that begin at %016llx", index, (u64)load.offset);
	return true;
}

/*
 * May @value be a per-CPU variable, as alloc_percpu() gives them, or as the kernel has one there itself? What lies within one of the kernel's
 * own is seldom kept for later.
 */
static bool is_percpu_variable(const struct kernel *kernel, u64 value)
{
	struct ksym symbol;
	u64 end;

	return !kernel->kallsyms || !kallsyms_address(kernel->kallsyms, "__per_cpu_end", &end) || value >= end ||
	       (kallsyms_find(kernel->kallsyms, value, &symbol) && symbol.start == value);
}

/* What the compiler puts aside there may be NULL and an offset. */
static bool is_put_aside(const struct explain *explain, u64 address)
{
	const struct instruction_set *set = explain->access.instruction.set;
	u64 sp;

	return fault_text_register(&explain->fault, instruction_register(set, set->stack), &sp) && address - sp < MOST_OF_STACK;
}

bool pointer_bytes_claim_number(struct explain *explain, const char *place, const char *doing, bool is_percpu)
{
	const struct faulting_access *access = &explain->access;
	const struct kernel *kernel = explain->kernel;
	u64 value = access->pointer_value, address = 0, here;
	char where[WHERE];
	bool is_indexed = false;

	if (!kernel || !access_is_traced(explain) || access->memory.index >= 0 || !is_small(explain, value) ||
	    (is_percpu && is_percpu_variable(kernel, value)))
		return false;
	if (access->has_object) {
		address = access->object + (u64)access->object_offset;
		snprintf(where, sizeof(where), "at %s0x%llx of %016llx", access->object_offset < 0 ? "-" : "",
			 access->object_offset < 0 ? -(u64)access->object_offset : (u64)access->object_offset, access->object);
	} else {
		is_indexed = put_table_place(where, &address, explain);
	}
	if (!address || is_put_aside(explain, address) || !vmem_number(kernel->vmem, address, 8, &here) || here != value)
		return false;
	finding_claim(explain->finding, explain->fault.address < LOWEST ? "wild-pointer" : "user-pointer",
		      kernel->kept && value >= LEAST_PERCPU ? FINDING_POSSIBLE : FINDING_LIKELY,
		      "%s %s 0x%llx: it took the number %llu (0x%llx) for a pointer, which memory has %s%s.", place, doing, explain->fault.address, value, value,
		      where, is_percpu || kernel->kept ? "; or that is an offset of per-CPU memory, used without per_cpu_ptr()" : "");
	if (is_indexed)
		finding_open(explain->finding, "Whether that index is behind the end of the table, as where nothing was found and the size stands for that; or who wrote the number there.");
	else
		finding_open(explain->finding, "Why a number is there: a union or an object of another kind, a member that is to be read as a number, or it was written over; or it is where a member of NULL would be, which was stored.");
	return true;
}
