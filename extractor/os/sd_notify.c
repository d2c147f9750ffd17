// SPDX-License-Identifier: GPL-2.0-or-later
#include "sd_notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A path, or with an @ in front a name that is in no file system. */
static int connect_to(int fd, const char *name)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t len = strlen(name);

	if (len >= sizeof(to.sun_path))
		return -1;
	memcpy(to.sun_path, name, len);
	if (*name == '@')
		to.sun_path[0] = 0;
	else
		len++;
	return connect(fd, (struct sockaddr *)&to, offsetof(struct sockaddr_un, sun_path) + len);
}

int notify_open(struct notify *notify, struct err *err)
{
	const char *name = getenv("NOTIFY_SOCKET"), *usec = getenv("WATCHDOG_USEC");

	if (!name || (*name != '/' && *name != '@'))
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "there is no NOTIFY_SOCKET: this is for a service of Type=notify");
	notify->watchdog_ns = usec ? strtoull(usec, NULL, 10) * 1000 : 0;
	notify->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (notify->fd < 0)
		return err_sys(err, "no socket");
	if (connect_to(notify->fd, name)) {
		err_sys(err, "%s", name);
		close(notify->fd);
		return -ERR_IO;
	}
	return 0;
}

int notify_send(const struct notify *notify, const char *text, struct err *err)
{
	size_t len = strlen(text);

	return send(notify->fd, text, len, MSG_NOSIGNAL) == (ssize_t)len ? 0 :
	       err_sys(err, "NOTIFY_SOCKET");
}
