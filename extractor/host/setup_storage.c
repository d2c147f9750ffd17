// SPDX-License-Identifier: GPL-2.0-or-later
/* What the disks of the machine mean for a trace: docs/seal.md. */
#include <stdio.h>
#include <sys/statvfs.h>

#include "seal/recipients.h"
#include "seal_place.h"
#include "setup.h"

static void note_root(struct setup *s)
{
	struct storage of_root;
	char words[200];

	if (!storage_find(&of_root, s->root, "/"))
		return;
	storage_words(&of_root, words, sizeof(words));
	if (of_root.is_encrypted)
		setup_reason(s, "/ is %s: a capture kernel has no passphrase and saves no trace there; it is sealed elsewhere, or memory has it until the next boot",
			     words);
	else if (of_root.is_remote)
		setup_reason(s, "/ is %s: a trace is saved there only if the network outlives the crash; memory has it until the next boot",
			     words);
	else if (of_root.is_read_only)
		setup_reason(s, "/ is %s: /var/lib/epitaph, and for kdump /var/crash, need a file system that can be written to",
			     words);
	else if (of_root.is_volume || of_root.is_raid)
		setup_reason(s, "/ is %s: a capture kernel opens that as any boot does", words);
}

static void note_device(struct setup *s, struct seal_place *place)
{
	struct err err = ERR_INIT;

	if (s->tries_place)
		seal_place_prepare(place, s->root, s->erases_place);
	if (*place->why_not)
		setup_reason(s, "sealed traces: no place: %s: %s", place->dir, place->why_not);
	else if (s->tries_place && seal_place_allow(place, s->root, &err))
		setup_reason(s, "sealed traces: the units may not write to %s: %s", place->dir, err.msg);
	else
		setup_reason(s, "sealed traces: %s, prepared for two of up to %llu MiB", place->dir, place->conf.quota >> 20);
	if (s->tries_place && !*place->why_not && seal_place_is_writable(place, s->root))
		setup_reason(s, "sealed traces: the units may write there, after systemctl daemon-reload");
}

static void note_dir(struct setup *s, const struct seal_place *place)
{
	struct err err = ERR_INIT;
	char path[4096], words[200];
	struct statvfs vfs;

	storage_words(&place->storage, words, sizeof(words));
	machine_path(s->root, path, sizeof(path), place->dir);
	if (*place->why_not)
		setup_reason(s, "sealed traces: no place: %s%s%s", place->dir, *place->dir ? ": " : "", place->why_not);
	else if (s->tries_place && (seal_place_try(place, &err) || seal_place_allow(place, s->root, &err)))
		setup_reason(s, "sealed traces: %s (%s) cannot be written to: %s", place->dir, words, err.msg);
	else
		setup_reason(s, "sealed traces: %s (%s), %llu MiB free, of which %llu MiB stay free%s", place->dir, words,
			     statvfs(path, &vfs) && statvfs(place->storage.mount, &vfs) ? 0ULL :
			     (u64)vfs.f_bavail * vfs.f_frsize >> 20,
			     place->conf.reserve >> 20, s->tries_place ? "; a file could be written there" : "");
	if (s->tries_place && !*place->why_not && seal_place_is_writable(place, s->root))
		setup_reason(s, "sealed traces: the units may write there, after systemctl daemon-reload");
}

static void note_recipients(struct setup *s)
{
	struct err err = ERR_INIT;
	struct recipients keys;
	char path[4096];

	machine_path(s->root, path, sizeof(path), RECIPIENTS);
	if (!machine_exists(s->root, RECIPIENTS))
		setup_reason(s, "sealed traces: as soon as " RECIPIENTS " has a public key, which age-keygen prints on another machine; who loses its private key reads no trace");
	else if (recipients_read(&keys, path, &err))
		setup_reason(s, "sealed traces: none: %s", err.msg);
	else
		setup_reason(s, "sealed traces: for %u recipient%s; /usr/lib/epitaph/rebuild-kdump gives them to the capture kernel",
			     keys.nr, keys.nr == 1 ? "" : "s");
}

static void note_place(struct setup *s, struct seal_place *place)
{
	if (place->is_raw)
		note_device(s, place);
	else
		note_dir(s, place);
	note_recipients(s);
}

void setup_note_storage(struct setup *s)
{
	static struct seal_place place;
	struct err err = ERR_INIT;

	note_root(s);
	if (seal_place_find(&place, s->root, &err))
		setup_reason(s, "sealed traces: none: %s", err.msg);
	else if (place.is_wanted)
		note_place(s, &place);
}
