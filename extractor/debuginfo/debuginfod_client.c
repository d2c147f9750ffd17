// SPDX-License-Identifier: GPL-2.0-or-later
#include "debuginfod_client.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/progress.h"
#include "debuginfo_path.h"

#define CLIENT	"debuginfod-find"
#define SERVERS	"DEBUGINFOD_URLS"

static bool wanted;

int debuginfod_want(struct err *err)
{
	const char *urls = getenv(SERVERS);

	if (!urls || !urls[strspn(urls, " ")])
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "--debuginfod: no server is configured; " SERVERS " has their URLs");
	wanted = true;
	return 0;
}

bool debuginfod_is_wanted(void)
{
	return wanted;
}

void debuginfod_add(struct debuginfod_list *list, const char *id, bool is_kernel)
{
	struct debuginfod_wanted *new = &list->list[list->nr];
	u32 i;

	for (i = 0; i < list->nr; i++)
		if (!strcmp(list->list[i].id, id))
			return;
	if (list->nr == DEBUGINFOD_MAX || strlen(id) < 4 || strlen(id) >= sizeof(new->id))
		return;
	strcpy(new->id, id);
	new->is_kernel = is_kernel;
	list->nr++;
}

/* The id becomes an argument of a program, and a part of a URL. */
static bool is_build_id(const char id[65])
{
	size_t n = strnlen(id, 65);

	return n >= 4 && n < 65 && strspn(id, "0123456789abcdef") == n;
}

extern char **environ;

/* Start the client with @out as standard output. Return: 0 or an error of posix_spawnp() */
static int start_client(pid_t *pid, const char *id, int out)
{
	char *argv[] = { CLIENT, "debuginfo", (char *)id, NULL };
	posix_spawn_file_actions_t actions;
	int ret;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	ret = posix_spawnp(pid, CLIENT, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return ret;
}

/* The path that the client prints; "": it found no file. */
static void read_path(int fd, char path[PATH_MAX])
{
	size_t n = 0;
	ssize_t got;

	while (n < PATH_MAX - 1 && (got = read(fd, path + n, PATH_MAX - 1 - n)) != 0) {
		if (got < 0 && errno != EINTR)
			break;
		n += got < 0 ? 0 : got;
	}
	path[n] = 0;
	path[strcspn(path, "\n")] = 0;
}

static int ask_client(const char *id, char path[PATH_MAX], struct err *err)
{
	int fds[2], status = -1, ret;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return err_sys(err, "pipe");
	ret = start_client(&pid, id, fds[1]);
	close(fds[1]);
	if (!ret) {
		read_path(fds[0], path);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	close(fds[0]);
	if (ret)
		return err_set(err, ERR_IO, ERR_NO_OFF,
			       "--debuginfod: cannot run " CLIENT ", which is elfutils': %s",
			       strerror(ret));
	if (status)
		*path = 0;
	return 0;
}

int debuginfod_fetch(const struct debuginfod_list *list, struct err *err)
{
	u32 nr = list->nr < DEBUGINFOD_MAX ? list->nr : DEBUGINFOD_MAX;
	char path[PATH_MAX], *kept;
	bool has_kernel = false;
	int ret = 0;
	u32 i;

	for (i = 0; i < nr && !ret; i++) {
		const struct debuginfod_wanted *w = &list->list[i];

		progress("fetching debuginfo", i, nr);
		/* Modules are of no use without their kernel, which comes first. */
		if ((!has_kernel && !w->is_kernel) || !is_build_id(w->id))
			continue;
		*path = 0;
		ret = ask_client(w->id, path, err);
		if (ret || !*path)
			continue;
		has_kernel |= w->is_kernel;
		/* Places keep what they are given till the end. */
		kept = strdup(path);
		ret = kept ? debug_places_add(kept, err) : err_sys(err, "no memory");
	}
	progress_end();
	if (ret || has_kernel)
		return ret;
	if (!nr || !is_build_id(list->list[0].id))
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "--debuginfod: the file has no build id of a kernel");
	return err_set(err, ERR_USAGE, ERR_NO_OFF,
		       "--debuginfod: %s: no debuginfo of build id %s, or no answer",
		       getenv(SERVERS), list->list[0].id);
}
