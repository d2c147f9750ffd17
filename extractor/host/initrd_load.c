// SPDX-License-Identifier: GPL-2.0-or-later
/* What is in archive/, where it is built and installed. */
#include "initrd.h"

#ifndef EPITAPH_NO_ARCHIVE

#include <dlfcn.h>
#include <limits.h>

#include "os/reexec.h"

static void *plugin_function(const char *name, struct err *err)
{
	static void *library;
	char path[PATH_MAX];
	void *ret;

	if (!library) {
		reexec_beside(path, sizeof(path), "epitaph-archive.so");
		library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	ret = library ? dlsym(library, name) : NULL;
	if (!ret)
		err_set(err, ERR_IO, ERR_NO_OFF, "cannot look into an archive: %s", dlerror());
	return ret;
}

int initrd_has(int fd, bool (*wanted)(const char *name), struct err *err)
{
	typeof(&initrd_has) has = plugin_function("initrd_has", err);

	return has ? has(fd, wanted, err) : -ERR_IO;
}

int initrd_tail(int fd, void *buf, size_t size, struct err *err)
{
	typeof(&initrd_tail) tail = plugin_function("initrd_tail", err);

	return tail ? tail(fd, buf, size, err) : -ERR_IO;
}

#else

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
