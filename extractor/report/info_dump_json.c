// SPDX-License-Identifier: GPL-2.0-or-later
/* "epitaph info --json" of a dump without a region. */
#include "base/text.h"
#include "recording/mce_records.h"
#include "info.h"
#include "json_common.h"
#include "ftrace.h"

static void json_dump(struct json *j, const struct postmortem *pm, const char *path)
{
	const struct postmortem_origin *origin = &pm->origin;
	struct info_memory memory = info_memory(pm->dump);
	int level = dump_dump_level(pm->dump);

	json_str(j, "file", path);
	json_str(j, "container", dump_kind(pm->dump));
	json_u64(j, "memory_size", memory.all);
	json_u64(j, "memory_in_file", memory.there);
	json_known(j, "dump_level", level, level >= 0);
	json_null(j, "region");
	json_str(j, "why_no_region", *pm->why_no_region ? pm->why_no_region : NULL);
	json_str(j, "kernel", *origin->release ? origin->release : NULL);
	json_str(j, "kernel_version", *origin->version ? origin->version : NULL);
	json_str(j, "machine", origin->machine ? text_machine(origin->machine) : NULL);
	json_bool(j, "big_endian", dump_byte_order(pm->dump) == ORDER_BIG);
	json_known(j, "cpus", origin->nr_cpus, origin->nr_cpus);
	json_null(j, "boot_id");
	if (origin->build_id_size)
		json_hex(j, "build_id", origin->build_id, origin->build_id_size);
	else
		json_null(j, "build_id");
	json_known(j, "kaslr_offset", pm->kernel ? pm->kernel->kaslr : 0, pm->kernel);
}

/* Without a kernel all keys are there, with the values of an unknown kernel. */
static void json_kernel(struct json *j, const struct postmortem *pm)
{
	static const struct kernel none;
	const struct kernel *kernel = pm->kernel ? pm->kernel : &none;
	const struct timekeeping *clock = &kernel->clock;
	const struct printk_ringbuffer *log = pm_log(pm);

	json_open(j, "clock", '{');
	json_bool(j, "known", clock->known);
	json_str(j, "name", clock->known ? clock->source : NULL);
	json_str(j, "why_not", *clock->why ? clock->why : NULL);
	json_known(j, "mono_ns", clock->mono_ns, clock->known);
	json_known(j, "counter", clock->counter, clock->known);
	json_known(j, "mult", clock->mult, clock->known);
	json_known(j, "shift", clock->shift, clock->known);
	json_close(j, '}');
	json_u64(j, "symbols", kernel->kallsyms ? kallsyms_nr(kernel->kallsyms) : 0);
	json_bool(j, "types", kernel->ktypes);
	json_u64(j, "modules", kernel->modules ? kernel->modules->nr : 0);
	json_bool(j, "log_there", log->there);
	json_u64(j, "log_lines", log->nr);
	json_u64(j, "log_unfinished", log->nr_uncommitted);
	json_u64(j, "log_overwritten", log->nr_textless);
	json_u64(j, "log_damaged", log->nr_damaged);
}

void info_kernel_json(struct postmortem *pm, const char *path)
{
	const struct damage_notes *notes = &pm->notes;
	struct json j = { .f = stdout };
	u64 i;

	json_open(&j, NULL, '{');
	json_dump(&j, pm, path);
	json_end_of_kernel(&j, &pm->end);
	json_kernel(&j, pm);
	json_u64(&j, "machine_checks", mces_count(&pm->mces));
	if (pm->ftrace)
		print_ftrace_json(&j, pm);
	else
		json_null(&j, "ftrace");
	json_u64(&j, "events", pm->total.events);
	json_u64(&j, "lost", pm->total.lost);
	json_u64(&j, "damage_notes", notes->nr);
	json_open(&j, "damage", '[');
	for (i = 0; i < notes->kept; i++)
		json_str(&j, NULL, notes->list[i].text);
	json_close(&j, ']');
	json_container_damage(&j, pm->dump);
	info_guests_json(&j, pm);
	json_close(&j, '}');
	json_end(&j);
}
