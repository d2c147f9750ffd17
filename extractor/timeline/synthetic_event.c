// SPDX-License-Identifier: GPL-2.0-or-later
#include "synthetic_event.h"

#include <stdio.h>
#include <stdlib.h>

#include "mce/decode.h"
#include "recording/klog.h"

/* @texts: of @formats, by enum synthetic_kind */
struct synthetic_events {
	struct damage_notes notes;
	struct formats *formats;
	char *texts[SYNTHETIC_NR];
};

/**
 * struct synthetic_field - one field of a format
 * @is_text: a dynamic field, whose bytes lie behind all fields
 * @at: offset of a number in struct mce
 */
struct synthetic_field {
	const char *type;
	const char *name;
	u8 size;
	bool is_signed;
	bool is_text;
	u16 at;
};

#define NUMBER(type, size, sign, name) { #type, #name, size, sign, false, 0 }
#define TEXT(name) { "__data_loc char[]", #name, 4, false, true, 0 }
#define OF_MCE(type, name) { #type, #name, sizeof(type), false, false, offsetof(struct mce, name) }

static const struct synthetic_field log_fields[] = {
	NUMBER(s32, 4, true, level), NUMBER(s32, 4, true, facility), TEXT(text), { 0 },
};

static const struct synthetic_field mce_fields[] = {
	OF_MCE(u32, cpu), OF_MCE(u32, bank),
	TEXT(severity), TEXT(severity_text), TEXT(what), TEXT(status_text), TEXT(address_text),
	TEXT(mcgstatus_text), TEXT(processor), TEXT(sources),
	OF_MCE(u64, status), OF_MCE(u64, addr), OF_MCE(u64, misc), OF_MCE(u64, synd),
	OF_MCE(u64, ipid), OF_MCE(u64, synd1), OF_MCE(u64, synd2), OF_MCE(u64, mcgstatus),
	OF_MCE(u64, mcgcap), OF_MCE(u64, tsc), OF_MCE(u64, time), OF_MCE(u64, ip),
	OF_MCE(u64, ppin), OF_MCE(u64, seq),
	OF_MCE(u32, cpuid), OF_MCE(u32, apicid), OF_MCE(u32, socket), OF_MCE(u32, microcode),
	OF_MCE(u32, kflags), OF_MCE(u8, cs), OF_MCE(u8, vendor), OF_MCE(u8, inject_flags),
	{ "u8", "kernel_severity", 1, false, false, offsetof(struct mce, severity) }, { 0 },
};

static const struct synthetic_field raw_fields[] = {
	NUMBER(u32, 4, false, id), TEXT(name),
	{ "__data_loc u8[]", "raw", 4, false, true, 0 }, { 0 },
};

#define PRINT_LOG "\"<%d>%s\", REC->level, __get_str(text)"

static const struct {
	const char *system;
	const char *name;
	const struct synthetic_field *fields;
	const char *print;
} kinds[SYNTHETIC_NR] = {
	[SYNTHETIC_LOG] = { "epitaph", "log", log_fields, PRINT_LOG },
	[SYNTHETIC_PRINTK] = { "printk", "log", log_fields, PRINT_LOG },
	[SYNTHETIC_MCE] = { "epitaph", "machine_check", mce_fields,
		      "\"bank %u of CPU %u: %s; %s; %s; %s; status=0x%llx addr=0x%llx misc=0x%llx mcgstatus=0x%llx\", "
		      "REC->bank, REC->cpu, __get_str(what), __get_str(severity_text), "
		      "__get_str(address_text), __get_str(sources), REC->status, REC->addr, "
		      "REC->misc, REC->mcgstatus" },
	[SYNTHETIC_RAW] = { "epitaph", "raw", raw_fields,
		      "\"%s %s\", __get_str(name), "
		      "__print_hex(__get_dynamic_array(raw), __get_dynamic_array_len(raw))" },
};

static void put_synthetic_field(FILE *f, const char *type, const char *name, u32 off, u32 size,
				bool sign)
{
	fprintf(f, "\tfield:%s %s;\toffset:%u;\tsize:%u;\tsigned:%u;\n",
		type, name, off, size, sign);
}

static bool make_format_text(struct synthetic_events *events, enum synthetic_kind kind)
{
	const struct synthetic_field *field;
	u32 off = FORMATS_COMMON;
	size_t size;
	FILE *f = open_memstream(&events->texts[kind], &size);

	if (!f)
		return false;
	fprintf(f, "name: %s\nID: %u\nformat:\n", kinds[kind].name, synthetic_id(kind));
	put_synthetic_field(f, "unsigned short", "common_type", 0, 2, false);
	put_synthetic_field(f, "unsigned char", "common_flags", 2, 1, false);
	put_synthetic_field(f, "unsigned char", "common_preempt_count", 3, 1, false);
	put_synthetic_field(f, "int", "common_pid", 4, 4, true);
	putc('\n', f);
	for (field = kinds[kind].fields; field->name; field++) {
		put_synthetic_field(f, field->type, field->name, off, field->size,
				    field->is_signed);
		off += field->size;
	}
	fprintf(f, "\nprint fmt: %s\n", kinds[kind].print);
	return !fclose(f) && events->texts[kind];
}

static bool make_synthetic_events(struct synthetic_events *events, enum byte_order order)
{
	const struct formats_machine machine = { .order = order, .long_size = 8 };
	enum synthetic_kind kind;

	if (formats_new(&events->formats, &machine, &events->notes, NULL))
		return false;
	for (kind = 0; kind < SYNTHETIC_NR; kind++)
		if (!make_format_text(events, kind) ||
		    !formats_add(events->formats, synthetic_id(kind), kinds[kind].system,
				 kinds[kind].name, strlen(kinds[kind].name), events->texts[kind]) ||
		    !formats_get(events->formats, synthetic_id(kind))->is_known)
			return false;
	return true;
}

int synthetic_events_new(struct synthetic_events **ret, enum byte_order order, struct err *err)
{
	struct synthetic_events *events = calloc(1, sizeof(*events));

	if (!events || !make_synthetic_events(events, order)) {
		synthetic_events_free(events);
		return err_sys(err, "memory for events of our own");
	}
	*ret = events;
	return 0;
}

void synthetic_events_free(struct synthetic_events *events)
{
	enum synthetic_kind kind;

	if (!events)
		return;
	formats_free(events->formats);
	damage_notes_free(&events->notes);
	for (kind = 0; kind < SYNTHETIC_NR; kind++)
		free(events->texts[kind]);
	free(events);
}

struct formats *synthetic_formats(const struct synthetic_events *events)
{
	return events->formats;
}

const char *synthetic_text(const struct synthetic_events *events, enum synthetic_kind kind)
{
	return events->texts[kind];
}

enum synthetic_kind synthetic_kind_of(const struct aux_event *aux)
{
	if (aux->kind == AUX_EVENT_MCE)
		return SYNTHETIC_MCE;
	return strcmp(aux->name, "printk:log") ? SYNTHETIC_LOG : SYNTHETIC_PRINTK;
}

/* Append a text or array, and write where it lies to the dynamic field at @loc. */
static bool pack_dynamic(struct pack *p, size_t loc, const void *data, size_t size, bool is_text)
{
	size_t n = size < SYNTHETIC_MAX_TEXT ? size : SYNTHETIC_MAX_TEXT;
	u32 where = (u32)(n + is_text) << 16 | (u32)(p->size + FORMATS_COMMON);

	where = pack_order32(p->order, where);
	if (p->failed)
		return false;
	memcpy(p->data + loc, &where, sizeof(where));
	pack_bytes(p, data, n);
	if (is_text)
		pack_u8(p, 0);
	return n == size;
}

static bool pack_dynamic_text(struct pack *p, size_t loc, const char *text)
{
	return pack_dynamic(p, loc, text ? text : "", text ? strlen(text) : 0, true);
}

static bool pack_log_line(struct pack *p, const struct klog_line *line)
{
	size_t n = strnlen(line->text, line->len);

	pack_u32(p, line->priority < 0 ? -1 : line->priority & 7);
	pack_u32(p, line->priority < 0 ? -1 : line->priority >> 3);
	pack_u32(p, 0);
	return pack_dynamic(p, 8, line->text, n, true);
}

/* A list for programs: "printed,crash". */
static void put_source_list(FILE *f, const struct mce *mce)
{
	bool any = false;
	u32 i;

	for (i = 0; i < MCE_NR_SOURCES; i++)
		if (mce->sources & (1U << i)) {
			fprintf(f, "%s%s", any ? "," : "", mce_source_name(i));
			any = true;
		}
}

static bool pack_mce(struct pack *p, const struct mce *mce)
{
	/* The texts are the third to the tenth field. */
	static void (*const writers[])(FILE *f, const struct mce *mce) = {
		mce_put_grade, mce_put_what, mce_put_status, mce_put_address, mce_put_global,
		mce_put_processor, put_source_list,
	};
	const struct synthetic_field *field;
	bool whole;
	size_t i;

	for (field = mce_fields; field->name; field++) {
		const u8 *at = (const u8 *)mce + field->at;

		if (field->is_text)
			pack_u32(p, 0);
		else if (field->size == 1)
			pack_u8(p, *at);
		else if (field->size == 4)
			pack_u32(p, *(const u32 *)at);
		else
			pack_u64(p, *(const u64 *)at);
	}
	whole = pack_dynamic_text(p, 8, mce_grade_name(mce_grade(mce)));
	for (i = 0; i < ARRAY_SIZE(writers); i++) {
		char *text = mce_text(writers[i], mce);

		whole &= pack_dynamic_text(p, 12 + 4 * i, text);
		free(text);
	}
	return whole;
}

bool synthetic_pack_aux(struct pack *p, const struct aux_event *aux)
{
	p->size = 0;
	return aux->kind == AUX_EVENT_LOG ? pack_log_line(p, aux->data) : pack_mce(p, aux->data);
}

bool synthetic_pack_raw(struct pack *p, const struct item *item, const char *name)
{
	bool whole;

	p->size = 0;
	pack_u32(p, item->id);
	pack_u32(p, 0);
	pack_u32(p, 0);
	whole = pack_dynamic_text(p, 4, name);
	return pack_dynamic(p, 8, item->payload, item->size, false) && whole;
}
