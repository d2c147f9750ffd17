// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel_layout.h"

#include <string.h>

/* @before: what it was called; @needed: nothing can be read without. */
static const struct {
	const char *type;
	const char *path;
	const char *before;
	bool needed;
} members[] = {
	[ARRAY_LIST] = { "trace_array", "list", NULL, true },
	[ARRAY_NAME] = { "trace_array", "name", NULL, false },
	[ARRAY_BUFFER] = { "trace_array", "array_buffer.buffer", NULL, true },
	[ARRAY_SNAPSHOT] = { "trace_array", "snapshot_buffer.buffer", "max_buffer.buffer", false },
	[ARRAY_HAS_SNAPSHOT] = { "trace_array", "allocated_snapshot", NULL, false },
	[ARRAY_TEXT_DELTA] = { "trace_array", "text_delta", NULL, false },
	[ARRAY_FLAGS] = { "trace_array", "flags", NULL, false },
	[BUFFER_CPUS] = { "trace_buffer", "cpus", NULL, false },
	[BUFFER_BUFFERS] = { "trace_buffer", "buffers", NULL, true },
	[BUFFER_CLOCK] = { "trace_buffer", "clock", NULL, false },
	[BUFFER_ORDER] = { "trace_buffer", "subbuf_order", NULL, false },
	[CPU_PAGES] = { "ring_buffer_per_cpu", "pages", NULL, true },
	[CPU_NR_PAGES] = { "ring_buffer_per_cpu", "nr_pages", NULL, true },
	[CPU_HEAD] = { "ring_buffer_per_cpu", "head_page", NULL, true },
	[CPU_COMMIT] = { "ring_buffer_per_cpu", "commit_page", NULL, true },
	[CPU_READER] = { "ring_buffer_per_cpu", "reader_page", NULL, true },
	[CPU_ENTRIES] = { "ring_buffer_per_cpu", "entries", NULL, false },
	[CPU_OVERRUN] = { "ring_buffer_per_cpu", "overrun", NULL, false },
	[CPU_COMMIT_OVERRUN] = { "ring_buffer_per_cpu", "commit_overrun", NULL, false },
	[CPU_DROPPED] = { "ring_buffer_per_cpu", "dropped_events", NULL, false },
	[CPU_READ] = { "ring_buffer_per_cpu", "read", NULL, false },
	[PAGE_LIST] = { "buffer_page", "list", NULL, true },
	[PAGE_WRITE] = { "buffer_page", "write", NULL, false },
	[PAGE_READ] = { "buffer_page", "read", NULL, false },
	[PAGE_ENTRIES] = { "buffer_page", "entries", NULL, false },
	[PAGE_PAGE] = { "buffer_page", "page", NULL, true },
	[CALL_LIST] = { "trace_event_call", "list", NULL, false },
	[CALL_CLASS] = { "trace_event_call", "class", NULL, false },
	[CALL_NAME] = { "trace_event_call", "name", NULL, false },
	[CALL_TYPE] = { "trace_event_call", "event.type", NULL, false },
	[CALL_PRINT] = { "trace_event_call", "print_fmt", NULL, false },
	[CALL_FLAGS] = { "trace_event_call", "flags", NULL, false },
	[CALL_DATA] = { "trace_event_call", "data", NULL, false },
	[CLASS_SYSTEM] = { "trace_event_class", "system", NULL, false },
	[CLASS_GET_FIELDS] = { "trace_event_class", "get_fields", NULL, false },
	[CLASS_FIELDS] = { "trace_event_class", "fields", NULL, false },
	[FIELD_LINK] = { "ftrace_event_field", "link", NULL, false },
	[FIELD_NAME] = { "ftrace_event_field", "name", NULL, false },
	[FIELD_TYPE] = { "ftrace_event_field", "type", NULL, false },
	[FIELD_OFFSET] = { "ftrace_event_field", "offset", NULL, false },
	[FIELD_SIZE] = { "ftrace_event_field", "size", NULL, false },
	[FIELD_SIGNED] = { "ftrace_event_field", "is_signed", NULL, false },
	[FIELD_LEN] = { "ftrace_event_field", "len", NULL, false },
	[PROBED_CALL] = { "trace_probe_event", "call", NULL, false },
	[PROBED_PROBES] = { "trace_probe_event", "probes", NULL, false },
	[PROBE_LINK] = { "trace_probe", "list", NULL, false },
	[EVENT_PROBE] = { "trace_eprobe", "tp", NULL, false },
	[EVENT_PROBED] = { "trace_eprobe", "event", NULL, false },
	[TRACEPOINT_NAME] = { "tracepoint", "name", NULL, false },
	[SYSCALL_NAME] = { "syscall_metadata", "name", NULL, false },
	[SYSCALL_NR_ARGS] = { "syscall_metadata", "nb_args", NULL, false },
	[SYSCALL_ARGS] = { "syscall_metadata", "args", NULL, false },
	[SYSCALL_FIELDS] = { "syscall_metadata", "enter_fields", NULL, false },
	[SYSCALL_USER_MASK] = { "syscall_metadata", "user_mask", NULL, false },
	[SYSCALL_USER_SIZE] = { "syscall_metadata", "user_arg_size", NULL, false },
	[SYSCALL_USER_TEXT] = { "syscall_metadata", "user_arg_is_str", NULL, false },
	[COMMS_PIDS] = { "saved_cmdlines_buffer", "map_cmdline_to_pid", NULL, false },
	[COMMS_NR] = { "saved_cmdlines_buffer", "cmdline_num", NULL, false },
	[COMMS_TEXT] = { "saved_cmdlines_buffer", "saved_cmdlines", NULL, false },
};

const char *ftrace_layout_read(struct ftrace_memory *mem)
{
	const char *lacking = NULL;
	u32 i;

	for (i = 0; i < FTRACE_NR_MEMBERS; i++) {
		const char *type = members[i].type;

		mem->is_there[i] = kernel_btf_member(mem->types, type, members[i].path, &mem->at[i]) ||
				   (members[i].before &&
				    kernel_btf_member(mem->types, type, members[i].before, &mem->at[i]));
		if (!mem->is_there[i] && members[i].needed && !lacking)
			lacking = members[i].path;
	}
	return lacking;
}

bool ftrace_get(const struct ftrace_memory *mem, u64 base, enum ftrace_member member, u64 *ret)
{
	const struct btf_member_place *at = &mem->at[member];

	if (!base || !mem->is_there[member])
		return false;
	return at->nr_bits ? vmem_bits(mem->vmem, base + at->offset, at->bit, at->nr_bits, ret) :
			     vmem_number(mem->vmem, base + at->offset, at->size, ret);
}

u64 ftrace_value(const struct ftrace_memory *mem, u64 base, enum ftrace_member member)
{
	u64 value;

	return ftrace_get(mem, base, member, &value) ? value : 0;
}

bool ftrace_string(const struct ftrace_memory *mem, u64 base, enum ftrace_member member,
		 char *buf, size_t size)
{
	u64 at;

	*buf = 0;
	return ftrace_get(mem, base, member, &at) && at &&
	       vmem_string(mem->vmem, at, buf, size) >= 0;
}
