// SPDX-License-Identifier: GPL-2.0-or-later
#include "receive.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/text.h"
#include "parley.h"

#define LINES_MS	10000	/* for what comes before the bytes */
#define LAST_MS		2000	/* for the words at the end */
#define BYTES_MS	60000	/* for all of these, and what follows */
#define MS_A_SECOND	1000
#define SLOWEST		65536	/* bytes in one */

static int take_bytes(struct deposit *d, struct wire *w, struct err *err)
{
	static u8 buf[65536];
	u64 left;
	ssize_t n;
	int ret = 0;

	while (!ret && (left = deposit_wants(d))) {
		n = wire_read(w, buf, left < sizeof(buf) ? left : sizeof(buf), err);
		ret = n < 0 ? (int)n : deposit_write(d, buf, n, err);
	}
	return ret;
}

static void put_from(char *text, size_t size, const struct receive *r)
{
	struct timespec now;
	char date[80];

	clock_gettime(CLOCK_REALTIME, &now);
	text_date(date, sizeof(date), (u64)now.tv_sec * 1000000000 + now.tv_nsec);
	snprintf(text, size, "%s from %s, %s\n", date, r->from,
		 r->key->size ? "who has the key" : *r->host ? "who is known as this host" :
		 "whoever that is");
}

static int take_trace(const struct receive *r, const struct parley *p, struct wire *w,
		      struct deposit *d, struct err *err)
{
	char from[512], digest[DIGEST_TEXT];
	int ret = parley_answer(p, w, "send", "", err);

	put_from(from, sizeof(from), r);
	if (!ret)
		ret = take_bytes(d, w, err);
	if (!ret)
		ret = deposit_finish(d, from, err);
	deposit_abort(d);
	manifest_digest(d->m, digest);
	return ret ? ret : parley_answer(p, w, "stored", digest, err);
}

static int take(const struct receive *r, const struct parley *p, struct wire *w,
		const struct manifest *m, struct placed *placed, struct err *err)
{
	char digest[DIGEST_TEXT];
	struct deposit d;
	int ret = deposit_begin(&d, r->depot, m, err);

	if (ret < 0)
		return ret;
	deposit_tell(&d, ret, placed);
	/* From now: it may have waited for room, behind others. */
	w->deadline = wire_now() + BYTES_MS + manifest_bytes(m) / SLOWEST * MS_A_SECOND;
	if (ret == DEPOSIT_NEW)
		return take_trace(r, p, w, &d, err);
	if (ret == DEPOSIT_WITHIN)
		return parley_answer(p, w, "within", placed->within, err);
	manifest_digest(m, digest);
	return parley_answer(p, w, "have", digest, err);
}

static int check_host(const struct receive *r, const struct manifest *m, struct err *err)
{
	if (!*r->host || !strcmp(r->host, m->host))
		return 0;
	return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
		       "who sends is known as %s here, and calls itself %s", r->host, m->host);
}

static void tell(char *said, size_t size, const struct receive *r, const struct manifest *m,
		 const struct placed *placed)
{
	char bytes[32];

	text_size(bytes, sizeof(bytes), manifest_bytes(m));
	if (*placed->within)
		snprintf(said, size, "had %s/%s, its generations are in %s, from %s", m->host, m->name,
			 placed->within, r->from);
	else if (*m->name)
		snprintf(said, size, "%s %s/%s, %s, from %s", placed->was_there ? "had" : "stored",
			 m->host, m->name, bytes, r->from);
}

/*
 * Who is gone is not told.  Who still sends gets the line only if what it sends is read:
 * a connection that is closed over unread bytes is reset.
 */
static void answer_error(struct wire *w, const struct err *err)
{
	char buf[4096];

	w->deadline = wire_now() + LAST_MS;
	if (wire_say(w, NULL, "%s %s\n", err->code == ERR_CORRUPT ? "refused" : "failed", err->msg))
		return;
	shutdown(w->out, SHUT_WR);
	while (wire_read(w, buf, sizeof(buf), NULL) > 0)
		;
}

int receive(const struct receive *r, struct wire *w, char *said, size_t size, struct err *err)
{
	struct parley p = { .key = r->key };
	struct manifest m;
	struct placed placed = { false, "" };
	int ret;

	*said = 0;
	w->deadline = wire_now() + LINES_MS;
	ret = parley_hear(&p, w, &m, err);
	if (!ret)
		ret = check_host(r, &m, err);
	if (!ret && r->proved)
		*r->proved = true;
	if (!ret && !*m.name)
		ret = parley_answer(&p, w, "ready", "", err);
	else if (!ret)
		ret = take(r, &p, w, &m, &placed, err);
	if (ret)
		answer_error(w, err);
	else
		tell(said, size, r, &m, &placed);
	return ret;
}
