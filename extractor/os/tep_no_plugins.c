// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libtraceevent can load plugins, which nothing here asks for, and a static program
 * cannot: the linker warns of dlopen(), and whoever silences it silences what it says of
 * missing symbols as well.  So this one is linked with --wrap=dlopen.
 */
#include <stddef.h>

#ifdef EPITAPH_NO_PLUGINS

void *__wrap_dlopen(const char *path, int flags);

void *__wrap_dlopen(const char *path, int flags)
{
	(void)path, (void)flags;
	return NULL;
}

#endif
