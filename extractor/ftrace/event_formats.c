// SPDX-License-Identifier: GPL-2.0-or-later
#include "event_formats.h"

#include <stdlib.h>
#include <string.h>

#include "base/cycle_check.h"
#include "base/strbuf.h"

#define MAX_EVENTS	32768
#define MAX_FIELDS	256
#define MAX_NAME	256
#define MAX_PRINT	(256U << 10)	/* a probe's arrays name each element */

/* @system: of systems[] */
struct call {
	u64 va;
	u64 class;
	u32 id;
	u32 system;
};

struct system {
	u64 va;
	char name[64];
};

struct ftrace_formats {
	const struct ftrace_memory *mem;
	struct damage_notes *notes;
	struct call *calls;
	u32 nr_calls;
	u32 by_id[IDS_MAX];	/* index + 1 */
	struct system *systems[1024];	/* each stays where it is */
	u32 nr_systems;
	u64 enter_fields;	/* syscall_get_enter_fields() */
	s64 is_tracepoint;
	s64 is_custom;
	s64 is_event_probe;
};

/* "field:TYPE NAME[LEN];	offset:..." as the kernel's format files have it. false: it is not all there. */
static bool put_format_field(struct strbuf *text, const struct ftrace_memory *mem, u64 field)
{
	char type[MAX_NAME], name[MAX_NAME];
	u32 len = ftrace_value(mem, field, FIELD_LEN);
	const char *array;

	if (!ftrace_string(mem, field, FIELD_TYPE, type, sizeof(type)) || !*type ||
	    !ftrace_string(mem, field, FIELD_NAME, name, sizeof(name)) || !*name)
		return false;
	array = strncmp(type, "__data_loc", 10) ? strchr(type, '[') : NULL;
	if (!array)
		strbuf_put(text, "\tfield:%s %s;", type, name);
	else if (len)
		strbuf_put(text, "\tfield:%.*s %s[%u];", (int)(array - type), type, name, len);
	else
		strbuf_put(text, "\tfield:%.*s %s%s;", (int)(array - type), type, name, array);
	strbuf_put(text, "\toffset:%u;\tsize:%u;\tsigned:%u;\n", (u32)ftrace_value(mem, field, FIELD_OFFSET),
	    (u32)ftrace_value(mem, field, FIELD_SIZE), !!ftrace_value(mem, field, FIELD_SIGNED));
	return true;
}

/* A list of fields, the last one first. */
static bool put_format_fields(struct strbuf *text, const struct ftrace_memory *mem, u64 list)
{
	u64 at = list;
	u32 n;

	for (n = 0; n <= MAX_FIELDS; n++) {
		if (!vmem_u64(mem->vmem, at + 8, &at) || !at)
			return false;
		if (at == list)
			return true;
		if (!put_format_field(text, mem, at - mem->at[FIELD_LINK].offset))
			return false;
	}
	return false;
}

static bool fields_of(const struct ftrace_formats *ff, const struct call *call, u64 *list)
{
	const struct ftrace_memory *mem = ff->mem;
	u64 get = ftrace_value(mem, call->class, CLASS_GET_FIELDS);
	u64 data;

	if (!get) {
		*list = call->class + mem->at[CLASS_FIELDS].offset;
		return mem->is_there[CLASS_FIELDS];
	}
	if (get != ff->enter_fields || !mem->is_there[SYSCALL_FIELDS] ||
	    !ftrace_get(mem, call->va, CALL_DATA, &data) || !data)
		return false;
	*list = data + mem->at[SYSCALL_FIELDS].offset;
	return true;
}

static bool event_name(const struct ftrace_formats *ff, u64 call, char *name, size_t size)
{
	u64 flags = ftrace_value(ff->mem, call, CALL_FLAGS);
	u64 tp = ftrace_value(ff->mem, call, CALL_NAME);

	if ((flags & ff->is_tracepoint) && !(flags & ff->is_custom))
		return ftrace_string(ff->mem, tp, TRACEPOINT_NAME, name, size) && *name;
	return ftrace_string(ff->mem, call, CALL_NAME, name, size) && *name;
}

/* "system.name" of the event that a probe is on; false: what leads there is not in the dump. */
static bool probed_event(const struct ftrace_formats *ff, u64 call, char *name, size_t size)
{
	const struct ftrace_memory *mem = ff->mem;
	u64 probe, probed;
	size_t len;

	if (!mem->is_there[PROBED_CALL] || !mem->is_there[PROBED_PROBES] || !mem->is_there[PROBE_LINK] ||
	    !mem->is_there[EVENT_PROBE] ||
	    !vmem_u64(mem->vmem, call - mem->at[PROBED_CALL].offset + mem->at[PROBED_PROBES].offset, &probe))
		return false;
	probe -= mem->at[PROBE_LINK].offset + mem->at[EVENT_PROBE].offset;
	probed = ftrace_value(mem, probe, EVENT_PROBED);
	if (!probed || !ftrace_string(mem, ftrace_value(mem, probed, CALL_CLASS), CLASS_SYSTEM, name, size))
		return false;
	len = strlen(name);
	if (len + 2 >= size)
		return false;
	name[len] = '.';
	return event_name(ff, probed, name + len + 1, size - len - 1);
}

/* What the kernel prints with; of a probe on an event, with the event, which the kernel prints and its format lacks. */
static void put_print(struct strbuf *text, const struct ftrace_formats *ff, u64 call, const char *print)
{
	char name[2 * MAX_NAME] = "[event lost]";

	strbuf_put(text, "\nprint fmt: ");
	if ((ftrace_value(ff->mem, call, CALL_FLAGS) & ff->is_event_probe) && *print == '"') {
		if (!probed_event(ff, call, name, sizeof(name)) || strcspn(name, "\"\\%") != strlen(name))
			strcpy(name, "[event lost]");
		strbuf_put(text, "\"(%s)", name);
		print++;
	}
	strbuf_put(text, "%s\n", print);
}

static char *make_text(void *priv, u32 id)
{
	struct ftrace_formats *ff = priv;
	struct strbuf text = { 0 };
	const struct call *call;
	char name[MAX_NAME];
	u64 common, fields;
	char *made, *print;
	bool whole;

	if (id >= IDS_MAX || !ff->by_id[id])
		return NULL;
	call = &ff->calls[ff->by_id[id] - 1];
	if (!event_name(ff, call->va, name, sizeof(name)) || !fields_of(ff, call, &fields) ||
	    !kallsyms_address(ff->mem->kallsyms, "ftrace_common_fields", &common))
		return NULL;
	strbuf_put(&text, "name: %s\nID: %u\nformat:\n", name, id);
	whole = put_format_fields(&text, ff->mem, common);
	strbuf_put(&text, "\n");
	whole = whole && put_format_fields(&text, ff->mem, fields);
	print = malloc(MAX_PRINT);
	whole = whole && print && ftrace_string(ff->mem, call->va, CALL_PRINT, print, MAX_PRINT);
	if (whole)
		put_print(&text, ff, call->va, print);
	free(print);
	made = strbuf_take(&text);
	if (whole)
		return made;
	free(made);
	return NULL;
}

/* Few systems have all events: their names are read once. */
static const char *system_of(struct ftrace_formats *ff, u64 class, u32 *ret)
{
	u64 va = ftrace_value(ff->mem, class, CLASS_SYSTEM);
	struct system *system;
	u32 i;

	for (i = ff->nr_systems; i > 0; i--)
		if (ff->systems[i - 1]->va == va)
			return *ret = i - 1, ff->systems[i - 1]->name;
	if (ff->nr_systems == ARRAY_SIZE(ff->systems))
		return NULL;
	system = calloc(1, sizeof(*system));
	if (!system)
		return NULL;
	system->va = va;
	if (vmem_string(ff->mem->vmem, va, system->name, sizeof(system->name)) <= 0)
		return free(system), NULL;
	*ret = ff->nr_systems;
	ff->systems[ff->nr_systems++] = system;
	return system->name;
}

/* Of system calls, only the classes of entries have a function that gets the fields. */
static void learn_enter_fields(struct ftrace_formats *ff, const char *system, u64 class)
{
	if (!ff->enter_fields && !strcmp(system, "syscalls"))
		ff->enter_fields = ftrace_value(ff->mem, class, CLASS_GET_FIELDS);
}

/* false: no memory. */
static bool take_call(struct ftrace_formats *ff, struct formats *formats, u64 va)
{
	struct call call = { .va = va };
	const char *system;
	char name[MAX_NAME];

	call.class = ftrace_value(ff->mem, va, CALL_CLASS);
	call.id = ftrace_value(ff->mem, va, CALL_TYPE);
	system = system_of(ff, call.class, &call.system);
	if (!system || !call.id || call.id >= IDS_MAX || !event_name(ff, va, name, sizeof(name)))
		return true;
	learn_enter_fields(ff, system, call.class);
	if (!formats_add(formats, call.id, system, name, strlen(name), NULL))
		return false;
	ff->calls[ff->nr_calls++] = call;
	ff->by_id[call.id] = ff->nr_calls;
	return true;
}

static int take_calls(struct ftrace_formats *ff, struct formats *formats, u64 list, struct err *err)
{
	struct passed passed = { .place = 0 };
	u64 at = list;
	u32 n;

	for (n = 0; n < MAX_EVENTS; n++) {
		if (!vmem_u64(ff->mem->vmem, at, &at) || !at || passed_before(&passed, at))
			break;
		if (at == list)
			return 0;
		if (!take_call(ff, formats, at - ff->mem->at[CALL_LIST].offset))
			return err_sys(err, "memory for event formats");
	}
	formats_note(formats, NOTE_NOWHERE, "the kernel's list of events is cut off");
	return 0;
}

int ftrace_formats_read(struct ftrace_formats **ret, struct formats *formats,
			const struct ftrace_memory *mem, struct damage_notes *notes, struct err *err)
{
	struct ftrace_formats *ff = calloc(1, sizeof(*ff));
	u64 list;

	if (!ff)
		return err_sys(err, "memory for event formats");
	*ret = ff;
	ff->mem = mem;
	ff->notes = notes;
	ff->calls = calloc(MAX_EVENTS, sizeof(*ff->calls));
	if (!ff->calls)
		return err_sys(err, "memory for event formats");
	if (!kernel_btf_enum_value(mem->types, NULL, "TRACE_EVENT_FL_TRACEPOINT",
				   &ff->is_tracepoint))
		ff->is_tracepoint = 0;
	if (!kernel_btf_enum_value(mem->types, NULL, "TRACE_EVENT_FL_CUSTOM", &ff->is_custom))
		ff->is_custom = 0;
	if (!kallsyms_address(mem->kallsyms, "syscall_get_enter_fields", &ff->enter_fields))
		ff->enter_fields = 0;
	if (!kernel_btf_enum_value(mem->types, NULL, "TRACE_EVENT_FL_EPROBE", &ff->is_event_probe))
		ff->is_event_probe = 0;
	formats_source(formats, make_text, ff);
	if (!kallsyms_address(mem->kallsyms, "ftrace_events", &list)) {
		formats_note(formats, NOTE_NOWHERE, "the kernel's list of events is not found");
		return 0;
	}
	return take_calls(ff, formats, list, err);
}

void ftrace_formats_free(struct ftrace_formats *ff)
{
	u32 i;

	if (!ff)
		return;
	for (i = 0; i < ff->nr_systems; i++)
		free(ff->systems[i]);
	free(ff->calls);
	free(ff);
}

enum ftrace_style ftrace_formats_style(const struct ftrace_formats *ff, u32 id, u64 *call)
{
	const struct call *found = id < IDS_MAX && ff->by_id[id] ? &ff->calls[ff->by_id[id] - 1] : NULL;
	const char *system;

	*call = 0;
	if (!found)
		return FTRACE_FORMAT;
	*call = found->va;
	system = ff->systems[found->system]->name;
	if (!strcmp(system, "ftrace"))
		return FTRACE_BUILTIN;
	if (strcmp(system, "syscalls"))
		return FTRACE_FORMAT;
	return ff->enter_fields && ftrace_value(ff->mem, found->class, CLASS_GET_FIELDS) == ff->enter_fields ?
	       FTRACE_SYSCALL_ENTER : FTRACE_SYSCALL_EXIT;
}
