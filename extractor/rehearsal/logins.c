// SPDX-License-Identifier: GPL-2.0-or-later
#include "logins.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utmp.h>

#define SESSIONS	"/run/systemd/sessions"
#define UTMP		"/run/utmp"
#define PASSWD		"/etc/passwd"

/* A search that goes on from file to file. */
struct login_search {
	const char *root;
	char own[33];
	struct logins *logins;
};

static FILE *open_machine_file(const char *root, const char *path)
{
	int fd = machine_open(root, path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && !f)
		close(fd);
	return f;
}

/* "name:x:UID:..."; "" if there is none. */
static void name_of_uid(const char *root, s64 uid, char name[33])
{
	FILE *f = open_machine_file(root, PASSWD);
	char line[1024], of[33];
	long long n;

	*name = '\0';
	while (f && !*name && fgets(line, sizeof(line), f))
		if (sscanf(line, "%32[^:]:%*[^:]:%lld:", of, &n) == 2 && n == uid)
			strcpy(name, of);
	if (f)
		fclose(f);
}

static void add_login(struct login_search *search, const char *user, const char *where)
{
	struct login *login = &search->logins->list[search->logins->nr];

	if (search->logins->nr == LOGINS_MAX || !*user || !strcmp(user, search->own))
		return;
	snprintf(login->user, sizeof(login->user), "%s", user);
	snprintf(login->where, sizeof(login->where), "%s", where);
	search->logins->nr++;
}

/* A file of systemd's; of those that are no login, as of a user's services, the class is another. */
static bool take_session(const char *name, void *arg)
{
	struct login_search *search = arg;
	char path[300], user[33] = "", class[33] = "", where[65] = "";

	if (strchr(name, '.'))
		return false;
	snprintf(path, sizeof(path), SESSIONS "/%s", name);
	machine_setting(search->root, path, "USER=", user, sizeof(user));
	machine_setting(search->root, path, "CLASS=", class, sizeof(class));
	if (!machine_setting(search->root, path, "REMOTE_HOST=", where, sizeof(where)))
		machine_setting(search->root, path, "TTY=", where, sizeof(where));
	if (!strcmp(class, "user"))
		add_login(search, user, where);
	return false;
}

static bool is_alive(const char *root, pid_t pid)
{
	return *root || !kill(pid, 0) || errno == EPERM;
}

static void read_utmp(struct login_search *search)
{
	FILE *f = open_machine_file(search->root, UTMP);
	char user[sizeof(((struct utmp *)0)->ut_user) + 1] = "";
	char where[sizeof(((struct utmp *)0)->ut_line) + 1] = "";
	struct utmp entry;

	while (f && fread(&entry, sizeof(entry), 1, f) == 1) {
		if (entry.ut_type != USER_PROCESS || !is_alive(search->root, entry.ut_pid))
			continue;
		memcpy(user, entry.ut_user, sizeof(entry.ut_user));
		memcpy(where, entry.ut_line, sizeof(entry.ut_line));
		add_login(search, user, where);
	}
	if (f)
		fclose(f);
}

void logins_of_others(struct logins *logins, const char *root)
{
	struct login_search search = { .root = root, .logins = logins };
	s64 uid = -1;

	logins->nr = 0;
	if (machine_number(root, "/proc/self/loginuid", &uid) && uid != 0xffffffff)
		name_of_uid(root, uid, search.own);
	if (machine_exists(root, SESSIONS))
		machine_each(root, SESSIONS, take_session, &search);
	else
		read_utmp(&search);
}
