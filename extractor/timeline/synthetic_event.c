// SPDX-License-Identifier: GPL-2.0-or-later
#include "synthetic_event.h"

#include <stdio.h>
#include <stdlib.h>

#include "event/formats.h"
#include "mce/decode.h"
#include "recording/klog.h"

/* The library's events, by enum synthetic_kind, and the texts they were made of. */
struct synthetic_events {
	struct tep_handle *tep;
	struct tep_event *events[SYNTHETIC_NR];
	char *texts[SYNTHETIC_NR];
};

/*
 * One field of a format.  A text has no place of its own: it lies behind all.
 * @at: of a number, in struct mce
 */
struct field {
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

static const struct field log_fields[] = {
	NUMBER(s32, 4, true, level), NUMBER(s32, 4, true, facility), TEXT(text), { 0 },
};

static const struct field mce_fields[] = {
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

static const struct field raw_fields[] = {
	NUMBER(u32, 4, false, id), TEXT(name),
	{ "__data_loc u8[]", "raw", 4, false, true, 0 }, { 0 },
};

#define PRINT_LOG "\"<%d>%s\", REC->level, __get_str(text)"

static const struct {
	const char *system;
	const char *name;
	const struct field *fields;
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

static void put_field(FILE *f, const char *type, const char *name, u32 off, u32 size, bool sign)
{
	fprintf(f, "\tfield:%s %s;\toffset:%u;\tsize:%u;\tsigned:%u;\n", type, name, off, size, sign);
}

static void put_text(FILE *f, enum synthetic_kind kind)
{
	const struct field *field;
	u32 off = FORMATS_COMMON;

	fprintf(f, "name: %s\nID: %u\nformat:\n", kinds[kind].name, kind + 1);
	put_field(f, "unsigned short", "common_type", 0, 2, false);
	put_field(f, "unsigned char", "common_flags", 2, 1, false);
	put_field(f, "unsigned char", "common_preempt_count", 3, 1, false);
	put_field(f, "int", "common_pid", 4, 4, true);
	putc('\n', f);
	for (field = kinds[kind].fields; field->name; field++) {
		put_field(f, field->type, field->name, off, field->size, field->is_signed);
		off += field->size;
	}
	fprintf(f, "\nprint fmt: %s\n", kinds[kind].print);
}

static bool make_text(struct synthetic_events *own, enum synthetic_kind kind)
{
	size_t size;
	FILE *f = open_memstream(&own->texts[kind], &size);

	if (!f)
		return false;
	put_text(f, kind);
	return !fclose(f) && own->texts[kind];
}

static bool make(struct synthetic_events *own, enum synthetic_kind kind)
{
	const char *text;

	if (!make_text(own, kind))
		return false;
	text = own->texts[kind];
	if (tep_parse_event(own->tep, text, strlen(text), kinds[kind].system))
		return false;
	own->events[kind] = tep_find_event(own->tep, kind + 1);
	return own->events[kind] != NULL;
}

static bool make_all(struct synthetic_events *own, enum byte_order order)
{
	enum synthetic_kind kind;

	own->tep = tep_alloc();
	if (!own->tep)
		return false;
	tep_set_file_bigendian(own->tep, order == ORDER_BIG ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	for (kind = 0; kind < SYNTHETIC_NR; kind++)
		if (!make(own, kind))
			return false;
	return true;
}

int synthetic_events_new(struct synthetic_events **ret, enum byte_order order, struct err *err)
{
	struct synthetic_events *own = calloc(1, sizeof(*own));

	if (!own || !make_all(own, order)) {
		synthetic_events_free(own);
		return err_sys(err, "memory for events of our own");
	}
	*ret = own;
	return 0;
}

void synthetic_events_free(struct synthetic_events *own)
{
	enum synthetic_kind kind;

	if (!own)
		return;
	tep_free(own->tep);
	for (kind = 0; kind < SYNTHETIC_NR; kind++)
		free(own->texts[kind]);
	free(own);
}

const struct tep_event *synthetic_event(const struct synthetic_events *own, enum synthetic_kind kind)
{
	return own->events[kind];
}

const char *synthetic_text(const struct synthetic_events *own, enum synthetic_kind kind)
{
	return own->texts[kind];
}

enum synthetic_kind synthetic_kind_of(const struct aux_event *extra)
{
	if (extra->kind == AUX_EVENT_MCE)
		return SYNTHETIC_MCE;
	return strcmp(extra->name, "printk:log") ? SYNTHETIC_LOG : SYNTHETIC_PRINTK;
}

/* Where the next text or array goes is told at @loc. */
static bool put_behind(struct pack *p, size_t loc, const void *data, size_t size, bool is_text)
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

static bool put_str(struct pack *p, size_t loc, const char *text)
{
	return put_behind(p, loc, text ? text : "", text ? strlen(text) : 0, true);
}

static bool pack_log(struct pack *p, const struct klog_line *line)
{
	size_t n = strnlen(line->text, line->len);

	pack_u32(p, line->priority < 0 ? -1 : line->priority & 7);
	pack_u32(p, line->priority < 0 ? -1 : line->priority >> 3);
	pack_u32(p, 0);
	return put_behind(p, 8, line->text, n, true);
}

static void pack_number(struct pack *p, const struct field *field, const struct mce *mce)
{
	const u8 *at = (const u8 *)mce + field->at;

	switch (field->size) {
	case 1:
		return pack_u8(p, *at);
	case 4:
		return pack_u32(p, *(const u32 *)at);
	default:
		return pack_u64(p, *(const u64 *)at);
	}
}

static bool put_words(struct pack *p, size_t loc, void (*put)(FILE *, const struct mce *),
		      const struct mce *mce)
{
	char *text = mce_text(put, mce);
	bool whole = put_str(p, loc, text);

	free(text);
	return whole;
}

/* For programs: "printed,crash". */
static void put_sources(FILE *f, const struct mce *mce)
{
	bool any = false;
	u32 i;

	for (i = 0; i < MCE_NR_SOURCES; i++)
		if (mce->sources & (1U << i)) {
			fprintf(f, "%s%s", any ? "," : "", mce_source_name(i));
			any = true;
		}
}

/* The texts are the third to the tenth field. */
static bool pack_mce(struct pack *p, const struct mce *mce)
{
	static void (*const words[])(FILE *f, const struct mce *mce) = {
		mce_put_grade, mce_put_what, mce_put_status, mce_put_address, mce_put_global,
		mce_put_processor, put_sources,
	};
	const struct field *field;
	bool whole;
	size_t i;

	for (field = mce_fields; field->name; field++)
		if (field->is_text)
			pack_u32(p, 0);
		else
			pack_number(p, field, mce);
	whole = put_str(p, 8, mce_grade_name(mce_grade(mce)));
	for (i = 0; i < ARRAY_SIZE(words); i++)
		whole &= put_words(p, 12 + 4 * i, words[i], mce);
	return whole;
}

bool synthetic_pack_aux(struct pack *p, const struct aux_event *extra)
{
	p->size = 0;
	return extra->kind == AUX_EVENT_LOG ? pack_log(p, extra->data) : pack_mce(p, extra->data);
}

bool synthetic_pack_raw(struct pack *p, const struct item *item, const char *name)
{
	bool whole;

	p->size = 0;
	pack_u32(p, item->id);
	pack_u32(p, 0);
	pack_u32(p, 0);
	whole = put_str(p, 4, name);
	return put_behind(p, 8, item->payload, item->size, false) && whole;
}
