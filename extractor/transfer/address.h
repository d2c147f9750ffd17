/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A TCP connection to a name; the build for the capture kernel, which has no resolver, knows numbers only. */
#ifndef EPITAPH_TRANSFER_ADDRESS_H
#define EPITAPH_TRANSFER_ADDRESS_H

#include "base/err.h"

/* A non-blocking descriptor; or -ERR_IO.  @deadline: ms of CLOCK_MONOTONIC. */
int address_connect(const char *host, const char *port, u64 deadline, struct err *err);

#endif
