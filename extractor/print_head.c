// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "print.h"
#include "print_mce.h"
#include "text.h"

/* One line for each. */
static void put_kernel(FILE *f, const struct epitaph_header *hdr)
{
	char buf[80];

	fputs("# kernel: ", f);
	text_put(f, hdr->release, sizeof(hdr->release));
	putc(' ', f);
	text_put(f, hdr->version, sizeof(hdr->version));
	fprintf(f, ", %s, %u CPU%s\n", text_machine(hdr->machine), hdr->nr_cpus,
		hdr->nr_cpus == 1 ? "" : "s");
	text_uuid(buf, sizeof(buf), hdr->boot_id);
	fprintf(f, "# boot: %s", buf);
	if (hdr->build_id_size && hdr->build_id_size <= sizeof(hdr->build_id)) {
		text_hex(buf, sizeof(buf), hdr->build_id, hdr->build_id_size);
		fprintf(f, ", build id %s", buf);
	}
	putc('\n', f);
}

static void put_number(FILE *f, const struct epitaph_header *hdr)
{
	char date[64];

	if (!hdr->number)
		return;
	text_date(date, sizeof(date), hdr->start_real_ns);
	fprintf(f, "# generation: %llu, began %s\n", (u64)hdr->number, date);
}

static void put_crash(FILE *f, const struct trace *trace)
{
	const struct trace_crash *crash = &trace->crash;
	char date[64];

	if (trace->fate.end == FATE_ENDED) {
		text_date(date, sizeof(date), trace->fate.real_ns);
		fputs("# ended in order: ", f);
		text_put(f, trace->fate.why, sizeof(trace->fate.why));
		fprintf(f, ", %s\n", date);
		return;
	}
	if (!crash->known) {
		fputs("# died: the kernel did not say: it was reset, or still ran when this was read\n", f);
		return;
	}
	fputs("# died: ", f);
	text_put(f, crash->reason, sizeof(crash->reason));
	fprintf(f, "\n#   on CPU %u, task ", crash->cpu);
	text_put(f, crash->comm, sizeof(crash->comm));
	text_date(date, sizeof(date), crash->real_ns);
	fprintf(f, "-%u, %s\n", crash->pid, date);
}

static void put_times(FILE *f, const struct trace *trace, bool monotonic)
{
	char bound[200];

	text_bound(bound, sizeof(bound), trace);
	fprintf(f, "# clock: %s; %s\n", text_clock(trace->clock.id), bound);
	if (monotonic)
		fputs("# times: CLOCK_MONOTONIC of the recorded kernel\n", f);
	else if (trace->crash.known)
		fputs("# times: seconds before (T-) and after (T+) the crash\n", f);
	else if (trace->fate.end == FATE_ENDED)
		fputs("# times: seconds before (T-) and after (T+) the end\n", f);
	else
		fputs("# times: seconds before the last event (T-); when it crashed is not known\n", f);
}

void print_head(FILE *f, const struct trace *trace, bool monotonic)
{
	fputs("# epitaph: the last seconds of a kernel\n", f);
	put_kernel(f, &trace->region->hdr);
	put_number(f, &trace->region->hdr);
	put_crash(f, trace);
	print_mce_head(f, trace);
	put_times(f, trace, monotonic);
}

/* The other generations of the input, and those that are no more. */
static void put_other(FILE *f, const struct region *region)
{
	u64 number = region->hdr.number;
	char buf[800];
	struct fate fate;

	fate_read(&fate, region);
	if (number)
		fprintf(f, "# generation %llu", number);
	else
		fputs("# another generation", f);
	text_uuid(buf, sizeof(buf), region->hdr.boot_id);
	fprintf(f, " is here as well: boot %s, ", buf);
	text_date(buf, sizeof(buf), region->hdr.start_real_ns);
	fprintf(f, "began %s, ", buf);
	fate_words(buf, sizeof(buf), &fate);
	fputs(buf, f);
	if (number)
		fprintf(f, "; see --generation %llu", number);
	putc('\n', f);
}

void print_others(FILE *f, const struct regions *regions, const struct region *shown)
{
	const struct epitaph_header *hdr = &shown->hdr;
	u32 i;

	for (i = regions->nr; i > 0; i--)
		if (&regions->gen[i - 1] != shown)
			put_other(f, &regions->gen[i - 1]);
	if (hdr->lost_gens)
		fprintf(f, "# %u generation%s overwritten though nobody had %s, the last of number %llu\n",
			hdr->lost_gens, hdr->lost_gens == 1 ? " was" : "s were",
			hdr->lost_gens == 1 ? "it" : "them", (u64)hdr->lost_number);
}

static void put_ago(FILE *f, u64 end, u64 at)
{
	char buf[40];

	text_seconds(buf, sizeof(buf), end > at ? end - at : at - end, false);
	fprintf(f, "T%c%s", end >= at ? '-' : '+', buf);
}

static const char *s(u64 n)
{
	return n == 1 ? "" : "s";
}

static void put_ring(FILE *f, const struct account *account, const struct trace_ring *ring)
{
	const struct trace *trace = account->trace;
	const struct scan *scan = &ring->scan;

	fprintf(f, "# CPU %u", ring->cpu);
	if (trace->nr_channels > 1) {
		fputs(" channel ", f);
		text_put(f, ring->channel->name, sizeof(ring->channel->name));
	}
	fprintf(f, ": %llu event%s", scan->nr_events, s(scan->nr_events));
	if (scan->complete) {
		fputs(scan->whole ? ", complete from the start of recording, " :
				    ", complete from ", f);
		put_ago(f, account->end.time, trace_mono(trace, scan->horizon));
	}
	if (scan->nr_held)
		fprintf(f, ", %u older sub-buffer%s behind a gap", scan->nr_held, s(scan->nr_held));
	if (scan->nr_torn + scan->nr_taken)
		fprintf(f, ", %u unfinished", scan->nr_torn + scan->nr_taken);
	if (scan->nr_damaged + scan->nr_lost_subs)
		fprintf(f, ", %u sub-buffer%s damaged",
			scan->nr_damaged + scan->nr_lost_subs,
			s(scan->nr_damaged + scan->nr_lost_subs));
	if (scan->nr_missing)
		fprintf(f, ", %u sub-buffer%s not in the file", scan->nr_missing,
			s(scan->nr_missing));
	if (scan->lost_last > scan->lost_first)
		fprintf(f, ", at least %llu event%s dropped",
			scan->lost_last - scan->lost_first,
			s(scan->lost_last - scan->lost_first));
	if (ring->counted && ring->too_large)
		fprintf(f, ", %llu too large", ring->too_large);
	if (ring->counted && ring->too_deep)
		fprintf(f, ", %llu nested too deep", ring->too_deep);
	putc('\n', f);
}

/* "the last 200 before the crash and the first 200 of 812 after it" */
static void put_last(FILE *f, const struct trace *trace, const struct window *window)
{
	fprintf(f, "the last %llu", window->events);
	if (!window->after)
		return;
	fprintf(f, " before the %s and ", trace->crash.known ? "crash" : "end");
	if (window->hidden)
		fprintf(f, "the first %llu of %llu after it", window->after,
			window->after + window->hidden);
	else
		fprintf(f, "%llu after it", window->after);
}

static void put_shown(FILE *f, const struct trace *trace, const struct window *window)
{
	u32 nr_mces = mces_count(&trace->mces);

	fprintf(f, "# %llu event%s", trace->total.events, s(trace->total.events));
	if (nr_mces)
		fprintf(f, " and %u machine check%s", nr_mces, s(nr_mces));
	if (trace->klog.there)
		fprintf(f, " and %u line%s that the kernel had logged before%s", trace->klog.nr,
			s(trace->klog.nr), trace->klog.is_cut ? " (older ones found no room)" : "");
	fputs("; shown: ", f);
	switch (window->kind) {
	case WINDOW_ALL:
		fputs("all", f);
		break;
	case WINDOW_LAST_NS:
		fprintf(f, "the last %g s", window->ns / 1e9);
		break;
	default:
		put_last(f, trace, window);
	}
	if (window->cpu >= 0 || window->pid >= 0 || window->comm || window->event)
		fputs(" of those asked for", f);
	fprintf(f, ", %llu event%s\n", window->shown, s(window->shown));
	if (trace->total.torn)
		fprintf(f, "# unfinished when the CPU stopped, and no events: %llu\n",
			trace->total.torn);
	if (trace->total.unproven)
		fprintf(f, "# committed at the very end, without a sum that proves it (u): %llu\n",
			trace->total.unproven);
	if (trace->total.damaged)
		fprintf(f, "# sub-buffers damaged: %llu; events found in them and withheld: %llu\n",
			trace->total.damaged, trace->total.withheld);
}

static void put_notes(FILE *f, const struct notes *notes)
{
	u64 i;

	for (i = 0; i < notes->nr && i < NOTES_MAX; i++)
		fprintf(f, "# damage: %s\n", notes->list[i].text);
	if (notes->nr > NOTES_MAX)
		fprintf(f, "# damage: and %llu things more\n", notes->nr - NOTES_MAX);
}

void print_summary(FILE *f, const struct account *account, const struct window *window)
{
	const struct trace *trace = account->trace;
	u32 i;

	for (i = 0; i < trace->nr_rings; i++)
		put_ring(f, account, &trace->rings[i]);
	put_shown(f, trace, window);
	put_notes(f, &trace->region->notes);
	fputs("#\n#           TASK-PID     CPU#  .....       TIME  FUNCTION\n", f);
}
