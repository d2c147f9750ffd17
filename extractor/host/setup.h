/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for the recorder, on the kernel's command line; docs/setup.md. */
#ifndef EPITAPH_HOST_SETUP_H
#define EPITAPH_HOST_SETUP_H

#include "base/err.h"
#include "cmdline.h"
#include "machine_files.h"

#define SETUP_REASONS	16
#define SETUP_WORDS	256
#define SETUP_NO_ADDR	(~0ULL)

/**
 * struct setup - what to reserve, and why
 * @root: of the machine, as in machine.h
 * @want_size: bytes; 0: by the size of the RAM
 * @want_addr: or SETUP_NO_ADDR
 * @tries_place: write a file where sealed traces go, and remove it; prepare a device
 * @erases_place: such a device, whatever it has
 * @cmdline, @release: of the running kernel
 * @size, @addr: proposed, or what there is
 * @words: for the command line; "" where there is nothing to add
 * @in_effect: the running kernel has reserved something already
 * @reasons: sentences, escaped
 */
struct setup {
	const char *root;
	u64 want_size;
	u64 want_addr;
	bool tries_place;
	bool erases_place;
	char cmdline[CMDLINE_SIZE];
	char release[MACHINE_RELEASE];
	u64 size;
	u64 addr;
	char words[SETUP_WORDS];
	bool in_effect;
	char reasons[SETUP_REASONS][320];
	unsigned int nr_reasons;
};

/**
 * setup_plan() - fill in everything behind @want_addr
 *
 * Return: 0; -ERR_NOT_OURS: this machine has no room for it; -ERR_IO; -ERR_CORRUPT:
 * addresses are not shown.
 */
int setup_plan(struct setup *s, struct err *err);

/* setup_check_machine() - note what it is; -ERR_NOT_OURS: a container, where nothing can be done */
int setup_check_machine(struct setup *s, struct err *err);

/* setup_note_storage() - what its disks mean for a trace */
void setup_note_storage(struct setup *s);

/* Did the user give a size or an address? */
bool setup_is_chosen(const struct setup *s);

/* Do these words reserve memory, and what the user wants where he said it? */
bool setup_is_wanted(const struct setup *s, const char *words);

/* Is this a virtual machine? */
bool setup_is_virtual(const char *root);

/* Proposes the only device of the host that fits; says why others do not.  Return: is there one? */
bool setup_find_device(struct setup *s);

/* setup_place() - choose @addr by /proc/iomem, or see whether it will do; as setup_plan() */
int setup_place(struct setup *s, struct err *err);

__attribute__((format(printf, 2, 3)))
void setup_reason(struct setup *s, const char *fmt, ...);

#define SETUP_DROP_IN	"/etc/default/grub.d/epitaph.cfg"
#define SETUP_LOCK	"/etc/default"	/* a directory that is there, so that nothing stays behind */

/* Is there a GRUB that reads drop-ins? */
bool setup_has_grub(const char *root);

/**
 * setup_written() - the words in our drop-in
 *
 * Return: 1; 0: there is none; -ERR_NOT_OURS: it is not as we wrote it.
 */
int setup_written(const char *root, char words[SETUP_WORDS], struct err *err);

/*
 * Did this kernel start after the drop-in was written?  Without its words, it is not that GRUB that
 * started it, unless the clock was set since.
 */
bool setup_is_older_than_boot(const char *root);

/* setup_can_write() - -ERR_NOT_OURS: a file or directory of GRUB's cannot be written to */
int setup_can_write(const char *root, struct err *err);

/**
 * setup_lock() - keep other setups out, until this process ends
 *
 * Return: 1; 0: another one is at work; -ERR_IO.
 */
int setup_lock(const char *root, struct err *err);

/* setup_write() - make the drop-in; it is on disk afterwards, whole or as it was */
int setup_write(const char *root, const char *words, struct err *err);

/* setup_remove() - take it away */
int setup_remove(const char *root, struct err *err);

/* setup_update() - run update-grub, which talks to stderr */
int setup_update(const char *root, struct err *err);

/* The kernels that grub.cfg starts, and how many of them with @words. */
void setup_entries(const char *root, const char *words, unsigned int *all, unsigned int *with);

/* What a person does where there is no such GRUB: sentences, in @buf. */
void setup_by_hand(const char *root, const char *words, char *buf, size_t size);

#endif
