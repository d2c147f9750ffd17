// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpu_regs.h"

#include <elf.h>
#include <string.h>

#include "base/byte_reader.h"

/* A note of the name "CORE" in its ELF form, and where struct elf_prstatus has registers. */
#define NOTE_TEXT	(12 + 8)
#define REGS_OFFSET	112

bool kernel_saved_regs(const struct kernel *kernel, u64 va, u32 first, struct kernel_regs *ret)
{
	u8 raw[8 * KERNEL_NR_REGS];
	struct bytes b = bytes_of(raw, sizeof(raw), ORDER_LITTLE);

	if (kernel->machine != EM_X86_64 ||
	    !vmem_get(kernel->vmem, va + 8ULL * first, raw + 8ULL * first, sizeof(raw) - 8ULL * first))
		return false;
	*ret = (struct kernel_regs){ .first = first };
	for (u32 i = first; i < KERNEL_NR_REGS; i++)
		ret->r[i] = bytes_u64(&b, 8 * i);
	return true;
}

/* Where the dying kernel put them. */
static bool find_crash_note(const struct kernel *kernel, u32 cpu, u32 nr, u64 *ret)
{
	u64 note;
	u32 head[3];
	char name[5];

	if (!kernel_percpu_pointer(kernel, "crash_notes", cpu, &note))
		return false;
	for (u32 i = 0; i < 3; i++)
		if (!vmem_u32(kernel->vmem, note + 4 * i, &head[i]))
			return false;
	if (head[0] != sizeof(name) || head[1] < REGS_OFFSET + 8 * nr || head[2] != NT_PRSTATUS ||
	    !vmem_get(kernel->vmem, note + 12, name, sizeof(name)) || memcmp(name, "CORE", sizeof(name)))
		return false;
	*ret = note + NOTE_TEXT + REGS_OFFSET;
	return true;
}

bool kernel_note_regs(const struct kernel *kernel, u32 cpu, u64 *regs, u32 nr)
{
	u64 at;

	if (!find_crash_note(kernel, cpu, nr, &at))
		return dump_cpu_regs(kernel->dump, cpu, regs, nr);
	for (u32 i = 0; i < nr; i++)
		if (!vmem_u64(kernel->vmem, at + 8 * i, &regs[i]))
			return false;
	return true;
}

bool kernel_cpu_regs(const struct kernel *kernel, u32 cpu, struct kernel_regs *ret)
{
	ret->first = 0;
	return kernel->machine == EM_X86_64 && kernel_note_regs(kernel, cpu, ret->r, KERNEL_NR_REGS);
}
