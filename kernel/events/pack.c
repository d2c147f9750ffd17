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

/* Like epitaph_pack_field() and epitaph_pack_empty(). */
char epitaph_packing_step(const struct epitaph_field *field, bool *has_large)
{
	bool varies = str_has_prefix(field->type, "__data_loc ");
	char kind = varies ? 'e' : epitaph_pack_kind(field->type, field->name, field->size);

	if (kind != 'q')
		return kind;
	kind = *has_large ? 'd' : 'q';
	*has_large = true;
	return kind;
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
	bool has_large = false;
	unsigned int off;
	char kind;
	int n;

	n = scnprintf(text, size, "%u %u %u", ev->packing, ev->id, ev->size + ev->dynamic);
	epitaph_for_each_field(field, off, ev->fields) {
		kind = epitaph_packing_step(field, &has_large);
		if (!kind || (kind == 'e' && epitaph_packing_array(ev) > EPITAPH_EMPTY_MAX))
			return -EINVAL;
		n += scnprintf(text + n, size - n, " %c%u", kind, off - EPITAPH_COMMON_BYTES);
		if (kind == 'e')
			n += scnprintf(text + n, size - n, "/%u", epitaph_packing_array(ev));
		if (kind == 'q')
			n += scnprintf(text + n, size - n, "/%u", epitaph_pack_base_of(field->type));
	}
	n += scnprintf(text + n, size - n, "\n");
	return n;
}

u32 epitaph_packing_head(const struct epitaph_event *ev)
{
	const struct epitaph_field *field;
	bool has_large = false;
	u32 coded = 0;

	for (field = ev->fields; field->type; field++)
		coded += strchr(EPITAPH_CODED_STEPS, epitaph_packing_step(field, &has_large)) != NULL;
	return 1 + DIV_ROUND_UP(coded, 4);
}
