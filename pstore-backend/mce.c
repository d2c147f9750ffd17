// SPDX-License-Identifier: GPL-2.0-only
/*
 * A machine check as text: the lines that the kernel prints, for decoders of its log, and then
 * every value as it was recorded.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "catalog.h"

#define HW_ERR		"[Hardware Error]: "
#define RIP_IS_VALID	2	/* MCG_STATUS_EIPV */
#define IS_EXCEPTION	4	/* MCG_STATUS_MCIP */

static const char *const sources[] = {
	[EPITAPH_MCE_LOGGED] = "the kernel reported it",
	[EPITAPH_MCE_PRINTED] = "the kernel printed it while it died",
	[EPITAPH_MCE_CRASH] = "the registers on the way down",
	[EPITAPH_MCE_LOAD] = "the registers when recording began: an earlier boot's",
};

static const char *source_of(const struct epitaph_mce *mce)
{
	u32 source = le32_to_cpu(mce->source);

	return source < ARRAY_SIZE(sources) && sources[source] ? sources[source] : "unknown";
}

static int kernels_head(const struct epitaph_mce *mce, char *buf, size_t size)
{
	u64 mcgstatus = le64_to_cpu(mce->mcgstatus);
	int n = scnprintf(buf, size, HW_ERR "CPU %u: Machine Check%s: %llx Bank %u: %016llx\n",
			  le32_to_cpu(mce->cpu), mcgstatus & IS_EXCEPTION ? " Exception" : "",
			  mcgstatus, le32_to_cpu(mce->bank), le64_to_cpu(mce->status));

	if (mce->ip)
		n += scnprintf(buf + n, size - n, HW_ERR "RIP%s %02x:<%016llx>\n",
			       mcgstatus & RIP_IS_VALID ? "" : " !INEXACT!",
			       mce->cs, le64_to_cpu(mce->ip));
	return n;
}

static int kernels_tail(const struct epitaph_mce *mce, char *buf, size_t size)
{
	const struct {
		const char *name;
		__le64 value;
	} values[] = {
		{ "ADDR", mce->addr }, { "MISC", mce->misc }, { "PPIN", mce->ppin },
		{ "SYND", mce->synd }, { "IPID", mce->ipid },
	};
	int i, n = scnprintf(buf, size, HW_ERR "TSC %llx ", le64_to_cpu(mce->tsc));

	for (i = 0; i < ARRAY_SIZE(values); i++)
		if (values[i].value)
			n += scnprintf(buf + n, size - n, "%s %llx ", values[i].name,
				       le64_to_cpu(values[i].value));
	n += scnprintf(buf + n, size - n, "\n" HW_ERR
		       "PROCESSOR %u:%x TIME %llu SOCKET %u APIC %x microcode %x\n",
		       mce->vendor, le32_to_cpu(mce->cpuid), le64_to_cpu(mce->time),
		       le32_to_cpu(mce->socket), le32_to_cpu(mce->apicid),
		       le32_to_cpu(mce->microcode));
	return n;
}

static int raw_registers(const struct epitaph_mce *mce, char *buf, size_t size)
{
	return scnprintf(buf, size,
			 "status %#llx\naddr %#llx\nmisc %#llx\nsynd %#llx\nsynd1 %#llx\nsynd2 %#llx\n"
			 "ipid %#llx\nmcgstatus %#llx\nmcgcap %#llx\ntsc %#llx\nip %#llx\ncs %#x\nppin %#llx\n",
			 le64_to_cpu(mce->status), le64_to_cpu(mce->addr), le64_to_cpu(mce->misc),
			 le64_to_cpu(mce->synd), le64_to_cpu(mce->synd1), le64_to_cpu(mce->synd2),
			 le64_to_cpu(mce->ipid), le64_to_cpu(mce->mcgstatus),
			 le64_to_cpu(mce->mcgcap), le64_to_cpu(mce->tsc), le64_to_cpu(mce->ip),
			 mce->cs, le64_to_cpu(mce->ppin));
}

static int raw_place(const struct epitaph_mce *mce, char *buf, size_t size)
{
	return scnprintf(buf, size,
			 "cpu %u\nbank %u\nsocket %u\napicid %#x\ncpuid %#x\nvendor %u\nmicrocode %#x\n"
			 "time %llu\nseverity %u\nkflags %#x\ninject_flags %#x\n",
			 le32_to_cpu(mce->cpu), le32_to_cpu(mce->bank), le32_to_cpu(mce->socket),
			 le32_to_cpu(mce->apicid), le32_to_cpu(mce->cpuid), mce->vendor,
			 le32_to_cpu(mce->microcode), le64_to_cpu(mce->time), mce->severity,
			 le32_to_cpu(mce->kflags), mce->inject_flags);
}

static int how_recorded(const struct epitaph_mce *mce, char *buf, size_t size)
{
	return scnprintf(buf, size,
			 "seq %llu\nsource %u (%s)\nclock %llu\nreal_ns %llu\nrecorded_by %u\npid %u\ncomm %*pE\n",
			 le64_to_cpu(mce->seq), le32_to_cpu(mce->source), source_of(mce),
			 le64_to_cpu(mce->clock), le64_to_cpu(mce->real_ns),
			 le32_to_cpu(mce->recorded_by), le32_to_cpu(mce->pid),
			 (int)strnlen(mce->comm, sizeof(mce->comm)), mce->comm);
}

size_t mce_text(const struct epitaph_mce *mce, char *buf, size_t size)
{
	size_t n = kernels_head(mce, buf, size);

	n += kernels_tail(mce, buf + n, size - n);
	n += raw_registers(mce, buf + n, size - n);
	n += raw_place(mce, buf + n, size - n);
	n += how_recorded(mce, buf + n, size - n);
	return n;
}
