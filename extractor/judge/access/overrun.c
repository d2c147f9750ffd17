// SPDX-License-Identifier: GPL-2.0-or-later
#include "overrun.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/kernel_half.h"
#include "fault/array_writers.h"
#include "judge/words.h"
#include "linux_kernel/vmem.h"
#include "list_entry.h"

#define NEAR_START	64	/* bytes of the object that are looked at */
#define RUN		4	/* numbers in front of it that must belong to the same row */
#define TEXT_RUN	12	/* letters */

/* The bytes in front of the object, and its own up to the end of the bad pointer. */
struct border {
	u8 bytes[NEAR_START + NEAR_START];
	u32 inside;
	u64 last;	/* 8 bytes of the object */
	struct kernel_object front;
};

/* Of the pointer at @at in @object. */
static bool read_border_of(struct border *border, const struct kernel *kernel, const struct kernel_object *object, u64 at)
{
	u64 start = object->start;

	if (object->state != KOBJECT_IN_USE || at < start || at - start > NEAR_START - 8 || object->size < NEAR_START / 2)
		return false;
	border->inside = (u32)(at - start) + 8;
	return kernel_object_at(kernel, start - 1, &border->front) && border->front.start < start &&
	       !strcmp(border->front.cache, object->cache) && vmem_number(kernel->vmem, start + object->size - 8, 8, &border->last) &&
	       vmem_get(kernel->vmem, start - NEAR_START, border->bytes, NEAR_START + border->inside);
}

static bool read_border(struct border *border, const struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	const struct kernel *kernel = explain->kernel;
	u64 at = access->object + access->object_offset, value;

	/* It must stand there still. */
	return kernel && access->has_object && access->is_certain && explain->has_slab && vmem_number(kernel->vmem, at, 8, &value) &&
	       value == access->pointer_value && read_border_of(border, kernel, &explain->slab, at);
}

static u64 word_at(const struct border *border, u32 at, u32 size)
{
	u64 value = 0;

	memcpy(&value, border->bytes + at, size);
	return value;
}

/* Numbers that grow by the same step, from in front of the object up to what is bad. */
static bool is_row(const struct border *border, u32 size)
{
	u32 first = NEAR_START - RUN * size, end = NEAR_START + border->inside;
	u64 mask = size == 8 ? ~0ULL : (1ULL << size * 8) - 1, step = (word_at(border, first + size, size) - word_at(border, first, size)) & mask;

	for (u32 at = first + size; at + size <= end; at += size)
		if (((word_at(border, at, size) - word_at(border, at - size, size)) & mask) != step)
			return false;
	/* Zeros are everywhere, and both objects may have been filled. */
	return step || (size > 2 && word_at(border, first, size) && border->last != word_at(border, NEAR_START - 8, 8));
}

/* How far behind the start of the object in front that row begins. */
static u32 start_of_row(const struct border *border, const struct kernel *kernel, u32 size)
{
	u64 mask = size == 8 ? ~0ULL : (1ULL << size * 8) - 1, end = border->front.start + border->front.size, value, before;
	u64 last = word_at(border, NEAR_START - size, size), step = (last - word_at(border, NEAR_START - 2 * size, size)) & mask, at = end - size;

	for (value = last; at > border->front.start && vmem_number(kernel->vmem, at - size, size, &before) && ((value - before) & mask) == step; at -= size)
		value = before;
	return (u32)(at - border->front.start);
}

/* Numbers of how many bytes go on over the border; 0: none do. */
static u32 row_of(const struct border *border)
{
	static const u32 sizes[] = { 2, 4, 8 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		if (is_row(border, sizes[i]))
			return sizes[i];
	return 0;
}

/* A text that does not end where the object begins. One letter fills both, as a rule. */
static bool is_of_text(const struct border *border)
{
	bool differs = false;

	for (u32 at = NEAR_START - TEXT_RUN; at < NEAR_START + border->inside; at++) {
		if (!isprint(border->bytes[at]))
			return false;
		differs |= border->bytes[at] != border->bytes[at - 1];
	}
	return differs;
}

static const struct history_use *who_took(const struct explain *explain, u64 start)
{
	const struct history_value *value = history_value(&explain->history, start);

	return value && value->nr && !strncmp(value->last[0].event, "kmem:", 5) && strstr(value->last[0].event, "alloc") ? &value->last[0] : NULL;
}

/* The function of the module that alone writes such numbers where the row begins. False: none does, or more. */
static bool put_array_writer(char writer[2 * WORDS_FUNCTION], const struct explain *explain, const struct border *border, const struct kernel_module *module, u32 size)
{
	const struct kernel *kernel = explain->kernel;
	struct array_writers writers;

	if (!module || !size || !array_writers_find(&writers, kernel, module, size, start_of_row(border, kernel, size)) || writers.nr != 1)
		return false;
	words_place(writer, (struct report_text){ writers.name, strlen(writers.name) });
	return true;
}

static void claim_border(struct explain *explain, const char *place, u64 pointer, const struct border *border, u32 row, const struct kernel_module *module)
{
	struct finding *finding = explain->finding;
	char site[2 * WORDS_FUNCTION + 8], writer[2 * WORDS_FUNCTION];
	const struct history_use *took = who_took(explain, border->front.start);

	finding_claim(finding, finding->kind, FINDING_LIKELY,
		      "%s used %016llx as a pointer, out of an object that was overwritten from its start on: the %s at the end of the object in front of it, %016llx of cache %s, %s on into it.",
		      place, pointer, row ? "numbers" : "text", border->front.start, border->front.cache, row ? "go" : "goes");
	if (took)
		words_site(site, explain, took->site, took->time, took->raw);
	if (put_array_writer(writer, explain, border, module, row))
		finding_open(finding, "Whether %s wrote too many: it alone, of that module, writes numbers of %u bytes by an index, 0x%x behind the start of an object, where these begin in the one in front.",
			     writer, row, start_of_row(border, explain->kernel, row));
	else if (took)
		finding_open(explain->finding, "Who wrote too far: a user of the object in front, which %s-%lld took%s; or one that wrote over both, as of memory that overlaps them.", took->comm, took->pid, site);
	else
		finding_open(explain->finding, "Who wrote too far: a user of the object in front; or one that wrote over both, as of memory that overlaps them. epitaph events '+kmem:*' records who took it.");
}

void overrun_claim(struct explain *explain, const char *place)
{
	struct finding *finding = explain->finding;
	char caller[2 * WORDS_FUNCTION];
	struct border border;
	u32 row;

	if (!finding->kind || (strcmp(finding->kind, "wild-pointer") && strcmp(finding->kind, "user-pointer")) || !read_border(&border, explain))
		return;
	row = is_of_text(&border) ? 0 : row_of(&border);
	if (!row && !is_of_text(&border))
		return;
	if (*explain->access.jumped_at) {
		words_place(caller, (struct report_text){ explain->access.jumped_at, strlen(explain->access.jumped_at) });
		place = caller;
	} else if (explain->access.is_call) {
		words_place(caller, words_frame(explain->cause, plumbing_is_of_dying));
		place = caller;
	}
	claim_border(explain, place, explain->access.pointer_value, &border, row, list_entry_module(explain));
}

bool overrun_claim_of(struct explain *explain, const char *place, const struct kernel_object *object, u64 at, u64 pointer, const struct kernel_module *module)
{
	struct border border;
	u32 row;

	if (!read_border_of(&border, explain->kernel, object, at))
		return false;
	row = is_of_text(&border) ? 0 : row_of(&border);
	if (!row && !is_of_text(&border))
		return false;
	claim_border(explain, place, pointer, &border, row, module);
	return true;
}

#define MOST_OTHERS	64	/* objects in front of it and behind it that are looked at */
#define FEWEST_OTHERS	3

/* How many objects near it begin with one and the same pointer, which differs from @pointer in its lowest byte alone: @other. */
static u32 count_others(const struct kernel *kernel, const struct kernel_object *object, u64 size, u64 pointer, u64 *other)
{
	struct kernel_object one;
	u32 nr = 0;
	u64 value;

	for (s64 i = -MOST_OTHERS; i <= MOST_OTHERS; i++) {
		u64 start = object->start + (u64)i * size;

		if (!i || !vmem_number(kernel->vmem, start, 8, &value) || (value ^ pointer) >> 8 || !(u8)value || (nr && value != *other) ||
		    !kernel_object_at(kernel, start, &one) || one.start != start || one.state != KOBJECT_IN_USE || strcmp(one.cache, object->cache))
			continue;
		*other = value;
		nr++;
	}
	return nr;
}

/* Does a text go up to the last byte of that object? */
static bool ends_in_text(const struct kernel *kernel, const struct kernel_object *object)
{
	u8 bytes[TEXT_RUN];

	if (object->state != KOBJECT_IN_USE || object->size < TEXT_RUN || !vmem_get(kernel->vmem, object->start + object->size - TEXT_RUN, bytes, TEXT_RUN))
		return false;
	for (u32 i = 0; i < TEXT_RUN; i++)
		if (!isprint(bytes[i]))
			return false;
	return true;
}

/* Was the bad value read by way of @pointer, or is it that? */
static bool is_of_access(const struct faulting_access *access, u64 pointer)
{
	return access->has_object && (access->object == pointer || access->pointer_value == pointer);
}

/* A function of the module in which the pointer leads, and that alone there writes a 0 by an index, is asked about. */
static void open_end_of_text(struct explain *explain, u64 pointer)
{
	const struct kernel *kernel = explain->kernel;
	const struct kernel_module *module = list_entry_module(explain);
	char writer[2 * WORDS_FUNCTION];
	struct array_writers writers;

	if (!module && kernel->modules)
		module = kernel_modules_at(kernel->modules, pointer);
	if (!module || !array_writers_of_zero(&writers, kernel, module) || writers.nr != 1)
		return;
	words_place(writer, (struct report_text){ writers.name, strlen(writers.name) });
	finding_open(explain->finding, "Whether %s wrote that: it alone, of that module, writes a 0 by an index, as behind a text. The length has to leave room for it.", writer);
}

static bool claim_end_of_text(struct explain *explain, const char *place, u64 start)
{
	const struct kernel *kernel = explain->kernel;
	struct kernel_object object, front;
	u64 pointer, other = 0;
	u32 nr;

	if (!kernel_object_at(kernel, start, &object) || object.start != start || object.state != KOBJECT_IN_USE ||
	    !vmem_number(kernel->vmem, start, 8, &pointer) || !in_kernel_half(pointer) || (u8)pointer ||
	    !is_of_access(&explain->access, pointer) || !kernel_object_at(kernel, start - 1, &front) ||
	    front.start >= start || front.start + front.size != start || strcmp(front.cache, object.cache) || !ends_in_text(kernel, &front))
		return false;
	nr = count_others(kernel, &object, start - front.start, pointer, &other);
	if (nr < FEWEST_OTHERS)
		return false;
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%.120s went by the pointer %016llx, of which the lowest byte was overwritten: %u others of its kind have %016llx. A text fills the object in front of it, %016llx, up to its last byte: the 0 behind that text was written too far.",
		      place, pointer, nr, other, front.start);
	finding_open(explain->finding, "Who wrote that text: a length that has no room for the 0 at its end.");
	open_end_of_text(explain, pointer);
	return true;
}

void overrun_claim_end_of_text(struct explain *explain, const char *place)
{
	const struct finding *finding = explain->finding;
	char caller[2 * WORDS_FUNCTION];

	if (!explain->kernel || !finding->kind || (strcmp(finding->kind, "wild-pointer") && strcmp(finding->kind, "user-pointer")))
		return;
	if (*explain->access.jumped_at) {
		words_place(caller, (struct report_text){ explain->access.jumped_at, strlen(explain->access.jumped_at) });
		place = caller;
	}
	for (u32 i = 0; i < explain->fault.nr_registers; i++)
		if (in_kernel_half(explain->fault.registers[i].value) && claim_end_of_text(explain, place, explain->fault.registers[i].value))
			return;
}

void overrun_add(struct explain *explain)
{
	const struct history_use *took;
	char site[2 * WORDS_FUNCTION + 8];
	struct border border;

	if (!read_border(&border, explain))
		return;
	took = who_took(explain, border.front.start);
	if (took) {
		words_site(site, explain, took->site, took->time, took->raw);
		finding_evidence(explain->finding, took->time, finding_event(took->cpu, took->event),
				 "%s %s=%016llx, the object in front of it, by %s-%lld%s on CPU %u", took->event, took->field,
				 border.front.start, took->comm, took->pid, site, took->cpu);
	}
	if (word_at(&border, NEAR_START - 8, 8))
		finding_evidence_timeless(explain->finding, "in front of it ends the object %016llx, with %016llx %016llx", border.front.start,
					  word_at(&border, NEAR_START - 16, 8), word_at(&border, NEAR_START - 8, 8));
}
