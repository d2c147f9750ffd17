/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files that earlier generations become in /sys/fs/pstore.  docs/pstore.md
 * says which and why.
 */
#ifndef _EPITAPH_PSTORE_CATALOG_H
#define _EPITAPH_PSTORE_CATALOG_H

#include <linux/pstore.h>
#include <linux/types.h>
#include <epitaph/generation.h>

/**
 * struct shown - a generation that is shown
 * @gen: of the recorder
 * @region: the memory that it is in
 * @nr_records, @nr_mces, @nr_parts: files of it, besides the summary
 * @parts_left: not yet unlinked
 */
struct shown {
	const struct epitaph_gen *gen;
	const void *region;
	u32 nr_records;
	u32 nr_mces;
	u32 nr_parts;
	u32 parts_left;
};

/**
 * struct item - one file
 * @of: its generation
 * @type: pstore's
 * @nr: within its type; dmesg number 0 is the summary
 * @what: struct epitaph_record or epitaph_mce, in the region; NULL of a part and of the summary
 * @size: bytes of a record
 * @erased: unlinked in this boot
 */
struct item {
	struct shown *of;
	enum pstore_type_id type;
	u32 nr;
	const void *what;
	u32 size;
	bool erased;
};

/**
 * catalog_make() - find what is to be shown
 * @trace_max: bytes; of a larger generation no parts are shown
 *
 * Return: 0 or -ENOMEM.  Nothing to show is no error.
 */
int catalog_make(u64 trace_max);
void catalog_free(void);

/* Generations and files shown. */
u32 catalog_nr_shown(void);
u32 catalog_nr_items(void);

/* Item @i, from 0; NULL past the end. */
struct item *catalog_item(u32 i);
struct item *catalog_find(enum pstore_type_id type, u64 id);

/* pstore's id: the same in every boot. */
u64 item_id(const struct item *item);

/* item_erase() - it was unlinked; with its last part the generation counts as taken */
void item_erase(struct item *item);

/* mce.c: as text; bytes written */
size_t mce_text(const struct epitaph_mce *mce, char *buf, size_t size);

/* part.c */
#define PART_BYTES	(EPITAPH_PART_SIZE - sizeof(struct epitaph_part))
size_t part_size(const struct shown *shown, u32 nr);
void part_fill(const struct shown *shown, u32 nr, void *buf);

/* summary.c: as text; @is_locked: no part of the trace is shown; bytes written */
size_t summary_text(const struct shown *shown, bool is_locked, char *buf, size_t size);
/* When it died, or when it began if that is unknown: ns since 1970. */
u64 shown_real_ns(const struct shown *shown);

/* owner.c: pstore_register() failed with @err */
void owner_report(int err);

#endif /* _EPITAPH_PSTORE_CATALOG_H */
