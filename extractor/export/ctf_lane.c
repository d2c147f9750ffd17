// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctf_lane.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "os/descriptor.h"

#define KEPT_FD		64		/* there may be more lanes than descriptors: from here on, none stays open */
#define TIMES_OFF	(4 + 16 + 4)	/* of the packet's times: behind magic, uuid and stream id */

/* "main_3": what is no letter or digit may mean something to somebody. Channels that differ may look alike then. */
void ctf_lane_init(struct ctf_lane *outs, u32 nr, const struct lane *lane)
{
	struct ctf_lane *out = &outs[nr];
	u32 alike = 0;
	size_t i, n = 0;

	for (i = 0; lane->channel[i] && n < 40; i++)
		out->file[n++] = isalnum((u8)lane->channel[i]) ? lane->channel[i] : '-';
	if (lane->cpu == NO_CPU)
		n += snprintf(out->file + n, sizeof(out->file) - n, "_unknown");
	else
		n += snprintf(out->file + n, sizeof(out->file) - n, "_%u", lane->cpu);
	out->alike = n;
	for (i = 0; i < nr; i++)
		alike += outs[i].alike == n && !memcmp(outs[i].file, out->file, n);
	if (alike)
		snprintf(out->file + n, sizeof(out->file) - n, "_%u", alike + 1);
}

static bool open_file(struct ctf_lane *out, int dir)
{
	int flags = out->is_made ? O_APPEND : O_CREAT | O_EXCL;

	if (!out->is_open)
		out->fd = openat(dir, out->file, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
	out->is_made = true;
	out->is_open = out->fd >= 0;
	return out->is_open;
}

static bool close_file(struct ctf_lane *out)
{
	bool was_open = out->is_open;

	out->is_open = false;
	return !was_open || !close(out->fd);
}

static int write_packet(struct ctf_lane *out, int dir, struct err *err)
{
	bool good = open_file(out, dir) && descriptor_write(out->fd, out->packet.data, out->packet.size);

	if (out->fd >= KEPT_FD)
		good &= close_file(out);
	return good ? 0 : err_sys(err, "%s: cannot write", out->file);
}

static int end_packet(struct ctf_lane *out, const struct ctf_files *files, struct err *err)
{
	struct pack *p = &out->packet;
	int ret;

	if (!p->size)
		return 0;
	pack_set_u64(p, TIMES_OFF, out->begin);
	pack_set_u64(p, TIMES_OFF + 8, out->last);
	pack_set_u64(p, TIMES_OFF + 16, p->size * 8ULL);
	pack_set_u64(p, TIMES_OFF + 24, p->size * 8ULL);
	ret = write_packet(out, files->dir, err);
	p->size = 0;
	if (p->room > 2 * files->packet_size)
		pack_free(p);
	return ret;
}

static void begin(struct ctf_lane *out, const struct ctf_files *files, const struct lane *lane,
		  u64 time)
{
	struct pack *p = &out->packet;

	p->order = files->order;
	pack_u32(p, CTF_MAGIC);
	pack_bytes(p, files->uuid, 16);
	pack_u32(p, 0);
	pack_bytes(p, (u8[32]){ 0 }, 32);
	pack_u64(p, out->lost);
	pack_u64(p, out->nr_packets++);
	pack_u32(p, lane->cpu);
	pack_escaped(p, lane->channel, strlen(lane->channel));
	pack_u8(p, 0);
	out->begin = time;
}

int ctf_lane_flush(struct ctf_lane *out, const struct ctf_files *files, struct err *err)
{
	int ret = end_packet(out, files, err);

	if (!close_file(out) && !ret)
		ret = err_sys(err, "%s: cannot write", out->file);
	return ret;
}

int ctf_lane_ready(struct ctf_lane *out, const struct ctf_files *files, const struct lane *lane,
		   u64 time, u64 lost, u64 most, struct err *err)
{
	struct pack *p = &out->packet;
	int ret = 0;

	if (lost || p->size + most > files->packet_size)
		ret = end_packet(out, files, err);
	out->lost += lost;
	if (!p->size)
		begin(out, files, lane, time);
	out->last = time;
	return p->failed && !ret ? err_sys(err, "memory for a packet") : ret;
}

void ctf_lane_free(struct ctf_lane *out)
{
	pack_free(&out->packet);
	close_file(out);
}
