// SPDX-License-Identifier: GPL-2.0-only
/* The rings of all CPUs, and what a probe calls. */
#include <linux/cpu.h>
#include <linux/export.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <epitaph/layout.h>
#include <epitaph/pack_event.h>
#include <epitaph/probes.h>
#include <epitaph/record.h>
#include <epitaph/text.h>
#include "control/context.h"
#include "control/event_config.h"
#include "control/program.h"
#include "events/fields.h"
#include "events/probe.h"
#include "events/turn.h"
#include "recorder.h"

DEFINE_PER_CPU(struct epitaph_ring [EPITAPH_NR_CHANNELS], epitaph_rings);
EXPORT_SYMBOL_GPL(epitaph_ring_sum);
bool epitaph_is_fast;
EXPORT_SYMBOL_GPL(epitaph_is_fast);

static struct epitaph_ring *ring_of(unsigned int cpu, enum epitaph_channel_id channel)
{
	return per_cpu_ptr(&epitaph_rings[channel], cpu);
}

void epitaph_ring_place(struct epitaph_ring *ring, enum epitaph_channel_id channel,
			unsigned int cpu)
{
	size_t size;

	memset(ring, 0, sizeof(*ring));
	ring->data = epitaph_ring_memory(channel, cpu, &ring->size, &ring->sub_size);
	ring->shift = epitaph_clock_shift();
	ring->salt = epitaph_region.salt;
	ring->counters = epitaph_section(EPITAPH_SEC_COUNTERS, &size);
	ring->counters += channel * nr_cpu_ids + cpu;
}

static int rings_init(unsigned int cpu, pid_t pid)
{
	int channel, err = 0;

	for (channel = 0; channel < EPITAPH_NR_CHANNELS; channel++) {
		ring_of(cpu, channel)->pid = pid;
		err = err ?: epitaph_ring_init(ring_of(cpu, channel));
	}
	return err;
}

/* Runs on the CPU itself: only there the current task is known. */
static void rings_init_here(void *ret)
{
	if (rings_init(smp_processor_id(), current->pid))
		WRITE_ONCE(*(int *)ret, -EINVAL);
}

int epitaph_rings_start(void)
{
	unsigned int cpu;
	int channel, ret = 0;

	epitaph_is_fast = epitaph_clock_is_near() && (!EPITAPH_HAS_CRC32C || plat_has_crc32());
	cpus_read_lock();
	for_each_possible_cpu(cpu) {
		for (channel = 0; channel < EPITAPH_NR_CHANNELS; channel++)
			epitaph_ring_place(ring_of(cpu, channel), channel, cpu);
		/* A CPU that comes later begins with its idle task, pid 0. */
		if (!cpu_online(cpu) && rings_init(cpu, 0))
			ret = -EINVAL;
	}
	on_each_cpu(rings_init_here, &ret, 1);
	cpus_read_unlock();
	return ret;
}

struct epitaph_ring __percpu *epitaph_rings_for(const struct epitaph_event *ev)
{
	return &epitaph_rings[strcmp(ev->system, "ras") ? EPITAPH_CHANNEL_MAIN :
							  EPITAPH_CHANNEL_RAS];
}

void epitaph_ring_record_pid(struct epitaph_ring *ring, u32 pid)
{
	struct epitaph_rec rec;
	__le32 *payload = epitaph_ring_reserve(ring, &rec, EPITAPH_ID_PID,
					       sizeof(*payload), false);

	if (!payload)
		return;
	*payload = cpu_to_le32(pid);
	epitaph_ring_commit(&rec);
}

/*
 * Only the main channel records each switch.  Any other channel records the pid in front of
 * an event if the pid differs from that of the event before.  A nested event may record the
 * same pid once more.
 */
static void record_current_task(struct epitaph_ring *ring)
{
	u32 pid = current->pid;

	if (likely(READ_ONCE(ring->pid) == pid))
		return;
	if (unlikely(epitaph_main_is_stopped()))
		epitaph_task_note(current);
	epitaph_ring_record_pid(ring, pid);
	WRITE_ONCE(ring->pid, pid);
}

/*
 * A reader of this ring changes the pid at a sched_switch.  The next switch may not be
 * recorded in this ring, so the next event records the pid again.
 */
static struct epitaph_claim claim_elsewhere(const struct epitaph_event *ev,
					    struct epitaph_ring *ring, u32 id, u32 payload)
{
	struct epitaph_claim claim;

	record_current_task(ring);
	claim = epitaph_ring_claim(ring, id, payload, ev->dynamic);
	if (ev->id == READ_ONCE(epitaph_switch_id))
		WRITE_ONCE(ring->pid, EPITAPH_UNKNOWN_PID);
	return claim;
}

static struct epitaph_claim claim_as(const struct epitaph_event *ev, struct epitaph_ring *ring,
				     u32 id, u32 payload)
{
	if (unlikely(ring != this_cpu_ptr(&epitaph_rings[EPITAPH_CHANNEL_MAIN])))
		return claim_elsewhere(ev, ring, id, payload);
	return epitaph_ring_claim(ring, id, payload, ev->dynamic);
}

static struct epitaph_claim claim_here(const struct epitaph_event *ev, struct epitaph_ring *ring,
				       u32 payload)
{
	return claim_as(ev, ring, ev->id, payload);
}

/* What no ring holds needs no staging to be counted as that. */
static struct epitaph_claim claim_staged(const struct epitaph_event *ev, struct epitaph_ring *ring,
					 u32 payload)
{
	struct epitaph_claim claim;

	if (unlikely(payload > epitaph_ring_max_payload(ring) / 4))
		return claim_here(ev, ring, payload);
	if (likely(epitaph_stage(payload, &claim)))
		return claim;
	return epitaph_ring_too_deep(ring);
}

/* The pid is unknown after a rejected sched_switch; the next event records it. */
static void reject(const struct epitaph_event *ev)
{
	if (ev->id == READ_ONCE(epitaph_switch_id))
		WRITE_ONCE(this_cpu_ptr(ev->rings)->pid, EPITAPH_UNKNOWN_PID);
}

/* The event is the bridge's in this CPU's turn. */
static __always_inline bool is_left_to_bridge(const struct epitaph_event *ev)
{
	if (likely(!READ_ONCE(ev->is_between)) || epitaph_event_is_probes(ev))
		return false;
	reject(ev);
	return true;
}

static __always_inline const struct epitaph_steer *steer_of(const struct epitaph_event *ev)
{
	/*
	 * The memory for stages was there before the first steer was.
	 * order:steered pairs with order:steer in kernel/control/event_config.c
	 */
	return smp_load_acquire(&ev->steer);
}

struct epitaph_claim epitaph_claim_any(const struct epitaph_event *ev,
				       struct epitaph_ring *ring, u32 payload)
{
	if (is_left_to_bridge(ev))
		return (struct epitaph_claim){ };
	if (unlikely(steer_of(ev)))
		return claim_staged(ev, ring, payload);
	return claim_here(ev, ring, payload);
}
EXPORT_SYMBOL_GPL(epitaph_claim_any);

static void settle(const struct epitaph_event *ev, struct epitaph_ring *ring,
		   struct epitaph_claim claim)
{
	if (unlikely(ev->nr_syms))
		epitaph_note_symbols(ev, epitaph_claim_payload(claim) - 8);
	epitaph_ring_settle(ring, claim);
}

static void put_with_context(const struct epitaph_event *ev, const struct epitaph_context *context,
			     const void *payload, u32 words)
{
	struct epitaph_ring *ring = this_cpu_ptr(ev->rings);
	struct epitaph_claim claim = claim_as(ev, ring, context->id,
					      epitaph_context_payload(ev, context, words));

	if (unlikely(!claim.w))
		return;
	epitaph_context_copy(ev, context, epitaph_claim_payload(claim), payload, words);
	settle(ev, ring, claim);
}

/* A record made elsewhere that has passed: only now the ring is touched. */
static noinline void put_copy(const struct epitaph_event *ev, const struct epitaph_context *context,
			      const void *payload, u32 words)
{
	struct epitaph_ring *ring = this_cpu_ptr(ev->rings);
	struct epitaph_claim claim;

	if (context) {
		put_with_context(ev, context, payload, words);
		return;
	}
	claim = claim_here(ev, ring, words);
	if (unlikely(!claim.w))
		return;
	memcpy(epitaph_claim_payload(claim), payload, words * 4);
	settle(ev, ring, claim);
}

static __always_inline bool passes(const struct epitaph_steer *steer, void *raw)
{
	u32 verdict = EPITAPH_UNDECIDED;

	if (steer->program)
		verdict = epitaph_program_run(steer->program, raw, true);
	return verdict == EPITAPH_UNDECIDED ? epitaph_kernel_passes(steer, raw) :
					      verdict == EPITAPH_PASS;
}

void epitaph_settle_any(const struct epitaph_event *ev, struct epitaph_ring *ring,
			struct epitaph_claim claim, u32 words)
{
	const struct epitaph_steer *steer;
	void *payload;

	if (likely(claim.words != EPITAPH_STAGED)) {
		settle(ev, ring, claim);
		return;
	}
	steer = READ_ONCE(ev->steer);
	payload = epitaph_claim_payload(claim);
	if (!steer || passes(steer, payload - EPITAPH_COMMON_BYTES))
		put_copy(ev, steer ? steer->context : NULL, payload, words);
	else
		reject(ev);
	epitaph_unstage(claim);
}
EXPORT_SYMBOL_GPL(epitaph_settle_any);

static noinline void put_if_it_passes(const struct epitaph_event *ev, const struct epitaph_steer *steer,
				      void *raw, u32 words)
{
	if (passes(steer, raw))
		put_copy(ev, steer->context, raw + EPITAPH_COMMON_BYTES, words);
	else
		reject(ev);
}

/* By its table, if it has one: then an array of varying length is of the one byte that is mostly a zero. */
static bool put_packed(const struct epitaph_event *ev, const void *raw, u32 bytes)
{
	if (!ev->is_packed || !ev->steps || bytes != ev->size + (u32)ev->dynamic)
		return false;
	if (unlikely(ev->nr_syms))
		epitaph_note_symbols(ev, raw);
	return epitaph_pack_steps(this_cpu_ptr(ev->rings), this_cpu_ptr(epitaph_slots), ev->packing,
				  ev->pack_head, ev->steps, raw);
}

static noinline void put_long_unsteered(const struct epitaph_event *ev, void *raw, u32 bytes)
{
	if (!put_packed(ev, raw, bytes))
		put_copy(ev, NULL, raw + EPITAPH_COMMON_BYTES, epitaph_ring_words(bytes));
}

/* As epitaph_record(), no more than leads to another function. */
void epitaph_record_long(const struct epitaph_event *ev, void *raw, u32 bytes)
{
	const struct epitaph_steer *steer = steer_of(ev);
	u32 words = epitaph_ring_words(bytes);

	if (is_left_to_bridge(ev))
		return;
	if (unlikely(!steer))
		put_long_unsteered(ev, raw, bytes);
	else if (steer->wants_more)
		put_if_it_passes(ev, steer, raw, words);
	else if (steer->program && epitaph_program_run(steer->program, raw, false) == EPITAPH_REJECT)
		reject(ev);
	else
		put_copy(ev, steer->context, raw + EPITAPH_COMMON_BYTES, words);
}
EXPORT_SYMBOL_GPL(epitaph_record_long);

/*
 * A record on the stack that has passed: only now the ring is touched.  The words of context are
 * behind it in the same claim.
 */
static noinline void put_record(const struct epitaph_event *ev, const struct epitaph_context *context,
		       const void *payload, u32 bytes)
{
	u32 id = context ? context->id : ev->id;
	u32 words = epitaph_ring_words(context ? context->at + context->size : bytes);
	struct epitaph_ring *ring = this_cpu_ptr(ev->rings);
	struct epitaph_claim claim;
	struct epitaph_fast fast;
	void *to;

	if (unlikely(ev->nr_syms))
		epitaph_note_symbols(ev, payload - EPITAPH_COMMON_BYTES);
	if (likely(ev->rings == &epitaph_rings[EPITAPH_CHANNEL_MAIN] && epitaph_is_fast &&
		   id <= EPITAPH_ID_SHORT_MAX &&
		   epitaph_fast_claim(ring, &fast, 1 + words))) {
		to = fast.w + 1;
		epitaph_copy(to, payload, bytes);
		if (context)
			epitaph_context_fill(context, to + context->at);
		epitaph_fast_commit(ring, &fast, id << EPITAPH_ID_SHIFT, 1 + words);
	} else {
		claim = claim_as(ev, ring, id, words);
		if (unlikely(!claim.w))
			return;
		to = epitaph_claim_payload(claim);
		memcpy(to, payload, bytes);
		if (context)
			epitaph_context_fill(context, to + context->at);
		epitaph_ring_settle(ring, claim);
	}
}

/* A filter that is not compiled, and triggers, look at it first. */
static noinline void put_record_if_it_passes(const struct epitaph_event *ev,
					     const struct epitaph_steer *steer, void *raw, u32 bytes)
{
	if (passes(steer, raw))
		put_record(ev, steer->context, raw + EPITAPH_COMMON_BYTES, bytes);
	else
		reject(ev);
}

static noinline void put_unsteered(const struct epitaph_event *ev, void *raw, u32 bytes)
{
	if (!put_packed(ev, raw, bytes))
		put_record(ev, NULL, raw + EPITAPH_COMMON_BYTES, bytes);
}

/* No more than leads to another function, so that what a filter rejects costs no frame. */
void epitaph_record(const struct epitaph_event *ev, void *raw, u32 bytes)
{
	const struct epitaph_steer *steer = steer_of(ev);
	const void *payload = raw + EPITAPH_COMMON_BYTES;

	if (is_left_to_bridge(ev))
		return;
	if (unlikely(!steer))
		put_unsteered(ev, raw, bytes);
	else if (steer->program && epitaph_program_run(steer->program, raw, false) == EPITAPH_REJECT)
		reject(ev);
	else if (steer->wants_more)
		put_record_if_it_passes(ev, steer, raw, bytes);
	else
		put_record(ev, steer->context, payload, bytes);
}
EXPORT_SYMBOL_GPL(epitaph_record);

void epitaph_note_symbols(const struct epitaph_event *ev, const void *raw)
{
	unsigned long addr;
	int i;

	for (i = 0; i < ev->nr_syms; i++) {
		memcpy(&addr, raw + ev->sym_off[i], sizeof(addr));
		epitaph_symbol_note(addr);
	}
}
EXPORT_SYMBOL_GPL(epitaph_note_symbols);
