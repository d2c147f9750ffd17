// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a print program prints: of some events, what the kernel prints; and over random payloads
 * what libtraceevent prints, with the reasons where that reads something else than C.
 *
 * build: @extractor -I /usr/include/traceevent -ltraceevent
 */
#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>

#include <event-parse.h>
#include "event/format_header.h"
#include "event/print_program.h"
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
	"\tfield:__rel_loc char[] k;\toffset:60;\tsize:4;\tsigned:0;\n"	\
	"\tfield:__data_loc unsigned long[] m;\toffset:64;\tsize:4;\tsigned:0;\n\n"

#define SIZE		72

#define FLAGS "{ 0x00040000, \"M\" }, { 0x00080000, \"D\" }, { 0x00100000, \"P\" }, { 0x00200000, \"I\" }"
#define TIMER_FLAGS							\
	"\"flags=%s\", __print_flags(REC->d & (0x00040000 | 0x00080000 | 0x00100000 | 0x00200000), "	\
	"\"|\", " FLAGS ")"

/* @differs: why the library prints something else of some payload; NULL: it never does */
static const struct {
	const char *print;
	const char *differs;
} compared[] = {
	{ "\"a=%d c=%d d=%d\", REC->a, REC->c, REC->d", NULL },
	{ "\"b=%d\", REC->b", "a field is read without its sign" },
	{ "\"%u %u %u %lu %llu\", REC->a, REC->c, REC->d, REC->e, REC->f", NULL },
	{ "\"%lx %llx 0x%08x %016llx\", REC->e, REC->f, REC->d, REC->f", NULL },
	{ "\"%#x %#lx\", REC->d, REC->e", "of zero the C library leaves 0x out" },
	{ "\"%ld %lld %03d %5d %-5d| %hd %hhd %hu\", REC->e, REC->f, REC->d, REC->d, REC->a, REC->d, REC->d, REC->d", NULL },
	{ "\"%u\", REC->a + REC->a * 3", NULL },
	{ "\"%u\", REC->a - REC->c * 3 - REC->a", "operators of one rank from the right" },
	{ "\"%d %d\", REC->a << 3, REC->c >> 2", NULL },
	{ "\"%d\", REC->d >> 2", "a field is read without its sign" },
	{ "\"%d %d %d\", REC->a < REC->c, REC->a == REC->c, REC->a != REC->c", NULL },
	{ "\"%d\", REC->d < REC->a", "a field is read without its sign" },
	{ "\"%d %d\", REC->a && REC->b, (REC->a || REC->c) & 3", NULL },
	{ "\"%llu %lld\", (unsigned long long)REC->e, REC->f", NULL },
	{ "\"%llu\", (u64)REC->d", "a field is read without its sign" },
	{ "\"comm=%s %s|%20s|%-20s|\", REC->g, REC->h, REC->g, REC->h", NULL },
	{ "\"%s\", __print_symbolic(REC->a & 7, { 0, \"NONE\" }, { 1, \"ONE\" }, { 0x4, \"FOUR\" })", NULL },
	{ "\"%s\", __print_flags(REC->a, \"|\", { 1, \"A\" }, { 2, \"B\" }, { 0x18, \"CD\" }, { 0x80, \"Z\" })", NULL },
	{ "\"%s%s\", (REC->a & 3) ? __print_flags(REC->a & 3, \"|\", { 0x1, \"S\" }, { 0x2, \"D\" }) : \"R\", REC->a & 4 ? \"+\" : \"\"", NULL },
	{ "\"%s|%10s\", __get_str(i), __get_str(k)", "it shows the begin of a text that goes on behind the event" },
	{ "\"%s\", __print_symbolic(REC->a & 3, { 1, \"one\" }, { NAME, \"name\" }, { (1 << 1), \"bit\" })", NULL },
	{ "\"%s\", __print_symbolic(REC->e, { NAME, \"name\" })", "a name that nothing knows is -1" },
	{ "\"%s\", __print_flags(REC->a, \"|\", { NAME, \"name\" })", "a name that nothing knows is -1" },
	{ "\"%ld\", (long)REC->e - REC->f", NULL },
	{ "\"%p %p|%p\", REC->e, REC->f, REC->a & 1", NULL },
	{ "\"%ps|%pS, %pf: %pF\", REC->e, (void *)REC->e, REC->f, (void *)REC->f", NULL },
	{ "\"nothing\"", NULL },
	{ TIMER_FLAGS, "parentheses in the operand of an operator" },
	{ "\"%u\", REC->d & (REC->c | REC->a)", "parentheses in the operand of an operator" },
	{ "\"%u\", REC->d * -REC->a", "a sign in the operand of an operator" },
	{ "\"%u\", REC->d - REC->c - REC->a", "operators of one rank from the right" },
	{ "\"%u\", REC->a ? REC->c : REC->d & 1", "what is behind a condition" },
	{ "\"%s\", REC->a & 1 ? \"a\" : REC->c & 1 ? \"c\" : \"d\"", "what is behind a condition" },
	{ "\"%d\", (u8)REC->d", NULL },
	{ "\"%X %02x %08X\", REC->a, REC->a, REC->d", NULL },
	{ "\"%c\", REC->a % 64 + 33", "it has no characters" },
	{ "\"100%% %d\", REC->a", NULL },
	{ "\"a\\n%d\", REC->a", NULL },
	{ "\"%pU\", REC->g", NULL },
	{ "\"%pI6\", REC->g", NULL },
	{ "\"%s %s\", __print_hex(REC->h, 8), __print_hex_str(REC->h, 3)", NULL },
	{ "\"%s\", __print_array(REC->h, 4, 2)", "neither braces nor commas" },
	{ "\"%s\", __print_symbolic(REC->b, { 1, \"one\" })", "a field is read without its sign" },
	{ "\"%-8s|\", __print_symbolic(REC->a, { 1, \"one\" })", "a number has no width there" },
};

/* Of an event with these numbers the kernel prints this. */
struct saying {
	const char *print;
	u32 d;
	u64 e;
	const char *text;
};

static const struct saying kernels[] = {
	{ TIMER_FLAGS, 0, 0, "flags=" },
	{ TIMER_FLAGS, 0x00080000, 0, "flags=D" },
	{ TIMER_FLAGS, 0x1c000c, 0, "flags=M|D|P" },
	{ "\"%d %d\", REC->d & (1 | 2), REC->d & 1 | 2", 4, 0, "0 2" },
	{ "\"%d %d\", REC->d - 3 - 2, REC->d - (3 - 2)", 10, 0, "5 9" },
	{ "\"%d %d\", REC->d / 4 * 2, REC->d % 4 * 2", 10, 0, "4 4" },
	{ "\"%d %d\", REC->d << 1 << 2, 1 + REC->d << 1", 1, 0, "8 4" },
	{ "\"%d %d %d\", 1 | REC->d ^ 2 & 3, REC->d == 1 | 4, !REC->d + 1", 1, 0, "3 5 1" },
	{ "\"%d %d %d %d\", 4 | REC->d & 3, REC->d ^ 6 & 3, 1 | REC->d ^ 1, REC->d & 4 == 4", 4, 0, "4 6 5 0" },
	{ "\"%d %d %d %d\", 0 == REC->d < 5, 7 < REC->d << 1, 1 || REC->d && 0, REC->d | 2 && 0", 4, 0, "0 1 1 0" },
	{ "\"%d %d\", 2 - REC->d * 3, 1 << REC->d + 1", 4, 0, "-10 32" },
	{ "\"%d\", REC->d ? 1 : 0 ? 2 : 3", 7, 0, "1" },
	{ "\"%d\", REC->d ? 1 : 2 & 4", 7, 0, "1" },
	{ "\"%d %d\", REC->d ?: 5, 0 ?: REC->d", 7, 0, "7 7" },
	{ "\"%d %d %d\", -REC->d * -2, ~REC->d & 0xff, - -REC->d", 3, 0, "6 252 3" },
	{ "\"%d %d\", REC->d < 0, REC->d < 0U", 0xffffffff, 0, "1 0" },
	{ "\"%d %d\", REC->d < REC->e, REC->d < (int)REC->e", 0xffffffff, 1, "0 1" },
	{ "\"%lld %llu\", (long long)REC->d, (u64)(u32)REC->d", 0xfffffffe, 0, "-2 4294967294" },
	{ "\"%d %u %d\", (s8)REC->d, (u16)REC->d, (bool)REC->d", 0x12ff80, 0, "-128 65408 1" },
	{ "\"%ld\", (long)REC->e - REC->d", 5, 2, "-3" },
	{ "\"%d %d\", REC->d >> 1, REC->d / 2", 0xfffffffd, 0, "-2 -1" },
	{ "\"%u\", (u32)REC->d >> 1", 0xfffffffe, 0, "2147483647" },
	{ "\"%lu\", (unsigned long)(1 << REC->d)", 31, 0, "18446744071562067968" },
	{ "\"%d\", REC->d / (int)REC->e", 7, 0, "0" },
	{ "\"%d\", REC->d % (int)REC->e", 0x80000000, 0xffffffff, "0" },
	{ "\"%c%c\", REC->d + 'A', 'b'", 2, 0, "Cb" },
	{ "\"%#x %#X %#o %o\", REC->d, REC->d, REC->d, REC->d", 0, 0, "0x0 0X0 0 0" },
	{ "\"%+d|% d|%5.3d|%-5d|%05d\", REC->d, REC->d, REC->d, REC->d, REC->d", 7, 0, "+7| 7|  007|7    |00007" },
	{ "\"%zu %zx %Lx %hhu\", REC->e, REC->e, REC->e, REC->d", 0x1ff, 0xabc, "2748 abc abc 255" },
	{ "\"%*d|%-*d|%*d|\", 3, REC->d, 3, REC->d, REC->d - 7, REC->d", 4, 0, "  4|4  |4  |" },
	{ "\"%.*s|%.3s|%.*s|\", REC->d, \"text\", \"text\", -1, \"text\"", 2, 0, "te|tex||" },
	{ "\"%px %p %p\", REC->e, REC->e, REC->d & 0", 0, 0xffff888, "000000000ffff888 0xffff888 (nil)" },
	{ "\"%s\", __print_flags(REC->d, \"|\", { 0, \"zero\" }, { 1, \"one\" })", 0, 0, "" },
	{ "\"%s\", __print_flags(REC->d, \"|\", { 0, \"zero\" }, { 1, \"one\" })", 9, 0, "zero|one|0x8" },
	{ "\"%8s|%-8s|%.1s|\", __print_flags(REC->d, \"|\", { 1, \"A\" }, { 2, \"B\" }), __print_symbolic(REC->d, { 3, \"x\" }), __print_symbolic(REC->d, { 3, \"xy\" })", 3, 0, "     A|B|x       |x|" },
	{ "\"%s\", __print_symbolic(REC->d, { -1, \"minus\" })", 0xffffffff, 0, "minus" },
	{ "\"%s\", __print_symbolic(REC->d, { 1, \"one\" })", 0xfffffffe, 0, "0xfffffffffffffffe" },
	{ "\"%s\", __print_symbolic(REC->d, { 0, \"\" })", 0, 0, "0x0" },
	{ "\"%s\", __print_symbolic(REC->d, { 1 << 1 | 1, \"three\" }, { -1, ((void *)0) })", 3, 0, "three" },
	{ "\"%s\", __print_flags(REC->d, \"\", { (1 << NAME), \"name\" }, { (unsigned long)(((( gfp_t)(1UL)) << 2)), \"four\" })", 6, 0, "four0x2" },
	{ "\"%s|%s\", REC->d ? REC->g : ((void *)0), REC->e ? REC->g : ((void *)0)", 1, 0, "a text|(null)" },
	{ "\"%s %d\", REC->g, REC->g[2] == 't' && REC->g[REC->d] == 'e'", 3, 0, "a text 1" },
	{ "\"%s %s\", __print_array(REC->g, 3, 1), __print_array(REC->g, 1, 4)", 0, 0, "{0x61,0x20,0x74} {0x65742061}" },
	{ "\"%s %s|%*phD %3phC %2phN\", __print_hex(REC->g, REC->d), __print_hex_str(REC->g, 2), 2, REC->g, REC->g, REC->g", 3, 0, "61 20 74 6120|61-20 61:20:74 6120" },
	{ "\"%pI4 %pm %pMtail %pI6c\", REC->g, REC->g, REC->g, REC->g", 0, 0, "97.32.116.101 612074657874 61:20:74:65:78:74 6120:7465:7874::" },
	{ "\"%pUl %pUB\", REC->g, REC->g", 0, 0, "65742061-7478-0000-0000-000000000000 61207465-7874-0000-0000-000000000000" },
	{ "\"%s %d\", __get_str(i), __get_dynamic_array_len(i)", 0, 0, "behind 7" },
	{ "\"%s %pM\", __get_bitmask(m), &REC->e", 0, 5, "00000000,00000005 05:00:00:00:00:00" },
	{ "\"%d %d\", sizeof(long), (int)sizeof(u16) * 2", 0, 0, "8 4" },
	{ "\"%d\", (REC)->d", 9, 0, "9" },
	{ "\"%d %s error%s:%s%s, %d\", REC->d, mc_event_error_type(REC->e), REC->d > 1 ? \"s\" : \"\", __get_str(i)[0] ? \" \" : \"\", __get_str(i), 1 << REC->d", 2, 1, "2 Uncorrected errors: behind, 4" },
	{ "\"%s %s %s\", mc_event_error_type(REC->d), mc_event_error_type(-1), str_yes_no(REC->d)", 4, 0, "Info Info yes" },
	{ "\"mode=%s\", __print_symbolic(REC->d, { HRTIMER_MODE_ABS, \"ABS\" }, { HRTIMER_MODE_REL_PINNED_HARD, \"REL|PINNED|HARD\" })", 0, 0, "mode=ABS" },
	{ "\"mode=%s\", __print_symbolic(REC->d, { HRTIMER_MODE_ABS, \"ABS\" }, { HRTIMER_MODE_REL_PINNED_HARD, \"REL|PINNED|HARD\" })", 11, 0, "mode=REL|PINNED|HARD" },
	{ "\"%s\", __print_symbolic((((REC->d) >> 13) & ((1 << 3) - 1)), { IOPRIO_CLASS_NONE, \"none\" }, { IOPRIO_CLASS_BE, \"be\" })", 0x4000, 0, "be" },
	{ "\"%s\", __builtin_expect(!!(REC->d), 1) ? \"yes\" : \"no\"", 1, 0, "yes" },
};

#define LONG_TEXT "longer than all of the format beside it, longer than all of the format beside it, longer than that"

/* Not known here. */
static const char *const not_known[] = {
	"\"%65lx\", REC->e",
	"\"%300lx|%550lx\", REC->e, REC->f",
	"\"%pIS\", REC->e",
	"\"%pGp\", REC->h",
	"\"%pR\", REC->h",
	"\"%d\", REC->common_pid",
	"\"%d\", NAME",
	"\"%d\", REC->a = 1",
	"\"%d\", REC->a, REC->b",
	"\"%d %d\", REC->a",
	"\"%d\", (unknown_t)REC->a",
	"\"%s\", REC->e",
	"\"%d\", REC->g",
	"\"%s\", REC->a ? REC->g : 1",
	"\"%d\", jiffies_to_msecs(REC->a)",
	"\"%d\", REC->a[1]",
	"\"%\", REC->a",
	"\"%lld\", REC->i",
	/* A text with an escape that is not known is read as an expression, too. */
	"\"%s\", __print_flags(REC->a, \"|\", { 1, \"" LONG_TEXT "\\5\" })",
};

struct subject {
	struct tep_handle *tep;
	struct tep_event *event;
	struct layout layout;
	struct print_program *program;
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

static bool name_at(void *priv, u64 addr, u64 raw, bool has_offset, char buf[PRINT_NAME_MAX])
{
	(void)priv;
	(void)raw;
	if (addr % 16 == 1)
		return false;
	snprintf(buf, PRINT_NAME_MAX, has_offset ? "a_function [module]+0x%llx" : "a_function [module]",
		 addr % 16);
	return true;
}

static const struct print_names names = { .symbol = name_at };

/*
 * What kprobes with arrays say in a guest of 6.12: a format, its payload and the line of the trace
 * file. A length of 0 is a text that the probe could not read.
 */
#define PROBE								\
	"\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n"

static const struct {
	const char *fields;
	const char *print;
	const char *text;
} probes[] = {
	{ "\tfield:__data_loc char[][3] b;\toffset:16;\tsize:12;\tsigned:1;\n"
	  "\tfield:__data_loc char[] c;\toffset:28;\tsize:4;\tsigned:1;\n",
	  "\"(%lx) b={\\\"%s\\\",\\\"%s\\\",\\\"%s\\\"} c=\\\"%s\\\"\", REC->__probe_ip, __get_str(b[0]), "
	  "__get_str(b[1]), __get_str(b[2]), __get_str(c)",
	  "(a_function [module]+0x0) b={\"-q\",(fault),\"fs\"} c=(fault)" },
	{ "\tfield:x16 b[3];\toffset:16;\tsize:6;\tsigned:0;\n"
	  "\tfield:symbol c[];\toffset:24;\tsize:16;\tsigned:0;\n",
	  "\"(%lx) b={0x%x,0x%x,0x%x} c={%pS,%pS}\", REC->__probe_ip, REC->b[0], REC->b[1], REC->b[2], REC->c[0], REC->c[1]",
	  "(a_function [module]+0x0) b={0x28,0x3,0x2b} c={a_function [module]+0xb,a_function [module]+0x0}" },
};

static struct subject subject_of(const char *print)
{
	struct subject s = { .tep = tep_alloc() };
	struct token token;
	char text[8192];

	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(s.tep, 8);
	tep_set_function_resolver(s.tep, function_at, NULL);
	snprintf(text, sizeof(text), "name: it\nID: 1\n%s%sprint fmt: %s\n", COMMON, FIELDS, print);
	tep_parse_event(s.tep, text, strlen(text), "test");
	s.event = tep_find_event(s.tep, 1);
	if (format_header_read(&s.layout, "test", text, 8, &token) == FORMAT_HEADER_GOOD)
		s.program = print_program_new(&s.layout, token.at, 8, &names);
	return s;
}

static void forget(struct subject *s)
{
	print_program_free(s->program);
	format_header_free(&s->layout);
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

static bool is_same(struct subject *s, const u8 *payload, struct pack *p, char said[static 4096])
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
	same = print_program_run(s->program, p, &b, 0);
	pack_u8(p, 0);
	same = same && !strcmp(seq.buffer, (char *)p->data);
	snprintf(said, 4096, "%s: %s", seq.buffer, (char *)p->data);
	trace_seq_destroy(&seq);
	return same;
}

static void print_program__prints_what_the_library_prints_or_there_is_a_reason(void)
{
	struct pack p = { .order = ORDER_LITTLE };
	u8 payload[SIZE];
	char said[4096];
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(compared); i++) {
		struct subject s = subject_of(compared[i].print);
		bool same = true;

		CHECK(s.program, "no program for %s", compared[i].print);
		for (k = 0; s.program && same && k < PAYLOADS; k++) {
			fill(payload);
			same = is_same(&s, payload, &p, said);
		}
		if (compared[i].differs)
			CHECK(!same, "%s is the same: %s", compared[i].print, compared[i].differs);
		else
			CHECK(same, "%s: %s", compared[i].print, said);
		forget(&s);
	}
	pack_free(&p);
}

static void put_number(u8 *payload, u32 off, u64 value, size_t size)
{
	memcpy(payload + off - 8, &value, size);
}

static void print_program__prints_what_the_kernel_prints(void)
{
	struct pack p = { .order = ORDER_LITTLE };
	u8 payload[SIZE];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kernels); i++) {
		struct subject s = subject_of(kernels[i].print);
		struct bytes b = bytes_of(payload, SIZE, ORDER_LITTLE);

		memset(payload, 0, SIZE);
		put_number(payload, 12, kernels[i].d, 4);
		put_number(payload, 16, kernels[i].e, 8);
		strcpy((char *)payload + 32 - 8, "a text");
		put_number(payload, 56, 70 | 7 << 16, 4);
		strcpy((char *)payload + 70 - 8, "behind");
		put_number(payload, 64, 48 | 8 << 16, 4);
		put_number(payload, 48, 5, 8);
		p.size = 0;
		CHECK(s.program, "no program for %s", kernels[i].print);
		if (s.program && CHECK(print_program_run(s.program, &p, &b, 0), "%s", kernels[i].print)) {
			pack_u8(&p, 0);
			CHECK(!strcmp((char *)p.data, kernels[i].text), "%s: '%s' instead of '%s'",
			      kernels[i].print, (char *)p.data, kernels[i].text);
		}
		forget(&s);
	}
	pack_free(&p);
}

static void print_program__prints_arrays_of_probes(void)
{
	static const u32 words[] = { 0x20, 0, 40 | 3 << 16, 43, 43 | 3 << 16, 43 };
	struct pack p = { .order = ORDER_LITTLE };
	u8 payload[SIZE] = { 0 };
	struct bytes b = bytes_of(payload, SIZE, ORDER_LITTLE);
	char text[4096];
	size_t i;

	memcpy(payload, words, sizeof(words));
	memcpy(payload + 32, "-q\0fs", 6);
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		struct print_program *program = NULL;
		struct layout layout = { 0 };
		struct token token;

		snprintf(text, sizeof(text), "name: it\nID: 1\n%s%s%s\nprint fmt: %s\n", COMMON, PROBE,
			 probes[i].fields, probes[i].print);
		if (CHECK(format_header_read(&layout, "probes", text, 8, &token) == FORMAT_HEADER_GOOD,
			  "%s", probes[i].fields))
			program = print_program_new(&layout, token.at, 8, &names);
		p.size = 0;
		if (CHECK(program && print_program_run(program, &p, &b, 0), "%s", probes[i].print)) {
			pack_u8(&p, 0);
			CHECK(!strcmp((char *)p.data, probes[i].text), "'%s' instead of '%s'",
			      (char *)p.data, probes[i].text);
		}
		print_program_free(program);
		format_header_free(&layout);
	}
	pack_free(&p);
}

/* As many elements as a probe's event can have. */
static void print_program__prints_thousands_of_elements(void)
{
	struct pack text = { .order = ORDER_LITTLE }, p = { .order = ORDER_LITTLE };
	struct subject s = subject_of("\"%d\", REC->a");
	u8 payload[SIZE] = { 0 };
	struct bytes b = bytes_of(payload, SIZE, ORDER_LITTLE);
	struct print_program *program;
	u32 i, nr = 4080;

	pack_bytes(&text, "\"", 1);
	for (i = 0; i < nr; i++)
		pack_bytes(&text, "0x%x,", 5);
	pack_bytes(&text, "\"", 1);
	for (i = 0; i < nr; i++)
		pack_bytes(&text, ", REC->g[0]", 11);
	pack_u8(&text, 0);
	program = print_program_new(&s.layout, (char *)text.data, 8, &names);
	if (CHECK(program && print_program_run(program, &p, &b, 0), "%u elements", nr))
		CHECK(p.size == nr * 4, "%zu bytes", (size_t)p.size);
	print_program_free(program);
	pack_free(&text);
	pack_free(&p);
	forget(&s);
}

/* @nr times @open, what is in the middle, and @nr times @close. */
static void check_deep(const char *open, const char *middle, const char *close, u32 nr)
{
	struct pack text = { .order = ORDER_LITTLE };
	u8 payload[SIZE] = { 0 };
	struct bytes b = bytes_of(payload, SIZE, ORDER_LITTLE);
	struct subject s = subject_of("\"%d\", REC->a");
	struct print_program *program;
	u32 i;

	pack_bytes(&text, "\"%d\", ", 6);
	for (i = 0; i < nr; i++)
		pack_bytes(&text, open, strlen(open));
	pack_bytes(&text, middle, strlen(middle));
	for (i = 0; i < nr; i++)
		pack_bytes(&text, close, strlen(close));
	pack_u8(&text, 0);
	program = print_program_new(&s.layout, (char *)text.data, 8, &names);
	text.size = 0;
	if (program)
		CHECK(print_program_run(program, &text, &b, 0), "%u times %s", nr, open);
	print_program_free(program);
	pack_free(&text);
	forget(&s);
}

static void print_program__is_bounded(void)
{
	static const u32 depths[] = { 1, 20, 40, 100, 5000, 20000 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(depths); i++) {
		check_deep("(", "REC->a", ")", depths[i]);
		check_deep("- ", "REC->a", "", depths[i]);
		check_deep("(u8)", "REC->a", "", depths[i]);
		check_deep("&(", "REC->a", ")", depths[i]);
		check_deep("REC->a + ", "REC->a", "", depths[i]);
		check_deep("REC->a ? 1 : ", "REC->a", "", depths[i]);
		check_deep("(", "REC->a", " ?: REC->b)", depths[i]);
		check_deep("REC->g[", "REC->a", "]", depths[i]);
		check_deep("REC->a, ", "REC->a", "", depths[i]);
		check_deep("sizeof(", "u8", ")", depths[i]);
		check_deep("__builtin_expect(", "REC->a", ", 1)", depths[i]);
		check_deep("__print_symbolic(REC->a, {", "1", ", \"\"})", depths[i]);
		check_deep("{", "", "}", depths[i]);
		check_deep("(struct a * const *", "REC->a", ")", depths[i]);
	}
}

static void print_program__leaves_what_it_does_not_know(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(not_known); i++) {
		struct subject s = subject_of(not_known[i]);

		CHECK(!s.program, "a program for %s", not_known[i]);
		forget(&s);
	}
}

static void print_program__reads_no_byte_behind_the_payload(void)
{
	struct subject s = subject_of("\"%s %d\", REC->h, REC->a");
	struct pack p = { .order = ORDER_LITTLE };
	u32 size;

	for (size = 0; size <= SIZE; size++) {
		u8 *payload = calloc(1, size ? size : 1);
		struct bytes b = bytes_of(payload, size, ORDER_LITTLE);

		memset(payload, 'x', size);
		CHECK(print_program_run(s.program, &p, &b, 0) == (size >= 48), "%u bytes", size);
		free(payload);
	}
	pack_free(&p);
	forget(&s);
}

int main(void)
{
	TAP_RUN(print_program__prints_what_the_kernel_prints);
	TAP_RUN(print_program__prints_what_the_library_prints_or_there_is_a_reason);
	TAP_RUN(print_program__prints_arrays_of_probes);
	TAP_RUN(print_program__prints_thousands_of_elements);
	TAP_RUN(print_program__is_bounded);
	TAP_RUN(print_program__leaves_what_it_does_not_know);
	TAP_RUN(print_program__reads_no_byte_behind_the_payload);
	return tap_done();
}
