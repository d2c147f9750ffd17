/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A domain of libvirt's as a socket that speaks QMP, so that it is watched like any other guest. */
#ifndef EPITAPH_GUEST_LIBVIRT_DOMAIN_SOCKET_H
#define EPITAPH_GUEST_LIBVIRT_DOMAIN_SOCKET_H

#include <libvirt/libvirt.h>

struct domain_socket;

/* Listens at DIR/UUID.qmp, by libvirt's event loop.  A domain that has one keeps it.  Return: 0, or it is said. */
int domain_socket_open(virDomainPtr domain, const char *dir);

/* Its client has the end of the connection; the path goes. */
void domain_socket_close(virDomainPtr domain);

/*
 * domain_sockets_renew() - after another connection to libvirt was made
 *
 * Who is connected stays so where the same QEMU runs still.
 */
void domain_sockets_renew(virConnectPtr libvirt);

/* An event of its QEMU, for its client. @details: a JSON object, or NULL */
void domain_socket_event(virDomainPtr domain, const char *event, long long seconds, unsigned int micros,
			 const char *details);

#endif
