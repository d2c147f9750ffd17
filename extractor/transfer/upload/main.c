// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * epitaph-upload: one archive, from standard input, to one URL, by libcurl.  docs/send.md.
 *
 * A program of its own: no other command of epitaph waits for libcurl to be loaded, and what a
 * server answers is read by a process that holds nothing but the archive and the credentials.
 *
 * Its last line says what was found, where and what was expected.  Status 0: the server has it;
 * ERR_IO: a later try may succeed; ERR_USAGE: no try will, as it is.
 */
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sha256.h"

#define STALL		30	/* s without a byte, or without an answer */
#define S3_CURL		0x075800	/* 7.88.0: the first that signs uploads for S3 */

enum { OPT_METHOD, OPT_SECONDS, OPT_CA, OPT_CERT, OPT_CERT_KEY, OPT_TOKEN, OPT_S3_KEYS, OPT_S3_REGION, NR_OPTS };

/**
 * struct upload - one request
 * @opt: by OPT_; NULL: not given
 * @size: of the archive
 * @answer: the beginning of what the server says; S3 says in it why
 */
struct upload {
	CURL *curl;
	const char *opt[NR_OPTS];
	const char *url;
	u64 size;
	char answer[4096];
	size_t answer_size;
};

static size_t keep_answer(char *data, size_t one, size_t nr, void *arg)
{
	struct upload *u = arg;
	size_t room = sizeof(u->answer) - 1 - u->answer_size, n = nr < room ? nr : room;

	(void)one;
	memcpy(u->answer + u->answer_size, data, n);
	u->answer_size += n;
	return nr;
}

/* A name without a slash is a credential that systemd hands to the service. */
static void credential_path(char *path, size_t size, const char *name)
{
	const char *dir = getenv("CREDENTIALS_DIRECTORY");

	if (strchr(name, '/') || !dir)
		snprintf(path, size, "%s", name);
	else
		snprintf(path, size, "%s/%s", dir, name);
}

/* Of a credential of systemd's, the group may have the right to read. */
static int open_secret(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: %s; expected a file with a secret", path, strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: found no file, expected one with a secret", path);
	} else if (st.st_mode & 027) {
		err_set(err, ERR_USAGE, ERR_NO_OFF,
			"%s: found mode %04o, with which others can read this secret; expected 0600 or less: chmod 600 it, and make another secret",
			path, st.st_mode & 07777);
	} else {
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -ERR_USAGE;
}

/* The first line of a file that others cannot read. */
static int read_secret(char *secret, size_t size, const char *name, struct err *err)
{
	char path[4400];
	ssize_t n;
	int fd;

	credential_path(path, sizeof(path), name);
	fd = open_secret(path, err);
	if (fd < 0)
		return fd;
	n = read(fd, secret, size - 1);
	close(fd);
	secret[n > 0 ? n : 0] = 0;
	secret[strcspn(secret, "\r\n")] = 0;
	if (!*secret)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: found no secret in its first line", path);
	return 0;
}

static int set_credentials(struct upload *u, struct curl_slist **headers, struct err *err)
{
	char secret[4096], text[4500], sum[DIGEST_TEXT], path[4400];
	u64 size;
	int fd;

	if (u->opt[OPT_CERT]) {
		credential_path(path, sizeof(path), u->opt[OPT_CERT]);
		curl_easy_setopt(u->curl, CURLOPT_SSLCERT, path);
		credential_path(path, sizeof(path), u->opt[OPT_CERT_KEY] ?: u->opt[OPT_CERT]);
		fd = open_secret(path, err);
		if (fd < 0)
			return fd;
		close(fd);
		curl_easy_setopt(u->curl, CURLOPT_SSLKEY, path);
	}
	if (u->opt[OPT_TOKEN]) {
		if (read_secret(secret, sizeof(secret), u->opt[OPT_TOKEN], err))
			return -ERR_USAGE;
		curl_easy_setopt(u->curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
		curl_easy_setopt(u->curl, CURLOPT_XOAUTH2_BEARER, secret);
	}
	if (!u->opt[OPT_S3_REGION])
		return 0;
	if (curl_version_info(CURLVERSION_NOW)->version_num < S3_CURL)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "s3://: found libcurl %s, expected 7.88.0 or later",
			       curl_version());
	if (!u->opt[OPT_S3_KEYS])
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "s3://: found no keys, expected S3_KEYS or --s3-keys: a file with ACCESS_KEY:SECRET_KEY");
	if (read_secret(secret, sizeof(secret), u->opt[OPT_S3_KEYS], err))
		return -ERR_USAGE;
	snprintf(text, sizeof(text), "aws:amz:%.100s:s3", u->opt[OPT_S3_REGION]);
	curl_easy_setopt(u->curl, CURLOPT_AWS_SIGV4, text);
	curl_easy_setopt(u->curl, CURLOPT_USERPWD, secret);
	/* The store refuses other bytes than those that are signed. */
	digest_text(sum, "", 0);
	if (u->size && digest_file(sum, STDIN_FILENO, &size, err))
		return -ERR_IO;
	snprintf(text, sizeof(text), "x-amz-content-sha256: %s", sum);
	*headers = curl_slist_append(*headers, text);
	return 0;
}

/* Is it a length that an earlier try has left there? */
static bool is_there(struct upload *u)
{
	curl_off_t length = -1;
	long code = 0;

	curl_easy_setopt(u->curl, CURLOPT_UPLOAD, 0L);
	curl_easy_setopt(u->curl, CURLOPT_CUSTOMREQUEST, NULL);
	curl_easy_setopt(u->curl, CURLOPT_NOBODY, 1L);
	curl_easy_setopt(u->curl, CURLOPT_HTTPHEADER, NULL);
	if (curl_easy_perform(u->curl))
		return false;
	curl_easy_getinfo(u->curl, CURLINFO_RESPONSE_CODE, &code);
	curl_easy_getinfo(u->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
	return code == 200 && length == (curl_off_t)u->size;
}

static int judge_answer(struct upload *u, struct err *err)
{
	char *url = NULL, *why = strstr(u->answer, "<Code>"), reason[80] = "";
	bool is_get = !strcmp(u->opt[OPT_METHOD], "GET");
	long code = 0;

	curl_easy_getinfo(u->curl, CURLINFO_RESPONSE_CODE, &code);
	curl_easy_getinfo(u->curl, CURLINFO_REDIRECT_URL, &url);
	if (why)
		snprintf(reason, sizeof(reason), " (%.*s)", (int)strcspn(why + 6, "<"), why + 6);
	if (code == 200 || code == 201 || code == 204)
		return 0;
	/* For a look: there is no such file, and keys that may only write may not even know that. */
	if (is_get && (code == 404 || code == 405 || !strcmp(reason, " (AccessDenied)")))
		return 0;
	if (code >= 300 && code < 400)
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "answered %ld, a redirect to %s, which is not followed; expected 200, 201 or 204: set TO to the final address",
			       code, url ?: "nowhere");
	/* A store that overwrites nothing says so when a lost answer has us send it again. */
	if (!is_get && (code == 409 || code == 412) && is_there(u))
		return 0;
	if (code >= 500 || code == 408 || code == 425 || code == 429)
		return err_set(err, ERR_IO, ERR_NO_OFF, "answered %ld%s, expected 200, 201 or 204: it is tried again later", code, reason);
	return err_set(err, ERR_USAGE, ERR_NO_OFF,
		       "answered %ld%s, expected 200, 201 or 204: %s", code, reason,
		       code == 401 || code == 403 ? "look at the credentials, and at what they may do there" :
		       code == 413 ? "let the server take larger files" : "look at TO and at the server's log");
}

static bool is_for_good(CURLcode code)
{
	switch (code) {
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_URL_MALFORMAT:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CACERT_BADFILE:
		return true;
	default:
		return false;
	}
}

static int upload(struct upload *u, struct err *err)
{
	struct curl_slist *headers = NULL;
	char words[CURL_ERROR_SIZE] = "";
	const char *method = u->opt[OPT_METHOD];
	CURLcode code;
	int ret;

	curl_easy_setopt(u->curl, CURLOPT_URL, u->url);
	curl_easy_setopt(u->curl, CURLOPT_ERRORBUFFER, words);
	curl_easy_setopt(u->curl, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(u->curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(u->curl, CURLOPT_CONNECTTIMEOUT, 20L);
	curl_easy_setopt(u->curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
	curl_easy_setopt(u->curl, CURLOPT_LOW_SPEED_TIME, (long)STALL);
	curl_easy_setopt(u->curl, CURLOPT_TIMEOUT, atol(u->opt[OPT_SECONDS]));
	curl_easy_setopt(u->curl, CURLOPT_WRITEFUNCTION, keep_answer);
	curl_easy_setopt(u->curl, CURLOPT_WRITEDATA, u);
	/* Without TLS it is for this machine: http_proxy would show it to the network. */
	if (!strncmp(u->url, "http://", 7))
		curl_easy_setopt(u->curl, CURLOPT_PROXY, "");
	if (u->opt[OPT_CA])
		curl_easy_setopt(u->curl, CURLOPT_CAINFO, u->opt[OPT_CA]);
	if (strcmp(method, "GET")) {
		curl_easy_setopt(u->curl, CURLOPT_UPLOAD, 1L);
		curl_easy_setopt(u->curl, CURLOPT_CUSTOMREQUEST, method);
		curl_easy_setopt(u->curl, CURLOPT_READDATA, stdin);
		curl_easy_setopt(u->curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)u->size);
		/* Who refuses says so before the body; who does not know the question is not waited for. */
		curl_easy_setopt(u->curl, CURLOPT_EXPECT_100_TIMEOUT_MS, 250L);
	}
	ret = set_credentials(u, &headers, err);
	if (!ret) {
		curl_easy_setopt(u->curl, CURLOPT_HTTPHEADER, headers);
		code = curl_easy_perform(u->curl);
		if (code)
			ret = err_set(err, is_for_good(code) ? ERR_USAGE : ERR_IO, ERR_NO_OFF, "%s",
				      *words ? words : curl_easy_strerror(code));
		else
			ret = judge_answer(u, err);
	}
	curl_slist_free_all(headers);
	return ret;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "method", required_argument, NULL, OPT_METHOD },
		{ "seconds", required_argument, NULL, OPT_SECONDS },
		{ "ca", required_argument, NULL, OPT_CA },
		{ "cert", required_argument, NULL, OPT_CERT },
		{ "cert-key", required_argument, NULL, OPT_CERT_KEY },
		{ "token", required_argument, NULL, OPT_TOKEN },
		{ "s3-keys", required_argument, NULL, OPT_S3_KEYS },
		{ "s3-region", required_argument, NULL, OPT_S3_REGION },
		{ 0 },
	};
	static struct upload u;
	struct err err = ERR_INIT;
	struct stat st;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == '?')
			return ERR_USAGE;
		u.opt[opt] = optarg;
	}
	if (optind != argc - 1 || !u.opt[OPT_METHOD] || !u.opt[OPT_SECONDS]) {
		fputs("usage: epitaph-upload --method PUT|POST|GET --seconds N [OPTION]... URL <ARCHIVE; epitaph send runs it\n", stderr);
		return ERR_USAGE;
	}
	u.url = argv[optind];
	if (!fstat(STDIN_FILENO, &st) && S_ISREG(st.st_mode))
		u.size = st.st_size;
	/* An earlier try has read it to its end. */
	if (u.size && lseek(STDIN_FILENO, 0, SEEK_SET)) {
		perror("epitaph-upload");
		return ERR_IO;
	}
	curl_global_init(CURL_GLOBAL_DEFAULT);
	u.curl = curl_easy_init();
	if (!u.curl || upload(&u, &err))
		fprintf(stderr, "%s\n", err.code ? err.msg : "libcurl: no memory");
	curl_easy_cleanup(u.curl);
	curl_global_cleanup();
	return u.curl ? (int)err.code : ERR_IO;
}
