// SPDX-License-Identifier: GPL-2.0-or-later
#include "recorder_status.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "os/sysfs_file.h"

#define MAX_PATH	4400

static int read_text(const char *sysfs, const char *name, char *buf, size_t size, struct err *err)
{
	char path[MAX_PATH];

	snprintf(path, sizeof(path), "%.4096s/%s", sysfs, name);
	return sysfs_file_read(path, buf, size, err);
}

/* "0x20000000 16777216 memmap" */
static int read_region(struct recorder_status *status, const char *sysfs, struct err *err)
{
	char text[128];
	int ret = read_text(sysfs, "region", text, sizeof(text), err);

	if (!ret && sscanf(text, "%llx %llu %15s", &status->addr, &status->size, status->memory) != 3)
		ret = err_set(err, ERR_CORRUPT, ERR_NO_OFF, "%s/region: found \"%s\", expected ADDRESS SIZE MEMORY; is the tool as new as the loaded module?", sysfs, text);
	return ret;
}

static int read_status_number(const char *sysfs, const char *name, u64 *ret, struct err *err)
{
	char text[64];
	int res = read_text(sysfs, name, text, sizeof(text), err);

	if (res)
		return res;
	text[strcspn(text, "\n")] = 0;
	if (!sysfs_file_is_number(text, ret))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "%s/%s: no number: %s", sysfs, name, text);
	return 0;
}

/* "horizon_ns 123"; false: that line is not there. */
static bool find_line(const char *text, const char *word, u64 *ret)
{
	size_t len = strlen(word);
	const char *at;

	for (at = text; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (!strncmp(at, word, len) && at[len] == ' ') {
			*ret = strtoull(at + len, NULL, 10);
			return true;
		}
	}
	return false;
}

static int read_ring(struct recorder_ring *ring, const char *dir, const char *name, u32 cpu,
		     struct err *err)
{
	char text[4200];	/* more than a file of sysfs has */
	u64 whole = 0;
	int ret;

	ret = read_text(dir, name, text, sizeof(text), err);
	if (ret)
		return ret;
	ring->cpu = cpu;
	find_line(text, "size", &ring->size);
	if (!find_line(text, "sub_size", &ring->sub_size) || !find_line(text, "written", &ring->written))
		ring->sub_size = 0;
	ring->has_horizon = find_line(text, "horizon_ns", &ring->horizon_ns) &&
			    find_line(text, "whole", &whole);
	ring->whole = whole;
	ring->has_events = find_line(text, "events", &ring->events) &&
			   find_line(text, "span_ns", &ring->span_ns);
	find_line(text, "too_large", &ring->too_large);
	find_line(text, "too_deep", &ring->too_deep);
	find_line(text, "full", &ring->full);
	return 0;
}

static int by_cpu(const void *a, const void *b)
{
	const struct recorder_ring *x = a, *y = b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static struct recorder_ring *add_ring_status(struct recorder_channel *channel)
{
	struct recorder_ring *more = reallocarray(channel->rings, channel->nr + 1, sizeof(*more));

	if (!more)
		return NULL;
	channel->rings = more;
	more += channel->nr++;
	memset(more, 0, sizeof(*more));
	return more;
}

/* "cpu3", or "all": one ring of all CPUs. */
static bool is_ring(const char *name, u64 *cpu)
{
	*cpu = NO_CPU;
	return !strcmp(name, "all") ||
	       (!strncmp(name, "cpu", 3) && sysfs_file_is_number(name + 3, cpu));
}

static int read_ring_status(struct recorder_channel *channel, DIR *dir, const char *path,
			    struct err *err)
{
	struct recorder_ring *ring;
	struct dirent *entry;
	int ret = 0;
	u64 cpu;

	while (!ret && (entry = readdir(dir))) {
		if (!is_ring(entry->d_name, &cpu))
			continue;
		ring = add_ring_status(channel);
		ret = ring ? read_ring(ring, path, entry->d_name, cpu, err) : err_sys(err, "no memory");
	}
	if (channel->nr)
		qsort(channel->rings, channel->nr, sizeof(*channel->rings), by_cpu);
	return ret;
}

static int read_channel(struct recorder_channel *channel, const char *channels, const char *name,
			struct err *err)
{
	char path[MAX_PATH + 300];
	DIR *dir;
	int ret;

	snprintf(channel->name, sizeof(channel->name), "%.63s", name);
	snprintf(path, sizeof(path), "%s/%s", channels, name);
	dir = opendir(path);
	if (!dir)
		return err_sys(err, "%s", path);
	ret = read_ring_status(channel, dir, path, err);
	closedir(dir);
	return ret;
}

static int by_name(const void *a, const void *b)
{
	const struct recorder_channel *x = a, *y = b;
	bool x_main = !strcmp(x->name, "main"), y_main = !strcmp(y->name, "main");

	return x_main != y_main ? y_main - x_main : strcmp(x->name, y->name);
}

/* A recorder that has no such directory says less, and is none the worse for it. */
static int read_channels(struct recorder_status *status, const char *sysfs, struct err *err)
{
	struct dirent *entry;
	char path[MAX_PATH];
	int ret = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%.4096s/channels", sysfs);
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? 0 : err_sys(err, "%s", path);
	while (!ret && (entry = readdir(dir)) && status->nr_channels < RECORDER_STATUS_MAX_CHANNELS)
		if (entry->d_name[0] != '.')
			ret = read_channel(&status->channels[status->nr_channels++], path,
					   entry->d_name, err);
	closedir(dir);
	qsort(status->channels, status->nr_channels, sizeof(*status->channels), by_name);
	return ret;
}

/* An older recorder does not say; it records, or was stopped. */
static void read_recording(struct recorder_status *status, const char *sysfs)
{
	struct err err = ERR_INIT;
	char *text = status->recording;

	if (read_text(sysfs, "recording", text, sizeof(status->recording), &err))
		snprintf(text, sizeof(status->recording), "yes");
	text[strcspn(text, "\n")] = 0;
}

static int read_all_status(struct recorder_status *status, const char *sysfs, struct err *err)
{
	int ret = read_region(status, sysfs, err);

	if (!ret)
		ret = read_status_number(sysfs, "current", &status->number, err);
	read_recording(status, sysfs);
	if (!ret && read_status_number(sysfs, "start", &status->start_ns, NULL))
		status->start_ns = 0;
	return ret ? ret : read_channels(status, sysfs, err);
}

int recorder_status_read(struct recorder_status *status, const char *sysfs, struct err *err)
{
	int ret;

	memset(status, 0, sizeof(*status));
	ret = sysfs_generations_read(&status->earlier, sysfs, err);
	if (!ret)
		ret = read_all_status(status, sysfs, err);
	if (ret)
		recorder_status_free(status);
	return ret;
}

bool recorder_status_records(const struct recorder_status *status)
{
	return !strcmp(status->recording, "yes");
}

const char *recorder_status_loss(const struct recorder_status *status)
{
	if (!strcmp(status->recording, "lost-in-hibernation"))
		return "the region was lost in hibernation";
	if (!strcmp(status->recording, "device-removed"))
		return "the device with the region was removed";
	return NULL;
}

void recorder_status_free(struct recorder_status *status)
{
	u32 i;

	for (i = 0; i < status->nr_channels; i++)
		free(status->channels[i].rings);
	status->nr_channels = 0;
}

double recorder_status_rate(const struct recorder_ring *ring)
{
	return ring->has_events && ring->span_ns ? ring->events * 1e9 / ring->span_ns : 0;
}

/* A ring that has overwritten nothing takes nothing away from what all of them have. */
static void add_horizon(struct recorder_status_sum *sum, const struct recorder_ring *ring)
{
	bool less = ring->whole == sum->whole && ring->horizon_ns < sum->horizon_ns;
	bool more = ring->whole && ring->horizon_ns > sum->horizon_ns;

	if (!ring->has_horizon)
		return;
	if (!sum->has_horizon || (sum->whole && !ring->whole) ||
	    (sum->whole == ring->whole && (ring->whole ? more : less))) {
		sum->horizon_ns = ring->horizon_ns;
		sum->horizon_cpu = ring->cpu;
		sum->whole = ring->whole;
	}
	sum->has_horizon = true;
}

struct recorder_status_sum recorder_status_sum(const struct recorder_channel *channel)
{
	struct recorder_status_sum sum = { 0 };
	const struct recorder_ring *ring;

	for (ring = channel->rings; ring < channel->rings + channel->nr; ring++) {
		add_horizon(&sum, ring);
		sum.has_rate = sum.has_rate || ring->has_events;
		sum.rate += recorder_status_rate(ring);
		sum.too_large += ring->too_large;
		sum.too_deep += ring->too_deep;
	}
	return sum;
}

void recorder_status_dropped(const struct recorder_status *status, u64 *too_large, u64 *too_deep)
{
	struct recorder_status_sum sum;
	u32 i;

	*too_large = *too_deep = 0;
	for (i = 0; i < status->nr_channels; i++) {
		sum = recorder_status_sum(&status->channels[i]);
		*too_large += sum.too_large;
		*too_deep += sum.too_deep;
	}
}
