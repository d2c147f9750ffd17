/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's own log buffer (printk's ring, since 5.10), out of its dump.
 * VMCOREINFO says where everything is; neither symbols nor types are needed.
 */
#ifndef EPITAPH_LINUX_KERNEL_PRINTK_RINGBUFFER_H
#define EPITAPH_LINUX_KERNEL_PRINTK_RINGBUFFER_H

#include "base/damage_notes.h"
#include "recording/klog.h"
#include "btf.h"
#include "vmem.h"

/**
 * struct klog_record - what one printk() said
 * @line: as told; its time is set by whoever knows the clocks
 * @seq: its number since the kernel began
 * @local_ns: local_clock()
 * @pid: of the task that ran; -1: unknown
 * @cpu: NO_CPU: unknown; kernels with CONFIG_PRINTK_EXECUTION_CTX (7.2) tell both, others the CPU
 *	only in interrupts, and the task only outside of them
 * @comm: its name, not escaped; "": unknown
 * @off: of its text in klog_dump.text
 */
struct klog_record {
	struct klog_line line;
	u64 seq;
	u64 local_ns;
	s64 pid;
	u32 cpu;
	u32 off;
	char comm[17];
};

/**
 * struct printk_ringbuffer - all that is left
 * @there: a log buffer was found
 * @records: nr of them, by @seq
 * @nr_uncommitted: somebody was still writing when the kernel ended
 * @nr_textless: their text was overwritten before they were, or found no room
 * @nr_damaged: what cannot be a record, or is not in the dump
 */
struct printk_ringbuffer {
	bool there;
	char *text;
	struct klog_record *records;
	u32 nr;
	u32 nr_uncommitted;
	u32 nr_textless;
	u32 nr_damaged;
};

/**
 * printk_ringbuffer_read() - read what is finished, up to KLOG_MAX_LINES and KLOG_MAX_BYTES, the newest
 * @ktypes: may be NULL; says where newer kernels have more about the caller
 * @notes: what lacks
 *
 * printk_ringbuffer_free() is needed afterwards in any case.  Return: 0, or -ERR_IO without memory.
 */
int printk_ringbuffer_read(struct printk_ringbuffer *log, struct vmem *vmem, const struct kernel_btf *ktypes,
			   struct damage_notes *notes, struct err *err);

void printk_ringbuffer_free(struct printk_ringbuffer *log);

/**
 * printk_ringbuffer_panic() - the last words: the panic's message, or what the kernel died of
 * @buf: one line, terminated, not escaped; "": there are none
 *
 * Return: 0, or -ERR_IO without memory.
 */
int printk_ringbuffer_panic(const struct printk_ringbuffer *log, char *buf, size_t size, struct err *err);

#endif
