// SPDX-License-Identifier: GPL-2.0-or-later
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *start;
	enum target_kind kind;
} kinds[] = {
	{ "dir:", TARGET_DIR },
	{ "ssh://", TARGET_SSH },
	{ "tcp://", TARGET_TCP },
	{ "tls://", TARGET_TLS },
};

static bool copy_part(char *dst, size_t size, const char *from, size_t len)
{
	snprintf(dst, size, "%.*s", (int)len, from);
	return len && len < size;
}

static bool is_port(const char *text)
{
	long port = strtol(text, NULL, 10);

	return *text && strlen(text) < 6 && !text[strspn(text, "0123456789")] && port > 0 &&
	       port < 65536;
}

/* "host", "host:port", "[address]:port"; what begins with a dash could be an option of ssh. */
static bool take_host(struct target *t, const char *text)
{
	const char *end = *text == '[' ? strchr(text, ']') : text + strcspn(text, ":/");
	bool ok;

	if (!end)
		return false;
	text += *text == '[';
	ok = copy_part(t->host, sizeof(t->host), text, end - text) && *t->host != '-' &&
	     !strpbrk(t->host, " %@");
	end += *end == ']';
	if (*end == ':' && is_port(end + 1))
		strcpy(t->port, end + 1);
	else if (*end)
		return false;
	return ok;
}

static bool take_user(struct target *t, const char **text)
{
	const char *at = strchr(*text, '@');

	if (!at || t->kind != TARGET_SSH)
		return true;
	if (!copy_part(t->user, sizeof(t->user), *text, at - *text) || *t->user == '-')
		return false;
	*text = at + 1;
	return true;
}

static bool take(struct target *t, const char *rest)
{
	if (t->kind == TARGET_DIR) {
		t->path = rest;
		return *rest == '/';
	}
	return take_user(t, &rest) && take_host(t, rest) && (t->kind == TARGET_SSH || *t->port);
}

int target_parse(struct target *target, const char *text, struct err *err)
{
	size_t i, n;

	/* It becomes a part of the line that marks a trace as sent. */
	for (i = 0; i < ARRAY_SIZE(kinds) && !strpbrk(text, "\r\n"); i++) {
		n = strlen(kinds[i].start);
		if (strncmp(text, kinds[i].start, n))
			continue;
		*target = (struct target){ .kind = kinds[i].kind, .text = text };
		if (take(target, text + n))
			return 0;
	}
	return err_set(err, ERR_USAGE, ERR_NO_OFF,
		       "%s: no target: dir:/PATH, ssh://[USER@]HOST[:PORT], tls://HOST:PORT, tcp://HOST:PORT",
		       text);
}
