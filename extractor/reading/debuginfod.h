/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debuginfo that is fetched before a command reads its FILEs. */
#ifndef EPITAPH_READING_DEBUGINFOD_H
#define EPITAPH_READING_DEBUGINFOD_H

#include "os/sandboxed_child.h"
#include "reading.h"

/*
 * reading_debuginfod() - learn in @child's sandbox which build ids the FILEs have, and fetch
 *
 * Return: 0, or the exit status of an error whose message is already printed.
 */
int reading_debuginfod(const struct sandboxed_child *child, const struct file_list *files);

#endif
