/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the dumped kernel's structs have what its trace is read from.
 *
 * Members are asked for by name, once, and may be missing: every kernel has
 * others.  docs/ftrace.md says which version brought or took what.
 */
#ifndef EPITAPH_FTRACE_KERNEL_LAYOUT_H
#define EPITAPH_FTRACE_KERNEL_LAYOUT_H

#include "base/byte_reader.h"
#include "linux_kernel/kallsyms.h"
#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"

enum ftrace_member {
	ARRAY_LIST,		/* struct recording_array */
	ARRAY_NAME,
	ARRAY_BUFFER,
	ARRAY_SNAPSHOT,		/* snapshot_buffer from 7.0 on, max_buffer before */
	ARRAY_HAS_SNAPSHOT,
	ARRAY_TEXT_DELTA,	/* from 6.12 on */
	ARRAY_FLAGS,
	BUFFER_CPUS,		/* struct recording_buffer; gone in 7.2 */
	BUFFER_BUFFERS,
	BUFFER_CLOCK,
	BUFFER_ORDER,		/* of a sub-buffer; from 6.8 on */
	CPU_PAGES,		/* struct ring_buffer_per_cpu */
	CPU_NR_PAGES,
	CPU_HEAD,
	CPU_COMMIT,
	CPU_READER,
	CPU_ENTRIES,
	CPU_OVERRUN,
	CPU_COMMIT_OVERRUN,
	CPU_DROPPED,
	CPU_READ,
	PAGE_LIST,		/* struct buffer_page */
	PAGE_WRITE,
	PAGE_READ,
	PAGE_ENTRIES,
	PAGE_PAGE,
	CALL_LIST,		/* struct recording_event_call */
	CALL_CLASS,
	CALL_NAME,
	CALL_TYPE,
	CALL_PRINT,
	CALL_FLAGS,
	CALL_DATA,
	CLASS_SYSTEM,		/* struct recording_event_class */
	CLASS_GET_FIELDS,
	CLASS_FIELDS,
	FIELD_LINK,		/* struct ftrace_event_field */
	FIELD_NAME,
	FIELD_TYPE,
	FIELD_OFFSET,
	FIELD_SIZE,
	FIELD_SIGNED,
	FIELD_LEN,
	PROBED_CALL,		/* struct trace_probe_event */
	PROBED_PROBES,
	PROBE_LINK,		/* struct trace_probe */
	EVENT_PROBE,		/* struct trace_eprobe; from 5.15 on */
	EVENT_PROBED,
	TRACEPOINT_NAME,
	SYSCALL_NAME,		/* struct syscall_metadata */
	SYSCALL_NR_ARGS,
	SYSCALL_ARGS,
	SYSCALL_FIELDS,
	SYSCALL_USER_MASK,	/* arguments of which what they point to is recorded; from 6.19 on */
	SYSCALL_USER_SIZE,	/* the argument that says how much, or less than 0 */
	SYSCALL_USER_TEXT,	/* and it is text */
	COMMS_PIDS,		/* struct saved_cmdlines_buffer */
	COMMS_NR,
	COMMS_TEXT,
	FTRACE_NR_MEMBERS,
};

/**
 * struct ftrace_memory - the dumped kernel, and where its structs have what
 * @vmem, @kallsyms, @types: NULL without a kernel
 * @in: what all is in
 * @order: of its bytes
 * @at: by enum ftrace_member; what this kernel lacks has neither size nor offset
 * @is_there: by the same
 */
struct ftrace_memory {
	struct dump *in;
	struct vmem *vmem;
	struct kallsyms *kallsyms;
	const struct kernel_btf *types;
	enum byte_order order;
	struct btf_member_place at[FTRACE_NR_MEMBERS];
	bool is_there[FTRACE_NR_MEMBERS];
};

/* The caller's first four filled in.  Return: the first member lacking that nothing can be read without, or NULL. */
const char *ftrace_layout_read(struct ftrace_memory *mem);

/* A number, pointers and local_t included, of the struct at @base; false: not in the dump, or no such member. */
bool ftrace_get(const struct ftrace_memory *mem, u64 base, enum ftrace_member member, u64 *ret);

/* The same; 0 where it is not. */
u64 ftrace_value(const struct ftrace_memory *mem, u64 base, enum ftrace_member member);

/* A string that a member points to, cut to @size - 1; false, and "", if it cannot be had. */
bool ftrace_string(const struct ftrace_memory *mem, u64 base, enum ftrace_member member,
		 char *buf, size_t size);

#endif
