// SPDX-License-Identifier: GPL-2.0-or-later
#include "corrected_error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEBUGFS		"/sys/kernel/debug"
#define MCE_INJECT	DEBUGFS "/mce-inject"
#define EINJ		DEBUGFS "/apei/einj"
#define ONLINE		"/sys/devices/system/cpu/online"

#define MISC		0x8cULL		/* a physical address, of which 12 bits are not known */
#define EINJ_MEMORY_CORRECTABLE	8U

/* The firmware's list: "0x00000008\tMemory Correctable". */
static bool firmware_has_it(const char *root)
{
	char text[2048];
	char *line, *rest = text;

	if (machine_read(root, EINJ "/available_error_type", text, sizeof(text)) <= 0)
		return false;
	while ((line = strsep(&rest, "\n")))
		if (strtoul(line, NULL, 16) == EINJ_MEMORY_CORRECTABLE)
			return true;
	return false;
}

static bool count_name(const char *name, void *arg)
{
	(void)name, (void)arg;
	return true;
}

int corrected_error_find(struct corrected_error *error, const char *root, struct err *err)
{
	if (machine_exists(root, MCE_INJECT "/bank")) {
		error->way = CORRECTED_BY_KERNEL;
		return 0;
	}
	if (firmware_has_it(root)) {
		error->way = CORRECTED_BY_FIRMWARE;
		return 0;
	}
	if (!machine_each(root, DEBUGFS, count_name, NULL))
		return err_set(err, ERR_IO, ERR_NO_OFF,
			       DEBUGFS " has no files; expected debugfs there; run: mount -t debugfs debugfs " DEBUGFS);
	if (machine_exists(root, EINJ "/available_error_type"))
		return err_set(err, ERR_IO, ERR_NO_OFF,
			       EINJ "/available_error_type has no memory error that is corrected (0x00000008), and there is no " MCE_INJECT "; expected one of both; run: modprobe mce_inject");
	return err_set(err, ERR_IO, ERR_NO_OFF,
		       DEBUGFS " has neither mce-inject nor apei/einj; expected one of both; run: modprobe mce_inject (x86), or modprobe einj where the firmware knows it");
}

/* "0-3,8" */
static bool is_online(const char *list, u32 cpu)
{
	u32 first, last;
	int n;

	for (; sscanf(list, "%u%n", &first, &n) == 1; list++) {
		list += n;
		last = first;
		if (*list == '-' && sscanf(list + 1, "%u%n", &last, &n) == 1)
			list += 1 + n;
		if (cpu >= first && cpu <= last)
			return true;
		if (*list != ',')
			break;
	}
	return false;
}

int corrected_error_check(const struct corrected_error *error, const char *root, struct err *err)
{
	char online[1024] = "";

	machine_read(root, ONLINE, online, sizeof(online));
	if (is_online(online, error->cpu))
		return 0;
	return err_set(err, ERR_USAGE, ERR_NO_OFF,
		       "--cpu: CPU %u is not online (" ONLINE "); expected one of %s; choose one of these",
		       error->cpu, *online ? online : "those there");
}

/* With a newline: mce-inject takes the last byte for one, whatever it is. */
static int write_line(const char *root, const char *path, const char *text, struct err *err)
{
	char whole[4096], line[40];
	int n = snprintf(line, sizeof(line), "%s\n", text), fd, ret = 0;

	machine_path(root, whole, sizeof(whole), path);
	fd = open(whole, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, line, n) != n)
		ret = err_sys(err, "%s: %s", path, text);
	if (fd >= 0)
		close(fd);
	return ret;
}

static int write_number(const char *root, const char *path, u64 value, struct err *err)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%llx", value);
	return write_line(root, path, text, err);
}

/* What was not possible, in words: @err has the system's. */
static int why_not(struct err *err)
{
	char msg[sizeof(err->msg)];

	strcpy(msg, err->msg);
	if (err->errnum == EPERM || err->errnum == EACCES)
		return err_set(err, ERR_IO, ERR_NO_OFF,
			       "%s; expected that root may write there: the kernel may be locked down (cat /sys/kernel/security/lockdown); boot without Secure Boot or lockdown= for a rehearsal",
			       msg);
	if (err->errnum == EINVAL && !strncmp(msg, MCE_INJECT "/bank", strlen(MCE_INJECT "/bank")))
		return err_set(err, ERR_IO, ERR_NO_OFF,
			       "%s; expected a bank that this CPU has; ls /sys/devices/system/machinecheck/machinecheck0 lists them, and --bank chooses one",
			       msg);
	return err_set(err, ERR_IO, ERR_NO_OFF,
		       "%s; expected that the kernel takes it; dmesg may say more", msg);
}

/* The number of the bank is written last: then the kernel reports the error. */
static int make_by_kernel(const struct corrected_error *error, const char *root, struct err *err)
{
	return write_line(root, MCE_INJECT "/flags", "sw", err) ||
	       write_number(root, MCE_INJECT "/status", CORRECTED_STATUS, err) ||
	       write_number(root, MCE_INJECT "/addr", CORRECTED_ADDR, err) ||
	       write_number(root, MCE_INJECT "/misc", MISC, err) ||
	       write_number(root, MCE_INJECT "/cpu", error->cpu, err) ||
	       write_number(root, MCE_INJECT "/bank", error->bank, err) ? why_not(err) : 0;
}

static int make_by_firmware(const char *root, struct err *err)
{
	return write_number(root, EINJ "/error_type", EINJ_MEMORY_CORRECTABLE, err) ||
	       write_number(root, EINJ "/error_inject", 1, err) ? why_not(err) : 0;
}

int corrected_error_make(const struct corrected_error *error, const char *root, struct err *err)
{
	return error->way == CORRECTED_BY_KERNEL ? make_by_kernel(error, root, err) :
						   make_by_firmware(root, err);
}
