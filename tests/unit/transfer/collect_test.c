// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The collector against a sender that is hostile, slow, cut off or somebody else.
 *
 * build: tests/lib/peer.c @extractor
 */
#include <string.h>

#include "peer.h"
#include "tap.h"

static void collect__a_trace_is_stored_and_its_digest_answered(void)
{
	struct manifest m;
	char script[4096], digest[DIGEST_TEXT], sums[MANIFEST_TEXT];
	struct err err;
	size_t n;

	n = peer_fresh_script(script, sizeof(script), &m);
	manifest_digest(&m, digest);
	manifest_sums(&m, sums);
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err), "%s", err.msg);
	CHECK(strstr(peer_answer, "\nsend -\nstored ") && strstr(peer_answer, digest), "%s", peer_answer);
	CHECK(peer_has(PEER_NAME, "region", PEER_REGION) && peer_has(PEER_NAME, "trace.txt", PEER_TRACE) &&
	      peer_has(PEER_NAME, "SHA256SUMS", sums), "files");
	CHECK(peer_left(2) == 4, "%u entries", peer_left(2));
	CHECK(!peer_collect(&peer_no_key, "", script, n, &err) && strstr(peer_answer, "\nhave "), "%s", peer_answer);
	CHECK(peer_left(2) == 4, "%u entries after the second", peer_left(2));
}

static void collect__a_cut_at_any_byte_leaves_nothing(void)
{
	struct manifest m;
	char script[4096];
	struct err err;
	size_t n, i;

	n = peer_fresh_script(script, sizeof(script), &m);
	for (i = 0; i < n; i++) {
		CHECK(peer_collect(&peer_no_key, "", script, i, &err) == -ERR_IO, "%zu bytes: %s", i, err.msg);
		CHECK(!strstr(peer_answer, "stored"), "%zu bytes: %s", i, peer_answer);
		CHECK(peer_left(0) == 0, "%zu bytes: something is left", i);
	}
}

static void collect__one_wrong_byte_is_no_trace(void)
{
	struct manifest m;
	char script[4096];
	struct err err;
	size_t n, i;

	n = peer_fresh_script(script, sizeof(script), &m);
	for (i = 0; i < n; i++) {
		script[i] ^= 1;
		/* A nonce and a name may well be others, and who has no key looks at no MAC. */
		if (!peer_collect(&peer_no_key, "web1", script, n, &err)) {
			CHECK((i > 20 && i < 85) || (i > 100 && i < 160) || script[i] == ('-' ^ 1),
			      "byte %zu: %s", i, peer_answer);
			peer_fresh();
		}
		script[i] ^= 1;
	}
}

static void collect__names_never_leave_the_directory(void)
{
	static const char *const names[] = {
		"..", ".", "../x", "a/b", "/etc", ".hidden", "a b", "a\\b", "", "a\x1b", "\xc3\xa9",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	};
	struct manifest m;
	char script[4096];
	struct err err;
	size_t i, n;

	peer_fresh();
	m = peer_manifest();
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		struct manifest bad = m;

		snprintf(bad.name, sizeof(bad.name), "%s", names[i]);
		/* 91 characters of the long one are just cut to what is allowed. */
		if (strlen(names[i]) < sizeof(bad.name)) {
			n = peer_script(script, sizeof(script), &bad);
			CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_CORRUPT &&
			      strstr(peer_answer, "refused"), "name %zu: %s", i, peer_answer);
		}
		bad = m;
		snprintf(bad.host, sizeof(bad.host), "%.64s", names[i]);
		n = peer_script(script, sizeof(script), &bad);
		CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_CORRUPT || strlen(names[i]) > 64,
		      "host %zu: %s", i, peer_answer);
		bad = m;
		bad.files[1].name = names[i];
		n = peer_script(script, sizeof(script), &bad);
		CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_CORRUPT, "file %zu: %s", i, peer_answer);
	}
	CHECK(!peer_has(PEER_NAME, "region", PEER_REGION), "it was stored");
}

static void collect__files_have_an_order_and_come_once(void)
{
	struct manifest m, bad;
	char script[4096];
	struct err err;
	size_t n;

	peer_fresh();
	m = peer_manifest();
	bad = m;
	bad.files[0] = m.files[1];
	bad.files[1] = m.files[0];
	n = peer_script(script, sizeof(script), &bad);
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_CORRUPT, "%s", peer_answer);
	bad.files[0] = m.files[0];
	n = peer_script(script, sizeof(script), &bad);
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_CORRUPT, "%s", peer_answer);
	bad.nr = 0;
	n = peer_script(script, sizeof(script), &bad);
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_CORRUPT, "%s", peer_answer);
}

static void collect__a_host_is_who_its_key_says(void)
{
	struct manifest m;
	char script[4096];
	struct err err;
	size_t n;

	n = peer_fresh_script(script, sizeof(script), &m);
	CHECK(peer_collect(&peer_no_key, "web2", script, n, &err) == -ERR_CORRUPT, "%s", peer_answer);
	CHECK(!peer_collect(&peer_no_key, "web1", script, n, &err), "%s", peer_answer);
}

static void collect__without_the_key_nothing_is_taken(void)
{
	struct manifest m;
	char script[4096];
	struct err err;
	size_t n;

	n = peer_fresh_script(script, sizeof(script), &m);
	CHECK(peer_collect(&peer_key, "", script, n, &err) == -ERR_CORRUPT && !strstr(peer_answer, "\nsend"),
	      "%s", peer_answer);
	CHECK(peer_left(0) == 0, "%u entries", peer_left(0));
}

static void collect__no_line_is_too_strange(void)
{
	static const char *const scripts[] = {
		"\n", "\0\0\0\0\n", "GET / HTTP/1.1\r\n\r\n", "epitaph-send 2\n", "epitaph-send 1\n\n",
		"epitaph-send 1\nnonce x\n", "\xff\xfe\n", "epitaph-send 1 \n",
	};
	struct err err;
	char *many = malloc(100000);
	size_t i;

	peer_fresh();
	for (i = 0; i < ARRAY_SIZE(scripts); i++)
		CHECK(peer_collect(&peer_no_key, "", scripts[i], strlen(scripts[i]) + 1, &err) == -ERR_CORRUPT,
		      "%zu: %s", i, peer_answer);
	memset(many, 'a', 100000);
	CHECK(peer_collect(&peer_no_key, "", many, 100000, &err) == -ERR_CORRUPT, "%s", peer_answer);
	free(many);
	CHECK(peer_left(0) == 0, "%u entries", peer_left(0));
}

/* Behind the name and before the files, sixteen at most. */
static void collect__generations_have_their_place(void)
{
	static const char *const lines[] = {
		"generation 0\n", "generation\n", "generation ../../../../../../../../../../../../../../../../../../../x\n",
	};
	struct manifest m;
	char script[8192], rest[4096];
	struct err err;
	char *files;
	size_t n, i;

	peer_fresh();
	m = peer_manifest();
	for (; m.nr_generations < MANIFEST_GENERATIONS; m.nr_generations++)
		digest_text(m.generations[m.nr_generations], &m.nr_generations, sizeof(size_t));
	n = peer_script(script, sizeof(script), &m);
	files = strstr(script, "file ");
	strcpy(rest, files);
	n += snprintf(files, sizeof(rest), "generation %s\n%s", m.generations[0], rest) - strlen(rest);
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_CORRUPT &&
	      strstr(peer_answer, "\nrefused "), "seventeen: %s", peer_answer);
	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		n = files - script + snprintf(files, sizeof(rest), "%s%s", lines[i], rest);
		CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_CORRUPT, "%zu: %s", i,
		      peer_answer);
	}
	m.nr_generations = 0;
	n = peer_script(script, sizeof(script), &m);
	files = strstr(script, "mac ");
	strcpy(rest, files);
	n += snprintf(files, sizeof(rest), "generation %s\n%s", m.generations[0], rest) - strlen(rest);
	CHECK(peer_collect(&peer_no_key, "", script, n, &err) == -ERR_CORRUPT, "behind files: %s",
	      peer_answer);
	CHECK(peer_left(0) == 0, "%u entries", peer_left(0));
}

int main(void)
{
	if (!peer_begin("collect_test"))
		return 1;
	TAP_RUN(collect__a_trace_is_stored_and_its_digest_answered);
	TAP_RUN(collect__a_cut_at_any_byte_leaves_nothing);
	TAP_RUN(collect__one_wrong_byte_is_no_trace);
	TAP_RUN(collect__names_never_leave_the_directory);
	TAP_RUN(collect__files_have_an_order_and_come_once);
	TAP_RUN(collect__a_host_is_who_its_key_says);
	TAP_RUN(collect__without_the_key_nothing_is_taken);
	TAP_RUN(collect__no_line_is_too_strange);
	TAP_RUN(collect__generations_have_their_place);
	peer_end();
	return tap_done();
}
