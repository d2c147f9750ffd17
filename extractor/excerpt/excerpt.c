// SPDX-License-Identifier: GPL-2.0-or-later
#include "excerpt_impl.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "dump/callback.h"

#define EMPTY_IDS	EPITAPH_ID_FIRST	/* entries of a table of events that has none */

/* --- its memory ------------------------------------------------------------- */

/* Where @off is in no part, it is the recorder's; a part begins at a page. */
static int read_excerpt(void *arg, uint64_t off, void *buf, size_t size)
{
	const struct excerpt *excerpt = arg;
	const struct recording *recording = excerpt->pm->recording;

	for (u32 i = 0; i < excerpt->nr_parts; i++) {
		const struct excerpt_part *part = &excerpt->parts[i];
		u64 there;

		if (off < part->off || off - part->off >= part->size)
			continue;
		there = part->size - (off - part->off);
		memset(buf, 0, size);
		memcpy(buf, part->bytes + (off - part->off), size < there ? size : there);
		return 1;
	}
	return recording && generation_read(recording->generation, off, buf, size, NULL) == (ssize_t)size;
}

static u64 page_end(u64 off)
{
	return (off + EPITAPH_PAGE - 1) / EPITAPH_PAGE * EPITAPH_PAGE;
}

/* --- its sections ----------------------------------------------------------- */

/* The entry of @type, or a new one. */
static struct section *own_section(struct excerpt *excerpt, u32 type)
{
	struct generation *generation = &excerpt->generation;

	for (u32 i = 0; i < generation->nr_sections; i++)
		if (generation->sections[i].type == type)
			return &generation->sections[i];
	return &generation->sections[generation->nr_sections++];
}

int excerpt_put(struct excerpt *excerpt, u32 type, u32 unit, u8 *bytes, u64 size, struct err *err)
{
	struct epitaph_header *hdr = &excerpt->generation.hdr;
	struct section *sec;

	if (excerpt->nr_parts == EXCERPT_MAX_PARTS || hdr->gen_size + size > GENERATION_MAX_SIZE) {
		free(bytes);
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "an excerpt of %llu bytes is not possible",
			       hdr->gen_size + size);
	}
	sec = own_section(excerpt, type);
	*sec = (struct section){
		.type = type, .cpu = EPITAPH_NO_CPU, .unit = unit, .off = hdr->copy_off, .size = size,
		.from_dump = true,
	};
	excerpt->parts[excerpt->nr_parts++] = (struct excerpt_part){ hdr->copy_off, size, bytes };
	hdr->copy_off = page_end(hdr->copy_off + size);
	hdr->gen_size = hdr->copy_off + hdr->table_size;
	hdr->region_size = hdr->gen_size;
	return 0;
}

/* The recorder's, but for the parity: it is that of other bytes. */
static int take_recorded_sections(struct excerpt *excerpt, struct err *err)
{
	const struct recording *recording = excerpt->pm->recording;
	u32 nr = recording ? recording->generation->nr_sections : 0, room;
	struct generation *generation = &excerpt->generation;

	generation->sections = calloc(nr + EXCERPT_MAX_PARTS, sizeof(*generation->sections));
	if (!generation->sections)
		return err_sys(err, "memory for %u sections", nr);
	for (u32 i = 0; i < nr; i++)
		if (recording->generation->sections[i].type != EPITAPH_SEC_PARITY)
			generation->sections[generation->nr_sections++] = recording->generation->sections[i];
	/* The table of the copy has room for these and for what comes. */
	room = sizeof(struct epitaph_header) +
	       (generation->nr_sections + EXCERPT_MAX_PARTS) * sizeof(struct epitaph_section);
	if (!recording)
		generation->hdr.table_size = page_end(room);
	return 0;
}

/* --- without a recorder ------------------------------------------------------ */

static void make_header(struct excerpt *excerpt)
{
	const struct postmortem *pm = excerpt->pm;
	struct epitaph_header *hdr = &excerpt->generation.hdr;
	u64 real_start = pm->end.real_ns > pm->end.time ? pm->end.real_ns - pm->end.time : 0;

	*hdr = (struct epitaph_header){
		.major = EPITAPH_MAJOR, .minor = EPITAPH_MINOR, .header_size = sizeof(*hdr), .nr_gens = 1,
		.section_size = sizeof(struct epitaph_section), .machine = pm->origin.machine,
		.byte_order = dump_byte_order(pm->dump) == ORDER_BIG ? EPITAPH_BIG_ENDIAN : EPITAPH_LITTLE_ENDIAN,
		.long_size = 8, .page_shift = 12, .clock_id = EPITAPH_CLOCK_LOCAL, .clock_khz = 1000000,
		.nr_cpus = pm->kernel->nr_cpu_ids ? pm->kernel->nr_cpu_ids : 1,
		.salt = mix(pm->end.real_ns, pm->end.time) | 1, .start_real_ns = real_start, .number = 1,
		.kaslr_offset = pm->kernel->kaslr,
	};
	memcpy(hdr->release, pm->origin.release, sizeof(hdr->release));
	memcpy(hdr->version, pm->origin.version, sizeof(hdr->version));
	if (pm->origin.build_id_size <= sizeof(hdr->build_id)) {
		hdr->build_id_size = pm->origin.build_id_size;
		memcpy(hdr->build_id, pm->origin.build_id, pm->origin.build_id_size);
	}
}

static int put_copy(struct excerpt *excerpt, u32 type, const void *entry, size_t size, struct err *err)
{
	u8 *bytes = malloc(size);

	if (!bytes)
		return err_sys(err, "memory for an excerpt");
	memcpy(bytes, entry, size);
	return excerpt_put(excerpt, type, size, bytes, size, err);
}

/* The clock of its events would count ns of CLOCK_MONOTONIC. */
static int put_clock(struct excerpt *excerpt, struct err *err)
{
	const struct postmortem_end *end = &excerpt->pm->end;
	struct epitaph_anchor anchor = {
		.clock = htole64(end->time), .mono_ns = htole64(end->time),
		.real_ns = htole64(end->real_ns), .boot_ns = htole64(end->time), .seq = htole64(1),
	};

	anchor.check = htole64(checksum(excerpt->generation.hdr.salt, &anchor, sizeof(anchor) - 8));
	return put_copy(excerpt, EPITAPH_SEC_CLOCK, &anchor, sizeof(anchor), err);
}

static int put_crash(struct excerpt *excerpt, struct err *err)
{
	const struct postmortem_end *end = &excerpt->pm->end;
	const struct recording *recording = excerpt->pm->recording;
	struct epitaph_crash crash = {
		.clock = htole64(recording ? clock_of_mono(&recording->clock, end->time) : end->time),
		.mono_ns = htole64(end->time),
		.real_ns = htole64(end->real_ns), .cpu = htole32(end->cpu),
		.pid = htole32(end->pid < 0 ? RECORDING_NO_PID : end->pid),
	};

	/* A recorder that lives to stamp the crash knows better. */
	if (end->how != OUTCOME_CRASHED || (recording && recording->crash.known))
		return 0;
	memcpy(crash.comm, end->comm, sizeof(crash.comm));
	memcpy(crash.reason, end->reason, strnlen(end->reason, sizeof(crash.reason)));
	crash.check = htole64(checksum(excerpt->generation.hdr.salt, &crash, sizeof(crash) - 8));
	return put_copy(excerpt, EPITAPH_SEC_CRASH, &crash, sizeof(crash), err);
}

/* It has no events, and so no kinds of them: that is no damage. */
static int put_no_events(struct excerpt *excerpt, struct err *err)
{
	u64 size = EMPTY_IDS * sizeof(struct epitaph_event_size);
	u8 *bytes = calloc(1, size);

	if (!bytes)
		return err_sys(err, "memory for an excerpt");
	return excerpt_put(excerpt, EPITAPH_SEC_EVENTS, sizeof(struct epitaph_event_size), bytes, size, err);
}

/* --- the whole ---------------------------------------------------------------- */

static int make_generation(struct excerpt *excerpt, struct err *err)
{
	const struct recording *recording = excerpt->pm->recording;
	struct generation *generation = &excerpt->generation;
	int ret;

	if (recording)
		generation->hdr = recording->generation->hdr;
	else
		make_header(excerpt);
	ret = take_recorded_sections(excerpt, err);
	if (!recording) {
		generation->hdr.copy_off = generation->hdr.table_size;
		if (!ret)
			ret = put_clock(excerpt, err);
		if (!ret)
			ret = put_no_events(excerpt, err);
	}
	if (!ret)
		ret = put_crash(excerpt, err);
	if (!ret)
		ret = excerpt_put_log(excerpt, err);
	if (!ret)
		ret = excerpt_put_cpus(excerpt, err);
	return ret;
}

static int open_excerpt(struct excerpt *excerpt, struct err *err)
{
	int ret = pm_scan(excerpt->pm, err);

	if (!ret)
		ret = make_generation(excerpt, err);
	if (ret)
		return ret;
	excerpt->segment.size = excerpt->generation.hdr.gen_size;
	excerpt->memory = (struct epitaph_memory_reader){
		.name = "excerpt", .kind = "excerpt of a vmcore", .segments = &excerpt->segment,
		.nr_segments = 1, .read = read_excerpt, .arg = excerpt,
	};
	ret = dump_open_callback(&excerpt->dump, &excerpt->memory, err);
	if (ret)
		return ret;
	excerpt->generation.in = excerpt->dump;
	return recording_open(&excerpt->recording, &excerpt->generation, err);
}

int excerpt_open(struct excerpt **ret, struct postmortem *pm, struct err *err)
{
	struct excerpt *excerpt = calloc(1, sizeof(*excerpt));
	int res;

	if (!excerpt)
		return err_sys(err, "memory for an excerpt");
	excerpt->pm = pm;
	pm->sources &= ~(u32)POSTMORTEM_FTRACE;
	res = open_excerpt(excerpt, err);
	if (res)
		excerpt_close(excerpt);
	else
		*ret = excerpt;
	return res;
}

void excerpt_close(struct excerpt *excerpt)
{
	if (!excerpt)
		return;
	recording_close(excerpt->recording);
	dump_close(excerpt->dump);
	free(excerpt->generation.sections);
	damage_notes_free(&excerpt->generation.notes);
	for (u32 i = 0; i < excerpt->nr_parts; i++)
		free(excerpt->parts[i].bytes);
	free(excerpt);
}
