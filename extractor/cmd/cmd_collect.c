// SPDX-License-Identifier: GPL-2.0-or-later
/* What takes the traces that others send: docs/send.md. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/conf_file.h"
#include "transfer/dial.h"
#include "transfer/listen.h"
#include "transfer/receive.h"
#include "common.h"

#define GIB		(1ULL << 30)
#define MAX_HOSTS	4096

/**
 * struct collect - one command
 * @host: who comes over standard input; ""
 * @tls: certificate, its key, and the CA of those who may come
 */
struct collect {
	struct depot depot;
	struct secret key;
	const char *listen;
	const char *host;
	const char *key_path;
	const char *tls_cert;
	const char *tls_key;
	const char *tls_clients;
	bool standard_input;
	bool anybody;
};

static void serve_wire(struct collect *c, struct wire *w, const char *host, const char *peer,
		       bool *proved)
{
	struct receive r = { &c->depot, &c->key, host, peer, proved };
	struct err err = ERR_INIT;
	char said[1024];

	if (receive(&r, w, said, sizeof(said), &err)) {
		err_while(&err, "%s", peer);
		if (!c->standard_input)
			cmd_fail("collect", &err);
	} else if (*said && !c->standard_input) {
		puts(said);
	}
}

/* Who it is by its certificate; the process that speaks TLS says so first. */
static int hear_peer(struct wire *w, char host[MANIFEST_HOST], struct err *err)
{
	char line[MANIFEST_HOST + 5];
	int ret = wire_line(w, line, sizeof(line), err);

	*host = 0;
	if (ret)
		return ret;
	if (strncmp(line, "peer ", 5))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "no line of epitaph-tls: %s", line);
	if (strcmp(line + 5, "-"))
		snprintf(host, MANIFEST_HOST, "%s", line + 5);
	return 0;
}

/* Its standard input and output are the other end of @fds[0]. */
static pid_t start_tls(const struct collect *c, int connection, int fds[2], struct err *err)
{
	char program[4200], number[16];
	char *argv[] = { program, "serve", "--cert", (char *)c->tls_cert, "--cert-key",
			 (char *)c->tls_key, "--fd", number, NULL, NULL, NULL };
	pid_t pid;

	if (c->tls_clients) {
		argv[8] = "--clients";
		argv[9] = (char *)c->tls_clients;
	}
	dial_tls_program(program, sizeof(program));
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return (pid_t)err_sys(err, "socketpair");
	/* A copy, which does not close on exec. */
	connection = dup(connection);
	snprintf(number, sizeof(number), "%d", connection);
	pid = dial_start(argv, fds[1], err);
	close(connection);
	close(fds[1]);
	return pid;
}

/* What was said last has to get through; then nobody is left. */
static void end_tls(struct wire *w, pid_t pid)
{
	char buf[4096];

	shutdown(w->out, SHUT_WR);
	w->deadline = wire_now() + 2000;
	while (wire_read(w, buf, sizeof(buf), NULL) > 0)
		;
	wire_close(w);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
}

static void serve_tls(struct collect *c, int connection, const char *peer, bool *proved)
{
	char host[MANIFEST_HOST];
	struct err err = ERR_INIT;
	struct wire w;
	int fds[2];
	pid_t pid = start_tls(c, connection, fds, &err);

	if (pid < 0) {
		cmd_fail("collect", &err);
		return;
	}
	close(connection);
	wire_init(&w, fds[0], fds[0], wire_now() + 15000);
	if (hear_peer(&w, host, &err)) {
		err_while(&err, "%s", peer);
		cmd_fail("collect", &err);
	} else {
		serve_wire(c, &w, host, peer, proved);
	}
	end_tls(&w, pid);
}

static void serve(void *arg, int fd, const char *peer, bool *proved)
{
	struct collect *c = arg;
	struct wire w;

	if (c->tls_cert) {
		serve_tls(c, fd, peer, proved);
		return;
	}
	wire_init(&w, fd, fd, wire_now());
	serve_wire(c, &w, "", peer, proved);
	close(fd);
}

static int serve_standard_input(struct collect *c)
{
	const char *ssh = getenv("SSH_CONNECTION");
	char peer[LISTEN_PEER] = "standard input";
	struct wire w;

	if (ssh)
		snprintf(peer, sizeof(peer), "%.*s", (int)strcspn(ssh, " "), ssh);
	wire_init(&w, STDIN_FILENO, STDOUT_FILENO, wire_now());
	serve_wire(c, &w, c->host, peer, NULL);
	return ERR_OK;
}

static int serve_all(struct collect *c, struct err *err)
{
	struct listen l = { serve, c };
	int fd = listen_inherited();

	if (fd < 0 && c->listen)
		fd = listen_open(c->listen, err);
	else if (fd < 0)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "--listen [ADDRESS:]PORT, or --stdin");
	if (fd < 0)
		return fd;
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts(c->tls_cert ? "listening, with TLS" : "listening, without TLS");
	return listen_serve(&l, fd, err);
}

static int prepare(struct collect *c, const char *path, struct err *err)
{
	struct depot limits = c->depot;
	int ret = depot_open(&c->depot, path, err);

	if (ret)
		return ret;
	limits.fd = c->depot.fd;
	c->depot = limits;
	umask(077);
	if (c->key_path)
		ret = secret_read(&c->key, c->key_path, err);
	if (!ret && !c->standard_input && !c->key_path && !c->tls_clients && !c->anybody)
		ret = err_set(err, ERR_USAGE, ERR_NO_OFF,
			      "who may send: --key FILE, --tls-clients CA, or --anybody who gets here");
	return ret;
}

static int collect(struct collect *c, const char *path)
{
	struct err err = ERR_INIT;
	int ret = prepare(c, path, &err);

	if (!ret && c->standard_input)
		return serve_standard_input(c);
	if (!ret)
		ret = serve_all(c, &err);
	return cmd_fail("collect", &err);
}

static bool take_size(struct collect *c, int opt)
{
	u64 *limit = opt == 't' ? &c->depot.max_trace : opt == 'h' ? &c->depot.max_host :
		     &c->depot.keep_free;

	if (conf_file_size(optarg, limit))
		return true;
	cmd_misuse("collect", "%s: no size; 512M and 8G are some", optarg);
	return false;
}

static bool take_limit(struct collect *c, int opt)
{
	if (opt != 'n')
		return take_size(c, opt);
	if (cmd_number(optarg, 1U << 31, &c->depot.max_hosts))
		return true;
	cmd_misuse("collect", "%s: no number of hosts", optarg);
	return false;
}

static const char **text_option(struct collect *c, int opt)
{
	switch (opt) {
	case 'l': return &c->listen;
	case 'H': return &c->host;
	case 'k': return &c->key_path;
	case 'c': return &c->tls_cert;
	case 'K': return &c->tls_key;
	case 'C': return &c->tls_clients;
	default: return NULL;
	}
}

int cmd_collect(int argc, char **argv)
{
	static const struct option options[] = {
		{ "listen", required_argument, NULL, 'l' },
		{ "stdin", no_argument, NULL, 'i' },
		{ "host", required_argument, NULL, 'H' },
		{ "key", required_argument, NULL, 'k' },
		{ "anybody", no_argument, NULL, 'a' },
		{ "tls-cert", required_argument, NULL, 'c' },
		{ "tls-key", required_argument, NULL, 'K' },
		{ "tls-clients", required_argument, NULL, 'C' },
		{ "max-trace", required_argument, NULL, 't' },
		{ "max-host", required_argument, NULL, 'h' },
		{ "keep-free", required_argument, NULL, 'f' },
		{ "max-hosts", required_argument, NULL, 'n' },
		{ 0 },
	};
	static struct collect c = { .depot = { -1, GIB, 8 * GIB, GIB, MAX_HOSTS }, .host = "" };
	int opt;

	while ((opt = cmd_getopt(argc, argv, options)) != -1) {
		if (opt == 'i')
			c.standard_input = true;
		else if (opt == 'a')
			c.anybody = true;
		else if (text_option(&c, opt))
			*text_option(&c, opt) = optarg;
		else if (!strchr("thfn", opt))
			return cmd_usage("collect");
		else if (!take_limit(&c, opt))
			return ERR_USAGE;
	}
	if (optind + 1 != argc)
		return cmd_misuse("collect", "one DIR that is there");
	if (!c.tls_cert != !c.tls_key || (c.tls_clients && !c.tls_cert))
		return cmd_misuse("collect", "--tls-cert and --tls-key, both or none");
	if (*c.host && !manifest_is_plain(c.host, MANIFEST_HOST))
		return cmd_misuse("collect", "--host %s: no name of a host", c.host);
	return collect(&c, argv[optind]);
}
