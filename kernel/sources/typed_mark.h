/* SPDX-License-Identifier: GPL-2.0-only */
/* Marks with fields: each name with its fields is a kind of event, "mark:NAME". */
#ifndef EPITAPH_SOURCES_TYPED_MARK_H
#define EPITAPH_SOURCES_TYPED_MARK_H

struct file;

/**
 * epitaph_typed_mark_ioctl() - leave a mark with fields
 * @file: of /dev/epitaph-mark
 * @number: EPITAPH_MARK_EVENT
 * @arg: address of a struct epitaph_mark_event
 *
 * Context: process, may sleep.
 */
long epitaph_typed_mark_ioctl(struct file *file, unsigned int number, unsigned long arg);

/* The kinds of one generation are none of the next; while there is no device. */
void epitaph_typed_marks_forget(void);

#endif /* EPITAPH_SOURCES_TYPED_MARK_H */
