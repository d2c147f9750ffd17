// SPDX-License-Identifier: GPL-2.0-only
/* What an event with context has, and where: put together when it is asked for and when it comes. */
#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include "events/fields.h"
#include "events/probe.h"
#include "answer.h"
#include "compat.h"
#include "context.h"
#include "recorder.h"

/**
 * struct variant - an id that was given out
 * @ev: not of an added channel
 * @words: that it was for, as text
 */
struct variant {
	struct list_head node;
	const struct epitaph_event *ev;
	u16 id;
	char words[];
};

static LIST_HEAD(variants);

/* --- when the event comes ------------------------------------------------------ */

/* Of a task that nothing interrupts. */
static __always_inline u32 plain_flags(void)
{
	return (tif_need_resched() ? 0x04 : 0) | (epitaph_resched_lazy() ? 0x02 : 0) |
	       (irqs_disabled() ? 0x01 : 0) | (test_preempt_need_resched() ? 0x20 : 0);
}

u8 epitaph_irq_flags(void)
{
	unsigned long count = preempt_count();
	bool bh_off = EPITAPH_HAS_BH_OFF_FLAG && softirq_count() >= SOFTIRQ_DISABLE_OFFSET;

	return plain_flags() | (count & HARDIRQ_MASK ? 0x08 : 0) | (in_serving_softirq() ? 0x10 : 0) |
	       (count & NMI_MASK ? 0x40 : 0) | (bh_off ? 0x80 : 0);
}

u8 epitaph_preempt_depth(void)
{
	return epitaph_common_count() - IS_ENABLED(CONFIG_PREEMPTION);
}

/* @controller: -1: the unified hierarchy. */
static u64 cgroup_now(int controller)
{
	u64 id = 0;
#ifdef CONFIG_CGROUPS
	struct css_set *set;

	rcu_read_lock();
	set = rcu_dereference(current->cgroups);
	if (controller < 0)
		epitaph_cgroup_note(set->dfl_cgrp);
	id = cgroup_id(controller < 0 ? set->dfl_cgrp : set->subsys[controller]->cgroup);
	rcu_read_unlock();
#endif
	return id;
}

static void put_task(u8 *to)
{
	u32 pid = current->pid, tgid = current->tgid;

	memcpy(to, &pid, sizeof(pid));
	memcpy(to + 4, &tgid, sizeof(tgid));
	strscpy(to + 8, current->comm, TASK_COMM_LEN);
}

static void put_u64(u8 *to, u64 value)
{
	memcpy(to, &value, sizeof(value));
}

static void put_word(u8 *to, const struct epitaph_context_word *word)
{
	switch (word->kind) {
	case EPITAPH_CONTEXT_IRQ:
		*to = epitaph_irq_flags();
		break;
	case EPITAPH_CONTEXT_PREEMPT:
		*to = epitaph_preempt_depth();
		break;
	case EPITAPH_CONTEXT_TASK:
		put_task(to);
		break;
	case EPITAPH_CONTEXT_CGROUP:
		put_u64(to, cgroup_now(-1));
		break;
	case EPITAPH_CONTEXT_CONTROLLER:
		put_u64(to, cgroup_now(word->controller));
		break;
	case EPITAPH_CONTEXT_COUNTER:
		put_u64(to, epitaph_counter_read(word->counter));
		break;
	}
}

/* What is of any length lies farther behind than its field says. */
static void move_locs(const struct epitaph_context *context, u8 *to)
{
	u16 shift = context->at + context->size - context->fixed;
	u32 loc, i;

	for (i = 0; i < context->nr_locs; i++) {
		memcpy(&loc, to + context->locs[i], sizeof(loc));
		loc += shift;
		memcpy(to + context->locs[i], &loc, sizeof(loc));
	}
}

void epitaph_context_fill(const struct epitaph_context *context, u8 *at)
{
	const struct epitaph_context_words *words = context->words;
	int i;

	for (i = words->nr - 1; i >= 0; i--) {
		put_word(at, &words->words[i]);
		at += epitaph_context_size(words->words[i].kind);
	}
}

static __always_inline void commit_context(struct epitaph_ring *ring, __le32 *w, u32 word,
					    unsigned long level, u64 sum)
{
	ring_done(w, word);
	ring_summed(ring, ring_sum(ring, w, level), level, sum);
}

static noinline void commit_words(struct epitaph_ring *ring, const struct epitaph_fast_context *context,
				  __le32 *w, u32 word, unsigned long level, u64 sum)
{
	epitaph_context_fill(container_of(context, struct epitaph_context, fast),
			     (u8 *)(w + context->at));
	sum = epitaph_crc32c(plat_has_crc32(), sum, w + context->own, (context->words - context->own) * 4);
	commit_context(ring, w, word, level, sum);
}

/* Whether irq and preempt are read in a few instructions. */
static __always_inline bool is_plain_pair(const struct epitaph_fast_context *context, u32 count)
{
	return EPITAPH_HAS_CRC32C && !IS_ENABLED(CONFIG_PREEMPT_RT) &&
	       likely(context->is_pair && count <= 0xf && !epitaph_migration_disabled());
}

/* In the order of memory: preempt, irq. */
static __always_inline u32 plain_pair(u32 count)
{
	return ((count - IS_ENABLED(CONFIG_PREEMPTION)) & 0xff) | plain_flags() << 8;
}

/* What is seldom is another function's: this one has nothing to save for it. */
void epitaph_context_commit(struct epitaph_ring *ring, const struct epitaph_fast_context *context,
			    __le32 *w, u32 word, unsigned long level, u64 sum)
{
	u32 pair, at, count = preempt_count();

	if (!is_plain_pair(context, count)) {
		commit_words(ring, context, w, word, level, sum);
		return;
	}
	pair = plain_pair(count);
	at = context->at;
	w[at] = cpu_to_le32(pair);
	/* A hole is as the sub-buffer was: 0. */
	if (unlikely(context->own < at))
		sum = epitaph_crc32c_4(sum, le32_to_cpu(w[context->own]));
	commit_context(ring, w, word, level, epitaph_crc32c_4(sum, pair));
}
EXPORT_SYMBOL_GPL(epitaph_context_commit);

/* The context is in the middle of the event, so its sum begins when it is there. */
static __always_inline void commit_long(struct epitaph_ring *ring, __le32 *w, u32 word,
					unsigned long level, u32 words)
{
	__le64 *sum = ring_sum(ring, w, level);
	u64 value = event_sum(le64_to_cpu(*sum), word, w, words);

	ring_done(w, word);
	ring_summed(ring, sum, level, value);
}

static noinline void commit_long_words(struct epitaph_ring *ring,
				       const struct epitaph_fast_context *context, __le32 *w,
				       u32 word, unsigned long level, u32 words)
{
	epitaph_context_fill(container_of(context, struct epitaph_context, fast),
			     (u8 *)(w + context->at));
	commit_long(ring, w, word, level, words);
}

void epitaph_context_commit_long(struct epitaph_ring *ring, const struct epitaph_fast_context *context,
				 __le32 *w, u32 word, unsigned long level, u32 words)
{
	u32 count = preempt_count();

	if (!is_plain_pair(context, count)) {
		commit_long_words(ring, context, w, word, level, words);
		return;
	}
	w[context->at] = cpu_to_le32(plain_pair(count));
	commit_long(ring, w, word, level, words);
}
EXPORT_SYMBOL_GPL(epitaph_context_commit_long);

void epitaph_context_copy(const struct epitaph_event *ev, const struct epitaph_context *context,
			  void *to, const void *from, u32 payload)
{
	memcpy(to, from, context->fixed);
	epitaph_context_fill(context, to + context->at);
	if (!ev->dynamic)
		return;
	move_locs(context, to);
	memcpy(to + context->at + context->size, from + context->fixed,
	       payload * 4 - context->fixed);
}

/* --- when it is asked for ------------------------------------------------------- */

static bool is_loc(const struct epitaph_field *field)
{
	return str_has_prefix(field->type, "__data_loc") || str_has_prefix(field->type, "__rel_loc");
}

static int find_locs(struct epitaph_context *context, const struct epitaph_event *ev)
{
	const struct epitaph_field *field;
	unsigned int off, end = EPITAPH_COMMON_BYTES, nr = 0;

	epitaph_for_each_field(field, off, ev->fields) {
		nr += is_loc(field);
		end = off + field->size;
	}
	context->fixed = end - EPITAPH_COMMON_BYTES;
	context->locs = kcalloc(nr + 1, sizeof(*context->locs), GFP_KERNEL);
	if (!context->locs)
		return -ENOMEM;
	epitaph_for_each_field(field, off, ev->fields)
		if (is_loc(field))
			context->locs[context->nr_locs++] = off - EPITAPH_COMMON_BYTES;
	return 0;
}

static void lay_out(struct epitaph_context *context)
{
	const struct epitaph_context_words *words = context->words;
	unsigned int i, size = 0;

	for (i = 0; i < words->nr; i++)
		size += epitaph_context_size(words->words[i].kind);
	context->at = round_up(context->fixed, 8);
	context->size = round_up(size, 4);
}

static struct variant *find_variant(const struct epitaph_event *ev, const char *words)
{
	struct variant *variant;

	list_for_each_entry(variant, &variants, node)
		if (variant->ev == ev && !strcmp(variant->words, words))
			return variant;
	return NULL;
}

/* The file pins the module, and so what it prints. */
static int publish_context_format(const struct epitaph_event *ev,
				  const struct epitaph_context *context)
{
	struct trace_event_file *file = trace_get_event_file(NULL, ev->system, ev->name);
	struct epitaph_answer fields = {}, print = {}, args = {};
	const struct epitaph_format_more more = {
		.fields = &fields, .print = &print, .args = &args,
		.print_fmt = IS_ERR(file) || !ev->call ? NULL : file->event_call->print_fmt,
		.words = ev->dynamic ? 0 : epitaph_context_payload(ev, context, 0),
	};
	int err = -ENOMEM;

	epitaph_context_describe(context->words, EPITAPH_COMMON_BYTES + context->at, &fields,
				 &print, &args);
	if (fields.used && print.used && args.used)
		err = epitaph_format_more_publish(ev, &more);
	epitaph_answer_free(&args);
	epitaph_answer_free(&print);
	epitaph_answer_free(&fields);
	if (!IS_ERR(file))
		trace_put_event_file(file);
	return err;
}

static int take_id(struct epitaph_context *context, const struct epitaph_event *ev)
{
	const char *words = context->words->text;
	struct variant *variant = find_variant(ev, words);
	int id;

	if (!variant) {
		variant = kzalloc(struct_size(variant, words, strlen(words) + 1), GFP_KERNEL);
		if (!variant)
			return -ENOMEM;
		id = publish_context_format(ev, context);
		if (id < 0) {
			kfree(variant);
			return id;
		}
		variant->ev = ev;
		variant->id = id;
		strcpy(variant->words, words);
		list_add(&variant->node, &variants);
	}
	context->id = variant->id;
	return 0;
}

static void fill_in_fast(struct epitaph_context *context, const struct epitaph_event *ev)
{
	const struct epitaph_context_words *words = context->words;

	context->fast = (struct epitaph_fast_context){
		.ev = ev,
		.rings = ev->rings,
		.first = (u32)context->id << EPITAPH_ID_SHIFT,
		.own = 1 + epitaph_ring_words(ev->size),
		.at = (ev->dynamic ? 2 : 1) + context->at / 4,
		.words = ev->dynamic ? 0 : 1 + epitaph_context_payload(ev, context, 0),
		.id = context->id,
		.shift = context->at + context->size - context->fixed,
		.is_pair = words->nr == 2 && words->words[0].kind == EPITAPH_CONTEXT_IRQ &&
			   words->words[1].kind == EPITAPH_CONTEXT_PREEMPT,
	};
}

static int fill_in(struct epitaph_context *context, const struct epitaph_event *ev,
		   struct epitaph_answer *answer)
{
	int err = find_locs(context, ev);

	if (err)
		return err;
	lay_out(context);
	if (context->at + context->size > epitaph_ring_max_payload(raw_cpu_ptr(ev->rings))) {
		epitaph_answer(answer, "no sub-buffer holds '%s:%s' with %s\n", ev->system, ev->name,
			       context->words->text);
		return -EMSGSIZE;
	}
	err = take_id(context, epitaph_event_by_id(ev->id) ?: ev);
	if (err)
		epitaph_answer(answer, "there is no room for the format of '%s:%s' with %s\n",
			       ev->system, ev->name, context->words->text);
	else
		fill_in_fast(context, ev);
	return err;
}

struct epitaph_context *epitaph_context_new(const struct epitaph_event *ev,
					    struct epitaph_context_words *words,
					    struct epitaph_answer *answer)
{
	struct epitaph_context *context = kzalloc(sizeof(*context), GFP_KERNEL);
	int err;

	if (!context)
		return ERR_PTR(-ENOMEM);
	context->words = epitaph_context_words_get(words);
	err = fill_in(context, ev, answer);
	if (!err)
		return context;
	epitaph_context_free(context);
	return ERR_PTR(err);
}

void epitaph_context_free(struct epitaph_context *context)
{
	if (!context)
		return;
	epitaph_context_words_put(context->words);
	kfree(context->locs);
	kfree(context);
}

static void drop_variants(const struct epitaph_event *ev)
{
	struct variant *variant, *next;

	list_for_each_entry_safe(variant, next, &variants, node) {
		if (ev && variant->ev != ev)
			continue;
		list_del(&variant->node);
		kfree(variant);
	}
}

void epitaph_context_forget(const struct epitaph_event *ev)
{
	drop_variants(ev);
}

void epitaph_context_exit(void)
{
	drop_variants(NULL);
}
