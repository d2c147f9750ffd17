// SPDX-License-Identifier: GPL-2.0-or-later
#include "qmp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MAX_DEPTH	24	/* of objects in objects */

int qmp_connect(struct qmp *qmp, const char *path, struct err *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	*qmp = (struct qmp){ .fd = -1 };
	if (strlen(path) >= sizeof(address.sun_path))
		return err_set(err, ERR_IO, ERR_NO_OFF, "%s: more than 107 bytes", path);
	strcpy(address.sun_path, path);
	qmp->line = malloc(QMP_LINE);
	if (!qmp->line)
		return err_sys(err, "no memory");
	qmp->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (qmp->fd < 0)
		return err_sys(err, "no socket");
	if (connect(qmp->fd, (struct sockaddr *)&address, sizeof(address)))
		return err_sys(err, "%s", path);
	return 0;
}

void qmp_close(struct qmp *qmp)
{
	if (qmp->fd >= 0)
		close(qmp->fd);
	free(qmp->line);
	*qmp = (struct qmp){ .fd = -1 };
}

static ssize_t send_text(int to, const char *text, size_t len, int fd)
{
	union {
		char room[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { 0 };
	struct iovec iov = { (void *)text, len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *head;

	if (fd >= 0) {
		msg.msg_control = control.room;
		msg.msg_controllen = sizeof(control.room);
		head = CMSG_FIRSTHDR(&msg);
		head->cmsg_level = SOL_SOCKET;
		head->cmsg_type = SCM_RIGHTS;
		head->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(head), &fd, sizeof(int));
	}
	return sendmsg(to, &msg, MSG_NOSIGNAL);
}

/* A command is short: where the socket has no room for it, QEMU does not read. */
int qmp_send(struct qmp *qmp, unsigned int id, const char *command, json_object *arguments, int fd,
	     struct err *err)
{
	json_object *message = json_object_new_object();
	const char *text;
	ssize_t sent;
	size_t len;

	json_object_object_add(message, "execute", json_object_new_string(command));
	if (arguments)
		json_object_object_add(message, "arguments", arguments);
	json_object_object_add(message, "id", json_object_new_int(id));
	text = json_object_to_json_string_length(message, JSON_C_TO_STRING_PLAIN, &len);
	sent = send_text(qmp->fd, text, len, fd);
	json_object_put(message);
	if (sent == (ssize_t)len)
		return 0;
	if (sent >= 0)
		errno = EAGAIN;
	qmp->has_ended = errno == EPIPE || errno == ECONNRESET;
	return err_sys(err, "%s cannot be sent", command);
}

static int parse_line(const char *line, size_t len, json_object **ret, struct err *err)
{
	struct json_tokener *parser = json_tokener_new_ex(MAX_DEPTH);

	*ret = parser ? json_tokener_parse_ex(parser, line, len) : NULL;
	json_tokener_free(parser);
	if (*ret && json_object_is_type(*ret, json_type_object))
		return 1;
	json_object_put(*ret);
	return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "what QMP says is no JSON object");
}

/* What was taken makes room for what comes. */
int qmp_read(struct qmp *qmp, struct err *err)
{
	ssize_t n;

	memmove(qmp->line, qmp->line + qmp->taken, qmp->len - qmp->taken);
	qmp->len -= qmp->taken;
	qmp->taken = 0;
	if (qmp->len == QMP_LINE)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "a message by QMP has more than %u KiB",
			       QMP_LINE >> 10);
	n = recv(qmp->fd, qmp->line + qmp->len, QMP_LINE - qmp->len, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	qmp->has_ended = n <= 0;
	if (n < 0)
		return err_sys(err, "QMP");
	if (!n)
		return err_set(err, ERR_IO, ERR_NO_OFF, "QEMU closed the connection");
	qmp->len += n;
	return 0;
}

int qmp_take(struct qmp *qmp, json_object **ret, struct err *err)
{
	char *line = qmp->line + qmp->taken, *end = memchr(line, '\n', qmp->len - qmp->taken);

	if (!end)
		return 0;
	qmp->taken += end + 1 - line;
	return parse_line(line, end - line, ret, err);
}

json_object *qmp_member(json_object *message, const char *path)
{
	char name[64];
	size_t len;

	while (message && *path) {
		len = strcspn(path, ".");
		snprintf(name, sizeof(name), "%.*s", (int)len, path);
		if (!json_object_is_type(message, json_type_object) ||
		    !json_object_object_get_ex(message, name, &message))
			return NULL;
		path += len + (path[len] == '.');
	}
	return message;
}

const char *qmp_text(json_object *message, const char *path)
{
	json_object *value = qmp_member(message, path);

	return value && json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

u64 qmp_number(json_object *message, const char *path)
{
	json_object *value = qmp_member(message, path);
	s64 number = value && json_object_is_type(value, json_type_int) ? json_object_get_int64(value) : 0;

	return number > 0 ? number : 0;
}
