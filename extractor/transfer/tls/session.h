/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A TLS session, and who is at its other end. */
#ifndef EPITAPH_TLS_SESSION_H
#define EPITAPH_TLS_SESSION_H

#include <gnutls/gnutls.h>

#include "spool/manifest.h"

/**
 * struct session_files - PEM files, each NULL if there is none
 * @ca: who may sign the other side's certificate; NULL: for a server, nobody is
 *	asked for one, for a client, the system's
 * @pin: 64 hex digits: the SHA-256 of the server's certificate, and nothing else counts
 */
struct session_files {
	const char *ca;
	const char *pin;
	const char *cert;
	const char *cert_key;
};

/* For a client of @host; the handshake is done and the server is who it should be. */
int session_connect(gnutls_session_t *session, const struct session_files *files, int fd,
		    const char *host, struct err *err);

/* For a server; @peer: the host that the client's certificate names, "" without one. */
int session_accept(gnutls_session_t *session, const struct session_files *files, int fd,
		   char peer[MANIFEST_HOST], struct err *err);

#endif
