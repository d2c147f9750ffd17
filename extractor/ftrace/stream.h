/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A ring of the kernel's own trace as a stream. */
#ifndef EPITAPH_FTRACE_STREAM_H
#define EPITAPH_FTRACE_STREAM_H

#include "event/stream.h"
#include "ftrace.h"

/* @ftrace and what is of it must outlive the stream. */
int stream_ftrace_new(struct stream **ret, struct ftrace *ftrace,
		      const struct ftrace_buffer *buf, const struct ftrace_ring *ring,
		      struct err *err);

#endif
