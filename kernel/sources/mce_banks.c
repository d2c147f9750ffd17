// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine-check registers of the CPU that this runs on.
 *
 * They are only read: clearing them is the kernel's business, and what it has
 * not cleared the next kernel finds.
 */
#include <linux/kernel.h>
#include <linux/smp.h>
#include <asm/mce.h>
#include <asm/msr.h>
#include <asm/processor.h>
#include "compat.h"
#include "mce.h"

#define MAX_BANKS	64		/* as the kernel's */

/* Numbers of registers within a bank. */
enum { STATUS = 1, ADDR = 2, MISC = 3 };
/* Scalable MCA has these besides, and of a deferred error a copy. */
enum { IPID = 5, SYND = 6, DESTAT = 8, DEADDR = 9, SYND1 = 14, SYND2 = 15 };

static u64 read_register(u32 msr)
{
	u64 value;

	return rdmsrq_safe(msr, &value) ? 0 : value;
}

static bool is_scalable(void)
{
	return boot_cpu_has(X86_FEATURE_SMCA);
}

static u64 of_bank(u32 bank, u32 number)
{
	if (is_scalable())
		return read_register(MSR_AMD64_SMCA_MC0_CTL + 16 * bank + number);
	return read_register(MSR_IA32_MC0_CTL + 4 * bank + number);
}

u32 epitaph_mce_banks(void)
{
	if (!boot_cpu_has(X86_FEATURE_MCE) || !boot_cpu_has(X86_FEATURE_MCA))
		return 0;
	return min_t(u32, read_register(MSR_IA32_MCG_CAP) & MCG_BANKCNT_MASK, MAX_BANKS);
}

/* Return: whether there is one. */
static bool read_error(struct epitaph_mce *to, u32 bank)
{
	u64 status = of_bank(bank, STATUS);
	u32 addr = ADDR;

	if (!(status & MCI_STATUS_VAL) && is_scalable()) {
		status = of_bank(bank, DESTAT);
		addr = DEADDR;
	}
	if (!(status & MCI_STATUS_VAL))
		return false;
	to->status = cpu_to_le64(status);
	if (status & MCI_STATUS_ADDRV)
		to->addr = cpu_to_le64(of_bank(bank, addr));
	if (status & MCI_STATUS_MISCV)
		to->misc = cpu_to_le64(of_bank(bank, MISC));
	return true;
}

static void read_scalable(struct epitaph_mce *to, u32 bank)
{
	to->ipid = cpu_to_le64(of_bank(bank, IPID));
	if (!(le64_to_cpu(to->status) & MCI_STATUS_SYNDV))
		return;
	to->synd = cpu_to_le64(of_bank(bank, SYND));
	to->synd1 = cpu_to_le64(of_bank(bank, SYND1));
	to->synd2 = cpu_to_le64(of_bank(bank, SYND2));
}

static void fill_cpu(struct epitaph_mce *to)
{
	unsigned int cpu = raw_smp_processor_id();
	const struct cpuinfo_x86 *info = &cpu_data(cpu);

	to->cpu = cpu_to_le32(cpu);
	to->mcgcap = cpu_to_le64(read_register(MSR_IA32_MCG_CAP));
	to->mcgstatus = cpu_to_le64(read_register(MSR_IA32_MCG_STATUS));
	to->cpuid = cpu_to_le32(cpuid_eax(1));
	to->apicid = cpu_to_le32(epitaph_cpu_apicid(info));
	to->socket = cpu_to_le32(epitaph_cpu_socket(info));
	to->ppin = cpu_to_le64(epitaph_cpu_ppin(info));
	to->microcode = cpu_to_le32(info->microcode);
	to->vendor = info->x86_vendor;
}

bool epitaph_mce_bank(struct epitaph_mce *to, u32 bank)
{
	if (!read_error(to, bank))
		return false;
	to->bank = cpu_to_le32(bank);
	if (is_scalable())
		read_scalable(to, bank);
	fill_cpu(to);
	return true;
}
