// SPDX-License-Identifier: GPL-2.0-or-later
/* What "epitaph info --json" says of a dump that has no region. */
#include "base/text.h"
#include "recording/mce_records.h"
#include "info.h"
#include "json_common.h"
#include "ftrace.h"

static void json_origin(struct json *j, const struct postmortem *pm, const char *path)
{
	const struct postmortem_origin *origin = &pm->origin;
	struct info_memory memory = info_memory(pm->dump);
	int level = dump_dump_level(pm->dump);

	json_str(j, "file", path);
	json_str(j, "container", dump_kind(pm->dump));
	json_u64(j, "memory_size", memory.all);
	json_u64(j, "memory_in_file", memory.there);
	if (level < 0)
		json_null(j, "dump_level");
	else
		json_u64(j, "dump_level", level);
	json_null(j, "region");
	json_str(j, "why_no_region", *pm->why_no_region ? pm->why_no_region : NULL);
	json_str(j, "kernel", *origin->release ? origin->release : NULL);
	json_str(j, "kernel_version", *origin->version ? origin->version : NULL);
	json_str(j, "machine", origin->machine ? text_machine(origin->machine) : NULL);
	json_bool(j, "big_endian", dump_byte_order(pm->dump) == ORDER_BIG);
	if (origin->nr_cpus)
		json_u64(j, "cpus", origin->nr_cpus);
	else
		json_null(j, "cpus");
	json_null(j, "boot_id");
	if (origin->build_id_size)
		json_hex(j, "build_id", origin->build_id, origin->build_id_size);
	else
		json_null(j, "build_id");
	if (pm->kernel)
		json_u64(j, "kaslr_offset", pm->kernel->kaslr);
	else
		json_null(j, "kaslr_offset");
}

static void json_clock(struct json *j, const struct timekeeping *clock)
{
	json_open(j, "clock", '{');
	json_bool(j, "known", clock->known);
	json_str(j, "name", clock->known ? clock->source : NULL);
	json_str(j, "why_not", *clock->why ? clock->why : NULL);
	json_close(j, '}');
}

static void json_log(struct json *j, const struct printk_ringbuffer *log)
{
	json_bool(j, "log_there", log->there);
	json_u64(j, "log_lines", log->nr);
	json_u64(j, "log_unfinished", log->nr_uncommitted);
	json_u64(j, "log_overwritten", log->nr_textless);
	json_u64(j, "log_damaged", log->nr_damaged);
}

/* Without a kernel, all of it is as of one that tells nothing. */
static void json_kernel(struct json *j, const struct postmortem *pm)
{
	static const struct kernel none;
	const struct kernel *kernel = pm->kernel ? pm->kernel : &none;

	json_clock(j, &kernel->clock);
	json_u64(j, "symbols", kernel->kallsyms ? kallsyms_nr(kernel->kallsyms) : 0);
	json_bool(j, "types", kernel->ktypes);
	json_u64(j, "modules", kernel->modules ? kernel->modules->nr : 0);
	json_log(j, &kernel->log);
}

static void json_damage(struct json *j, const struct postmortem *pm)
{
	const struct damage_notes *notes = &pm->notes;
	const char *words;
	u64 i;

	json_u64(j, "damage_notes", notes->nr);
	json_open(j, "damage", '[');
	for (i = 0; i < notes->kept; i++)
		json_str(j, NULL, notes->list[i].text);
	json_close(j, ']');
	json_open(j, "container_damage", '[');
	for (i = 0; (words = dump_damage(pm->dump, i)); i++)
		json_str(j, NULL, words);
	json_close(j, ']');
}

void info_kernel_json(const struct postmortem *pm, const char *path)
{
	struct json j = { .f = stdout };

	json_open(&j, NULL, '{');
	json_origin(&j, pm, path);
	json_account_end(&j, &pm->end);
	json_kernel(&j, pm);
	json_u64(&j, "machine_checks", mces_count(&pm->mces));
	if (pm->ftrace)
		print_ftrace_json(&j, pm);
	else
		json_null(&j, "ftrace");
	json_u64(&j, "events", pm->total.events);
	json_u64(&j, "lost", pm->total.lost);
	json_damage(&j, pm);
	json_close(&j, '}');
	json_end(&j);
}
