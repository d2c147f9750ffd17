// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a print plan prints, against the library, over payloads that nobody
 * thought of: to the byte, or there is no plan.
 *
 * build: @extractor
 */
#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>

#include "formats.h"
#include "print_plan.h"
#include "tap.h"

#define PAYLOADS	3000
#define COMMON						\
	"format:\n"					\
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"		\
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"		\
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"	\
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

/* Of 72 bytes: numbers of all sizes, two texts in place, and two that lie behind all. */
#define FIELDS						\
	"\tfield:u8 a;\toffset:8;\tsize:1;\tsigned:0;\n"	\
	"\tfield:s8 b;\toffset:9;\tsize:1;\tsigned:1;\n"	\
	"\tfield:u16 c;\toffset:10;\tsize:2;\tsigned:0;\n"	\
	"\tfield:int d;\toffset:12;\tsize:4;\tsigned:1;\n"	\
	"\tfield:unsigned long e;\toffset:16;\tsize:8;\tsigned:0;\n"	\
	"\tfield:s64 f;\toffset:24;\tsize:8;\tsigned:1;\n"	\
	"\tfield:char g[16];\toffset:32;\tsize:16;\tsigned:0;\n"	\
	"\tfield:char h[8];\toffset:48;\tsize:8;\tsigned:0;\n"	\
	"\tfield:__data_loc char[] i;\toffset:56;\tsize:4;\tsigned:0;\n"	\
	"\tfield:__rel_loc char[] k;\toffset:60;\tsize:4;\tsigned:0;\n\n"

#define SIZE		72

static const char *const planned[] = {
	"\"a=%d b=%d c=%d d=%d\", REC->a, REC->b, REC->c, REC->d",
	"\"%u %u %u %u %lu %llu\", REC->a, REC->b, REC->c, REC->d, REC->e, REC->f",
	"\"%lx %llx %#x %#lx 0x%08x %016llx\", REC->e, REC->f, REC->d, REC->e, REC->d, REC->f",
	"\"%ld %lld %03d %5d %-5d| %hd %hhd %hu\", REC->e, REC->f, REC->d, REC->d, REC->a, REC->d, REC->d, REC->d",
	"\"%u\", REC->a + REC->b * 3 - REC->c",
	"\"%d %d\", REC->a << 3, REC->d >> 2",
	"\"%d %d %d %d\", REC->a < REC->b, REC->d >= REC->c, REC->a == REC->b, REC->a != REC->b",
	"\"%d %d\", REC->a && REC->b, (REC->a || REC->c) & 3",
	"\"%llu %llu\", (unsigned long long)REC->e, (u64)REC->d",
	"\"comm=%s %s|%20s|%-20s|\", REC->g, REC->h, REC->g, REC->h",
	"\"%s\", __print_symbolic(REC->a & 7, { 0, \"NONE\" }, { 1, \"ONE\" }, { 0x4, \"FOUR\" })",
	"\"%s\", __print_flags(REC->a, \"|\", { 1, \"A\" }, { 2, \"B\" }, { 0x18, \"CD\" }, { 0x80, \"Z\" })",
	"\"%s%s\", (REC->a & 3) ? __print_flags(REC->a & 3, \"|\", { 0x1, \"S\" }, { 0x2, \"D\" }) : \"R\", REC->b & 4 ? \"+\" : \"\"",
	"\"%s|%10s\", __get_str(i), __get_str(k)",
	"\"%s|%s\", __print_symbolic(REC->a & 3, { 1, \"one\" }, { NAME, \"name\" }, { (1 << 1), \"bit\" }), __print_symbolic(REC->e, { NAME, \"name\" })",
	"\"%ld %ld\", (long)REC->e - REC->f, (long)REC->d",
	"\"%p %p|%p\", REC->e, REC->f, REC->a & 1",
	"\"%ps|%pS, %pf: %pF\", REC->e, (void *)REC->e, REC->f, (void *)REC->f",
	"\"nothing\"",
};

/* Somebody may teach the plan these; until then it has to say no. */
static const char *const not_planned[] = {
	"\"%pSR\", (void *)REC->e",
	"\"%20p\", (void *)REC->e",
	"\"%65lx\", REC->e",
	"\"%300lx|%550lx\", REC->e, REC->f",
	"\"%pI4\", REC->h",
	"\"%s\", __print_hex(REC->h, 8)",
	"\"%d\", (u8)REC->d",
	"\"%.3s %*d\", REC->g, 5, REC->d",
	"\"%c\", REC->a",
	"\"%X\", REC->a",
	"\"100%% %d\", REC->a",
	"\"a\\n%d\", REC->a",
	"\"%s\", __print_symbolic(REC->a, { NET_RX_SOFTIRQ, \"name\" })",
	"\"%s\", __print_flags(REC->a, \"|\", { NAME, \"name\" })",
	"\"%d\", REC->common_pid",
	"\"%d\", REC->a / REC->b",
};

struct subject {
	struct tep_handle *tep;
	struct tep_event *event;
	struct print_plan *plan;
};

/* Each address but those that end in 1 is in a function of 16 bytes. */
static char *function_at(void *priv, unsigned long long *addr, char **module)
{
	(void)priv;
	*module = NULL;
	if (*addr % 16 == 1)
		return NULL;
	*addr &= ~15ULL;
	return "a_function [module]";
}

static struct subject subject_of(const char *print)
{
	struct subject s = { .tep = tep_alloc() };
	char text[4096];

	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(s.tep, 8);
	tep_set_function_resolver(s.tep, function_at, NULL);
	snprintf(text, sizeof(text), "name: it\nID: 1\n%s%sprint fmt: %s\n", COMMON, FIELDS, print);
	tep_parse_event(s.tep, text, strlen(text), "test");
	s.event = tep_find_event(s.tep, 1);
	s.plan = s.event && !(s.event->flags & TEP_EVENT_FL_FAILED) ? print_plan_new(s.event) : NULL;
	return s;
}

static void forget(struct subject *s)
{
	print_plan_free(s->plan);
	tep_free(s->tep);
}

static void put_loc(u8 *at, u32 off)
{
	off |= (u32)(rand() % 12) << 16;
	memcpy(at, &off, sizeof(off));
}

/* Numbers small and large; texts with and without an end. */
static void fill(u8 *payload)
{
	u32 i, how = rand() % 4;

	for (i = 0; i < SIZE; i++)
		payload[i] = how == 0 ? rand() : how == 1 ? rand() % 3 : how == 2 && rand() % 2 ? 0xff : 0;
	for (i = 24; i < SIZE; i++)
		payload[i] = rand() % 9 ? 'a' + rand() % 26 : 0;
	put_loc(payload + 48, 8 + 56 + rand() % 16);
	put_loc(payload + 52, rand() % 16);
	if (rand() % 2)
		payload[SIZE - 1] = 0;
}

static bool is_same(struct subject *s, const u8 *payload, struct pack *p)
{
	u8 data[8 + SIZE + 64] = { 1, 0 };
	struct tep_record record = { .data = data, .size = 8 + SIZE };
	struct bytes b = bytes_of(payload, SIZE, ORDER_LITTLE);
	struct trace_seq seq;
	bool same;

	memcpy(data + 8, payload, SIZE);
	trace_seq_init(&seq);
	tep_print_event(s->tep, &seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	p->size = 0;
	/* A text without an end is the library's to print. */
	same = print_plan_run(s->plan, p, &b);
	if (!same && strstr(s->event->print_fmt.format, "10s") && payload[SIZE - 1])
		pack_bytes(p, seq.buffer, strlen(seq.buffer));
	same |= p->size > 0;
	pack_u8(p, 0);
	same = same && !strcmp(seq.buffer, (char *)p->data);
	CHECK(same, "%s: %s: %s", s->event->print_fmt.format, seq.buffer, (char *)p->data);
	trace_seq_destroy(&seq);
	return same;
}

static void print_plan__prints_what_the_library_prints(void)
{
	struct pack p = { .order = ORDER_LITTLE };
	u8 payload[SIZE];
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(planned); i++) {
		struct subject s = subject_of(planned[i]);

		CHECK(s.plan, "no plan for %s", planned[i]);
		for (k = 0; s.plan && k < PAYLOADS; k++) {
			fill(payload);
			if (!is_same(&s, payload, &p))
				break;
		}
		forget(&s);
	}
	pack_free(&p);
}

static void print_plan__leaves_what_it_does_not_know(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(not_planned); i++) {
		struct subject s = subject_of(not_planned[i]);

		CHECK(!s.plan, "a plan for %s", not_planned[i]);
		forget(&s);
	}
}

static void print_plan__reads_no_byte_behind_the_payload(void)
{
	struct subject s = subject_of("\"%s %d\", REC->h, REC->a");
	struct pack p = { .order = ORDER_LITTLE };
	u32 size;

	for (size = 0; size <= SIZE; size++) {
		u8 *payload = calloc(1, size ? size : 1);
		struct bytes b = bytes_of(payload, size, ORDER_LITTLE);

		memset(payload, 'x', size);
		CHECK(print_plan_run(s.plan, &p, &b) == (size >= 48), "%u bytes", size);
		free(payload);
	}
	pack_free(&p);
	forget(&s);
}

int main(void)
{
	TAP_RUN(print_plan__prints_what_the_library_prints);
	TAP_RUN(print_plan__leaves_what_it_does_not_know);
	TAP_RUN(print_plan__reads_no_byte_behind_the_payload);
	return tap_done();
}
