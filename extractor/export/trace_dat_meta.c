// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_dat_meta.h"

#include <stdio.h>
#include <stdlib.h>

#include "trace_dat_printk.h"

static const char header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

static const char header_event[] =
	"# compressed entry header\n"
	"\ttype_len    :    5 bits\n"
	"\ttime_delta  :   27 bits\n"
	"\tarray       :   32 bits\n"
	"\n"
	"\tpadding     : type == 29\n"
	"\ttime_extend : type == 30\n"
	"\ttime_stamp : type == 31\n"
	"\tdata max type_len  == 28\n";

static void put_headers(struct trace_dat *t)
{
	struct pack *p = &t->bytes;

	trace_dat_open(t, TRACEDAT_HEADER_INFO);
	pack_str(p, "header_page");
	pack_u64(p, sizeof(header_page) - 1);
	pack_bytes(p, header_page, sizeof(header_page) - 1);
	pack_str(p, "header_event");
	pack_u64(p, sizeof(header_event) - 1);
	pack_bytes(p, header_event, sizeof(header_event) - 1);
	trace_dat_close(t, TRACEDAT_HEADER_INFO);
}

/* Control bytes would act on a terminal: some readers print a format as it is. */
static void tame_format(u8 *text, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if ((text[i] < ' ' && text[i] != '\n' && text[i] != '\t') || text[i] >= 0x7f)
			text[i] = '?';
}

/* The kernel's text, but for its line "ID: ". */
static void put_format(struct pack *p, const struct event_class *class)
{
	const char *line = memchr(class->text, '\n', class->size);
	const char *rest = line ? memchr(line + 1, '\n', class->text + class->size - line - 1) : NULL;
	size_t at = p->size, from;

	pack_u64(p, 0);
	from = p->size;
	pack_bytes(p, class->text, line - class->text);
	pack_fmt(p, "\nID: %u", class->id);
	pack_bytes(p, rest, class->text + class->size - rest);
	if (p->failed)
		return;
	tame_format(p->data + from, p->size - from);
	pack_set_u64(p, at, p->size - from);
}

static bool is_ftrace(const struct event_class *class)
{
	return !strcmp(class->system, "ftrace");
}

static int by_system(const void *a, const void *b)
{
	const struct event_class *x = *(const struct event_class *const *)a, *y = *(const struct event_class *const *)b;
	int order = strcmp(x->system, y->system);

	return order ? order : (x->id > y->id) - (x->id < y->id);
}

static u32 count_same(const struct event_class *const *list, u32 nr)
{
	u32 n = 1;

	while (n < nr && !strcmp(list[n]->system, list[0]->system))
		n++;
	return n;
}

static void put_systems(struct trace_dat *t, const struct event_class *const *list, u32 nr)
{
	struct pack *p = &t->bytes;
	size_t at = p->size;
	u32 i, n, systems = 0;

	pack_u32(p, 0);
	for (i = 0; i < nr; i += n, systems++) {
		u32 k;

		n = count_same(list + i, nr - i);
		pack_escaped(p, list[i]->system, strlen(list[i]->system));
		pack_u8(p, 0);
		pack_u32(p, n);
		for (k = 0; k < n; k++)
			put_format(p, list[i + k]);
	}
	systems = pack_order32(p->order, systems);
	if (!p->failed)
		memcpy(p->data + at, &systems, sizeof(systems));
}

static void put_ftrace(struct trace_dat *t, const struct event_class *const *list, u32 nr)
{
	u32 i;

	trace_dat_open(t, TRACEDAT_FTRACE_EVENTS);
	pack_u32(&t->bytes, nr);
	for (i = 0; i < nr; i++)
		put_format(&t->bytes, list[i]);
	trace_dat_close(t, TRACEDAT_FTRACE_EVENTS);
}

/* The tracer's own events apart, the others by system. */
static void put_formats(struct trace_dat *t, const struct event_classes *classes)
{
	u32 i, n = 0, nr_ftrace = 0, nr = event_classes_nr(classes);
	const struct event_class **list = calloc(nr, sizeof(*list));

	if (!list) {
		t->bytes.failed = true;
		return;
	}
	for (i = 1; i <= nr; i++)
		if (is_ftrace(event_classes_at(classes, i)))
			list[nr_ftrace++] = event_classes_at(classes, i);
	put_ftrace(t, list, nr_ftrace);
	for (i = 1; i <= nr; i++)
		if (!is_ftrace(event_classes_at(classes, i)))
			list[n++] = event_classes_at(classes, i);
	qsort(list, n, sizeof(*list), by_system);
	trace_dat_open(t, TRACEDAT_EVENTS);
	put_systems(t, list, n);
	trace_dat_close(t, TRACEDAT_EVENTS);
	free(list);
}

/* Its size first, in @size_bytes; then what @put puts. */
static void put_text_section(struct trace_dat *t, enum trace_dat_section id, u32 size_bytes,
		     void (*put)(struct pack *p, const struct exporter *ex),
		     const struct exporter *ex)
{
	struct pack text = { .order = t->bytes.order };

	put(&text, ex);
	trace_dat_open(t, id);
	if (size_bytes == 8)
		pack_u64(&t->bytes, text.size);
	else
		pack_u32(&t->bytes, text.size);
	pack_bytes(&t->bytes, text.data, text.size);
	trace_dat_close(t, id);
	t->bytes.failed |= text.failed;
	pack_free(&text);
}

static bool is_between(char c)
{
	return c == '+' || c == '/' || c == ' ';
}

/*
 * One that is known as "function+0x1/0x2 [module]".  Readers take an address for
 * that of the nearest function before it, however far; so where one ends, its own number begins.
 */
static void put_function_line(struct pack *p, u64 addr, const char *name)
{
	const char *bracket = strstr(name, " [");
	unsigned long long off = 0, size = 0, end;
	size_t n = symbol_is_cgroup(addr) ? strlen(name) : 0;

	while (name[n] && !is_between(name[n]))
		n++;
	sscanf(name + n, "+0x%llx/0x%llx", &off, &size);
	pack_fmt(p, "%016llx t ", addr - off);
	pack_escaped(p, name, n);
	if (bracket) {
		pack_bytes(p, "\t", 1);
		pack_escaped(p, bracket + 1, strlen(bracket + 1));
	}
	end = size > off ? addr - off + size : addr + 1;
	pack_fmt(p, "\n%016llx t 0x%llx\n", end, end);
}

/* Its line has no place for a blank. */
static bool has_place(u64 addr, const char *name, bool only_cgroups)
{
	if (symbol_is_number(addr))
		return symbol_is_cgroup(addr) && !strpbrk(name, " \t\n");
	return !only_cgroups;
}

/* What the recorder resolved: those that its events needed. */
static void put_recorded(struct pack *p, const struct recording *recording, bool only_cgroups)
{
	const char *name;
	u64 addr;
	u32 i;

	for (i = 0; recording && i < symbols_nr(recording->symbols); i++) {
		name = symbols_at(recording->symbols, i, &addr);
		/* That file has one name for an address, whatever the time. */
		if (has_place(addr, name, only_cgroups) && !symbols_is_shared(recording->symbols, i))
			put_function_line(p, addr, name);
	}
}

static void put_kallsyms_line(struct pack *p, u64 addr, char type, const char *name, const char *module)
{
	pack_fmt(p, "%016llx %c ", addr, type);
	pack_escaped(p, name, strlen(name));
	if (module) {
		pack_fmt(p, "\t[");
		pack_escaped(p, module, strlen(module));
		pack_u8(p, ']');
	}
	pack_u8(p, '\n');
}

static void put_module(struct pack *p, const struct kernel_modules *modules, const struct kernel_module *module)
{
	char name[KALLSYMS_NAME_MAX], type;
	u64 addr;
	u32 i;

	for (i = 0; kernel_modules_symbol(modules, module, i, &addr, &type, name); i++)
		if (strchr("tTwW", type))
			put_kallsyms_line(p, addr, type, name, module->name);
}

/* The dumped kernel's own table: its functions, and those of its modules. */
static void put_kernels(struct pack *p, const struct kernel *kernel)
{
	char name[KALLSYMS_NAME_MAX], type;
	u64 addr;
	u32 i;

	for (i = 0; i < kallsyms_nr(kernel->kallsyms); i++)
		if (kallsyms_symbol(kernel->kallsyms, i, &addr, &type, name) && strchr("tTwW", type))
			put_kallsyms_line(p, addr, type, name, NULL);
	for (i = 0; kernel->modules && i < kernel->modules->nr; i++)
		put_module(p, kernel->modules, &kernel->modules->list[i]);
}

static void put_kallsyms(struct pack *p, const struct exporter *ex)
{
	const struct kernel *kernel = ex->pm->kernel;
	bool has_own = kernel && kernel->kallsyms;

	if (has_own)
		put_kernels(p, kernel);
	put_recorded(p, ex->pm->recording, has_own);
}

static void put_cmdline(void *priv, u32 pid, const char *comm)
{
	struct pack *p = priv;

	pack_fmt(p, "%u ", pid);
	pack_escaped(p, comm, strlen(comm));
	pack_bytes(p, "\n", 1);
}

static void put_cmdlines(struct pack *p, const struct exporter *ex)
{
	if (ex->pm->tasks)
		task_names_each(ex->pm->tasks, put_cmdline, p);
}

void trace_dat_put_meta(struct trace_dat *t, const struct exporter *ex)
{
	put_headers(t);
	put_formats(t, ex->classes);
	put_text_section(t, TRACEDAT_KALLSYMS, 4, put_kallsyms, ex);
	put_text_section(t, TRACEDAT_PRINTK, 4, trace_dat_put_printk, ex);
	put_text_section(t, TRACEDAT_CMDLINES, 8, put_cmdlines, ex);
}

static void put_uname(struct trace_dat *t, const struct exporter *ex)
{
	struct pack p = { .order = t->bytes.order };
	const struct epitaph_header *hdr;

	if (!ex->pm->recording)
		return;
	hdr = &ex->pm->recording->generation->hdr;
	pack_bytes(&p, "Linux ", 6);
	pack_escaped(&p, hdr->release, strnlen(hdr->release, sizeof(hdr->release)));
	pack_bytes(&p, " ", 1);
	pack_escaped(&p, hdr->version, strnlen(hdr->version, sizeof(hdr->version)));
	pack_u8(&p, 0);
	if (!p.failed)
		trace_dat_option(t, TRACEDAT_UNAME, p.data, p.size);
	pack_free(&p);
}

void trace_dat_put_origin(struct trace_dat *t, const struct exporter *ex, u32 nr_cpus)
{
	u32 n = pack_order32(t->bytes.order, nr_cpus);
	char clocks[80];

	snprintf(clocks, sizeof(clocks), "local global counter uptime perf [%s]", exporter_clock(ex));
	trace_dat_option(t, TRACEDAT_CLOCK, clocks, strlen(clocks) + 1);
	trace_dat_option(t, TRACEDAT_CPUCOUNT, &n, sizeof(n));
	trace_dat_option(t, TRACEDAT_VERSION, "epitaph", sizeof("epitaph"));
	put_uname(t, ex);
}
