// SPDX-License-Identifier: GPL-2.0-or-later
#include "mce_list.h"

#include <stdlib.h>
#include <string.h>

#include "mce/corrected_rate.h"
#include "mce/decode.h"
#include "os/terminal.h"
#include "mce_line.h"
#include "phrase.h"

#define MANY		4	/* more machine checks are summed up first */
#define MAX_SUMS	32	/* kinds with a sum of their own; the rest is one sum */

static void put_mce_time(FILE *f, const struct postmortem *pm, const struct mce *mce)
{
	char buf[80];

	if (pm->end.how == OUTCOME_CRASHED) {
		put_ago(f, pm, mce->mono_ns);
	} else {
		text_seconds(buf, sizeof(buf), mce->mono_ns, false);
		fprintf(f, "%s s after the start", buf);
	}
	if (mce->real_ns) {
		text_date(buf, sizeof(buf), mce->real_ns);
		fprintf(f, ", %s", buf);
	}
}

/* A text that is empty has no line. */
static void put_mce_part(FILE *f, const char *name,
			 void (*put)(FILE *f, const struct mce *mce), const struct mce *mce)
{
	char *text = mce_text(put, mce);

	if (text)
		fprintf(f, "  %-10s %s\n", name, text);
	free(text);
}

static void put_mce_origin(FILE *f, const struct mce *mce)
{
	fputs("  source:    ", f);
	mce_put_sources(f, mce);
	if (mce->seq)
		fprintf(f, "; recorded by CPU %u", mce->recorded_by);
	if (mce->pid >= 0) {
		fputs(", which ran ", f);
		text_put(f, mce->comm, sizeof(mce->comm));
		fprintf(f, "-%lld", mce->pid);
	}
	putc('\n', f);
}

static void put_mce_function(FILE *f, const struct postmortem *pm, const struct mce *mce)
{
	char buf[KERNEL_SYMBOL_MAX];
	const char *name = NULL;

	if (mce->ip && pm->recording)
		name = symbols_name(pm->recording->symbols, mce->ip);
	else if (mce->ip && pm->kernel && kernel_symbol(pm->kernel, mce->ip, buf, sizeof(buf)))
		name = buf;
	if (!name)
		return;
	fputs("  function:  ", f);
	text_put(f, name, strlen(name));
	putc('\n', f);
}

static void put_mce_block(FILE *f, const struct postmortem *pm, const struct mce *mce, u32 nr,
			  u32 of, bool is_death)
{
	const struct mces *mces = pm_mces(pm);
	u32 i;

	color_begin(f, COLOR_MCE);
	fprintf(f, "machine check %u of %u: ", nr, of);
	put_mce_time(f, pm, mce);
	fprintf(f, ", bank %u of CPU %u (socket %u, APIC id 0x%x)%s", mce->bank, mce->cpu,
		mce->socket, mce->apicid, is_death ? ": the machine died of this one" : "");
	color_end(f);
	putc('\n', f);
	put_mce_part(f, "severity:", mce_put_grade, mce);
	put_mce_part(f, "what:", mce_put_what, mce);
	put_mce_part(f, "status:", mce_put_status, mce);
	put_mce_part(f, "address:", mce_put_address, mce);
	put_mce_part(f, "state:", mce_put_global, mce);
	put_mce_function(f, pm, mce);
	put_mce_part(f, "processor:", mce_put_processor, mce);
	put_mce_origin(f, mce);
	if (mce->same) {
		fputs("  same on:   CPU", f);
		for (i = mce->same; i; i = mces->list[i].same)
			fprintf(f, "%s %u", i == mce->same ? "" : ",", mces->list[i].cpu);
		fputs(": one bank that they share, or the same in each\n", f);
	}
	put_mce_part(f, "raw:", mce_put_raw, mce);
}

/* Machine checks that differ only in time and address. */
struct mce_sum {
	const struct mce *mce;
	u32 nr;
};

static bool is_same_kind(const struct mce *a, const struct mce *b)
{
	return a->cpu == b->cpu && a->bank == b->bank && a->vendor == b->vendor &&
	       a->ipid == b->ipid && (u32)a->status == (u32)b->status &&
	       mce_grade(a) == mce_grade(b);
}

static void add_to_sums(struct mce_sum *sums, u32 *nr, const struct mce *mce)
{
	u32 i;

	for (i = 0; i < *nr; i++)
		if (is_same_kind(sums[i].mce, mce))
			break;
	if (i == MAX_SUMS)
		return;
	if (i == *nr)
		sums[(*nr)++] = (struct mce_sum){ .mce = mce };
	sums[i].nr++;
}

static void put_mce_sums(FILE *f, const struct mces *mces, u32 of)
{
	struct mce_sum sums[MAX_SUMS];
	u32 i, nr = 0, rest = of;

	if (of <= MANY)
		return;
	for (i = 0; i < mces->nr; i++)
		if (!mces->list[i].is_same)
			add_to_sums(sums, &nr, &mces->list[i]);
	for (i = 0; i < nr; i++) {
		const struct mce *mce = sums[i].mce;

		fprintf(f, "-- %6u of bank %u of CPU %u, %s: ", sums[i].nr, mce->bank, mce->cpu,
			mce_grade_name(mce_grade(mce)));
		mce_put_what(f, mce);
		putc('\n', f);
		rest -= sums[i].nr;
	}
	if (rest)
		fprintf(f, "-- %6u of other kinds\n", rest);
	if (mces->evicted)
		fprintf(f, "-- %6llu not kept\n", mces->evicted);
}

static void put_corrected_rate(FILE *f, const struct corrected_rate *rate, bool some_are_missing)
{
	const char *least = rate->at_least || some_are_missing ? "at least " : "";
	double hourly = corrected_rate_hourly(rate);
	char span[40];

	fprintf(f, "-- corrected errors of bank %u of CPU %u: %s%llu", rate->bank, rate->cpu, least, rate->nr);
	if (rate->records == 1) {
		fputs(" in one record", f);
	} else {
		text_seconds(span, sizeof(span), rate->last - rate->first, false);
		fprintf(f, " within %s s", span);
	}
	if (hourly > 0)
		fprintf(f, ", %.1f an hour", hourly);
	if (corrected_rate_is_high(rate)) {
		color_begin(f, COLOR_MCE);
		fprintf(f, "; WARNING: %s%llu within a day, more than %d: the memory module should be replaced", least,
			rate->most, CORRECTED_MANY);
		color_end(f);
	}
	putc('\n', f);
}

/* Of the banks with more than one corrected error. */
static void put_corrected_rates(FILE *f, const struct mces *mces)
{
	struct corrected_rate *rates;
	u32 nr, i;

	if (corrected_rates(&rates, &nr, mces->list, mces->nr))
		fputs("-- no memory to count the corrected errors of each bank\n", f);
	for (i = 0; i < nr; i++)
		if (rates[i].nr > 1)
			put_corrected_rate(f, &rates[i], mces->evicted || mces->absent);
	free(rates);
}

static void put_mce_blocks(FILE *f, const struct postmortem *pm, u32 of)
{
	const struct mces *mces = pm_mces(pm);
	const struct mce *death = print_mce_of_death(pm);
	bool has_gap = mces->evicted;
	u32 i, nr = 0;

	for (i = 0; i < mces->nr; i++) {
		const struct mce *mce = &mces->list[i];

		if (mce->is_same)
			continue;
		if (has_gap && mce->seq > mces->after) {
			fprintf(f, "-- %llu machine check%s not kept between these, number %llu to %llu: the first %llu and the last ones are\n",
				mces->evicted, mces->evicted == 1 ? " is" : "s are",
				mces->after + 1, mces->after + mces->evicted, mces->after);
			has_gap = false;
		}
		put_mce_block(f, pm, mce, ++nr, of, mce == death);
	}
}

static void put_mce_notes(FILE *f, const struct damage_notes *notes)
{
	u64 i;

	for (i = 0; i < notes->kept; i++)
		fprintf(f, "-- damage: %s\n", notes->list[i].text);
}

static void put_no_mces(FILE *f, const struct mces *mces)
{
	if (mces->unreadable)
		fprintf(f, "no machine check can be read: of their place, %llu %s damaged or not in the file\n",
			mces->unreadable, mces->unreadable == 1 ? "entry is" : "entries are");
	else if (mces->there)
		fputs("no machine checks recorded\n", f);
	else
		fputs("no machine checks recorded: this recorder had no place for them\n", f);
}

/* Without a recording, machine checks come from the log, which has only what was printed. */
static void put_mce_sources_of_kernel(FILE *f, const struct postmortem *pm, u32 nr)
{
	const struct printk_ringbuffer *log = pm_log(pm);

	if (!nr && !log->there)
		fputs("no machine checks: nothing recorded them, and the kernel's log is not in the file\n", f);
	else if (!nr)
		fprintf(f, "no machine checks: nothing recorded them, and none is in the kernel's log (%u line%s) or its own trace\n",
			log->nr, plural(log->nr));
	else
		fputs("nothing recorded machine checks; these are of the kernel's log and its own trace\n", f);
}

void print_mces(FILE *f, const struct postmortem *pm)
{
	const struct mces *mces = pm_mces(pm);
	u32 of = mces_count(mces);

	if (!pm->recording)
		put_mce_sources_of_kernel(f, pm, of);
	else if (!of)
		put_no_mces(f, mces);
	put_mce_sums(f, mces, of);
	put_corrected_rates(f, mces);
	put_mce_blocks(f, pm, of);
	if (mces->absent)
		fprintf(f, "-- %llu machine check%s %s numbered and %s not there: damaged, or the CPU stopped before %s finished%s\n",
			mces->absent, plural(mces->absent),
			mces->absent == 1 ? "was" : "were", mces->absent == 1 ? "is" : "are",
			mces->absent == 1 ? "it was" : "they were",
			mces->unfinished ? " (some are half written)" : "");
	if (pm->recording)
		put_mce_notes(f, &pm->recording->generation->notes);
	put_mce_notes(f, &pm->notes);
}
