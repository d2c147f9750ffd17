// SPDX-License-Identifier: GPL-2.0-or-later
#include "redact_impl.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"

void redact_put(struct redaction *r, u64 off, const void *data, size_t size)
{
	const u8 *p = data;

	while (size && !r->failed && !r->preview) {
		ssize_t n = pwrite(r->fd, p, size, off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			r->failed = n < 0 ? errno : ENOSPC;
			return;
		}
		p += n;
		off += n;
		size -= n;
	}
}

void redact_put_checked(struct redaction *r, u64 off, void *entry, size_t size)
{
	u64 check = htole64(checksum(r->salt, entry, size - 8));

	memcpy((u8 *)entry + size - 8, &check, sizeof(check));
	redact_put(r, off, entry, size);
}

static void redact_event_sizes(struct redaction *r, const struct section *sec)
{
	const struct ids *ids = &r->recording->ids;
	struct epitaph_event_size e;
	u64 i, n = section_entries(sec, sizeof(e));

	for (i = EPITAPH_ID_FIRST; i < n && i < IDS_MAX && !r->failed; i++) {
		if (ids->state[i] != ID_KNOWN)
			continue;
		e = (struct epitaph_event_size){ htole16(i), htole16(ids->words[i]), 0 };
		e.check = htole32((u32)checksum(r->salt, &e, 4));
		redact_put(r, sec->off + i * sec->unit, &e, sizeof(e));
	}
}

static void redact_counters(struct redaction *r, const struct section *sec)
{
	struct epitaph_counters c, out;
	u64 i, n = section_entries(sec, sizeof(c));

	for (i = 0; i < n && !r->failed; i++) {
		if (generation_read(r->recording->generation, sec->off + i * sec->unit, &c, sizeof(c), NULL) !=
		    sizeof(c)) {
			r->count->dropped++;
			continue;
		}
		out = (struct epitaph_counters){ 0 };
		if (c.too_large == ~c.too_large_not) {
			out.too_large = c.too_large;
			out.too_large_not = c.too_large_not;
		}
		if (c.too_deep == ~c.too_deep_not) {
			out.too_deep = c.too_deep;
			out.too_deep_not = c.too_deep_not;
		}
		if (c.refused == ~c.refused_not) {
			out.refused = c.refused;
			out.refused_not = c.refused_not;
		}
		if (c.full == ~c.full_not) {
			out.full = c.full;
			out.full_not = c.full_not;
		}
		redact_put(r, sec->off + i * sec->unit, &out, sizeof(out));
	}
}

/* Bytes of the pool that belong to no channel are left out. */
static void redact_pool(struct redaction *r)
{
	const struct recording *recording = r->recording;
	u32 i;

	for (i = 0; i < recording->nr_added; i++)
		redact_ring(r, &recording->added[i]);
	for (i = 0; i < recording->nr_channels; i++) {
		const struct recording_channel *channel = &recording->channels[i];
		struct section counters = {
			.off = channel->counters, .unit = sizeof(struct epitaph_counters),
			.size = channel->nr_rings * sizeof(struct epitaph_counters),
		};

		if (channel->counters)
			redact_counters(r, &counters);
	}
}

/* False: a section of unknown type. */
static bool redact_section(struct redaction *r, const struct section *sec)
{
	switch (sec->type) {
	case EPITAPH_SEC_EVENTS:
		redact_event_sizes(r, sec);
		return true;
	case EPITAPH_SEC_COUNTERS:
		redact_counters(r, sec);
		return true;
	case EPITAPH_SEC_RING:
		redact_ring(r, sec);
		return true;
	case EPITAPH_SEC_POOL:
		redact_pool(r);
		return true;
	case EPITAPH_SEC_LOG:
		redact_log(r, sec);
		return true;
	case EPITAPH_SEC_RECORDS:
		redact_records(r, sec);
		return true;
	case EPITAPH_SEC_FORMATS:
		redact_formats(r, sec);
		return true;
	case EPITAPH_SEC_PARITY:
		/* It would bring back what was taken out. */
		return true;
	case EPITAPH_SEC_MEMORY:
		/* What is in it, nothing says. */
		return true;
	}
	if (redact_entries(r, sec))
		return true;
	r->count->dropped++;
	return false;
}

/* What a profile keeps of the kernel's version and place; without one, its number alone stays. */
static void put_header_of_profile(struct redaction *r, struct epitaph_header *h)
{
	const struct epitaph_header *old = &r->recording->generation->hdr;

	if (redact_fate(r, CLASS_BUILD) == FATE_KEEP) {
		memcpy(h->release, old->release, sizeof(h->release));
		memcpy(h->version, old->version, sizeof(h->version));
		memcpy(h->build_id, old->build_id, sizeof(h->build_id));
		h->build_id_size = old->build_id_size;
	}
	if (redact_fate(r, CLASS_ADDRESS) == FATE_KEEP) {
		h->phys_addr = htole64(old->phys_addr);
		h->kaslr_offset = htole64(old->kaslr_offset);
	}
	if (r->preview) {
		preview_text(r->preview, CLASS_BUILD, "header: release", old->release,
			     strnlen(old->release, sizeof(old->release)), h->release,
			     strnlen(h->release, sizeof(h->release)));
		preview_text(r->preview, CLASS_BUILD, "header: version", old->version,
			     strnlen(old->version, sizeof(old->version)), h->version,
			     strnlen(h->version, sizeof(h->version)));
	}
}

static struct epitaph_header redacted_header(struct redaction *r)
{
	const struct epitaph_header *old = &r->recording->generation->hdr;
	struct epitaph_header h = {
		.magic = htole64(~EPITAPH_MAGIC_INVERTED),
		.major = htole16(EPITAPH_MAJOR), .minor = htole16(EPITAPH_MINOR),
		.header_size = htole32(sizeof(h)), .nr_gens = htole32(1),
		.section_size = htole32(sizeof(struct epitaph_section)),
		.region_size = htole64(old->gen_size), .gen_size = htole64(old->gen_size),
		.copy_off = htole64(old->copy_off), .table_size = htole32(old->table_size),
		.machine = htole32(old->machine), .byte_order = old->byte_order,
		.long_size = old->long_size, .page_shift = old->page_shift,
		.clock_id = old->clock_id, .clock_shift = old->clock_shift,
		.nr_cpus = htole32(old->nr_cpus), .clock_khz = htole32(old->clock_khz),
		.incompat = htole64(old->incompat),
		.salt = htole64(r->salt), .start_clock = htole64(old->start_clock),
		.start_mono_ns = htole64(old->start_mono_ns),
		.start_real_ns = htole64(old->start_real_ns),
		.version = "(redacted)", .recorder = "epitaph redact",
		.number = htole64(old->number), .lost_number = htole64(old->lost_number),
		.lost_gens = htole32(old->lost_gens), .memory = htole32(old->memory),
	};
	char release[sizeof(old->release) + 1] = "";
	size_t n;

	/* "6.1.0" of "6.1.0-18-amd64": the version, without the name of a build. */
	memcpy(release, old->release, sizeof(old->release));
	n = strspn(release, "0123456789.");
	memcpy(h.release, release, n < sizeof(h.release) ? n : sizeof(h.release) - 1);
	if (generation_has_no_recorder(r->recording->generation))
		strcpy(h.recorder, "epitaph redact, of a vmcore");
	redact_bytes(r, CLASS_HOST, "header: boot id", h.boot_id, old->boot_id, sizeof(h.boot_id));
	if (r->profile)
		put_header_of_profile(r, &h);
	return h;
}

static void put_header_table(struct redaction *r, u8 *table, u32 size, u64 self)
{
	struct epitaph_header *h = (void *)table;

	h->self_off = htole64(self);
	h->check = 0;
	h->check = htole64(checksum(0, table, size));
	redact_put(r, self, table, size);
}

static bool section_overlaps(const struct section *sec, u64 off, u64 size)
{
	return sec->off < off + size && off < sec->off + sec->size;
}

/* Writes the sections first, so that an incomplete copy has no header. */
static int put_generation(struct redaction *r, struct err *err)
{
	const struct generation *generation = r->recording->generation;
	const struct epitaph_header *old = &generation->hdr;
	u32 size = old->table_size, i, k, n = 0;
	u8 *table = calloc(1, size);
	struct epitaph_header *h = (void *)table;

	if (!table)
		return err_sys(err, "no memory");
	*h = redacted_header(r);
	for (i = 0; i < generation->nr_sections && !r->failed; i++) {
		const struct section *sec = &generation->sections[i];
		u64 at = sizeof(*h) + n * sizeof(struct epitaph_section);
		struct epitaph_section raw = {
			.type = htole32(sec->type), .off = htole64(sec->off),
			.size = htole64(sec->size), .cpu = htole32(sec->cpu),
			.channel = htole32(sec->channel), .unit = htole32(sec->unit),
			.index = htole32(sec->index),
			.flags = htole32(sec->from_dump ? EPITAPH_SECTION_FROM_DUMP : 0),
		};

		/* Redacted bytes must not be read a second time as another section, or as a table. */
		for (k = 0; k < i; k++)
			if (section_overlaps(sec, generation->sections[k].off,
					     generation->sections[k].size))
				break;
		if (at + sizeof(raw) > size || k < i || section_overlaps(sec, 0, old->table_size) ||
		    section_overlaps(sec, old->copy_off, old->table_size)) {
			r->count->dropped++;
			continue;
		}
		if (!redact_section(r, sec))
			continue;
		memcpy(table + at, &raw, sizeof(raw));
		n++;
	}
	h->nr_sections = htole32(n);
	put_header_table(r, table, size, old->copy_off);
	put_header_table(r, table, size, 0);
	free(table);
	return 0;
}

/* What a profile needs besides the key. */
static int open_profile(struct redaction *r, const struct redact_policy *policy, struct err *err)
{
	r->profile = policy->profile;
	r->classes = policy->classes;
	r->events = field_classes_new();
	r->symbols = symbol_map_new(r->recording->symbols);
	r->preview = policy->preview ? preview_new() : NULL;
	if (!r->events || !r->symbols || (policy->preview && !r->preview))
		return err_sys(err, "no memory");
	return 0;
}

/* Rings of programs have formats of their own, which say nothing of what their fields are. */
static void leave_out_programs(struct redaction *r)
{
	char *left_out = r->count->left_out;
	u32 nr = r->recording->nr_owners, n = strlen(left_out);

	if (nr)
		snprintf(left_out + n, sizeof(r->count->left_out) - n, "%s%u ring%s of programs, which no copy has",
			 n ? ", and without " : "", nr, nr == 1 ? "" : "s");
}

int redact(struct redacted *count, struct recording *recording, const u8 key[PSEUDONYM_KEY],
	   const struct redact_policy *policy, int fd, struct err *err)
{
	struct redaction r = { .recording = recording, .count = count, .fd = fd };
	const struct section *tasks = generation_section(recording->generation, EPITAPH_SEC_TASKS);
	int ret = pseudonyms_new(&r.names, key,
				 section_entries(tasks, sizeof(struct epitaph_task)), err);

	if (ret)
		return ret;
	count->size = recording->generation->hdr.gen_size;
	count->events = count->dropped = 0;
	r.salt = pseudonym_number(r.names, recording->generation->hdr.salt | 1);
	if (policy && policy->profile)
		ret = open_profile(&r, policy, err);
	if (!ret && !r.preview && ftruncate(fd, count->size))
		ret = err_sys(err, "cannot make it %llu bytes long", count->size);
	if (!ret)
		ret = put_generation(&r, err);
	if (!ret && r.failed) {
		errno = r.failed;
		ret = err_sys(err, "cannot write");
	}
	leave_out_programs(&r);
	if (!ret && r.preview)
		preview_print(&r, policy);
	preview_free(r.preview);
	symbol_map_free(r.symbols);
	field_classes_free(r.events);
	pseudonyms_free(r.names);
	return ret;
}
