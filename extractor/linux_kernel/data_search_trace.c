// SPDX-License-Identifier: GPL-2.0-or-later
/* Search for the heads of the kernel's own trace; see docs/ftrace.md. */
#include <string.h>

#include "data_search_impl.h"

#define LIST_MAX	65536
#define PAGE		4096U

/* Find the head of a list: the node in the image that is no member by @is_member. */
static bool find_list_head(const struct data_search_image *image, u64 node, u32 list,
		      bool (*is_member)(const struct data_search_image *image, u64 va), u64 *ret)
{
	u32 i;

	for (i = 0; i < LIST_MAX; i++) {
		if (data_search_is_in(image, node) && !is_member(image, node - list)) {
			*ret = node;
			return true;
		}
		if (!data_search_pointer(image, node, &node))
			return false;
	}
	return false;
}

/* A function begins there, or may do, as far as the symbols are lost. */
static bool is_clock_function(const struct data_search_image *image, u64 va)
{
	struct ksym sym;

	if (kallsyms_begins(image->kallsyms, va))
		return true;
	return kallsyms_lost(image->kallsyms) && data_search_is_in(image, va) &&
	       !kallsyms_find(image->kallsyms, va, &sym);
}

/* The buffer of a struct trace_array points back to it, and to a function for its clock. */
static bool is_trace_array(const struct data_search_image *image, u64 va)
{
	u32 in, tr, buffer, clock;
	u64 self, at, func;

	return data_search_offset(image, "trace_array", "array_buffer", KKIND_STRUCT, &in) &&
	       data_search_offset(image, "array_buffer", "tr", KKIND_POINTER, &tr) &&
	       data_search_offset(image, "array_buffer", "buffer", KKIND_POINTER, &buffer) &&
	       data_search_offset(image, "trace_buffer", "clock", KKIND_POINTER, &clock) &&
	       data_search_pointer(image, va + in + tr, &self) && self == va &&
	       data_search_pointer(image, va + in + buffer, &at) &&
	       data_search_pointer(image, at + clock, &func) &&
	       is_clock_function(image, func);
}

/* The class of a struct trace_event_call begins with the name of the trace system. */
static bool is_call(const struct data_search_image *image, u64 va)
{
	char system[DATA_SEARCH_NAME_MAX];
	u64 class, name;
	u32 off;

	if (!data_search_offset(image, "trace_event_call", "class", KKIND_POINTER, &off) ||
	    !data_search_pointer(image, va + off, &class) || !vmem_u64(image->vmem, class, &name))
		return false;
	return data_search_is_word(system, vmem_string(image->vmem, name, system, sizeof(system)));
}

static void learn_events(struct data_search_image *image, u64 tr)
{
	u32 events, call, list;
	u64 file, event, head;

	if (!data_search_knows(image, "ftrace_events") &&
	    data_search_offset(image, "trace_array", "events", KKIND_STRUCT, &events) &&
	    data_search_offset(image, "trace_event_file", "event_call", KKIND_POINTER, &call) &&
	    data_search_offset(image, "trace_event_call", "list", KKIND_STRUCT, &list) &&
	    data_search_pointer(image, tr + events, &file) &&
	    data_search_pointer(image, file + call, &event) &&
	    find_list_head(image, event + list, list, is_call, &head))
		data_search_learn(image, "ftrace_events", head);
}

static void learn_arrays(struct data_search_image *image)
{
	u32 buffer, tr, list;
	u64 off, va, head;

	if ((data_search_knows(image, "ftrace_trace_arrays") && data_search_knows(image, "ftrace_events")) ||
	    !data_search_offset(image, "trace_array", "array_buffer", KKIND_STRUCT, &buffer) ||
	    !data_search_offset(image, "array_buffer", "tr", KKIND_POINTER, &tr) ||
	    !data_search_offset(image, "trace_array", "list", KKIND_STRUCT, &list))
		return;
	for (off = 0; off + 8 <= image->bytes.size; off += 8) {
		va = image->start + off - buffer - tr;
		if (bytes_u64(&image->bytes, off) != va || !is_trace_array(image, va) ||
		    !find_list_head(image, va + list, list, is_trace_array, &head))
			continue;
		data_search_learn(image, "ftrace_trace_arrays", head);
		return learn_events(image, va);
	}
}

static bool text_is(const struct data_search_image *image, u64 va, const char *name)
{
	char found[DATA_SEARCH_NAME_MAX];

	return vmem_string(image->vmem, va, found, sizeof(found)) > 0 && !strcmp(found, name);
}

/* The list of the fields that all events have; the first member is the last that was added. */
static void learn_common_fields(struct data_search_image *image)
{
	u64 off, field, back, name;
	u32 link, name_off;

	if (data_search_knows(image, "ftrace_common_fields") ||
	    !data_search_offset(image, "ftrace_event_field", "link", KKIND_STRUCT, &link) ||
	    !data_search_offset(image, "ftrace_event_field", "name", KKIND_POINTER, &name_off))
		return;
	for (off = 0; off + 16 <= image->bytes.size; off += 8) {
		u64 va = image->start + off;

		field = bytes_u64(&image->bytes, off);
		if (field % 8 || data_search_is_in(image, field) || field < 1ULL << 20 ||
		    bytes_u64(&image->bytes, off + 8) < 1ULL << 20 ||
		    !data_search_pointer(image, field + 8, &back) || back != va ||
		    !data_search_pointer(image, field - link + name_off, &name) ||
		    !text_is(image, name, "common_pid"))
			continue;
		return data_search_learn(image, "ftrace_common_fields", va);
	}
}

/* Names of tasks: the slot of a pid leads back to the same pid. */
static bool is_savedcmd(const struct data_search_image *image, u64 va)
{
	u32 pids, nr_off, map, i, back, nr_right = 0;
	u64 table, nr, pid;

	if (!data_search_offset(image, "saved_cmdlines_buffer", "map_cmdline_to_pid", KKIND_POINTER,
				&pids) ||
	    !data_search_offset(image, "saved_cmdlines_buffer", "cmdline_num", KKIND_INT, &nr_off) ||
	    !data_search_offset(image, "saved_cmdlines_buffer", "map_pid_to_cmdline", KKIND_ARRAY, &map) ||
	    !data_search_pointer(image, va + pids, &table) ||
	    !vmem_number(image->vmem, va + nr_off, 4, &nr))
		return false;
	for (i = 0; i < nr && i < 128; i++) {
		if (!vmem_number(image->vmem, table + 4ULL * i, 4, &pid))
			return false;
		if (!pid || pid > 32768)
			continue;
		if (!vmem_u32(image->vmem, va + map + 4 * pid, &back) || back != i)
			return false;
		nr_right += i > 0;
	}
	return nr_right > 0;
}

static void learn_savedcmd(struct data_search_image *image)
{
	u64 off, at;

	if (data_search_knows(image, "savedcmd"))
		return;
	for (off = 0; off + 8 <= image->bytes.size; off += 8) {
		at = bytes_u64(&image->bytes, off);
		if (at && at % PAGE == 0 && !data_search_is_in(image, at) && is_savedcmd(image, at))
			return data_search_learn(image, "savedcmd", image->start + off);
	}
}

/*
 * The table of clocks: three words for each, a function, its name and whether it counts ns. The
 * names of the first ones have not changed since 3.10.
 */
static void learn_trace_clocks(struct data_search_image *image)
{
	static const char * const names[] = { "local", "global", "counter" };
	const u64 entry = 24;
	u64 off;
	u32 i;

	if (!kallsyms_lost(image->kallsyms) || data_search_knows(image, "trace_clocks"))
		return;
	for (off = 0; off + ARRAY_SIZE(names) * entry <= image->bytes.size; off += 8) {
		for (i = 0; i < ARRAY_SIZE(names); i++) {
			u64 func = bytes_u64(&image->bytes, off + i * entry);
			u64 name = bytes_u64(&image->bytes, off + i * entry + 8);

			if (!data_search_is_in(image, func) || !data_search_is_in(image, name) ||
			    !text_is(image, name, names[i]))
				break;
		}
		if (i == ARRAY_SIZE(names))
			return data_search_learn(image, "trace_clocks", image->start + off);
	}
}

void data_search_trace(struct data_search_image *image)
{
	learn_arrays(image);
	learn_common_fields(image);
	learn_savedcmd(image);
	learn_trace_clocks(image);
}
