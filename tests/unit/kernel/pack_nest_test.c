// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Packed events of writers that interrupt each other: at every label, each packed event that
 * is committed means what its writer meant, by the slots that its sub-buffer defined before it.
 *
 * build: kernel/core/ring.c kernel/events/pack_steps.c kernel/events/slots.c tests/lib/ring_reader.c -DEPITAPH_CRASH_POINTS
 */
#include <stdio.h>
#include <stdlib.h>

#include <epitaph/pack.h>

#include "ring_reader.h"
#include "tap.h"

#define MAX_SUB	4096
#define NR_SUBS	64
#define PLAIN	(EPITAPH_ID_FIRST + 2)
#define HEAD	2		/* number and codes */
#define SMALL	(EPITAPH_ID_SMALL + 10)

static u16 words_of[512] = { [PLAIN] = 1 };
static struct epitaph_counters counters;
static struct epitaph_ring ring;
static struct epitaph_slots slots;
static struct reader_sub sub;
static u64 clock_now;

/*
 * @keys: how many there are
 * @nr: events that were written, @usual of them packed as usual, @plain not packed, and @small
 *	small ones
 * @of_disks: how many of @nr are, @usual_of_disks of them packed as usual
 * @of_tasks: the same of two tasks and a timer; @whole: tasks that found no slot
 * @again: claims without use
 * @retold: slots that a sub-buffer defines twice
 * @smalls: there are small ones too
 * @disks: and of disks
 * @tasks: and of tasks
 * @depth: writers under way
 * @rng: xorshift; 0: no interrupts
 */
static struct {
	u32 keys;
	u32 often;
	bool smalls, disks, tasks;
	u64 nr, usual, of_disks, usual_of_disks, of_tasks, usual_of_tasks, whole, plain, small, again, retold;
	u32 depth;
	u32 rng;
	u64 points;
} run;

u64 epitaph_clock(void)
{
	return ++clock_now;
}

static u32 pick(u32 below)
{
	run.rng ^= run.rng << 13;
	run.rng ^= run.rng >> 17;
	run.rng ^= run.rng << 5;
	return run.rng % below;
}

static void text_of(u32 key, char text[16])
{
	memset(text, 0, 16);
	snprintf(text, 16, "key %u", key);
}

static u64 address_of(u32 key)
{
	return 0xffff888000000000ULL + key * 64;
}

static u64 base_of(u32 key)
{
	/* Some are too far from the base, and some are what marks those. */
	if (key % 11 == 7)
		return 0xffffffff;
	return 20000003ULL * key + (key % 5 == 4 ? 1ULL << 33 : 0);
}

static u32 pid_of(u32 key)
{
	/* Of three bytes, but for some: none, and of four. */
	return key % 7 == 0 ? 0 : key % 7 == 1 ? key << 20 : key << 12;
}

/* Of each size. */
static u64 sector_of(u32 key)
{
	static const u32 shifts[] = { 0, 12, 33, 50 };

	return key % 4 ? (u64)key << shifts[key % 4] : 0;
}

static void flags_of(u32 key, char flags[8])
{
	static const char *const all[] = { "R", "WS", "WSM", "FWFSM", "" };

	memset(flags, 0, 8);
	strcpy(flags, all[key % 5]);
}

/* Of some there are other bytes than their sectors have, or the array has something. */
static bool is_odd(u32 key)
{
	return key % 11 == 10 || key % 13 == 12;
}

/* The slots that a sub-buffer has defined: payloads of events. */
struct written {
	const u8 *texts[256];
	const u8 *values[256];
	const u8 *tasks[256];
};

static u64 number(const u8 *p, u32 size)
{
	u64 value = 0;
	u32 i;

	for (i = 0; i < size; i++)
		value |= (u64)p[i] << 8 * i;
	return (u64)((s64)(value << (64 - 8 * size)) >> (64 - 8 * size));
}

static void learn(struct written *written, const struct reader_event *ev)
{
	const u8 **slot = (ev->id == EPITAPH_ID_TEXT ? written->texts :
			   ev->id == EPITAPH_ID_TASK ? written->tasks : written->values) + ev->payload[0];

	if (!ev->payload[0])
		return;
	run.retold += *slot != NULL;
	*slot = ev->payload + 1;
}

static u32 pid_in(const u8 *p, u32 code)
{
	u32 whole = number(p, 4);

	return code == 0 ? 0 : code == 1 ? whole & 0xffffff : whole;
}

/* One of i, u, n, k, w, t, e; its key is the number. */
static void check_of_disk(const struct written *written, const struct reader_event *ev)
{
	static const u32 number_size[] = { 0, 1, 2, 4 }, text_size[] = { 1, 2, 4, 8 }, sector_size[] = { 0, 4, 5, 8 };
	u32 codes = ev->payload[1], u = sector_size[codes & 3], n = number_size[codes >> 2 & 3];
	u32 w = text_size[codes >> 4 & 3], key;
	const u8 *p = ev->payload + HEAD, *sector = p + 4;
	char text[16], flags[8], was[8] = { 0 };
	u64 at = 0;

	p += 4 + u;
	key = n ? number(p, n) : 0;
	text_of(key, text);
	memcpy(&at, sector, u);
	CHECK((u32)number(ev->payload + HEAD, 4) == key << 8, "%s: disk", text);
	CHECK(at == sector_of(key), "%s: sector %llx", text, (unsigned long long)at);
	p += n;
	flags_of(key, flags);
	memcpy(was, p, w);
	CHECK(!memcmp(was, flags, 8), "%s: flags %.8s", text, was);
	p += w;
	CHECK(written->texts[p[0]] && !strncmp((const char *)written->texts[p[0]], text, 15),
	      "%s: text %u", text, p[0]);
	CHECK(!is_odd(key), "%s says what it is not", text);
}

/* One of t, n, a, g, p; its key is the number. */
static void check_packed(const struct written *written, const struct reader_event *ev)
{
	static const u32 number_size[] = { 0, 1, 2, 4 };
	const u8 *p = ev->payload + HEAD;
	u32 codes = ev->payload[1], n = number_size[codes & 3], key;
	bool is_far;
	char text[16];
	u64 large;

	key = n ? number(p + 1, n) : 0;
	text_of(key, text);
	if (!CHECK(written->texts[p[0]] && !strncmp((const char *)written->texts[p[0]], text, 15),
		   "%s: text %u", text, p[0]))
		return;
	p += 1 + n;
	CHECK(written->values[p[0]] && number(written->values[p[0]], 7) == address_of(key), "%s: value %u",
	      text, p[0]);
	is_far = (u32)number(p + 1, 4) == 0xffffffff;
	large = is_far ? number(p + 5, 8) : (u32)number(p + 1, 4);
	if (!is_far && CHECK(written->values[1] != NULL, "%s: no base", text))
		large += number(written->values[1], 7);
	CHECK(large == base_of(key), "%s: %llx", text, (unsigned long long)large);
	p += is_far ? 13 : 5;
	CHECK(pid_in(p, codes >> 2 & 3) == pid_of(key), "%s: pid %x", text,
	      pid_in(p, codes >> 2 & 3));
}

/* Of some three tasks, all have one name, and two each the same pid or priority, and one slot. */
static bool is_alike(u32 key)
{
	return key / 3 % 3 == 1;
}

static u32 task_pid_of(u32 key)
{
	return !is_alike(key) ? key : key - key % 3 + (key % 3 == 1 ? 1U << EPITAPH_SLOT_BITS : 0);
}

/* One does not fit. */
static int prio_of(u32 key)
{
	return key % 17 == 16 ? 1 << 20 : is_alike(key) ? 120 + (int)key % 3 / 2 : key % 3 ? 120 + (int)key % 3 : -1;
}

static void name_of(u32 key, char text[16])
{
	text_of(is_alike(key) ? key - key % 3 : key, text);
}

/* Of no bit, of one, of the last, and of several. */
static u64 mask_of(u32 key)
{
	return key % 4 == 0 ? 0 : key % 4 == 1 ? 1ULL << key % 64 : key % 4 == 2 ? 1ULL << 63 : 3ULL << key % 40;
}

/* Near the base, before it, far, and small. */
static u64 jiffies_of(u32 key)
{
	return key % 7 == 6 ? key : key % 5 == 4 ? 1ULL << 33 : (1U << 15) + key * 97;
}

static void check_task(const struct written *written, const u8 *p, u32 key)
{
	const u8 *task = *p ? written->tasks[*p] : p + 1;
	char text[16];

	name_of(key, text);
	if (!CHECK(task != NULL, "task %u of slot %u", key, *p))
		return;
	CHECK((u32)number(task + 3, 4) == task_pid_of(key) && (s64)number(task + 1, 2) == prio_of(key),
	      "task %u: pid %u, priority %d", key, (u32)number(task + 3, 4), (int)number(task + 1, 2));
	CHECK(written->texts[task[0]] && !strncmp((const char *)written->texts[task[0]], text, 15),
	      "task %u: text %u", key, task[0]);
}

/* One of c, m, c, j, o, l; o is its key, which is that of the first task, and the other's is one more. */
static void check_of_tasks(const struct written *written, const struct reader_event *ev)
{
	static const u32 sizes[] = { 1, 2, 4, 8 };
	const u8 *first = ev->payload + HEAD, *bits = first + (*first ? 1 : 8);
	const u8 *second = bits + (*bits == 255 ? 9 : 1), *p = second + (*second ? 1 : 8);
	u32 j = ev->payload[1] & 3, o = ev->payload[1] >> 2 & 15, l = ev->payload[1] >> 6;
	u32 key = o < 15 ? o : number(p + sizes[j], 4);
	u64 mask, jiffies;

	check_task(written, first, key);
	mask = *bits == 255 ? number(bits + 1, 8) : *bits ? 1ULL << (*bits - 1) : 0;
	CHECK(mask == mask_of(key), "%u: mask %llx", key, (unsigned long long)mask);
	check_task(written, second, key + 1);
	jiffies = number(p, sizes[j]);
	if ((j == 1 || j == 2) && CHECK(written->values[4] != NULL, "%u: no base", key))
		jiffies = (jiffies & (j == 1 ? 0xffff : 0xffffffff)) + number(written->values[4], 7);
	CHECK(jiffies == jiffies_of(key), "%u: %llx", key, (unsigned long long)jiffies);
	p += sizes[j] + (o < 15 ? 0 : 4);
	CHECK((l < 3 ? l : *p) == key % 5, "%u: %u", key, l);
}

static bool is_small(const struct reader_event *ev)
{
	return ev->id >= SMALL && ev->id < SMALL + EPITAPH_SMALL_NUMBERS;
}

static u64 look_at(u32 off)
{
	struct written written = { 0 };
	u64 seen = 0;
	u32 k;

	reader_sub(&sub, ring.data + off, ring.sub_size, off, ring.salt, words_of);
	CHECK(sub.verdict != READER_DAMAGED, "%u: %s", off, sub.why);
	for (k = 0; k < sub.nr_events; k++) {
		const struct reader_event *ev = &sub.events[k];

		if (ev->id == EPITAPH_ID_TEXT || ev->id == EPITAPH_ID_VALUE || ev->id == EPITAPH_ID_TASK)
			learn(&written, ev);
		else if (is_small(ev))
			CHECK(ev->words == ev->before, "%u: %u words", ev->id, ev->words);
		else if (ev->id != PLAIN && ev->payload[0] == 2)
			check_of_disk(&written, ev);
		else if (ev->id != PLAIN && ev->payload[0] == 3)
			check_of_tasks(&written, ev);
		else if (ev->id != PLAIN && ev->payload[0])
			check_packed(&written, ev);
		run.again += !ev->payload[0] && ev->id >= EPITAPH_ID_PACKED && ev->id <= EPITAPH_ID_PACKED_LAST;
		seen += ev->id == PLAIN || is_small(ev) ||
			(ev->id <= EPITAPH_ID_PACKED_LAST && ev->payload[0]);
	}
	return seen;
}

static void look_at_all(void)
{
	u64 seen = 0;
	u32 off;

	run.points++;
	run.retold = 0;
	run.again = 0;
	for (off = 0; off < ring.size; off += ring.sub_size)
		seen += look_at(off);
	CHECK(ring.seq > NR_SUBS / 2 || seen + run.depth >= run.nr, "%llu of %llu",
	      (unsigned long long)seen, (unsigned long long)run.nr);
	CHECK(!run.retold, "%llu slots are written twice", (unsigned long long)run.retold);
}

static void write_one(void);

void crash_point(const char *label)
{
	if (!run.rng)
		return;
	if (!pick(400))
		look_at_all();
	if (strcmp(label, "commit:D") && run.depth < EPITAPH_LEVELS && !pick(run.often))
		write_one();
}

static void write_plain(u32 key)
{
	struct epitaph_rec rec;
	__le32 *to = epitaph_ring_reserve(&ring, &rec, PLAIN, 4, false);

	run.plain++;
	if (CHECK(to != NULL, "dropped")) {
		*to = cpu_to_le32(key);
		epitaph_ring_commit(&rec);
	}
}

/* A sanitizer leaves nothing constant: each of the 22 copies would be all of it, and take a minute to compile. */
#ifdef __SANITIZE_ADDRESS__
static noinline
#else
static __always_inline
#endif
bool pack_field(struct pack_state *state, const void *field, unsigned int size, const char *type, const char *name)
{
	return epitaph_pack_field(state, field, size, type, name);
}

struct record {
	char comm[16];
	int key;
	void *timer;
	s64 expires;
	u32 pid;
};

static __always_inline bool fields_of(struct pack_state *state, const struct record *record)
{
	return pack_field(state, record->comm, 16, "char[16]", "comm") &&
	       pack_field(state, &record->key, 4, "int", "key") &&
	       pack_field(state, &record->timer, 8, "void *", "timer") &&
	       pack_field(state, &record->expires, 8, "s64", "expires") &&
	       pack_field(state, &record->pid, 4, "pid_t", "pid");
}

struct disk_record {
	u32 dev;
	u64 sector;
	u32 nr_sector;
	u32 bytes;
	char rwbs[8];
	char comm[16];
	char array[1];
};

static __always_inline bool disk_fields_of(struct pack_state *state, const struct disk_record *record)
{
	return pack_field(state, &record->dev, 4, "dev_t", "dev") &&
	       pack_field(state, &record->sector, 8, "sector_t", "sector") &&
	       pack_field(state, &record->nr_sector, 4, "unsigned int", "nr_sector") &&
	       pack_field(state, &record->bytes, 4, "unsigned int", "bytes") &&
	       pack_field(state, record->rwbs, 8, "char", "rwbs") &&
	       pack_field(state, record->comm, 16, "char", "comm") &&
	       epitaph_pack_empty(state, record->array);
}

/* What is not as usual goes by its steps every other time. */
#define STEP(letter, type, member)	{ .kind = letter, .off = offsetof(struct type, member) }

static const struct epitaph_pack_step steps_of[] = {
	STEP('t', record, comm), STEP('n', record, key), STEP('a', record, timer),
	{ .kind = 'g', .base = EPITAPH_BASE_NS, .off = offsetof(struct record, expires) },
	STEP('p', record, pid), { }
};

static const struct epitaph_pack_step disk_steps_of[] = {
	STEP('i', disk_record, dev), STEP('u', disk_record, sector), STEP('n', disk_record, nr_sector),
	STEP('k', disk_record, bytes), STEP('w', disk_record, rwbs), STEP('t', disk_record, comm),
	STEP('e', disk_record, array), { }
};

static bool pack_of_disk(u32 key)
{
	struct disk_record record = {
		.dev = key << 8, .sector = sector_of(key), .nr_sector = key,
		.bytes = key % 11 == 10 ? 7 : key * 512, .array = { key % 13 == 12 },
	};

	flags_of(key, record.rwbs);
	text_of(key, record.comm);
	run.of_disks++;
	if (pack_usual(&ring, &slots, 2, record, disk_fields_of)) {
		run.usual_of_disks++;
		return true;
	}
	if (run.of_disks & 1)
		return epitaph_pack_steps(&ring, &slots, 2, HEAD, disk_steps_of, &record);
	return pack_any_event(&ring, &slots, 2, record, disk_fields_of);
}

struct task_record {
	char comm[16];
	u32 pid;
	int prio;
	u64 state;
	char next_comm[16];
	u32 next_pid;
	int next_prio;
	u64 expires;
	u32 mode;
	bool armed;
};

static __always_inline bool task_fields_of(struct pack_state *state, const struct task_record *record)
{
	return pack_field(state, record->comm, 16, "char", "prev_comm") &&
	       pack_field(state, &record->pid, 4, "pid_t", "prev_pid") &&
	       pack_field(state, &record->prio, 4, "int", "prev_prio") &&
	       pack_field(state, &record->state, 8, "long", "prev_state") &&
	       pack_field(state, record->next_comm, 16, "char", "next_comm") &&
	       pack_field(state, &record->next_pid, 4, "pid_t", "next_pid") &&
	       pack_field(state, &record->next_prio, 4, "int", "next_prio") &&
	       pack_field(state, &record->expires, 8, "unsigned long", "expires") &&
	       pack_field(state, &record->mode, 4, "enum hrtimer_mode", "mode") &&
	       pack_field(state, &record->armed, 1, "bool", "was_armed");
}

static __always_inline bool last_task_fields_of(struct pack_state *state, const struct task_record *record)
{
	state->is_last = true;
	return task_fields_of(state, record);
}

static bool pack_of_tasks(u32 key)
{
	struct task_record record = {
		.pid = task_pid_of(key), .prio = prio_of(key), .state = mask_of(key),
		.next_pid = task_pid_of(key + 1), .next_prio = prio_of(key + 1),
		.expires = jiffies_of(key), .mode = key,
	};
	u8 armed = key % 5;

	/* A record has what it has. */
	memcpy(&record.armed, &armed, 1);

	name_of(key, record.comm);
	name_of(key + 1, record.next_comm);
	run.of_tasks++;
	if (pack_usual(&ring, &slots, 3, record, task_fields_of)) {
		run.usual_of_tasks++;
		return true;
	}
	if (!(key % 5))
		return pack_any_event(&ring, &slots, 3, record, last_task_fields_of);
	return pack_any_event(&ring, &slots, 3, record, task_fields_of);
}

/* As a probe does it. */
static bool pack_one(u32 key)
{
	struct record record = {
		.key = key, .timer = (void *)address_of(key), .expires = base_of(key),
		.pid = pid_of(key),
	};

	text_of(key, record.comm);
	if (pack_usual(&ring, &slots, 1, record, fields_of)) {
		run.usual++;
		return true;
	}
	if (run.nr & 1)
		return epitaph_pack_steps(&ring, &slots, 1, HEAD, steps_of, &record);
	return pack_any_event(&ring, &slots, 1, record, fields_of);
}

static void write_small(void)
{
	run.small++;
	if (!pack_small(&ring, SMALL, pick(EPITAPH_SMALL_NUMBERS + 1)))
		write_plain(0);
}

static void write_packed(u32 key)
{
	if (!(run.tasks && pick(4) ? pack_of_tasks(key) : run.disks && pick(2) ? pack_of_disk(key) : pack_one(key)))
		write_plain(key);
}

static void write_one(void)
{
	run.nr++;
	run.depth++;
	/* At a full time it is not the short way. */
	if (run.smalls && !pick(4))
		clock_now += 1 << 20;
	if (run.smalls && !pick(4))
		write_small();
	else
		write_packed(1 + pick(run.keys));
	run.depth--;
}

static void begin(u32 rng, u32 sub_size, u32 keys, u32 often)
{
	u32 id;

	for (id = EPITAPH_ID_PACKED; id <= EPITAPH_ID_PACKED_LAST; id++)
		words_of[id] = id - EPITAPH_ID_PID;
	words_of[EPITAPH_ID_TEXT] = EPITAPH_TEXT_WORDS;
	words_of[EPITAPH_ID_VALUE] = EPITAPH_VALUE_WORDS;
	words_of[EPITAPH_ID_TASK] = EPITAPH_TASK_WORDS;
	for (id = SMALL; id < SMALL + EPITAPH_SMALL_NUMBERS; id++)
		words_of[id] = READER_NO_WORDS;
	memset(&run, 0, sizeof(run));
	memset(&slots, 0, sizeof(slots));
	ring = (struct epitaph_ring){
		.data = ring.data ?: aligned_alloc(MAX_SUB, NR_SUBS * MAX_SUB),
		.sub_size = sub_size, .size = NR_SUBS * sub_size, .salt = 7, .counters = &counters,
	};
	CHECK(!epitaph_ring_init(&ring), "refused");
	run.keys = keys;
	run.often = often;
	run.rng = rng;
}

/* Return: how many claims were without use. */
static u64 nest(u32 sub_size, u32 keys, u32 often, u32 count, bool disks, bool tasks)
{
	u64 points = 0, nr = 0, usual = 0, of_disks = 0, usual_of_disks = 0, plain = 0, small = 0, again = 0;
	u64 of_tasks = 0, usual_of_tasks = 0;
	u32 seed, i;

	for (seed = 1; seed <= 40; seed++) {
		begin(seed * 2654435761U, sub_size, keys, often);
		run.smalls = true;
		run.disks = disks;
		run.tasks = tasks;
		for (i = 0; i < count; i++)
			write_one();
		look_at_all();
		points += run.points;
		nr += run.nr;
		usual += run.usual;
		of_disks += run.of_disks;
		usual_of_disks += run.usual_of_disks;
		of_tasks += run.of_tasks;
		usual_of_tasks += run.usual_of_tasks;
		plain += run.plain;
		small += run.small;
		again += run.again;
	}
	CHECK(plain < nr / 2, "%llu of %llu were not packed", (unsigned long long)plain,
	      (unsigned long long)nr);
	/* More keys than slots: their names are seldom there. */
	CHECK(keys > 100 || disks || tasks || usual > nr / 8, "%llu of %llu were as usual", (unsigned long long)usual,
	      (unsigned long long)nr);
	CHECK(!disks || keys > 100 || usual_of_disks > of_disks / 16, "%llu of %llu of disks were as usual",
	      (unsigned long long)usual_of_disks, (unsigned long long)of_disks);
	CHECK(!tasks || keys > 100 || usual_of_tasks > of_tasks / 64, "%llu of %llu of tasks were as usual",
	      (unsigned long long)usual_of_tasks, (unsigned long long)of_tasks);
	printf("# %llu events, %llu as usual, %llu plain, %llu small, %llu claims without use, %llu looks\n",
	       (unsigned long long)nr, (unsigned long long)usual, (unsigned long long)plain, (unsigned long long)small,
	       (unsigned long long)again, (unsigned long long)points);
	return again;
}

static void pack__means_what_was_meant_with_interrupts(void)
{
	nest(MAX_SUB, 40, 60, 300, false, false);
}

static void pack__means_it_when_sub_buffers_are_short(void)
{
	CHECK(nest(512, 6, 30, 300, false, false), "no claim was without use");
}

/* More than fit one byte, and their names are there. */
static void pack__means_it_when_numbers_are_large(void)
{
	nest(MAX_SUB, 200, 60, 2000, false, false);
}

static void pack__means_it_when_slots_are_taken(void)
{
	nest(MAX_SUB, 3000, 60, 300, false, false);
}

static void pack__means_it_of_disks(void)
{
	nest(MAX_SUB, 40, 60, 300, true, false);
	nest(512, 6, 30, 300, true, false);
	nest(MAX_SUB, 200, 60, 300, true, false);
}

static void pack__means_it_of_tasks(void)
{
	nest(MAX_SUB, 40, 60, 300, false, true);
	nest(512, 6, 30, 300, false, true);
	nest(MAX_SUB, 400, 60, 300, true, true);
}

/* A switch between tasks that are known: number, two tasks, a mask. */
static void pack__knows_a_task_again(void)
{
	u32 i, entries = 0, events = 0;

	begin(0, MAX_SUB, 1, 1);
	run.tasks = true;
	for (i = 0; i < 100; i++)
		CHECK(pack_of_tasks(2), "%u: it is not packed", i);
	look_at(0);
	for (i = 0; i < sub.nr_events; i++) {
		entries += sub.events[i].id == EPITAPH_ID_TASK;
		events += sub.events[i].id == EPITAPH_ID_PACKED + 1;
	}
	CHECK(entries == 2 && events == 100 && run.usual_of_tasks == 99, "%u entries, %u events, %llu as usual",
	      entries, events, (unsigned long long)run.usual_of_tasks);
}

static void pack__takes_the_room_that_its_page_says(void)
{
	struct reader_event *ev;
	u32 i;

	begin(0, MAX_SUB, 1, 1);
	run.rng = 1;
	run.depth = EPITAPH_LEVELS;	/* no interrupts */
	for (i = 0; i < 100; i++)
		write_one();
	pack_small(&ring, SMALL, 9);
	look_at(0);
	ev = &sub.events[sub.nr_events - 2];
	CHECK(ev[0].words == 1 + 3 && !run.plain, "%u words, %llu plain", ev->words,
	      (unsigned long long)run.plain);
	CHECK(ev[1].id == SMALL + 9 && ev[1].words == 1, "%u: %u words", ev[1].id, ev[1].words);
	CHECK(sub.nr_events == 100 + 3 + 1, "%u", sub.nr_events);
}

int main(void)
{
	TAP_RUN(pack__takes_the_room_that_its_page_says);
	TAP_RUN(pack__means_what_was_meant_with_interrupts);
	TAP_RUN(pack__means_it_when_sub_buffers_are_short);
	TAP_RUN(pack__means_it_when_numbers_are_large);
	TAP_RUN(pack__means_it_when_slots_are_taken);
	TAP_RUN(pack__means_it_of_disks);
	TAP_RUN(pack__means_it_of_tasks);
	TAP_RUN(pack__knows_a_task_again);
	free(ring.data);
	return tap_done();
}
