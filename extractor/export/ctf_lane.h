/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stream file of CTF: packets of one lane. */
#ifndef EPITAPH_EXPORT_CTF_LANE_H
#define EPITAPH_EXPORT_CTF_LANE_H

#include "exporter.h"

#define CTF_MAGIC	0xc1fc1fc1U
#define CTF_PACKET	(64U << 10)	/* bytes of one, if there are not very many lanes */
#define CTF_ALL_PACKETS	(32U << 20)	/* of those under way, all together */

/**
 * struct ctf_lane - one
 * @file: its name in the directory; another lane may have the first @alike letters of it
 * @packet: the one under way, its size and times not filled in yet
 * @begin: time of its first event
 * @last: time of the last event of all
 * @lost: until then
 * @nr_packets: written, or under way
 * @fd: of the file, while @is_open
 */
struct ctf_lane {
	char file[96];
	size_t alike;
	struct pack packet;
	u64 begin;
	u64 last;
	u64 lost;
	u64 nr_packets;
	int fd;
	bool is_made;
	bool is_open;
};

/**
 * struct ctf_files - where all of them go
 * @dir: the directory; the caller's, and so @uuid
 * @packet_size: a packet ends before it gets larger than this
 */
struct ctf_files {
	int dir;
	const u8 *uuid;
	u32 packet_size;
	enum byte_order order;
};

/* Fills in the name of a zeroed one behind @nr others. */
void ctf_lane_init(struct ctf_lane *outs, u32 nr, const struct lane *lane);

/*
 * ctf_lane_ready() - make @out->packet ready for one event, which the caller packs then
 * @time: not before @out->last
 * @lost: before it; these end a packet
 * @most: bytes that it may have
 */
int ctf_lane_ready(struct ctf_lane *out, const struct ctf_files *files, const struct lane *lane,
		   u64 time, u64 lost, u64 most, struct err *err);

/* Writes what is under way; all that was written is out of our hands then. */
int ctf_lane_flush(struct ctf_lane *out, const struct ctf_files *files, struct err *err);

void ctf_lane_free(struct ctf_lane *out);

#endif
