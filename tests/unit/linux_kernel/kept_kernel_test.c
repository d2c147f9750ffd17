// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel of which pieces of memory are all there is: what is read, and what is not; pieces that lie.
 *
 * build: @extractor
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "linux_kernel/kept_kernel.h"
#include "tap.h"

#define DATA	0xffff888003f1c100ULL
#define CODE	0xffffffffc0401000ULL

static struct kept_symbols *symbols_of(u32 nr)
{
	struct kept_symbols *symbols = calloc(1, sizeof(*symbols) + nr * sizeof(struct kept_symbol));

	symbols->nr = nr;
	return symbols;
}

static void name(struct kept_symbol *symbol, u64 start, u64 size, const char *text, const char *module)
{
	symbol->start = start;
	symbol->size = size;
	strcpy(symbol->name, text);
	strcpy(symbol->module, module);
}

static struct kernel *open_pieces(const struct vmem_piece *pieces, u32 nr, struct kept_symbols *symbols)
{
	struct kernel *kernel = NULL;
	struct err err = ERR_INIT;

	if (!CHECK(!kernel_open_kept(&kernel, pieces, nr, symbols, EM_X86_64, &err), "%s", err.msg))
		exit(99);
	return kernel;
}

static void kept_kernel__reads_what_was_kept_and_nothing_else(void)
{
	u8 bytes[16], got[40];
	struct vmem_piece pieces[2] = { { DATA, 16, bytes }, { DATA + 16, 8, bytes } };
	struct kernel *kernel;
	u64 value, paddr;

	for (u32 i = 0; i < sizeof(bytes); i++)
		bytes[i] = (u8)(i + 1);
	kernel = open_pieces(pieces, 2, symbols_of(0));
	CHECK(vmem_u64(kernel->vmem, DATA + 8, &value) && value == 0x100f0e0d0c0b0a09ULL, "%llx", value);
	CHECK(vmem_read(kernel->vmem, DATA + 4, got, sizeof(got)) == 20 && got[11] == 16 && got[12] == 1, "two that touch");
	CHECK(vmem_lack(kernel->vmem) == VMEM_LEFT_OUT && strstr(vmem_why(kernel->vmem), "recorder kept"), "%s", vmem_why(kernel->vmem));
	CHECK(!vmem_u64(kernel->vmem, DATA + 20, &value), "half of it");
	CHECK(!vmem_u64(kernel->vmem, DATA - 1, &value) && !vmem_u64(kernel->vmem, 0, &value), "in front");
	/* It is not known whether a page is mapped. */
	CHECK(!vmem_translate(kernel->vmem, DATA, &paddr) && vmem_lack(kernel->vmem) != VMEM_UNMAPPED, "no page tables");
	kernel_close(kernel);
}

static void kept_kernel__takes_the_first_of_pieces_that_overlap(void)
{
	u8 ones[32], twos[64], got[64];
	struct vmem_piece pieces[3] = { { DATA, 32, ones }, { DATA - 16, 64, twos }, { ~0ULL - 7, 8, ones } };
	struct kernel *kernel;

	memset(ones, 1, sizeof(ones));
	memset(twos, 2, sizeof(twos));
	kernel = open_pieces(pieces, 3, symbols_of(0));
	CHECK(vmem_read(kernel->vmem, DATA, got, sizeof(got)) == 48 && got[31] == 1 && got[32] == 2, "behind the first");
	CHECK(vmem_read(kernel->vmem, ~0ULL - 3, got, sizeof(got)) == 4, "up to the end of all");
	kernel_close(kernel);
}

static void kept_kernel__names_functions_by_what_was_kept(void)
{
	struct kept_symbols *symbols = symbols_of(4);
	u8 code[1] = { 0xc3 };
	struct vmem_piece piece = { CODE, 1, code };
	char text[KERNEL_SYMBOL_MAX];
	struct kernel *kernel;
	struct ksym found;
	u64 at;

	name(&symbols->list[0], CODE, 0x20, "get", "slots");
	name(&symbols->list[1], CODE + 0x40, 0x20, "twice", "slots");
	name(&symbols->list[2], CODE + 0x60, 0x20, "twice", "slots");
	name(&symbols->list[3], 0xffffffff81000000ULL, 0x10, "kfree", "");
	kernel = open_pieces(&piece, 1, symbols);
	CHECK(kernel_symbol(kernel, CODE + 4, text, sizeof(text)) && !strcmp(text, "get+0x4/0x20 [slots]"), "%s", text);
	CHECK(!kernel_symbol(kernel, CODE + 0x20, text, sizeof(text)), "behind it");
	CHECK(kept_symbol_named(kernel, "get", "slots") && !kept_symbol_named(kernel, "get", ""), "of its module");
	CHECK(!kept_symbol_named(kernel, "twice", "slots"), "two of a name");
	CHECK(kallsyms_address(kernel->kallsyms, "kfree", &at) && at == 0xffffffff81000000ULL, "of the kernel");
	CHECK(!kallsyms_address(kernel->kallsyms, "get", &at), "a module's is none of the kernel's");
	CHECK(kallsyms_find(kernel->kallsyms, at + 8, &found) && !kallsyms_find(kernel->kallsyms, at + 16, &found), "its size");
	/* There may be another one, which was not kept. */
	CHECK(!kallsyms_is_only(kernel->kallsyms, "kfree") && !kallsyms_nr(kernel->kallsyms), "not all symbols");
	kernel_close(kernel);
}

int main(void)
{
	TAP_RUN(kept_kernel__reads_what_was_kept_and_nothing_else);
	TAP_RUN(kept_kernel__takes_the_first_of_pieces_that_overlap);
	TAP_RUN(kept_kernel__names_functions_by_what_was_kept);
	return tap_done();
}
