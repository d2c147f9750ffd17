/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes from plain to TLS and back. */
#ifndef EPITAPH_TLS_PUMP_H
#define EPITAPH_TLS_PUMP_H

#include <gnutls/gnutls.h>

#include "base/types.h"

/* Until one side closes, or nothing moves for a minute. */
void pump(gnutls_session_t session, int connection, int in, int out);

#endif
