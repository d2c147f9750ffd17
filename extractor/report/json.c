// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/text.h"
#include "recording/clock_text.h"
#include "json_common.h"
#include "report.h"
#include "branches.h"
#include "death.h"
#include "device_names.h"
#include "ftrace.h"
#include "item_walk.h"

#define SCHEMA_VERSION	1

void json_field(struct json *j, const char *key, const char *text, size_t size)
{
	json_text(j, key, text, strnlen(text, size));
}

void json_known(struct json *j, const char *key, u64 value, bool is_known)
{
	if (is_known)
		json_u64(j, key, value);
	else
		json_null(j, key);
}

void json_end_of_kernel(struct json *j, const struct postmortem_end *end)
{
	bool is_dated = end->how == OUTCOME_UNKNOWN && end->real_ns;

	if (end->how != OUTCOME_CRASHED && !is_dated)
		return json_null(j, "crash");
	json_open(j, "crash", '{');
	json_known(j, "ts_ns", end->time, !is_dated);
	json_known(j, "wall_ns", end->real_ns, end->real_ns);
	json_known(j, "cpu", end->cpu, end->cpu != NO_CPU);
	json_known(j, "pid", end->pid, end->pid >= 0);
	json_str(j, "comm", end->pid < 0 ? NULL : end->comm);
	json_str(j, "reason", end->reason);
	json_close(j, '}');
}

void json_anchors(struct json *j, const struct clock *clock)
{
	json_u64(j, "anchors", clock->from_header ? 0 : clock->nr);
	json_known(j, "bound_ns", clock->bound_ns, !clock->from_header);
	if (clock->is_unstable)
		json_u64(j, "unstable_ns", clock->unstable_ns);
}

void json_skew(struct json *j, const struct clock *clock)
{
	const struct skew *skew = clock->skew;
	u32 i;

	if (!skew)
		return;
	json_known(j, "skew_reference", skew->reference, skew->nr);
	json_open(j, "skew", '[');
	for (i = 0; i < skew->nr; i++) {
		const struct skew_entry *e = &skew->entries[i];

		json_open(j, NULL, '{');
		json_u64(j, "cpu", e->cpu);
		json_u64(j, "ts_ns", clock_mono(clock, e->clock));
		json_s64(j, "offset_ns", clock_offset_ns(clock, e->offset));
		json_u64(j, "bound_ns", clock_ticks_ns(clock, e->bound));
		json_close(j, '}');
	}
	json_close(j, ']');
}

void json_container_damage(struct json *j, struct dump *dump)
{
	const char *damage;
	size_t i;

	json_open(j, "container_damage", '[');
	for (i = 0; (damage = dump_damage(dump, i)); i++)
		json_str(j, NULL, damage);
	json_close(j, ']');
}

/* Counters of the rings; null while the kernel records, as nothing is counted yet, and if not all was read. */
static void json_counters(struct json *j, const struct postmortem *pm, bool is_live)
{
	static const struct recording_total nothing;
	const struct recording_total *total = pm->recording ? &pm->recording->total : &nothing;

	bool is_known = !is_live && !total->not_read;

	json_known(j, "events", pm->total.events, is_known);
	json_known(j, "unfinished", total->torn, is_known);
	json_known(j, "lost", pm_lost(pm), is_known);
	json_known(j, "damaged_sub_buffers", total->damaged, is_known);
	json_known(j, "repaired_sub_buffers", total->repaired, is_known);
	json_known(j, "withheld", total->withheld, is_known);
	json_known(j, "damage_notes", pm_damage(pm), is_known);
	if (total->not_read)
		json_u64(j, "bytes_not_read", total->not_read);
	if (is_live)
		json_bool(j, "live", true);
}

void json_head_members(struct json *j, const struct postmortem *pm, const struct death *death)
{
	const struct postmortem_origin *origin = &pm->origin;
	const struct recording *recording = pm->recording;
	char boot_id[40];

	text_uuid(boot_id, sizeof(boot_id), origin->boot_id);
	json_str(j, "schema", "epitaph-events");
	json_u64(j, "version", SCHEMA_VERSION);
	json_str(j, "kernel", origin->release);
	json_str(j, "kernel_version", origin->version);
	json_str(j, "machine", origin->machine ? text_machine(origin->machine) : NULL);
	json_str(j, "boot_id", origin->has_boot_id ? boot_id : NULL);
	if (recording)
		json_field(j, "recorder", recording->generation->hdr.recorder,
			   sizeof(recording->generation->hdr.recorder));
	else
		json_null(j, "recorder");
	json_u64(j, "cpus", origin->nr_cpus);
	if (recording) {
		json_open(j, "clock", '{');
		json_str(j, "name", text_clock(recording->clock.id));
		json_u64(j, "unit_ns", clock_units_ns(&recording->clock, 1));
		json_anchors(j, &recording->clock);
		json_skew(j, &recording->clock);
		json_close(j, '}');
	} else {
		json_null(j, "clock");
	}
	json_end_of_kernel(j, &pm->end);
	if (death)
		print_death_json(j, pm, death);
	json_counters(j, pm, !death);
	if (recording) {
		json_u64(j, "generation", recording->generation->hdr.number);
		json_u64(j, "log_lines", recording->klog.nr);
		json_bool(j, "log_is_cut", recording->klog.is_cut);
		if (death)
			print_branches_json(j, pm);
	}
	if (pm->ftrace)
		print_ftrace_json(j, pm);
	if (pm->isolated_buffer)
		json_str(j, "own_clock", pm->isolated_buffer->clock.name);
}

static void json_head(struct json *j, const struct postmortem *pm, const struct death *death)
{
	json_open(j, NULL, '{');
	json_head_members(j, pm, death);
	json_close(j, '}');
	json_end(j);
}

static void json_item_marks(struct json *j, const struct item *item)
{
	json_open(j, "marks", '[');
	if (item->marks & ITEM_UNCERTAIN)
		json_str(j, NULL, "uncertain-order");
	if ((item->marks & ITEM_IN_DAMAGED) || item->kind == ITEM_DAMAGED)
		json_str(j, NULL, "damaged");
	if ((item->marks & ITEM_UNPROVEN) || item->kind == ITEM_TORN)
		json_str(j, NULL, "uncommitted");
	if (item->marks & ITEM_REPAIRED)
		json_str(j, NULL, "repaired");
	if (item->marks & ITEM_LOST_BEFORE)
		json_str(j, NULL, "lost-before");
	if (item->marks & ITEM_LATE)
		json_str(j, NULL, "late");
	if (item->marks & ITEM_LAPPED)
		json_str(j, NULL, "lapped");
	json_close(j, ']');
	if (item->marks & ITEM_LAPPED)
		json_u64(j, "lapped_sub_buffers", item->nr_lapped);
	if (!(item->marks & ITEM_LOST_BEFORE))
		return;
	if (item->marks & ITEM_LOST_COUNTED)
		json_u64(j, "lost", item->nr_lost);
	else
		json_null(j, "lost");
}

void json_item_members(struct json *j, const struct postmortem *pm, const struct postmortem *own,
		       const struct item *item, u64 real)
{
	bool happened = item_happened(item);

	json_u64(j, "ts_ns", item->time);
	json_known(j, "wall_ns", real, real);
	if (pm->end.how == OUTCOME_CRASHED)
		json_s64(j, "before_crash_ns", (s64)(pm->end.time - item->time));
	else
		json_null(j, "before_crash_ns");
	json_known(j, "cpu", item->cpu, item->cpu != NO_CPU);
	json_str(j, "channel", item->stream ? item->stream->channel : NULL);
	json_str(j, "event", happened ? item_name(item) : NULL);
	json_known(j, "pid", item->pid, happened && item->pid >= 0);
	json_str(j, "comm", happened ? item->comm : NULL);
	if (item->stream && item->stream->program) {
		json_str(j, "program", item->stream->program);
		json_u64(j, "tgid", item->stream->tgid);
	}
	if (happened)
		render_fields(j, "fields", item);
	else
		json_null(j, "fields");
	if (happened)
		device_names_json(j, own, item);
	json_item_marks(j, item);
}

void print_json_item(FILE *f, const struct postmortem *pm, const struct item *item)
{
	struct json j = { .f = f };

	if (item->kind == ITEM_MARK || item->kind == ITEM_CRASH)
		return;
	json_open(&j, NULL, '{');
	json_item_members(&j, pm, pm, item, pm_real(pm, item));
	json_close(&j, '}');
	json_end(&j);
}

struct json_lines {
	FILE *f;
	const struct postmortem *pm;
};

static void print_json_line(void *priv, const struct item *item)
{
	struct json_lines *lines = priv;

	print_json_item(lines->f, lines->pm, item);
}

int print_json(FILE *f, struct postmortem *pm, const struct window *window,
	       struct err *err)
{
	const struct item_printer printer = { f, print_json_line, NULL, &(struct json_lines){ f, pm } };
	struct json j = { .f = f };
	struct death death;
	int ret = death_read(&death, pm, err);

	if (!ret)
		json_head(&j, pm, &death);
	death_free(&death);
	return ret ? ret : item_walk(pm, window, &printer, err);
}

void print_json_live(FILE *f, const struct postmortem *pm)
{
	struct json j = { .f = f };

	json_head(&j, pm, NULL);
}
