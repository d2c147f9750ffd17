// SPDX-License-Identifier: GPL-2.0-or-later
#include "items.h"

#include <epitaph/epitaph.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/field_layout.h"
#include "mce/decode.h"
#include "report/event_text.h"

#define ITEM_ALIGN	8
#define MAX_AUX		256	/* definitions of what is no event */

/*
 * Events with the same formats and the same channel share their definitions.
 * @by_id: number of the definition, plus 1; 0: not yet given
 */
struct item_origin {
	struct formats *formats;
	const char *channel;
	u32 *by_id;
};

/* A definition of what is no event.  @channel: NULL: it comes out of none */
struct aux_definition {
	const char *name;
	const char *channel;
	u32 number;
};

/*
 * @origin_of: index in @origins, by stream
 * @text: writes to @text_data, @text_size
 */
struct items {
	struct postmortem *pm;
	struct timeline *timeline;
	bool ended;
	u32 kinds;
	u32 flags;
	u64 from;
	struct item_origin *origins;
	u32 nr_origins;
	u32 *origin_of;
	u32 nr_definitions;
	struct aux_definition aux[MAX_AUX];
	u32 nr_aux;
	struct render *render;
	FILE *text;
	char *text_data;
	size_t text_size;
};

/* --- definitions --------------------------------------------------------- */

struct defined_field {
	const char *name;
	struct wire_field field;
};

static void define_field(struct pack *batch, const struct defined_field *f)
{
	pack_bytes(batch, &f->field, sizeof(f->field));
	wire_text(batch, f->name, strlen(f->name));
}

/* What follows, up to end_definition(), are its fields.  Return: where it begins. */
static size_t begin_definition(struct pack *batch, u32 kind, enum byte_order order,
			       const char *name, const char *channel, u32 nr_fields)
{
	struct wire_definition head = {
		.definition = WIRE_DEFINES, .kind = kind, .order = order,
		.has_channel = channel != NULL, .nr_fields = nr_fields,
	};
	size_t begin = batch->size;

	channel = channel ? channel : "";
	pack_bytes(batch, &head, sizeof(head));
	wire_text(batch, name, strlen(name));
	wire_text(batch, channel, strlen(channel));
	return begin;
}

static u32 end_definition(struct items *items, struct pack *batch, size_t begin)
{
	u32 size;

	pack_align(batch, ITEM_ALIGN);
	size = batch->size - begin;
	if (!batch->failed)
		memcpy(batch->data + begin, &size, sizeof(size));
	return items->nr_definitions++;
}

static struct wire_field wire_field_of(const struct layout_field *field)
{
	struct wire_field out = {
		.kind = field->kind == LAYOUT_TEXT ? WIRE_CHARS :
			field->kind == LAYOUT_ARRAY ? WIRE_ARRAY : WIRE_NUMBER,
		.place = field->is_rest ? WIRE_REST : field->is_relative ? WIRE_RELATIVE :
			 field->is_dynamic ? WIRE_DYNAMIC : WIRE_FIXED,
		.off = field->off, .size = field->is_rest ? 0 : field->size, .element = field->element,
		.is_signed = field->is_signed, .skipped = FORMATS_COMMON,
	};

	return out;
}

static const struct defined_field raw_field = {
	"raw", { .kind = WIRE_NUMBER, .place = WIRE_REST },
};

static u32 define_event(struct items *items, struct pack *batch, const struct item *entry)
{
	const struct stream *stream = entry->stream;
	const struct format *format = formats_get(stream->formats, entry->id);
	size_t begin = begin_definition(batch, EPITAPH_EVENT, stream->order, item_name(entry),
					stream->channel, format->is_known ? format->layout.nr : 1);

	for (u32 i = 0; i < format->layout.nr; i++)
		define_field(batch, &(struct defined_field){
			format->layout.fields[i].name, wire_field_of(&format->layout.fields[i]) });
	if (!format->is_known)
		define_field(batch, &raw_field);
	return end_definition(items, batch, begin);
}

static u32 definition_of_event(struct items *items, struct pack *batch, const struct item *entry)
{
	struct item_origin *origin = &items->origins[items->origin_of[entry->stream->rank]];
	u32 *number = &origin->by_id[entry->id % IDS_MAX];

	if (!*number)
		*number = define_event(items, batch, entry) + 1;
	return *number - 1;
}

#define NUMBER(key, struct_, member) { key, { WIRE_NUMBER, WIRE_FIXED, offsetof(struct_, member), \
	sizeof(((struct_ *)0)->member), 0, 0, 0 } }
#define CHARS(key, struct_, member) { key, { WIRE_CHARS, WIRE_DYNAMIC, offsetof(struct_, member), \
	sizeof(u32), 0, 0, 0 } }
#define TEXT(key) { key, { WIRE_CHARS, WIRE_TEXT, 0, 0, 0, 0, 0 } }

struct log_payload {
	s32 level;
	s32 facility;
};

static const struct defined_field log_fields[] = {
	{ "level", { WIRE_NUMBER, WIRE_FIXED, offsetof(struct log_payload, level), 4, 0, 1, 0 } },
	{ "facility", { WIRE_NUMBER, WIRE_FIXED, offsetof(struct log_payload, facility), 4, 0, 1, 0 } },
	TEXT("text"),
};

/* Words are where the text lies: length and offset, 16 bits each. */
struct mce_payload {
	struct mce mce;
	u32 severity;
	u32 severity_text;
	u32 what;
	u32 status_text;
	u32 address_text;
	u32 mcgstatus_text;
	u32 processor;
	u32 sources;
};

static const struct defined_field mce_fields[] = {
	NUMBER("bank", struct mce_payload, mce.bank),
	CHARS("severity", struct mce_payload, severity),
	CHARS("severity_text", struct mce_payload, severity_text),
	CHARS("what", struct mce_payload, what),
	CHARS("status_text", struct mce_payload, status_text),
	CHARS("address_text", struct mce_payload, address_text),
	CHARS("mcgstatus_text", struct mce_payload, mcgstatus_text),
	CHARS("processor", struct mce_payload, processor),
	CHARS("sources", struct mce_payload, sources),
	NUMBER("status", struct mce_payload, mce.status),
	NUMBER("addr", struct mce_payload, mce.addr),
	NUMBER("misc", struct mce_payload, mce.misc),
	NUMBER("synd", struct mce_payload, mce.synd),
	NUMBER("ipid", struct mce_payload, mce.ipid),
	NUMBER("synd1", struct mce_payload, mce.synd1),
	NUMBER("synd2", struct mce_payload, mce.synd2),
	NUMBER("mcgstatus", struct mce_payload, mce.mcgstatus),
	NUMBER("mcgcap", struct mce_payload, mce.mcgcap),
	NUMBER("tsc", struct mce_payload, mce.tsc),
	NUMBER("cs", struct mce_payload, mce.cs),
	NUMBER("ip", struct mce_payload, mce.ip),
	NUMBER("cpuid", struct mce_payload, mce.cpuid),
	NUMBER("vendor", struct mce_payload, mce.vendor),
	NUMBER("apicid", struct mce_payload, mce.apicid),
	NUMBER("socket", struct mce_payload, mce.socket),
	NUMBER("microcode", struct mce_payload, mce.microcode),
	NUMBER("ppin", struct mce_payload, mce.ppin),
	NUMBER("kernel_severity", struct mce_payload, mce.severity),
	NUMBER("inject_flags", struct mce_payload, mce.inject_flags),
	NUMBER("kflags", struct mce_payload, mce.kflags),
	NUMBER("seq", struct mce_payload, mce.seq),
};

struct mark_payload {
	char type[16];
};

static const struct defined_field mark_fields[] = {
	{ "type", { WIRE_CHARS, WIRE_FIXED, 0, sizeof(struct mark_payload), 0, 0, 0 } },
	TEXT("text"),
};

struct loss_payload {
	char cause[16];
	u32 bytes;
};

static const struct defined_field loss_fields[] = {
	{ "cause", { WIRE_CHARS, WIRE_FIXED, 0, 16, 0, 0, 0 } },
	NUMBER("bytes", struct loss_payload, bytes),
};

static const struct defined_field crash_fields[] = { TEXT("reason") };

/* One for each name, which is a constant, and each channel. */
static u32 definition_of_aux(struct items *items, struct pack *batch, u32 kind, const char *name,
			     const char *channel, const struct defined_field *fields, u32 nr)
{
	size_t begin;
	u32 i;

	for (i = 0; i < items->nr_aux; i++)
		if (items->aux[i].channel == channel && !strcmp(items->aux[i].name, name))
			return items->aux[i].number;
	begin = begin_definition(batch, kind, ORDER_HOST, name, channel, nr);
	for (i = 0; i < nr; i++)
		define_field(batch, &fields[i]);
	i = end_definition(items, batch, begin);
	if (items->nr_aux < MAX_AUX)
		items->aux[items->nr_aux++] = (struct aux_definition){ name, channel, i };
	return i;
}

/* --- items --------------------------------------------------------------- */

/* All numbers of @head are set, but for sizes and the name of the task. */
static void pack_item(struct pack *batch, struct wire_item *head, const char *comm,
		     const void *payload, u32 size, const char *text, u32 text_size)
{
	size_t all = sizeof(*head) + size + (text ? text_size + 1 : 0);
	u8 *to;

	all = (all + ITEM_ALIGN - 1) & ~(size_t)(ITEM_ALIGN - 1);
	to = pack_room(batch, all);
	if (!to)
		return;
	head->size = all;
	head->payload = size;
	head->text = text ? text_size : 0;
	if (comm) {
		head->flags |= WIRE_HAS_COMM;
		strncpy(head->comm, comm, sizeof(head->comm) - 1);
	}
	memset(to + all - ITEM_ALIGN, 0, ITEM_ALIGN);
	memcpy(to, head, sizeof(*head));
	memcpy(to + sizeof(*head), payload, size);
	if (text) {
		memcpy(to + sizeof(*head) + size, text, text_size);
		to[sizeof(*head) + size + text_size] = 0;
	}
	batch->size += all;
}

static struct wire_item item_head(const struct items *items, const struct item *entry)
{
	bool is_counted = (entry->marks & ITEM_LOST_COUNTED) || entry->kind == ITEM_DAMAGED;

	return (struct wire_item){
		.time = entry->time, .real = pm_real(items->pm, entry),
		.nr_lost = is_counted ? entry->nr_lost : 0,
		.pid = entry->pid, .cpu = entry->cpu,
		.flags = entry->marks & (EPITAPH_UNCERTAIN_ORDER | EPITAPH_DAMAGED |
					 EPITAPH_LOST_BEFORE | EPITAPH_UNCOMMITTED | EPITAPH_REPAIRED),
	};
}

/* The text of what happened; NULL: not wanted, or there is no memory. */
static const char *items_text(struct items *items, const struct item *entry, u32 *size)
{
	if (!items->text)
		return NULL;
	rewind(items->text);
	render_text(items->render, items->text, entry);
	if (fflush(items->text))
		return NULL;
	*size = items->text_size;
	return items->text_data;
}

static void items_put_event(struct items *items, struct pack *batch, const struct item *entry)
{
	struct wire_item head = item_head(items, entry);
	u32 text_size = 0;
	const char *text;

	head.definition = definition_of_event(items, batch, entry);
	text = items_text(items, entry, &text_size);
	pack_item(batch, &head, entry->comm, entry->payload, entry->size, text, text_size);
}

static void items_put_log(struct items *items, struct pack *batch, const struct item *entry)
{
	const struct klog_line *line = entry->extra->data;
	struct wire_item head = item_head(items, entry);
	struct log_payload payload = { -1, -1 };

	if (line->priority >= 0)
		payload = (struct log_payload){ line->priority & 7, line->priority >> 3 };
	head.definition = definition_of_aux(items, batch, EPITAPH_LOG, entry->extra->name, NULL,
					    log_fields, ARRAY_SIZE(log_fields));
	pack_item(batch, &head, entry->comm, &payload, sizeof(payload), line->text, line->len);
}

/* Appends to @p, and gives the word that says where. */
static u32 mce_item_text(struct pack *p, const char *text)
{
	size_t len = text ? strlen(text) : 0, off = p->size;

	if (off + len > 0xffff)
		len = 0;
	pack_bytes(p, text, len);
	return (u32)len << 16 | off;
}

static u32 mce_item_phrase(struct pack *p, void (*put)(FILE *f, const struct mce *mce),
		      const struct mce *mce)
{
	char *text = mce_text(put, mce);
	u32 word = mce_item_text(p, text);

	free(text);
	return word;
}

static u32 mce_item_sources(struct pack *p, const struct mce *mce)
{
	size_t off = p->size;

	for (u32 i = 0; i < MCE_NR_SOURCES; i++)
		if (mce->sources & (1U << i))
			pack_fmt(p, "%s%s", p->size > off ? "," : "", mce_source_name(i));
	return (u32)(p->size - off) << 16 | off;
}

static void items_put_mce(struct items *items, struct pack *batch, const struct item *entry)
{
	const struct mce *mce = entry->extra->data;
	struct mce_payload words = { .mce = *mce };
	struct wire_item head = item_head(items, entry);
	struct pack p = { .order = ORDER_HOST };
	u32 text_size = 0;
	const char *text;

	pack_bytes(&p, &words, sizeof(words));
	words.severity = mce_item_text(&p, mce_grade_name(mce_grade(mce)));
	words.severity_text = mce_item_phrase(&p, mce_put_grade, mce);
	words.what = mce_item_phrase(&p, mce_put_what, mce);
	words.status_text = mce_item_phrase(&p, mce_put_status, mce);
	words.address_text = mce_item_phrase(&p, mce_put_address, mce);
	words.mcgstatus_text = mce_item_phrase(&p, mce_put_global, mce);
	words.processor = mce_item_phrase(&p, mce_put_processor, mce);
	words.sources = mce_item_sources(&p, mce);
	if (p.failed) {
		batch->failed = true;
		return pack_free(&p);
	}
	memcpy(p.data, &words, sizeof(words));
	head.definition = definition_of_aux(items, batch, EPITAPH_MACHINE_CHECK, entry->extra->name, NULL,
					    mce_fields, ARRAY_SIZE(mce_fields));
	text = items_text(items, entry, &text_size);
	pack_item(batch, &head, entry->comm, p.data, p.size, text, text_size);
	pack_free(&p);
}

static void items_put_loss(struct items *items, struct pack *batch, const struct item *entry)
{
	struct wire_item head = item_head(items, entry);
	struct loss_payload payload = { .cause = "lost" };

	if (entry->kind == ITEM_TORN) {
		payload = (struct loss_payload){ "unfinished", entry->size };
		head.flags |= EPITAPH_UNCOMMITTED;
	} else if (entry->kind == ITEM_DAMAGED) {
		payload = (struct loss_payload){ .cause = "damaged" };
		head.flags |= EPITAPH_DAMAGED;
	}
	head.definition = definition_of_aux(items, batch, EPITAPH_LOSS, "epitaph:loss",
					    entry->stream ? entry->stream->channel : NULL, loss_fields,
					    ARRAY_SIZE(loss_fields));
	pack_item(batch, &head, NULL, &payload, sizeof(payload), NULL, 0);
}

static void items_put_mark(struct items *items, struct pack *batch, const struct item *entry)
{
	const struct recording_mark *mark = entry->mark;
	struct wire_item head = item_head(items, entry);
	struct mark_payload payload = { 0 };

	snprintf(payload.type, sizeof(payload.type), "%s", recording_mark_name(mark->type));
	head.definition = definition_of_aux(items, batch, EPITAPH_MARK, "epitaph:recorder_mark", NULL,
					    mark_fields, ARRAY_SIZE(mark_fields));
	pack_item(batch, &head, NULL, &payload, sizeof(payload), mark->text,
		 strnlen(mark->text, sizeof(mark->text)));
}

static void items_put_crash(struct items *items, struct pack *batch, const struct item *entry)
{
	const char *reason = items->pm->end.reason;
	struct wire_item head = item_head(items, entry);

	head.definition = definition_of_aux(items, batch, EPITAPH_CRASH, "epitaph:crash", NULL,
					    crash_fields, ARRAY_SIZE(crash_fields));
	pack_item(batch, &head, entry->comm, "", 0, reason,
		 strnlen(reason, sizeof(items->pm->end.reason)));
}

/* The public kind of an item. */
static u32 item_bit(const struct item *entry)
{
	switch (entry->kind) {
	case ITEM_EVENT:
		return EPITAPH_EVENT;
	case ITEM_EXTRA:
		return entry->extra->kind == AUX_EVENT_LOG ? EPITAPH_LOG : EPITAPH_MACHINE_CHECK;
	case ITEM_MARK:
		return EPITAPH_MARK;
	case ITEM_CRASH:
		return EPITAPH_CRASH;
	case ITEM_TORN:
	case ITEM_DAMAGED:
	case ITEM_LOSS:
		break;
	}
	return EPITAPH_LOSS;
}

void items_put(struct items *items, struct pack *batch, const struct item *entry)
{
	u32 kind = item_bit(entry);

	if (!(items->kinds & kind))
		return;
	switch (kind) {
	case EPITAPH_EVENT:
		return items_put_event(items, batch, entry);
	case EPITAPH_LOG:
		return items_put_log(items, batch, entry);
	case EPITAPH_MACHINE_CHECK:
		return items_put_mce(items, batch, entry);
	case EPITAPH_MARK:
		return items_put_mark(items, batch, entry);
	case EPITAPH_CRASH:
		return items_put_crash(items, batch, entry);
	case EPITAPH_LOSS:
		return items_put_loss(items, batch, entry);
	}
}

/* --- the walk ------------------------------------------------------------ */

bool items_need_timeline(u32 kinds)
{
	return kinds & (EPITAPH_EVENT | EPITAPH_LOSS);
}

const struct item *items_next(struct items *items)
{
	const struct item *item = items->ended ? NULL : timeline_next(items->timeline);

	items->ended = !item;
	return item;
}

int items_batch(struct items *items, struct pack *batch, struct err *err)
{
	while (!items->ended && batch->size < WIRE_BATCH && !batch->failed) {
		const struct item *item = items_next(items);

		if (item && item->time >= items->from)
			items_put(items, batch, item);
	}
	return batch->failed ? err_sys(err, "memory for %zu bytes of items", batch->size) : 0;
}

/* Streams with the same formats and the same channel are of one origin. */
static bool find_origins(struct items *items)
{
	struct postmortem *pm = items->pm;
	u32 i, k;

	items->origins = calloc(pm->nr_streams + 1, sizeof(*items->origins));
	items->origin_of = calloc(pm->nr_streams + 1, sizeof(*items->origin_of));
	if (!items->origins || !items->origin_of)
		return false;
	for (i = 0; i < pm->nr_streams; i++) {
		const struct stream *stream = pm->streams[i];

		for (k = 0; k < items->nr_origins; k++)
			if (items->origins[k].formats == stream->formats &&
			    !strcmp(items->origins[k].channel, stream->channel))
				break;
		items->origin_of[i] = k;
		if (k < items->nr_origins)
			continue;
		items->origins[k] = (struct item_origin){
			stream->formats, stream->channel, calloc(IDS_MAX, sizeof(u32)),
		};
		items->nr_origins++;
		if (!items->origins[k].by_id)
			return false;
	}
	return true;
}

static int items_begin(struct items *items, struct err *err)
{
	int ret;

	if (!find_origins(items))
		return err_sys(err, "memory for %u streams", items->pm->nr_streams);
	if (items->flags & EPITAPH_WALK_TEXT) {
		ret = render_new(&items->render, items->pm, err);
		if (ret)
			return ret;
		items->text = open_memstream(&items->text_data, &items->text_size);
		if (!items->text)
			return err_sys(err, "memory for the texts of events");
	}
	if (!items_need_timeline(items->kinds))
		return timeline_open_aux(&items->timeline, items->pm, items->from, err);
	return timeline_open(&items->timeline, items->pm, items->from,
			     items->flags & EPITAPH_WALK_DAMAGED, err);
}

int items_new(struct items **ret_items, struct postmortem *pm, u32 kinds, u32 flags, u64 from,
	      struct err *err)
{
	struct items *items = calloc(1, sizeof(*items));
	int ret;

	if (!items)
		return err_sys(err, "memory for a walk");
	items->pm = pm;
	items->kinds = kinds;
	items->flags = flags;
	items->from = from;
	ret = items_begin(items, err);
	if (ret)
		items_free(items);
	else
		*ret_items = items;
	return ret;
}

void items_free(struct items *items)
{
	if (!items)
		return;
	timeline_close(items->timeline);
	for (u32 i = 0; i < items->nr_origins; i++)
		free(items->origins[i].by_id);
	free(items->origins);
	free(items->origin_of);
	if (items->text)
		fclose(items->text);
	free(items->text_data);
	render_free(items->render);
	free(items);
}
