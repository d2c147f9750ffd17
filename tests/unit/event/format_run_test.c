// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What libtraceevent makes of formats and payloads that no kernel writes together:
 * it prints them, or is not asked to.
 *
 * build: @extractor
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>

#include "event/formats.h"
#include "tap.h"

#define HEAD	"name: it\nID: 1\nformat:\n"
#define COMMON						\
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"		\
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
#define FIELDS						\
	"\n\tfield:int d;\toffset:8;\tsize:4;\tsigned:1;\n"	\
	"\tfield:u16 w;\toffset:12;\tsize:2;\tsigned:0;\n"	\
	"\tfield:__data_loc char[] s;\toffset:16;\tsize:4;\tsigned:0;\n"	\
	"\tfield:__rel_loc char[] r;\toffset:20;\tsize:4;\tsigned:0;\n"	\
	"\tfield:__data_loc cpumask_t m;\toffset:24;\tsize:4;\tsigned:0;\n\n"
#define PRINT	"print fmt: "

struct payload {
	s32 d;
	u16 w;
	u16 none;
	u32 s;
	u32 r;
	u32 m;
	char text[8];
	u8 mask[8];
};

#define PLACE(field, len)	((u32)(offsetof(struct payload, field) + 8) | (u32)(len) << 16)

static const struct payload sound = {
	.d = 3, .w = 4, .s = PLACE(text, 7), .r = 4 | 7 << 16, .m = PLACE(mask, 8), .text = "abcdef", .mask = { 0x0d },
};

/* Is the event's print format run?  If it is, what it prints is in @text. */
static bool run(const char *fields, const char *print, const struct payload *payload, char *text, size_t size)
{
	const struct formats_machine machine = { ORDER_LITTLE, 8, 12 };
	struct damage_notes notes = { 0 };
	const struct format *format;
	struct formats *formats;
	struct trace_seq seq;
	bool printable;
	char all[2048];

	snprintf(all, sizeof(all), HEAD COMMON "%s" PRINT "%s\n", fields, print);
	if (formats_new(&formats, &machine, &notes, NULL))
		exit(1);
	formats_add(formats, 1, "test", "it", 2, all);
	format = formats_get(formats, 1);
	printable = format->event && format->printable;
	trace_seq_init(&seq);
	if (printable)
		tep_print_event(formats_tep(formats), &seq, formats_record(formats, 1, 1, payload, sizeof(*payload)),
				"%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	snprintf(text, size, "%s", seq.buffer);
	trace_seq_destroy(&seq);
	formats_free(formats);
	damage_notes_free(&notes);
	return printable;
}

static void check(const char *print, const struct payload *payload, const char *expected)
{
	char text[512];

	CHECK(run(FIELDS, print, payload, text, sizeof(text)) && !strcmp(text, expected), "%s: \"%s\"", print, text);
}

static void check_not(const char *fields, const char *print)
{
	char text[512];

	CHECK(!run(fields, print, &sound, text, sizeof(text)), "%s: \"%s\"", print, text);
}

/* The library takes a negative one for none, and the text for it. */
static void run__with_a_precision_below_zero_shows_all(void)
{
	struct payload payload = sound;

	check("\"%d %.*s|\", REC->d, REC->d, __get_str(s)", &payload, "3 abc|");
	payload.d = -1;
	check("\"%d %.*s|\", REC->d, REC->d, __get_str(s)", &payload, "-1 abcdef|");
	check("\"%.*s|\", (int)REC->d, REC->d ? \"left\" : \"right\"", &payload, "left|");
}

/* The library asks for 3 GiB for a mask without a byte. */
static void run__of_a_mask_without_a_byte_shows_none(void)
{
	struct payload payload = sound;

	check("\"cpus %s of %d\", __get_cpumask(m), REC->d", &payload, "cpus 0,2-3 of 3");
	payload.m = PLACE(mask, 0);
	check("\"cpus %s of %d\", __get_cpumask(m), REC->d", &payload, "cpus  of 3");
	payload.m = PLACE(mask, 0x8000);
	check("\"cpus %s of %d\", __get_cpumask(m), REC->d", &payload, "cpus  of 3");
	check_not(FIELDS, "\"%s\", REC->d ? __get_cpumask(m) : \"\"");
}

/* For any other the library takes what is there for a place and a length. */
static void run__wants_a_dynamic_field_where_one_belongs(void)
{
	check_not(FIELDS, "\"%s\", __get_str(w)");
	check_not(FIELDS, "\"%s\", __get_bitmask(w)");
	check_not(FIELDS, "\"%s\", __get_cpumask(w)");
	check_not(FIELDS, "\"%d\", __get_dynamic_array_len(w)");
	check_not(FIELDS, "\"%s\", __print_array(REC->d, __get_dynamic_array_len(w), 1)");
	check_not(FIELDS, "\"%s\", __print_array(__get_dynamic_array(w), 2, 1)");
	check_not(FIELDS, "\"%s\", __print_hex(__get_dynamic_array(w), 2)");
}

/* The library writes where a relative field lies even if nobody asked: through a null pointer. */
static void run__asks_no_relative_field_for_its_length_alone(void)
{
	check("\"%s\", __get_rel_str(r)", &sound, "abcdef");
	check_not(FIELDS, "\"%d\", __get_rel_dynamic_array_len(r)");
	check_not(FIELDS, "\"%s\", __print_hex(__get_rel_dynamic_array(r), __get_rel_dynamic_array_len(r))");
}

/* "%ls" is of wide characters, which are read beyond the end of narrow ones. */
static void run__shows_narrow_texts_only(void)
{
	check_not(FIELDS, "\"%ls\", __get_str(s)");
	check_not(FIELDS, "\"%d %-8ls\", REC->d, __get_str(s)");
}

/* One without a size is as long as the rest of the event, which may be shorter than where it lies. */
static void run__takes_no_common_field_without_a_size(void)
{
	check_not("\tfield:char common_x[];\toffset:4000;\tsize:0;\tsigned:0;\n" FIELDS, "\"%s\", REC->common_x");
}

int main(void)
{
	TAP_RUN(run__with_a_precision_below_zero_shows_all);
	TAP_RUN(run__of_a_mask_without_a_byte_shows_none);
	TAP_RUN(run__wants_a_dynamic_field_where_one_belongs);
	TAP_RUN(run__asks_no_relative_field_for_its_length_alone);
	TAP_RUN(run__shows_narrow_texts_only);
	TAP_RUN(run__takes_no_common_field_without_a_size);
	return tap_done();
}
