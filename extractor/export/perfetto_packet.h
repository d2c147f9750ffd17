/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets of Perfetto's: bundles of ftrace's events, tracks, and instants on them. */
#ifndef EPITAPH_EXPORT_PERFETTO_PACKET_H
#define EPITAPH_EXPORT_PERFETTO_PACKET_H

#include "perfetto_schema.h"

enum perfetto_sequence {
	SEQUENCE_TRACKS = 1,
	SEQUENCE_FTRACE = 2,
};

enum perfetto_track {
	TRACK_CRASH = 1,
	TRACK_MCES,
	TRACK_LOG,
	TRACK_MARKS,
	TRACK_CPUS = 16,	/* and up: one for each CPU of such items */
	TRACK_GUESTS = 4096,	/* and up: PERFETTO_VCPU_TRACKS for each virtual CPU */
};

#define PERFETTO_VCPU_TRACKS	3	/* the host's thread; below it the guest's CPU, and its gaps */

/**
 * struct perfetto_file - one that is written
 * @p: the packet; @bundle of @cpu is open in it, if not 0
 * @tracks: which of TRACK_CPUS were described
 */
struct perfetto_file {
	FILE *f;
	struct protobuf p;
	u32 packet;
	u32 bundle;
	u32 cpu;
	bool sequence_begun[SEQUENCE_FTRACE + 1];
	bool tracks[PERFETTO_MAX_CPU + 1];
};

/* A packet, which perfetto_end() writes; no bundle is open. */
void perfetto_begin(struct perfetto_file *file, enum perfetto_sequence sequence);
void perfetto_end(struct perfetto_file *file);

/* A bundle that the event may be put into; the one that is open, if it may stay so. */
void perfetto_open_bundle(struct perfetto_file *file, const struct item *item);
void perfetto_close_bundle(struct perfetto_file *file);

/* Tracks that every file has. */
void perfetto_describe_tracks(struct perfetto_file *file);

/* Tracks of a virtual CPU, which is thread @tid of process @pid; the first of them is @uuid. */
void perfetto_describe_vcpu(struct perfetto_file *file, u32 uuid, s64 pid, s64 tid, const char *name);

/* What lasts from @from to @to. */
void perfetto_put_slice(struct perfetto_file *file, u64 from, u64 to, u32 track, const char *name);

/* The track for what is no event of a CPU's own tracks. */
u32 perfetto_cpu_track(struct perfetto_file *file, u32 cpu);

/*
 * perfetto_begin_instant() - something that happened at one time
 * @name: escaped
 *
 * Return: what perfetto_end_instant() wants; notes may be put in between.
 */
u32 perfetto_begin_instant(struct perfetto_file *file, u64 ns, u32 track, const char *name);
void perfetto_end_instant(struct perfetto_file *file, u32 event);

/* Notes of an instant. */
void perfetto_note_number(struct perfetto_file *file, const char *name, s64 value);
void perfetto_note_text(struct perfetto_file *file, const char *name, const char *text);

/* Where and who; what is not known is left out. */
void perfetto_note_who(struct perfetto_file *file, u32 cpu, s64 pid, const char *comm);

#endif
