/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the files in an initramfs, and the end of a file that may be compressed. */
#ifndef EPITAPH_HOST_INITRD_H
#define EPITAPH_HOST_INITRD_H

#include "base/err.h"

/**
 * initrd_has() - is there such a file in it?
 * @fd: of the initramfs: cpio archives one after the other, the last compressed or not
 * @wanted: gets each name, without "./" in front
 *
 * Return: 1, 0, or -ERR_IO, -ERR_CORRUPT: not known. A build with
 * EPITAPH_NO_ARCHIVE never can.
 */
int initrd_has(int fd, bool (*wanted)(const char *name), struct err *err);

/**
 * initrd_tail() - the last bytes of a file, decompressed if it is compressed
 * @size: how many
 *
 * Return: 0; -ERR_CORRUPT: it has less, or cannot be read.
 */
int initrd_tail(int fd, void *buf, size_t size, struct err *err);

#endif
