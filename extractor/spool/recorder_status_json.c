// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/json.h"
#include "recorder_status.h"

static void put_rate(struct json *j, bool known, double rate)
{
	if (known)
		json_u64(j, "events_per_s", rate + 0.5);
	else
		json_null(j, "events_per_s");
}

static void put_horizon_json(struct json *j, bool known, u64 ns, bool whole)
{
	if (known) {
		json_u64(j, "horizon_ns", ns);
		json_bool(j, "whole", whole);
	} else {
		json_null(j, "horizon_ns");
		json_null(j, "whole");
	}
}

static void put_dropped_json(struct json *j, u64 too_large, u64 too_deep)
{
	json_open(j, "dropped", '{');
	json_u64(j, "too_large", too_large);
	json_u64(j, "too_deep", too_deep);
	json_close(j, '}');
}

static void put_ring_json(struct json *j, const struct recorder_ring *ring)
{
	json_open(j, NULL, '{');
	if (ring->cpu == NO_CPU)
		json_null(j, "cpu");
	else
		json_u64(j, "cpu", ring->cpu);
	json_u64(j, "size", ring->size);
	put_horizon_json(j, ring->has_horizon, ring->horizon_ns, ring->whole);
	put_rate(j, ring->has_events, recorder_status_rate(ring));
	put_dropped_json(j, ring->too_large, ring->too_deep);
	json_u64(j, "full", ring->full);
	json_close(j, '}');
}

static void put_channel(struct json *j, const struct recorder_channel *channel)
{
	struct recorder_status_sum sum = recorder_status_sum(channel);
	u32 i;

	json_open(j, NULL, '{');
	json_str(j, "name", channel->name);
	put_horizon_json(j, sum.has_horizon, sum.horizon_ns, sum.whole);
	put_rate(j, sum.has_rate, sum.rate);
	put_dropped_json(j, sum.too_large, sum.too_deep);
	json_open(j, "cpus", '[');
	for (i = 0; i < channel->nr; i++)
		put_ring_json(j, &channel->rings[i]);
	json_close(j, ']');
	json_close(j, '}');
}

static void put_earlier(struct json *j, const struct sysfs_generations *earlier)
{
	u32 i;

	json_open(j, "generations", '[');
	for (i = 0; i < earlier->nr; i++) {
		json_open(j, NULL, '{');
		json_u64(j, "number", earlier->list[i].number);
		json_u64(j, "size", earlier->list[i].size);
		json_u64(j, "start_ns", earlier->list[i].start_ns);
		json_str(j, "state", earlier->list[i].state);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_u64(j, "overwritten_generations", earlier->lost);
}

void recorder_status_json(FILE *f, const struct recorder_status *status)
{
	struct json j = { .f = f };
	u32 i;

	json_open(&j, NULL, '{');
	json_bool(&j, "recording", recorder_status_records(status));
	json_u64(&j, "generation", status->number);
	if (status->start_ns)
		json_u64(&j, "start_ns", status->start_ns);
	else
		json_null(&j, "start_ns");
	json_open(&j, "region", '{');
	json_u64(&j, "address", status->addr);
	json_u64(&j, "size", status->size);
	json_str(&j, "memory", status->memory);
	json_close(&j, '}');
	put_earlier(&j, &status->earlier);
	json_open(&j, "channels", '[');
	for (i = 0; i < status->nr_channels; i++)
		put_channel(&j, &status->channels[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	json_end(&j);
}
