// SPDX-License-Identifier: GPL-2.0-or-later
/* A kernel of a few hostile pages: its tables, symbols, types, log and modules. */
#include <elf.h>
#include <stdio.h>

#include "input_fuzz.h"
#include "kernel.h"

#include "kernel_seed.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define AT(off) (SEED_VA + (off))
#define MEMORY	4096		/* of the file, where memory begins */

static int write_info(char *text, size_t size)
{
	return snprintf(text, size,
		"OSRELEASE=6.1.0\nPAGESIZE=4096\nNUMBER(phys_base)=-16777216\nNUMBER(pgtable_l5_enabled)=0\n"
		"SYMBOL(swapper_pg_dir)=%llx\nSYMBOL(_stext)=%llx\nSYMBOL(prb)=%llx\n"
		"SYMBOL(kallsyms_num_syms)=%llx\nSYMBOL(kallsyms_relative_base)=%llx\n"
		"SYMBOL(kallsyms_token_table)=%llx\nSYMBOL(kallsyms_token_index)=%llx\n"
		"SYMBOL(kallsyms_offsets)=%llx\nSYMBOL(kallsyms_names)=%llx\n"
		"SIZE(prb_desc)=24\nSIZE(printk_info)=88\nOFFSET(printk_ringbuffer.desc_ring)=0\n"
		"OFFSET(printk_ringbuffer.text_data_ring)=48\nOFFSET(prb_desc_ring.count_bits)=0\n"
		"OFFSET(prb_desc_ring.descs)=8\nOFFSET(prb_desc_ring.infos)=16\n"
		"OFFSET(prb_desc_ring.head_id)=24\nOFFSET(prb_desc_ring.tail_id)=32\n"
		"OFFSET(prb_desc.state_var)=0\nOFFSET(prb_desc.text_blk_lpos)=8\n"
		"OFFSET(prb_data_blk_lpos.begin)=0\nOFFSET(prb_data_blk_lpos.next)=8\n"
		"OFFSET(printk_info.seq)=0\nOFFSET(printk_info.ts_nsec)=8\n"
		"OFFSET(printk_info.text_len)=16\nOFFSET(printk_info.caller_id)=20\n"
		"OFFSET(prb_data_ring.size_bits)=0\nOFFSET(prb_data_ring.data)=8\n",
		AT(0), AT(0), AT(SEED_PRB), AT(SEED_NR_SYMS), AT(SEED_BASE), AT(SEED_TOKENS),
		AT(SEED_INDEX), AT(SEED_OFFSETS), AT(SEED_NAMES));
}

/* All of the file but the memory. */
static const char *head(void)
{
	static char page[MEMORY];
	const size_t notes = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);
	const size_t info = notes + sizeof(Elf64_Nhdr) + 12;
	Elf64_Ehdr *e = (Elf64_Ehdr *)page;
	Elf64_Phdr *p = (Elf64_Phdr *)(e + 1);
	Elf64_Nhdr *n = (Elf64_Nhdr *)(p + 2);

	memcpy(e->e_ident, "\177ELF\2\1\1", 7);
	e->e_type = ET_CORE;
	e->e_machine = EM_X86_64;
	e->e_phoff = sizeof(*e);
	e->e_phentsize = sizeof(*p);
	e->e_phnum = 2;
	n->n_namesz = 11;
	n->n_descsz = write_info(page + info, sizeof(page) - info);
	memcpy(n + 1, "VMCOREINFO", 11);
	p[0] = (Elf64_Phdr){ .p_type = PT_NOTE, .p_offset = notes, .p_filesz = MEMORY - notes };
	p[1] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_offset = MEMORY, .p_filesz = 1 << 20,
			     .p_memsz = 1 << 20 };
	return page;
}

static int write_file(const u8 *data, size_t size)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("kernel", MFD_CLOEXEC);
	MUST(!ftruncate(fd, 0));
	MUST(pwrite(fd, head(), MEMORY, 0) == MEMORY);
	MUST(pwrite(fd, data, size, MEMORY) == (ssize_t)size);
	return dup(fd);
}

static void look_at_symbols(struct kernel *kernel)
{
	char buf[KERNEL_SYMBOL_MAX], name[KALLSYMS_NAME_MAX], type;
	u64 addr;

	for (u64 at = 0; at < SEED_SIZE; at += 48)
		MUST(kernel_symbol(kernel, AT(at), buf, sizeof(buf)) < sizeof(buf));
	for (u64 at = 0; at < 64; at += 8)
		kernel_symbol(kernel, SEED_MODULE + at, buf, sizeof(buf));
	kmodules_address(kernel->modules, "two", &addr);
	for (u32 i = 0; kernel->kallsyms && i < kallsyms_nr(kernel->kallsyms) && i < 100; i++) {
		MUST(kallsyms_symbol(kernel->kallsyms, i, &addr, &type, name));
		MUST(strlen(name) < KALLSYMS_NAME_MAX);
	}
	for (u32 k = 0; kernel->modules && k < kernel->modules->nr && k < 10; k++)
		for (u32 i = 0; i < 10; i++)
			kmodules_symbol(kernel->modules, &kernel->modules->list[k], i, &addr, &type,
					name);
}

static void look_at_types(const struct ktypes *kt)
{
	struct kmember m;
	u32 size;

	ktypes_member(kt, "module", "list.next", &m);
	ktypes_member(kt, "task_struct", "nothing", &m);
	ktypes_size(kt, "tk_fast", &size);
	ktypes_enum_name(kt, "mod_mem_type", 1);
	ktypes_enum_value(kt, NULL, "nothing", &(s64){ 0 });
	if (ktypes_member(kt, "tk_fast", "base", &m))
		MUST(ktypes_of(kt, &m));
}

static void look_at_log(const struct kernel *kernel)
{
	struct extras extras = { 0 };
	u64 real;

	for (u32 i = 0; i < kernel->log.nr; i++) {
		const struct klog_line *line = &kernel->log.records[i].line;

		MUST(!line->len || line->text[0] + line->text[line->len - 1] < 1000);
		kclock_real(&kernel->clock, line->mono_ns, &real);
		kclock_bound(&kernel->clock, line->mono_ns);
	}
	MUST(!kernel_add_log(kernel, &extras, NULL));
	extras_sort(&extras);
	extras_free(&extras);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct err err = ERR_INIT;
	struct input *in = NULL;
	struct kernel *kernel;

	if (input_open_fd(&in, write_file(data, size), &err))
		return 0;
	if (!kernel_open(&kernel, in, &err)) {
		look_at_symbols(kernel);
		look_at_types(kernel->ktypes);
		look_at_log(kernel);
		kernel_close(kernel);
	} else {
		MUST(err.code != ERR_IO);
	}
	input_close(in);
	return 0;
}
