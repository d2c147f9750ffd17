// SPDX-License-Identifier: GPL-2.0-or-later
#include "linux_kernel.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "dump/vmcoreinfo.h"
#include "data_search.h"
#include "kept_kernel.h"
#include "kernel_report.h"
#include "percpu.h"
#include "utsname.h"
#include "vmcoreinfo_search.h"

#define BTF_MAGIC	0xeb9f
#define MEMORY_HOLE_END	(4ULL << 30)
#define MAX_KERNELS	8	/* that one memory has, and copies of their VMCOREINFO */

/* A missing part of the dump is noted; only a system call that fails is an error. */
static int note_missing_part(struct kernel *kernel, int ret, const struct err *why, struct err *err)
{
	if (ret == -ERR_IO) {
		if (err)
			*err = *why;
		return ret;
	}
	if (ret)
		damage_notes_add(&kernel->notes, NOTE_NOWHERE, "%s", why->msg);
	return 0;
}

/* Debuginfo has addresses as linked: the kernel was moved by KASLR. */
static bool linked_address(void *priv, const char *name, u64 *ret)
{
	const struct kernel *kernel = priv;

	if (!debuginfo_symbol(kernel->debuginfo, name, ret))
		return false;
	*ret += kernel->kaslr;
	return true;
}

static bool global_u64(const struct kernel *kernel, const char *name, u64 *ret)
{
	u64 va;

	return kallsyms_address(kernel->kallsyms, name, &va) && vmem_u64(kernel->vmem, va, ret);
}

/*
 * Is all of its memory where its addresses say? Types lie in the image, whose tables were made anew later; the
 * description of its memory at the end of it, with two flags set.
 */
static bool is_all_in_place(const struct kernel *kernel)
{
	u64 va, types = BTF_MAGIC, sections, flags;
	char info[10];

	if (kallsyms_address(kernel->kallsyms, "__start_BTF", &va) && !vmem_number(kernel->vmem, va, 2, &types))
		return false;
	return types == BTF_MAGIC && global_u64(kernel, "vmcoreinfo_data", &va) &&
	       vmem_get(kernel->vmem, va, info, sizeof(info)) && !memcmp(info, "OSRELEASE=", sizeof(info)) &&
	       global_u64(kernel, "mem_section", &sections) && vmem_u64(kernel->vmem, sections, &va) &&
	       vmem_u64(kernel->vmem, va, &flags) && (flags & 3) == 3;
}

/* A file of a machine's memory may leave out the hole below 4 GiB: it ends so much before the memory does. */
static void find_hole(struct kernel *kernel)
{
	u64 before = vmem_hole(kernel->vmem), size = dump_end(kernel->dump), nr, end;

	if (!dump_is_raw(kernel->dump) || kernel->machine != EM_X86_64 || is_all_in_place(kernel) ||
	    !global_u64(kernel, "max_pfn", &nr) || nr > 1ULL << 40)
		return;
	end = nr * vmem_page_size(kernel->vmem);
	if (end <= MEMORY_HOLE_END || end <= size || end - size >= MEMORY_HOLE_END)
		return;
	vmem_skip_hole(kernel->vmem, end - size);
	if (!is_all_in_place(kernel))
		vmem_skip_hole(kernel->vmem, before);
}

static int read_symbols_and_types(struct kernel *kernel, struct err *err)
{
	const struct kallsyms_guide guide = { linked_address, kernel };
	struct err why = ERR_INIT;
	struct data_search_image *image;
	int ret = kallsyms_open(&kernel->kallsyms, kernel->vmem, &guide, &why);

	if (ret)
		return note_missing_part(kernel, ret, &why, err);
	find_hole(kernel);
	if (kallsyms_lost(kernel->kallsyms))
		damage_notes_add(&kernel->notes, NOTE_NOWHERE, "%s", kallsyms_lost(kernel->kallsyms));
	/* @image: NULL unless the symbols are functions only, or some are lost. */
	ret = data_search_image(&image, kernel->vmem, kernel->kallsyms, &why);
	if (!ret && image)
		data_search_types(image);
	if (!ret)
		ret = kernel_btf_open(&kernel->ktypes, kernel->vmem, kernel->kallsyms, &why);
	if (!ret && image)
		data_search_data(image, kernel->ktypes, &kernel->notes);
	data_search_close(image);
	if (ret)
		return note_missing_part(kernel, ret, &why, err);
	ret = kernel_modules_open(&kernel->modules, kernel->vmem, kernel->kallsyms, kernel->ktypes,
				  &kernel->notes, &why);
	return note_missing_part(kernel, ret, &why, err);
}

/* --- CPUs and the task that went down ------------------------------------ */

bool percpu_at(struct vmem *vmem, struct kallsyms *kallsyms, u64 va, u32 cpu, u64 *ret)
{
	u64 table, offset;

	if (cpu >= PERCPU_MAX_CPUS || !kallsyms_address(kallsyms, "__per_cpu_offset", &table) ||
	    !vmem_u64(vmem, table + 8ULL * cpu, &offset))
		return false;
	*ret = va + offset;
	return true;
}

bool percpu_symbol(struct vmem *vmem, struct kallsyms *kallsyms, const char *name, u32 cpu,
		   u64 *ret)
{
	u64 va;

	return kallsyms_address(kallsyms, name, &va) && percpu_at(vmem, kallsyms, va, cpu, ret);
}

static bool global_u32(const struct kernel *kernel, const char *name, u32 *ret)
{
	u64 va;

	return kallsyms_address(kernel->kallsyms, name, &va) && vmem_u32(kernel->vmem, va, ret);
}

static bool read_member(const struct kernel *kernel, const char *type, const char *path, u64 va,
		   u64 *ret)
{
	struct btf_member_place m;

	return kernel_btf_member(kernel->ktypes, type, path, &m) &&
	       (m.kind == KKIND_INT || m.kind == KKIND_POINTER) &&
	       vmem_number(kernel->vmem, va + m.offset, m.size, ret);
}

/*
 * A panic without kdump stops the other CPUs, and each of them calls itself offline then. The scheduler
 * still has it: hotplug takes a CPU from there first.
 */
static u32 count_online(const struct kernel *kernel)
{
	u64 online, active, word, more;
	u32 nr = 0, cpu;

	if (!kallsyms_address(kernel->kallsyms, "__cpu_online_mask", &online) ||
	    !kallsyms_address(kernel->kallsyms, "__cpu_active_mask", &active))
		return 0;
	for (cpu = 0; cpu < kernel->nr_cpu_ids; cpu += 64) {
		if (!vmem_u64(kernel->vmem, online + cpu / 8, &word) || !vmem_u64(kernel->vmem, active + cpu / 8, &more))
			return 0;
		nr += __builtin_popcountll(word | more);
	}
	return nr;
}

/* The CPU that crashed, and the task that ran there. */
static void read_crashed_cpu(struct kernel *kernel)
{
	/* The first CPU to panic, or to kexec on an oops, writes its number to keep others out. */
	static const char * const names[] = { "panic_cpu", "crashing_cpu" };
	struct btf_member_place comm;
	u64 rq, task, pid;
	u32 cpu;

	if (!global_u32(kernel, "nr_cpu_ids", &kernel->nr_cpu_ids) ||
	    kernel->nr_cpu_ids > PERCPU_MAX_CPUS)
		kernel->nr_cpu_ids = 0;
	kernel->nr_online = count_online(kernel);
	if (!kernel->nr_online && (!global_u32(kernel, "__num_online_cpus", &kernel->nr_online) ||
				   kernel->nr_online > PERCPU_MAX_CPUS))
		kernel->nr_online = 0;
	for (size_t i = 0; i < ARRAY_SIZE(names) && kernel->cpu == NO_CPU; i++)
		if (global_u32(kernel, names[i], &cpu) && cpu < PERCPU_MAX_CPUS)
			kernel->cpu = cpu;
	if (kernel->cpu == NO_CPU || !kernel_percpu(kernel, "runqueues", kernel->cpu, &rq) ||
	    !read_member(kernel, "rq", "curr", rq, &task))
		return;
	if (read_member(kernel, "task_struct", "pid", task, &pid))
		kernel->pid = (s32)pid;
	if (kernel_btf_member(kernel->ktypes, "task_struct", "comm", &comm) && comm.nr)
		vmem_string(kernel->vmem, task + comm.offset, kernel->comm, sizeof(kernel->comm));
}

/* --- the log ------------------------------------------------------------- */

static void copy_report_text(struct report_text text, char *buf, size_t size)
{
	size_t len = text.len < size ? text.len : size - 1;

	memcpy(buf, text.text, len);
	buf[len] = '\0';
}

/* The text of the last panic(), or the title of the oops: it says more than "Fatal exception". */
static void find_panic_message(const struct kernel_reports *reports, char *buf, size_t size)
{
	const struct kernel_report *panic = NULL, *oops = NULL;

	for (u32 i = 0; i < reports->nr; i++) {
		if (reports->list[i].kind == KERNEL_REPORT_PANIC)
			panic = &reports->list[i];
		else if (reports->list[i].kind == KERNEL_REPORT_OOPS ||
			 reports->list[i].kind == KERNEL_REPORT_BUG)
			oops = &reports->list[i];
	}
	if (panic && !(oops && report_text_has(panic->title, "Fatal exception")))
		copy_report_text(kernel_report_panic_text(panic), buf, size);
	else if (oops)
		copy_report_text(oops->title, buf, size);
}

int printk_ringbuffer_panic(const struct printk_ringbuffer *log, char *buf, size_t size,
			    struct err *err)
{
	struct report_line *lines = calloc(log->nr + 1, sizeof(*lines));
	struct kernel_reports reports;
	int ret;

	*buf = '\0';
	if (!lines)
		return err_sys(err, "memory for %u lines of the log", log->nr);
	for (u32 i = 0; i < log->nr; i++) {
		const struct klog_line *line = &log->records[i].line;
		const char *end = memchr(line->text, '\n', line->len);

		lines[i] = (struct report_line){
			.time = log->records[i].local_ns, .caller = KERNEL_REPORT_NO_CALLER,
			.text = line->text, .len = end ? (u32)(end - line->text) : line->len,
		};
	}
	ret = kernel_reports_read(&reports, lines, log->nr, err);
	if (!ret)
		find_panic_message(&reports, buf, size);
	kernel_reports_free(&reports);
	free(lines);
	return ret;
}

static int read_kernel_log(struct kernel *kernel, struct err *err)
{
	int ret = printk_ringbuffer_read(&kernel->log, kernel->vmem, kernel->ktypes,
					 &kernel->notes, err);

	if (ret)
		return ret;
	for (u32 i = 0; i < kernel->log.nr; i++) {
		struct klog_record *record = &kernel->log.records[i];

		if (!timekeeping_mono(&kernel->clock, record->local_ns, &record->line.mono_ns))
			record->line.mono_ns = record->local_ns;
	}
	return printk_ringbuffer_panic(&kernel->log, kernel->panic, sizeof(kernel->panic), err);
}

/* --- the kernel ---------------------------------------------------------- */

/* Names of the kernel. The release in memory checks that addresses are translated right. */
static void read_kernel_names(struct kernel *kernel)
{
	static const struct {
		const char *name;
		u32 machine;
	} machines[] = {
		{ "x86_64", EM_X86_64 }, { "aarch64", EM_AARCH64 }, { "s390x", EM_S390 },
		{ "ppc64", EM_PPC64 }, { "ppc64le", EM_PPC64 },
	};
	char text[UTSNAME_FIELD];
	u64 va;
	size_t i;

	vmcoreinfo_text(kernel->dump, "OSRELEASE", kernel->release, sizeof(kernel->release));
	vmcoreinfo_text(kernel->dump, "BUILD-ID", kernel->build_id, sizeof(kernel->build_id));
	vmcoreinfo_hex(kernel->dump, "KERNELOFFSET", &kernel->kaslr);
	vmcoreinfo_decimal(kernel->dump, "CRASHTIME", &kernel->crash_s);
	if (!utsname_address(kernel->vmem, &va))
		return;
	if (vmem_string(kernel->vmem, va + 2 * UTSNAME_FIELD, text, sizeof(text)) < 0)
		damage_notes_add(&kernel->notes, NOTE_NOWHERE, "the kernel's name cannot be read: %s",
				 vmem_why(kernel->vmem));
	else if (*kernel->release && strcmp(text, kernel->release))
		damage_notes_add(&kernel->notes, NOTE_NOWHERE,
				 "the kernel in memory calls itself '%s', VMCOREINFO '%s'", text,
				 kernel->release);
	vmem_string(kernel->vmem, va + 3 * UTSNAME_FIELD, kernel->version, sizeof(kernel->version));
	if (vmem_string(kernel->vmem, va + 4 * UTSNAME_FIELD, text, sizeof(text)) < 0)
		return;
	for (i = 0; i < ARRAY_SIZE(machines); i++)
		if (!strcmp(text, machines[i].name))
			kernel->machine = machines[i].machine;
}

/* The number of symbols is plausible in one byte order only. */
static void fix_byte_order(struct kernel *kernel)
{
	enum byte_order order = dump_byte_order(kernel->dump);
	u32 nr;
	u64 va;

	if (!vmcoreinfo_symbol(kernel->dump, "kallsyms_num_syms", &va) ||
	    !vmem_u32(kernel->vmem, va, &nr) || nr <= KALLSYMS_MAX)
		return;
	if (__builtin_bswap32(nr) <= KALLSYMS_MAX && __builtin_bswap32(nr))
		dump_set_byte_order(kernel->dump,
				    order == ORDER_BIG ? ORDER_LITTLE : ORDER_BIG);
}

/* Its place in memory of the crashed kernel's ELF header: all ones in a kernel that saves nothing. */
static bool is_capture(const struct kernel *kernel)
{
	u64 va, header;

	return kallsyms_address(kernel->kallsyms, "elfcorehdr_addr", &va) &&
	       vmem_u64(kernel->vmem, va, &header) && header != ~0ULL;
}

static int read_kernel(struct kernel *kernel, struct err *err)
{
	int ret;

	fix_byte_order(kernel);
	read_kernel_names(kernel);
	/* If there is none, pm_debuginfo_open() reports why. */
	if (debuginfo_wanted())
		debuginfo_open(&kernel->debuginfo, kernel->build_id, kernel->release, NULL);
	ret = read_symbols_and_types(kernel, err);
	if (ret)
		return ret;
	if (kernel->debuginfo)
		debuginfo_modules(kernel->debuginfo, kernel->modules);
	read_crashed_cpu(kernel);
	kernel->is_capture = is_capture(kernel);
	timekeeping_read(&kernel->clock, kernel->vmem, kernel->kallsyms, kernel->ktypes);
	if (*kernel->clock.why)
		damage_notes_add(&kernel->notes, NOTE_NOWHERE, "%s", kernel->clock.why);
	return read_kernel_log(kernel, err);
}

/* Of the kernel that VMCOREINFO is of; takes over @vmem. */
static int open_kernel(struct kernel **ret, struct dump *dump, struct vmem *vmem, struct err *err)
{
	struct kernel *kernel = calloc(1, sizeof(*kernel));
	int res;

	if (!kernel) {
		vmem_close(vmem);
		return err_sys(err, "memory for the dumped kernel");
	}
	kernel->dump = dump;
	kernel->vmem = vmem;
	kernel->cpu = NO_CPU;
	kernel->pid = -1;
	res = read_kernel(kernel, err);
	if (res)
		kernel_close(kernel);
	else
		*ret = kernel;
	return res;
}

/* The kernel that crashed, and not the one that saves its memory; else the one that ran last. */
static bool ran_later(const struct kernel *a, const struct kernel *b)
{
	if (a->is_capture != b->is_capture)
		return b->is_capture;
	if (a->clock.real_ns != b->clock.real_ns)
		return a->clock.real_ns > b->clock.real_ns;
	return a->crash_s > b->crash_s;
}

/* @info: of @kernel. @is_unsure: it may not be the one that ran last */
struct found_kernel {
	struct kernel *kernel;
	char *info;
	bool is_unsure;
};

static void drop_found(struct found_kernel *found)
{
	kernel_close(found->kernel);
	free(found->info);
}

/* What VMCOREINFO leads to by @vmem; a copy of it leads nowhere else. */
static int take_found(struct found_kernel *best, struct dump *dump, struct vmem *vmem, struct err *err)
{
	struct found_kernel found = { .info = strdup(dump_vmcoreinfo(dump, NULL)) };
	int ret = found.info ? 0 : err_sys(err, "memory for VMCOREINFO");

	if (ret || (best->info && !strcmp(found.info, best->info))) {
		vmem_close(vmem);
		free(found.info);
		return ret;
	}
	ret = open_kernel(&found.kernel, dump, vmem, err);
	if (!ret && (!best->kernel || ran_later(found.kernel, best->kernel))) {
		drop_found(best);
		*best = found;
		return 0;
	}
	if (!ret)
		best->is_unsure |= !ran_later(best->kernel, found.kernel);
	drop_found(&found);
	return ret;
}

static int find_kernel(struct kernel **ret, struct dump *dump, struct err *err)
{
	struct found_kernel best = { 0 };
	struct vmem *vmem;
	u64 at = 0;
	int res = 0;

	for (u32 i = 0; i < MAX_KERNELS && !res; i++) {
		res = vmcoreinfo_search(&vmem, dump, &at, err);
		if (!res)
			res = take_found(&best, dump, vmem, err);
	}
	if (best.kernel && res != -ERR_IO)
		res = dump_set_vmcoreinfo(dump, best.info) ? 0 : err_sys(err, "memory for VMCOREINFO");
	if (best.is_unsure)
		damage_notes_add(&best.kernel->notes, NOTE_NOWHERE,
				 "the memory has more than one kernel, and which of them ran last is not known");
	if (res) {
		drop_found(&best);
		return res;
	}
	*ret = best.kernel;
	free(best.info);
	return 0;
}

int kernel_open(struct kernel **ret, struct dump *dump, struct err *err)
{
	struct vmem *vmem = NULL;
	int res;

	/* A file of memory has none of its own. */
	if (!dump_vmcoreinfo(dump, NULL) || dump_is_raw(dump))
		return find_kernel(ret, dump, err);
	res = vmem_open(&vmem, dump, err);
	return res ? res : open_kernel(ret, dump, vmem, err);
}

const struct kept_symbol *kept_symbol_at(const struct kernel *kernel, u64 addr)
{
	for (u32 i = 0; kernel->kept && i < kernel->kept->nr; i++)
		if (addr - kernel->kept->list[i].start < kernel->kept->list[i].size)
			return &kernel->kept->list[i];
	return NULL;
}

const struct kept_symbol *kept_symbol_named(const struct kernel *kernel, const char *name, const char *module)
{
	const struct kept_symbol *found = NULL;

	for (u32 i = 0; kernel->kept && i < kernel->kept->nr; i++) {
		const struct kept_symbol *symbol = &kernel->kept->list[i];

		if (strcmp(symbol->name, name) || strcmp(symbol->module, module) || (found && found->start == symbol->start))
			continue;
		if (found)
			return NULL;
		found = symbol;
	}
	return found;
}

void kernel_close(struct kernel *kernel)
{
	if (!kernel)
		return;
	printk_ringbuffer_free(&kernel->log);
	kernel_modules_close(kernel->modules);
	kernel_btf_close(kernel->ktypes);
	kallsyms_close(kernel->kallsyms);
	debuginfo_close(kernel->debuginfo);
	vmem_close(kernel->vmem);
	damage_notes_free(&kernel->notes);
	free(kernel->kept);
	free(kernel);
}

int kernel_open_kept(struct kernel **ret, const struct vmem_piece *pieces, u32 nr, struct kept_symbols *symbols, u32 machine,
		     struct err *err)
{
	struct kernel *kernel = calloc(1, sizeof(*kernel));
	int res;

	if (!kernel || !symbols) {
		free(kernel);
		free(symbols);
		return err_sys(err, "memory for what was kept of the kernel");
	}
	kernel->kept = symbols;
	kernel->machine = machine;
	kernel->cpu = NO_CPU;
	kernel->pid = -1;
	res = vmem_open_pieces(&kernel->vmem, pieces, nr, err);
	if (!res)
		res = kallsyms_open_kept(&kernel->kallsyms, symbols, err);
	if (res) {
		kernel_close(kernel);
		return res;
	}
	*ret = kernel;
	return 0;
}

/* The name of the function that @addr - @back is in, and how far @addr is behind its start. */
static size_t name_code(const struct kernel *kernel, u64 addr, u32 back, char *buf, size_t size)
{
	const struct kernel_module *module;
	const struct kept_symbol *kept;
	struct ksym sym;
	int n;

	if (!kernel)
		return 0;
	kept = kept_symbol_at(kernel, addr - back);
	if (kept) {
		n = snprintf(buf, size, "%s+0x%llx/0x%llx%s%s%s", kept->name, addr - kept->start, kept->size,
			     *kept->module ? " [" : "", kept->module, *kept->module ? "]" : "");
	} else if (kallsyms_find(kernel->kallsyms, addr - back, &sym)) {
		n = snprintf(buf, size, "%s+0x%llx/0x%llx", sym.name, addr - sym.start, sym.size);
	} else {
		module = kernel_modules_at(kernel->modules, addr - back);
		if (!module || !kernel_modules_find(kernel->modules, module, addr - back, &sym))
			return 0;
		n = snprintf(buf, size, "%s+0x%llx/0x%llx [%s]", sym.name, addr - sym.start,
			     sym.size, module->name);
	}
	return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

size_t kernel_symbol(const struct kernel *kernel, u64 addr, char *buf, size_t size)
{
	return name_code(kernel, addr, 0, buf, size);
}

size_t kernel_caller(const struct kernel *kernel, u64 addr, char *buf, size_t size)
{
	return name_code(kernel, addr, 1, buf, size);
}

bool kernel_percpu(const struct kernel *kernel, const char *symbol, u32 cpu, u64 *ret)
{
	return percpu_symbol(kernel->vmem, kernel->kallsyms, symbol, cpu, ret);
}

bool kernel_percpu_at(const struct kernel *kernel, u64 va, u32 cpu, u64 *ret)
{
	return percpu_at(kernel->vmem, kernel->kallsyms, va, cpu, ret);
}

bool kernel_percpu_pointer(const struct kernel *kernel, const char *symbol, u32 cpu, u64 *ret)
{
	u64 va, pointer;

	return kallsyms_address(kernel->kallsyms, symbol, &va) &&
	       vmem_u64(kernel->vmem, va, &pointer) && pointer &&
	       percpu_at(kernel->vmem, kernel->kallsyms, pointer, cpu, ret);
}
