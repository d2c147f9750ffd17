/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The vmcore around a kernel of a few hostile pages: headers, and what VMCOREINFO says of kernel_seed.h. */
#ifndef KERNEL_HEAD_H
#define KERNEL_HEAD_H

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "kernel_seed.h"

#define AT(off) (SEED_VA + (off))
#define MEMORY	4096		/* of the file, where memory begins */

static inline int kernel_info(char *text, size_t size)
{
	return snprintf(text, size,
		"OSRELEASE=6.1.0\nPAGESIZE=4096\nNUMBER(phys_base)=-16777216\nNUMBER(pgtable_l5_enabled)=0\n"
		"SYMBOL(swapper_pg_dir)=%llx\nSYMBOL(_stext)=%llx\nSYMBOL(prb)=%llx\n"
		"SYMBOL(kallsyms_num_syms)=%llx\nSYMBOL(kallsyms_relative_base)=%llx\n"
		"SYMBOL(kallsyms_token_table)=%llx\nSYMBOL(kallsyms_token_index)=%llx\n"
		"SYMBOL(kallsyms_offsets)=%llx\nSYMBOL(kallsyms_names)=%llx\n"
		"SYMBOL(init_uts_ns)=%llx\nOFFSET(uts_namespace.name)=0\n"
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
		AT(SEED_INDEX), AT(SEED_OFFSETS), AT(SEED_NAMES), AT(SEED_UTS));
}

/* All of the file but the memory. */
static inline const char *kernel_head(void)
{
	static char page[MEMORY];
	const size_t notes = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);
	const size_t info = notes + sizeof(Elf64_Nhdr) + 12;
	Elf64_Ehdr *e = (Elf64_Ehdr *)page;
	Elf64_Phdr *p = (Elf64_Phdr *)(e + 1);
	Elf64_Nhdr *n = (Elf64_Nhdr *)(p + 2);

	if (*page)
		return page;
	memcpy(e->e_ident, "\177ELF\2\1\1", 7);
	e->e_type = ET_CORE;
	e->e_machine = EM_X86_64;
	e->e_phoff = sizeof(*e);
	e->e_phentsize = sizeof(*p);
	e->e_phnum = 2;
	n->n_namesz = 11;
	n->n_descsz = kernel_info(page + info, sizeof(page) - info);
	memcpy(n + 1, "VMCOREINFO", 11);
	p[0] = (Elf64_Phdr){ .p_type = PT_NOTE, .p_offset = notes, .p_filesz = MEMORY - notes };
	p[1] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_offset = MEMORY, .p_filesz = 1 << 20,
			     .p_memsz = 1 << 20 };
	return page;
}

#endif
