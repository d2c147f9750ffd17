// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * GRUB's configuration is made by update-grub of /etc/default/grub and of the files in
 * grub.d, which are the packages'.  Ours has a line, and is ours as long as that is all it has.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "setup.h"

#define DIR		"/etc/default/grub.d"
#define TEMPORARY	DIR "/.epitaph.new"	/* not *.cfg: update-grub does not read it */
#define UPDATE		"/usr/sbin/update-grub"
#define CONFIG		"/boot/grub/grub.cfg"
#define CONFIG_SIZE	(4U << 20)

#define HEAD	"# Written by epitaph setup --write; epitaph setup --remove takes it away.\n"	\
		"# Memory that the recorder keeps over a reboot, in recovery entries as well.\n"
#define BEFORE	"GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX "
#define BEHIND	"\"\n"

bool setup_has_grub(const char *root)
{
	return machine_exists(root, UPDATE) && machine_exists(root, CONFIG);
}

static void put_drop_in(char *buf, size_t size, const char *words)
{
	snprintf(buf, size, HEAD BEFORE "%s" BEHIND, words);
}

int setup_written(const char *root, char words[SETUP_WORDS], struct err *err)
{
	char text[2048], wanted[2048];
	const char *at;
	ssize_t n = machine_read(root, SETUP_DROP_IN, text, sizeof(text));

	if (n == -ENOENT)
		return 0;
	strcat(text, n > 0 && n < (ssize_t)sizeof(text) - 2 ? "\n" : "");
	at = strstr(text, BEFORE);
	snprintf(words, SETUP_WORDS, "%.*s", at ? (int)strcspn(at + strlen(BEFORE), "\"\n") : 0,
		 at ? at + strlen(BEFORE) : "");
	put_drop_in(wanted, sizeof(wanted), words);
	if (*words && !strcmp(text, wanted))
		return 1;
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
		       SETUP_DROP_IN " is not as epitaph setup wrote it: somebody has edited it, and it is left alone");
}

bool setup_is_older_than_boot(const char *root)
{
	s64 written = machine_mtime(root, SETUP_DROP_IN);

	return written && written < machine_boot(root);
}

int setup_lock(const char *root, struct err *err)
{
	int fd = machine_open(root, SETUP_LOCK);

	if (fd < 0) {
		errno = -fd;
		return err_sys(err, SETUP_LOCK);
	}
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return 1;
	if (errno != EWOULDBLOCK)
		err_sys(err, SETUP_LOCK ": cannot lock");
	return errno == EWOULDBLOCK ? 0 : -ERR_IO;
}

static int create_drop_in(const char *path, const char *text, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	size_t len = strlen(text);
	ssize_t n;

	if (fd < 0)
		return err_sys(err, "%s", path);
	n = write(fd, text, len);
	if (n == (ssize_t)len && !fchmod(fd, 0644) && !fsync(fd) && !close(fd))
		return 0;
	if (n >= 0 && n < (ssize_t)len)
		errno = ENOSPC;
	return err_sys(err, "%s", path);
}

static int sync_dir(const char *root, struct err *err)
{
	int fd = machine_open(root, DIR);
	int ret = fd < 0 || fsync(fd) ? err_sys(err, DIR ": fsync") : 0;

	if (fd >= 0)
		close(fd);
	return ret;
}

int setup_write(const char *root, const char *words, struct err *err)
{
	char dir[4096], from[4096], to[4096], text[2048];
	int ret;

	machine_path(root, dir, sizeof(dir), DIR);
	machine_path(root, from, sizeof(from), TEMPORARY);
	machine_path(root, to, sizeof(to), SETUP_DROP_IN);
	if (mkdir(dir, 0755) && errno != EEXIST)
		return err_sys(err, "%s", dir);
	/* Of one that died here. */
	unlink(from);
	put_drop_in(text, sizeof(text), words);
	ret = create_drop_in(from, text, err);
	if (!ret && rename(from, to))
		ret = err_sys(err, "%s", to);
	if (ret) {
		unlink(from);
		return ret;
	}
	return sync_dir(root, err);
}

int setup_remove(const char *root, struct err *err)
{
	char path[4096];
	int ret;

	machine_path(root, path, sizeof(path), SETUP_DROP_IN);
	if (unlink(path) && errno != ENOENT)
		return err_sys(err, "%s", path);
	ret = sync_dir(root, err);
	machine_path(root, path, sizeof(path), DIR);
	rmdir(path);	/* where others have something, it stays */
	return ret;
}

static void exec_update(const char *root)
{
	char *const argv[] = { (char *)UPDATE, NULL };

	if (*root && (chroot(root) || chdir("/")))
		_exit(126);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	/* The language of GRUB's menu is that of the environment. */
	setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
	execv(UPDATE, argv);
	_exit(127);
}

int setup_update(const char *root, struct err *err)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (!pid)
		exec_update(root);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return err_sys(err, UPDATE);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return err_set(err, ERR_IO, ERR_NO_OFF, UPDATE " failed with %s %d",
		       WIFEXITED(status) ? "status" : "signal",
		       WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

/* "	linux	/boot/vmlinuz-6.1.0-9-amd64 root=... ro  quiet" */
static bool starts_kernel(const char *line)
{
	line += strspn(line, " \t");
	return !strncmp(line, "linux ", 6) || !strncmp(line, "linux\t", 6) ||
	       !strncmp(line, "linuxefi", 8);
}

void setup_entries(const char *root, const char *words, unsigned int *all, unsigned int *with)
{
	char *text = malloc(CONFIG_SIZE);
	const char *line, *at;
	size_t len;

	*all = *with = 0;
	if (text && machine_read(root, CONFIG, text, CONFIG_SIZE) > 0)
		for (line = text; *line; line += len + !!line[len]) {
			len = strcspn(line, "\n");
			if (!starts_kernel(line))
				continue;
			(*all)++;
			at = strstr(line, words);
			*with += at && at + strlen(words) <= line + len;
		}
	free(text);
}

void setup_by_hand(const char *root, const char *words, char *buf, size_t size)
{
	static const char *const grubby[] = { "/usr/sbin/grubby", "/sbin/grubby", NULL };
	static const char *const ostree[] = { "/run/ostree-booted", NULL };
	static const char *const stub[] = { "/etc/kernel/cmdline", "/boot/loader", "/efi/loader",
					    "/boot/efi/loader", NULL };

	/* Between other quotes, and without any, "!" is bash's to expand where a person types. */
	if (machine_has_any(root, ostree))
		snprintf(buf, size, "run: rpm-ostree kargs --append-if-missing='%s', for each word", words);
	else if (machine_has_any(root, grubby))
		snprintf(buf, size, "run: grubby --update-kernel=ALL --args='%s'", words);
	else if (machine_exists(root, "/etc/default/grub"))
		snprintf(buf, size,
			 "add %s to GRUB_CMDLINE_LINUX in /etc/default/grub, and run: grub2-mkconfig -o /boot/grub2/grub.cfg (or update-grub)",
			 words);
	else if (machine_has_any(root, stub))
		snprintf(buf, size,
			 "add %s to /etc/kernel/cmdline, and run: kernel-install add $(uname -r) /boot/vmlinuz-$(uname -r), for each kernel",
			 words);
	else
		snprintf(buf, size, "add %s to the kernel command line, as your boot loader has it", words);
}
