/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a running recorder is doing: /sys/kernel/epitaph at one moment; docs/services.md. */
#ifndef EPITAPH_SPOOL_RECORDER_STATUS_H
#define EPITAPH_SPOOL_RECORDER_STATUS_H

#include <stdio.h>

#include "sysfs_generations.h"

#define RECORDER_STATUS_MAX_CHANNELS	72

/**
 * struct recorder_ring - of one CPU in one channel
 * @cpu: NO_CPU: one ring of all
 * @size: bytes
 * @sub_size: of a sub-buffer; 0: an older recorder, which does not say
 * @written: bytes that were used since recording began; with @sub_size
 * @has_horizon: the next two are known
 * @horizon_ns: how old the oldest is from which on it is complete
 * @whole: nothing was overwritten yet
 * @has_events: the next two are known
 * @events: in the last @span_ns
 * @too_large, @too_deep: events dropped for that reason, at least
 * @full: events that came when it had ended, at least
 */
struct recorder_ring {
	u32 cpu;
	u64 size;
	u64 sub_size;
	u64 written;
	bool has_horizon;
	u64 horizon_ns;
	bool whole;
	bool has_events;
	u64 events;
	u64 span_ns;
	u64 too_large;
	u64 too_deep;
	u64 full;
};

/* @rings: nr of them, by CPU; from malloc() */
struct recorder_channel {
	char name[64];
	struct recorder_ring *rings;
	u32 nr;
};

/**
 * struct recorder_status - a moment
 * @recording: it is, in the recorder's word: "yes", "stopped" or "lost-in-hibernation"
 * @addr, @size: of the region, bytes
 * @memory: how it came by that memory, in the recorder's word
 * @number: of the generation that is recorded into
 * @start_ns: when that began, UTC; 0: an older recorder, which does not say
 * @earlier: generations of earlier boots
 * @channels: nr_channels of them, "main" first
 */
struct recorder_status {
	char recording[32];
	u64 addr;
	u64 size;
	char memory[16];
	u64 number;
	u64 start_ns;
	struct sysfs_generations earlier;
	struct recorder_channel channels[RECORDER_STATUS_MAX_CHANNELS];
	u32 nr_channels;
};

/**
 * recorder_status_read() - look
 * @sysfs: the recorder's directory
 *
 * Return: 0, for recorder_status_free(); -ERR_NOT_OURS: no recorder is loaded; -ERR_IO; -ERR_CORRUPT.
 */
int recorder_status_read(struct recorder_status *status, const char *sysfs, struct err *err);
void recorder_status_free(struct recorder_status *status);

/* Is what happens now recorded? */
bool recorder_status_records(const struct recorder_status *status);

/* Why it records nothing until it is loaded again: "the region was lost in hibernation"; NULL: it is not so. */
const char *recorder_status_loss(const struct recorder_status *status);

/* What all rings of a channel have in common. */
struct recorder_status_sum {
	bool has_horizon;
	u64 horizon_ns;		/* from here on every ring is complete */
	u32 horizon_cpu;	/* whose ring has the least */
	bool whole;		/* nothing was overwritten: it is the beginning */
	bool has_rate;
	double rate;		/* events a second */
	u64 too_large;
	u64 too_deep;
};

struct recorder_status_sum recorder_status_sum(const struct recorder_channel *channel);

/* Events a second; 0 if they are not known. */
double recorder_status_rate(const struct recorder_ring *ring);

/* Events dropped, of all channels. */
void recorder_status_dropped(const struct recorder_status *status, u64 *too_large, u64 *too_deep);

/* For people; an object; and what systemctl status shows, in one line. */
void recorder_status_text(FILE *f, const struct recorder_status *status);
void recorder_status_json(FILE *f, const struct recorder_status *status);
void recorder_status_line(char *buf, size_t size, const struct recorder_status *status);

#endif
