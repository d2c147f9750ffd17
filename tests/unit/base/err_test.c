// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * build: @extractor
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/escape.h"
#include "tap.h"

static void err__the_code_is_the_exit_status_and_the_offset_is_kept(void)
{
	struct err err = ERR_INIT;
	int ret = err_set(&err, ERR_CORRUPT, 48, "nr_rings is %u, region holds %u", 9U, 8U);

	CHECK(ret == -5 && err.code == 5 && err.off == 48, "%d %d %llu", ret, err.code, err.off);
	CHECK(!strcmp(err.msg, "nr_rings is 9, region holds 8"), "%s", err.msg);
}

static void err__a_message_is_built_outward(void)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_NOT_OURS, 0, "no region");
	CHECK(err_while(&err, "%s", "a.core") == -4, "%d", err.code);
	err_while(&err, "epitaph dump");
	CHECK(!strcmp(err.msg, "epitaph dump: a.core: no region"), "%s", err.msg);
}

static void err__a_system_call_gives_its_errno_and_words(void)
{
	struct err err = ERR_INIT;

	errno = ENOENT;
	CHECK(err_sys(&err, "cannot open") == -3, "%d", err.code);
	CHECK(err.errnum == ENOENT && err.off == ERR_NO_OFF, "%d", err.errnum);
	CHECK(!strcmp(err.msg, "cannot open: No such file or directory"), "%s", err.msg);
}

static void err__a_long_message_is_cut_and_terminated(void)
{
	struct err err = ERR_INIT;
	char word[2000];

	memset(word, 'x', sizeof(word));
	word[sizeof(word) - 1] = '\0';
	err_set(&err, ERR_CORRUPT, 0, "%s", word);
	for (int i = 0; i < 10; i++)
		err_while(&err, "%s", word);
	CHECK(strlen(err.msg) < sizeof(err.msg), "%zu", strlen(err.msg));
	errno = EIO;
	err_sys(&err, "%s", word);
	CHECK(strlen(err.msg) < sizeof(err.msg), "%zu", strlen(err.msg));
}

static void err__nobody_needs_to_ask_for_the_words(void)
{
	CHECK(err_set(NULL, ERR_CORRUPT, 0, "x") == -5, "set");
	CHECK(err_sys(NULL, "x") == -3, "sys");
	CHECK(err_while(NULL, "x") == -5, "while");
}

static void expect_escape(const char *raw, size_t len, const char *want)
{
	char out[256];
	size_t n = escape_text(out, sizeof(out), raw, len);

	CHECK(!strcmp(out, want) && n == strlen(want), "got %s, want %s", out, want);
}

#define ESCAPE(raw, want) expect_escape(raw, sizeof(raw) - 1, want)

static void err__hostile_text_is_escaped(void)
{
	ESCAPE("plain", "plain");
	ESCAPE("gr\xc3\xbc\xc3\x9f \xe6\x97\xa5 \xf0\x9f\x90\xa7", "gr\xc3\xbc\xc3\x9f \xe6\x97\xa5 \xf0\x9f\x90\xa7");
	ESCAPE("\033[2J", "\\x1b[2J");
	ESCAPE("a\0b\n\r\t", "a\\x00b\\x0a\\x0d\\x09");
	ESCAPE("\x7f", "\\x7f");
	ESCAPE("\xc2\x9b" "31m", "\\xc2\\x9b31m");			/* C1: CSI */
	ESCAPE("\x9b", "\\x9b");					/* not UTF-8 */
	ESCAPE("\xe2\x80\xae" "evil", "\\xe2\\x80\\xaeevil");		/* RLO */
	ESCAPE("\xe2\x81\xa6", "\\xe2\\x81\\xa6");			/* LRI */
	ESCAPE("\xe2\x80\xa8", "\\xe2\\x80\\xa8");			/* line separator */
	ESCAPE("\xd8\x9c", "\\xd8\\x9c");				/* Arabic letter mark */
	ESCAPE("\xf3\xa0\x81\x81", "\\xf3\\xa0\\x81\\x81");		/* tag */
	ESCAPE("\\x1b", "\\x5cx1b");					/* an escape cannot be faked */
	ESCAPE("\xc0\x80", "\\xc0\\x80");				/* overlong */
	ESCAPE("\xe0\x80\x80", "\\xe0\\x80\\x80");
	ESCAPE("\xed\xa0\x80", "\\xed\\xa0\\x80");			/* surrogate */
	ESCAPE("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");		/* above U+10FFFF */
	ESCAPE("\xe6\x97", "\\xe6\\x97");				/* cut off */
}

static void err__messages_escape_what_they_are_given(void)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_CORRUPT, 0, "name is %s", "\033]0;x\a");
	err_while(&err, "%s", "a\nb");
	CHECK(!strcmp(err.msg, "a\\x0ab: name is \\x1b]0;x\\x07"), "%s", err.msg);
}

static void err__every_byte_string_comes_out_printable_at_every_size(void)
{
	char raw[64], out[300];

	srand(1);
	for (int round = 0; round < 20000; round++) {
		size_t len = rand() % sizeof(raw), room = rand() % sizeof(out), n;

		for (size_t i = 0; i < len; i++)
			raw[i] = rand();
		memset(out, 'X', sizeof(out));
		n = escape_text(out, room, raw, len);
		CHECK(n < room || !room, "%zu in %zu", n, room);
		CHECK(!room || !out[n], "not terminated");
		CHECK(room == sizeof(out) || out[room] == 'X', "wrote behind %zu", room);
		for (size_t i = 0; i < n; i++)
			CHECK((u8)out[i] >= 0x20 && out[i] != 0x7f, "%02x", (u8)out[i]);
	}
}

/* In texts of every length, wherever the first one stands and whatever is behind it. */
static void err__what_needs_no_escape_ends_at_the_first_that_does(void)
{
	static const char bad[] = "\x1b\\\x7f\x80\xff\0";
	char text[40];

	for (size_t len = 0; len <= sizeof(text); len++) {
		memset(text, 'a', sizeof(text));
		CHECK(escape_plain(text, len) == len, "%zu", len);
		for (size_t at = 0; at < len * sizeof(bad); at++) {
			text[at / sizeof(bad)] = bad[at % sizeof(bad)];
			CHECK(escape_plain(text, len) == at / sizeof(bad), "%02x at %zu of %zu",
			      (u8)bad[at % sizeof(bad)], at / sizeof(bad), len);
			text[at / sizeof(bad)] = 'a';
		}
	}
}

int main(void)
{
	TAP_RUN(err__the_code_is_the_exit_status_and_the_offset_is_kept);
	TAP_RUN(err__a_message_is_built_outward);
	TAP_RUN(err__a_system_call_gives_its_errno_and_words);
	TAP_RUN(err__a_long_message_is_cut_and_terminated);
	TAP_RUN(err__nobody_needs_to_ask_for_the_words);
	TAP_RUN(err__hostile_text_is_escaped);
	TAP_RUN(err__messages_escape_what_they_are_given);
	TAP_RUN(err__every_byte_string_comes_out_printable_at_every_size);
	TAP_RUN(err__what_needs_no_escape_ends_at_the_first_that_does);
	return tap_done();
}
