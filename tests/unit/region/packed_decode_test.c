// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Packed events give back what an encoder of this test's own made of them, by
 * docs/packing.md alone.
 *
 * build: extractor/region/packed_decode.c extractor/region/packed_layout.c extractor/base/byte_reader.c
 */
#include <string.h>

#include <epitaph/format.h>

#include "region/packed_decode.h"
#include "tap.h"

#define ROUNDS	20000
#define ROOM	4096

/* A sub-buffer that defines slots, and the event behind it. */
struct written {
	u8 data[ROOM];
	u32 at;			/* offset of the next definition */
	u8 event[512];
	u32 size;
	u32 coded;
	u32 nr_slots;		/* no two steps have the same */
	u64 large;
	u32 number;		/* the last one */
	u8 plain[PACKING_SIZE];	/* what must come out */
};

static u64 state = 1;

static u64 draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

/* Of any number of bits, and often of few. */
static u64 draw_number(void)
{
	return draw() >> draw() % 64;
}

static void put(u8 *to, u64 value, u32 size, bool big)
{
	u32 i;

	for (i = 0; i < size; i++)
		to[i] = value >> 8 * (big ? size - 1 - i : i);
}

static void add(struct written *w, u64 value, u32 size)
{
	put(w->event + w->size, value, size, false);
	w->size += size;
}

static void add_code(struct written *w, u32 code)
{
	w->event[1 + w->coded / 4] |= code << w->coded % 4 * 2;
	w->coded++;
}

static bool fits(u64 value, u32 size)
{
	s64 high = (s64)value >> (8 * size - 1);

	return size == 8 || high == 0 || high == -1;
}

static u32 tell(struct written *w, struct packed_decode_slots *slots, u32 id, u32 slot, const u8 *data,
		u32 size)
{
	w->data[w->at] = slot;
	memcpy(w->data + w->at + 1, data, size);
	packed_decode_learn(slots, id, w->at);
	w->at += size + 1;
	return slot;
}

static u32 tell_value(struct written *w, struct packed_decode_slots *slots, u32 slot, u64 value)
{
	u8 data[7];

	put(data, value, sizeof(data), false);
	return tell(w, slots, EPITAPH_ID_VALUE, slot, data, sizeof(data));
}

/* The least code of those that hold it; @sizes: of each. */
static void add_coded(struct written *w, u64 value, const u32 sizes[4], u64 base, u32 with_base)
{
	u32 code;

	for (code = 0; code < 3; code++)
		if (code == with_base ? !((value - base) >> 32) :
		    sizes[code] ? fits(value, sizes[code]) : !value)
			break;
	add_code(w, code);
	add(w, code == with_base ? value - base : value, sizes[code]);
}

static void write_text(struct written *w, struct packed_decode_slots *slots, u8 *plain)
{
	u8 text[15] = { 0 };
	u32 i, n = draw() % 16, slot = n || draw() % 2 ? ++w->nr_slots : 0;

	for (i = 0; i < n; i++)
		text[i] = 1 + draw() % 255;
	memcpy(plain, text, sizeof(text));
	add(w, slot ? tell(w, slots, EPITAPH_ID_TEXT, slot, text, sizeof(text)) : 0, 1);
}

static void write_pid(struct written *w, u8 *plain, bool big)
{
	u32 pid = draw_number() >> draw() % 2 * 10;

	put(plain, pid, 4, big);
	add_code(w, !pid ? 0 : pid >> 24 ? 2 : 1);
	add(w, pid, !pid ? 0 : pid >> 24 ? 4 : 3);
}

static void write_short_text(struct written *w, u8 *plain)
{
	static const u32 sizes[] = { 1, 2, 4, 8 };
	u32 code = draw() % 4, i;

	for (i = 0; i < sizes[code]; i++)
		plain[i] = draw();
	add_code(w, code);
	memcpy(w->event + w->size, plain, sizes[code]);
	w->size += sizes[code];
}

static void write_sector(struct written *w, u64 value, u8 *plain, bool big)
{
	u32 code = !value ? 0 : !(value >> 32) ? 1 : !(value >> 40) ? 2 : 3;
	static const u32 sizes[] = { 0, 4, 5, 8 };

	put(plain, value, 8, big);
	add_code(w, code);
	add(w, value, sizes[code]);
}

/* Of its own slot, or in the event. */
static void write_task(struct written *w, struct packed_decode_slots *slots, u8 *plain, bool big)
{
	u32 pid = draw_number(), prio = (u32)draw() % 65536 - 32768, i;
	u8 event[16] = { 0 }, task[8] = { 0 };

	memcpy(event, w->event + w->size, sizeof(event));
	write_text(w, slots, plain);
	task[1] = w->event[--w->size];
	w->event[w->size] = event[0];
	put(task + 2, prio, 2, false);
	put(task + 4, pid, 4, false);
	put(plain + 16, pid, 4, big);
	put(plain + 20, prio, 4, big);
	if (draw() % 2)
		add(w, tell(w, slots, EPITAPH_ID_TASK, ++w->nr_slots, task + 1, 7), 1);
	else
		for (i = 0; i < sizeof(task); i++)
			add(w, task[i], 1);
}

static void write_mask(struct written *w, u8 *plain, bool big)
{
	u32 bit = draw() % 65;
	u64 value = bit ? 1ULL << (bit - 1) : 0, whole = draw_number();
	bool is_whole = draw() % 2;

	put(plain, is_whole ? whole : value, 8, big);
	add(w, is_whole ? 255 : bit, 1);
	if (is_whole)
		add(w, whole, 8);
}

static void write_in_codes(struct written *w, u8 *plain, bool big)
{
	u32 value = draw() % 2 ? draw() % 15 : draw_number(), code = value < 15 ? value : 15;

	put(plain, value, 4, big);
	add_code(w, code & 3);
	add_code(w, code >> 2);
	add(w, value, code == 15 ? 4 : 0);
}

/* Two codes are of numbers that count from the base. */
static void write_jiffies(struct written *w, struct packed_decode_slots *slots, u32 slot, u8 *plain, bool big)
{
	static const u32 sizes[] = { 1, 2, 4, 8 };
	u64 base = draw_number() >> 12, value;
	u32 code = draw() % 4;

	tell_value(w, slots, slot, base);
	value = code == 0 ? (u64)(s64)(signed char)draw() : code == 1 ? base + draw() % 65536 :
		code == 2 ? base + (u32)draw() : draw();
	put(plain, value, 8, big);
	add_code(w, code);
	add(w, code == 1 || code == 2 ? value - base : value, sizes[code]);
	w->large = value;
}

/* Far from the base, or by chance where the mark of those is. */
static void write_time(struct written *w, struct packed_decode_slots *slots, u32 slot, u8 *plain, bool big)
{
	u64 base = draw_number() >> 12, rest = draw() % 3 ? draw_number() : 0xfffffffe + draw() % 3;
	bool near = draw() % 2 && rest < 0xffffffff;

	tell_value(w, slots, slot, base);
	put(plain, base + rest, 8, big);
	add(w, near ? rest : 0xffffffff, 4);
	if (!near)
		add(w, base + rest, 8);
	w->large = base + rest;
}

static void write_in_code(struct written *w, u8 *plain)
{
	*plain = draw() % 2 ? draw() % 3 : draw();
	add_code(w, *plain < 3 ? *plain : 3);
	add(w, *plain, *plain < 3 ? 0 : 1);
}

static void write_step(struct written *w, struct packed_decode_slots *slots,
		       const struct packed_layout_step *step, bool big)
{
	static const u32 number[] = { 0, 1, 2, 4 }, large[] = { 1, 2, 4, 8 }, difference[] = { 0, 2, 4, 8 };
	u64 value = draw() % 2 ? draw_number() : 0 - draw_number(), base;
	u8 *plain = w->plain + step->off;

	switch (step->kind) {
	case 't':
		write_text(w, slots, plain);
		break;
	case 'a':
		value = value >> 52 ? value | 0xffULL << 56 : value;
		value = value >> 52 && !(value << 8 >> 60) ? 0 : value;
		put(plain, value, 8, big);
		add(w, value ? tell_value(w, slots, ++w->nr_slots, value) : 0, 1);
		break;
	case 'p':
		write_pid(w, plain, big);
		break;
	case 'n':
		put(plain, value, 4, big);
		add_coded(w, (u64)(s32)value, number, 0, 4);
		w->number = value;
		break;
	case 'u':
		write_sector(w, draw_number(), plain, big);
		break;
	case 'w':
		write_short_text(w, plain);
		break;
	case 'k':
		put(plain, (u64)w->number * 512, 4, big);
		break;
	case 'e':
		put(plain, 0x10000 + step->base, 4, big);
		break;
	case 'q':
		base = draw() % 2 ? value >> 52 ? 0 : value - value % 1000 : draw_number() >> 12;
		tell_value(w, slots, step->base, base);
		put(plain, value, 8, big);
		add_coded(w, value, large, base, 2);
		w->large = value;
		break;
	case 'c':
		write_task(w, slots, plain, big);
		break;
	case 'm':
		write_mask(w, plain, big);
		break;
	case 'o':
		write_in_codes(w, plain, big);
		break;
	case 'g':
		write_time(w, slots, step->base, plain, big);
		break;
	case 'l':
		write_in_code(w, plain);
		break;
	case 'j':
		write_jiffies(w, slots, step->base, plain, big);
		break;
	case 'd':
		value = draw() % 2 ? w->large + (s32)value : value;
		put(plain, value, 8, big);
		add_coded(w, value - w->large, difference, 0, 4);
		w->large = value;
		break;
	default:
		put(plain, value, packed_layout_width(step), big);
		add(w, value, packed_layout_width(step));
	}
}

static void draw_packing(struct packed_layout *packing)
{
	static const char kinds[] = "tapnqdhbiuwkecmojgl";
	struct packed_layout_step *step;

	*packing = (struct packed_layout){ .id = EPITAPH_ID_FIRST + draw() % 100 };
	do {
		step = &packing->steps[packing->nr_steps++];
		step->kind = kinds[draw() % (sizeof(kinds) - 1)];
		step->base = step->kind == 'q' || step->kind == 'j' || step->kind == 'g' ? 255 - packing->nr_steps : step->kind == 'e' ? 8 : 0;
		step->off = packing->size + draw() % 3;
		packing->size = step->off + packed_layout_width(step);
		packing->nr_coded += packed_layout_codes(step);
	} while (packing->nr_steps < 8 && packing->size < 200 && draw() % 5);
}

static void write_event(struct written *w, struct packed_decode_slots *slots,
			const struct packed_layout *packing, bool big)
{
	u32 i;

	*w = (struct written){ .at = 96, .size = 1 + (packing->nr_coded * 2 + 7) / 8 };
	packed_decode_forget(slots, w->data);
	for (i = 0; i < packing->nr_steps; i++)
		write_step(w, slots, &packing->steps[i], big);
}

static void unpack__gives_back_what_was_packed(void)
{
	struct packed_decode_slots slots;
	struct packed_layout packing;
	struct written w;
	u8 out[PACKING_SIZE];
	u32 i;

	for (i = 0; i < ROUNDS; i++) {
		bool big = draw() % 2, good;

		draw_packing(&packing);
		write_event(&w, &slots, &packing, big);
		good = packed_decode_event(&packing, &slots, big ? ORDER_BIG : ORDER_LITTLE, w.event, w.size, out);
		if (!CHECK(good, "round %u: it cannot be unpacked", i) ||
		    !CHECK(!memcmp(out, w.plain, packing.size), "round %u: it is another one", i))
			return;
	}
}

/* Undefined slots, changed and missing bytes: the decoder may refuse, and stays in bounds. */
static void unpack__survives_whatever_there_is(void)
{
	struct packed_decode_slots slots;
	struct packed_layout packing;
	struct written w;
	u8 out[PACKING_SIZE];
	u32 i, refused = 0;

	for (i = 0; i < ROUNDS; i++) {
		u32 size;
		u8 *event;

		draw_packing(&packing);
		write_event(&w, &slots, &packing, false);
		size = draw() % (w.size + 1);
		event = malloc(size ? size : 1);
		memcpy(event, w.event, size);
		if (size)
			event[draw() % size] ^= 1 << draw() % 8;
		slots.texts[draw() % 256] = 0;
		slots.values[draw() % 256] = 0;
		slots.tasks[draw() % 256] = 0;
		refused += !packed_decode_event(&packing, &slots, ORDER_LITTLE, event, size, out);
		free(event);
	}
	CHECK(refused > ROUNDS / 2, "%u of %u", refused, ROUNDS);
}

static void unpack__refuses_a_slot_that_was_not_told(void)
{
	static const struct packed_layout texts = { .id = 16, .size = 16, .nr_steps = 1,
					      .steps = { { .kind = 't' } } };
	static const u8 event[4] = { 1, 7 }, none[4] = { 1, 0 };
	u8 data[256] = { 0 }, out[PACKING_SIZE];
	struct packed_decode_slots slots;

	packed_decode_forget(&slots, data);
	CHECK(!packed_decode_event(&texts, &slots, ORDER_LITTLE, event, 4, out), "it guessed");
	CHECK(packed_decode_event(&texts, &slots, ORDER_LITTLE, none, 4, out) && !out[0], "no text is one");
	data[100] = 7;
	memcpy(data + 101, "fifteen letters", 15);
	packed_decode_learn(&slots, EPITAPH_ID_TEXT, 100);
	CHECK(packed_decode_event(&texts, &slots, ORDER_LITTLE, event, 4, out) &&
	      !strcmp((char *)out, "fifteen letters"), "%.16s", out);
	packed_decode_forget(&slots, data);
	CHECK(!packed_decode_event(&texts, &slots, ORDER_LITTLE, event, 4, out), "it remembered");
}

/* A task, and the name of a task that is there. */
static void unpack__refuses_a_task_that_was_not_told(void)
{
	static const struct packed_layout tasks = { .id = 16, .size = 24, .nr_steps = 1,
					      .steps = { { .kind = 'c' } } };
	static const u8 event[4] = { 1, 7 }, itself[12] = { 1, 0, 9, 0xff, 0xff, 42 }, cut[8] = { 1, 0, 9, 0, 0, 42 };
	static const u8 expected[24] = { 't', 'a', 's', 'k', [16] = 42, [20] = 0xff, 0xff, 0xff, 0xff };
	u8 data[256] = { [100] = 7, 9, 0xff, 0xff, 42 }, out[PACKING_SIZE];
	struct packed_decode_slots slots;

	memcpy(data + 200, "\x09task", 5);
	packed_decode_forget(&slots, data);
	CHECK(!packed_decode_event(&tasks, &slots, ORDER_LITTLE, event, 4, out), "it guessed the task");
	packed_decode_learn(&slots, EPITAPH_ID_TASK, 100);
	CHECK(!packed_decode_event(&tasks, &slots, ORDER_LITTLE, event, 4, out), "it guessed the name");
	CHECK(!packed_decode_event(&tasks, &slots, ORDER_LITTLE, itself, 12, out), "it guessed a name");
	packed_decode_learn(&slots, EPITAPH_ID_TEXT, 200);
	CHECK(packed_decode_event(&tasks, &slots, ORDER_LITTLE, event, 4, out) && !memcmp(out, expected, 24), "%s", out);
	CHECK(packed_decode_event(&tasks, &slots, ORDER_LITTLE, itself, 12, out) && !memcmp(out, expected, 24), "%s", out);
	CHECK(!packed_decode_event(&tasks, &slots, ORDER_LITTLE, cut, 8, out), "it read behind the end");
	packed_decode_forget(&slots, data);
	CHECK(!packed_decode_event(&tasks, &slots, ORDER_LITTLE, event, 4, out), "it remembered");
}

static void unpack__refuses_a_mask_that_there_is_not(void)
{
	static const struct packed_layout masks = { .id = 16, .size = 8, .nr_steps = 1, .steps = { { .kind = 'm' } } };
	static const u8 last[4] = { 1, 64 }, none[4] = { 1, 65 }, cut[8] = { 1, 255 };
	struct packed_decode_slots slots;
	u8 out[PACKING_SIZE];

	packed_decode_forget(&slots, last);
	CHECK(packed_decode_event(&masks, &slots, ORDER_BIG, last, 4, out) && out[0] == 0x80, "%x", out[0]);
	CHECK(!packed_decode_event(&masks, &slots, ORDER_BIG, none, 4, out), "65 bits");
	CHECK(!packed_decode_event(&masks, &slots, ORDER_BIG, cut, 8, out), "it read behind the end");
}

static void unpack__knows_a_small_one_by_its_id(void)
{
	u8 big[PACKING_SIZE], little[PACKING_SIZE];
	static const u8 of_big[] = { 0, 0, 0, 0, 0, 0, 0, 9 }, of_little[] = { 0, 0, 0, 0, 9, 0, 0, 0 };
	struct packed_layout packing;
	u32 number;

	CHECK(packed_layout_parse(&packing, &number, "482 17 8 s4/30") && packed_layout_count(&packing) == 30 &&
	      number == 482, "%u", number);
	packing.value = 9;
	CHECK(packed_decode_small(&packing, ORDER_BIG, big) && !memcmp(big, of_big, 8) &&
	      packed_decode_small(&packing, ORDER_LITTLE, little) && !memcmp(little, of_little, 8), "it is not");
	packing.id = 0;
	CHECK(!packed_decode_small(&packing, ORDER_BIG, big), "it guessed");
}

static void packing__is_what_its_line_says(void)
{
	static const char line[] = "3 17 142 t0 p16 n20 q24/2 t32 p48 n52 i56 u64 w72 k80 e84/96 c88 m112 o120 j125/4 g133/1 l141\n";
	static const char *const bad[] = {
		"", "3", "3 17", "0 17 8 n0", "256 17 8 n0", "3 15 8 n0", "3 17 8 n5", "3 17 8 x0", "3 17 8 q0",
		"3 17 8 q0/256", "3 17 8 n0/1", "3 17 8  n0", "3 17 8 n0 ", "3 17 257 n0", "-3 17 8 n0", "3 17 8 n-1",
		"3 17 8 s0/1", "256 17 8 s0/1", "479 17 8 s0/1", "480 17 8 n0", "480 17 8 s0", "480 17 8 s0/0", "480 17 8 s0/33",
		"512 17 8 s0/1", "480 17 8 s5/1", "480 17 8 s0/1 n4", "480 17 8 n4 s0/1", "480 15 8 s0/1", "480 17 8",
		"3 17 8 e0", "3 17 8 e0/7", "3 17 8 e0/16", "3 17 8 e5/15", "3 17 8 u1", "3 17 8 w0/8", "3 17 8 k5", "3 17 8 i0/1",
		"3 17 23 c0", "3 17 24 c1", "3 17 24 c0/1", "3 17 8 m1", "3 17 8 m0/1", "3 17 8 o5", "3 17 8 o0/1", "3 17 8 j0",
		"3 17 8 j1/4", "3 17 8 j0/256", "3 17 8 g0", "3 17 8 g1/1", "3 17 8 l8", "3 17 8 l0/1",
		"3 17 8 n", "3 17 99999999999999999999 n0", "3 17 256 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 b0 b1 b2 b3 b4 b5 "
		"b6 b7 b8 b9 b0 b1 b2 b3 b4",
	};
	struct packed_layout packing;
	char copy[sizeof(line)] = "", again[sizeof(line)] = "";
	FILE *f = fmemopen(again, sizeof(again), "w");
	u32 number = 0;
	size_t i;

	memcpy(copy, line, strlen(line) - 1);
	CHECK(packed_layout_parse(&packing, &number, copy) && number == 3 && packing.id == 17 &&
	      packing.nr_steps == 18 && packing.nr_coded == 11, "%u %u", number, packing.id);
	packed_layout_print(f, &packing, number);
	fclose(f);
	CHECK(!strcmp(again, line), "%s", again);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!packed_layout_parse(&packing, &number, bad[i]), "'%s' is taken", bad[i]);
}

int main(void)
{
	TAP_RUN(unpack__gives_back_what_was_packed);
	TAP_RUN(unpack__survives_whatever_there_is);
	TAP_RUN(unpack__refuses_a_slot_that_was_not_told);
	TAP_RUN(unpack__refuses_a_task_that_was_not_told);
	TAP_RUN(unpack__refuses_a_mask_that_there_is_not);
	TAP_RUN(unpack__knows_a_small_one_by_its_id);
	TAP_RUN(packing__is_what_its_line_says);
	return tap_done();
}
