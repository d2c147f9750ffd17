/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many bytes a second each ring of a running recorder takes, and how large it must be: docs/sizes.md. */
#ifndef EPITAPH_SPOOL_RING_RATES_H
#define EPITAPH_SPOOL_RING_RATES_H

#include "recorder_status.h"

/* @ring: as it was at the end; @rate: bytes a second */
struct ring_rate {
	const struct recorder_ring *ring;
	double rate;
};

/**
 * struct channel_rates - of one channel
 * @channel: as it was at the end
 * @rings: @channel->nr of them, from malloc()
 * @sum: bytes a second of all
 * @most: the ring with the largest rate
 */
struct channel_rates {
	const struct recorder_channel *channel;
	struct ring_rate *rings;
	double sum;
	const struct ring_rate *most;
};

/**
 * struct ring_rates - what was measured
 * @ns: how long that took
 * @status: at the end
 * @channels: nr_channels of them: those that were there all the time, "main" first
 */
struct ring_rates {
	u64 ns;
	struct recorder_status status;
	struct channel_rates channels[RECORDER_STATUS_MAX_CHANNELS];
	u32 nr_channels;
};

/**
 * ring_rates_measure() - look twice
 * @rates: for ring_rates_free()
 * @sysfs: the recorder's directory
 * @ns: between the two
 *
 * Return: 0; an error of recorder_status_read(); -ERR_NOT_OURS: the recorder does not say it, or it
 * was another one at the end, or records nothing.
 */
int ring_rates_measure(struct ring_rates *rates, const char *sysfs, u64 ns, struct err *err);

/* Accepts what is zeroed. */
void ring_rates_free(struct ring_rates *rates);

/* Bytes of a ring that holds @ns of @rate bytes a second at any moment. */
u64 ring_rates_need(const struct ring_rate *rate, u64 ns);

/* The same of all rings of a channel, each as the one with the largest rate. */
u64 channel_rates_need(const struct channel_rates *rates, u64 ns);

/**
 * ring_rates_region() - how large a region must be
 * @device: of the recorder's commands
 * @ring_size: bytes of each ring of main
 *
 * Return: 0; -ERR_IO; -ERR_NOT_OURS: no region is so large, or another recorder.
 */
int ring_rates_region(const char *device, u64 ring_size, u64 *ret, struct err *err);

#endif
