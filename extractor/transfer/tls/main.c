// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * epitaph-tls: TLS for epitaph send and epitaph collect, which talk through its
 * standard input and output, as they do through ssh.  A process of its own, so
 * that nothing else of ours has this library in it.
 *
 *	epitaph-tls connect [--ca FILE] [--pin SHA256] [--cert FILE --cert-key FILE] HOST PORT
 *	epitaph-tls serve --cert FILE --cert-key FILE [--clients FILE] --fd N
 *
 * serve says first who the client is: "peer HOST", or "peer -".
 */
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "transfer/address.h"
#include "transfer/wire.h"
#include "pump.h"
#include "session.h"

#define CONNECT_MS	20000

static int fail(const struct err *err)
{
	fprintf(stderr, "epitaph-tls: %s\n", err->msg);
	return err->code;
}

static int usage(void)
{
	fputs("usage: epitaph-tls connect|serve: run by epitaph send and epitaph collect\n", stderr);
	return ERR_USAGE;
}

/* What waits for the handshake waits as long as it may take. */
static void set_blocking(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
}

/* As openssl x509 -fingerprint prints it, too. */
static bool take_pin(struct session_files *files, const char *text)
{
	static char pin[DIGEST_TEXT];
	size_t n = 0;

	for (; *text && n < sizeof(pin) - 1; text++)
		if (*text != ':')
			pin[n++] = *text | ('A' <= *text && *text <= 'Z' ? 0x20 : 0);
	files->pin = pin;
	return !*text && digest_is_text(pin);
}

static int run_connect(const struct session_files *files, const char *host, const char *port)
{
	struct err err = ERR_INIT;
	gnutls_session_t session;
	int fd = address_connect(host, port, wire_now() + CONNECT_MS, &err);

	if (fd < 0)
		return fail(&err);
	set_blocking(fd);
	if (session_connect(&session, files, fd, host, &err))
		return fail(&err);
	pump(session, fd, STDIN_FILENO, STDOUT_FILENO);
	return ERR_OK;
}

static int run_serve(const struct session_files *files, int fd)
{
	char peer[MANIFEST_HOST], line[MANIFEST_HOST + 8];
	struct err err = ERR_INIT;
	gnutls_session_t session;
	int n;

	/* The collector may have given the place to somebody else. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	set_blocking(fd);
	if (session_accept(&session, files, fd, peer, &err))
		return fail(&err);
	n = snprintf(line, sizeof(line), "peer %s\n", *peer ? peer : "-");
	if (write(STDOUT_FILENO, line, n) != n)
		return ERR_IO;
	pump(session, fd, STDIN_FILENO, STDOUT_FILENO);
	return ERR_OK;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "ca", required_argument, NULL, 'a' },
		{ "clients", required_argument, NULL, 'a' },
		{ "pin", required_argument, NULL, 'p' },
		{ "cert", required_argument, NULL, 'c' },
		{ "cert-key", required_argument, NULL, 'k' },
		{ "fd", required_argument, NULL, 'f' },
		{ 0 },
	};
	struct session_files files = { NULL };
	int opt, fd = -1;

	signal(SIGPIPE, SIG_IGN);
	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'a')
			files.ca = optarg;
		else if (opt == 'p' && take_pin(&files, optarg))
			continue;
		else if (opt == 'c')
			files.cert = optarg;
		else if (opt == 'k')
			files.cert_key = optarg;
		else if (opt == 'f')
			fd = atoi(optarg);
		else
			return usage();
	}
	if (!files.cert != !files.cert_key)
		return usage();
	if (argc - optind == 3 && !strcmp(argv[optind], "connect"))
		return run_connect(&files, argv[optind + 1], argv[optind + 2]);
	if (argc - optind == 1 && !strcmp(argv[optind], "serve") && fd >= 0 && files.cert)
		return run_serve(&files, fd);
	return usage();
}
