// SPDX-License-Identifier: GPL-2.0-or-later
#include "linux_kernel.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "dump/vmcoreinfo.h"
#include "data_search.h"
#include "percpu.h"
#include "vmcoreinfo_search.h"

/* What lacks is part of the answer; only a system call that fails is an error. */
static int note_err(struct kernel *kernel, int ret, const struct err *told, struct err *err)
{
	if (ret == -ERR_IO) {
		if (err)
			*err = *told;
		return ret;
	}
	if (ret)
		damage_notes_add(&kernel->notes, NOTE_NOWHERE, "%s", told->msg);
	return 0;
}

/* Debuginfo has symbols where the kernel was linked to have them. */
static bool linked_address(void *priv, const char *name, u64 *ret)
{
	const struct kernel *kernel = priv;

	if (!debuginfo_symbol(kernel->debuginfo, name, ret))
		return false;
	*ret += kernel->kaslr;
	return true;
}

/* @image: of a kernel whose symbols are functions only, or NULL. */
static int read_types(struct kernel *kernel, struct data_search_image *image, struct err *told)
{
	int ret;

	if (image)
		data_search_types(image);
	ret = kernel_btf_open(&kernel->ktypes, kernel->vmem, kernel->kallsyms, told);
	if (!ret && image)
		data_search_data(image, kernel->ktypes, &kernel->notes);
	return ret;
}

static int read_symbols_and_types(struct kernel *kernel, struct err *err)
{
	const struct kallsyms_guide guide = { linked_address, kernel };
	struct err told = ERR_INIT;
	struct data_search_image *image;
	int ret = kallsyms_open(&kernel->kallsyms, kernel->vmem, &guide, &told);

	if (ret)
		return note_err(kernel, ret, &told, err);
	ret = data_search_image(&image, kernel->vmem, kernel->kallsyms, &told);
	if (!ret)
		ret = read_types(kernel, image, &told);
	data_search_close(image);
	if (ret)
		return note_err(kernel, ret, &told, err);
	ret = kernel_modules_open(&kernel->modules, kernel->vmem, kernel->kallsyms, kernel->ktypes,
				  &kernel->notes, &told);
	return note_err(kernel, ret, &told, err);
}

/* --- CPUs and the task that went down ------------------------------------ */

static bool global_u32(const struct kernel *kernel, const char *name, u32 *ret)
{
	u64 va;

	return kallsyms_address(kernel->kallsyms, name, &va) && vmem_u32(kernel->vmem, va, ret);
}

static bool member(const struct kernel *kernel, const char *type, const char *path, u64 va,
		   u64 *ret)
{
	struct btf_member_place m;

	return kernel_btf_member(kernel->ktypes, type, path, &m) &&
	       (m.kind == KKIND_INT || m.kind == KKIND_POINTER) &&
	       vmem_number(kernel->vmem, va + m.offset, m.size, ret);
}

static void read_task(struct kernel *kernel)
{
	struct btf_member_place comm;
	u64 rq, task, pid;

	if (!kernel_percpu(kernel, "runqueues", kernel->cpu, &rq) ||
	    !member(kernel, "rq", "curr", rq, &task))
		return;
	if (member(kernel, "task_struct", "pid", task, &pid))
		kernel->pid = (s32)pid;
	if (kernel_btf_member(kernel->ktypes, "task_struct", "comm", &comm) && comm.nr)
		vmem_string(kernel->vmem, task + comm.offset, kernel->comm, sizeof(kernel->comm));
}

/* Who panics first keeps the others out by panic_cpu; kexec on an oops does as well. */
static void read_cpus(struct kernel *kernel)
{
	static const char * const names[] = { "panic_cpu", "crashing_cpu" };
	u32 cpu;

	if (!global_u32(kernel, "nr_cpu_ids", &kernel->nr_cpu_ids) ||
	    kernel->nr_cpu_ids > PERCPU_MAX_CPUS)
		kernel->nr_cpu_ids = 0;
	if (!global_u32(kernel, "__num_online_cpus", &kernel->nr_online) ||
	    kernel->nr_online > PERCPU_MAX_CPUS)
		kernel->nr_online = 0;
	for (size_t i = 0; i < ARRAY_SIZE(names) && kernel->cpu == NO_CPU; i++)
		if (global_u32(kernel, names[i], &cpu) && cpu < PERCPU_MAX_CPUS)
			kernel->cpu = cpu;
	if (kernel->cpu != NO_CPU)
		read_task(kernel);
}

/* --- the log ------------------------------------------------------------- */

static int read_log(struct kernel *kernel, struct err *err)
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

int kernel_add_log(const struct kernel *kernel, struct aux_events *extras, struct err *err)
{
	int ret = 0;

	for (u32 i = 0; i < kernel->log.nr && !ret; i++) {
		const struct klog_record *record = &kernel->log.records[i];

		ret = aux_events_add(extras, &(struct aux_event){
			.kind = AUX_EVENT_LOG, .name = "printk:log", .data = &record->line,
			.cpu = record->cpu, .pid = record->pid,
			.comm = *record->comm ? record->comm : NULL,
			.time = record->line.mono_ns,
		}, err);
	}
	return ret;
}

/* --- all of it ----------------------------------------------------------- */

/* The release in memory is a check that memory is read from the right places. */
static void check_memory(struct kernel *kernel)
{
	char release[sizeof(kernel->release)];
	u64 va, off;

	if (!vmcoreinfo_symbol(kernel->in, "init_uts_ns", &va) ||
	    !vmcoreinfo_offset(kernel->in, "uts_namespace.name", &off))
		return;
	if (vmem_string(kernel->vmem, va + off + 2 * 65, release, sizeof(release)) < 0)
		damage_notes_add(&kernel->notes, NOTE_NOWHERE, "the kernel's name cannot be read: %s",
				 vmem_why(kernel->vmem));
	else if (*kernel->release && strcmp(release, kernel->release))
		damage_notes_add(&kernel->notes, NOTE_NOWHERE,
				 "the kernel in memory calls itself '%s', VMCOREINFO '%s'", release,
				 kernel->release);
}

/* The fields of struct new_utsname are 65 bytes each. */
static void read_uname(struct kernel *kernel)
{
	static const struct {
		const char *name;
		u32 machine;
	} machines[] = {
		{ "x86_64", EM_X86_64 }, { "aarch64", EM_AARCH64 }, { "s390x", EM_S390 },
		{ "ppc64", EM_PPC64 }, { "ppc64le", EM_PPC64 },
	};
	char name[65];
	u64 va, off;
	size_t i;

	if (!vmcoreinfo_symbol(kernel->in, "init_uts_ns", &va) ||
	    !vmcoreinfo_offset(kernel->in, "uts_namespace.name", &off))
		return;
	vmem_string(kernel->vmem, va + off + 3 * 65, kernel->version, sizeof(kernel->version));
	if (vmem_string(kernel->vmem, va + off + 4 * 65, name, sizeof(name)) < 0)
		return;
	for (i = 0; i < ARRAY_SIZE(machines); i++)
		if (!strcmp(name, machines[i].name))
			kernel->machine = machines[i].machine;
}

static void read_names(struct kernel *kernel)
{
	vmcoreinfo_text(kernel->in, "OSRELEASE", kernel->release, sizeof(kernel->release));
	vmcoreinfo_text(kernel->in, "BUILD-ID", kernel->build_id, sizeof(kernel->build_id));
	vmcoreinfo_hex(kernel->in, "KERNELOFFSET", &kernel->kaslr);
	vmcoreinfo_decimal(kernel->in, "CRASHTIME", &kernel->crash_s);
	check_memory(kernel);
	read_uname(kernel);
}

/* The number of symbols is one in one byte order only. */
static void check_order(struct kernel *kernel)
{
	enum byte_order order = dump_byte_order(kernel->in);
	u32 nr;
	u64 va;

	if (!vmcoreinfo_symbol(kernel->in, "kallsyms_num_syms", &va) ||
	    !vmem_u32(kernel->vmem, va, &nr) || nr <= KALLSYMS_MAX)
		return;
	if (__builtin_bswap32(nr) <= KALLSYMS_MAX && __builtin_bswap32(nr))
		dump_set_byte_order(kernel->in,
				    order == ORDER_BIG ? ORDER_LITTLE : ORDER_BIG);
}

static int read_kernel(struct kernel *kernel, struct err *err)
{
	int ret = dump_vmcoreinfo(kernel->in, NULL) ?
		  vmem_open(&kernel->vmem, kernel->in, err) :
		  vmcoreinfo_search(&kernel->vmem, kernel->in, err);

	if (ret)
		return ret;
	check_order(kernel);
	read_names(kernel);
	/* Why there is none, account.c tells. */
	if (debuginfo_wanted())
		debuginfo_open(&kernel->debuginfo, kernel->build_id, kernel->release, NULL);
	ret = read_symbols_and_types(kernel, err);
	if (ret)
		return ret;
	if (kernel->debuginfo)
		debuginfo_modules(kernel->debuginfo, kernel->modules);
	read_cpus(kernel);
	timekeeping_read(&kernel->clock, kernel->vmem, kernel->kallsyms, kernel->ktypes);
	if (*kernel->clock.why)
		damage_notes_add(&kernel->notes, NOTE_NOWHERE, "%s", kernel->clock.why);
	return read_log(kernel, err);
}

int kernel_open(struct kernel **ret, struct dump *in, struct err *err)
{
	struct kernel *kernel = calloc(1, sizeof(*kernel));
	int res;

	if (!kernel)
		return err_sys(err, "memory for the dumped kernel");
	kernel->in = in;
	kernel->cpu = NO_CPU;
	kernel->pid = -1;
	res = read_kernel(kernel, err);
	if (res)
		kernel_close(kernel);
	else
		*ret = kernel;
	return res;
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
	free(kernel);
}

size_t kernel_symbol(const struct kernel *kernel, u64 addr, char *buf, size_t size)
{
	const struct kernel_module *module;
	struct ksym sym;
	int n;

	if (!kernel)
		return 0;
	if (kallsyms_find(kernel->kallsyms, addr, &sym)) {
		n = snprintf(buf, size, "%s+0x%llx/0x%llx", sym.name, addr - sym.start, sym.size);
	} else {
		module = kernel_modules_at(kernel->modules, addr);
		if (!module || !kernel_modules_find(kernel->modules, module, addr, &sym))
			return 0;
		n = snprintf(buf, size, "%s+0x%llx/0x%llx [%s]", sym.name, addr - sym.start,
			     sym.size, module->name);
	}
	return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

bool kernel_percpu(const struct kernel *kernel, const char *symbol, u32 cpu, u64 *ret)
{
	return percpu_symbol(kernel->vmem, kernel->kallsyms, symbol, cpu, ret);
}
