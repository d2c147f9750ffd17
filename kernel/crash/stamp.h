/* SPDX-License-Identifier: GPL-2.0-only */
/* The crash stamp of a kernel that dies before there are hooks. */
#ifndef EPITAPH_CRASH_STAMP_H
#define EPITAPH_CRASH_STAMP_H

/* @reason: what panic() said.  Any context, after epitaph_anchors_find(). */
void epitaph_crash_stamp(const char *reason);

#endif /* EPITAPH_CRASH_STAMP_H */
