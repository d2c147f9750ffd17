// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rings that programs wrote: docs/rings.md.  The kernel wrote whose they are; all else in a slot may
 * be anything.
 */
#include "program_rings.h"

#include <ctype.h>
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/escape.h"
#include "base/text.h"

#define FORMATS_SIZE	(EPITAPH_SLOT_DATA - EPITAPH_SLOT_FORMATS)
#define SYSTEM_PREFIX	"app_"		/* no system of the kernel's begins so */

static void copy_text(char *to, const char *from, size_t size)
{
	memcpy(to, from, size);
	to[size] = 0;
}

/* 1: good; 0: none; -1: damaged. */
static int read_owner(struct recording_owner *owner, const struct generation *generation, u64 off)
{
	struct epitaph_owner raw;
	u64 check;

	if (generation_read(generation, off, &raw, sizeof(raw), NULL) != sizeof(raw))
		return -1;
	check = le64toh(raw.check);
	if (!check)
		return 0;
	if (check != checksum(generation->hdr.salt, &raw, offsetof(struct epitaph_owner, check))) {
		if (!generation_repair(generation, off, &raw, sizeof(raw)) ||
		    le64toh(raw.check) != checksum(generation->hdr.salt, &raw, offsetof(struct epitaph_owner, check)))
			return -1;
		generation_count_repaired(generation, off);
	}
	*owner = (struct recording_owner){
		.salt = le64toh(raw.salt), .opened = le64toh(raw.opened),
		.has_ended = raw.ended && raw.ended == ~raw.ended_not, .ended = le64toh(raw.ended),
		.pid = le32toh(raw.pid), .tgid = le32toh(raw.tgid), .uid = le32toh(raw.uid),
	};
	copy_text(owner->comm, raw.comm, sizeof(raw.comm));
	copy_text(owner->program, raw.program, sizeof(raw.program));
	copy_text(owner->name, raw.name, sizeof(raw.name));
	return 1;
}

/* The kernel takes no other name. */
static bool is_ring_name(const char *name)
{
	const char *p = name;

	while (isalnum((u8)*p) || *p == '_')
		p++;
	return p > name && !*p;
}

/* The sizes of events follow from their formats. */
static struct ids *new_ids(struct formats *formats)
{
	struct ids *ids = calloc(1, sizeof(*ids));
	u32 id;

	for (id = EPITAPH_ID_FIRST; ids && id < EPITAPH_ID_SMALL; id++) {
		const struct format *format = formats_get(formats, id);
		u32 words = (format->layout.size + 3) / 4;

		if (!format->is_known)
			continue;
		ids->state[id] = !format->layout.is_fixed || words ? ID_KNOWN : ID_EMPTY;
		ids->words[id] = format->layout.is_fixed ? words : 0;
	}
	if (ids)
		ids->crc = true;
	return ids;
}

static int parse_formats(struct recording *recording, struct recording_owner *owner, struct err *err)
{
	char *system;

	if (asprintf(&system, SYSTEM_PREFIX "%s", owner->name) < 0)
		return err_sys(err, "memory for event formats");
	return formats_read_program(&owner->formats, recording->generation, owner->raw_formats,
				    FORMATS_SIZE, system, &owner->formats_whole, err);
}

/* By the parity of their pages, if all of them are good then. */
static int parse_repaired(struct recording *recording, struct recording_owner *owner, u64 off, struct err *err)
{
	struct recording_owner now = *owner;
	int ret = 0;

	now.raw_formats = malloc(FORMATS_SIZE);
	if (!now.raw_formats)
		return err_sys(err, "memory for event formats");
	memcpy(now.raw_formats, owner->raw_formats, FORMATS_SIZE);
	if (generation_repair(recording->generation, off, now.raw_formats, FORMATS_SIZE))
		ret = parse_formats(recording, &now, err);
	if (!ret && now.formats != owner->formats && now.formats_whole) {
		formats_free(owner->formats);
		owner->formats = now.formats;
		owner->formats_whole = true;
		generation_count_repaired(recording->generation, off);
	} else if (now.formats != owner->formats) {
		formats_free(now.formats);
	}
	free(now.raw_formats);
	return ret;
}

/* Threads of one program have the same formats: they are read once. */
static int read_owner_formats(struct recording *recording, struct recording_owner *owner, u64 off,
			      struct err *err)
{
	struct recording_owner *other;
	int ret;

	owner->raw_formats = calloc(1, FORMATS_SIZE);
	if (!owner->raw_formats)
		return err_sys(err, "memory for event formats");
	if (generation_read(recording->generation, off + EPITAPH_SLOT_FORMATS, owner->raw_formats,
			    FORMATS_SIZE, NULL) != FORMATS_SIZE)
		owner->formats_missing = true;
	for (other = recording->owners; other < owner; other++)
		if (other->formats && !strcmp(other->name, owner->name) &&
		    !memcmp(other->raw_formats, owner->raw_formats, FORMATS_SIZE)) {
			owner->formats = other->formats;
			owner->ids = other->ids;
			owner->formats_whole = other->formats_whole;
			return 0;
		}
	ret = parse_formats(recording, owner, err);
	if (!ret && !owner->formats_whole)
		ret = parse_repaired(recording, owner, off + EPITAPH_SLOT_FORMATS, err);
	owner->owns_formats = !ret;
	if (ret)
		return ret;
	owner->ids = new_ids(owner->formats);
	owner->formats_whole &= !formats_incomplete(owner->formats);
	return owner->ids ? 0 : err_sys(err, "memory for the sizes of events");
}

static int add_program_ring(struct recording *recording, const struct recording_channel *channel,
			    const struct recording_owner *owner, u64 off, struct err *err)
{
	u32 n = recording->nr_owners;
	struct recording_owner *to = &recording->owners[n];

	*to = *owner;
	to->sec = (struct section){
		.type = EPITAPH_SEC_RING, .cpu = EPITAPH_NO_CPU, .channel = channel->id,
		.unit = EPITAPH_SLOT_SUB_SIZE, .off = off + EPITAPH_SLOT_DATA,
		.size = EPITAPH_SLOT_SIZE - EPITAPH_SLOT_DATA,
	};
	recording->nr_owners++;
	return read_owner_formats(recording, to, off, err);
}

int recording_add_program_rings(struct recording *recording, const struct recording_channel *channel,
				u64 off, struct err *err)
{
	struct recording_owner owner;
	u32 i, nr_damaged = 0;
	int ret = 0, good;

	if (recording->nr_owners)
		return 0;
	recording->owners = calloc(channel->nr_rings, sizeof(*recording->owners));
	if (!recording->owners)
		return err_sys(err, "memory for %u rings of programs", channel->nr_rings);
	for (i = 0; i < channel->nr_rings && !ret; i++) {
		u64 at = channel->owners + i * sizeof(struct epitaph_owner);

		good = read_owner(&owner, recording->generation, at);
		if (good < 0 || (good && !is_ring_name(owner.name)))
			nr_damaged++;
		else if (good)
			ret = add_program_ring(recording, channel, &owner, off + (u64)i * EPITAPH_SLOT_SIZE,
					       err);
	}
	if (nr_damaged)
		damage_notes_add(&recording->generation->notes, channel->owners,
				 "whose %u of the programs' rings are, is damaged", nr_damaged);
	return ret;
}

void recording_free_owners(struct recording *recording)
{
	u32 i;

	for (i = 0; i < recording->nr_owners; i++) {
		if (recording->owners[i].owns_formats) {
			formats_free(recording->owners[i].formats);
			free(recording->owners[i].ids);
		}
		free(recording->owners[i].raw_formats);
	}
	free(recording->owners);
}

/* --- times that cannot be ------------------------------------------------------- */

/* Clocks of two CPUs may differ, and a program writes while the machine goes down. */
#define SLACK_MS	1
#define WAY_DOWN_MS	2000

static u64 last_moment(const struct recording *recording)
{
	const struct clock *clock = &recording->clock;
	u64 last = recording->total.end << clock->shift;

	if (clock->nr && clock->anchors[clock->nr - 1].clock > last)
		last = clock->anchors[clock->nr - 1].clock;
	return last + (u64)clock->khz * WAY_DOWN_MS;
}

/* One line, whatever a program did to its ring: it shall not hide the damage of others. */
static void note_ring(const struct recording_ring *ring, u32 wrong)
{
	u32 nr = ring->scan.nr_damaged + ring->scan.nr_lost_subs;
	char comm[4 * sizeof(ring->owner->comm) + 1];

	if (!nr && !ring->scan.nr_bad_ends && ring->owner->formats_whole && !ring->owner->formats_missing)
		return;
	comm[escape_text(comm, sizeof(comm), ring->owner->comm, strlen(ring->owner->comm))] = 0;
	damage_notes_add(&ring->recording->generation->notes, ring->sec->off,
			 "ring %s of the program %s-%u: %u sub-buffers are damaged%s%s%s%s",
			 ring->owner->name, comm, ring->owner->pid, nr,
			 ring->owner->formats_whole ? "" : ", formats",
			 ring->owner->formats_missing ? ", formats are not in the file" : "",
			 ring->scan.nr_bad_ends ? ", ends" : "",
			 wrong ? ", with times of before it was opened or after it ended, or with more unfinished than can be" : "");
}

/*
 * A program cannot have written before it had its ring, nor after it; and no more writers interrupt
 * each other than there are levels.
 */
static bool can_be(const struct scanned_subbuf *sub, u64 first, u64 last)
{
	return sub->least >= first && sub->most <= last && sub->nr_torn + sub->nr_taken <= EPITAPH_LEVELS;
}

void recording_judge_times(struct recording *recording, struct recording_ring *ring)
{
	const struct recording_owner *owner = ring->owner;
	const struct clock *clock = &recording->clock;
	u64 slack = (u64)clock->khz * (clock->is_unstable ? WAY_DOWN_MS : SLACK_MS) + skew_most(clock->skew);
	u64 first = (owner->opened > slack ? owner->opened - slack : 0) >> clock->shift;
	u64 last = (owner->has_ended ? owner->ended + slack : last_moment(recording)) >> clock->shift;
	u32 i, wrong = 0;

	if (clock->began_anew) {
		first = 0;
		last = ~0ULL;
	}
	if (ring->scan.lost_last < ring->scan.lost_first)
		ring->scan.lost_last = ring->scan.lost_first;
	for (i = 0; i < ring->scan.nr_subs; i++) {
		struct scanned_subbuf *sub = &ring->scan.subs[i];

		if (sub->state != SUBBUF_GOOD || can_be(sub, first, last))
			continue;
		sub->state = SUBBUF_DAMAGED;
		ring->scan.nr_damaged++;
		ring->scan.nr_events -= sub->nr_events;
		ring->scan.nr_withheld += sub->nr_events;
		wrong++;
	}
	note_ring(ring, wrong);
}
