/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dumped kernel: what its own structures tell, without its debuginfo.
 * docs/kernel-memory.md says what that needs and what is said where it lacks.
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
 * struct kernel - what is known of it
 * @debuginfo: NULL: nobody named a place that has it
 * @kallsyms: NULL: no symbols
 * @ktypes: NULL: no types
 * @modules: NULL: none, or not known
 * @clock: see kclock.h; it says itself what is not known
 * @log: its lines, their times converted as far as @clock can
 * @release, @build_id: "" if VMCOREINFO has none; the latter in hex
 * @version: as uname has it; "" if it cannot be read, and so
 * @machine: as in an ELF header; 0
 * @kaslr: how far it was moved; 0: not, or unknown
 * @nr_cpu_ids: CPU numbers are below; 0: unknown
 * @nr_online: CPUs that ran; 0: unknown
 * @cpu: which went down; NO_CPU: unknown
 * @pid: of the task that ran there; -1: unknown
 * @comm: its name, not escaped
 * @panic: the last words of the log, not escaped; "" if there are none
 * @crash_s: UTC of the crash in seconds, as the crash path noted it; 0: it did not
 * @notes: what lacks, in words
 */
struct kernel {
	struct dump *in;
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
	struct damage_notes notes;
};

/**
 * kernel_open() - find out what the dump has of its kernel
 * @ret: for kernel_close(); set only on success
 * @in: must outlive it
 *
 * Return: 0, also where symbols, types or anything else lack: see @notes;
 *	-ERR_NOT_OURS or -ERR_CORRUPT where not even its memory can be read, and
 *	the message says why; -ERR_IO without memory.
 */
int kernel_open(struct kernel **ret, struct dump *in, struct err *err);

/* NULL is fine. */
void kernel_close(struct kernel *kernel);

/**
 * kernel_symbol() - the name of an address: "name+0x1/0x20", or with " [module]"
 * @kernel: NULL: it has no names
 * @buf: terminated, not escaped
 *
 * Return: its length; 0 if it is of none.
 */
size_t kernel_symbol(const struct kernel *kernel, u64 addr, char *buf, size_t size);

/* Where @cpu has its copy of a per-CPU variable. */
bool kernel_percpu(const struct kernel *kernel, const char *symbol, u32 cpu, u64 *ret);

/* kernel_add_log() - give each line of its log a place in a timeline; @kernel must outlive it */
int kernel_add_log(const struct kernel *kernel, struct aux_events *extras, struct err *err);

#endif
