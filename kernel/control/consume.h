/* SPDX-License-Identifier: GPL-2.0-only */
/* A channel that is read out while it records, through a file of /dev/epitaph: docs/consume.md. */
#ifndef EPITAPH_CONTROL_CONSUME_H
#define EPITAPH_CONTROL_CONSUME_H

#include <linux/poll.h>
#include <linux/types.h>

struct epitaph_reader;
struct file;
struct vm_area_struct;

/*
 * Of struct file_operations, but for @reader: what the file has of its own, NULL at first.
 * Context: process, may sleep.
 */
long epitaph_consume_ioctl(struct epitaph_reader **reader, unsigned int number, unsigned long arg);
int epitaph_consume_mmap(struct epitaph_reader **reader, struct vm_area_struct *vma);
__poll_t epitaph_consume_poll(struct epitaph_reader **reader, struct file *file, poll_table *wait);

/* The file is closed: another may read the channel.  NULL is fine. */
void epitaph_consume_end(struct epitaph_reader *reader);

/*
 * Until it is called with false, nothing is ready, and nothing can be given back (EAGAIN).  What is
 * under way has ended on return.  Context: process, may sleep.
 */
void epitaph_consume_pause(bool pause);

/* Behind epitaph_lose(): on return no reader changes the region, and none has it mapped. */
void epitaph_consume_lose(void);

/* Who reads: "COMM-PID", for people. */
const char *epitaph_consume_who(const struct epitaph_reader *reader);

#endif /* EPITAPH_CONTROL_CONSUME_H */
