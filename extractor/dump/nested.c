// SPDX-License-Identifier: GPL-2.0-or-later
#include "nested.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dump_impl.h"

#define MAX_STRETCH	(2ULL << 20)	/* bytes that dump_next_data() looks ahead */

/* The slot that has @paddr, or the first one behind it; NULL: there is none. */
static const struct nested_slot *slot_from(const struct nested_memory *m, u64 paddr)
{
	u32 low = 0, high = m->nr_slots;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (m->slots[mid].paddr + m->slots[mid].size <= paddr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < m->nr_slots ? &m->slots[low] : NULL;
}

/* Where in the host's memory the bytes at @paddr are, which @slot has; for *@len bytes. */
static bool find_host(const struct nested_memory *m, const struct nested_slot *slot, u64 paddr, u64 *host,
		      u64 *len)
{
	u64 inside = paddr - slot->paddr;
	bool there = m->find(m->priv, slot->host + inside, host, len);

	*len = min_u64(*len, slot->size - inside);
	return there;
}

static ssize_t nested_read(struct dump *in, u64 paddr, void *buf, size_t size, struct err *err)
{
	const struct nested_memory *m = in->container;
	size_t done = 0;

	while (done < size) {
		const struct nested_slot *slot = slot_from(m, paddr + done);
		u64 host, len;
		ssize_t n;

		if (!slot || slot->paddr > paddr + done || !find_host(m, slot, paddr + done, &host, &len))
			break;
		len = min_u64(len, size - done);
		n = dump_read(m->host, host, (u8 *)buf + done, len, err);
		if (n < 0)
			return n;
		done += n;
		if ((u64)n < len)
			break;
	}
	return done;
}

static bool nested_peek(struct dump *in, u64 paddr, u8 bytes[8])
{
	const struct nested_memory *m = in->container;
	const struct nested_slot *slot = slot_from(m, paddr);
	u64 host, len;

	return slot && slot->paddr <= paddr && find_host(m, slot, paddr, &host, &len) &&
	       dump_peek(m->host, host, bytes);
}

/* How many bytes from @paddr on the host's dump holds, in one piece there; else @len: how many it lacks. */
static u64 held_by_host(const struct nested_memory *m, const struct nested_slot *slot, u64 paddr, u64 *len)
{
	u64 host, next, there;

	if (!find_host(m, slot, paddr, &host, len))
		return 0;
	if (!dump_next_data(m->host, host, &next, &there))
		return 0;
	if (next > host) {
		*len = min_u64(*len, next - host);
		return 0;
	}
	return min_u64(*len, there);
}

static bool nested_next_data(struct dump *in, u64 paddr, u64 *next, u64 *len)
{
	const struct nested_memory *m = in->container;
	const struct nested_slot *slot = slot_from(m, paddr);
	u64 lack = 0, got;

	for (; slot; slot = slot_from(m, paddr)) {
		paddr = paddr > slot->paddr ? paddr : slot->paddr;
		got = held_by_host(m, slot, paddr, &lack);
		if (got)
			break;
		paddr += lack;
	}
	if (!slot)
		return false;
	*next = paddr;
	*len = got;
	while (*len < MAX_STRETCH && *next + *len < slot->paddr + slot->size) {
		got = held_by_host(m, slot, *next + *len, &lack);
		if (!got)
			break;
		*len += got;
	}
	return true;
}

static int check_slots(const struct nested_memory *m, struct err *err)
{
	u64 end = 0;

	for (u32 i = 0; i < m->nr_slots; i++) {
		const struct nested_slot *slot = &m->slots[i];
		u64 past, host_past;

		if (slot->paddr % DUMP_PAGE || slot->size % DUMP_PAGE || slot->host % DUMP_PAGE || !slot->size ||
		    slot->paddr < end || !add_fits(slot->paddr, slot->size, &past) ||
		    !add_fits(slot->host, slot->size, &host_past))
			return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
				       "the guest's memory at %#llx of %llu bytes, at %#llx in its process: that cannot be",
				       slot->paddr, slot->size, slot->host);
		end = past;
	}
	if (m->nr_slots)
		return 0;
	if (m->notes && m->notes->kept)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "no memory of the guest is known: %s", m->notes->list[0].text);
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "the guest has no memory");
}

static void note_amount(struct dump *in, u64 bytes, const char *why)
{
	char size[32];

	if (!bytes)
		return;
	text_size(size, sizeof(size), bytes);
	dump_note_damage(in, "%s of the guest's memory %s", size, why);
}

static void note_lack(struct dump *in, const struct nested_amounts *amounts)
{
	note_amount(in, amounts->swapped, "were swapped out by the host, or were on their way to another place");
	note_amount(in, amounts->left_out, "are not in the host's dump");
	note_amount(in, amounts->zero_by_size, "are zeroes, or were left out: the host's ELF dump does not tell");
	note_amount(in, amounts->no_table, "cannot be found: page tables of its process are not in the host's dump");
	note_amount(in, amounts->unmapped, "are not mapped: never touched, or taken back by the host");
}

static int nested_open(struct dump *in, struct err *err)
{
	const struct nested_memory *m = in->container;
	int ret = check_slots(m, err);

	snprintf(in->kind, sizeof(in->kind), "%s", m->kind);
	for (u32 i = 0; i < m->nr_slots && !ret; i++) {
		struct dump_segment *last = in->nr_segments ? &in->segments[in->nr_segments - 1] : NULL;

		in->file_size += m->slots[i].size;
		if (last && last->paddr + last->size == m->slots[i].paddr)
			last->size += m->slots[i].size;
		else
			ret = dump_add_segment(in, m->slots[i].paddr, m->slots[i].size, err);
	}
	in->dump_level = m->host->dump_level;
	for (u64 i = 0; !ret && m->notes && i < m->notes->kept; i++)
		dump_note_damage(in, "%s", m->notes->list[i].text);
	if (!ret)
		note_lack(in, &m->amounts);
	return ret;
}

/* What is not open yet owns nothing. */
static void nested_close(struct dump *in)
{
	struct nested_memory *m = in->container;

	if (m->close) {
		m->close(m->priv);
		free(m->slots);
	}
	free(m);
}

static const struct dump_ops nested_ops = {
	.open = nested_open,
	.close = nested_close,
	.read = nested_read,
	.peek = nested_peek,
	.next_data = nested_next_data,
};

/* What damages the host's dump, now or later, is damage of the guest's. */
static void join_host(struct dump *in, struct dump *host)
{
	static const char name[] = "the host's dump";

	for (size_t i = 0; i < host->nr_damage; i++)
		dump_note_damage(in, "%s: %s", name, host->damage[i]);
	in->is_cut = host->is_cut;
	in->changes = host->changes;
	host->whole = in;
	host->name = name;
}

int dump_open_nested(struct dump **ret, const struct nested_memory *memory, struct err *err)
{
	struct nested_memory *copy = malloc(sizeof(*copy));
	struct dump *in = copy ? dump_create(err) : NULL;
	int res;

	if (!in) {
		free(copy);
		return err_sys(err, "no memory");
	}
	*copy = *memory;
	copy->close = NULL;
	in->container = copy;
	in->ops = &nested_ops;
	res = in->ops->open(in, err);
	if (res) {
		dump_close(in);
		return res;
	}
	copy->close = memory->close;
	copy->notes = NULL;
	join_host(in, memory->host);
	*ret = in;
	return 0;
}
