// SPDX-License-Identifier: GPL-2.0-or-later
#include "transmit.h"

#include <string.h>

#include "parley.h"

static int put(void *arg, const void *data, size_t size, struct err *err)
{
	return wire_write(arg, data, size, err);
}

/* Who closes while we send has mostly said why. */
static int why_not(const struct parley *p, struct wire *w, const char *digest, struct err *err)
{
	char word[8] = "", within[MANIFEST_PLACE];
	struct err told = ERR_INIT;

	if (parley_answered(p, w, word, digest, within, &told) && *word)
		*err = told;
	return -(int)err->code;
}

/* Who was not told of generations cannot have them. */
static bool has_it(const struct manifest *m, const char *word)
{
	return !strcmp(word, "have") || (!strcmp(word, "within") && m->nr_generations);
}

int transmit(struct wire *w, const struct manifest *m, int dir, const struct secret *key,
	     struct placed *placed, struct err *err)
{
	struct parley p = { .key = key };
	char digest[DIGEST_TEXT], word[8];
	int ret = parley_ask(&p, w, m, err);

	manifest_digest(m, digest);
	if (!ret)
		ret = parley_answered(&p, w, word, digest, placed->within, err);
	placed->was_there = !ret && has_it(m, word);
	if (ret || placed->was_there || (dir < 0 && !strcmp(word, "ready")))
		return ret;
	if (dir < 0 || strcmp(word, "send"))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the collector says %s, which has no place here",
			       word);
	if (manifest_feed(m, dir, put, w, err))
		return why_not(&p, w, digest, err);
	ret = parley_answered(&p, w, word, digest, placed->within, err);
	if (!ret && strcmp(word, "stored"))
		ret = err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the collector says %s for stored", word);
	return ret;
}
