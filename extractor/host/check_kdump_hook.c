// SPDX-License-Identifier: GPL-2.0-or-later
/* Does the capture kernel know the region, and the hook that saves the trace first? */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doctor.h"
#include "initrd.h"

#define HOOK		"/usr/lib/epitaph/capture"
#define CLOCK_SLACK	5	/* s between the kernel's start and its first devices */
#define EARLY		60	/* s after it; the initramfs has run by then */

#define DEBIAN		"/usr/lib/epitaph/rebuild-kdump", { "scripts/local-bottom/epitaph" }
#define RED_HAT		"kdumpctl rebuild && kdumpctl restart", { "etc/kdump/pre.d/50-epitaph.sh", "usr/lib/epitaph/capture" }
#define SUSE		"mkdumprd -f", { "kdump/epitaph-save", "usr/lib/epitaph/capture" }

/* Where distributions have the initramfs of their capture kernel, and what it must have of ours. */
static const struct kdump_image {
	const char *before;	/* the release */
	const char *behind;	/* NULL: the name has no release */
	const char *rebuild;
	const char *hook[2];
} images[] = {
	{ "/var/lib/kdump/initrd.img-", "", DEBIAN },
	{ "/boot/initramfs-", "kdump.img", RED_HAT },
	/* Where /boot cannot be written to. */
	{ "/var/lib/kdump/initramfs-", "kdump.img", RED_HAT },
	{ "/boot/initrd-", "-kdump", SUSE },
	{ "/var/lib/kdump/initrd", NULL, SUSE },
};

static const struct kdump_image *searched;

bool doctor_find_kdump_image(const struct doctor *d, char path[DOCTOR_IMAGE], const char **ret_rebuild)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(images); i++) {
		snprintf(path, DOCTOR_IMAGE, "%s%s%s", images[i].before, images[i].behind ? d->release : "",
			 images[i].behind ?: "");
		if (machine_exists(d->root, path))
			break;
	}
	searched = i < ARRAY_SIZE(images) ? &images[i] : NULL;
	*ret_rebuild = searched ? searched->rebuild : NULL;
	return searched;
}

static bool found[ARRAY_SIZE(searched->hook)];

/* Other files of ours are in every initramfs. */
static bool completes_hook(const char *name)
{
	bool has_all = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(found); i++) {
		found[i] |= !searched->hook[i] || !strcmp(name, searched->hook[i]);
		has_all &= found[i];
	}
	return has_all;
}

static void report_hook(struct doctor *d, int has, const char *path, const char *rebuild,
		     const struct err *err)
{
	if (has > 0)
		doctor_say(d, "hook", DOCTOR_OK, NULL, "%s has what saves the trace first", path);
	else if (has < 0)
		doctor_say(d, "hook", DOCTOR_WARNING,
			   "build it anew; epitaph test-crash says whether it works",
			   "whether %s has what saves the trace is not known: %s", path, err->msg);
	else if (machine_exists(d->root, HOOK))
		doctor_say(d, "hook", DOCTOR_FAILURE, rebuild,
			   "%s does not save the trace: it was made before epitaph-kdump was installed", path);
	else
		doctor_say(d, "hook", DOCTOR_WARNING, "install epitaph-kdump",
			   "nothing in %s saves the trace: only the vmcore will have it", path);
}

/* Nothing of kdump's builds its image anew for these. */
static void check_copied_settings(struct doctor *d, const char *path, const char *rebuild)
{
	static const char *const copied[] = {
		"/etc/epitaph/seal.conf", "/etc/epitaph/retention.conf", "/etc/epitaph/send.conf",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(copied); i++)
		if (machine_mtime(d->root, copied[i]) > machine_mtime(d->root, path))
			doctor_say(d, "hook", DOCTOR_WARNING, rebuild,
				   "%s was made before %s was changed, of which it has a copy", path, copied[i]);
}

static void check_initrd(struct doctor *d)
{
	struct err err = ERR_INIT;
	char path[DOCTOR_IMAGE];
	const char *rebuild;
	int fd;

	if (!doctor_find_kdump_image(d, path, &rebuild))
		return;
	fd = machine_open(d->root, path);
	if (fd < 0)
		return;
	memset(found, 0, sizeof(found));
	report_hook(d, initrd_has(fd, completes_hook, &err), path, rebuild, &err);
	/* Debian's hook runs on the root file system itself. */
	if (searched->hook[1])
		check_copied_settings(d, path, rebuild);
	close(fd);
}

/*
 * When the recorder was loaded: devtmpfs knows when it made our device, and udev touches
 * nothing but the other times.  A clock that was set since the kernel started, as by the
 * time zone of an RTC, shows at a device that was there from the beginning.
 */
static s64 recorder_load_time(const struct doctor *d, s64 boot)
{
	s64 ours = machine_birth(d->root, "/dev/epitaph");
	s64 first = machine_birth(d->root, "/dev/null");
	s64 set = first && boot ? first - boot : 0;

	if (!ours || (set >= -CLOCK_SLACK && set <= CLOCK_SLACK))
		return ours;
	/* It may have been set before or after, unless that was early. */
	return ours - first <= EARLY ? ours - set : 0;
}

/*
 * The memory map is taken when the capture kernel is loaded.  kdump-config leaves a file
 * then, and systemd a link when it starts a unit; kdump may have been loaded again after that.
 */
static void check_kdump_load_order(struct doctor *d)
{
	s64 boot = machine_boot(d->root);
	s64 ours = recorder_load_time(d, boot);
	s64 tools = machine_mtime(d->root, "/var/crash/kexec_cmd");
	s64 unit = machine_mtime(d->root, "/run/systemd/units/invocation:kdump.service");
	s64 theirs = tools > boot ? tools : unit;

	if (!ours || theirs <= boot || strcmp(d->region_kind, "memmap"))
		return;
	if (theirs < ours)
		doctor_say(d, "order", theirs == tools ? DOCTOR_FAILURE : DOCTOR_WARNING,
			   theirs == tools ? "kdump-config reload" :
			   "kdumpctl reload, or systemctl restart kdump",
			   "kdump was loaded %lld s before the recorder: its vmcore will not have the region",
			   (long long)(ours - theirs));
	else
		doctor_say(d, "order", DOCTOR_OK, NULL, "kdump was loaded after the recorder");
}

void doctor_check_hook(struct doctor *d)
{
	if (!d->has_kdump)
		return;
	if (d->region_size)
		check_kdump_load_order(d);
	if (d->release[0])
		check_initrd(d);
}
