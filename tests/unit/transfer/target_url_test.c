// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is taken for a target, and how it comes apart; the mark that a target has a capture.
 *
 * build: extractor/transfer/target_url.c extractor/spool/sent_marker.c extractor/spool/manifest.c
 * build: extractor/base/sha256.c extractor/base/err.c extractor/base/escape.c -lnettle
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spool/sent_marker.h"
#include "transfer/target_url.h"
#include "tap.h"

static void target__a_url_comes_apart(void)
{
	static const struct {
		const char *text;
		enum target_kind kind;
		const char *user, *host, *port, *path;
	} good[] = {
		{ "dir:/mnt/a b", TARGET_DIR, "", "", "", "/mnt/a b" },
		{ "https://h", TARGET_HTTP, "", "h", "", "" },
		{ "https://h:8443/in/a//", TARGET_HTTP, "", "h", "8443", "/in/a" },
		{ "https://[::1]:1/x", TARGET_HTTP, "", "::1", "1", "/x" },
		{ "http://127.0.0.1:65535/", TARGET_HTTP, "", "127.0.0.1", "65535", "" },
		{ "http://localhost", TARGET_HTTP, "", "localhost", "", "" },
		{ "s3://bucket/fleet/", TARGET_S3, "", "bucket", "", "/fleet" },
		{ "ssh://u@h:22/in", TARGET_SFTP, "u", "h", "22", "/in" },
		{ "sftp://h", TARGET_SFTP, "", "h", "", "" },
	};
	struct target_url t;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		if (!CHECK(!target_url_parse(&t, good[i].text, NULL), "%s", good[i].text))
			continue;
		CHECK(t.kind == good[i].kind && !strcmp(t.user, good[i].user) && !strcmp(t.host, good[i].host) &&
		      !strcmp(t.port, good[i].port) && !strcmp(t.path, good[i].path),
		      "%s: %s@%s:%s%s", good[i].text, t.user, t.host, t.port, t.path);
	}
}

static void target__nothing_else_is_one(void)
{
	static const char *const bad[] = {
		"", "dir:", "dir:mnt", "dir:/a\nb", "tcp://h:1", "tls://h:1", "ftp://h", "https://", "https://h:",
		"https://h:0", "https://h:65536", "https://h:1x", "https://-h", "https://[::1", "https://u@h",
		"https://u:p@h", "https://h/a?b", "https://h/a#b", "https://h/%41", "https://h/../a", "https://h/a b",
		"http://h", "http://10.0.0.1", "http://127.0.0.1.example", "http://128.0.0.1", "s3://b:1", "s3://",
		"sftp://-l@h", "sftp://@h", "sftp://-oProxyCommand=x", "sftp://h/a;b", "sftp://h/a\"b",
	};
	struct target_url t;
	struct err err = ERR_INIT;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK(target_url_parse(&t, bad[i], &err) == -ERR_USAGE && *err.msg, "%s", bad[i]);
}

static void put_file(int dir, const char *name, const char *text)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	close(fd);
}

static void sent__a_mark_is_for_one_target_and_these_files(void)
{
	char path[] = "/tmp/target_url_test.XXXXXX", command[64];
	struct manifest m = { 0 };
	int dir = open(mkdtemp(path), O_RDONLY | O_DIRECTORY);

	put_file(dir, "region", "a region");
	put_file(dir, "summary.txt", "its text");
	manifest_of_dir(&m, dir, false, NULL);
	CHECK(m.nr == 2, "%zu files", m.nr);
	CHECK(!sent_marker_has(dir, "https://a/in"), "without a mark");
	CHECK(!sent_marker_add(dir, "https://a/in", "x.tar.zst", &m, NULL), "mark");
	CHECK(sent_marker_has(dir, "https://a/in") && !sent_marker_has(dir, "https://a/inn") &&
	      !sent_marker_has(dir, "https://a/i"), "another target");
	CHECK(!sent_marker_add(dir, "dir:/mnt/a b", "x.tar.zst", &m, NULL) && sent_marker_has(dir, "https://a/in") &&
	      sent_marker_has(dir, "dir:/mnt/a b"), "two");
	put_file(dir, "mce.txt", "came later");
	CHECK(!sent_marker_has(dir, "https://a/in"), "of other files");
	manifest_of_dir(&m, dir, true, NULL);
	CHECK(!sent_marker_add(dir, "https://a/in", "x.tar.zst", &m, NULL) &&
	      sent_marker_has(dir, "https://a/in"), "the region alone");
	put_file(dir, "region", "another region");
	CHECK(!sent_marker_has(dir, "https://a/in"), "another region");
	close(dir);
	snprintf(command, sizeof(command), "rm -r %s", path);
	CHECK(!system(command), "%s", command);
}

int main(void)
{
	TAP_RUN(target__a_url_comes_apart);
	TAP_RUN(target__nothing_else_is_one);
	TAP_RUN(sent__a_mark_is_for_one_target_and_these_files);
	return tap_done();
}
