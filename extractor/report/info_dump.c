// SPDX-License-Identifier: GPL-2.0-or-later
/* "epitaph info" of a dump without a region: its kernel, for people. */
#include <stdio.h>
#include <string.h>

#include "recording/mce_records.h"
#include "info.h"
#include "phrase.h"

struct info_memory info_memory(struct dump *dump)
{
	struct info_memory memory = { 0 };
	u64 paddr = 0, next, len;
	size_t i;

	for (i = 0; i < dump_nr_segments(dump); i++)
		memory.all += dump_segment(dump, i).size;
	for (; dump_next_data(dump, paddr, &next, &len); paddr = next + len)
		memory.there += len;
	return memory;
}

static void put_dump_file(const struct postmortem *pm, const char *path)
{
	static const char *const left_out[] = {
		"zero pages", "page cache", "private page cache", "user data", "free pages",
	};
	struct info_memory memory = info_memory(pm->dump);
	int level = dump_dump_level(pm->dump);
	const char *comma = ": without ";
	char size[32], all[32];
	u32 i;

	text_size(size, sizeof(size), dump_file_size(pm->dump));
	info_key("file");
	text_put(stdout, path, strlen(path));
	printf(": %s, %s\n", dump_kind(pm->dump), size);
	text_size(size, sizeof(size), memory.there);
	text_size(all, sizeof(all), memory.all);
	info_key("memory");
	printf("%s of %s were put into it", size, all);
	if (level >= 0)
		printf("; makedumpfile's level %d", level);
	for (i = 0; level >= 0 && i < ARRAY_SIZE(left_out); i++)
		if (level & 1 << i) {
			printf("%s%s", comma, left_out[i]);
			comma = ", ";
		}
	putchar('\n');
}

static void put_dumped_kernel(const struct postmortem *pm)
{
	const struct postmortem_origin *origin = &pm->origin;
	char buf[80];

	info_key("kernel");
	text_put(stdout, origin->release, sizeof(origin->release));
	if (*origin->version)
		putchar(' ');
	text_put(stdout, origin->version, sizeof(origin->version));
	if (origin->machine)
		printf(", %s", text_machine(origin->machine));
	printf(", %s-endian", dump_byte_order(pm->dump) == ORDER_BIG ? "big" : "little");
	if (origin->nr_cpus)
		printf(", %u CPU%s", origin->nr_cpus, plural(origin->nr_cpus));
	putchar('\n');
	text_hex(buf, sizeof(buf), origin->build_id, origin->build_id_size);
	info_key("build");
	printf("id %s, KASLR offset 0x%llx\n", origin->build_id_size ? buf : "unknown",
	       pm->kernel->kaslr);
}

static void put_dumped_crash(const struct postmortem_end *end)
{
	char date[64];

	info_key("crash");
	if (end->how == OUTCOME_ENDED) {
		fputs("none: it ended in order: ", stdout);
		text_put(stdout, end->reason, sizeof(end->reason));
		putchar('\n');
		return;
	}
	if (end->how != OUTCOME_CRASHED && end->cpu == NO_CPU && !end->real_ns) {
		puts("the kernel did not say: it was reset, or still ran when this was read");
		return;
	}
	text_date(date, sizeof(date), end->real_ns);
	printf("%s on ", date);
	if (end->cpu == NO_CPU)
		fputs("an unknown CPU", stdout);
	else
		printf("CPU %u", end->cpu);
	if (end->pid >= 0) {
		fputs(", task ", stdout);
		text_put(stdout, end->comm, sizeof(end->comm));
		printf("-%lld", end->pid);
	}
	fputs(": ", stdout);
	text_put(stdout, end->reason, sizeof(end->reason));
	putchar('\n');
}

static void put_timekeeping(const struct timekeeping *clock)
{
	static const char *const locals[] = {
		"unknown", "by the same counter, exactly", "to within a tick",
	};
	char mono[40];

	info_key("clock");
	if (!clock->known) {
		puts(*clock->why ? clock->why : "unknown");
		return;
	}
	text_seconds(mono, sizeof(mono), clock->mono_ns, true);
	text_put(stdout, clock->source, sizeof(clock->source));
	printf("; the kernel last kept time at %s; times of log and trace follow from it %s\n",
	       mono, locals[clock->local]);
}

static void put_symbol_counts(const struct kernel *kernel)
{
	info_key("symbols");
	if (kernel->kallsyms)
		printf("%u", kallsyms_nr(kernel->kallsyms));
	else
		fputs("none", stdout);
	printf(", %s types", kernel->ktypes ? "with" : "no");
	if (kernel_btf_is_recorders(kernel->ktypes))
		fputs(" (of the recorder's build: the kernel has none)", stdout);
	if (kernel->modules)
		printf(", %u module%s", kernel->modules->nr, plural(kernel->modules->nr));
	putchar('\n');
}

static void put_printk_log(const struct printk_ringbuffer *log)
{
	info_key("kernel log");
	if (!log->there) {
		puts("not in the file");
		return;
	}
	printf("%u line%s", log->nr, plural(log->nr));
	if (log->nr) {
		putchar(',');
		info_span(log->records[0].line.mono_ns, log->records[log->nr - 1].line.mono_ns);
	}
	printf("; %u unfinished, %u overwritten in part, %u damaged or not in the file\n",
	       log->nr_uncommitted, log->nr_textless, log->nr_damaged);
}

static void put_dumped_ring(const struct ftrace_buffer *buf, const struct ftrace_ring *ring)
{
	char size[32], at[40];
	u64 ns;

	info_key("trace");
	if (ring->cpu == NO_CPU)
		fputs("CPU unknown, channel ", stdout);
	else
		printf("CPU %u, channel ", ring->cpu);
	text_put(stdout, buf->name, sizeof(buf->name));
	fputs(" (clock ", stdout);
	text_put(stdout, buf->clock.name, sizeof(buf->clock.name));
	text_size(size, sizeof(size), ring->unit);
	printf("): %llu event%s in %u sub-buffer%s of %s", ring->nr_events, plural(ring->nr_events),
	       ring->nr_subs, plural(ring->nr_subs), size);
	if (ring->nr_subs && !ring->subs[0].lacks &&
	    ftrace_clock_mono(&buf->clock, ring->sched_offset, ring->subs[0].start, &ns)) {
		text_seconds(at, sizeof(at), ns, true);
		printf("; complete from %s", at);
	}
	putchar('\n');
	info_key("");
	printf("%llu older overwritten, %llu dropped when it was full, %llu dropped in interrupts; %u sub-buffer%s not in the file, with %llu event%s; %u byte%s unfinished\n",
	       ring->overrun, ring->dropped, ring->commit_overrun, ring->nr_lacking,
	       plural(ring->nr_lacking), ring->nr_lost, plural(ring->nr_lost), ring->unfinished,
	       plural(ring->unfinished));
}

static void put_dumped_trace(const struct ftrace *ftrace)
{
	u32 i, k, nr = 0;

	for (i = 0; ftrace && i < ftrace->nr_buffers; i++)
		for (k = 0; k < ftrace->buffers[i].nr_rings; k++, nr++)
			put_dumped_ring(&ftrace->buffers[i], &ftrace->buffers[i].rings[k]);
	if (nr)
		return;
	info_key("trace");
	puts(ftrace && !ftrace->notes.nr ? "nothing was traced by the kernel" :
					   "none was found");
}

static void put_dump_totals(const struct postmortem *pm)
{
	const struct postmortem_total *total = &pm->total;

	info_key("events");
	printf("%llu", total->events);
	if (total->any)
		info_span(total->first, total->last);
	printf("; at least %llu lost\n", total->lost);
}

static void put_dumped_kernel_info(const struct postmortem *pm)
{
	const struct kernel *kernel = pm->kernel;
	u32 nr_mces = mces_count(&pm->mces);

	put_dumped_kernel(pm);
	info_debuginfo(pm);
	put_dumped_crash(&pm->end);
	put_timekeeping(&kernel->clock);
	put_symbol_counts(kernel);
	put_printk_log(&kernel->log);
	if (nr_mces) {
		info_key("hardware");
		printf("%u machine check%s in the log; see epitaph mce\n", nr_mces, plural(nr_mces));
	}
}

static void put_next_step(const struct postmortem *pm)
{
	info_key("next");
	if (pm->total.events)
		puts("epitaph report has the last seconds, trace and log in one order; epitaph export has all of it for other tools");
	else if (pm_log(pm)->nr)
		puts("epitaph report has the last lines of the log; of events there is nothing to be had from this file");
	else
		printf("neither trace nor log is to be had from this file; %s\n",
		       dump_damage(pm->dump, 0) ? "a whole copy of it may have both" :
		       "one from which less was left out (makedumpfile -d) may have both");
}

void info_dump_head(const struct postmortem *pm, const char *path)
{
	put_dump_file(pm, path);
	put_dumped_kernel(pm);
	put_dumped_crash(&pm->end);
}

/* A text has no memory. */
static void put_console_info(const struct postmortem *pm)
{
	const struct console *console = pm->console;
	const struct postmortem_origin *origin = &pm->origin;

	info_key("text");
	if (console->is_trace)
		printf("of a trace file of the kernel\n");
	else
		printf("of a console: boot %u of %u; %llu lines are not the kernel's\n", console->boot, console->nr_boots, console->nr_others);
	info_key("kernel");
	text_put(stdout, *origin->release ? origin->release : "unknown", sizeof(origin->release));
	if (*origin->version)
		putchar(' ');
	text_put(stdout, origin->version, sizeof(origin->version));
	printf("%s%s\n", origin->machine ? ", " : "", origin->machine ? text_machine(origin->machine) : "");
	put_dumped_crash(&pm->end);
	put_printk_log(&console->log);
	put_dump_totals(pm);
	put_next_step(pm);
}

void info_kernel_text(struct postmortem *pm, const char *path)
{
	put_dump_file(pm, path);
	if (pm->console) {
		put_console_info(pm);
		return;
	}
	info_key("region");
	printf("none: %s\n", *pm->why_no_region ? pm->why_no_region : "see damage");
	if (pm->kernel) {
		put_dumped_kernel_info(pm);
	} else {
		info_key("kernel");
		puts("unknown; its own trace has outlived it");
	}
	put_dumped_trace(pm->ftrace);
	put_dump_totals(pm);
	info_guests_text(pm);
	info_damage(&pm->notes, pm->dump);
	put_next_step(pm);
}
