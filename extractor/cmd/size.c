// SPDX-License-Identifier: GPL-2.0-or-later
/* How large region and channels must be for what this machine records now: docs/sizes.md. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "spool/recorder_load.h"
#include "common.h"

struct size_options {
	struct load_question question;
	bool json;
};

static void put_ring(const struct channel_rates *rates, const struct ring_rate *rate)
{
	char cpu[TEXT_CPU], size[32], since[32];

	if (rate->ring->cpu == NO_CPU)
		snprintf(cpu, sizeof(cpu), "all");
	else
		text_cpu(cpu, rate->ring->cpu);
	text_size(size, sizeof(size), rate->ring->size);
	printf("%-15s %-8s %12.0f  %-9s", rates->channel->name, cpu, rate->rate, size);
	if (rate->ring->has_horizon) {
		text_seconds(since, sizeof(since), rate->ring->horizon_ns, false);
		printf("  %s s%s", since, rate->ring->whole ? ", not full yet" : "");
	}
	putchar('\n');
}

static bool is_own(const char *name)
{
	return !strcmp(name, "main") || !strcmp(name, "ras") || !strcmp(name, "user");
}

static void put_channel_need(const struct channel_rates *rates, u64 ns)
{
	char size[32];

	if (is_own(rates->channel->name))
		return;
	text_size(size, sizeof(size), channel_rates_need(rates, ns));
	printf("channel %s: %s, epitaph channel set %s subs=%llu\n", rates->channel->name, size,
	       rates->channel->name,
	       ring_rates_need(rates->most, ns) / rates->most->ring->sub_size);
}

static void put_size_text(const struct load_answer *load, u64 ns)
{
	const struct ring_rates *rates = &load->rates;
	char span[32], measured[32], now[32], want[32];
	u32 i, k;

	text_seconds(measured, sizeof(measured), rates->ns, false);
	text_seconds(span, sizeof(span), ns, false);
	text_size(now, sizeof(now), rates->status.size);
	text_size(want, sizeof(want), load->region);
	printf("%-15s %-8s %12s  %-9s  holds now\n", "CHANNEL", "CPU", "BYTES/S", "SIZE");
	for (i = 0; i < rates->nr_channels; i++)
		for (k = 0; k < rates->channels[i].channel->nr; k++)
			put_ring(&rates->channels[i], &rates->channels[i].rings[k]);
	printf("\nBy what was recorded in %s s, for the last %s s of the busiest CPU:\n", measured, span);
	printf("region: %s (it has %s), epitaph setup --write --size %lluK\n", want, now, load->region >> 10);
	for (i = 0; i < rates->nr_channels; i++)
		put_channel_need(&rates->channels[i], ns);
}

static void put_size_json(const struct load_answer *load, u64 ns)
{
	const struct ring_rates *rates = &load->rates;
	struct json j = { .f = stdout };
	u32 i, k;

	json_open(&j, NULL, '{');
	json_u64(&j, "for_ns", ns);
	json_u64(&j, "measured_ns", rates->ns);
	json_u64(&j, "region", load->region);
	json_u64(&j, "region_now", rates->status.size);
	json_open(&j, "channels", '[');
	for (i = 0; i < rates->nr_channels; i++) {
		const struct channel_rates *channel = &rates->channels[i];

		json_open(&j, NULL, '{');
		json_str(&j, "channel", channel->channel->name);
		json_u64(&j, "bytes_per_s", channel->sum);
		json_u64(&j, "ring_needs", ring_rates_need(channel->most, ns));
		json_open(&j, "rings", '[');
		for (k = 0; k < channel->channel->nr; k++) {
			const struct ring_rate *rate = &channel->rings[k];

			json_open(&j, NULL, '{');
			if (rate->ring->cpu == NO_CPU)
				json_null(&j, "cpu");
			else
				json_u64(&j, "cpu", rate->ring->cpu);
			json_u64(&j, "bytes_per_s", rate->rate);
			json_u64(&j, "size", rate->ring->size);
			if (rate->ring->has_horizon)
				json_u64(&j, "horizon_ns", rate->ring->horizon_ns);
			else
				json_null(&j, "horizon_ns");
			json_bool(&j, "whole", rate->ring->has_horizon && rate->ring->whole);
			json_close(&j, '}');
		}
		json_close(&j, ']');
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	json_end(&j);
}

static int say_sizes(const struct size_options *opt)
{
	struct load_answer load;
	struct err err = ERR_INIT;

	if (load_measure(&load, &opt->question, &err)) {
		load_free(&load);
		return status_fail("size", &err);
	}
	if (opt->json)
		put_size_json(&load, opt->question.for_ns);
	else
		put_size_text(&load, opt->question.for_ns);
	load_free(&load);
	return status_flush("size");
}

int cmd_size(int argc, char **argv)
{
	struct size_options opt = { LOAD_QUESTION, false };
	int c;

	while ((c = cmd_next_option(argc, argv)) != -1) {
		if (c == 'j')
			opt.json = true;
		else if (c == 's')
			opt.question.sysfs = optarg;
		else if (c == 'd')
			opt.question.device = optarg;
		else if (c != 'f' && c != 'm')
			return cmd_usage("size");
		else if (!cmd_take_span("size", c == 'f' ? "for" : "measure", optarg,
					 c == 'f' ? &opt.question.for_ns : &opt.question.measure_ns))
			return ERR_USAGE;
	}
	if (optind < argc)
		return cmd_misuse("size", "it looks at this machine, not at files: %s", argv[optind]);
	if (!opt.question.for_ns)
		return cmd_misuse("size", "--for lacks: how many seconds are to be kept, as --for 30s");
	return say_sizes(&opt);
}
