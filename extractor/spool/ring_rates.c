// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring_rates.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LEAST_SUBS	16	/* of a ring: EPITAPH_MIN_SUBS of the recorder */

static u64 monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void wait_ns(u64 ns)
{
	struct timespec time = { ns / 1000000000, ns % 1000000000 };

	while (nanosleep(&time, &time) && errno == EINTR)
		;
}

static const struct recorder_channel *find_channel(const struct recorder_status *status, const char *name)
{
	u32 i;

	for (i = 0; i < status->nr_channels; i++)
		if (!strcmp(status->channels[i].name, name))
			return &status->channels[i];
	return NULL;
}

static const struct recorder_ring *ring_of_cpu(const struct recorder_channel *channel, u32 cpu)
{
	u32 i;

	for (i = 0; i < channel->nr; i++)
		if (channel->rings[i].cpu == cpu)
			return &channel->rings[i];
	return NULL;
}

/* Its sub-buffers may have changed their size meanwhile, and it may be another one of that name. */
static double rate_of(const struct recorder_ring *before, const struct recorder_ring *ring, u64 ns)
{
	if (!before || ring->written < before->written || ring->sub_size != before->sub_size)
		return 0;
	return (ring->written - before->written) * 1e9 / ns;
}

static int compare_channel(struct channel_rates *rates, const struct recorder_channel *before, u64 ns,
			   struct err *err)
{
	const struct recorder_channel *channel = rates->channel;
	u32 i;

	rates->rings = calloc(channel->nr + 1, sizeof(*rates->rings));
	if (!rates->rings)
		return err_sys(err, "memory for %u rings", channel->nr);
	rates->most = rates->rings;
	for (i = 0; i < channel->nr; i++) {
		struct ring_rate *rate = &rates->rings[i];

		rate->ring = &channel->rings[i];
		rate->rate = rate_of(ring_of_cpu(before, rate->ring->cpu), rate->ring, ns);
		rates->sum += rate->rate;
		if (rate->rate > rates->most->rate)
			rates->most = rate;
	}
	return 0;
}

static int compare(struct ring_rates *rates, const struct recorder_status *before, struct err *err)
{
	const struct recorder_status *status = &rates->status;
	int ret = 0;
	u32 i;

	if (before->number != status->number || before->start_ns != status->start_ns)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "the recorder was loaded anew meanwhile");
	if (!recorder_status_records(status))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "nothing is recorded now, so there is no rate");
	for (i = 0; i < status->nr_channels && !ret; i++) {
		struct channel_rates *to = &rates->channels[rates->nr_channels];
		const struct recorder_channel *was = find_channel(before, status->channels[i].name);

		to->channel = &status->channels[i];
		if (!was || !to->channel->nr)
			continue;
		if (!to->channel->rings[0].sub_size)
			return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
				       "the recorder that is loaded does not say how much it wrote: it is older than this tool; reboot, or run: modprobe -r epitaph && modprobe epitaph");
		rates->nr_channels++;
		ret = compare_channel(to, was, rates->ns, err);
	}
	if (!ret && (!rates->nr_channels || strcmp(rates->channels[0].channel->name, "main")))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the recorder has no channel main");
	return ret;
}

int ring_rates_measure(struct ring_rates *rates, const char *sysfs, u64 ns, struct err *err)
{
	struct recorder_status before;
	u64 begin;
	int ret;

	memset(rates, 0, sizeof(*rates));
	ret = recorder_status_read(&before, sysfs, err);
	if (ret)
		return ret;
	begin = monotonic_ns();
	wait_ns(ns);
	ret = recorder_status_read(&rates->status, sysfs, err);
	rates->ns = monotonic_ns() - begin;
	if (!ret)
		ret = compare(rates, &before, err);
	recorder_status_free(&before);
	return ret;
}

void ring_rates_free(struct ring_rates *rates)
{
	u32 i;

	for (i = 0; i < rates->nr_channels; i++)
		free(rates->channels[i].rings);
	recorder_status_free(&rates->status);
}

/* The newest sub-buffer may have just begun, and then the oldest has just gone. */
u64 ring_rates_need(const struct ring_rate *rate, u64 ns)
{
	u64 subs = ceil(rate->rate * (ns / 1e9) / rate->ring->sub_size) + 1;

	return (subs > LEAST_SUBS ? subs : LEAST_SUBS) * rate->ring->sub_size;
}

u64 channel_rates_need(const struct channel_rates *rates, u64 ns)
{
	return rates->channel->nr * ring_rates_need(rates->most, ns);
}

int ring_rates_region(const char *device, u64 ring_size, u64 *ret, struct err *err)
{
	char text[256];
	ssize_t n = 0;
	int fd = open(device, O_RDWR | O_CLOEXEC), why;

	if (fd < 0)
		return err_sys(err, "%s", device);
	snprintf(text, sizeof(text), "size %llu", ring_size);
	why = write(fd, text, strlen(text)) < 0 ? errno : 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	if (!why && sscanf(text, "region %llu bytes", ret) == 1)
		return 0;
	text[strcspn(text, "\n")] = 0;
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "%s: %s", device, *text ? text : strerror(why));
}
