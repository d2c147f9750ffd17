// SPDX-License-Identifier: GPL-2.0-or-later
/* Sections that are arrays of entries, each with a check: tasks, symbols, marks, CPUs. */
#include "redact_impl.h"

#include <endian.h>
#include <string.h>

/* In place, of a field of fixed size. */
static void redact_chars(const struct redaction *r, char *text, size_t size)
{
	pseudonym_text(r->names, text, size, text, size);
}

static void redact_le32_pid(const struct redaction *r, uint32_t *pid)
{
	*pid = htole32(pseudonym_pid(r->names, le32toh(*pid)));
}

static void redact_le64_addr(const struct redaction *r, __u64 *addr)
{
	*addr = htole64(pseudonym_address(r->names, le64toh(*addr)));
}

/*
 * Each gets an entry that checks, and makes of it what may be told: it clears
 * what is reserved as well.
 */

static void redact_channel(struct redaction *r, void *entry)
{
	struct epitaph_channel *c = entry;

	if (strncmp(c->name, "trace", sizeof(c->name)) && strncmp(c->name, "ras", sizeof(c->name)) &&
	    strncmp(c->name, "main", sizeof(c->name)) && strncmp(c->name, "user", sizeof(c->name)))
		redact_chars(r, c->name, sizeof(c->name));
	else
		memset(c->name + strlen(c->name), 0, sizeof(c->name) - strlen(c->name));
	memset(c->reserved, 0, sizeof(c->reserved));
}

static void redact_added(struct redaction *r, void *entry)
{
	struct epitaph_added *a = entry;

	redact_chars(r, a->name, sizeof(a->name));
	memset(a->reserved, 0, sizeof(a->reserved));
}

static void redact_anchor(struct redaction *r, void *entry)
{
	struct epitaph_anchor *a = entry;

	(void)r;
	a->reserved = 0;
}

static void redact_task(struct redaction *r, void *entry)
{
	struct epitaph_task *t = entry;

	redact_le32_pid(r, &t->pid);
	redact_le32_pid(r, &t->tgid);
	redact_chars(r, t->comm, sizeof(t->comm));
}

static void redact_symbol(struct redaction *r, void *entry)
{
	struct epitaph_symbol *s = entry;

	u64 addr = le64toh(s->addr);

	/* As the field of the event, which stays 2^62 less. */
	if (symbol_is_cgroup(addr))
		s->addr = htole64(SYMBOLS_CGROUP +
				  pseudonym_number(r->names, addr - SYMBOLS_CGROUP));
	else
		redact_le64_addr(r, (__u64 *)&s->addr);
	redact_chars(r, s->name, sizeof(s->name));
}

static void redact_mark(struct redaction *r, void *entry)
{
	struct epitaph_mark *m = entry;

	redact_chars(r, m->text, sizeof(m->text));
}

static void redact_crash(struct redaction *r, void *entry)
{
	struct epitaph_crash *c = entry;

	redact_le32_pid(r, &c->pid);
	redact_chars(r, c->comm, sizeof(c->comm));
	redact_chars(r, c->reason, sizeof(c->reason));
}

static void redact_cpu(struct redaction *r, void *entry)
{
	struct epitaph_cpu *c = entry;
	u32 i;

	redact_le32_pid(r, &c->pid);
	redact_chars(r, c->comm, sizeof(c->comm));
	memset(c->reserved, 0, sizeof(c->reserved));
	/* Registers may hold anything: a key as well as an address. */
	for (i = 0; i < EPITAPH_NR_REGS; i++)
		redact_le64_addr(r, (__u64 *)&c->regs[i]);
	for (i = 0; i < EPITAPH_NR_FRAMES; i++)
		redact_le64_addr(r, (__u64 *)&c->frames[i]);
	redact_chars(r, c->text, sizeof(c->text));
}

static void redact_taken(struct redaction *r, void *entry)
{
	struct epitaph_taken *t = entry;

	pseudonym_bytes(r->names, t->boot_id, t->boot_id, sizeof(t->boot_id));
	redact_chars(r, t->where, sizeof(t->where));
	t->reserved = 0;
}

/*
 * The page alone: two ways of telling one error may differ in the bits below,
 * and are known as one by the rest.
 */
static void redact_mce_addr(const struct redaction *r, struct epitaph_mce *m)
{
	u64 page = le64toh(m->addr) & ~0xfffULL;

	m->addr = htole64(page ? pseudonym_address(r->names, page) & ~0xfffULL : 0);
}

/* Of MISC, what says how to read the address; of the syndromes, nothing. */
static void redact_mce(struct redaction *r, void *entry)
{
	struct epitaph_mce *m = entry;

	redact_mce_addr(r, m);
	redact_le64_addr(r, (__u64 *)&m->ip);
	m->misc = htole64(le64toh(m->misc) & 0x1ff);
	m->ppin = htole64(pseudonym_number(r->names, le64toh(m->ppin)));
	m->synd = m->synd1 = m->synd2 = 0;
	redact_le32_pid(r, &m->pid);
	redact_chars(r, m->comm, sizeof(m->comm));
	m->reserved0 = 0;
	memset(m->reserved1, 0, sizeof(m->reserved1));
}

struct kind {
	u32 type;
	size_t size;
	void (*redact)(struct redaction *r, void *entry);
};

static const struct kind kinds[] = {
	{ EPITAPH_SEC_CHANNELS, sizeof(struct epitaph_channel), redact_channel },
	{ EPITAPH_SEC_ADDED, sizeof(struct epitaph_added), redact_added },
	{ EPITAPH_SEC_CLOCK, sizeof(struct epitaph_anchor), redact_anchor },
	{ EPITAPH_SEC_TASKS, sizeof(struct epitaph_task), redact_task },
	{ EPITAPH_SEC_SYMBOLS, sizeof(struct epitaph_symbol), redact_symbol },
	{ EPITAPH_SEC_MARKS, sizeof(struct epitaph_mark), redact_mark },
	{ EPITAPH_SEC_CRASH, sizeof(struct epitaph_crash), redact_crash },
	{ EPITAPH_SEC_CPUS, sizeof(struct epitaph_cpu), redact_cpu },
	{ EPITAPH_SEC_TAKEN, sizeof(struct epitaph_taken), redact_taken },
	{ EPITAPH_SEC_MCE, sizeof(struct epitaph_mce), redact_mce },
};

/* A thread's place follows from its number: all others stay where they are. */
static u64 place_of(const struct kind *kind, const void *entry, u64 i, u64 n)
{
	const struct epitaph_task *task = entry;

	return kind->type == EPITAPH_SEC_TASKS ? le32toh(task->pid) % n : i;
}

static void redact_all(struct redaction *r, const struct section *sec, const struct kind *kind)
{
	u64 entry[sizeof(struct epitaph_cpu) / 8];
	u64 i, n = section_entries(sec, kind->size);

	for (i = 0; i < n && !r->failed; i++) {
		int good = section_entry(r->recording->generation, sec, i, entry, kind->size);

		r->count->dropped += good < 0;
		if (good != 1)
			continue;
		kind->redact(r, entry);
		redact_put_checked(r, sec->off + place_of(kind, entry, i, n) * sec->unit, entry,
				   kind->size);
	}
}

bool redact_entries(struct redaction *r, const struct section *sec)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds) && kinds[i].type != sec->type; i++)
		;
	if (i == ARRAY_SIZE(kinds))
		return false;
	redact_all(r, sec, &kinds[i]);
	return true;
}
