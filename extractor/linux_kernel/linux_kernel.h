/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: linux_kernel - the dumped kernel, read from its own data structures
 *
 * VMCOREINFO leads to page tables, symbols (kallsyms), types (BTF), modules, the log and the
 * clocks; debuginfo helps where it is configured. docs/kernel-memory.md says what each needs.
 *
 *	struct kernel *kernel;
 *
 *	if (!kernel_open(&kernel, dump, &err)) {
 *		if (kernel_symbol(kernel, address, buf, sizeof(buf)))
 *			puts(buf);
 *		kernel_close(kernel);
 *	}
 *
 * Every part may be missing: a NULL part has nothing, and @notes says why. The dump must outlive
 * the kernel. One thread at a time may use a kernel. Texts are not escaped.
 */
#ifndef EPITAPH_LINUX_KERNEL_LINUX_KERNEL_H
#define EPITAPH_LINUX_KERNEL_LINUX_KERNEL_H

#include "base/damage_notes.h"
#include "event/aux_event.h"
#include "debuginfo.h"
#include "kallsyms.h"
#include "timekeeping.h"
#include "printk_ringbuffer.h"
#include "modules.h"
#include "btf.h"
#include "vmem.h"

#define KERNEL_SYMBOL_MAX (KALLSYMS_NAME_MAX + KMODULE_NAME_MAX + 48)

/**
 * struct kernel - all that is known of the dumped kernel
 * @debuginfo: NULL: none is configured, or none fits
 * @kallsyms: NULL: no symbols
 * @ktypes: NULL: no types
 * @modules: NULL: none, or unknown
 * @clock: says itself which part is unknown
 * @log: its lines; their times are converted as far as @clock can
 * @release: "" if VMCOREINFO does not have it
 * @version: as in struct new_utsname; "" if it cannot be read
 * @machine: as in an ELF header; 0: unknown
 * @build_id: in hex; "" if VMCOREINFO does not have it
 * @kaslr: how far the kernel was moved; 0: not at all, or unknown
 * @nr_cpu_ids: all CPU numbers are lower; 0: unknown
 * @nr_online: CPUs that ran; 0: unknown
 * @cpu: the CPU that crashed; NO_CPU: unknown
 * @pid: of the task on @cpu; -1: unknown
 * @comm: of the task on @cpu
 * @panic: the panic message of the log; "" if there is none
 * @crash_s: UTC of the crash in seconds, by VMCOREINFO; 0: unknown
 * @is_capture: it was started by a crash, to save the memory of another
 * @notes: what is missing or damaged
 * @kept: it is made of memory that the recorder kept (kept_kernel.h), and has no @dump; NULL: it is not
 */
struct kernel {
	struct dump *dump;
	struct vmem *vmem;
	struct debuginfo *debuginfo;
	struct kallsyms *kallsyms;
	struct kernel_btf *ktypes;
	struct kernel_modules *modules;
	struct timekeeping clock;
	struct printk_ringbuffer log;
	char release[65];
	char version[65];
	u32 machine;
	char build_id[65];
	u64 kaslr;
	u32 nr_cpu_ids;
	u32 nr_online;
	u32 cpu;
	s64 pid;
	char comm[17];
	char panic[257];
	u64 crash_s;
	bool is_capture;
	struct damage_notes notes;
	struct kept_symbols *kept;
};

/**
 * kernel_open() - find out what the dump has of its kernel
 * @ret: for kernel_close(); set only on success
 * @dump: must outlive the kernel
 *
 * Return: 0, also if symbols, types or other parts are missing: see @notes; -ERR_NOT_OURS or
 *	-ERR_CORRUPT if its virtual memory cannot be read; -ERR_IO without memory.
 */
int kernel_open(struct kernel **ret, struct dump *dump, struct err *err);

/* @kernel may be NULL. */
void kernel_close(struct kernel *kernel);

/**
 * kernel_symbol() - the name of an address: "name+0x1/0x20", or with " [module]"
 * @kernel: NULL has no names
 * @buf: terminated, not escaped
 *
 * Return: the length of the name; 0: the address has none.
 */
size_t kernel_symbol(const struct kernel *kernel, u64 addr, char *buf, size_t size);

/*
 * The same of a return address: it belongs to the call before it, which may be the last
 * instruction of its function.
 */
size_t kernel_caller(const struct kernel *kernel, u64 addr, char *buf, size_t size);

/* The address of @cpu's copy of a per-CPU variable. */
bool kernel_percpu(const struct kernel *kernel, const char *symbol, u32 cpu, u64 *ret);

/* The same of a variable that was allocated; @symbol is the pointer to it. */
bool kernel_percpu_pointer(const struct kernel *kernel, const char *symbol, u32 cpu, u64 *ret);

/* The same of one whose pointer is @va. */
bool kernel_percpu_at(const struct kernel *kernel, u64 va, u32 cpu, u64 *ret);

/**
 * kernel_open_module_types() - the types of a module
 * @module: its name
 * @ret: for kernel_btf_close(), before kernel_close(); set only on success
 *
 * Return: 0; -ERR_NOT_OURS if the module has none, -ERR_CORRUPT if they are damaged or not all
 *	there; -ERR_IO without memory.
 */
int kernel_open_module_types(const struct kernel *kernel, const char *module, struct kernel_btf **ret,
			     struct err *err);

#endif
