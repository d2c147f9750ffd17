// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which format texts are read whole, which without their print format, and which not at all.
 *
 * build: @extractor
 */
#include <stdlib.h>
#include <string.h>

#include "event/formats.h"
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
	"\"%d %d\", !!(REC->a & 1), ~REC->b",
	"\"%s\", __builtin_expect(!!(REC->a), 1) ? \"x\" : \"y\"",
	"\"%pS %ps\", (void *)REC->e, REC->e",
};

/* What no print format of a kernel has, or what cannot be known from it. */
/* Of these libtraceevent reads where nothing is, divides by zero or loses its way. */
static const char * const not_for_others[] = {
	"\"%d\", REC->n[REC->n[1]]",
	"\"%d\", REC->a ? REC->b : REC->n[1]",
	"\"%d\", REC->n[REC->a ? 1 : 2]",
	"\"%d\", REC->a / REC->b",
	"\"%d\", 8 / REC->a",
	"\"%d\", REC->a % -1",
	"\"%*d\", REC->a, REC->b",
	"\"%ls\", __get_str(s)",
	"\"%s\", __print_array(REC->n, REC->e, 2)",
	"\"%s\", __print_symbolic(REC->n[REC->a], { 1, \"A\" })",
};

static const char * const without_print[] = {
	"\"%p\", REC->e != -1UL ? (((struct page *)vmemmap_base) + (REC->e)) : ((void *)0)",
	"\"%s\", ({ int x = REC->a; x; })",
	"\"%s\", trace_seq_printf(p, \"x\")",
	"\"%s\", __print_flags(REC->none, \"|\", { 1, \"A\" })",
	"\"%s\", __get_str(none)",
	"\"%d\", REC->n[1][2]",
	"\"%d\", REC->n[1]->a",
	"\"%d\", REC->n[1] = 2",
	"\"%d\", 8 / 08",
	"\"%d\", sizeof(struct page)",
	"\"%d\", sizeof(REC->a)",
	"\"%s\", x % y",
	"\"%d\", REC->a REC->b",
	"\"%d\", REC->a +",
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

static void check_text(const char *text, bool is_known, bool has_program)
{
	const struct formats_machine machine = { ORDER_LITTLE, 8 };
	struct damage_notes notes = { 0 };
	struct formats *formats;

	if (formats_new(&formats, &machine, &notes, NULL) ||
	    !formats_add(formats, 1, "test", "it", 2, text))
		exit(1);
	CHECK(formats_get(formats, 1)->is_known == is_known, "%s", text);
	CHECK(!!formats_program(formats, 1) == has_program, "%s", text);
	CHECK(!!notes.nr == !is_known, "%s", text);
	formats_free(formats);
	damage_notes_free(&notes);
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

static void text__with_an_unknown_print_format_keeps_its_fields(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(without_print); i++)
		check_print(without_print[i], true, false);
}

static bool is_safe_for_others(const char *print)
{
	const struct formats_machine machine = { ORDER_LITTLE, 8 };
	const struct print_program *program;
	struct damage_notes notes = { 0 };
	struct formats *formats;
	char text[4096];
	bool is_safe;

	snprintf(text, sizeof(text), HEAD COMMON FIELDS PRINT "%s\n", print);
	if (formats_new(&formats, &machine, &notes, NULL) ||
	    !formats_add(formats, 1, "test", "it", 2, text))
		exit(1);
	program = formats_program(formats, 1);
	CHECK(program, "%s", print);
	is_safe = program && print_program_is_safe_for_others(program);
	formats_free(formats);
	damage_notes_free(&notes);
	return is_safe;
}

static void text__that_others_die_of_is_not_for_them(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(not_for_others); i++)
		CHECK(!is_safe_for_others(not_for_others[i]), "%s", not_for_others[i]);
	CHECK(is_safe_for_others("\"%d %s\", REC->n[1], __print_array(REC->n, 4, sizeof(u16))"), "a kernel's");
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
	static char text[320 << 10];
	size_t len = sprintf(text, HEAD COMMON FIELDS PRINT "\"%%d\", REC->a");

	for (u32 i = 0; i < 3000; i++)
		len += sprintf(text + len, " + 1");
	check_text(text, true, false);
	memset(text + len, ' ', sizeof(text) - 1 - len);
	check_text(text, false, false);
}

static u32 place_of(const char *declaration, struct layout_field *ret)
{
	const struct formats_machine machine = { ORDER_LITTLE, 8 };
	struct damage_notes notes = { 0 };
	const struct format *format;
	struct formats *formats;
	char text[1024];
	u32 nr;

	snprintf(text, sizeof(text), HEAD COMMON "\tfield:%s\n\n" PRINT "\"\"\n", declaration);
	if (formats_new(&formats, &machine, &notes, NULL) ||
	    !formats_add(formats, 1, "test", "it", 2, text))
		exit(1);
	format = formats_get(formats, 1);
	nr = format->layout.nr;
	if (nr)
		*ret = format->layout.fields[0];
	formats_free(formats);
	damage_notes_free(&notes);
	return nr;
}

/* No field reaches out of the largest event, and no place of another size is followed. */
static void field__lies_within_an_event(void)
{
	struct layout_field field;

	CHECK(place_of("char c[16376];\toffset:8;\tsize:16376;\tsigned:0;", &field), "%u", field.size);
	CHECK(!place_of("int x;\toffset:4;\tsize:4;\tsigned:0;", &field), "in the common fields");
	CHECK(!place_of("int x;\toffset:16390;\tsize:4;\tsigned:0;", &field), "behind");
	CHECK(!place_of("int x;\toffset:4294967292;\tsize:8;\tsigned:0;", &field), "around");
	CHECK(!place_of("int x;\toffset:8;\tsize:18446744073709551615;\tsigned:0;", &field), "all");
	CHECK(!place_of("__data_loc char[] s;\toffset:8;\tsize:2;\tsigned:0;", &field), "2 bytes");
	CHECK(place_of("__data_loc char[] s;\toffset:8;\tsize:4;\tsigned:0;", &field) &&
	      field.is_dynamic && field.kind == LAYOUT_TEXT, "a place");
	CHECK(place_of("unsigned long long[] u;\toffset:8;\tsize:0;\tsigned:0;", &field) &&
	      field.is_rest && field.element == 8, "%u", field.element);
	CHECK(place_of("u32 u[3];\toffset:8;\tsize:12;\tsigned:0;", &field) && !field.is_dynamic &&
	      field.kind == LAYOUT_ARRAY && field.element == 4, "%u", field.element);
}

int main(void)
{
	TAP_RUN(text__of_a_kernel_is_whole);
	TAP_RUN(text__with_an_unknown_print_format_keeps_its_fields);
	TAP_RUN(text__that_others_die_of_is_not_for_them);
	TAP_RUN(text__that_no_kernel_wrote_is_refused);
	TAP_RUN(text__is_bounded);
	TAP_RUN(field__lies_within_an_event);
	return tap_done();
}
