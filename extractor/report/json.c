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

static void put_clock(struct json *j, const struct trace *trace)
{
	json_open(j, "clock", '{');
	json_str(j, "name", text_clock(trace->clock.id));
	json_u64(j, "unit_ns", clock_units_ns(&trace->clock, 1));
	json_anchors(j, &trace->clock);
	json_close(j, '}');
}

/* What only our own recorder tells, and null where it did not record. */
static void put_recorder(struct json *j, const struct trace *trace)
{
	if (trace)
		put_text_field(j, "recorder", trace->region->hdr.recorder,
			       sizeof(trace->region->hdr.recorder));
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

static void put_rings(struct json *j, const struct account *account)
{
	static const struct trace_total nothing;
	const struct trace_total *total = account->trace ? &account->trace->total : &nothing;

	json_u64(j, "events", account->total.events);
	json_u64(j, "unfinished", total->torn);
	json_u64(j, "lost", account_lost(account));
	json_u64(j, "damaged_sub_buffers", total->damaged);
	json_u64(j, "withheld", total->withheld);
	json_u64(j, "damage_notes", account_damage(account));
}

static void put_generation(struct json *j, const struct trace *trace)
{
	json_u64(j, "generation", trace->region->hdr.number);
	json_u64(j, "log_lines", trace->klog.nr);
	json_bool(j, "log_is_cut", trace->klog.is_cut);
}

/* @death: NULL: it lives. */
static void put_head(struct json *j, const struct account *account, const struct death *death)
{
	const struct account_origin *origin = &account->origin;
	const struct trace *trace = account->trace;
	char boot_id[40];

	text_uuid(boot_id, sizeof(boot_id), origin->boot_id);
	json_open(j, NULL, '{');
	json_str(j, "schema", "epitaph-events");
	json_u64(j, "version", SCHEMA_VERSION);
	json_str(j, "kernel", origin->release);
	json_str(j, "kernel_version", origin->version);
	json_str(j, "machine", origin->machine ? text_machine(origin->machine) : NULL);
	json_str(j, "boot_id", origin->has_boot_id ? boot_id : NULL);
	put_recorder(j, trace);
	json_u64(j, "cpus", origin->nr_cpus);
	if (trace)
		put_clock(j, trace);
	else
		json_null(j, "clock");
	json_account_end(j, &account->end);
	if (death) {
		print_death_json(j, account, death);
		put_rings(j, account);
	} else {
		put_no_rings(j);
	}
	if (trace)
		put_generation(j, trace);
	if (account->ftrace)
		print_ftrace_json(j, account);
	if (account->own)
		json_str(j, "own_clock", account->own->clock.name);
	json_close(j, '}');
	json_end(j);
}

/* What was damaged or cut off has no certain time of its own, but the best known. */
static void put_times(struct json *j, const struct account *account, const struct entry *entry)
{
	u64 real = account_real(account, entry);

	json_u64(j, "ts_ns", entry->time);
	if (real)
		json_u64(j, "wall_ns", real);
	else
		json_null(j, "wall_ns");
	if (account->end.how == FATE_CRASHED)
		json_s64(j, "before_crash_ns", (s64)(account->end.time - entry->time));
	else
		json_null(j, "before_crash_ns");
}

static void put_what(struct json *j, const struct entry *entry)
{
	if (!entry_happened(entry)) {
		json_null(j, "event");
		json_null(j, "pid");
		json_null(j, "comm");
		json_null(j, "fields");
		return;
	}
	json_str(j, "event", entry_name(entry));
	if (entry->pid >= 0)
		json_s64(j, "pid", entry->pid);
	else
		json_null(j, "pid");
	json_str(j, "comm", entry->comm);
	render_fields(j, "fields", entry);
}

static void put_marks(struct json *j, const struct entry *entry)
{
	json_open(j, "marks", '[');
	if (entry->marks & ENTRY_UNCERTAIN)
		json_str(j, NULL, "uncertain-order");
	if ((entry->marks & ENTRY_IN_DAMAGED) || entry->kind == ENTRY_DAMAGED)
		json_str(j, NULL, "damaged");
	if ((entry->marks & ENTRY_UNPROVEN) || entry->kind == ENTRY_TORN)
		json_str(j, NULL, "uncommitted");
	if (entry->marks & ENTRY_LOST_BEFORE)
		json_str(j, NULL, "lost-before");
	if (entry->marks & ENTRY_LATE)
		json_str(j, NULL, "late");
	if (entry->marks & ENTRY_LAPPED)
		json_str(j, NULL, "lapped");
	json_close(j, ']');
	if (entry->marks & ENTRY_LAPPED)
		json_u64(j, "lapped_sub_buffers", entry->nr_lapped);
	if (!(entry->marks & ENTRY_LOST_BEFORE))
		return;
	if (entry->marks & ENTRY_LOST_COUNTED)
		json_u64(j, "lost", entry->nr_lost);
	else
		json_null(j, "lost");
}

static void put_entry(struct json *j, const struct account *account,
		      const struct entry *entry)
{
	json_open(j, NULL, '{');
	put_times(j, account, entry);
	if (entry->cpu == NO_CPU)
		json_null(j, "cpu");
	else
		json_u64(j, "cpu", entry->cpu);
	json_str(j, "channel", entry->stream ? entry->stream->channel : NULL);
	put_what(j, entry);
	put_marks(j, entry);
	json_close(j, '}');
	json_end(j);
}

static int run(struct json *j, struct account *account, const struct window *window,
	       struct err *err)
{
	struct window_walk walk = window_walk(window);
	enum window_step step = WINDOW_PASS;
	const struct entry *entry;
	struct timeline *tl;
	int ret = timeline_open(&tl, account, window->from, window->damaged, err);

	if (ret)
		return ret;
	while (step != WINDOW_STOP && (entry = timeline_next(tl))) {
		step = window_step(&walk, entry);
		if (step == WINDOW_SHOW)
			put_entry(j, account, entry);
	}
	timeline_close(tl);
	return 0;
}

int print_json(FILE *f, struct account *account, const struct window *window,
	       struct err *err)
{
	struct json j = { .f = f };
	struct death death;
	int ret = death_read(&death, account, err);

	if (!ret)
		put_head(&j, account, &death);
	death_free(&death);
	if (ret)
		return ret;
	return run(&j, account, window, err);
}

void print_json_live(FILE *f, const struct account *account)
{
	struct json j = { .f = f };

	put_head(&j, account, NULL);
}

void print_json_entry(FILE *f, const struct account *account, const struct entry *entry)
{
	struct json j = { .f = f };

	put_entry(&j, account, entry);
}
