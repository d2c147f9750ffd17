/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a file system lies on: encrypted, logical volume, RAID, another machine. */
#ifndef EPITAPH_HOST_STORAGE_H
#define EPITAPH_HOST_STORAGE_H

#include "machine_files.h"

/**
 * struct storage - a mounted file system, and the devices below it
 * @mount: where it is mounted
 * @type: of the file system, as in mountinfo
 * @uuid: of the file system, as in /dev/disk/by-uuid; "": unknown
 * @path_in: of what was asked for, below @mount: "/" or "/epitaph"
 * @is_read_only: mounted so
 * @is_remote: NFS, CIFS ...: on another machine
 * @is_memory: tmpfs: what is there is gone after a restart
 * @is_part: a directory of the file system is mounted, as by a bind, or a subvolume
 * @is_unknown: what it lies on is not known, and neither are the next three
 * @is_encrypted, @is_volume, @is_raid: dm-crypt, LVM, md or dm-raid is below it
 */
struct storage {
	char mount[1024];
	char type[32];
	char uuid[64];
	char path_in[1024];
	bool is_read_only;
	bool is_remote;
	bool is_memory;
	bool is_part;
	bool is_unknown;
	bool is_encrypted;
	bool is_volume;
	bool is_raid;
};

/* storage_find() - of the file system where @path is or will be; false: mountinfo has none */
bool storage_find(struct storage *s, const char *root, const char *path);

/* storage_of_device() - only what is below the block device @path, and its @type; false: it is none */
bool storage_of_device(struct storage *s, const char *root, const char *path);

/* storage_words() - "an ext4 file system on LVM on dm-crypt", for people */
void storage_words(const struct storage *s, char *buf, size_t size);

/* storage_unescape() - "\040" is a blank in mountinfo and in fstab */
void storage_unescape(char *text);

#endif
