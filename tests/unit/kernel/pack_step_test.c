// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every instruction of a packed switch is a crash point: the trap flag stops behind each, and all
 * that is committed then means what was meant.  At a chosen one an interrupt comes that writes
 * switches as well: one, or so many that the sub-buffer ends, or the ring.
 *
 * build: kernel/core/ring.c kernel/events/slots.c tests/lib/ring_reader.c
 * only: plain
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include <epitaph/pack.h>

#include "ring_reader.h"
#include "tap.h"

#define SUB		512
#define NR_SUBS		16
#define PACKING		7
#define PLAIN		EPITAPH_ID_FIRST
#define TRAP_FLAG	0x100
#define NONE		(~0U)
#define KEYS		12

/* Of a ring that is put back. */
struct start {
	struct epitaph_ring ring;
	struct epitaph_slots slots;
	u8 data[NR_SUBS * SUB];
};

static u16 words_of[512] = { [PLAIN] = 14, [EPITAPH_ID_TEXT] = EPITAPH_TEXT_WORDS,
			     [EPITAPH_ID_VALUE] = EPITAPH_VALUE_WORDS, [EPITAPH_ID_TASK] = EPITAPH_TASK_WORDS };
static struct epitaph_counters counters;
static struct epitaph_ring ring;
static struct epitaph_slots slots;
static struct reader_sub sub;
static u64 nr_packed, nr_usual, nr_plain;
static u32 at = NONE, passed, burst;	/* where the interrupt comes, and how many it writes */
static u64 instructions, interrupts, seen;

struct record {
	char prev_comm[16];
	u32 prev_pid;
	int prev_prio;
	u64 prev_state;
	char next_comm[16];
	u32 next_pid;
	int next_prio;
};

u64 epitaph_clock(void)
{
	static u64 clock;

	/* Far from the last event every now and then. */
	clock += clock % 29 ? 1 : 1 << EPITAPH_TIME_BITS;
	return clock;
}

static __always_inline bool fields_of(struct pack_state *state, const struct record *record)
{
	return epitaph_pack_field(state, record->prev_comm, 16, "char", "prev_comm") &&
	       epitaph_pack_field(state, &record->prev_pid, 4, "pid_t", "prev_pid") &&
	       epitaph_pack_field(state, &record->prev_prio, 4, "int", "prev_prio") &&
	       epitaph_pack_field(state, &record->prev_state, 8, "long", "prev_state") &&
	       epitaph_pack_field(state, record->next_comm, 16, "char", "next_comm") &&
	       epitaph_pack_field(state, &record->next_pid, 4, "pid_t", "next_pid") &&
	       epitaph_pack_field(state, &record->next_prio, 4, "int", "next_prio");
}

/* The priority says which one it is; three have one name, and two one place in the table. */
static void task_of(u32 key, char comm[16], u32 *pid, int *prio)
{
	memset(comm, 0, 16);
	comm[0] = 'A' + key / 3;
	*pid = key % 6 << EPITAPH_SLOT_BITS | key / 2;
	*prio = 100 + key;
}

static void write_switch(void)
{
	static u32 last;
	u32 key = last = (last * 5 + 3) % KEYS;
	struct record record = { .prev_state = 1ULL << key };
	struct epitaph_rec rec;
	void *to;

	task_of(key, record.prev_comm, &record.prev_pid, &record.prev_prio);
	task_of(key + 1, record.next_comm, &record.next_pid, &record.next_prio);
	if (pack_usual(&ring, &slots, PACKING, record, fields_of)) {
		nr_usual++;
	} else if (pack_any_event(&ring, &slots, PACKING, record, fields_of)) {
		nr_packed++;
	} else {
		nr_plain++;
		to = epitaph_ring_reserve(&ring, &rec, PLAIN, sizeof(record), false);
		if (to) {
			memcpy(to, &record, sizeof(record));
			epitaph_ring_commit(&rec);
		}
	}
}

static u32 key_of(const u8 *const texts[256], const u8 *const tasks[256], const u8 *p)
{
	const u8 *task = *p ? tasks[*p] : p + 1;
	u32 pid, key;
	char comm[16];
	int prio;

	if (!task || !texts[task[0]])
		return NONE;
	key = task[1] - 100;
	task_of(key, comm, &pid, &prio);
	return texts[task[0]][0] == comm[0] && !task[2] && (task[3] | task[4] << 8) == (int)pid && !task[5] ? key : NONE;
}

/* Number, task, one bit, task. */
static bool means_it(const u8 *const texts[256], const u8 *const tasks[256], const u8 *p)
{
	u32 key = key_of(texts, tasks, p + 1);
	const u8 *bit = p + 1 + (p[1] ? 1 : 8);

	return key != NONE && *bit == key + 1 && key_of(texts, tasks, bit + 1) == key + 1;
}

static bool learn(const u8 **slot, const u8 *payload)
{
	bool again = slot[payload[0]] && payload[0];

	slot[payload[0]] = payload[0] ? payload + 1 : NULL;
	return !again;
}

static const char *look_at(u32 off)
{
	const u8 *texts[256] = { NULL }, *tasks[256] = { NULL };
	u32 k;

	reader_sub(&sub, ring.data + off, SUB, off, ring.salt, words_of);
	if (sub.verdict == READER_DAMAGED)
		return sub.why;
	for (k = 0; k < sub.nr_events; k++) {
		const struct reader_event *ev = &sub.events[k];

		if (ev->id == EPITAPH_ID_TEXT || ev->id == EPITAPH_ID_TASK) {
			if (!learn(ev->id == EPITAPH_ID_TEXT ? texts : tasks, ev->payload))
				return "a slot is set twice";
		} else if (ev->id >= EPITAPH_ID_PACKED && ev->id <= EPITAPH_ID_PACKED_LAST && ev->payload[0]) {
			seen++;
			if (!means_it(texts, tasks, ev->payload))
				return "a switch means another one";
		}
	}
	return NULL;
}

static const char *why;

static void look_at_all(void)
{
	u32 off;

	for (off = 0; off < NR_SUBS * SUB && !why; off += SUB)
		why = look_at(off);
}

static void begin(u32 writes)
{
	u32 id;

	for (id = EPITAPH_ID_PACKED; id <= EPITAPH_ID_PACKED_LAST; id++)
		words_of[id] = id - EPITAPH_ID_PID;
	memset(&slots, 0, sizeof(slots));
	ring = (struct epitaph_ring){
		.data = ring.data ?: aligned_alloc(4096, NR_SUBS * SUB), .sub_size = SUB,
		.size = NR_SUBS * SUB, .salt = 7, .counters = &counters,
	};
	CHECK(!epitaph_ring_init(&ring), "refused");
	why = NULL;
	while (writes--)
		write_switch();
}

#ifdef __x86_64__

static void set_trap(void)
{
	__asm__ __volatile__("pushfq; orq %0, (%%rsp); popfq" : : "i" (TRAP_FLAG) : "memory", "cc");
}

static void clear_trap(void)
{
	__asm__ __volatile__("pushfq; andq %0, (%%rsp); popfq" : : "i" (~TRAP_FLAG) : "memory", "cc");
}

static void write_stepping(void)
{
	passed = 0;
	set_trap();
	write_switch();
	clear_trap();
}

/*
 * The kernel clears the trap flag for the handler, and puts it back after, if it is still in
 * @context.
 */
static void on_trap(int sig, siginfo_t *info, void *context)
{
	u32 i;

	(void)sig;
	(void)info;
	instructions++;
	if (at == NONE)
		look_at_all();
	if (passed++ != at)
		return;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	interrupts++;
	for (i = 0; i < burst; i++)
		write_switch();
	look_at_all();
}

static void keep(struct start *start)
{
	start->ring = ring;
	start->slots = slots;
	memcpy(start->data, ring.data, sizeof(start->data));
}

static void put_back(const struct start *start)
{
	ring = start->ring;
	slots = start->slots;
	memcpy(ring.data, start->data, sizeof(start->data));
}

static void pack__every_instruction_of_a_switch_is_a_crash_point(void)
{
	u32 i;

	begin(200);
	at = NONE;
	for (i = 0; i < 60 && !why; i++)
		write_stepping();
	CHECK(!why, "%s", why);
	CHECK(instructions > 5000 && seen, "not stepped: %llu", (unsigned long long)instructions);
}

/* @later: writes before the one that is interrupted. */
static void interrupt_at_each(u32 later, u32 writes)
{
	static struct start start;
	u64 before = interrupts;

	begin(200 + later);
	keep(&start);
	burst = writes;
	/* Of a write that tells tasks, every few. */
	for (at = later % 7, passed = NONE; at < passed && !why; at += 1 + at / 60) {
		put_back(&start);
		passed = 0;
		write_stepping();
		if (passed <= at)
			break;
		passed = NONE;
		write_switch();
		look_at_all();
	}
	CHECK(!why, "%u writes, %u at a time, before %u: %s", 200 + later, writes, at, why);
	CHECK(interrupts - before > 30, "%llu interrupts", (unsigned long long)(interrupts - before));
}

static void pack__switches_may_come_behind_every_instruction_of_another(void)
{
	u32 later;

	/* The end of a sub-buffer, its beginning, tasks that are set, and others that are known. */
	for (later = 0; later < 40 && !why; later += 5) {
		interrupt_at_each(later, 1);
		interrupt_at_each(later, 20);
		if (later % 20 == 0)
			interrupt_at_each(later, 400);
	}
	printf("# %llu interrupts, %llu instructions; %llu as usual, %llu packed, %llu plain\n",
	       (unsigned long long)interrupts, (unsigned long long)instructions, (unsigned long long)nr_usual,
	       (unsigned long long)nr_packed, (unsigned long long)nr_plain);
	CHECK(nr_usual > nr_plain && nr_packed > nr_plain, "hardly packed");
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_NODEFER | SA_SIGINFO };

	sigemptyset(&action.sa_mask);
	sigaction(SIGTRAP, &action, NULL);
	TAP_RUN(pack__every_instruction_of_a_switch_is_a_crash_point);
	TAP_RUN(pack__switches_may_come_behind_every_instruction_of_another);
	free(ring.data);
	return tap_done();
}

#else

static void pack__every_instruction_of_a_switch_is_a_crash_point(void)
{
	begin(200);
	look_at_all();
	CHECK(!why && seen, "%s", why);
	TAP_SKIP("only x86-64 is stepped through");
}

int main(void)
{
	TAP_RUN(pack__every_instruction_of_a_switch_is_a_crash_point);
	free(ring.data);
	return tap_done();
}

#endif
