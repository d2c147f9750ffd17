// SPDX-License-Identifier: GPL-2.0-or-later
#include "vmalloc_area.h"

#include <stdio.h>
#include <string.h>

#include "access_words.h"
#include "judge/narrow_counter.h"
#include "judge/words.h"
#include "kernel_state/vmalloc_areas.h"
#include "linux_kernel/vmem.h"

#define PAGE		4096ULL
#define AREA_PAGES	65536	/* as many as are looked at */
#define NEAR_PAGES	16384	/* areas lie one behind the other */
#define STRUCT_PAGE	64	/* bytes */
#define PAGES_ROOM	(1ULL << 42)	/* more than all struct pages */
#define NEAR_BEHIND	256	/* bytes */

/* Is @va within the kernel's range for such areas? @base: its start */
static bool is_in_range(const struct kernel *kernel, u64 va, u64 *base)
{
	u64 symbol;

	return kernel && kernel->kallsyms && kallsyms_address(kernel->kallsyms, "vmalloc_base", &symbol) &&
	       vmem_number(kernel->vmem, symbol, 8, base) && va > *base && va - *base < 1ULL << 45;
}

static bool has_page(const struct kernel *kernel, u64 va)
{
	u64 paddr;

	return vmem_translate(kernel->vmem, va, &paddr);
}

/* By the page tables; false also where the dump lacks them. */
static bool is_unmapped(const struct kernel *kernel, u64 va)
{
	return !has_page(kernel, va) && vmem_lack(kernel->vmem) == VMEM_UNMAPPED;
}

/*
 * The kernel leaves a page unmapped behind each area of vmalloc() and ioremap(). Is the address at the start of such
 * a page? What comes from behind, below the next area, is at its end. @start: of the area.
 */
static bool is_behind_area(const struct explain *explain, u64 *start)
{
	const struct kernel *kernel = explain->kernel;
	u64 page = explain->fault.address & ~(PAGE - 1), base;

	if (explain->fault.address - page >= NEAR_BEHIND || !is_in_range(kernel, page, &base) || !is_unmapped(kernel, page))
		return false;
	for (*start = page; *start > base && page - *start < AREA_PAGES * PAGE; *start -= PAGE)
		if (!has_page(kernel, *start - PAGE))
			break;
	return *start < page;
}

/*
 * An area begins with a page, behind an unmapped one. Is that what the pointer has, and is nothing mapped there, but other
 * areas are near?
 */
static bool is_freed_area(const struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	const struct kernel *kernel = explain->kernel;
	u64 start = access->pointer_value, base;

	if (!access_is_traced(explain) || access->memory.index >= 0 || start % PAGE || !is_in_range(kernel, start, &base) ||
	    explain->fault.address - start >= AREA_PAGES * PAGE || !is_unmapped(kernel, start) || !is_unmapped(kernel, start - PAGE) ||
	    !is_unmapped(kernel, explain->fault.address))
		return false;
	for (u64 i = 2; i < NEAR_PAGES && start - i * PAGE > base; i++)
		if (has_page(kernel, start - i * PAGE))
			return true;
	return false;
}

/* Did the kernel say that no page was there, where the dump has one? Then what was there was given back, and its place given anew. */
static bool is_given_anew(const struct explain *explain)
{
	const struct kernel *kernel = explain->kernel;
	u32 from = 0;
	u64 base;

	/* What goes on past the end of an area meets a page at its start. */
	return access_is_traced(explain) && explain->access.memory.index < 0 && !(explain->access.pointer_value % PAGE) &&
	       explain->fault.address - explain->access.pointer_value >= NEAR_BEHIND && explain->fault.address - explain->access.pointer_value < AREA_PAGES * PAGE &&
	       is_in_range(kernel, explain->fault.address, &base) && has_page(kernel, explain->fault.address) &&
	       fault_text_line(explain->death, explain->cause, "not-present page", &from).text;
}

static void claim_given_back(struct explain *explain, const char *place, const char *doing)
{
	if (is_freed_area(explain))
		finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
			      "%s %s %016llx, in an area of vmalloc(), ioremap() or the like that was given back: it began at %016llx, by the pointer, and nothing is mapped there any more.",
			      place, doing, explain->fault.address, explain->access.pointer_value);
	else
		finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
			      "%s %s %016llx, in an area of vmalloc(), ioremap() or the like that was given back: nothing was mapped there then, and by the dump another area was put there since.",
			      place, doing, explain->fault.address);
	finding_open(explain->finding, "Who freed it: its owner while it was in use, or one that freed an area of its own twice. Who reads it now need not be wrong.");
}

/* The number that the kernel keeps in the variable @name. */
static bool read_layout(const struct kernel *kernel, const char *name, u64 *base)
{
	u64 symbol;

	return kallsyms_address(kernel->kallsyms, name, &symbol) && vmem_number(kernel->vmem, symbol, 8, base);
}

/*
 * What virt_to_page() makes of an address: arch/x86/include/asm/page.h. Of one of vmalloc() it is where no struct page is. @address: of
 * which it was made.
 */
static bool is_page_of_area(const struct explain *explain, u64 *address)
{
	const struct kernel *kernel = explain->kernel;
	u64 pages, memory, vmalloc, behind;

	if (!kernel || !kernel->kallsyms || !read_layout(kernel, "vmemmap_base", &pages) || !read_layout(kernel, "page_offset_base", &memory))
		return false;
	behind = explain->fault.address - pages;
	if (behind >= PAGES_ROOM || !is_unmapped(kernel, explain->fault.address))
		return false;
	*address = memory + behind / STRUCT_PAGE * PAGE;
	return is_in_range(kernel, *address, &vmalloc) && has_page(kernel, *address);
}

/* Who asked for the area that has @address; "": it is not known. */
static void put_area_giver(char text[FINDING_TEXT / 2], const struct kernel *kernel, u64 address)
{
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION];
	struct vmalloc_area area;

	*text = '\0';
	if (!vmalloc_area_at(kernel, address, &area) || !area.caller || !kernel_caller(kernel, area.caller, name, sizeof(name)))
		return;
	words_place(place, (struct report_text){ name, strlen(name) });
	snprintf(text, FINDING_TEXT / 2, ", which %.100s had asked for", place);
}

bool vmalloc_page_claim(struct explain *explain, const char *place, const char *doing)
{
	char giver[FINDING_TEXT / 2];
	u64 address;

	if (!is_page_of_area(explain, &address))
		return false;
	put_area_giver(giver, explain->kernel, address);
	finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
		      "%s %s %016llx, where no memory is: the struct page that virt_to_page() makes of %016llx, an address of vmalloc() or a stack, which has none there.",
		      place, doing, explain->fault.address, address);
	finding_evidence_timeless(explain->finding, "a page is mapped at %016llx, in an area of vmalloc()%s", address, giver);
	finding_open(explain->finding, "Where that address was taken for one of kmalloc(): vmalloc_to_page() is for it. sg_init_one() and dma_map_single() ask virt_to_page() as well.");
	return true;
}

bool vmalloc_area_claim(struct explain *explain, const char *place, const char *doing)
{
	char giver[2 * WORDS_FUNCTION];
	u64 start, bound, page = explain->fault.address & ~(PAGE - 1);

	if (is_behind_area(explain, &start) && narrow_counter_ask(&bound, explain)) {
		finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
			      "%s %s %016llx, in the guard page behind an area of vmalloc() or ioremap(): it went past the end of that, of 0x%llx bytes, for its loop is to end when a counter of 8 bits gets to %llu, which it never does.",
			      place, doing, explain->fault.address, page - start, bound);
		finding_open(explain->finding, "Whether so many may be there at all; if so, the counter has to be wider.");
		return true;
	}
	if (is_behind_area(explain, &start)) {
		finding_claim(explain->finding, "wild-pointer", FINDING_LIKELY,
			      "%s %s %016llx, in the guard page behind an area of vmalloc() or ioremap(): it went past the end of that, of 0x%llx bytes at %016llx, which is mapped.",
			      place, doing, explain->fault.address, page - start, start);
		if (words_module_behind(giver, explain->cause))
			finding_open(explain->finding, "Why: the length, or the area, that %.140s gave.", giver);
		else
			finding_open(explain->finding, "Whether the length or index is wrong, or the area too small.");
		return true;
	}
	if (!is_freed_area(explain) && !is_given_anew(explain))
		return false;
	claim_given_back(explain, place, doing);
	return true;
}
