/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A dump of a domain's memory, which libvirt makes while the event loop goes on. */
#ifndef EPITAPH_GUEST_LIBVIRT_DOMAIN_DUMP_H
#define EPITAPH_GUEST_LIBVIRT_DOMAIN_DUMP_H

#include <libvirt/libvirt.h>

struct domain_dump;

/**
 * domain_dump_start() - have libvirt dump @domain
 * @fd: of the file, open for writing; taken, also if this fails
 * @done: called by the event loop; @error: "" if the dump is whole
 *
 * Return: NULL if no thread can be started.
 */
struct domain_dump *domain_dump_start(virDomainPtr domain, int fd,
				      void (*done)(const char *error, void *arg), void *arg);

/* domain_dump_forget() - @done is not called any more; libvirt goes on */
void domain_dump_forget(struct domain_dump *dump);

#endif
