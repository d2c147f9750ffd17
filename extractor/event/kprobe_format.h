/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print formats of kprobes, which tell addresses where the kernel's trace file tells functions. */
#ifndef EPITAPH_EVENT_KPROBE_FORMAT_H
#define EPITAPH_EVENT_KPROBE_FORMAT_H

/* Return: @text with the functions, from malloc(); NULL: it is no kprobe's, or without memory. */
char *format_probe_text(const char *text);

#endif
