// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is on in ftrace's instance "epitaph", by way of register_ftrace_export().
 * docs/bridge.md has how, and why.
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/trace_events.h>
#include <linux/workqueue.h>
#include <epitaph/plat.h>
#include <epitaph/probes.h>
#include <epitaph/ring_fast.h>
#include <epitaph/text.h>
#include "control/answer.h"
#include "control/members.h"
#include "events/calls.h"
#include "events/fields.h"
#include "events/probe.h"
#include "events/turn.h"
#include "bridge.h"
#include "bridge_place.h"
#include "compat.h"
#include "recorder.h"

#define COMMON	EPITAPH_COMMON_BYTES

/* As ftrace has it in its rings, and as we do. */
struct function {
	unsigned long ip;
	unsigned long parent_ip;
};

static const struct epitaph_field function_fields[] = {
	{ .type = "unsigned long", .name = "ip", .size = sizeof(long), .align = sizeof(long) },
	{ .type = "unsigned long", .name = "parent_ip", .size = sizeof(long), .align = sizeof(long) },
	{}
};
static const struct epitaph_enum *const no_enums;

static struct epitaph_event function_event = {
	.size = sizeof(struct function),
	.system = "ftrace",
	.name = "function",
	.fields = function_fields,
	.print_fmt = "\"%ps <-%ps\", (void *)REC->ip, (void *)REC->parent_ip",
	.enums = &no_enums,
};

/* A text of trace_marker or trace_printk(). */
struct print {
	unsigned long ip;
	u32 cut;		/* bytes that found no room */
	u32 buf;		/* length << 16 | offset */
	char data[];
};

static const struct epitaph_field print_fields[] = {
	{ .type = "unsigned long", .name = "ip", .size = sizeof(long), .align = sizeof(long) },
	{ .type = "unsigned int", .name = "cut", .size = 4, .align = 4 },
	{ .type = "__data_loc char[]", .name = "buf", .size = 4, .align = 4 },
	{}
};

static struct epitaph_event print_event = {
	.size = sizeof(struct print),
	.dynamic = true,
	.system = "ftrace",
	.name = "print",
	.fields = print_fields,
	.print_fmt = "\"%ps: %s\", (void *)REC->ip, __get_str(buf)",
	.enums = &no_enums,
};

/* One whose format is not in the region yet. */
struct early {
	u32 id;			/* that its format will have */
	u32 ftrace_id;
	u32 data;		/* length << 16 | offset */
	u8 bytes[];
};

static const struct epitaph_field early_fields[] = {
	{ .type = "unsigned int", .name = "id", .size = 4, .align = 4 },
	{ .type = "unsigned int", .name = "ftrace_id", .size = 4, .align = 4 },
	{ .type = "__data_loc unsigned char[]", .name = "data", .size = 4, .align = 4 },
	{}
};

static struct epitaph_event early_event = {
	.size = sizeof(struct early),
	.dynamic = true,
	.system = "epitaph",
	.name = "early",
	.fields = early_fields,
	.print_fmt = "\"ftrace_id=%u\", REC->ftrace_id",
	.enums = &no_enums,
};

static DEFINE_MUTEX(lock);		/* on and off */
static bool is_on, made_instance;
static struct trace_event_file *probe_file;
/*
 * As probe_file, but without its filter and what else a user may have set: ftrace would make
 * the record in a page of its own, and what is given back would not be what was reserved.
 */
static struct trace_event_file bare_file;
static struct trace_array *instance;
/* ftrace makes the record of a filtered event in a page of its own. */
static bool is_apart(const struct trace_event_buffer *buffer)
{
	const struct trace_event_file *file = buffer->trace_file;

	return (file->flags & (EVENT_FILE_FL_FILTERED | EVENT_FILE_FL_SOFT_DISABLED)) &&
	       !offset_in_page(buffer->event);
}

/* The size of the record.  For a record apart over 116 bytes, ftrace gives 4 bytes too few. */
static u32 payload_size(const struct trace_event_buffer *buffer, u32 size)
{
	if (is_apart(buffer) && !buffer->event->type_len)
		size = buffer->event->array[0];
	return size > COMMON ? size - COMMON : 0;
}

static struct epitaph_ring *ring_here(void)
{
	return this_cpu_ptr(&epitaph_rings[EPITAPH_CHANNEL_MAIN]);
}

/*
 * After the event of a switch, a reader takes the next task for the running one.  ftrace
 * still sees code of the previous task until the switch is done.  So the pid of the previous
 * task is recorded in front of such an event, and the pid of the next task behind it.
 *
 * Return: the pid that was recorded last.
 */
static u32 run_as(struct epitaph_ring *ring, u32 pid)
{
	u32 before = READ_ONCE(ring->pid);

	if (unlikely(before != pid)) {
		WRITE_ONCE(ring->pid, pid);
		epitaph_ring_record_pid(ring, pid);
	}
	return before;
}

static noinline void record_slowly(struct epitaph_ring *ring, u32 id, const void *payload, u32 size)
{
	struct epitaph_rec rec;
	void *to = epitaph_ring_reserve(ring, &rec, id, size, true);

	if (!to)
		return;
	memcpy(to, payload, size);
	epitaph_ring_commit(&rec);
}

static __always_inline void record_bridged(struct epitaph_ring *ring, u32 id, const void *payload,
					   u32 size)
{
	u32 words = 2 + epitaph_ring_words(size);
	struct epitaph_fast fast;

	if (unlikely(!epitaph_is_fast || words > EPITAPH_FAST_WORDS ||
		     !epitaph_fast_claim(ring, &fast, words))) {
		record_slowly(ring, id, payload, size);
		return;
	}
	epitaph_fast_long(&fast, id, words);
	epitaph_copy(fast.w + 2, payload, size);
	epitaph_fast_commit(ring, &fast, EPITAPH_ID_LONG << EPITAPH_ID_SHIFT, words);
}

static void record_early(struct epitaph_ring *ring, u32 id, const void *payload, u32 size,
			 u32 ftrace_id)
{
	struct epitaph_rec rec;
	struct early *early = epitaph_ring_reserve(ring, &rec, early_event.id,
						   sizeof(*early) + size, true);

	if (!early)
		return;
	early->id = id;
	early->ftrace_id = ftrace_id;
	early->data = size << 16 | (COMMON + sizeof(*early));
	memcpy(early->bytes, payload, size);
	epitaph_ring_commit(&rec);
}

/* How many addresses an event begins with: a kprobe has one, and one that returns has two. */
static u8 nr_functions(const struct trace_event_call *call)
{
	if (!(call->flags & TRACE_EVENT_FL_KPROBE))
		return 0;
	return str_has_prefix(call->print_fmt, "\"(%lx <- %lx)") ? 2 : 1;
}

static void note_functions(const unsigned long *at, u32 size, u8 nr)
{
	for (; nr && size >= sizeof(*at); nr--, at++, size -= sizeof(*at))
		epitaph_symbol_note(*at);
}

static noinline void note_place(const struct bridge_place *place, const void *entry, u32 size)
{
	epitaph_bridge_note_page(entry, true);
	note_functions(entry + COMMON, size - COMMON, place->nr_functions);
}

/* No question is open: what event it is, whose, who runs.  Return: was it like that? */
static __always_inline bool wrote_again(const void *entry, unsigned int size, unsigned long frame)
{
	u16 type = ((const struct trace_entry *)entry)->type;
	u32 id = READ_ONCE(epitaph_bridge_ids[type]);
	const struct bridge_place *place = &epitaph_bridge_places[id];
	struct epitaph_ring *ring = ring_here();

	if (!bridge_place_agrees(place, entry, frame) || READ_ONCE(ring->pid) != current->pid ||
	    size < COMMON)
		return false;
	if (unlikely(place->nr_functions || !epitaph_bridge_page_is_ours(entry)))
		note_place(place, entry, size);
	record_bridged(ring, id, entry + COMMON, size - COMMON);
	return true;
}

static noinline void wrote_first(const void *entry, unsigned int size, unsigned long frame)
{
	u32 turn = this_cpu_read(epitaph_turn), id, next;
	const struct trace_event_buffer *buffer = epitaph_bridge_buffer(entry);
	struct epitaph_ring *ring = ring_here();
	struct trace_event_call *call;
	bool is_ready;

	if (!buffer)
		return;
	if (!is_apart(buffer))
		epitaph_bridge_note_page(entry, buffer->trace_file->tr == instance);
	if (buffer->trace_file->tr != instance || epitaph_main_is_stopped())
		return;
	call = buffer->trace_file->event_call;
	if (epitaph_probes_have(call))
		return;
	size = payload_size(buffer, size);
	id = epitaph_bridge_id(call, &is_ready);
	if (id && is_ready)
		bridge_place_remember(&epitaph_bridge_places[id], buffer, frame, turn, nr_functions(call));
	note_functions(entry + COMMON, size, nr_functions(call));
	next = run_as(ring, current->pid);
	if (likely(id && is_ready))
		record_slowly(ring, id, entry + COMMON, size);
	else if (id)
		record_early(ring, id, entry + COMMON, size, call->event.type);
	run_as(ring, next);
}

static void wrote_event(struct trace_export *export, const void *entry, unsigned int size)
{
	unsigned long frame = (unsigned long)__builtin_frame_address(0);

	if (unlikely(!wrote_again(entry, size, frame)))
		wrote_first(entry, size, frame);
}

static void wrote_function(struct trace_export *export, const void *entry, unsigned int size)
{
	const struct function *from = entry + COMMON;
	struct epitaph_ring *ring = ring_here();
	struct function *to;
	struct epitaph_rec rec;
	u32 next;

	if (size < COMMON + sizeof(*from) || epitaph_main_is_stopped() || epitaph_calls_are_ours() ||
	    !epitaph_bridge_is_ours(entry, &bare_file))
		return;
	next = run_as(ring, current->pid);
	to = epitaph_reserve(&function_event, &rec, sizeof(*to));
	if (to) {
		*(struct function *)((void *)to + COMMON) = *from;
		epitaph_commit(&function_event, &rec);
	}
	run_as(ring, next);
}

static void wrote_marker(struct trace_export *export, const void *entry, unsigned int size)
{
	unsigned long ip;
	const char *text = entry + COMMON + sizeof(ip);

	if (size < COMMON + sizeof(ip) || epitaph_main_is_stopped() ||
	    !epitaph_bridge_is_ours(entry, &bare_file))
		return;
	memcpy(&ip, entry + COMMON, sizeof(ip));
	epitaph_bridge_text(ip, text, strnlen(text, size - COMMON - sizeof(ip)));
}

void epitaph_bridge_text(unsigned long ip, const char *text, size_t len)
{
	size_t max = epitaph_ring_max_payload(raw_cpu_ptr(print_event.rings)) -
		     sizeof(struct print) - 1;
	struct epitaph_ring *ring;
	struct epitaph_rec rec;
	struct print *print;
	size_t cut;
	u32 next;

	if (epitaph_main_is_stopped())
		return;
	if (len && text[len - 1] == '\n')
		len--;
	cut = len > max ? len - max : 0;
	len -= cut;
	preempt_disable_notrace();
	ring = ring_here();
	next = run_as(ring, current->pid);
	print = epitaph_ring_reserve(ring, &rec, print_event.id, sizeof(*print) + len + 1, true);
	if (print) {
		print->ip = ip;
		print->cut = cut;
		print->buf = (len + 1) << 16 | (COMMON + sizeof(*print));
		memcpy(print->data, text, len);
		epitaph_ring_commit(&rec);
	}
	run_as(ring, next);
	preempt_enable_notrace();
	epitaph_symbol_note(ip);
}

static struct trace_export exports[] = {
	{ .write = wrote_event, .flags = TRACE_EXPORT_EVENT },
	{ .write = wrote_function, .flags = TRACE_EXPORT_FUNCTION },
	{ .write = wrote_marker, .flags = TRACE_EXPORT_MARKER },
};

static struct trace_event_file *get_probe_file(void)
{
	/* Every kernel has this event, and it is over before the module loads. */
	return trace_get_event_file(EPITAPH_BRIDGE_INSTANCE, "initcall", "initcall_finish");
}

/* The open file holds the instance: it cannot be removed meanwhile. */
static int hold_instance(void)
{
	struct trace_array *made;

	probe_file = get_probe_file();
	made_instance = IS_ERR(probe_file);
	if (made_instance) {
		made = epitaph_trace_instance(EPITAPH_BRIDGE_INSTANCE);
		if (!made)
			return -ENOMEM;
		probe_file = get_probe_file();
		trace_array_put(made);
	}
	if (IS_ERR(probe_file))
		return PTR_ERR(probe_file);
	memcpy(&bare_file, probe_file, sizeof(bare_file));
	bare_file.flags = 0;
	instance = probe_file->tr;
	return 0;
}

static void leave_instance(void)
{
	trace_put_event_file(probe_file);
	if (made_instance && trace_array_destroy(instance))
		pr_info("ftrace's instance " EPITAPH_BRIDGE_INSTANCE " is in use and stays\n");
	instance = NULL;
}

static int publish_bridge(void)
{
	static struct epitaph_event *const events[] = {
		&function_event, &print_event, &early_event,
	};
	int i, err = 0;

	for (i = 0; i < ARRAY_SIZE(events) && !err; i++) {
		events[i]->rings = epitaph_rings_for(events[i]);
		epitaph_find_syms(events[i]);
		if (!events[i]->published)
			err = epitaph_event_publish(events[i]);
		events[i]->published = !err;
	}
	return err;
}

static void start_exports(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(exports); i++)
		register_ftrace_export(&exports[i]);
	epitaph_bridge_printk_start();
}

static long pass(void *unused)
{
	return 0;
}

/*
 * A task of ours ran on each CPU, so what had preemption off is over there, also where RCU does
 * not watch: before 6.3, functions of an idle CPU are exported, too.
 */
static void wait_for_all_cpus(void)
{
	unsigned int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		work_on_cpu(cpu, pass, NULL);
	cpus_read_unlock();
}

/* ftrace calls the exports with preemption off, and does not wait for them to end. */
static void stop_exports(void)
{
	int i;

	epitaph_bridge_printk_stop();
	for (i = 0; i < ARRAY_SIZE(exports); i++)
		unregister_ftrace_export(&exports[i]);
	synchronize_rcu();
	wait_for_all_cpus();
}

/* From the first event on, and until the last one is over, no event goes between probe and bridge. */
static void hand_over(bool on)
{
	epitaph_events_lock();
	epitaph_turn_bridge(on);
	epitaph_events_unlock();
}

static const char *turn_on(int *err)
{
	*err = publish_bridge();
	if (*err)
		return "there is no room for its formats";
	*err = epitaph_bridge_formats_start();
	if (*err)
		return "tracefs or kprobes are not to be had";
	*err = hold_instance();
	if (!*err) {
		hand_over(true);
		start_exports();
		return NULL;
	}
	epitaph_bridge_formats_stop();
	return "ftrace's instance " EPITAPH_BRIDGE_INSTANCE " cannot be made";
}

int epitaph_bridge_on(struct epitaph_answer *answer)
{
	const char *why = NULL;
	int err = 0;

	mutex_lock(&lock);
	if (!EPITAPH_ENTRY_IS_FTRACES) {
		why = "this kernel's own records begin otherwise than ours (PREEMPT_RT before 6.12)";
		err = -EOPNOTSUPP;
	} else if (!is_on) {
		why = turn_on(&err);
	}
	is_on = !why;
	mutex_unlock(&lock);
	if (why && answer)
		epitaph_answer(answer, "no bridge: %s (%d)\n", why, err);
	else if (why)
		pr_warn("no bridge: %s (%d)\n", why, err);
	return err;
}

void epitaph_bridge_off(void)
{
	mutex_lock(&lock);
	if (is_on) {
		stop_exports();
		hand_over(false);
		leave_instance();
		epitaph_bridge_formats_stop();
	}
	is_on = false;
	mutex_unlock(&lock);
}

void epitaph_bridge_show(struct epitaph_answer *answer)
{
	unsigned int published = 0, refused = 0;

	mutex_lock(&lock);
	if (is_on)
		epitaph_bridge_count(&published, &refused);
	epitaph_answer(answer, "bridge %s, %u events, %u refused\n", is_on ? "on" : "off",
		       published, refused);
	mutex_unlock(&lock);
}
