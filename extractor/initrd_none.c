// SPDX-License-Identifier: GPL-2.0-or-later
/* Where libarchive is left out. */
#include "initrd.h"

#ifdef EPITAPH_NO_ARCHIVE
int initrd_has(int fd, bool (*wanted)(const char *name), struct err *err)
{
	(void)fd;
	(void)wanted;
	return err_set(err, ERR_IO, ERR_NO_OFF, "this build cannot look into an initramfs");
}

int initrd_tail(int fd, void *buf, size_t size, struct err *err)
{
	(void)fd;
	(void)buf;
	(void)size;
	return err_set(err, ERR_IO, ERR_NO_OFF, "this build cannot decompress a module");
}
#endif
