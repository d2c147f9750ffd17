// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cycle_check.h"
#include "carve.h"
#include "builtin_events.h"
#include "persistent.h"
#include "print_names.h"
#include "shared_pages.h"

#define MAX_CPUS	8192
#define MAX_ORDER	7	/* of a sub-buffer, in pages; the kernel's own limit is 7 */

static u32 nr_cpus(const struct ftrace *ftrace, u64 buffer)
{
	u64 nr = ftrace_value(&ftrace->mem, buffer, BUFFER_CPUS);
	u64 at;
	u32 ids;

	if (!nr && kallsyms_address(ftrace->mem.kallsyms, "nr_cpu_ids", &at) &&
	    vmem_u32(ftrace->mem.vmem, at, &ids))
		nr = ids;
	return nr < MAX_CPUS ? nr : MAX_CPUS;
}

/* Something that leads to rings is not in the dump. */
static void lack(struct ftrace *ftrace, const char *name)
{
	ftrace->lacks = true;
	damage_notes_add(&ftrace->notes, NOTE_NOWHERE, "%s: %s", name, vmem_why(ftrace->mem.vmem));
}

static void read_sched_offset(struct ftrace_ring *ring, const struct ftrace *ftrace)
{
	const struct timekeeping *clock = &ftrace->kernel->clock;

	ring->sched_offset = clock->sched_offset;
	if (clock->local == KCLOCK_OFFSET)
		ring->is_offset_unknown = !timekeeping_sched_offset(
			clock, ftrace->mem.vmem, ftrace->mem.kallsyms, ftrace->mem.types,
			ring->cpu, &ring->sched_offset);
}

static int add_ring(struct ftrace *ftrace, struct ftrace_buffer *buf, u32 cpu, u64 va,
		    struct err *err)
{
	struct ftrace_ring *ring = &buf->rings[buf->nr_rings];
	int ret;

	*ring = (struct ftrace_ring){ .cpu = cpu, .unit = buf->unit };
	read_sched_offset(ring, ftrace);
	ret = ftrace_ring_read(ring, &ftrace->mem, va, &ftrace->left, buf->name, &ftrace->notes, err);
	if (!ret && !ring->nr_subs && !ring->cut) {
		ftrace_ring_free(ring);
		return 0;
	}
	buf->nr_rings++;
	ftrace->nr_rings++;
	ftrace->lacks |= ring->cut;
	return ret;
}

/* A hostile dump has many CPUs in many buffers. */
static void shrink(struct ftrace_buffer *buf)
{
	void *rings = reallocarray(buf->rings, buf->nr_rings ? buf->nr_rings : 1, sizeof(*buf->rings));

	if (rings)
		buf->rings = rings;
}

static int read_rings(struct ftrace *ftrace, struct ftrace_buffer *buf, u64 va, struct err *err)
{
	u64 array = ftrace_value(&ftrace->mem, va, BUFFER_BUFFERS);
	u32 cpu, nr = nr_cpus(ftrace, va);
	int ret = 0;

	buf->rings = calloc(nr ? nr : 1, sizeof(*buf->rings));
	if (!buf->rings)
		return err_sys(err, "memory for %u rings", nr);
	for (cpu = 0; cpu < nr && !ret && ftrace->nr_rings < FTRACE_MAX_RINGS; cpu++) {
		u64 ring;

		if (!vmem_u64(ftrace->mem.vmem, array + cpu * 8ULL, &ring)) {
			lack(ftrace, buf->name);
			return 0;
		}
		if (ring)
			ret = add_ring(ftrace, buf, cpu, ring, err);
	}
	shrink(buf);
	return ret;
}

/*
 * Is what it has the last that a boot before recorded?  Up to 6.13 only that kernel's place in
 * memory tells, and not where it did not move.
 */
static bool is_earlier(const struct ftrace *ftrace, u64 array)
{
	s64 flag;

	if (kernel_btf_enum_value(ftrace->mem.types, NULL, "TRACE_ARRAY_FL_LAST_BOOT", &flag))
		return ftrace_value(&ftrace->mem, array, ARRAY_FLAGS) & flag;
	return ftrace_value(&ftrace->mem, array, ARRAY_TEXT_DELTA);
}

/* Of an instance at @array; @va is a trace_buffer. */
static int add_buffer(struct ftrace *ftrace, u64 array, const char *instance, bool is_snapshot,
		      u64 va, struct err *err)
{
	struct ftrace_buffer *buf = &ftrace->buffers[ftrace->nr_buffers++];
	u64 order = 0;

	snprintf(buf->name, sizeof(buf->name), "ftrace%s%s%s", *instance ? ":" : "", instance,
		 is_snapshot ? " (snapshot)" : "");
	ftrace_clock_read(&buf->clock, &ftrace->kernel->clock, &ftrace->mem, va);
	if (is_earlier(ftrace, array)) {
		buf->is_earlier = true;
		buf->text_delta = ftrace_value(&ftrace->mem, array, ARRAY_TEXT_DELTA);
		ftrace_clock_forget(&buf->clock);
	}
	if (ftrace->mem.is_there[BUFFER_ORDER] &&
	    !ftrace_get(&ftrace->mem, va, BUFFER_ORDER, &order)) {
		lack(ftrace, buf->name);
		return 0;
	}
	if (order > MAX_ORDER) {
		damage_notes_add(&ftrace->notes, NOTE_NOWHERE, "%s: sub-buffers of 2^%llu pages are not possible",
				 buf->name, order);
		return 0;
	}
	buf->unit = vmem_page_size(ftrace->mem.vmem) << order;
	return read_rings(ftrace, buf, va, err);
}

static int add_array(struct ftrace *ftrace, u64 array, struct err *err)
{
	const struct ftrace_memory *mem = &ftrace->mem;
	char name[FTRACE_NAME - 32];
	u64 buffer, has_snapshot = 0;
	int ret;

	if (!ftrace_string(mem, array, ARRAY_NAME, name, sizeof(name)) &&
	    !ftrace_get(mem, array, ARRAY_NAME, &buffer))
		return lack(ftrace, "ftrace"), 0;
	if (!ftrace_get(mem, array, ARRAY_BUFFER, &buffer))
		return lack(ftrace, name), 0;
	ret = add_buffer(ftrace, array, name, false, buffer, err);
	if (ret || !mem->is_there[ARRAY_SNAPSHOT] || !mem->is_there[ARRAY_HAS_SNAPSHOT])
		return ret;
	if (!ftrace_get(mem, array, ARRAY_HAS_SNAPSHOT, &has_snapshot) ||
	    !ftrace_get(mem, array, ARRAY_SNAPSHOT, &buffer))
		return lack(ftrace, name), 0;
	return has_snapshot ? add_buffer(ftrace, array, name, true, buffer, err) : 0;
}

static void leads_back(struct ftrace *ftrace)
{
	ftrace->lacks = true;
	damage_notes_add(&ftrace->notes, NOTE_NOWHERE, "ftrace: the list of its instances leads back into itself");
}

/* Instances stand in front of those made before them: the top one comes last. */
static int read_arrays(struct ftrace *ftrace, u64 list, struct err *err)
{
	struct passed passed = { .place = 0 };
	u64 at = list;
	int ret = 0;

	while (!ret && ftrace->nr_buffers + 2 <= FTRACE_MAX_BUFFERS) {
		/* Backwards. */
		if (!vmem_u64(ftrace->mem.vmem, at + 8, &at) || !at) {
			lack(ftrace, "ftrace: the list of its instances");
			return 0;
		}
		if (at == list)
			return 0;
		if (passed_before(&passed, at))
			return leads_back(ftrace), 0;
		ret = add_array(ftrace, at - ftrace->mem.at[ARRAY_LIST].offset, err);
	}
	if (!ret)
		damage_notes_add(&ftrace->notes, NOTE_NOWHERE, "ftrace: only %u of its buffers are read",
				 ftrace->nr_buffers);
	return ret;
}

static void find_graph_events(struct ftrace *ftrace)
{
	u32 i;

	for (i = 0; i < formats_nr(ftrace->formats); i++) {
		u32 id = formats_id(ftrace->formats, i);
		const char *name = formats_name(ftrace->formats, id);

		if (!strcmp(name, "ftrace:funcgraph_entry"))
			ftrace->graph_call = id;
		else if (!strcmp(name, "ftrace:funcgraph_exit"))
			ftrace->graph_return = id;
	}
}

/* Before 6.13, the flag of a lazy need to reschedule was one that x86 never has, but in a word of all ones. */
static u8 known_flags(const struct ftrace_memory *mem)
{
	s64 lazy;

	return kernel_btf_enum_value(mem->types, NULL, "TRACE_FLAG_NEED_RESCHED_LAZY", &lazy) ? 0xff :
	       (u8)~RESCHED_LAZY;
}

static void tell_limit(struct ftrace *ftrace)
{
	if (ftrace->nr_rings >= FTRACE_MAX_RINGS)
		damage_notes_add(&ftrace->notes, NOTE_NOWHERE,
				 "ftrace: only %u of its rings, one for each CPU of a buffer, are read",
				 ftrace->nr_rings);
}

static int read_all(struct ftrace *ftrace, u64 list, struct err *err)
{
	const struct formats_machine machine = { .order = ftrace->mem.order, .long_size = 8 };
	int ret;

	ftrace->buffers = calloc(FTRACE_MAX_BUFFERS, sizeof(*ftrace->buffers));
	if (!ftrace->buffers)
		return err_sys(err, "memory for the kernel's trace");
	ret = read_arrays(ftrace, list, err);
	if (!ret)
		ret = ftrace_drop_twice(ftrace, err);
	if (!ret)
		ret = ftrace_persistent_find(ftrace, err);
	tell_limit(ftrace);
	if (!ret)
		ret = formats_new(&ftrace->formats, &machine, &ftrace->notes, err);
	if (!ret) {
		ftrace_use_print_names(ftrace);
		ret = ftrace_formats_read(&ftrace->texts, ftrace->formats, &ftrace->mem,
					  &ftrace->notes, err);
	}
	if (!ret)
		find_graph_events(ftrace);
	ftrace->flags = known_flags(&ftrace->mem);
	if (!ret && ftrace->lacks)
		ret = ftrace_carve(ftrace, err);
	if (!ret)
		ret = ftrace_comms_read(&ftrace->comms, &ftrace->mem, err);
	return ret;
}

int ftrace_open(struct ftrace **ret_ftrace, struct kernel *kernel, struct err *err)
{
	struct ftrace *ftrace;
	const char *lacking;
	u64 list;
	int ret = 0;

	*ret_ftrace = NULL;
	if (!kallsyms_address(kernel->kallsyms, "ftrace_trace_arrays", &list))
		return 0;
	ftrace = calloc(1, sizeof(*ftrace));
	if (!ftrace)
		return err_sys(err, "memory for the kernel's trace");
	ftrace->kernel = kernel;
	ftrace->left = FTRACE_MAX_SUBS;
	ftrace->mem = (struct ftrace_memory){
		.in = vmem_input(kernel->vmem),
		.vmem = kernel->vmem, .kallsyms = kernel->kallsyms, .types = kernel->ktypes,
		.order = dump_byte_order(vmem_input(kernel->vmem)),
	};
	lacking = ftrace_layout_read(&ftrace->mem);
	if (lacking)
		damage_notes_add(&ftrace->notes, NOTE_NOWHERE,
				 "the kernel's own trace is not read: its types do not tell where %s is", lacking);
	else
		ret = read_all(ftrace, list, err);
	if (ret) {
		ftrace_close(ftrace);
		return ret;
	}
	*ret_ftrace = ftrace;
	return 0;
}

static int read_alone(struct ftrace *ftrace, struct err *err)
{
	struct formats_machine machine = { .long_size = 8 };
	int ret;

	ftrace->buffers = calloc(FTRACE_MAX_BUFFERS, sizeof(*ftrace->buffers));
	if (!ftrace->buffers)
		return err_sys(err, "memory for the kernel's trace");
	ret = ftrace_persistent_find(ftrace, err);
	tell_limit(ftrace);
	if (ret || !ftrace->nr_buffers)
		return ret;
	machine.order = ftrace->mem.order;
	ret = formats_new(&ftrace->formats, &machine, &ftrace->notes, err);
	if (!ret && !ftrace_fixed_formats(ftrace->formats))
		ret = err_sys(err, "memory for event formats");
	return ret;
}

int ftrace_open_alone(struct ftrace **ret_ftrace, struct dump *in, struct err *err)
{
	struct ftrace *ftrace = calloc(1, sizeof(*ftrace));
	int ret;

	*ret_ftrace = NULL;
	if (!ftrace)
		return err_sys(err, "memory for the kernel's trace");
	ftrace->left = FTRACE_MAX_SUBS;
	ftrace->mem.in = in;
	ftrace->flags = 0xff;
	ret = read_alone(ftrace, err);
	if (ret || !ftrace->nr_buffers) {
		ftrace_close(ftrace);
		return ret;
	}
	*ret_ftrace = ftrace;
	return 0;
}

void ftrace_close(struct ftrace *ftrace)
{
	u32 i, k;

	if (!ftrace)
		return;
	for (i = 0; ftrace->buffers && i < ftrace->nr_buffers; i++) {
		for (k = 0; k < ftrace->buffers[i].nr_rings; k++)
			ftrace_ring_free(&ftrace->buffers[i].rings[k]);
		free(ftrace->buffers[i].rings);
	}
	free(ftrace->buffers);
	formats_free(ftrace->formats);
	ftrace_formats_free(ftrace->texts);
	ftrace_comms_free(&ftrace->comms);
	damage_notes_free(&ftrace->notes);
	free(ftrace);
}
