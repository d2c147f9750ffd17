/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EPITAPH_CRASH_HELP_H
#define EPITAPH_CRASH_HELP_H

/* How "epitaph" is used in a session, as crash's help command wants it. */
extern char *crash_help[];

/* The line of it that says how. */
#define CRASH_SYNOPSIS	"explain|report|info|mce [option]..."

#endif
