// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/text.h"
#include "recorder_status.h"

/* "4 min 12 s": two units are exact enough for a status line. */
static void put_span(char *buf, size_t size, u64 ns)
{
	u64 s = ns / 1000000000;

	if (s < 60)
		snprintf(buf, size, "%.1f s", ns / 1e9);
	else if (s < 3600)
		snprintf(buf, size, "%llu min %llu s", s / 60, s % 60);
	else if (s < 86400)
		snprintf(buf, size, "%llu h %llu min", s / 3600, s / 60 % 60);
	else
		snprintf(buf, size, "%llu d %llu h", s / 86400, s / 3600 % 24);
}

static const char *memory_words(const char *memory)
{
	if (!strcmp(memory, "memmap") || !strcmp(memory, "device_tree"))
		return ", the same place in every boot";
	if (!strcmp(memory, "reserve_mem"))
		return ", which may be another place in the next boot";
	if (!strcmp(memory, "pages"))
		return ", ordinary memory that outlives no reset";
	return "";
}

static void put_region_text(FILE *f, const struct recorder_status *status)
{
	char size[32];

	text_size(size, sizeof(size), status->size);
	fprintf(f, "region       %s at 0x%llx, ", size, status->addr);
	text_put(f, status->memory, sizeof(status->memory));
	fprintf(f, "%s\n", memory_words(status->memory));
}

static void put_recording(FILE *f, const struct recorder_status *status)
{
	const char *loss = recorder_status_loss(status);
	char when[64];

	if (loss) {
		fprintf(f, "recording    no: %s; unload the module and load it again\n", loss);
		return;
	}
	fprintf(f, "recording    %s, into generation %llu",
		recorder_status_records(status) ? "yes" : "stopped", status->number);
	if (status->start_ns) {
		text_date(when, sizeof(when), status->start_ns);
		fprintf(f, ", since %.19s UTC", when);
	}
	putc('\n', f);
}

static void put_earlier_state(FILE *f, const char *state, size_t size)
{
	if (!strcmp(state, "harvested"))
		fputs("saved", f);
	else if (!strcmp(state, "evidence"))
		fputs("crashed and not saved yet", f);
	else if (!strcmp(state, "ended"))
		fputs("ended in order and not saved yet", f);
	else
		text_put(f, state, size);
}

static void put_generations(FILE *f, const struct sysfs_generations *earlier)
{
	u32 i;

	fputs("earlier      ", f);
	if (!earlier->nr)
		fputs("nothing of an earlier boot", f);
	for (i = 0; i < earlier->nr; i++) {
		fprintf(f, "%s%llu: ", i ? ", " : "generation ", earlier->list[i].number);
		put_earlier_state(f, earlier->list[i].state, sizeof(earlier->list[i].state));
	}
	if (earlier->lost)
		fprintf(f, "; %llu overwritten before %s saved", earlier->lost,
			earlier->lost == 1 ? "it was" : "they were");
	putc('\n', f);
}

static void put_horizon_text(FILE *f, const struct recorder_status_sum *sum)
{
	char span[48];

	put_span(span, sizeof(span), sum->horizon_ns);
	if (!sum->has_horizon)
		fputs("horizon      not known\n", f);
	else if (sum->whole)
		fprintf(f, "horizon      %s: all since recording began\n", span);
	else
		fprintf(f, "horizon      %s on every CPU; CPU %u has the least\n", span,
			sum->horizon_cpu);
}

static void put_dropped_text(FILE *f, const struct recorder_status *status)
{
	u64 too_large, too_deep;

	recorder_status_dropped(status, &too_large, &too_deep);
	if (!(too_large + too_deep))
		fputs("dropped      none\n", f);
	else
		fprintf(f, "dropped      at least %llu: %llu too large, %llu nested too deep\n",
			too_large + too_deep, too_large, too_deep);
}

static void put_ring_text(FILE *f, const struct recorder_channel *channel,
			  const struct recorder_ring *ring)
{
	char span[48] = "-", rate[32] = "-", cpu[16] = "all";

	if (ring->has_horizon)
		put_span(span, sizeof(span), ring->horizon_ns);
	if (ring->has_events)
		snprintf(rate, sizeof(rate), "%.0f", recorder_status_rate(ring));
	if (ring->cpu != NO_CPU)
		snprintf(cpu, sizeof(cpu), "%u", ring->cpu);
	text_put(f, channel->name, sizeof(channel->name));
	fprintf(f, "%*s %4s %10s  %14s%s %8llu\n", (int)(12 - strnlen(channel->name, 12)), "",
		cpu, rate, span, ring->whole ? "*" : " ",
		ring->too_large + ring->too_deep + ring->full);
}

static void put_rings(FILE *f, const struct recorder_status *status)
{
	u32 i, k;

	fputs("\nchannel       cpu   events/s         horizon   dropped\n", f);
	for (i = 0; i < status->nr_channels; i++)
		for (k = 0; k < status->channels[i].nr; k++)
			put_ring_text(f, &status->channels[i], &status->channels[i].rings[k]);
	fputs("* nothing was overwritten yet\n", f);
}

void recorder_status_text(FILE *f, const struct recorder_status *status)
{
	struct recorder_status_sum sum = { 0 };

	put_recording(f, status);
	put_region_text(f, status);
	put_generations(f, &status->earlier);
	if (!status->nr_channels) {
		fputs("horizon      not known: this recorder is older than this tool\n", f);
		return;
	}
	sum = recorder_status_sum(&status->channels[0]);
	put_horizon_text(f, &sum);
	if (sum.has_rate)
		fprintf(f, "events       %.0f/s\n", sum.rate);
	put_dropped_text(f, status);
	put_rings(f, status);
}

static u32 count_wanted(const struct sysfs_generations *earlier)
{
	u32 i, n = 0;

	for (i = 0; i < earlier->nr; i++)
		n += earlier->list[i].wanted;
	return n;
}

void recorder_status_line(char *buf, size_t size, const struct recorder_status *status)
{
	const char *loss = recorder_status_loss(status);
	struct recorder_status_sum sum = { 0 };
	char span[48], bytes[32];
	u64 too_large, too_deep;

	if (status->nr_channels)
		sum = recorder_status_sum(&status->channels[0]);
	recorder_status_dropped(status, &too_large, &too_deep);
	put_span(span, sizeof(span), sum.horizon_ns);
	text_size(bytes, sizeof(bytes), status->size);
	if (!recorder_status_records(status)) {
		snprintf(buf, size, "Not recording: %s%s", loss ? loss : "stopped",
			 loss ? "; unload the module and load it again" : "");
		return;
	}
	snprintf(buf, size, "Recording %.0f events/s, the last %s kept, %llu dropped; %s at 0x%llx, generation %llu, %u earlier (%u not saved)",
		 sum.rate, sum.has_horizon ? span : "?", too_large + too_deep, bytes, status->addr,
		 status->number, status->earlier.nr, count_wanted(&status->earlier));
}
