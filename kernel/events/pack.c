// SPDX-License-Identifier: GPL-2.0-only
/* The descriptions of packed events, for readers; epitaph_pack_field(); the slots of all CPUs. */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <epitaph/pack_event.h>
#include "fields.h"
#include "pack.h"
#include "recorder.h"

static bool packed = true;
module_param(packed, bool, 0444);
MODULE_PARM_DESC(packed, "record switches, wakeups, timers and the like packed, in less room; an epitaph before 1.2 refuses such a region (default: yes)");

struct epitaph_slots __percpu *epitaph_slots;
EXPORT_SYMBOL_GPL(epitaph_slots);
EXPORT_SYMBOL_GPL(epitaph_pack_base);
EXPORT_SYMBOL_GPL(epitaph_pack_put);
EXPORT_SYMBOL_GPL(epitaph_pack_small);
EXPORT_SYMBOL_GPL(epitaph_pack_task);
EXPORT_SYMBOL_GPL(epitaph_pack_text);
EXPORT_SYMBOL_GPL(epitaph_pack_value);

bool epitaph_packs(void)
{
	return packed;
}

int epitaph_packing_init(void)
{
	epitaph_slots = alloc_percpu(struct epitaph_slots);
	return epitaph_slots ? 0 : -ENOMEM;
}

void epitaph_packing_exit(void)
{
	free_percpu(epitaph_slots);
	epitaph_slots = NULL;
}

static char kind_of(const struct epitaph_field *field)
{
	return !field->type ? 0 :
	       str_has_prefix(field->type, "__data_loc ") ? 'e' :
	       epitaph_pack_kind(field->type, field->name, field->size);
}

/* The name of a task, and behind it its pid and priority. */
static bool is_task(const struct epitaph_field *field)
{
	return kind_of(field) == 't' && kind_of(field + 1) == 'p' && field[2].type &&
	       epitaph_pack_is_prio(kind_of(field + 2), field[2].name);
}

/* Like epitaph_pack_field() and epitaph_pack_empty(). */
char epitaph_packing_step(const struct epitaph_field *field, struct epitaph_steps *steps)
{
	char kind = kind_of(field);

	if (steps->of_task) {
		steps->of_task--;
		return EPITAPH_STEP_OF_TASK;
	}
	if (is_task(field)) {
		steps->of_task = 2;
		return 'c';
	}
	if (kind != 'q' && kind != 'g' && kind != 'j')
		return kind;
	if (steps->has_large)
		kind = 'd';
	steps->has_large = true;
	return kind;
}

u32 epitaph_packing_codes(char kind)
{
	return kind == 'o' ? 2 : strchr(EPITAPH_CODED_STEPS, kind) ? 1 : 0;
}

u32 epitaph_packing_array(const struct epitaph_event *ev)
{
	const struct epitaph_field *field;
	unsigned int off;

	epitaph_for_each_field(field, off, ev->fields)
		;
	return off;
}

int epitaph_packing_text(const struct epitaph_event *ev, char *text, size_t size)
{
	const struct epitaph_field *field;
	struct epitaph_steps steps = { };
	unsigned int off;
	char kind;
	int n;

	n = scnprintf(text, size, "%u %u %u", ev->packing, ev->id, ev->size + ev->dynamic);
	epitaph_for_each_field(field, off, ev->fields) {
		kind = epitaph_packing_step(field, &steps);
		if (kind == EPITAPH_STEP_OF_TASK)
			continue;
		if (!kind || (kind == 'e' && epitaph_packing_array(ev) > EPITAPH_EMPTY_MAX))
			return -EINVAL;
		n += scnprintf(text + n, size - n, " %c%u", kind, off - EPITAPH_COMMON_BYTES);
		if (kind == 'e')
			n += scnprintf(text + n, size - n, "/%u", epitaph_packing_array(ev));
		if (kind == 'q' || kind == 'g' || kind == 'j')
			n += scnprintf(text + n, size - n, "/%u", epitaph_pack_base_of(field->type, kind));
	}
	n += scnprintf(text + n, size - n, "\n");
	return n;
}

bool epitaph_packing_steps(const struct epitaph_event *ev)
{
	const struct epitaph_field *field;
	struct epitaph_steps steps = { };
	struct epitaph_pack_step *to = ev->steps;
	unsigned int off;

	if (!to)
		return true;
	epitaph_for_each_field(field, off, ev->fields) {
		char kind = epitaph_packing_step(field, &steps);

		if (kind == 'c')
			return false;
		*to++ = (struct epitaph_pack_step){
			.kind = kind, .base = epitaph_pack_base_of(field->type, kind),
			.off = kind == 'e' ? epitaph_packing_array(ev) : off,
		};
	}
	return true;
}

u32 epitaph_packing_head(const struct epitaph_event *ev)
{
	const struct epitaph_field *field;
	struct epitaph_steps steps = { };
	u32 coded = 0;

	for (field = ev->fields; field->type; field++)
		coded += epitaph_packing_codes(epitaph_packing_step(field, &steps));
	return 1 + DIV_ROUND_UP(coded, 4);
}
