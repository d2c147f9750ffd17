// SPDX-License-Identifier: GPL-2.0-or-later
#include "parley.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLLECTOR	"epitaph-collect 1"
#define SENDER		"epitaph-send 1"
#define MAX_LINE	512
#define ANSWERED	(2 * DIGEST_TEXT + MAX_LINE)

/**
 * struct lines - what a sender has said, for its MAC
 * @text: all lines so far, behind the collector's nonce
 */
struct lines {
	char text[PARLEY_TEXT];
	size_t n;
};

static int add_line(struct lines *l, const char *line, struct err *err)
{
	size_t room = sizeof(l->text) - l->n;
	size_t n = snprintf(l->text + l->n, room, "%s\n", line);

	if (n >= room)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "more than %d bytes of lines", PARLEY_TEXT);
	l->n += n;
	return 0;
}

/* Behind @word and a space; NULL: it does not begin so. */
static const char *behind(const char *line, const char *word)
{
	size_t n = strlen(word);

	return strncmp(line, word, n) || line[n] != ' ' ? NULL : line + n + 1;
}

static void put_lines(struct lines *l, const struct parley *p, const struct manifest *m)
{
	char line[MAX_LINE];
	size_t i;

	add_line(l, SENDER, NULL);
	snprintf(line, sizeof(line), "nonce %s", p->ours);
	add_line(l, line, NULL);
	snprintf(line, sizeof(line), "host %s", m->host);
	add_line(l, line, NULL);
	snprintf(line, sizeof(line), *m->name ? "name %s" : "check", m->name);
	add_line(l, line, NULL);
	for (i = 0; i < m->nr_generations; i++) {
		snprintf(line, sizeof(line), "generation %s", m->generations[i]);
		add_line(l, line, NULL);
	}
	for (i = 0; i < m->nr; i++) {
		snprintf(line, sizeof(line), "file %s %llu %s", m->files[i].name,
			 m->files[i].size, m->files[i].sum);
		add_line(l, line, NULL);
	}
}

int parley_ask(struct parley *p, struct wire *w, const struct manifest *m, struct err *err)
{
	struct lines l = { .n = 0 };
	char line[MAX_LINE], mac[DIGEST_TEXT];
	const char *nonce;
	int ret = wire_line(w, line, sizeof(line), err);

	if (ret)
		return ret;
	nonce = behind(line, COLLECTOR);
	if (!nonce || !digest_is_text(nonce))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "no collector of ours is there; it said: %s",
			       line);
	strcpy(p->theirs, nonce);
	ret = digest_nonce(p->ours, err);
	if (ret)
		return ret;
	add_line(&l, p->theirs, NULL);
	put_lines(&l, p, m);
	secret_mac(mac, p->key, l.text);
	return wire_say(w, err, "%smac %s\n", l.text + DIGEST_TEXT, mac);
}

static int hear_file(struct manifest *m, char *words, struct err *err)
{
	char *size = strchr(words, ' ');
	char *sum = size ? strchr(size + 1, ' ') : NULL;
	u64 bytes;

	if (!sum || m->nr == MANIFEST_FILES)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "file %s: not such a line", words);
	*size++ = 0;
	*sum++ = 0;
	bytes = strtoull(size, NULL, 10);
	if (!*size || strlen(size) > 18 || size[strspn(size, "0123456789")])
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "%s: no size: %s", words, size);
	return manifest_add(m, words, bytes, sum, err);
}

/* The next line, which must begin with @word; what is behind it in *@ret. */
static int hear(struct wire *w, struct lines *l, char line[MAX_LINE], const char *word,
		const char **ret_words, struct err *err)
{
	int ret = wire_line(w, line, MAX_LINE, err);

	if (!ret)
		ret = add_line(l, line, err);
	if (ret)
		return ret;
	*ret_words = behind(line, word);
	if (!*ret_words)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "a line with %s is wanted: %s", word, line);
	return 0;
}

static int hear_nonce(struct parley *p, struct wire *w, struct lines *l, struct err *err)
{
	char line[MAX_LINE];
	const char *words;
	int ret = wire_line(w, line, sizeof(line), err);

	if (ret)
		return ret;
	if (strcmp(line, SENDER))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "no sender of ours: %s", line);
	add_line(l, line, NULL);
	ret = hear(w, l, line, "nonce", &words, err);
	if (ret)
		return ret;
	if (!digest_is_text(words))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "no nonce: %s", words);
	strcpy(p->theirs, words);
	return 0;
}

static int hear_host(struct wire *w, struct lines *l, struct manifest *m, struct err *err)
{
	char line[MAX_LINE];
	const char *words;
	int ret = hear(w, l, line, "host", &words, err);

	if (ret)
		return ret;
	if (!manifest_is_plain(words, sizeof(m->host)))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "no name of a host: %s", words);
	strcpy(m->host, words);
	return 0;
}

static int hear_name(struct manifest *m, const char *words, struct err *err)
{
	if (!manifest_is_plain(words, sizeof(m->name)))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "no name of a trace: %s", words);
	strcpy(m->name, words);
	return 0;
}

/* Behind the name generations, and behind these files. */
static int hear_part(struct manifest *m, char *line, struct err *err)
{
	const char *name = behind(line, "name"), *generation = behind(line, "generation");
	char *file = (char *)behind(line, "file");

	if (name && !*m->name)
		return hear_name(m, name, err);
	if (generation && *m->name && !m->nr)
		return manifest_add_generation(m, generation, err);
	if (file && *m->name)
		return hear_file(m, file, err);
	return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "not in its place: %s", line);
}

/* A name, generations, files and the MAC, or a check and the MAC; the MAC's line is in @line then. */
static int hear_trace(struct wire *w, struct lines *l, char line[MAX_LINE], struct manifest *m,
		      struct err *err)
{
	int ret;

	while (!(ret = wire_line(w, line, MAX_LINE, err)) && !behind(line, "mac")) {
		ret = add_line(l, line, err);
		if (ret)
			return ret;
		if (!*m->name && !strcmp(line, "check"))
			return wire_line(w, line, MAX_LINE, err);
		ret = hear_part(m, line, err);
		if (ret)
			return ret;
	}
	return ret;
}

static int check_mac(const struct parley *p, const struct lines *l, const char *line,
		     const struct manifest *m, struct err *err)
{
	const char *mac = behind(line, "mac");

	if (!mac || (*m->name && !m->nr))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "not in its place: %s", line);
	if (!secret_agrees(p->key, l->text, mac))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, strcmp(mac, "-") ?
			       "the sender's key is not the collector's" :
			       "the collector wants a key, and the sender has none");
	return 0;
}

int parley_hear(struct parley *p, struct wire *w, struct manifest *m, struct err *err)
{
	struct lines l = { .n = 0 };
	char line[MAX_LINE];
	int ret = digest_nonce(p->ours, err);

	*m = (struct manifest){ .nr = 0 };
	if (!ret)
		ret = wire_say(w, err, COLLECTOR " %s\n", p->ours);
	add_line(&l, p->ours, NULL);
	if (!ret)
		ret = hear_nonce(p, w, &l, err);
	if (!ret)
		ret = hear_host(w, &l, m, err);
	if (!ret)
		ret = hear_trace(w, &l, line, m, err);
	return ret ? ret : check_mac(p, &l, line, m, err);
}

/* What the MAC of an answer is of: both nonces, the collector's first. */
static void put_answered(char text[ANSWERED], const char *collectors, const char *senders,
			 const char *answer)
{
	snprintf(text, ANSWERED, "%s\n%s\n%s", collectors, senders, answer);
}

static void put_answer(char text[MAX_LINE], const char *word, const char *what)
{
	snprintf(text, MAX_LINE, "%s%s%s", word, *what ? " " : "", what);
}

int parley_answer(const struct parley *p, struct wire *w, const char *word, const char *what,
		  struct err *err)
{
	char answer[MAX_LINE], text[ANSWERED], mac[DIGEST_TEXT];

	put_answer(answer, word, what);
	put_answered(text, p->ours, p->theirs, answer);
	secret_mac(mac, p->key, text);
	return wire_say(w, err, "%s %s\n", answer, mac);
}

static int check_answer(const struct parley *p, const char *line, const char *word,
			const char *what, struct err *err)
{
	char answer[MAX_LINE], text[ANSWERED];
	const char *theirs;

	put_answer(answer, word, what);
	theirs = behind(line, answer);
	if (!theirs)
		return err_set(err, ERR_IO, ERR_NO_OFF, "the collector answers with another digest: %s",
			       line);
	put_answered(text, p->theirs, p->ours, answer);
	if (!secret_agrees(p->key, text, theirs))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "who answers has not got the key: this is not the collector");
	return 0;
}

static int check_within(const struct parley *p, const char *line, char within[MANIFEST_PLACE],
			struct err *err)
{
	const char *name = behind(line, "within");

	snprintf(within, MANIFEST_PLACE, "%.*s", (int)strcspn(name, " "), name);
	if (!manifest_is_plain(within, MANIFEST_PLACE))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "no name of a trace: %s", line);
	return check_answer(p, line, "within", within, err);
}

int parley_answered(const struct parley *p, struct wire *w, char word[8], const char *digest,
		    char within[MANIFEST_PLACE], struct err *err)
{
	char line[MAX_LINE];
	int ret = wire_line(w, line, sizeof(line), err);

	*within = 0;
	if (ret)
		return ret;
	snprintf(word, 8, "%.*s", (int)strcspn(line, " "), line);
	if (behind(line, "stored") || behind(line, "have"))
		return check_answer(p, line, word, digest, err);
	if (behind(line, "within"))
		return check_within(p, line, within, err);
	if (behind(line, "send") || behind(line, "ready"))
		return check_answer(p, line, word, "", err);
	if (behind(line, "failed"))
		return err_set(err, ERR_IO, ERR_NO_OFF, "the collector: %s", behind(line, "failed"));
	if (behind(line, "refused"))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the collector refuses: %s",
			       behind(line, "refused"));
	return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "no such answer: %s", line);
}
