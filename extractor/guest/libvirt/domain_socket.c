// SPDX-License-Identifier: GPL-2.0-or-later
#include "domain_socket.h"

#include <errno.h>
#include <json-c/json.h>
#include <libvirt/libvirt-qemu.h>
#include <libvirt/virterror.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "domain_dump.h"

#define LINE	65536	/* more than one read of commands is not taken at once */

/**
 * struct domain_socket - one domain
 * @listener: its socket; @client: -1: nothing is connected; QEMU has one at a time, too
 * @watches: of libvirt's event loop
 * @parser: of what the client sends, which has no ends of lines
 * @file: what it handed over last; -1: nothing
 * @file_name: of @file, by getfd
 * @dump: that libvirt makes into a file of the client; NULL: none
 */
struct domain_socket {
	struct domain_socket *next;
	virDomainPtr domain;
	char uuid[VIR_UUID_STRING_BUFLEN];
	struct sockaddr_un address;
	int listener;
	int listener_watch;
	int client;
	int client_watch;
	json_tokener *parser;
	int file;
	char file_name[64];
	struct domain_dump *dump;
};

static struct domain_socket *sockets;

static void say_of_domain(const struct domain_socket *at, const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", virDomainGetName(at->domain), what, why);
}

static struct domain_socket *find_socket(virDomainPtr domain)
{
	char uuid[VIR_UUID_STRING_BUFLEN];
	struct domain_socket *at;

	if (virDomainGetUUIDString(domain, uuid))
		return NULL;
	for (at = sockets; at && strcmp(at->uuid, uuid); at = at->next)
		;
	return at;
}

/* --- the client -------------------------------------------------------------- */

static void forget_file(struct domain_socket *at)
{
	if (at->file >= 0)
		close(at->file);
	at->file = -1;
	at->file_name[0] = '\0';
}

static void drop_client(struct domain_socket *at)
{
	if (at->dump)
		domain_dump_forget(at->dump);
	at->dump = NULL;
	forget_file(at);
	if (at->client < 0)
		return;
	virEventRemoveHandle(at->client_watch);
	close(at->client);
	at->client = -1;
	json_tokener_reset(at->parser);
}

/* A client that does not read loses its connection: it would miss an event. */
static void send_message(struct domain_socket *at, json_object *message)
{
	const char *text = json_object_to_json_string_ext(message, JSON_C_TO_STRING_PLAIN);
	struct iovec parts[] = { { (void *)text, strlen(text) }, { "\n", 1 } };
	struct msghdr msg = { .msg_iov = parts, .msg_iovlen = 2 };

	if (at->client >= 0 &&
	    sendmsg(at->client, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)(parts[0].iov_len + 1))
		drop_client(at);
	json_object_put(message);
}

static json_object *error_of(const char *why)
{
	json_object *message = json_object_new_object(), *error = json_object_new_object();

	json_object_object_add(error, "class", json_object_new_string("GenericError"));
	json_object_object_add(error, "desc", json_object_new_string(why));
	json_object_object_add(message, "error", error);
	return message;
}

/* What QEMU answers, by libvirt, which has the connection to it. */
static json_object *ask_qemu(struct domain_socket *at, json_object *command)
{
	json_object *answer;
	char *text = NULL;

	if (virDomainQemuMonitorCommand(at->domain, json_object_to_json_string(command), &text, 0) || !text)
		return error_of(virGetLastErrorMessage());
	answer = json_tokener_parse(text);
	free(text);
	return answer ? answer : error_of("libvirt's answer is no JSON");
}

static json_object *success(void)
{
	json_object *message = json_object_new_object();

	json_object_object_add(message, "return", json_object_new_object());
	return message;
}

static const char *qmp_argument(json_object *command, const char *name)
{
	json_object *arguments = NULL, *value = NULL;

	if (!json_object_object_get_ex(command, "arguments", &arguments) ||
	    !json_object_object_get_ex(arguments, name, &value) || !json_object_is_type(value, json_type_string))
		return "";
	return json_object_get_string(value);
}

/* QEMU's getfd: libvirt hands no file over, so it stays here. */
static json_object *name_file(struct domain_socket *at, json_object *command)
{
	const char *name = qmp_argument(command, "fdname");

	if (at->file < 0 || !*name || strlen(name) >= sizeof(at->file_name))
		return error_of("no file came with getfd, or it has no name");
	strcpy(at->file_name, name);
	return success();
}

/* As QEMU says that a dump which was started by "detach" has ended. */
static void send_dump_end(const char *error, void *arg)
{
	struct domain_socket *at = arg;
	json_object *message = json_object_new_object(), *data = json_object_new_object();

	at->dump = NULL;
	if (*error)
		json_object_object_add(data, "error", json_object_new_string(error));
	json_object_object_add(message, "event", json_object_new_string("DUMP_COMPLETED"));
	json_object_object_add(message, "data", data);
	send_message(at, message);
}

static json_object *dump_domain(struct domain_socket *at, json_object *command)
{
	const char *protocol = qmp_argument(command, "protocol");
	int file = at->file;

	if (at->dump)
		return error_of("a dump is being made");
	if (file < 0 || strncmp(protocol, "fd:", 3) || strcmp(protocol + 3, at->file_name) ||
	    strcmp(qmp_argument(command, "format"), "kdump-zlib"))
		return error_of("only a dump as kdump-zlib into a file of getfd is made");
	at->file = -1;
	forget_file(at);
	at->dump = domain_dump_start(at->domain, file, send_dump_end, at);
	return at->dump ? success() : error_of("no thread can be started for a dump");
}

/* The id is the client's own. */
static void take_command(struct domain_socket *at, json_object *command)
{
	json_object *id = NULL, *name = NULL, *answer;
	const char *words;

	json_object_object_get_ex(command, "execute", &name);
	words = name && json_object_is_type(name, json_type_string) ? json_object_get_string(name) : "";
	if (json_object_object_get_ex(command, "id", &id))
		json_object_get(id);
	json_object_object_del(command, "id");
	if (!strcmp(words, "qmp_capabilities"))
		answer = success();
	else if (!strcmp(words, "getfd"))
		answer = name_file(at, command);
	else if (!strcmp(words, "dump-guest-memory"))
		answer = dump_domain(at, command);
	else
		answer = ask_qemu(at, command);
	json_object_object_del(answer, "id");
	if (id)
		json_object_object_add(answer, "id", id);
	send_message(at, answer);
}

/* Commands follow each other without an end of line. */
static void take_commands(struct domain_socket *at, const char *bytes, size_t len)
{
	while (len && at->client >= 0) {
		json_object *command = json_tokener_parse_ex(at->parser, bytes, (int)len);
		enum json_tokener_error state = json_tokener_get_error(at->parser);
		size_t taken = json_tokener_get_parse_end(at->parser);

		if (command && json_object_is_type(command, json_type_object))
			take_command(at, command);
		else if (command || state != json_tokener_continue)
			drop_client(at);
		json_object_put(command);
		bytes += taken;
		len -= taken;
	}
}

/* Of several files that come at once, the first; the kernel closes those that have no room. */
static void take_file(struct domain_socket *at, struct msghdr *msg)
{
	struct cmsghdr *part = CMSG_FIRSTHDR(msg);

	if (!part || part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS ||
	    part->cmsg_len != CMSG_LEN(sizeof(at->file)))
		return;
	forget_file(at);
	memcpy(&at->file, CMSG_DATA(part), sizeof(at->file));
}

static void read_client(int watch, int fd, int events, void *arg)
{
	struct domain_socket *at = arg;
	char bytes[LINE];
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec iov = { bytes, sizeof(bytes) };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_LEN(sizeof(int)),
	};
	ssize_t n = recvmsg(fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	(void)watch;
	(void)events;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		drop_client(at);
		return;
	}
	take_file(at, &msg);
	take_commands(at, bytes, n);
}

static void greet(struct domain_socket *at)
{
	json_object *message = json_object_new_object(), *greeting = json_object_new_object();

	json_object_object_add(greeting, "capabilities", json_object_new_array());
	json_object_object_add(message, "QMP", greeting);
	send_message(at, message);
}

static void accept_client(int watch, int fd, int events, void *arg)
{
	struct domain_socket *at = arg;
	int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);

	(void)watch;
	(void)events;
	if (client < 0)
		return;
	if (at->client >= 0) {
		close(client);
		return;
	}
	at->client = client;
	at->client_watch = virEventAddHandle(client, VIR_EVENT_HANDLE_READABLE, read_client, at, NULL);
	if (at->client_watch < 0) {
		close(client);
		at->client = -1;
		return;
	}
	greet(at);
}

/* --- one for each domain -------------------------------------------------------- */

static int listen_for(struct domain_socket *at)
{
	unlink(at->address.sun_path);
	at->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (at->listener < 0 || bind(at->listener, (struct sockaddr *)&at->address, sizeof(at->address)) ||
	    listen(at->listener, 1)) {
		say_of_domain(at, at->address.sun_path, strerror(errno));
		return -1;
	}
	at->listener_watch = virEventAddHandle(at->listener, VIR_EVENT_HANDLE_READABLE, accept_client, at, NULL);
	return at->listener_watch < 0 ? -1 : 0;
}

static void free_socket(struct domain_socket *at)
{
	drop_client(at);
	if (at->listener_watch >= 0)
		virEventRemoveHandle(at->listener_watch);
	if (at->listener >= 0)
		close(at->listener);
	unlink(at->address.sun_path);
	json_tokener_free(at->parser);
	virDomainFree(at->domain);
	free(at);
}

int domain_socket_open(virDomainPtr domain, const char *dir)
{
	struct domain_socket *at;

	if (find_socket(domain))
		return 0;
	at = calloc(1, sizeof(*at));
	if (!at)
		return -1;
	at->listener = at->listener_watch = at->client = at->file = -1;
	at->address.sun_family = AF_UNIX;
	at->domain = domain;
	virDomainRef(domain);
	at->parser = json_tokener_new();
	if (!at->parser || virDomainGetUUIDString(domain, at->uuid) ||
	    snprintf(at->address.sun_path, sizeof(at->address.sun_path), "%s/%s.qmp", dir, at->uuid) >=
	    (int)sizeof(at->address.sun_path) || listen_for(at)) {
		say_of_domain(at, "is not watched", "no socket");
		free_socket(at);
		return -1;
	}
	at->next = sockets;
	sockets = at;
	return 0;
}

void domain_socket_close(virDomainPtr domain)
{
	struct domain_socket *at = find_socket(domain), **link = &sockets;

	if (!at)
		return;
	while (*link != at)
		link = &(*link)->next;
	*link = at->next;
	free_socket(at);
}

/* The same QEMU as before has the same id; without one it has ended. */
static bool is_same_run(const struct domain_socket *at, virDomainPtr domain)
{
	return domain && virDomainGetID(domain) != (unsigned int)-1 && virDomainGetID(domain) == virDomainGetID(at->domain);
}

void domain_sockets_renew(virConnectPtr libvirt)
{
	struct domain_socket *at, **link = &sockets;

	while ((at = *link)) {
		virDomainPtr domain = virDomainLookupByUUIDString(libvirt, at->uuid);

		if (is_same_run(at, domain)) {
			virDomainFree(at->domain);
			at->domain = domain;
			link = &at->next;
			continue;
		}
		if (domain)
			virDomainFree(domain);
		*link = at->next;
		free_socket(at);
	}
}

void domain_socket_event(virDomainPtr domain, const char *event, long long seconds, unsigned int micros,
			 const char *details)
{
	struct domain_socket *at = find_socket(domain);
	json_object *message, *time, *data;

	if (!at)
		return;
	message = json_object_new_object();
	time = json_object_new_object();
	json_object_object_add(time, "seconds", json_object_new_int64(seconds));
	json_object_object_add(time, "microseconds", json_object_new_int64(micros));
	json_object_object_add(message, "timestamp", time);
	json_object_object_add(message, "event", json_object_new_string(event));
	data = details ? json_tokener_parse(details) : NULL;
	if (data)
		json_object_object_add(message, "data", data);
	send_message(at, message);
}
