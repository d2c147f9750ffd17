// SPDX-License-Identifier: GPL-2.0-or-later
#include "target_url.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TARGETS	"dir:/PATH, https://HOST[:PORT][/PATH], s3://BUCKET[/PATH] or sftp://[USER@]HOST[:PORT][/PATH]"

static const struct {
	const char *start;
	enum target_kind kind;
} target_kinds[] = {
	{ "dir:", TARGET_DIR },
	{ "ssh://", TARGET_SFTP },
	{ "sftp://", TARGET_SFTP },
	{ "https://", TARGET_HTTP },
	{ "http://", TARGET_HTTP },
	{ "s3://", TARGET_S3 },
};

static bool copy_part(char *dst, size_t size, const char *from, size_t len)
{
	snprintf(dst, size, "%.*s", (int)len, from);
	return len && len < size;
}

static bool is_port(const char *text, size_t len)
{
	long port = strtol(text, NULL, 10);

	return len && len < 6 && strspn(text, "0123456789") == len && port > 0 && port < 65536;
}

/*
 * [USER@]HOST[:PORT][/PATH].  A path becomes part of a URL and of a command of sftp, so only
 * characters that mean themselves in both are taken.
 */
static bool parse_authority(struct target_url *t, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~-/";
	size_t len = strcspn(text, "/"), n;
	const char *path = text + len, *at = memchr(text, '@', len), *end;

	if (at) {
		/* An option of ssh begins with a dash. */
		if (t->kind != TARGET_SFTP || *text == '-' ||
		    !copy_part(t->user, sizeof(t->user), text, at - text))
			return false;
		text = at + 1;
	}
	end = *text == '[' ? memchr(text, ']', path - text) : text + strcspn(text, ":/");
	if (!end)
		return false;
	text += *text == '[';
	if (!copy_part(t->host, sizeof(t->host), text, end - text) || *t->host == '-' ||
	    strpbrk(t->host, " \t%?#"))
		return false;
	end += *end == ']';
	if (end != path) {
		if (t->kind == TARGET_S3 || *end != ':' || !is_port(end + 1, path - end - 1))
			return false;
		copy_part(t->port, sizeof(t->port), end + 1, path - end - 1);
	}
	n = strlen(path);
	if (strspn(path, plain) != n || strstr(path, "/.."))
		return false;
	while (n && path[n - 1] == '/')
		n--;
	return !n || copy_part(t->path, sizeof(t->path), path, n);
}

static bool is_this_machine(const char *host)
{
	struct in_addr v4;

	return !strcmp(host, "localhost") || !strcmp(host, "::1") ||
	       (inet_pton(AF_INET, host, &v4) == 1 && ntohl(v4.s_addr) >> 24 == 127);
}

int target_url_parse(struct target_url *t, const char *text, struct err *err)
{
	size_t i, n;
	bool ok = false;

	if (!strncmp(text, "tcp://", 6) || !strncmp(text, "tls://", 6))
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "%s: this protocol and epitaph collect are gone; expected " TARGETS
			       ": see \"From tcp:// and tls://\" in docs/send.md", text);
	/* The mark of a sent trace is a line with the target in it. */
	for (i = 0; i < ARRAY_SIZE(target_kinds) && !ok && !strpbrk(text, "\r\n"); i++) {
		n = strlen(target_kinds[i].start);
		if (strncmp(text, target_kinds[i].start, n))
			continue;
		*t = (struct target_url){ .kind = target_kinds[i].kind, .text = text };
		if (t->kind == TARGET_DIR)
			ok = text[n] == '/' && copy_part(t->path, sizeof(t->path), text + n, strlen(text + n));
		else
			ok = parse_authority(t, text + n);
	}
	if (!ok)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: no target; expected " TARGETS, text);
	if (!strncmp(text, "http://", 7) && !is_this_machine(t->host))
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "%s: without TLS the network could read the trace and the token; expected https://, or http:// to a TLS tunnel on this machine (127.0.0.1)",
			       text);
	return 0;
}
