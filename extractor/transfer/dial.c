// SPDX-License-Identifier: GPL-2.0-or-later
#include "dial.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/reexec.h"
#include "address.h"

#define TLS_PROGRAM	"epitaph-tls"
#define MAX_ARGS	24

extern char **environ;

void dial_tls_program(char *path, size_t size)
{
	reexec_beside(path, size, TLS_PROGRAM);
}

/* In a group of its own: Ctrl-C is ours to obey. */
pid_t dial_start(char *const argv[], int fd, struct err *err)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	pid_t pid;
	int ret;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fd, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fd, STDOUT_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	ret = posix_spawnp(&pid, argv[0], &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	errno = ret;
	return ret ? (pid_t)err_sys(err, "cannot run %s", argv[0]) : pid;
}

static void add(char *argv[], size_t *n, const char *option, const char *value)
{
	if (!value || !*value || *n + 3 > MAX_ARGS)
		return;
	if (option)
		argv[(*n)++] = (char *)option;
	argv[(*n)++] = (char *)value;
	argv[*n] = NULL;
}

static void ssh_command(char *argv[], const struct target *target, const struct send_settings *s,
			char *hosts, size_t size)
{
	const char *known = s->value[SEND_KNOWN_HOSTS];
	size_t n = 0;

	add(argv, &n, NULL, "ssh");
	add(argv, &n, "-o", "BatchMode=yes");
	add(argv, &n, "-o", "ConnectTimeout=20");
	add(argv, &n, "-T", "-oClearAllForwardings=yes");
	snprintf(hosts, size, "UserKnownHostsFile=%s", known ? known : "");
	add(argv, &n, "-o", known ? hosts : NULL);
	add(argv, &n, "-i", s->value[SEND_IDENTITY]);
	add(argv, &n, "-p", target->port);
	add(argv, &n, "-l", target->user);
	add(argv, &n, "--", target->host);
	/* What the key is restricted to counts, not this. */
	add(argv, &n, NULL, "epitaph collect --stdin");
}

static void tls_command(char *argv[], const struct target *target, const struct send_settings *s,
			char *program)
{
	size_t n = 0;

	add(argv, &n, NULL, program);
	add(argv, &n, NULL, "connect");
	add(argv, &n, "--ca", s->value[SEND_CA]);
	add(argv, &n, "--pin", s->value[SEND_PIN]);
	add(argv, &n, "--cert", s->value[SEND_CERT]);
	add(argv, &n, "--cert-key", s->value[SEND_CERT_KEY]);
	add(argv, &n, "--", target->host);
	add(argv, &n, NULL, target->port);
}

static int open_program(struct dial *dial, const struct target *target,
			const struct send_settings *settings, struct err *err)
{
	char *argv[MAX_ARGS + 1], text[4200];
	int fds[2];

	if (target->kind == TARGET_SSH) {
		ssh_command(argv, target, settings, text, sizeof(text));
	} else {
		dial_tls_program(text, sizeof(text));
		tls_command(argv, target, settings, text);
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return err_sys(err, "socketpair");
	dial->pid = dial_start(argv, fds[1], err);
	close(fds[1]);
	if (dial->pid > 0)
		return fds[0];
	close(fds[0]);
	dial->pid = 0;
	return -ERR_IO;
}

int dial_open(struct dial *dial, const struct target *target, const struct send_settings *settings,
	      u64 deadline, struct err *err)
{
	int fd;

	dial->pid = 0;
	if (target->kind == TARGET_TCP)
		fd = address_connect(target->host, target->port, deadline, err);
	else
		fd = open_program(dial, target, settings, err);
	if (fd < 0)
		return fd;
	wire_init(&dial->wire, fd, fd, deadline);
	return 0;
}

void dial_close(struct dial *dial)
{
	wire_close(&dial->wire);
	if (!dial->pid)
		return;
	kill(dial->pid, SIGTERM);
	while (waitpid(dial->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
