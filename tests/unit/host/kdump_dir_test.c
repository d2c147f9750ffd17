// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where kdump saves, by the settings of Debian, Red Hat and SUSE, with files as their manual pages have them.
 *
 * build: extractor/host/kdump_dir.c extractor/host/machine_files.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/kdump_dir.h"
#include "tap.h"

#define KDUMP_CONF	"etc/kdump.conf"
#define SYSCONFIG	"etc/sysconfig/kdump"

static char root[] = "/tmp/kdump_dir.XXXXXX";

static void put_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

static void fresh(void)
{
	if (system("rm -rf etc proc dev && mkdir -p etc/default etc/sysconfig proc/self dev/disk/by-uuid"))
		abort();
	put_file("proc/self/mounts",
		 "/dev/vda1 / ext4 rw 0 0\n/dev/vdb1 /srv/du\\040mps xfs rw 0 0\nnas:/export /mnt/nas nfs4 rw 0 0\n");
	put_file("etc/fstab", "# UUID=9 /wrong\nUUID=77 /spare ext4 noauto 0 0\n");
	put_file("dev/vdb1", "");
	if (symlink("../../vdb1", "dev/disk/by-uuid/11"))
		abort();
}

static void is(enum kdump_place place, const char *dir, const char *target)
{
	static const char *const names[] = { "here", "not mounted", "elsewhere" };
	char found[KDUMP_DIR], found_target[KDUMP_DIR];
	enum kdump_place found_place = kdump_dir(root, found, found_target);

	CHECK(found_place == place && !strcmp(found, dir) && !strcmp(found_target, target),
	      "%s, %s, %s; wanted %s, %s, %s", names[found_place], found, found_target, names[place], dir, target);
}

static void kdump_dir__debian(void)
{
	fresh();
	is(KDUMP_HERE, "/var/crash", "");
	put_file("etc/default/kdump-tools", "USE_KDUMP=1\n");
	put_file(KDUMP_CONF, "path /elsewhere\n");
	is(KDUMP_HERE, "/var/crash", "");
	put_file("etc/default/kdump-tools", "USE_KDUMP=1\n#KDUMP_COREDIR=/a\nKDUMP_COREDIR=\"/srv/crash\"\n");
	is(KDUMP_HERE, "/srv/crash", "");
}

static void kdump_dir__red_hat(void)
{
	fresh();
	put_file(KDUMP_CONF, "#path /a\ncore_collector makedumpfile -l\n");
	is(KDUMP_HERE, "/var/crash", "");
	put_file(KDUMP_CONF, "path  /data/crash   # here\n");
	is(KDUMP_HERE, "/data/crash", "");
	put_file(KDUMP_CONF, "path\t/data\nauto_reset_crashkernel yes\next4 UUID=\"11\"\n");
	is(KDUMP_HERE, "/srv/du mps/data", "UUID=\"11\"");
	put_file(KDUMP_CONF, "ext4 /dev/vda1\npath crash\n");
	is(KDUMP_HERE, "/crash", "/dev/vda1");
	put_file(KDUMP_CONF, "dracut_args --omit-drivers \"a b\" --mount \"/dev/vdb1 /kdumproot xfs\"\n");
	is(KDUMP_HERE, "/srv/du mps/var/crash", "/dev/vdb1");
}

static void kdump_dir__what_red_hat_does_not_show_here(void)
{
	fresh();
	put_file(KDUMP_CONF, "xfs UUID=9\n");
	is(KDUMP_NOT_MOUNTED, "/var/crash", "UUID=9");
	/* A line of fstab alone. */
	put_file(KDUMP_CONF, "xfs UUID=77\npath /d\n");
	is(KDUMP_NOT_MOUNTED, "/var/crash", "UUID=77");
	put_file(KDUMP_CONF, "ssh kdump@host\npath /x\n");
	is(KDUMP_ELSEWHERE, "/var/crash", "ssh kdump@host");
	put_file(KDUMP_CONF, "raw /dev/vdc\n");
	is(KDUMP_ELSEWHERE, "/var/crash", "raw /dev/vdc");
}

/* Each machine has a directory of its own there, and the others' are not this one's. */
static void kdump_dir__a_share_is_elsewhere(void)
{
	fresh();
	put_file(KDUMP_CONF, "nfs nas:/export\n");
	is(KDUMP_ELSEWHERE, "/var/crash", "nfs nas:/export");
	put_file(KDUMP_CONF, "virtiofs dumps\n");
	is(KDUMP_ELSEWHERE, "/var/crash", "virtiofs dumps");
	put_file(KDUMP_CONF, "dracut_args --mount \"nas:/export /kdumproot nfs4\"\n");
	is(KDUMP_ELSEWHERE, "/var/crash", "nas:/export");
}

static void kdump_dir__suse(void)
{
	fresh();
	put_file(SYSCONFIG, "KDUMP_SAVEDIR=\"\"\n");
	is(KDUMP_HERE, "/var/crash", "");
	put_file(SYSCONFIG, "KDUMP_SAVEDIR=\"file:///data/crash\"\n");
	is(KDUMP_HERE, "/data/crash", "");
	put_file(SYSCONFIG, "KDUMP_SAVEDIR=\"/data\"\n");
	is(KDUMP_HERE, "/data", "");
	put_file(SYSCONFIG, "KDUMP_SAVEDIR=\"nfs://nas/export\"\n");
	is(KDUMP_ELSEWHERE, "/var/crash", "nfs://nas/export");
}

int main(void)
{
	if (!mkdtemp(root) || chdir(root))
		abort();
	TAP_RUN(kdump_dir__debian);
	TAP_RUN(kdump_dir__red_hat);
	TAP_RUN(kdump_dir__what_red_hat_does_not_show_here);
	TAP_RUN(kdump_dir__a_share_is_elsewhere);
	TAP_RUN(kdump_dir__suse);
	if (system("rm -rf etc proc dev") || rmdir(root))
		abort();
	return tap_done();
}
