/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The filters of system calls, which os/seccomp/generate.c makes at build time. */
#ifndef EPITAPH_OS_SECCOMP_FILTER_H
#define EPITAPH_OS_SECCOMP_FILTER_H

#define SECCOMP_MAX_CODE	400		/* instructions of a filter */
#define SECCOMP_OWN_PID		0x7eb1f11eU	/* stands for getpid(); no process has this number */

enum seccomp_files {
	SECCOMP_NO_FILES,
	SECCOMP_READ_FILES,
	SECCOMP_MAKE_FILES,	/* landlock says where */
	SECCOMP_FILTERS,
};

/* @bytes: an array of struct sock_filter. */
extern const struct seccomp_filter {
	const void *bytes;
	unsigned int size;
} seccomp_filters[SECCOMP_FILTERS];

#endif
