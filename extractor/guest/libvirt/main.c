// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * epitaph-libvirt: the guests of a libvirt daemon, for epitaph guest watch.  docs/virtual-machines.md.
 *
 * libvirt holds the QMP connection of each guest, and QEMU answers one.  So each guest that runs has a
 * socket here that speaks QMP: commands and events go through libvirt's library.
 *
 * A program of its own: no other command of epitaph waits for libvirt to be loaded.
 */
#include <errno.h>
#include <libvirt/libvirt.h>
#include <libvirt/libvirt-qemu.h>
#include <libvirt/virterror.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "domain_socket.h"

#define DIR	"/run/epitaph/libvirt"

#define AGAIN_MS	5000

static const char *uri = "qemu:///system";
static const char *dir = DIR;
static virConnectPtr libvirt;
static char why_not[400];
static int again = -1;	/* a timer of libvirt's event loop */

static int take_lifecycle(virConnectPtr connection, virDomainPtr domain, int event, int detail, void *arg)
{
	(void)connection;
	(void)detail;
	(void)arg;
	if (event == VIR_DOMAIN_EVENT_STARTED || event == VIR_DOMAIN_EVENT_RESUMED)
		domain_socket_open(domain, dir);
	else if (event == VIR_DOMAIN_EVENT_STOPPED)
		domain_socket_close(domain);
	return 0;
}

static void take_qemu_event(virConnectPtr connection, virDomainPtr domain, const char *event, long long seconds,
			    unsigned int micros, const char *details, void *arg)
{
	(void)connection;
	(void)arg;
	domain_socket_event(domain, event, seconds, micros, details);
}

/* Its guests run on: their sockets stay, so that they are not taken for ended. */
static void take_close(virConnectPtr connection, int reason, void *arg)
{
	(void)connection;
	(void)reason;
	(void)arg;
	fprintf(stderr, "%s: libvirt's daemon ended the connection; its guests are kept, and it is tried again every %d s\n",
		uri, AGAIN_MS / 1000);
	virEventUpdateTimeout(again, AGAIN_MS);
}

/* What libvirt says goes wrong is said by who asked. */
static void stay_silent(void *arg, virErrorPtr error)
{
	(void)arg;
	(void)error;
}

static int open_running(void)
{
	virDomainPtr *domains;
	int nr = virConnectListAllDomains(libvirt, &domains, VIR_CONNECT_LIST_DOMAINS_ACTIVE);

	for (int i = 0; i < nr; i++) {
		domain_socket_open(domains[i], dir);
		virDomainFree(domains[i]);
	}
	if (nr >= 0)
		free(domains);
	return nr < 0 ? -1 : 0;
}

static int watch_domains(void)
{
	if (virConnectRegisterCloseCallback(libvirt, take_close, NULL, NULL) ||
	    virConnectSetKeepAlive(libvirt, 5, 3) < 0 ||
	    virConnectDomainEventRegisterAny(libvirt, NULL, VIR_DOMAIN_EVENT_ID_LIFECYCLE,
					     VIR_DOMAIN_EVENT_CALLBACK(take_lifecycle), NULL, NULL) < 0 ||
	    virConnectDomainQemuMonitorEventRegister(libvirt, NULL, NULL, take_qemu_event, NULL, NULL, 0) < 0)
		return -1;
	domain_sockets_renew(libvirt);
	return open_running();
}

/* Return: -1: the reason is in @why_not */
static int connect_libvirt(void)
{
	libvirt = virConnectOpen(uri);
	if (libvirt && !watch_domains())
		return 0;
	/* Closing it forgets the reason. */
	snprintf(why_not, sizeof(why_not), "%.*s", (int)sizeof(why_not) - 1, virGetLastErrorMessage());
	if (libvirt)
		virConnectClose(libvirt);
	libvirt = NULL;
	return -1;
}

static void connect_again(int timer, void *arg)
{
	(void)arg;
	if (libvirt)
		virConnectClose(libvirt);
	if (connect_libvirt())
		return;
	virEventUpdateTimeout(timer, -1);
	fprintf(stderr, "%s: connected again\n", uri);
}

static int make_dir(void)
{
	if (!mkdir(dir, 0700) || errno == EEXIST)
		return 0;
	fprintf(stderr, "%s: %s\n", dir, strerror(errno));
	return -1;
}

int main(int argc, char **argv)
{
	if (argc > 3 || (argc > 1 && *argv[1] == '-')) {
		fprintf(stderr, "usage: epitaph-libvirt [URI [DIR]]; default: qemu:///system " DIR "\n");
		return 2;
	}
	uri = argc > 1 ? argv[1] : uri;
	dir = argc > 2 ? argv[2] : dir;
	virSetErrorFunc(NULL, stay_silent);
	if (make_dir() || virEventRegisterDefaultImpl())
		return 3;
	again = virEventAddTimeout(-1, connect_again, NULL, NULL);
	if (again < 0)
		return 3;
	if (connect_libvirt()) {
		fprintf(stderr, "%s: %s\n", uri, why_not);
		return 3;
	}
	while (!virEventRunDefaultImpl())
		;
	return 3;
}
