// SPDX-License-Identifier: GPL-2.0-or-later
#include "freeing.h"

#include <string.h>

#include "access_words.h"
#include "base/kernel_half.h"
#include "linux_kernel/vmem.h"
#include "judge/words.h"

#define PAGE_SHIFT	12
#define STRUCT_PAGE	64	/* bytes */
#define OF_STRUCT_PAGE	16	/* bytes of it that freeing reads first: flags, compound_head */
#define IMAGE		0xffffffff80000000ULL	/* __START_KERNEL_map */
#define STACK		0x4000	/* bytes of a task's stack: THREAD_SIZE */

/*
 * Where the direct map and the struct pages begin is random, but a multiple of 1 GiB; the kernel's image, of
 * 2 MiB: arch/x86/mm/kaslr.c, arch/x86/kernel/head64.c. So the low bits say which struct page that is.
 */
#define DIRECT_BITS	30
#define IMAGE_BITS	21

static bool frees(const char *function)
{
	static const char *const names[] = {
		"kfree", "__kmem_cache_free", "kmem_cache_free", "ksize", "__ksize", "kfree_sensitive", "krealloc",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(function, names[i]))
			return true;
	return false;
}

/* Is @page, to 16 bytes, the struct page that the kernel computes of @address? */
static bool is_page_of(u64 page, u64 address)
{
	u32 bits = address >= IMAGE ? IMAGE_BITS : DIRECT_BITS;
	u64 mask = (STRUCT_PAGE << (bits - PAGE_SHIFT)) - 1;
	u64 want = (address & ((1ULL << bits) - 1)) >> PAGE_SHIFT << 6;

	return ((page - want) & mask) < OF_STRUCT_PAGE;
}

/* The register that has what was given; NULL: none has, or two have different values. */
static const struct fault_register *find_given(const struct fault_text *fault)
{
	static const char *const others[] = { "CR2", "CR3", "RSP", "FS", "GS", "EFLAGS", "sp" };
	const struct fault_register *found = NULL;

	for (u32 i = 0; i < fault->nr_registers; i++) {
		const struct fault_register *reg = &fault->registers[i];
		bool is_other = !in_kernel_half(reg->value) || !is_page_of(fault->address, reg->value);

		/* The address itself is what was computed. */
		if (fault->address - reg->value < STRUCT_PAGE)
			is_other = true;
		for (size_t k = 0; k < ARRAY_SIZE(others); k++)
			is_other |= !strcmp(reg->name, others[k]);
		if (is_other)
			continue;
		if (found && found->value != reg->value)
			return NULL;
		found = reg;
	}
	return found;
}

/* What lies there. */
static const char *what_it_is(const struct explain *explain, u64 given)
{
	u64 sp, byte;

	if (fault_text_stack(&sp, explain->death, explain->cause) && given / STACK == sp / STACK)
		return "it is an address of this task's stack";
	if (explain->kernel && vmem_number(explain->kernel->vmem, given, 1, &byte))
		return "memory is there, such as vmalloc() or a module has";
	return "the kernel has no struct page for it";
}

bool freeing_claim(struct explain *explain, const char *giver)
{
	struct finding *finding = explain->finding;
	const struct fault_register *given;
	char function[WORDS_FUNCTION];
	u64 rax;

	words_function(function, explain->cause->place);
	if (!frees(function))
		return false;
	/* Other machines have other layouts. */
	if (!fault_text_register(&explain->fault, "RAX", &rax))
		return false;
	given = find_given(&explain->fault);
	if (!given)
		return false;
	if (given->value >= -4095ULL) {
		finding_claim(finding, "error-pointer", FINDING_LIKELY,
			      "%s gave %s() an error number that was taken for a pointer: ERR_PTR(%lld), in %s%s%s.", giver,
			      function, (s64)given->value, given->name, *access_words_error((s64)given->value) ? ", which is " : "",
			      access_words_error((s64)given->value));
		finding_open(finding, "Which call failed: its caller did not look at IS_ERR().");
		return true;
	}
	finding_claim(finding, "wild-pointer", FINDING_LIKELY,
		      "%s gave %s() the address %016llx (%s), which is no memory of the slab allocator: %s.", giver, function,
		      given->value, given->name, what_it_is(explain, given->value));
	finding_open(finding, "Where that address is from. What vmalloc() gave, vfree() or kvfree() takes back; a broken pointer is possible too.");
	return true;
}
