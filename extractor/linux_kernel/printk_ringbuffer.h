/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's own log (printk's ring buffer, since 5.10) in a dump. VMCOREINFO says where its
 * members lie, so that neither symbols nor types are needed.
 */
#ifndef EPITAPH_LINUX_KERNEL_PRINTK_RINGBUFFER_H
#define EPITAPH_LINUX_KERNEL_PRINTK_RINGBUFFER_H

#include "base/damage_notes.h"
#include "recording/klog.h"
#include "btf.h"
#include "vmem.h"

/**
 * struct klog_record - what one printk() printed
 * @line: its time is 0 until the caller sets it: it needs the clocks
 * @seq: number of the record since the kernel began
 * @local_ns: local_clock()
 * @pid: of the task that ran; -1: unknown
 * @cpu: NO_CPU: unknown. Kernels with CONFIG_PRINTK_EXECUTION_CTX (7.2) have pid and CPU, others
 *	the CPU in interrupts and the pid outside of them.
 * @off: offset of the text in printk_ringbuffer.text
 * @comm: of the task, not escaped; "": unknown
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
 * struct printk_ringbuffer - all records that are left
 * @there: the dump has a log
 * @records: nr records in the order of @seq
 * @nr_uncommitted: were still being written when the kernel ended
 * @nr_textless: their text was overwritten before them, or had no room
 * @nr_damaged: are impossible, or not in the dump
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
 * printk_ringbuffer_read() - read the newest KLOG_MAX_LINES lines or KLOG_MAX_BYTES bytes
 * @ktypes: may be NULL; newer kernels have more about the caller in types that they describe
 * @notes: damage
 *
 * Call printk_ringbuffer_free() afterwards, also on failure. Return: 0, or -ERR_IO without memory.
 */
int printk_ringbuffer_read(struct printk_ringbuffer *log, struct vmem *vmem,
			   const struct kernel_btf *ktypes, struct damage_notes *notes,
			   struct err *err);

void printk_ringbuffer_free(struct printk_ringbuffer *log);

/**
 * printk_ringbuffer_panic() - the panic message, or the title of the oops the kernel died of
 * @buf: one line, terminated, not escaped; "": there is none
 *
 * Return: 0, or -ERR_IO without memory.
 */
int printk_ringbuffer_panic(const struct printk_ringbuffer *log, char *buf, size_t size,
			    struct err *err);

/* Add all lines to a timeline, which @log must outlive. */
int printk_ringbuffer_add(const struct printk_ringbuffer *log, struct aux_events *aux, struct err *err);

#endif
