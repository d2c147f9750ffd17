/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of a few lines, as those of sysfs. */
#ifndef EPITAPH_OS_SYSFS_FILE_H
#define EPITAPH_OS_SYSFS_FILE_H

#include "base/err.h"

/* Its text, terminated; what is longer than @size is cut. */
int sysfs_file_read(const char *path, char *buf, size_t size, struct err *err);

/* All of @text is a decimal number. */
bool sysfs_file_is_number(const char *text, u64 *ret);

#endif
