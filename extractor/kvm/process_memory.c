// SPDX-License-Identifier: GPL-2.0-or-later
#include "process_memory.h"

#include <stdlib.h>
#include <string.h>

#include "linux_kernel/page_table.h"

#define TABLE_BITS	9
#define TABLE_ENTRIES	(1U << TABLE_BITS)
#define TABLE_SPAN	((u64)TABLE_ENTRIES * DUMP_PAGE)	/* bytes that a last table maps */

/**
 * struct process_memory - of one process
 * @table: the last table that was read, for the addresses from @start on
 * @has_table: there is one
 * @walks: see process_memory_walks()
 */
struct process_memory {
	struct dump *in;
	struct page_table paging;
	bool has_table;
	u64 start;
	u64 walks;
	u8 table[TABLE_ENTRIES * 8];
};

int process_memory_open(struct process_memory **ret, const struct kernel *kernel, u64 mm, struct err *err)
{
	struct process_memory *memory;
	struct btf_member_place place;
	u64 first, root;
	int res;

	if (!kernel_btf_member(kernel->ktypes, "mm_struct", "pgd", &place) ||
	    !vmem_number(kernel->vmem, mm + place.offset, place.size, &first) ||
	    !vmem_translate(kernel->vmem, first, &root))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "the page tables of the process with mm %#llx cannot be found: %s",
			       mm, kernel->ktypes ? vmem_why(kernel->vmem) : "the kernel's types are missing");
	memory = calloc(1, sizeof(*memory));
	if (!memory)
		return err_sys(err, "memory for the page tables of a process");
	memory->in = vmem_input(kernel->vmem);
	res = page_table_find(&memory->paging, memory->in, err);
	if (!res && !page_table_of_process(&memory->paging, root))
		res = err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "the memory of processes is read of x86-64, and of arm64 with pages of 4 KiB, only");
	if (res)
		free(memory);
	else
		*ret = memory;
	return res;
}

void process_memory_close(struct process_memory *memory)
{
	free(memory);
}

/* --- translation --------------------------------------------------------- */

static enum process_page page_of_entry(u64 value)
{
	return value ? PROCESS_PAGE_SWAPPED : PROCESS_PAGE_NONE;
}

static bool in_last_table(const struct process_memory *memory, u64 va)
{
	return memory->has_table && va - memory->start < TABLE_SPAN;
}

/* Bytes from @va on, up to the table's end, of pages that are not there and became the same. */
static u64 same_fate(const struct process_memory *memory, u64 va, enum process_page fate)
{
	struct bytes b = bytes_of(memory->table, sizeof(memory->table), ORDER_LITTLE);
	u64 first = (va - memory->start) / DUMP_PAGE, i, paddr;

	for (i = first; i < TABLE_ENTRIES; i++) {
		u64 value = bytes_u64(&b, i * 8);

		if (page_table_page(&memory->paging, value, &paddr) || page_of_entry(value) != fate)
			break;
	}
	return (i - first) * DUMP_PAGE;
}

static enum process_page find_in_table(const struct process_memory *memory, u64 va, u64 *paddr, u64 *len)
{
	struct bytes b = bytes_of(memory->table, sizeof(memory->table), ORDER_LITTLE);
	u64 value = bytes_u64(&b, (va - memory->start) / DUMP_PAGE * 8);

	*len = DUMP_PAGE - va % DUMP_PAGE;
	if (!page_table_page(&memory->paging, value, paddr)) {
		*len += same_fate(memory, va + *len, page_of_entry(value));
		return page_of_entry(value);
	}
	*paddr += va % DUMP_PAGE;
	return PROCESS_PAGE_THERE;
}

/* The next addresses are mostly in the same table. */
static void keep_table(struct process_memory *memory, u64 va, u64 entry)
{
	memory->has_table = dump_read(memory->in, entry & ~(u64)(DUMP_PAGE - 1), memory->table,
				      sizeof(memory->table), NULL) == sizeof(memory->table);
	memory->start = va & ~(TABLE_SPAN - 1);
}

u64 process_memory_walks(const struct process_memory *memory)
{
	return memory->walks;
}

/* Bytes from @va to the end of its stretch of 1 << @shift bytes. */
static u64 up_to_end(u64 va, u32 shift)
{
	return (1ULL << shift) - (va & ((1ULL << shift) - 1));
}

/* No process has an address that is not canonical. Of a table that is not there all entries lack. */
enum process_page process_memory_find(struct process_memory *memory, u64 va, u64 *paddr, u64 *len)
{
	struct page_table_leaf leaf;
	enum page_table_result result;

	if (in_last_table(memory, va))
		return find_in_table(memory, va, paddr, len);
	memory->walks++;
	result = page_table_walk(&memory->paging, memory->in, va, &leaf);
	if (leaf.level == memory->paging.nr_levels) {
		*len = -va;
		return PROCESS_PAGE_NONE;
	}
	if (result == PAGE_TABLE_NO_TABLE) {
		*len = up_to_end(va, leaf.shift + TABLE_BITS);
		return PROCESS_PAGE_NO_TABLE;
	}
	*len = up_to_end(va, leaf.shift);
	if (!leaf.level) {
		keep_table(memory, va, leaf.at);
		if (memory->has_table)
			return find_in_table(memory, va, paddr, len);
	}
	if (result == PAGE_TABLE_UNMAPPED)
		return page_of_entry(leaf.value);
	*paddr = leaf.paddr;
	return PROCESS_PAGE_THERE;
}

size_t process_memory_read(struct process_memory *memory, u64 va, void *buf, size_t size)
{
	size_t done = 0;

	while (done < size) {
		u64 paddr, len;
		ssize_t n;

		if (process_memory_find(memory, va + done, &paddr, &len) != PROCESS_PAGE_THERE)
			break;
		len = len < size - done ? len : size - done;
		n = dump_read(memory->in, paddr, (u8 *)buf + done, len, NULL);
		if (n > 0)
			done += n;
		if (n != (ssize_t)len)
			break;
	}
	return done;
}
