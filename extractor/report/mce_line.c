// SPDX-License-Identifier: GPL-2.0-or-later
#include "mce_line.h"

#include <string.h>

#include "mce/decode.h"
#include "phrase.h"

#define PRINTED	(1U << EPITAPH_MCE_PRINTED)
#define CRASH	(1U << EPITAPH_MCE_CRASH)

/* Texts that the machine check code of kernels 5.10 to 7.2 passes to panic(). */
static bool is_mce_panic(const char *reason)
{
	return strstr(reason, "achine check") || strstr(reason, "Machine Check") ||
	       strstr(reason, "broadcast exception handler") ||
	       strstr(reason, "Failed kernel mode recovery") ||
	       strstr(reason, "while accessing user data");
}

/* Of two of the same grade, the later printed one is the reason of the panic. */
static bool is_worse(const struct mce *a, const struct mce *b)
{
	enum mce_grade x = mce_grade(a), y = mce_grade(b);

	if (x != y)
		return x > y;
	return (a->sources & PRINTED) >= (b->sources & PRINTED);
}

static bool may_kill(const struct mce *mce, bool is_recorded)
{
	return (!is_recorded || (mce->sources & (PRINTED | CRASH))) && mce_grade(mce) >= MCE_UCNA &&
	       (mce->status & STATUS_UC);
}

const struct mce *print_mce_of_death(const struct postmortem *pm)
{
	bool known = pm->end.how == OUTCOME_CRASHED;
	const struct mces *mces = pm_mces(pm);
	const struct mce *worst = NULL;
	u32 i;

	if (known ? !is_mce_panic(pm->end.reason) : !pm->recording)
		return NULL;
	for (i = 0; i < mces->nr; i++) {
		const struct mce *mce = &mces->list[i];

		/* Without a stamp, only a printed machine check shows that the kernel gave up. */
		if (!may_kill(mce, pm->recording) || (!known && !(mce->sources & PRINTED)))
			continue;
		if (!worst || is_worse(mce, worst))
			worst = mce;
	}
	return worst;
}

static const char *severity_of(enum mce_grade grade)
{
	switch (grade) {
	case MCE_CORRECTED:
		return "corrected";
	case MCE_DEFERRED:
		return "deferred";
	case MCE_FATAL:
		return "fatal";
	case MCE_INVALID:
		return "invalid";
	case MCE_UCNA:
	case MCE_SRAO:
	case MCE_UNCORRECTED:
	case MCE_SRAR:
		break;
	}
	return "uncorrected";
}

/* "2 corrected, 1 uncorrected" in the order of enum mce_grade. */
static void put_mce_grades(FILE *f, const struct mces *mces)
{
	u32 nr[MCE_FATAL + 1] = { 0 };
	const char *separator = "";

	for (u32 i = 0; i < mces->nr; i++)
		if (!mces->list[i].is_same)
			nr[mce_grade(&mces->list[i])]++;
	/* Grades of one word are added up at the last of them. */
	for (u32 i = MCE_UCNA; i < MCE_SRAR; i++) {
		nr[MCE_SRAR] += nr[i];
		nr[i] = 0;
	}
	for (u32 i = 0; i <= MCE_FATAL; i++)
		if (nr[i]) {
			fprintf(f, "%s%u %s", separator, nr[i], severity_of(i));
			separator = ", ";
		}
}

static void put_fatal_mce(FILE *f, const struct postmortem_end *end, const struct mce *mce)
{
	fprintf(f, "# fatal machine check on CPU %u, bank %u: ", mce->cpu, mce->bank);
	mce_put_what(f, mce);
	fputs("\n#   ", f);
	mce_put_grade(f, mce);
	if (mce->status & STATUS_ADDRV) {
		fputs("; ", f);
		mce_put_address(f, mce);
	}
	fputs("; see epitaph mce\n", f);
	if (end->how != OUTCOME_CRASHED)
		fputs("#   the kernel printed it while it died; nothing else says why\n", f);
	else if (end->cpu != NO_CPU && end->cpu != mce->cpu)
		fprintf(f, "#   CPU %u called panic(), and is not the one that failed\n",
			end->cpu);
}

void print_mce_head(FILE *f, const struct postmortem *pm)
{
	const struct mce *fatal = print_mce_of_death(pm);
	const struct mces *mces = pm_mces(pm);

	if (fatal)
		put_fatal_mce(f, &pm->end, fatal);
	if (!mces->nr || (fatal && mces_count(mces) == 1))
		return;
	/* How long before the end: the reader must not blame an innocent module. */
	fputs("# machine checks: ", f);
	put_mce_grades(f, mces);
	fputs("; last at ", f);
	put_ago(f, pm, mces->list[mces->nr - 1].mono_ns);
	if (mces->evicted)
		fprintf(f, "; %llu between the first and the last ones not kept", mces->evicted);
	fputs("; see epitaph mce\n", f);
}

void print_mce_line(FILE *f, const struct recording *recording, const struct mce *mce)
{
	u32 i;

	fprintf(f, "mce: bank %u of CPU %u: ", mce->bank, mce->cpu);
	mce_put_what(f, mce);
	fputs("; ", f);
	mce_put_grade(f, mce);
	if (mce->status & STATUS_ADDRV) {
		fputs("; ", f);
		mce_put_address(f, mce);
	}
	fputs("; ", f);
	mce_put_sources(f, mce);
	for (i = mce->same; i; i = recording->mces.list[i].same)
		fprintf(f, "%s %u", i == mce->same ? "; the same on CPU" : ",",
			recording->mces.list[i].cpu);
	fprintf(f, "; status=0x%016llx addr=0x%llx misc=0x%llx mcgstatus=0x%llx",
		mce->status, mce->addr, mce->misc, mce->mcgstatus);
}

void print_mce_fields(struct json *j, const struct mce *mce)
{
	u32 i;

	json_u64(j, "cpu", mce->cpu);
	json_u64(j, "bank", mce->bank);
	json_str(j, "severity", mce_grade_name(mce_grade(mce)));
	mce_json(j, "severity_text", mce_put_grade, mce);
	mce_json(j, "what", mce_put_what, mce);
	mce_json(j, "status_text", mce_put_status, mce);
	mce_json(j, "address_text", mce_put_address, mce);
	mce_json(j, "mcgstatus_text", mce_put_global, mce);
	mce_json(j, "processor", mce_put_processor, mce);
	json_open(j, "sources", '[');
	for (i = 0; i < MCE_NR_SOURCES; i++)
		if (mce->sources & (1U << i))
			json_str(j, NULL, mce_source_name(i));
	json_close(j, ']');
	json_u64(j, "status", mce->status);
	json_u64(j, "addr", mce->addr);
	json_u64(j, "misc", mce->misc);
	json_u64(j, "synd", mce->synd);
	json_u64(j, "ipid", mce->ipid);
	json_u64(j, "synd1", mce->synd1);
	json_u64(j, "synd2", mce->synd2);
	json_u64(j, "mcgstatus", mce->mcgstatus);
	json_u64(j, "mcgcap", mce->mcgcap);
	json_u64(j, "tsc", mce->tsc);
	json_u64(j, "time", mce->time);
	json_u64(j, "cs", mce->cs);
	json_u64(j, "ip", mce->ip);
	json_u64(j, "cpuid", mce->cpuid);
	json_u64(j, "vendor", mce->vendor);
	json_u64(j, "apicid", mce->apicid);
	json_u64(j, "socket", mce->socket);
	json_u64(j, "microcode", mce->microcode);
	json_u64(j, "ppin", mce->ppin);
	json_u64(j, "kernel_severity", mce->severity);
	json_u64(j, "inject_flags", mce->inject_flags);
	json_u64(j, "kflags", mce->kflags);
	json_u64(j, "seq", mce->seq);
}
