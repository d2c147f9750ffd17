// SPDX-License-Identifier: GPL-2.0-only
/*
 * kernel_says WHAT VMCORE: what is read out of a dumped kernel, in the form in
 * which a running kernel shows the same: kallsyms, modules, kmsg; clock: local_clock() and
 * CLOCK_MONOTONIC of local_clock(), for times on standard input.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux_kernel/linux_kernel.h"

static void say_kallsyms(struct kernel *kernel)
{
	char name[KALLSYMS_NAME_MAX], type;
	u64 addr;

	for (u32 i = 0; i < kallsyms_nr(kernel->kallsyms); i++) {
		kallsyms_symbol(kernel->kallsyms, i, &addr, &type, name);
		printf("%016llx %c %s\n", addr, type, name);
	}
}

static void say_module_symbols(struct kernel *kernel)
{
	char name[KALLSYMS_NAME_MAX], type;
	u64 addr;

	for (u32 k = 0; k < kernel->modules->nr; k++) {
		const struct kernel_module *m = &kernel->modules->list[k];

		for (u32 i = 0; kernel_modules_symbol(kernel->modules, m, i, &addr, &type, name); i++)
			printf("%016llx %c %s\t[%s]\n", addr, type, name, m->name);
	}
}

static void say_modules(struct kernel *kernel)
{
	for (u32 k = 0; k < kernel->modules->nr; k++) {
		const struct kernel_module *m = &kernel->modules->list[k];
		u64 size = 0;

		for (u32 i = 0; i < m->nr_ranges; i++)
			size += m->ranges[i].size;
		printf("%s %llu %#llx\n", m->name, size, m->nr_ranges ? m->ranges[0].start : 0);
	}
}

/* As /dev/kmsg escapes it. */
static void put_text(const struct klog_line *line)
{
	for (u32 i = 0; i < line->len; i++) {
		unsigned char c = line->text[i];

		printf(c < ' ' || c >= 127 || c == '\\' ? "\\x%02x" : "%c", c);
	}
}

static void say_kmsg(struct kernel *kernel)
{
	for (u32 i = 0; i < kernel->log.nr; i++) {
		const struct klog_record *r = &kernel->log.records[i];

		printf("%d,%llu,%llu;", r->line.priority, r->seq, r->local_ns / 1000);
		put_text(&r->line);
		putchar('\n');
	}
}

static void say_clock(struct kernel *kernel)
{
	unsigned long long local, mono;

	while (scanf("%llu %llu", &local, &mono) == 2) {
		u64 ours = 0;

		timekeeping_mono(&kernel->clock, local, &ours);
		printf("%lld %llu\n", (long long)(ours - mono), timekeeping_bound(&kernel->clock, mono));
	}
}

static void say_crash(struct kernel *kernel)
{
	printf("release %s\ncpu %u of %u\ntask %s\npanic %s\n", kernel->release, kernel->cpu,
	       kernel->nr_online, kernel->comm, kernel->panic);
}

/* Of addresses on standard input. */
static void say_names(struct kernel *kernel)
{
	char buf[KERNEL_SYMBOL_MAX];
	unsigned long long addr;

	while (scanf("%llx", &addr) == 1)
		puts(kernel_symbol(kernel, addr, buf, sizeof(buf)) ? buf : "?");
}

static const struct {
	const char *name;
	void (*say)(struct kernel *kernel);
} words[] = {
	{ "kallsyms", say_kallsyms }, { "module-symbols", say_module_symbols },
	{ "modules", say_modules }, { "kmsg", say_kmsg }, { "clock", say_clock },
	{ "crash", say_crash }, { "names", say_names },
};

int main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct kernel *kernel;
	struct dump *in;

	if (argc != 3)
		return 2;
	if (dump_open(&in, argv[2], &err) || kernel_open(&kernel, in, &err)) {
		fprintf(stderr, "kernel_says: %s\n", err.msg);
		return err.code;
	}
	for (u64 i = 0; i < kernel->notes.nr; i++)
		fprintf(stderr, "kernel_says: %s\n", kernel->notes.list[i].text);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i].name, argv[1]))
			words[i].say(kernel);
	kernel_close(kernel);
	dump_close(in);
	return 0;
}
