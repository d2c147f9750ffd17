// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which format texts libtraceevent is given, whole, without their print format,
 * or not at all; and that it lives with them.
 *
 * build: @extractor
 */
#include <stdlib.h>
#include <string.h>

#include "event/format_text.h"
#include "event/formats.h"
#include "ftrace/print_fmt.h"
#include "tap.h"

#define HEAD	"name: it\nID: 1\nformat:\n"
#define COMMON						\
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"		\
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FIELDS						\
	"\tfield:u8 a;\toffset:8;\tsize:1;\tsigned:0;\n"	\
	"\tfield:u8 b;\toffset:9;\tsize:1;\tsigned:0;\n"	\
	"\tfield:unsigned long e;\toffset:16;\tsize:8;\tsigned:0;\n"	\
	"\tfield:u16 n[4];\toffset:24;\tsize:8;\tsigned:0;\n"	\
	"\tfield:__data_loc char[] s;\toffset:32;\tsize:4;\tsigned:0;\n\n"
#define PRINT	"print fmt: "

static const char * const whole[] = {
	"\"\"",
	"\"a=%d \" \"b=%d\\n\", REC->a, REC->b",
	"\"two\nlines \\\"%d\\\" %%\", REC->a",
	"\"%d:%d\", ((unsigned int) ((REC->e) >> 20)), ((unsigned int) ((REC->e) & ((1U << 20) - 1)))",
	"\"%llu\", (((u64)(REC)->a << 32) | (REC)->b)",
	"\"%s\", REC->a ? __print_flags(REC->a, \"|\", { (1 << 1) | 1, \"A\" }, { 0, ((void *)0) } ) : \"none\"",
	"\"%s\", __print_symbolic(REC->a & 3, {0, \"NO\"}, { -1, \"ERR\" }, { XDP_PASS, \"PASS\" })",
	"\"%s %s\", __get_str(s), __print_hex(__get_dynamic_array(s), __get_dynamic_array_len(s))",
	"\"%s\", __print_array(REC->n, 4, sizeof(u16))",
	"\"%s\", __print_array(__get_dynamic_array(s), __get_dynamic_array_len(s) / sizeof(unsigned int), 4)",
	"\"%lu.%03lu\", REC->e / 1000, REC->e % (1000UL)",
	"\"%c%c\", REC->a ? 'R' : '.', REC->a == 2 ? 'A' : REC->b ? 'B' : 'C'",
	"\"%d %d\", REC->n[0], REC->n[REC->a]",
	"\"%p\", REC->e != -1UL ? (((struct page *)vmemmap_base) + (REC->e)) : ((void *)0)",
	"\"%d %d\", !!(REC->a & 1), ~REC->b",
	"\"%s\", __builtin_expect(!!(REC->a), 1) ? \"x\" : \"y\"",
	"\"%s\", __epitaph_where((void *)REC->e)",
};

/* C, or not; the library would die of some, and misread others. */
static const char * const without_print[] = {
	"\"%s\", ({ int x = REC->a; x; })",
	"\"%s\", trace_seq_printf(p, \"x\")",
	"\"%s\", __print_flags(REC->none, \"|\", { 1, \"A\" })",
	"\"%s\", __get_str(none)",
	"\"%d\", REC->n[1][2]",
	"\"%d\", REC->n[REC->n[1]]",
	"\"%d\", REC->a ? REC->b : REC->n[1]",
	"\"%d\", REC->n[1]->a",
	"\"%d\", REC->n[1] = 2",
	"\"%d\", REC->n[REC->a ? 1 : 2]",
	"\"%d\", 1 / 0",
	"\"%d\", 8 / 4 * 0",
	"\"%d\", 8 / (4 - 4)",
	"\"%d\", 8 / 08",
	"\"%d\", 8 % -1",
	"\"%d\", REC->a / REC->b",
	"\"%s\", __print_symbolic(REC->a, { 1 / 0, \"A\" })",
	"\"%d\", sizeof(struct page)",
	"\"%d\", sizeof(REC->a)",
	"\"%s\", x % y",
	"\"%d\", REC->a REC->b",
	"\"%d\", REC->a +",
	"\"tab\there\"",
	"REC->a",
};

static const char * const broken_prints[] = {
	"\"%s\", __print_flags(REC->afuzz\", { 0, \"A\" }, { 2, \"B\" })",
	"\"%s\", __print_flags(REC->none, \"|\", { 0, \"A\" }",
	"\"%d\", (REC->a]",
	"\"%d\", sizeof(",
	"\"%d\", REC->\377",
	"\"\303\244\"",
	"\"%d\", ((((((((((((((((((((((((((((((((( 1 )))))))))))))))))))))))))))))))))",
	"LOCAL_PR_FMT",
	"\"no end",
};

static const char * const broken_heads[] = {
	"name: print fmt:\nID: 1\nformat:\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:0;\n\n\tfield:char x[",
	HEAD COMMON "\tfield:char x[\346];\toffset:4;\tsize:4;\tsigned:0;\n\n" PRINT "\"\"\n",
	HEAD COMMON "\tfield:char x[\377];\toffset:4;\tsize:4;\tsigned:0;\n\n" PRINT "\"\"\n",
	HEAD COMMON "\tfield:char x[4;\toffset:4;\tsize:4;\tsigned:0;\n\n" PRINT "\"\"\n",
	HEAD COMMON "\tfield:char x[\"]\"];\toffset:4;\tsize:4;\tsigned:0;\n\n" PRINT "\"\"\n",
	HEAD COMMON "\tfield:__attribute__((user)) x;\toffset:4;\tsize:4;\tsigned:0;\n\n" PRINT "\"\"\n",
	HEAD COMMON "\tfield:int 4;\toffset:4;\tsize:4;\tsigned:0;\n\n" PRINT "\"\"\n",
	HEAD COMMON "\tfield:int x;\toffset:x;\tsize:4;\tsigned:0;\n\n" PRINT "\"\"\n",
	HEAD COMMON "\tfield:int x;\toffset:4;\tsize:4;\tsigned:0;",
	HEAD COMMON FIELDS,
	"name: it\nID: x\n",
	"name:",
	"",
};

/* What the library makes of it; it must only come back. */
static const struct format *parse(struct formats **formats, struct damage_notes *notes, const char *text)
{
	const struct formats_machine machine = { ORDER_LITTLE, 8, 12 };

	if (formats_new(formats, &machine, notes, NULL) || !ftrace_print_register(formats_tep(*formats)))
		exit(1);
	formats_add(*formats, 1, "test", "it", 2, text);
	return formats_get(*formats, 1);
}

static void check_text(const char *text, bool event, bool print)
{
	struct damage_notes notes = { 0 };
	struct formats *formats;
	struct format_print read = { 0 };
	char *copy = format_text_copy(text, 8, &read);
	const struct format *format = parse(&formats, &notes, text);

	CHECK(!!copy == event && read.is_known == print, "%d %d of %s", !!copy, read.is_known, text);
	CHECK(!!format->event == event && format->printable == print, "%s", text);
	formats_free(formats);
	damage_notes_free(&notes);
	free(copy);
}

static void check_print(const char *print, bool event, bool with_print)
{
	char text[4096];

	snprintf(text, sizeof(text), HEAD COMMON FIELDS PRINT "%s\n", print);
	check_text(text, event, with_print);
}

static void text__of_a_kernel_is_whole(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(whole); i++)
		check_print(whole[i], true, true);
}

static void text__that_is_beyond_the_library_keeps_its_fields(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(without_print); i++)
		check_print(without_print[i], true, false);
}

static void text__that_no_kernel_wrote_is_refused(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(broken_prints); i++)
		check_print(broken_prints[i], false, false);
	for (u32 i = 0; i < ARRAY_SIZE(broken_heads); i++)
		check_text(broken_heads[i], false, false);
}

static void text__is_bounded(void)
{
	static char text[80 << 10];
	size_t len = sprintf(text, HEAD COMMON FIELDS PRINT "\"%%d\", REC->a");

	for (u32 i = 0; i < 3000; i++)
		len += sprintf(text + len, " + 1");
	check_text(text, true, false);
	memset(text + len, ' ', sizeof(text) - 1 - len);
	check_text(text, false, false);
}

static void text__has_numbers_for_the_sizes_of_types(void)
{
	struct format_print print = { 0 };
	char *copy = format_text_copy(HEAD COMMON FIELDS PRINT "\"%d %d\", sizeof(long), sizeof( unsigned int )", 4, &print);

	CHECK(copy && print.is_known && strstr(copy, "\"%d %d\", 4           , 4                     "), "%s", copy);
	free(copy);
}

static bool bprint_is_taken(const char *fields)
{
	const struct formats_machine machine = { ORDER_LITTLE, 8, 12 };
	struct damage_notes notes = { 0 };
	struct formats *formats;
	char text[1024];
	bool taken;

	snprintf(text, sizeof(text), "name: bprint\nID: 6\nformat:\n" COMMON "%s" PRINT "\"%%ps: %%s\", (void *)REC->ip, REC->fmt\n", fields);
	if (formats_new(&formats, &machine, &notes, NULL))
		exit(1);
	formats_add(formats, 6, "ftrace", "bprint", 6, text);
	taken = formats_get(formats, 6)->event;
	formats_free(formats);
	damage_notes_free(&notes);
	return taken;
}

/* Its arguments lie where no format tells: the library asks for these three, and follows what it got. */
static void text__of_bprint_needs_the_fields_that_the_library_asks_for(void)
{
#define IP	"\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
#define FMT	"\tfield:const char * fmt;\toffset:16;\tsize:8;\tsigned:0;\n"
#define BUF	"\tfield:u32 buf[];\toffset:24;\tsize:0;\tsigned:0;\n"
	CHECK(bprint_is_taken(IP FMT BUF "\n"), "as a kernel writes it");
	CHECK(!bprint_is_taken(IP FMT "\n"), "without buf");
	CHECK(!bprint_is_taken(IP BUF "\n"), "without fmt");
	CHECK(!bprint_is_taken(FMT BUF "\n"), "without ip");
}

int main(void)
{
	TAP_RUN(text__of_a_kernel_is_whole);
	TAP_RUN(text__that_is_beyond_the_library_keeps_its_fields);
	TAP_RUN(text__that_no_kernel_wrote_is_refused);
	TAP_RUN(text__of_bprint_needs_the_fields_that_the_library_asks_for);
	TAP_RUN(text__is_bounded);
	TAP_RUN(text__has_numbers_for_the_sizes_of_types);
	return tap_done();
}
