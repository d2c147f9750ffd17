/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of a virtual machine, which lies in the dump of its host. */
#ifndef EPITAPH_DUMP_NESTED_H
#define EPITAPH_DUMP_NESTED_H

#include "base/damage_notes.h"
#include "dump.h"

/**
 * struct nested_slot - a stretch of the guest's physical memory
 * @paddr: of the guest; a multiple of DUMP_PAGE, as the others
 * @size: bytes
 * @host: its address in the process that runs the guest
 */
struct nested_slot {
	u64 paddr;
	u64 size;
	u64 host;
};

/**
 * struct nested_amounts - bytes of the guest's memory
 * @all: of all slots
 * @there: the host's dump has them
 * @unmapped: no page of the process is there: never touched; or, of memory that is shared, taken
 *	back by the host (reclaimed, collapsed)
 * @swapped: swapped out by the host, or on their way to another place
 * @left_out: the host had them, and its dump does not
 * @zero_by_size: they read as zeroes; left out or not, see dump_is_zero_by_size()
 * @no_table: not known, because the dump lacks a page table
 */
struct nested_amounts {
	u64 all;
	u64 there;
	u64 unmapped;
	u64 swapped;
	u64 left_out;
	u64 zero_by_size;
	u64 no_table;
};

/**
 * struct nested_memory - where the guest's memory is
 * @kind: what dump_kind() says of it
 * @host: the dump of the host
 * @slots: nr_slots of them, by @paddr, not overlapping; freed by free()
 * @find: the physical address in @host of a @host address; false: it is not known. Sets @len, not 0,
 *	in both cases: for as many bytes this is so
 * @amounts: what lacks is noted as damage of the dump
 * @notes: the same, in words; the caller's, not used later; NULL: none
 * @close: gives @host and @priv back
 */
struct nested_memory {
	char kind[96];
	struct dump *host;
	struct nested_slot *slots;
	u32 nr_slots;
	bool (*find)(void *priv, u64 host, u64 *paddr, u64 *len);
	struct nested_amounts amounts;
	const struct damage_notes *notes;
	void (*close)(void *priv);
	void *priv;
};

/**
 * dump_open_nested() - the guest's memory as a dump of its own
 * @memory: what it names belongs to @ret then, but not on failure
 *
 * What @host does not hold is a hole. Damage of @host is damage of @ret.
 *
 * Return: 0; -ERR_NOT_OURS without a slot; -ERR_CORRUPT if slots overlap or are out of order;
 *	-ERR_IO without memory.
 */
int dump_open_nested(struct dump **ret, const struct nested_memory *memory, struct err *err);

#endif
