// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/text.h"
#include "os/color.h"
#include "recording/clock_text.h"
#include "report.h"
#include "death.h"
#include "ftrace.h"
#include "mce_line.h"

/* One line for each; epitaph info has the build id. */
static void put_kernel(FILE *f, const struct account_origin *origin)
{
	char buf[80];

	fputs("# kernel: ", f);
	text_put(f, origin->release, sizeof(origin->release));
	if (*origin->version)
		putc(' ', f);
	text_put(f, origin->version, sizeof(origin->version));
	if (origin->machine)
		fprintf(f, ", %s", text_machine(origin->machine));
	if (origin->nr_cpus || origin->has_boot_id)
		fprintf(f, ", %u CPU%s", origin->nr_cpus, origin->nr_cpus == 1 ? "" : "s");
	putc('\n', f);
	if (!origin->has_boot_id)
		return;
	text_uuid(buf, sizeof(buf), origin->boot_id);
	fprintf(f, "# boot: %s\n", buf);
}

static void put_number(FILE *f, const struct epitaph_header *hdr)
{
	char date[64];

	if (!hdr->number)
		return;
	text_date(date, sizeof(date), hdr->start_real_ns);
	fprintf(f, "# generation: %llu, began %s\n", (u64)hdr->number, date);
}

static void put_end(FILE *f, const struct account *account, const struct death *death)
{
	const struct account_end *end = &account->end;
	char date[64];

	if (end->how != FATE_ENDED)
		return print_death(f, account, death);
	text_date(date, sizeof(date), end->real_ns);
	fputs("# ended in order: ", f);
	text_put(f, end->reason, sizeof(end->reason));
	fprintf(f, ", %s\n", date);
}

static void put_times(FILE *f, const struct account_end *end, bool monotonic)
{
	if (monotonic)
		fputs("# times: CLOCK_MONOTONIC of the recorded kernel\n", f);
	else if (end->how == FATE_CRASHED)
		fputs("# times: seconds before (T-) and after (T+) the crash\n", f);
	else if (end->how == FATE_ENDED)
		fputs("# times: seconds before (T-) and after (T+) the end\n", f);
	else if (end->real_ns)
		fputs("# times: seconds before the last event (T-); how long before the crash is not known\n", f);
	else
		fputs("# times: seconds before the last event (T-); when it crashed is not known\n", f);
}

static void put_clock(FILE *f, const struct trace *trace)
{
	char bound[200];

	text_bound(bound, sizeof(bound), trace);
	fprintf(f, "# clock: %s; %s\n", text_clock(trace->clock.id), bound);
}

void print_head(FILE *f, const struct account *account)
{
	const struct trace *trace = account->trace;

	fputs("# epitaph: the last seconds of a kernel\n", f);
	if (trace || account->kernel)
		put_kernel(f, &account->origin);
	else
		fputs("# kernel: unknown; its own trace has outlived it\n", f);
	if (*account->instead)
		fprintf(f, "# the kernel's own trace%s, instead of a region: %s\n",
			account->kernel ? " and log" : "", account->instead);
	if (trace)
		put_number(f, &trace->region->hdr);
	if (account->debuginfo)
		fprintf(f, "# debuginfo: %s\n", debuginfo_path(account->debuginfo));
}

int print_end(FILE *f, struct account *account, bool monotonic, struct err *err)
{
	const struct trace *trace = account->trace;
	struct death death;
	int ret = death_read(&death, account, err);

	if (!ret)
		put_end(f, account, &death);
	death_free(&death);
	if (ret)
		return ret;
	print_mce_head(f, account);
	if (trace)
		put_clock(f, trace);
	if (trace || account->kernel)
		put_times(f, &account->end, monotonic);
	return 0;
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

void print_others(FILE *f, const struct account *account)
{
	const struct regions *regions = account->regions;
	const struct region *shown = account->trace->region;
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
	char cpu[TEXT_CPU];

	fprintf(f, "# %s", text_cpu(cpu, ring->cpu));
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
	if (ring->full)
		fprintf(f, ", full: at least %llu later event%s dropped", ring->full, s(ring->full));
	if (ring->again)
		fprintf(f, ", and %u sub-buffer%s told already", ring->again, s(ring->again));
	if (ring->refused > 0)
		fprintf(f, ", %lld refused", ring->refused);
	if (ring->counted && ring->too_large)
		fprintf(f, ", %llu too large", ring->too_large);
	if (ring->counted && ring->too_deep)
		fprintf(f, ", %llu nested too deep", ring->too_deep);
	putc('\n', f);
}

/* Nothing of it is lost, damaged or in doubt; what a full ring left out, it counted. */
static bool is_flawless(const struct trace_ring *ring)
{
	const struct scan *scan = &ring->scan;

	return (scan->complete || !scan->nr_subs) && !scan->nr_held && !scan->nr_torn &&
	       !scan->nr_taken && !scan->nr_damaged && !scan->nr_lost_subs && !scan->nr_missing &&
	       scan->lost_last <= scan->lost_first && ring->refused <= 0 && (!ring->counted || (!ring->too_large && !ring->too_deep));
}

/**
 * struct channel_sum - the flawless rings of one channel
 * @horizon: from which on all of them are complete; with @whole, where recording began
 * @full, @again: as in struct trace_ring
 */
struct channel_sum {
	u32 nr_rings;
	u32 nr_flawed;
	u64 events;
	u64 full;
	u64 again;
	u64 horizon;
	bool whole;
};

static struct channel_sum sum_channel(const struct trace *trace, const struct trace_channel *channel)
{
	struct channel_sum sum = { .whole = true };

	for (u32 i = 0; i < trace->nr_rings; i++) {
		const struct trace_ring *ring = &trace->rings[i];

		if (ring->channel != channel)
			continue;
		sum.nr_rings++;
		sum.nr_flawed += !is_flawless(ring);
		if (!is_flawless(ring) || !ring->scan.complete)
			continue;
		sum.events += ring->scan.nr_events;
		sum.full += ring->full;
		sum.again += ring->again;
		sum.whole &= ring->scan.whole;
		if (ring->scan.horizon > sum.horizon)
			sum.horizon = ring->scan.horizon;
	}
	return sum;
}

static bool is_folded(const struct channel_sum *sum)
{
	return sum->nr_rings - sum->nr_flawed > 1 && (sum->events || sum->again);
}

/* One line for all rings of which there is nothing else to say. */
static void put_channel(FILE *f, const struct account *account, const struct trace_channel *channel)
{
	const struct trace *trace = account->trace;
	struct channel_sum sum = sum_channel(trace, channel);
	bool fold = is_folded(&sum);

	for (u32 i = 0; i < trace->nr_rings; i++) {
		const struct trace_ring *ring = &trace->rings[i];

		if (ring->channel == channel && !(fold && is_flawless(ring)))
			put_ring(f, account, ring);
	}
	if (!fold)
		return;
	fputs("# ", f);
	if (trace->nr_channels > 1) {
		fputs("channel ", f);
		text_put(f, channel->name, sizeof(channel->name));
		fputs(", ", f);
	}
	fprintf(f, "%u %sCPUs: %llu events, complete %s", sum.nr_rings - sum.nr_flawed,
		sum.nr_flawed ? "other " : "", sum.events, sum.whole ? "since the start, " : "from ");
	put_ago(f, account->end.time, trace_mono(trace, sum.horizon));
	if (sum.full)
		fprintf(f, ", full: at least %llu later event%s dropped", sum.full, s(sum.full));
	if (sum.again)
		fprintf(f, ", and %llu sub-buffer%s told already", sum.again, s(sum.again));
	putc('\n', f);
}

static bool is_empty(const struct trace *trace, const struct trace_channel *channel)
{
	struct channel_sum sum = sum_channel(trace, channel);

	return trace->nr_channels > 1 && sum.nr_rings && !sum.nr_flawed && !sum.events && !sum.again;
}

static void put_rings(FILE *f, const struct account *account)
{
	const struct trace *trace = account->trace;
	u32 nr_empty = 0;

	for (u32 i = 0; i < trace->nr_channels; i++)
		if (!is_empty(trace, &trace->channels[i]))
			put_channel(f, account, &trace->channels[i]);
	for (u32 i = 0; i < trace->nr_channels; i++)
		if (is_empty(trace, &trace->channels[i])) {
			fputs(nr_empty++ ? ", " : "# no events: channel ", f);
			text_put(f, trace->channels[i].name, sizeof(trace->channels[i].name));
		}
	if (nr_empty)
		putc('\n', f);
}

/* "the last 200 before the crash and the first 200 of 812 after it" */
static void put_last(FILE *f, const struct account *account, const struct window *window)
{
	fprintf(f, "the last %llu", window->events);
	if (!window->after)
		return;
	fprintf(f, " before the %s and ", account->end.how == FATE_CRASHED ? "crash" : "end");
	if (window->hidden)
		fprintf(f, "the first %llu of %llu after it", window->after,
			window->after + window->hidden);
	else
		fprintf(f, "%llu after it", window->after);
}

/* What the recorder has beside events. */
static void put_others(FILE *f, const struct trace *trace)
{
	u32 nr_mces = mces_count(&trace->mces);

	if (nr_mces)
		fprintf(f, ", %u machine check%s", nr_mces, s(nr_mces));
	if (trace->klog.there)
		fprintf(f, ", %u earlier log line%s%s", trace->klog.nr, s(trace->klog.nr),
			trace->klog.is_cut ? " (older ones found no room)" : "");
}

/* Of the dumped kernel's own log, but for what the recorder told as well. */
static u32 count_log(const struct account *account)
{
	u32 i, nr = 0;

	for (i = 0; i < account->extras.nr; i++)
		nr += account->extras.list[i].kind == EXTRA_LOG;
	return account->trace ? nr - account->trace->klog.nr : nr;
}

static void put_shown(FILE *f, const struct account *account, const struct window *window)
{
	u32 nr_log = count_log(account);

	fprintf(f, "# %llu event%s", account->total.events, s(account->total.events));
	if (account->trace)
		put_others(f, account->trace);
	if (nr_log)
		fprintf(f, ", %u line%s of the kernel's log", nr_log, s(nr_log));
	fputs("; shown: ", f);
	switch (window->kind) {
	case WINDOW_ALL:
		fputs("all", f);
		break;
	case WINDOW_LAST_NS:
		fprintf(f, "the last %g s", window->ns / 1e9);
		break;
	default:
		put_last(f, account, window);
	}
	if (window->cpu >= 0 || window->pid >= 0 || window->comm || window->event || window->channel)
		fputs(" of those asked for", f);
	if (account->extras.nr)
		fprintf(f, ", %llu of them\n", window->shown);
	else
		fprintf(f, ", %llu event%s\n", window->shown, s(window->shown));
}

static void put_withheld(FILE *f, const struct trace *trace)
{
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

	for (i = 0; i < notes->kept; i++) {
		color_begin(f, COLOR_DAMAGE);
		fprintf(f, "# damage: %s", notes->list[i].text);
		color_end(f);
		putc('\n', f);
	}
	if (notes->nr > notes->kept)
		fprintf(f, "# damage: and %llu things more\n", notes->nr - notes->kept);
}

/* Of which all that follows is. */
static void put_own(FILE *f, const struct account *account)
{
	const struct ftrace_buffer *own = account->own;

	if (!account->kernel)
		fputs("# without its kernel nobody can tell what its events are: they have their numbers\n", f);
	fputs("# times: ", f);
	fputs(own->clock.kind == FTRACE_CLOCK_NONE ? "numbers" : "seconds", f);
	if (*own->clock.name == '?') {
		fputs(", the clock is not told", f);
	} else {
		fputs(" of the clock ", f);
		text_put(f, own->clock.name, sizeof(own->clock.name));
	}
	fprintf(f, "%s; nothing relates them to other times\n", own->is_earlier ? ", in the boot that recorded" : "");
}

void print_summary(FILE *f, const struct account *account, const struct window *window)
{
	const struct trace *trace = account->trace;

	if (trace) {
		put_rings(f, account);
		print_filters(f, account);
	}
	if (account->ftrace)
		print_ftrace(f, account);
	if (account->own)
		put_own(f, account);
	put_shown(f, account, window);
	if (trace) {
		put_withheld(f, trace);
		put_notes(f, &trace->region->notes);
	}
	put_notes(f, &account->notes);
	fputs("#           TASK-PID     CPU#  .....       TIME  FUNCTION\n", f);
}

void print_debuginfo_notes(FILE *f, const struct account *account)
{
	const char *note;
	size_t i;

	for (i = 0; account->debuginfo && (note = debuginfo_note(account->debuginfo, i)); i++)
		fprintf(f, "# debuginfo: %s\n", note);
}
