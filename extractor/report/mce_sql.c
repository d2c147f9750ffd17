// SPDX-License-Identifier: GPL-2.0-or-later
#include "mce_sql.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mce/decode.h"

static void put_sql_text(FILE *f, const char *text)
{
	putc('\'', f);
	for (; text && *text; text++) {
		if (*text == '\'')
			putc('\'', f);
		putc(*text, f);
	}
	putc('\'', f);
}

static void put_sql_phrase(FILE *f, void (*put)(FILE *f, const struct mce *mce),
			   const struct mce *mce)
{
	char *text = mce_text(put, mce);

	put_sql_text(f, text);
	free(text);
}

/* As rasdaemon writes it; in UTC. */
static void put_timestamp(FILE *f, const struct mce *mce)
{
	time_t seconds = mce->real_ns ? mce->real_ns / 1000000000 : mce->time;
	char date[40] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S +0000", &tm);
	put_sql_text(f, date);
}

static void put_what_and_grade(FILE *f, const struct mce *mce)
{
	mce_put_what(f, mce);
	fputs("; ", f);
	mce_put_grade(f, mce);
}

/* SQLite has signed numbers alone, and rasdaemon stores the bits. */
static void put_mce_insert(FILE *f, const struct mce *mce)
{
	fprintf(f, "INSERT INTO mce_record (timestamp, mcgcap, mcgstatus, status, addr, misc, ip, tsc, walltime, cpu, cpuid, apicid, socketid, cs, bank, cpuvendor, bank_name, error_msg, mcgstatus_msg, mcistatus_msg, mcastatus_msg, user_action, mc_location)\n SELECT ");
	put_timestamp(f, mce);
	fprintf(f, ", %d, %d, %lld, %lld, %lld, %lld, %lld, %lld, %d, %d, %d, %d, %d, %d, %d, 'bank %u', ",
		(int)mce->mcgcap, (int)mce->mcgstatus, (s64)mce->status, (s64)mce->addr,
		(s64)mce->misc, (s64)mce->ip, (s64)mce->tsc, (s64)mce->time, (int)mce->cpu,
		(int)mce->cpuid, (int)mce->apicid, (int)mce->socket, mce->cs, (int)mce->bank,
		mce->vendor, mce->bank);
	put_sql_phrase(f, put_what_and_grade, mce);
	fputs(", ", f);
	put_sql_phrase(f, mce_put_global, mce);
	fputs(", ", f);
	put_sql_phrase(f, mce_put_status, mce);
	fputs(", '', 'recovered from a crash by epitaph', ", f);
	put_sql_phrase(f, mce_put_address, mce);
	fprintf(f, "\n WHERE NOT EXISTS (SELECT 1 FROM mce_record WHERE status = %lld AND addr = %lld AND misc = %lld AND tsc = %lld AND walltime = %lld AND cpu = %d AND bank = %d",
		(s64)mce->status, (s64)mce->addr, (s64)mce->misc, (s64)mce->tsc, (s64)mce->time,
		(int)mce->cpu, (int)mce->bank);
	/* Registers that were read on the way down have neither; then the date tells them apart. */
	if (!mce->tsc && !mce->time) {
		fputs(" AND timestamp = ", f);
		put_timestamp(f, mce);
	}
	fputs(");\n", f);
}

void print_mces_sql(FILE *f, const struct postmortem *pm)
{
	const struct mces *mces = pm_mces(pm);
	u32 i;

	fputs("BEGIN IMMEDIATE;\n", f);
	for (i = 0; i < mces->nr; i++)
		if (!mces->list[i].is_same)
			put_mce_insert(f, &mces->list[i]);
	fputs("COMMIT;\n", f);
}
