// SPDX-License-Identifier: GPL-2.0-or-later
#include "kdump_dir.h"

#include <stdio.h>

#include "machine_files.h"

void kdump_dir(const char *root, char *buf, size_t size)
{
	if (!machine_setting(root, "/etc/default/kdump-tools", "KDUMP_COREDIR=", buf, size) || !*buf)
		snprintf(buf, size, "/var/crash");
}
