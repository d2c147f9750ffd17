// SPDX-License-Identifier: GPL-2.0-or-later
/* What a machine is, as far as it decides what setup can do there: docs/setup.md. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "setup.h"

#define SECURE_BOOT	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define FIRST_NAMESPACE	"pid:[4026531836]"	/* PROC_PID_INIT_INO of include/linux/proc_ns.h */
#define CPUINFO		8192	/* the flags of the first CPU are in it */

/* Of the first process: "NAME=VALUE", each with a zero behind it. */
static bool find_in_environment(const char *root, const char *name, char *value, size_t size)
{
	char text[8192];
	ssize_t n = machine_read(root, "/proc/1/environ", text, sizeof(text));
	const char *at = text;

	for (; n > 0 && at < text + n; at += strlen(at) + 1) {
		if (strncmp(at, name, strlen(name)))
			continue;
		snprintf(value, size, "%s", at + strlen(name));
		return *value;
	}
	return false;
}

/*
 * A machine whose image was made of a container's has the files of Docker and Podman as well. Its first
 * process is the first of the kernel's own namespace, and has this root.
 */
static bool has_first_process(const char *root)
{
	char path[4096], link[sizeof(FIRST_NAMESPACE)] = "";
	struct stat here, first;

	machine_path(root, path, sizeof(path), "/proc/1/ns/pid");
	if (readlink(path, link, sizeof(link) - 1) < 0 || strcmp(link, FIRST_NAMESPACE))
		return false;
	machine_path(root, path, sizeof(path), "/proc/1/root/");
	return !stat(path, &first) && !stat(*root ? root : "/", &here) && first.st_dev == here.st_dev &&
	       first.st_ino == here.st_ino;
}

/* By whose files it says so: of systemd, Docker and Podman. */
static bool is_container(const char *root, char *kind, size_t size)
{
	if (machine_read(root, "/run/systemd/container", kind, size) > 0 ||
	    find_in_environment(root, "container=", kind, size))
		return true;
	if (has_first_process(root))
		return false;
	snprintf(kind, size, "%s", machine_exists(root, "/.dockerenv") ? "docker" :
				    machine_exists(root, "/run/.containerenv") ? "podman" : "");
	return *kind;
}

bool setup_is_virtual(const char *root)
{
	char text[CPUINFO];
	const char *flags;
	size_t len;

	if (machine_read(root, "/proc/cpuinfo", text, sizeof(text)) <= 0)
		return false;
	flags = strstr(text, "\nflags");
	len = flags ? strcspn(flags + 1, "\n") : 0;
	return flags && memmem(flags + 1, len, " hypervisor", strlen(" hypervisor"));
}

static void note_virtual_machine(struct setup *s)
{
	char vendor[64] = "", product[64] = "";

	if (!setup_is_virtual(s->root))
		return;
	machine_read(s->root, "/sys/class/dmi/id/sys_vendor", vendor, sizeof(vendor));
	machine_read(s->root, "/sys/class/dmi/id/product_name", product, sizeof(product));
	setup_reason(s, "a virtual machine (%s%s%s): its memory outlives a reset only if the host resets it in place; epitaph test-crash --warm shows it, and with kdump no reset comes before the trace is saved",
		     *vendor ? vendor : "no name", *product ? " " : "", product);
}

static void note_secure_boot(struct setup *s)
{
	char value[16];

	if (machine_read(s->root, SECURE_BOOT, value, sizeof(value)) >= 5 && value[4] == 1)
		setup_reason(s, "Secure Boot is on: such a kernel loads signed modules only; after the reboot epitaph doctor says under signature whether ours is one");
}

int setup_check_machine(struct setup *s, struct err *err)
{
	char kind[64] = "";

	if (is_container(s->root, kind, sizeof(kind)))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "this is a container (%s): it has the kernel, the memory and the boot loader of its host; run epitaph setup there",
			       kind);
	note_virtual_machine(s);
	note_secure_boot(s);
	return 0;
}

/* A read-only file system, or one file that chattr +i forbids to change. */
static int check_writable(const char *root, const char *path, struct err *err)
{
	char whole[4096];

	machine_path(root, whole, sizeof(whole), path);
	if (!access(whole, W_OK) || errno == ENOENT)
		return 0;
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
		       "%s cannot be written to (%s), and nothing is written; if it is so for a moment, make it writable and run this again; if the machine's image is made elsewhere, it needs the words on its kernel command line",
		       path, strerror(errno));
}

int setup_can_write(const char *root, struct err *err)
{
	static const char *const paths[] = { "/etc/default", "/etc/default/grub.d", SETUP_DROP_IN,
					     "/boot/grub", "/boot/grub/grub.cfg" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(paths); i++)
		if (check_writable(root, paths[i], err))
			return -ERR_NOT_OURS;
	return 0;
}
