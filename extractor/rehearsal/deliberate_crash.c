// SPDX-License-Identifier: GPL-2.0-or-later
#include "deliberate_crash.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kexec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "os/new_file.h"


#define STORE		"/var/lib/epitaph"
#define NAME		"test-crash"
#define TEMPORARY	".test-crash.new"
#define BOOT_ID		"/proc/sys/kernel/random/boot_id"
#define PANIC		"/proc/sys/kernel/panic"
#define DEVKMSG		"/proc/sys/kernel/printk_devkmsg"
#define LOADED		"/sys/kernel/kexec_crash_loaded"

int crash_test_begin(struct crash_test *test, const char *root, bool warm, struct err *err)
{
	char kmsg[16];
	u64 random;

	*test = (struct crash_test){ .warm = warm, .when = time(NULL) };
	/* The kernel says that it took the token, and forgets it: no trace would have it. */
	if (machine_read(root, DEVKMSG, kmsg, sizeof(kmsg)) > 0 && !strcmp(kmsg, "off"))
		return err_set(err, ERR_IO, ERR_NO_OFF,
			       DEVKMSG " is off: the kernel takes no line for its log, by which the trace is known again; boot without printk.devkmsg=off, or run: sysctl kernel.printk_devkmsg=on");
	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		return err_sys(err, "getrandom");
	snprintf(test->token, sizeof(test->token), "%016llx", random);
	if (machine_read(root, BOOT_ID, test->boot, sizeof(test->boot)) != CRASH_TEST_BOOT - 1)
		return err_set(err, ERR_IO, ERR_NO_OFF, BOOT_ID " has no boot id of 36 characters, by which the reboot is known");
	return 0;
}

static int write_new_file(int dir, const char *name, const char *text, struct err *err)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	ssize_t len = strlen(text), n;
	int ret = 0;

	if (fd < 0)
		return err_sys(err, "%s", name);
	n = write(fd, text, len);
	if (n >= 0 && n < len)
		errno = ENOSPC;
	if (n != len || fsync(fd))
		ret = err_sys(err, "%s", name);
	close(fd);
	return ret;
}

int crash_test_keep(const struct crash_test *test, const char *root, struct err *err)
{
	char path[4096], text[256];
	int dir, ret;

	machine_path(root, path, sizeof(path), STORE);
	dir = new_file_open_dir(AT_FDCWD, path, err);
	if (dir < 0)
		return dir;
	snprintf(text, sizeof(text), "token=%s\nboot=%s\nway=%s\nwhen=%lld\n", test->token,
		 test->boot, test->warm ? "warm" : "kdump", (long long)test->when);
	unlinkat(dir, TEMPORARY, 0);
	ret = write_new_file(dir, TEMPORARY, text, err);
	if (!ret && (renameat(dir, TEMPORARY, dir, NAME) || fsync(dir)))
		ret = err_sys(err, NAME);
	if (ret)
		unlinkat(dir, TEMPORARY, 0);
	close(dir);
	return ret ? err_while(err, STORE) : 0;
}

static bool is_hex_id(const char *text, size_t len)
{
	return strlen(text) == len && strspn(text, "0123456789abcdef-") == len;
}

int crash_test_read(struct crash_test *test, const char *root, struct err *err)
{
	static const char path[] = STORE "/" NAME;
	char way[16] = "", when[32] = "";

	*test = (struct crash_test){ 0 };
	if (!machine_exists(root, path))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "no test crash was made on this machine: there is no %s", path);
	machine_setting(root, path, "token=", test->token, sizeof(test->token));
	machine_setting(root, path, "boot=", test->boot, sizeof(test->boot));
	machine_setting(root, path, "way=", way, sizeof(way));
	machine_setting(root, path, "when=", when, sizeof(when));
	test->warm = !strcmp(way, "warm");
	test->when = strtoll(when, NULL, 10);
	if (is_hex_id(test->token, CRASH_TEST_TOKEN - 1) && is_hex_id(test->boot, CRASH_TEST_BOOT - 1))
		return 0;
	return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "%s is not as it was written", path);
}

static int write_kernel_file(const char *root, const char *path, const char *text, struct err *err)
{
	char whole[4096];
	ssize_t len = strlen(text);
	int fd, ret = 0;

	machine_path(root, whole, sizeof(whole), path);
	fd = open(whole, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, len) != len)
		ret = err_sys(err, "%s", path);
	if (fd >= 0)
		close(fd);
	return ret;
}

/* Not of another machine, whose files are all that there is. */
static int unload_capture_kernel(const char *root, struct err *err)
{
	s64 loaded = 0;

	machine_number(root, LOADED, &loaded);
	if (!loaded || *root)
		return 0;
	if (!syscall(SYS_kexec_file_load, -1, -1, 0, NULL,
		     KEXEC_FILE_UNLOAD | KEXEC_FILE_ON_CRASH))
		return 0;
	if (!syscall(SYS_kexec_load, 0, 0, NULL, KEXEC_ON_CRASH))
		return 0;
	return err_sys(err, "the capture kernel cannot be unloaded");
}

/* A machine that stands still after its panic never comes back. */
static int make_warm(const char *root, struct err *err)
{
	char action[32];
	s64 seconds = 0;

	if (unload_capture_kernel(root, err))
		return -err->code;
	machine_on_panic(root, action);
	if (*action && !strstr(action, "reipl") && write_kernel_file(root, MACHINE_ON_PANIC, "reipl", err))
		return -err->code;
	machine_number(root, PANIC, &seconds);
	return seconds ? 0 : write_kernel_file(root, PANIC, "5", err);
}

int crash_test_crash(const struct crash_test *test, const char *root, struct err *err)
{
	char line[64];

	if (test->warm && make_warm(root, err))
		return -err->code;
	/* The recorder has every line of the kernel's log, at the time when it was written. */
	snprintf(line, sizeof(line), "<2>epitaph: test crash %s", test->token);
	if (write_kernel_file(root, "/dev/kmsg", line, err))
		return -err->code;
	sync();
	if (write_kernel_file(root, "/proc/sysrq-trigger", "c", err))
		return -err->code;
	sleep(*root ? 0 : 10);
	return err_set(err, ERR_IO, ERR_NO_OFF, "c was written to /proc/sysrq-trigger, and 10 s later the kernel still runs; see dmesg for what it said");
}
