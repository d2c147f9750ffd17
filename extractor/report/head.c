// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "os/terminal.h"
#include "recording/clock_text.h"
#include "report.h"
#include "death.h"
#include "ftrace.h"
#include "mce_line.h"
#include "phrase.h"

#define MAX_SKEWS	4	/* in the head */

/* Two short lines; epitaph info has the build id as well. */
static void put_head_kernel(FILE *f, const struct postmortem_origin *origin)
{
	char buf[80];

	fputs("# kernel: ", f);
	if (!*origin->release && !*origin->version)
		fputs("unknown", f);
	text_put(f, origin->release, sizeof(origin->release));
	if (*origin->version)
		putc(' ', f);
	text_put(f, origin->version, sizeof(origin->version));
	if (origin->machine)
		fprintf(f, ", %s", text_machine(origin->machine));
	if (origin->nr_cpus || origin->has_boot_id)
		fprintf(f, ", %u CPU%s", origin->nr_cpus, plural(origin->nr_cpus));
	putc('\n', f);
	if (!origin->has_boot_id)
		return;
	text_uuid(buf, sizeof(buf), origin->boot_id);
	fprintf(f, "# boot: %s\n", buf);
}

void print_head(FILE *f, const struct postmortem *pm)
{
	const struct recording *recording = pm->recording;
	char date[64];

	fputs("# epitaph: the last seconds of a kernel\n", f);
	if (recording || pm->kernel || pm->console)
		put_head_kernel(f, &pm->origin);
	else
		fputs("# kernel: unknown; its own trace has outlived it\n", f);
	if (pm->console && pm->console->is_trace)
		fprintf(f, "# source: a trace file of the kernel, %u events; of which clock it does not say\n", pm->console->events.nr);
	else if (pm->console)
		fprintf(f, "# source: the text of a console, %u lines of the kernel and %u events; boot %u of %u in it\n",
			pm->console->log.nr, pm->console->events.nr, pm->console->boot, pm->console->nr_boots);
	if (pm->console && pm->console->nr_unplaced)
		fprintf(f, "# of %u events (~) the text does not say when they were: the newest stands where the kernel began to print them\n",
			pm->console->nr_unplaced);
	if (*pm->why_no_region)
		fprintf(f, "# the kernel's own trace%s, instead of a region: %s\n",
			pm->kernel ? " and log" : "", pm->why_no_region);
	if (recording && recording->generation->hdr.number) {
		text_date(date, sizeof(date), recording->generation->hdr.start_real_ns);
		fprintf(f, "# generation: %llu, began %s\n",
			(u64)recording->generation->hdr.number, date);
	}
	if (pm->debuginfo)
		fprintf(f, "# debuginfo: %s\n", debuginfo_path(pm->debuginfo));
}

#define WHY_COLUMNS	148	/* what is longer is cut: with "# why: " two lines of a terminal */

static void put_why(FILE *f, const char *why)
{
	size_t len = strlen(why);

	fputs("# why: ", f);
	text_put(f, why, len > WHY_COLUMNS ? WHY_COLUMNS : len);
	fputs(len > WHY_COLUMNS ? "...\n" : "\n", f);
}

static void put_meaning_of_times(FILE *f, const struct postmortem_end *end, bool monotonic)
{
	if (monotonic)
		fputs("# times: CLOCK_MONOTONIC of the recorded kernel\n", f);
	else if (end->how == OUTCOME_CRASHED)
		/* In one line: the head fits a screen. */
		fputs("# times: seconds before (T-) and after (T+) the crash; why: epitaph explain FILE\n", f);
	else if (end->how == OUTCOME_ENDED)
		fputs("# times: seconds before (T-) and after (T+) the end\n", f);
	else if (end->real_ns)
		fputs("# times: seconds before the last event (T-); how long before the crash is not known\n", f);
	else
		fputs("# times: seconds before the last event (T-); when it crashed is not known\n", f);
}

/* CPUs whose clock was seen to differ; of many the first ones. */
static void put_skews(FILE *f, const struct clock *clock)
{
	const struct skew *skew = clock->skew;
	u32 cpu, nr = 0;
	char text[96];

	for (cpu = 0; skew && cpu < skew->nr_cpus; cpu++) {
		const struct skew_entry *e = skew_found(skew, cpu);

		if (!e)
			continue;
		if (nr++ < MAX_SKEWS) {
			text_skew(text, sizeof(text), clock, e);
			fprintf(f, "%s%s", nr == 1 ? "# skew: " : ", ", text);
		}
	}
	if (nr > MAX_SKEWS)
		fprintf(f, ", and %u more", nr - MAX_SKEWS);
	if (nr)
		fprintf(f, " of CPU %u: corrected\n", skew->reference);
}

static void put_suspends(FILE *f, const struct clock *clock)
{
	u64 ns;
	u32 nr = clock_suspends(clock, &ns);

	if (nr)
		fprintf(f, "# suspended: %u time%s, for %llu.%03llu s in all, which are in no time below\n", nr,
			plural(nr), ns / 1000000000, ns / 1000000 % 1000);
}

int print_end(FILE *f, struct postmortem *pm, bool monotonic, const char *why, struct err *err)
{
	const struct recording *recording = pm->recording;
	const struct postmortem_end *end = &pm->end;
	struct death death;
	char text[200];
	int ret = death_read(&death, pm, err);

	if (!ret && end->how == OUTCOME_ENDED) {
		fputs("# ended in order: ", f);
		text_put(f, end->reason, sizeof(end->reason));
		text_date(text, sizeof(text), end->real_ns);
		fprintf(f, ", %s\n", text);
	} else if (!ret) {
		print_death(f, pm, &death);
	}
	death_free(&death);
	if (ret)
		return ret;
	if (pm->is_other_boot && recording)
		fputs("# the dumped kernel is of another boot: --source ftrace,log reads it\n", f);
	if (*why)
		put_why(f, why);
	print_mce_head(f, pm);
	if (recording && generation_has_no_recorder(recording->generation)) {
		fputs("# copy of a vmcore without a recorder: its log and its stacks, and no events\n", f);
	} else if (recording) {
		text_bound(text, sizeof(text), recording);
		fprintf(f, "# clock: %s; %s\n", text_clock(recording->clock.id), text);
		put_skews(f, &recording->clock);
		put_suspends(f, &recording->clock);
	}
	if (recording || pm->kernel)
		put_meaning_of_times(f, end, monotonic);
	return 0;
}

static void put_other_generation(FILE *f, const struct generation *generation)
{
	u64 number = generation->hdr.number;
	char buf[800];
	struct outcome fate;

	outcome_read(&fate, generation);
	if (number)
		fprintf(f, "# generation %llu", number);
	else
		fputs("# another generation", f);
	fputs(" is here too: ", f);
	if (!number) {
		text_uuid(buf, sizeof(buf), generation->hdr.boot_id);
		fprintf(f, "boot %s, ", buf);
	}
	text_date(buf, sizeof(buf), generation->hdr.start_real_ns);
	/* A second is enough, and the line has 80 columns then. */
	fprintf(f, "%.*s%s, ", (int)strcspn(buf, "."), buf, strchr(buf, '.') ? " UTC" : "");
	outcome_words(buf, sizeof(buf), &fate);
	fprintf(f, "%s\n", buf);
}

void print_others(FILE *f, const struct postmortem *pm)
{
	const struct generation_set *generations = pm->generations;
	const struct generation *shown = pm->recording->generation;
	const struct epitaph_header *hdr = &shown->hdr;
	u32 i;

	for (i = generations->nr; i > 0; i--)
		if (&generations->gen[i - 1] != shown)
			put_other_generation(f, &generations->gen[i - 1]);
	if (hdr->lost_gens)
		fprintf(f, "# %u generation%s overwritten before %s harvested, the last of number %llu\n",
			hdr->lost_gens, hdr->lost_gens == 1 ? " was" : "s were",
			hdr->lost_gens == 1 ? "it was" : "they were", (u64)hdr->lost_number);
}

/* @full: events that came when a ring was full */
static void put_full(FILE *f, const struct recording_channel *channel, u64 full)
{
	if (full && channel->mode == EPITAPH_CONSUME)
		fprintf(f, ", %llu event%s dropped because the reader came late", full, plural(full));
	else if (full)
		fprintf(f, ", full: at least %llu later event%s dropped", full, plural(full));
}

static void put_head_ring(FILE *f, const struct postmortem *pm, const struct recording_ring *ring)
{
	const struct recording *recording = pm->recording;
	const struct ring_scan *scan = &ring->scan;
	char cpu[TEXT_CPU];

	if (ring->owner) {
		fputs("# ", f);
		text_put(f, ring->owner->comm, sizeof(ring->owner->comm));
		fprintf(f, "-%u, ring %s,", ring->owner->pid, ring->owner->name);
	} else {
		fprintf(f, "# %s", text_cpu(cpu, ring->cpu));
	}
	if (recording->nr_channels > 1) {
		fputs(" channel ", f);
		text_put(f, ring->channel->name, sizeof(ring->channel->name));
	}
	fprintf(f, ": %llu event%s", scan->nr_events, plural(scan->nr_events));
	if (scan->complete) {
		fputs(scan->whole ? ", all since the start, " :
				    ", complete from ", f);
		put_ago(f, pm, recording_ring_mono(ring, scan->horizon));
	}
	if (scan->nr_held)
		fprintf(f, ", %u older sub-buffer%s behind a gap", scan->nr_held, plural(scan->nr_held));
	if (scan->nr_torn + scan->nr_taken)
		fprintf(f, ", %u unfinished", scan->nr_torn + scan->nr_taken);
	if (scan->nr_damaged + scan->nr_lost_subs)
		fprintf(f, ", %u sub-buffer%s damaged",
			scan->nr_damaged + scan->nr_lost_subs,
			plural(scan->nr_damaged + scan->nr_lost_subs));
	if (scan->nr_repaired)
		fprintf(f, ", %u sub-buffer%s repaired", scan->nr_repaired, plural(scan->nr_repaired));
	if (scan->nr_missing)
		fprintf(f, ", %u sub-buffer%s not in the file", scan->nr_missing,
			plural(scan->nr_missing));
	if (scan->lost_last > scan->lost_first && !(ring->full && ring->channel->mode == EPITAPH_CONSUME))
		fprintf(f, ", at least %llu event%s dropped",
			scan->lost_last - scan->lost_first,
			plural(scan->lost_last - scan->lost_first));
	if (ring->owner && ring->full)
		fprintf(f, ", %llu dropped whose format found no room", ring->full);
	else
		put_full(f, ring->channel, ring->full);
	if (ring->archived)
		fprintf(f, ", %u sub-buffer%s read out", ring->archived->nr, plural(ring->archived->nr));
	if (ring->again)
		fprintf(f, ", and %u repeated sub-buffer%s left out", ring->again, plural(ring->again));
	if (ring->refused > 0)
		fprintf(f, ", %lld refused", ring->refused);
	if (ring->counted && ring->too_large)
		fprintf(f, ", %llu too large", ring->too_large);
	if (ring->counted && ring->too_deep)
		fprintf(f, ", %llu nested too deep", ring->too_deep);
	putc('\n', f);
}

/* Is nothing lost, damaged or in doubt? A full ring counts what it leaves out, and the trace shows each
 * event that a CPU left unfinished. */
static bool is_flawless(const struct recording_ring *ring)
{
	const struct ring_scan *scan = &ring->scan;

	return (scan->complete || !scan->nr_subs) && !scan->nr_held && !scan->nr_damaged &&
	       !scan->nr_lost_subs && !scan->nr_repaired && !scan->nr_missing &&
	       scan->lost_last <= scan->lost_first && ring->refused <= 0 && !(ring->owner && ring->full) &&
	       (!ring->counted || (!ring->too_large && !ring->too_deep));
}

/**
 * struct channel_sum - the flawless rings of one channel
 * @full: as in struct recording_ring
 * @unfinished: events
 * @archived: sub-buffers that were read out
 * @again: as in struct recording_ring
 * @horizon: CLOCK_MONOTONIC; all rings are complete from here on
 * @whole: @horizon is where recording began
 */
struct channel_sum {
	u32 nr_rings;
	u32 nr_flawed;
	u64 events;
	u64 full;
	u64 unfinished;
	u64 archived;
	u64 again;
	u64 horizon;
	bool whole;
};

static struct channel_sum sum_channel(const struct recording *recording,
				      const struct recording_channel *channel)
{
	struct channel_sum sum = { .whole = true };

	for (u32 i = 0; i < recording->nr_rings; i++) {
		const struct recording_ring *ring = &recording->rings[i];

		if (ring->channel != channel)
			continue;
		sum.nr_rings++;
		sum.nr_flawed += !is_flawless(ring);
		if (!is_flawless(ring) || !ring->scan.complete)
			continue;
		sum.events += ring->scan.nr_events;
		sum.full += ring->full;
		sum.unfinished += ring->scan.nr_torn + ring->scan.nr_taken;
		sum.archived += ring->archived ? ring->archived->nr : 0;
		sum.again += ring->again;
		sum.whole &= ring->scan.whole;
		if (recording_ring_mono(ring, ring->scan.horizon) > sum.horizon)
			sum.horizon = recording_ring_mono(ring, ring->scan.horizon);
	}
	return sum;
}

/* One line sums up the flawless rings. */
static void put_channel_rings(FILE *f, const struct postmortem *pm,
			      const struct recording_channel *channel)
{
	const struct recording *recording = pm->recording;
	struct channel_sum sum = sum_channel(recording, channel);
	bool fold = sum.nr_rings - sum.nr_flawed > 1 && (sum.events || sum.again);

	for (u32 i = 0; i < recording->nr_rings; i++) {
		const struct recording_ring *ring = &recording->rings[i];

		if (ring->channel == channel && !(fold && is_flawless(ring)))
			put_head_ring(f, pm, ring);
	}
	if (!fold)
		return;
	fputs("# ", f);
	if (recording->nr_channels > 1) {
		fputs("channel ", f);
		text_put(f, channel->name, sizeof(channel->name));
		fputs(", ", f);
	}
	fprintf(f, "%u %s%s: %llu events, %s", sum.nr_rings - sum.nr_flawed,
		sum.nr_flawed ? "other " : "", channel->mode == EPITAPH_RINGS ? "rings of programs" : "CPUs",
		sum.events,
		sum.whole ? "all since the start, " : "complete from ");
	put_ago(f, pm, sum.horizon);
	if (sum.unfinished)
		fprintf(f, ", %llu unfinished", sum.unfinished);
	put_full(f, channel, sum.full);
	if (sum.archived)
		fprintf(f, ", %llu sub-buffer%s read out", sum.archived, plural(sum.archived));
	if (sum.again)
		fprintf(f, ", and %llu repeated sub-buffer%s left out", sum.again, plural(sum.again));
	putc('\n', f);
}

static bool is_empty_channel(const struct recording *recording,
			     const struct recording_channel *channel)
{
	struct channel_sum sum = sum_channel(recording, channel);

	return recording->nr_channels > 1 && sum.nr_rings && !sum.nr_flawed && !sum.events &&
	       !sum.again;
}

static void put_head_rings(FILE *f, const struct postmortem *pm)
{
	const struct recording *recording = pm->recording;
	const struct recording_channel *channel = recording->channels;
	u32 nr_empty = 0;

	for (u32 i = 0; i < recording->nr_channels; i++)
		if (!is_empty_channel(recording, &channel[i]))
			put_channel_rings(f, pm, &channel[i]);
	for (u32 i = 0; i < recording->nr_channels; i++)
		if (is_empty_channel(recording, &channel[i])) {
			fputs(nr_empty++ ? ", " : "# no events: channel ", f);
			text_put(f, channel[i].name, sizeof(channel[i].name));
		}
	if (nr_empty)
		putc('\n', f);
}

/* "the last 200 before the crash and the first 200 of 812 after it" */
static void put_last_events(FILE *f, const struct postmortem *pm, const struct window *window)
{
	fprintf(f, "the last %llu", window->events);
	if (!window->after)
		return;
	fprintf(f, " before the %s and ", pm->end.how == OUTCOME_CRASHED ? "crash" : "end");
	if (window->hidden)
		fprintf(f, "the first %llu of %llu after it", window->after,
			window->after + window->hidden);
	else
		fprintf(f, "%llu after it", window->after);
}

/* Lines of the dumped kernel's own log that are not in the recording. */
static u32 count_log_lines(const struct postmortem *pm)
{
	u32 i, nr = 0;

	for (i = 0; i < pm->aux_events.nr; i++)
		nr += pm->aux_events.list[i].kind == AUX_EVENT_LOG;
	return pm->recording ? nr - pm->recording->klog.nr : nr;
}

/* Of the last seconds alone, older events of large rings are not counted. */
static void put_events_read(FILE *f, const struct postmortem *pm)
{
	u64 mib = pm->recording ? pm->recording->total.not_read >> 20 : 0;

	fprintf(f, "# %llu event%s", pm->total.events, plural(pm->total.events));
	if (pm->recording && pm->recording->total.not_read)
		fprintf(f, " are read, and %llu MiB of older ones not (epitaph info counts all)", mib);
}

/* How many there are, and which are shown. */
static void put_shown(FILE *f, const struct postmortem *pm, const struct window *window)
{
	const struct recording *recording = pm->recording;
	u32 nr_log = count_log_lines(pm), nr_mces;

	put_events_read(f, pm);
	if (recording) {
		nr_mces = mces_count(&recording->mces);
		if (nr_mces)
			fprintf(f, ", %u machine check%s", nr_mces, plural(nr_mces));
		if (recording->klog.there)
			fprintf(f, ", %u earlier log line%s%s", recording->klog.nr,
				plural(recording->klog.nr),
				recording->klog.is_cut ? " (older ones found no room)" : "");
	}
	if (nr_log)
		fprintf(f, ", %u line%s of the kernel's log", nr_log, plural(nr_log));
	if (!window) {
		putc('\n', f);
		return;
	}
	fputs("; shown: ", f);
	switch (window->kind) {
	case WINDOW_ALL:
		fputs("all", f);
		break;
	case WINDOW_LAST_NS:
		fprintf(f, "the last %g s", window->ns / 1e9);
		break;
	default:
		put_last_events(f, pm, window);
	}
	if (window->cpu >= 0 || window->pid >= 0 || window->comm || window->event || window->channel)
		fputs(" of those asked for", f);
	if (pm->aux_events.nr)
		fprintf(f, ", %llu of them\n", window->shown);
	else
		fprintf(f, ", %llu event%s\n", window->shown, plural(window->shown));
	if (window->of_programs)
		fprintf(f, "# and of each program's ring the last %llu at most: %llu event%s; not shown: %llu (--channel NAME shows them)\n",
			window->per_program, window->of_programs, plural(window->of_programs),
			window->left_out);
}

static void put_withheld(FILE *f, const struct recording *recording)
{
	if (recording->total.unproven)
		fprintf(f, "# committed at the very end, without a sum that proves it (u): %llu\n",
			recording->total.unproven);
	if (recording->total.damaged)
		fprintf(f, "# sub-buffers damaged: %llu; events found in them and withheld: %llu\n",
			recording->total.damaged, recording->total.withheld);
}

static void put_damage_notes(FILE *f, const struct damage_notes *notes)
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

/* All events are of a buffer with a clock of its own. */
static void put_isolated_buffer(FILE *f, const struct postmortem *pm)
{
	const struct ftrace_buffer *buf = pm->isolated_buffer;

	if (!pm->kernel)
		fputs("# the dump has no kernel that names its events: they have their numbers\n", f);
	fputs("# times: ", f);
	fputs(buf->clock.kind == FTRACE_CLOCK_NONE ? "numbers" : "seconds", f);
	if (*buf->clock.name == '?') {
		fputs(", of an unknown clock", f);
	} else {
		fputs(" of the clock ", f);
		text_put(f, buf->clock.name, sizeof(buf->clock.name));
	}
	fprintf(f, "%s; nothing relates them to other times\n",
		buf->is_earlier ? ", in the boot that recorded" : "");
}

void print_summary(FILE *f, const struct postmortem *pm, const struct window *window)
{
	const struct recording *recording = pm->recording;

	if (recording) {
		put_head_rings(f, pm);
		print_filters(f, pm);
	}
	if (pm->ftrace)
		print_ftrace(f, pm);
	if (pm->isolated_buffer)
		put_isolated_buffer(f, pm);
	put_shown(f, pm, window);
	if (recording) {
		put_withheld(f, recording);
		put_damage_notes(f, &recording->generation->notes);
	}
	put_damage_notes(f, &pm->notes);
	if (window)
		fputs("#           TASK-PID     CPU#  .....       TIME  FUNCTION\n", f);
}

void print_debuginfo_notes(FILE *f, const struct postmortem *pm)
{
	const char *note;
	size_t i;

	for (i = 0; pm->debuginfo && (note = debuginfo_note(pm->debuginfo, i)); i++)
		fprintf(f, "# debuginfo: %s\n", note);
}
