/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/epitaph-mark: what applications have to say.  docs/control.md is its ABI. */
#ifndef EPITAPH_SOURCES_USER_MARK_H
#define EPITAPH_SOURCES_USER_MARK_H

#include <linux/types.h>
#include <linux/uidgid.h>

/**
 * epitaph_user_marks_start() - the device appears
 *
 * If it cannot, the log says so, and the recorder does without.
 *
 * Context: process, may sleep; after epitaph_formats_init().
 */
void epitaph_user_marks_start(void);

/**
 * epitaph_user_marks_stop() - and goes
 *
 * Context: process, may sleep; before epitaph_formats_exit().
 */
void epitaph_user_marks_stop(void);

struct epitaph_ring;

/* The channel's one ring; it is there also if the device is not. */
const struct epitaph_ring *epitaph_user_ring(void);

/* What each mark begins with, behind the common bytes. */
struct epitaph_mark_head {
	u32 cpu;
	u32 uid;
	u32 dropped;
};

/**
 * epitaph_mark_put() - leave a mark, if its user may
 * @id: of the event
 * @mark: @size bytes; its head is filled in
 * @size: of the payload
 * @charged: bytes that it counts for, without what each mark counts for
 *
 * Context: process.
 * Return: 0, -EAGAIN, -EIO or -EMSGSIZE, as docs/control.md says.
 */
int epitaph_mark_put(u32 id, struct epitaph_mark_head *mark, size_t size, size_t charged);

/* For whose quota the caller counts; INVALID_UID: root of a container that has all numbers. */
kuid_t epitaph_mark_user(void);

bool epitaph_mark_is_root(kuid_t user);

#endif /* EPITAPH_SOURCES_USER_MARK_H */
