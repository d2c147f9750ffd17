// SPDX-License-Identifier: GPL-2.0-or-later
/* Sections that are arrays of entries, each with a check: tasks, symbols, marks, CPUs. */
#include "redact_impl.h"

#include <elf.h>
#include <endian.h>
#include <string.h>

/* Redacts a text of fixed size, in place. */
static void redact_chars(struct redaction *r, enum field_class class, const char *where, char *text,
			 size_t size)
{
	redact_text(r, class, where, text, size, text, size);
}

static void redact_le32_pid(struct redaction *r, const char *where, uint32_t *pid)
{
	*pid = htole32(redact_pid(r, where, le32toh(*pid)));
}

static void redact_le64_addr(struct redaction *r, const char *where, __u64 *addr)
{
	*addr = htole64(redact_address(r, CLASS_ADDRESS, where, le64toh(*addr)));
}

/* A register may hold anything: a key as well as an address. Of a profile, three kinds stay. */
static void redact_registers(struct redaction *r, struct epitaph_cpu *c)
{
	u32 i, machine = r->recording->generation->hdr.machine;

	for (i = 0; i < EPITAPH_NR_REGS; i++) {
		bool is_plain = machine == EM_X86_64 && (i == 2 || i == 18 || i == 19);

		if (!r->profile)
			redact_le64_addr(r, "cpus: register", (__u64 *)&c->regs[i]);
		else
			c->regs[i] = htole64(redact_number(r, is_plain ? CLASS_PLAIN : CLASS_REGISTER,
							   "cpus: register", 8,
							   le64toh(c->regs[i])));
	}
}

/* Each function below redacts an undamaged entry in place, and clears reserved fields. */

static void redact_channel(struct redaction *r, void *entry)
{
	struct epitaph_channel *c = entry;

	if (strncmp(c->name, "trace", sizeof(c->name)) && strncmp(c->name, "ras", sizeof(c->name)) &&
	    strncmp(c->name, "main", sizeof(c->name)) && strncmp(c->name, "user", sizeof(c->name)))
		redact_chars(r, CLASS_TEXT, "channels: name", c->name, sizeof(c->name));
	else
		memset(c->name + strlen(c->name), 0, sizeof(c->name) - strlen(c->name));
	memset(c->reserved, 0, sizeof(c->reserved));
}

static void redact_added(struct redaction *r, void *entry)
{
	struct epitaph_added *a = entry;

	redact_chars(r, CLASS_TEXT, "channels: name", a->name, sizeof(a->name));
	memset(a->reserved, 0, sizeof(a->reserved));
}

static void redact_anchor(struct redaction *r, void *entry)
{
	struct epitaph_anchor *a = entry;

	(void)r;
	a->flags &= htole32(EPITAPH_ANCHOR_UNSTABLE | ~0U << EPITAPH_ANCHOR_CPU_SHIFT);
}

static void redact_skew(struct redaction *r, void *entry)
{
	struct epitaph_skew *s = entry;

	(void)r;
	s->reserved = 0;
}

static void redact_task(struct redaction *r, void *entry)
{
	struct epitaph_task *t = entry;

	redact_le32_pid(r, "tasks: pid", &t->pid);
	redact_le32_pid(r, "tasks: tgid", &t->tgid);
	redact_chars(r, CLASS_TASK, "tasks: comm", t->comm, sizeof(t->comm));
}

/* "md_home" has the name that its owner gave it. Most others are the kernel's own, and say nothing of whose they are. */
static bool disk_is_named(const char *name)
{
	return !strncmp(name, "md_", 3);
}

/* Of a profile, names and numbers of devices have a class, as in the fields of events. */
static void redact_device(struct redaction *r, struct epitaph_symbol *s)
{
	u32 dev = le64toh(s->addr);

	if (r->profile)
		dev = redact_number(r, CLASS_DEVICE, "symbols: device", 4, dev);
	s->addr = htole64(SYMBOLS_DEVICE + dev);
	if (r->profile || disk_is_named(s->name))
		redact_chars(r, CLASS_DEVICE, "symbols: name", s->name, sizeof(s->name));
}

static void redact_symbol(struct redaction *r, void *entry)
{
	struct epitaph_symbol *s = entry;

	u64 addr = le64toh(s->addr);

	/* The copy is of our format: there a name of the old one would reach into the time. */
	if (r->recording->generation->hdr.minor < 4) {
		s->since = s->until = 0;
		s->name[sizeof(s->name) - 1] = 0;
	}
	if (symbol_is_device(addr))
		return redact_device(r, s);
	/* The number gets the same pseudonym in the fields of events. */
	if (symbol_is_cgroup(addr) && r->profile)
		s->addr = htole64(SYMBOLS_CGROUP + redact_number(r, CLASS_CGROUP, "symbols: cgroup",
								 8, addr - SYMBOLS_CGROUP));
	else if (symbol_is_cgroup(addr))
		s->addr = htole64(SYMBOLS_CGROUP +
				  pseudonym_number(r->names, addr - SYMBOLS_CGROUP));
	else
		redact_le64_addr(r, "symbols: address", (__u64 *)&s->addr);
	redact_chars(r, symbol_is_cgroup(addr) ? CLASS_CGROUP : CLASS_SYMBOL, "symbols: name", s->name,
		     sizeof(s->name));
}

static void redact_mark(struct redaction *r, void *entry)
{
	struct epitaph_mark *m = entry;

	redact_chars(r, CLASS_LOG, "marks: text", m->text, sizeof(m->text));
}

static void redact_crash(struct redaction *r, void *entry)
{
	struct epitaph_crash *c = entry;

	if (le32toh(c->pid) != RECORDING_NO_PID)
		redact_le32_pid(r, "crash: pid", &c->pid);
	redact_chars(r, CLASS_TASK, "crash: comm", c->comm, sizeof(c->comm));
	redact_chars(r, CLASS_LOG, "crash: reason", c->reason, sizeof(c->reason));
}

static void redact_cpu(struct redaction *r, void *entry)
{
	struct epitaph_cpu *c = entry;
	u32 i;

	redact_le32_pid(r, "cpus: pid", &c->pid);
	redact_chars(r, CLASS_TASK, "cpus: comm", c->comm, sizeof(c->comm));
	memset(c->reserved, 0, sizeof(c->reserved));
	redact_registers(r, c);
	for (i = 0; i < EPITAPH_NR_FRAMES; i++)
		redact_le64_addr(r, "cpus: frame", (__u64 *)&c->frames[i]);
	redact_chars(r, CLASS_LOG, "cpus: stack", c->text, sizeof(c->text));
}

static void redact_branches(struct redaction *r, void *entry)
{
	struct epitaph_branches *b = entry;

	memset(b->reserved, 0, sizeof(b->reserved));
	for (u32 i = 0; i < EPITAPH_NR_BRANCHES; i++) {
		redact_le64_addr(r, "branches: from", (__u64 *)&b->branch[i].from);
		redact_le64_addr(r, "branches: to", (__u64 *)&b->branch[i].to);
		memset(b->branch[i].reserved, 0, sizeof(b->branch[i].reserved));
	}
	redact_chars(r, CLASS_LOG, "branches: names", b->text, sizeof(b->text));
}

static void redact_taken(struct redaction *r, void *entry)
{
	struct epitaph_taken *t = entry;

	redact_bytes(r, CLASS_HOST, "taken: boot id", t->boot_id, t->boot_id, sizeof(t->boot_id));
	redact_chars(r, CLASS_FILE, "taken: where", t->where, sizeof(t->where));
	t->reserved = 0;
}

/* Keeps of MISC only the bits that describe the address, and no syndrome. */
static void redact_mce(struct redaction *r, void *entry)
{
	struct epitaph_mce *m = entry;
	u64 page = le64toh(m->addr) & ~0xfffULL;

	if (r->profile != PROFILE_FULL) {
		/* The page alone: two reports of one error may differ in the bits below. */
		m->addr = htole64(page ? pseudonym_address(r->names, page) & ~0xfffULL : 0);
		redact_le64_addr(r, "mce: ip", (__u64 *)&m->ip);
		m->misc = htole64(le64toh(m->misc) & 0x1ff);
		m->ppin = htole64(pseudonym_number(r->names, le64toh(m->ppin)));
		m->synd = m->synd1 = m->synd2 = 0;
	}
	redact_le32_pid(r, "mce: pid", &m->pid);
	redact_chars(r, CLASS_TASK, "mce: comm", m->comm, sizeof(m->comm));
	m->reserved0 = 0;
	memset(m->reserved1, 0, sizeof(m->reserved1));
}

struct entry_type {
	u32 type;
	size_t size;
	void (*redact)(struct redaction *r, void *entry);
};

static const struct entry_type entry_types[] = {
	{ EPITAPH_SEC_CHANNELS, sizeof(struct epitaph_channel), redact_channel },
	{ EPITAPH_SEC_ADDED, sizeof(struct epitaph_added), redact_added },
	{ EPITAPH_SEC_CLOCK, sizeof(struct epitaph_anchor), redact_anchor },
	{ EPITAPH_SEC_SKEW, sizeof(struct epitaph_skew), redact_skew },
	{ EPITAPH_SEC_TASKS, sizeof(struct epitaph_task), redact_task },
	{ EPITAPH_SEC_SYMBOLS, sizeof(struct epitaph_symbol), redact_symbol },
	{ EPITAPH_SEC_MARKS, sizeof(struct epitaph_mark), redact_mark },
	{ EPITAPH_SEC_CRASH, sizeof(struct epitaph_crash), redact_crash },
	{ EPITAPH_SEC_CPUS, sizeof(struct epitaph_cpu), redact_cpu },
	{ EPITAPH_SEC_BRANCHES, sizeof(struct epitaph_branches), redact_branches },
	{ EPITAPH_SEC_TAKEN, sizeof(struct epitaph_taken), redact_taken },
	{ EPITAPH_SEC_MCE, sizeof(struct epitaph_mce), redact_mce },
};

bool redact_entries(struct redaction *r, const struct section *sec)
{
	u64 entry[sizeof(struct epitaph_branches) / 8];	/* the largest */
	const struct entry_type *t = entry_types;
	u64 i, n, place;
	int good;

	while (t < entry_types + ARRAY_SIZE(entry_types) && t->type != sec->type)
		t++;
	if (t == entry_types + ARRAY_SIZE(entry_types))
		return false;
	n = section_entries(sec, t->size);
	for (i = 0; i < n && !r->failed; i++) {
		good = section_entry(r->recording->generation, sec, i, entry, t->size);
		r->count->dropped += good < 0;
		if (good != 1)
			continue;
		t->redact(r, entry);
		place = i;
		/* The place of a thread follows from its pid. */
		if (t->type == EPITAPH_SEC_TASKS)
			place = le32toh(((const struct epitaph_task *)entry)->pid) % n;
		redact_put_checked(r, sec->off + place * sec->unit, entry, t->size);
	}
	return true;
}
