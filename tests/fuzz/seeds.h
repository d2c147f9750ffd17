/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing seeds. */
#ifndef SEEDS_H
#define SEEDS_H

#include <stddef.h>

/* A file in @dir, of @size bytes. */
void seed_save(const char *dir, int nr, const void *data, size_t size);

/* Formats with payloads, registers of machine checks, texts. */
void save_formats(const char *dir);
void save_mces(const char *dir);
void save_texts(const char *dir);

/* Page tables of each machine. */
void save_vmems(const char *dir);

#endif
