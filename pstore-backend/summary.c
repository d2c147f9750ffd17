// SPDX-License-Identifier: GPL-2.0-only
/* A generation in a few lines, for an administrator without epitaph(1). */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/time.h>
#include <linux/uuid.h>
#include <epitaph/check.h>
#include "catalog.h"

struct text {
	char	*buf;
	size_t	size;
	size_t	used;
};

static __printf(2, 3) void add(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text->used += vscnprintf(text->buf + text->used, text->size - text->used,
				 format, args);
	va_end(args);
}

/* From the region: whatever the recorded machine put there. */
static void add_escaped(struct text *text, const char *from, size_t room)
{
	add(text, "%*pE", (int)strnlen(from, room), from);
}

static void add_time(struct text *text, u64 real_ns)
{
	struct tm tm;
	u32 ns;

	time64_to_tm(div_u64_rem(real_ns, NSEC_PER_SEC, &ns), 0, &tm);
	add(text, "%04ld-%02d-%02d %02d:%02d:%02d.%06u UTC", tm.tm_year + 1900,
	    tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, ns / 1000);
}

/* The stamp, if there is one and it is whole. */
static const struct epitaph_crash *stamp_of(const struct shown *shown)
{
	const struct epitaph_crash *crash =
		epitaph_gen_entry(shown->gen, shown->region, EPITAPH_SEC_CRASH, 0,
				  sizeof(*crash));

	if (!crash || !crash->check || le64_to_cpu(crash->check) !=
	    epitaph_check(shown->gen->salt, crash, offsetof(struct epitaph_crash, check)))
		return NULL;
	return crash;
}

u64 shown_real_ns(const struct shown *shown)
{
	const struct epitaph_crash *crash = stamp_of(shown);

	return le64_to_cpu(crash ? crash->real_ns : shown->gen->table->start_real_ns);
}

static void add_kernel(struct text *text, const struct epitaph_header *header)
{
	add(text, "kernel: ");
	add_escaped(text, header->release, sizeof(header->release));
	add(text, " ");
	add_escaped(text, header->version, sizeof(header->version));
	add(text, ", %u CPUs\nboot id: %pUb\nrecorded by: ", le32_to_cpu(header->nr_cpus),
	    header->boot_id);
	add_escaped(text, header->recorder, sizeof(header->recorder));
	add(text, "\nrecorded from: ");
	add_time(text, le64_to_cpu(header->start_real_ns));
	add(text, "\n");
}

static void add_end(struct text *text, const struct shown *shown)
{
	const struct epitaph_crash *crash = stamp_of(shown);

	if (!crash) {
		add(text, "end: %s\n", shown->gen->ended ? "in order" :
		    "unknown, as after a reset, a triple fault or a loss of power");
		return;
	}
	add(text, "end: died at ");
	add_time(text, le64_to_cpu(crash->real_ns));
	add(text, " on CPU %u in task %u (", le32_to_cpu(crash->cpu), le32_to_cpu(crash->pid));
	add_escaped(text, crash->comm, sizeof(crash->comm));
	add(text, ")\nreason: ");
	add_escaped(text, crash->reason, sizeof(crash->reason));
	add(text, "\n");
}

/* "records of the log: 3, dmesg-epitaph-300001 to 300003" */
static void add_files(struct text *text, const char *what, const struct shown *shown,
		      enum pstore_type_id type, u32 n)
{
	struct item first = { .of = (struct shown *)shown, .type = type, .nr = 1 };
	u64 id = item_id(&first);

	add(text, "%s: ", what);
	if (!n)
		add(text, "none\n");
	else if (n == 1)
		add(text, "1, %s-epitaph-%llu\n", pstore_type_to_name(type), id);
	else
		add(text, "%u, %s-epitaph-%llu to %llu\n", n, pstore_type_to_name(type),
		    id, id + n - 1);
}

static void add_reading(struct text *text, const struct shown *shown)
{
	if (shown->nr_parts)
		add(text, "to read it: epitaph report DIRECTORY, the one that these files are in\n");
	else
		add(text, "trace: %llu KiB, not in pstore (the module's trace_mib= says how much may be)\n",
		    shown->gen->size >> 10);
	add(text, "to keep it whole: epitaph harvest, while the region has it\n");
}

size_t summary_text(const struct shown *shown, bool is_locked, char *buf, size_t size)
{
	struct text text = { buf, size, 0 };

	add(&text, "Epitaph: what an earlier kernel left, generation %llu\n",
	    shown->gen->number);
	add_kernel(&text, shown->gen->table);
	add_end(&text, shown);
	add_files(&text, "records of its log", shown, PSTORE_TYPE_DMESG, shown->nr_records);
	add_files(&text, "machine checks", shown, PSTORE_TYPE_MCE, shown->nr_mces);
	if (is_locked) {
		add(&text, "trace: not shown, nor to be read on this machine: this kernel is locked down for confidentiality\n");
		return text.used;
	}
	add_files(&text, "parts of its trace", shown, PSTORE_TYPE_PMSG, shown->nr_parts);
	add_reading(&text, shown);
	return text.used;
}
