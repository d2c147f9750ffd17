// SPDX-License-Identifier: GPL-2.0-only
/* Who has pstore, if it is not us. */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "catalog.h"

#define PARAMETER	"/sys/module/pstore/parameters/backend"

/* The one that registered, or else the one that the command line names. */
static bool read_owner(char *buf, size_t size)
{
	struct file *file = filp_open(PARAMETER, O_RDONLY, 0);
	loff_t pos = 0;
	ssize_t n;

	if (IS_ERR(file))
		return false;
	n = kernel_read(file, buf, size - 1, &pos);
	filp_close(file, NULL);
	buf[max_t(ssize_t, n, 0)] = '\0';
	strim(buf);
	return buf[0] && strcmp(buf, "(null)");
}

void owner_report(int err)
{
	char name[64];

	if (err != -EBUSY && err != -EPERM) {
		pr_err("pstore refused (%d)\n", err);
		return;
	}
	if (!read_owner(name, sizeof(name)))
		strscpy(name, "unknown", sizeof(name));
	pr_warn("pstore belongs to another backend, '%s' (%d): what earlier kernels left is not in /sys/fs/pstore. /dev/epitaph and 'epitaph harvest' have it without pstore; pstore.backend=epitaph on the kernel command line would give pstore to us\n",
		name, err);
}
