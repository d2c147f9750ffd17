// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/text.h"
#include "recording/clock_text.h"
#include "json_common.h"
#include "report.h"
#include "death.h"
#include "ftrace.h"

#define SCHEMA_VERSION	1

static void put_text_field(struct json *j, const char *key, const char *text, size_t size)
{
	json_text(j, key, text, strnlen(text, size));
}

static void put_clock(struct json *j, const struct recording *recording)
{
	json_open(j, "clock", '{');
	json_str(j, "name", text_clock(recording->clock.id));
	json_u64(j, "unit_ns", clock_units_ns(&recording->clock, 1));
	json_anchors(j, &recording->clock);
	json_close(j, '}');
}

/* What only our own recorder tells, and null where it did not record. */
static void put_recorder(struct json *j, const struct recording *recording)
{
	if (recording)
		put_text_field(j, "recorder", recording->generation->hdr.recorder,
			       sizeof(recording->generation->hdr.recorder));
	else
		json_null(j, "recorder");
}

/* Nobody knows yet. */
static void put_no_rings(struct json *j)
{
	static const char *const keys[] = {
		"events", "unfinished", "lost", "damaged_sub_buffers", "withheld", "damage_notes",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		json_null(j, keys[i]);
	json_bool(j, "live", true);
}

static void put_rings(struct json *j, const struct postmortem *pm)
{
	static const struct recording_total nothing;
	const struct recording_total *total = pm->recording ? &pm->recording->total : &nothing;

	json_u64(j, "events", pm->total.events);
	json_u64(j, "unfinished", total->torn);
	json_u64(j, "lost", pm_lost(pm));
	json_u64(j, "damaged_sub_buffers", total->damaged);
	json_u64(j, "withheld", total->withheld);
	json_u64(j, "damage_notes", pm_damage(pm));
}

static void put_generation(struct json *j, const struct recording *recording)
{
	json_u64(j, "generation", recording->generation->hdr.number);
	json_u64(j, "log_lines", recording->klog.nr);
	json_bool(j, "log_is_cut", recording->klog.is_cut);
}

/* @death: NULL: it lives. */
static void put_head(struct json *j, const struct postmortem *pm, const struct death *death)
{
	const struct postmortem_origin *origin = &pm->origin;
	const struct recording *recording = pm->recording;
	char boot_id[40];

	text_uuid(boot_id, sizeof(boot_id), origin->boot_id);
	json_open(j, NULL, '{');
	json_str(j, "schema", "epitaph-events");
	json_u64(j, "version", SCHEMA_VERSION);
	json_str(j, "kernel", origin->release);
	json_str(j, "kernel_version", origin->version);
	json_str(j, "machine", origin->machine ? text_machine(origin->machine) : NULL);
	json_str(j, "boot_id", origin->has_boot_id ? boot_id : NULL);
	put_recorder(j, recording);
	json_u64(j, "cpus", origin->nr_cpus);
	if (recording)
		put_clock(j, recording);
	else
		json_null(j, "clock");
	json_account_end(j, &pm->end);
	if (death) {
		print_death_json(j, pm, death);
		put_rings(j, pm);
	} else {
		put_no_rings(j);
	}
	if (recording)
		put_generation(j, recording);
	if (pm->ftrace)
		print_ftrace_json(j, pm);
	if (pm->isolated_buffer)
		json_str(j, "own_clock", pm->isolated_buffer->clock.name);
	json_close(j, '}');
	json_end(j);
}

/* What was damaged or cut off has no certain time of its own, but the best known. */
static void put_times(struct json *j, const struct postmortem *pm, const struct item *item)
{
	u64 real = pm_real(pm, item);

	json_u64(j, "ts_ns", item->time);
	if (real)
		json_u64(j, "wall_ns", real);
	else
		json_null(j, "wall_ns");
	if (pm->end.how == OUTCOME_CRASHED)
		json_s64(j, "before_crash_ns", (s64)(pm->end.time - item->time));
	else
		json_null(j, "before_crash_ns");
}

static void put_what(struct json *j, const struct item *item)
{
	if (!item_happened(item)) {
		json_null(j, "event");
		json_null(j, "pid");
		json_null(j, "comm");
		json_null(j, "fields");
		return;
	}
	json_str(j, "event", item_name(item));
	if (item->pid >= 0)
		json_s64(j, "pid", item->pid);
	else
		json_null(j, "pid");
	json_str(j, "comm", item->comm);
	render_fields(j, "fields", item);
}

static void put_marks(struct json *j, const struct item *item)
{
	json_open(j, "marks", '[');
	if (item->marks & ITEM_UNCERTAIN)
		json_str(j, NULL, "uncertain-order");
	if ((item->marks & ITEM_IN_DAMAGED) || item->kind == ITEM_DAMAGED)
		json_str(j, NULL, "damaged");
	if ((item->marks & ITEM_UNPROVEN) || item->kind == ITEM_TORN)
		json_str(j, NULL, "uncommitted");
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

static void put_entry(struct json *j, const struct postmortem *pm,
		      const struct item *item)
{
	json_open(j, NULL, '{');
	put_times(j, pm, item);
	if (item->cpu == NO_CPU)
		json_null(j, "cpu");
	else
		json_u64(j, "cpu", item->cpu);
	json_str(j, "channel", item->stream ? item->stream->channel : NULL);
	put_what(j, item);
	put_marks(j, item);
	json_close(j, '}');
	json_end(j);
}

static int run(struct json *j, struct postmortem *pm, const struct window *window,
	       struct err *err)
{
	struct window_walk walk = window_walk(window);
	enum window_step step = WINDOW_PASS;
	const struct item *item;
	struct timeline *tl;
	int ret = timeline_open(&tl, pm, window->from, window->damaged, err);

	if (ret)
		return ret;
	while (step != WINDOW_STOP && (item = timeline_next(tl))) {
		step = window_step(&walk, item);
		if (step == WINDOW_SHOW)
			put_entry(j, pm, item);
	}
	timeline_close(tl);
	return 0;
}

int print_json(FILE *f, struct postmortem *pm, const struct window *window,
	       struct err *err)
{
	struct json j = { .f = f };
	struct death death;
	int ret = death_read(&death, pm, err);

	if (!ret)
		put_head(&j, pm, &death);
	death_free(&death);
	if (ret)
		return ret;
	return run(&j, pm, window, err);
}

void print_json_live(FILE *f, const struct postmortem *pm)
{
	struct json j = { .f = f };

	put_head(&j, pm, NULL);
}

void print_json_entry(FILE *f, const struct postmortem *pm, const struct item *item)
{
	struct json j = { .f = f };

	put_entry(&j, pm, item);
}
