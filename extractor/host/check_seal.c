// SPDX-License-Identifier: GPL-2.0-or-later
/* Is a trace sealed where it has to be, and can anyone read it then?  docs/seal.md */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/sha256.h"
#include "seal/recipients.h"
#include "doctor.h"
#include "initrd.h"
#include "seal_place.h"

#define REBUILD	"/usr/lib/epitaph/rebuild-kdump"

/* In the initramfs; the name of the recipients there has their digest. */
static char wanted_recipients[128];
static char wanted_plan[128];	/* the same of place and settings */

static bool is_age(const char *name)
{
	return !strcmp(name, "bin/age") || !strcmp(name, "usr/bin/age");
}

static bool is_wanted_recipients(const char *name)
{
	return !strcmp(name, wanted_recipients);
}

static bool is_wanted_plan(const char *name)
{
	return !strcmp(name, wanted_plan);
}

static bool is_any_recipients(const char *name)
{
	return !strncmp(name, "etc/epitaph/recipients-", strlen("etc/epitaph/recipients-"));
}

/* Who may change it reads the next trace. */
static bool is_safe_file(const struct doctor *d, const char *file)
{
	char path[4096];
	struct stat st;

	machine_path(d->root, path, sizeof(path), file);
	return stat(path, &st) || (st.st_uid == geteuid() && !(st.st_mode & 022));
}

static int has_in_initrd(const struct doctor *d, const char *path, bool (*wanted)(const char *name),
			 struct err *err)
{
	int fd = machine_open(d->root, path), ret;

	if (fd < 0)
		return 0;
	ret = initrd_has(fd, wanted, err);
	close(fd);
	return ret;
}

/* Of kdump-tools; the hook that seals is for it. */
static bool check_capture_image(struct doctor *d, const struct seal_place *place, const struct recipients *keys)
{
	struct err err = ERR_INIT;
	char path[128], plan[4096], digest[DIGEST_TEXT];
	int has;

	snprintf(path, sizeof(path), "/var/lib/kdump/initrd.img-%s", d->release);
	snprintf(wanted_recipients, sizeof(wanted_recipients), "etc/epitaph/recipients-%s", keys->digest);
	seal_place_plan(place, keys->digest, plan, sizeof(plan));
	digest_text(digest, plan, strlen(plan));
	snprintf(wanted_plan, sizeof(wanted_plan), "etc/epitaph/seal-plan-%s", digest);
	has = has_in_initrd(d, path, is_age, &err);
	if (has > 0)
		has = has_in_initrd(d, path, is_wanted_recipients, &err) ?: -ERR_NOT_OURS;
	if (has > 0)
		has = has_in_initrd(d, path, is_wanted_plan, &err) ?: -ERR_USAGE;
	if (has > 0)
		return true;
	if (has == -ERR_USAGE)
		doctor_say(d, "seal", DOCTOR_FAILURE, REBUILD,
			   "%s has another place or other settings than " SEAL_CONF " and this machine", path);
	else if (has == -ERR_NOT_OURS)
		doctor_say(d, "seal", DOCTOR_FAILURE, REBUILD,
			   "%s has other recipients than " RECIPIENTS, path);
	else if (!has)
		doctor_say(d, "seal", DOCTOR_FAILURE, REBUILD,
			   "%s has not what seals a trace: age, recipients and place", path);
	else
		doctor_say(d, "seal", DOCTOR_WARNING, REBUILD,
			   "whether %s has what seals a trace is not known: %s", path, err.msg);
	return false;
}

/* Those of kdump-utils and of SUSE have no age; they refuse to save in the clear. */
static bool check_policy_is_kept(struct doctor *d)
{
	char path[DOCTOR_IMAGE];
	const char *rebuild;

	if (!doctor_find_kdump_image(d, path, &rebuild) || !strcmp(rebuild, REBUILD))
		return true;
	doctor_say(d, "seal", DOCTOR_FAILURE, rebuild,
		   "WHEN=always, and this capture kernel cannot seal: it saves no trace, if %s has been built since, and memory alone has it",
		   path);
	return false;
}

static bool say_not_writable(struct doctor *d, const struct seal_place *place)
{
	if (seal_place_is_writable(place, d->root))
		return false;
	doctor_say(d, "seal", DOCTOR_FAILURE, "epitaph setup --write writes drop-ins for them; then systemctl daemon-reload",
		   "the units may not write to %s, where sealed traces go", place->dir);
	return true;
}

static const char *advice_on_place(const struct seal_place *place)
{
	if (place->is_unprepared)
		return "epitaph setup --write; or name another by PLACE= in " SEAL_CONF;
	if (place->is_raw)
		return "name a partition or a disk by PLACE= in " SEAL_CONF ", then epitaph setup --write and " REBUILD;
	return "name another directory, or a partition of its own, by PLACE= in " SEAL_CONF;
}

/* A sealed trace is smaller than the region: what is recorded is compressed. */
static bool check_place(struct doctor *d, const struct seal_place *place)
{
	struct statvfs vfs;
	u64 room;

	if (*place->why_not) {
		doctor_say(d, "seal", DOCTOR_FAILURE, advice_on_place(place),
			   "sealed traces have no place: %s%s%s", place->dir, *place->dir ? ": " : "",
			   place->why_not);
		return false;
	}
	if (place->is_raw)
		return !say_not_writable(d, place);
	if (!machine_exists(d->root, place->dir)) {
		doctor_say(d, "seal", DOCTOR_FAILURE, "epitaph setup --write makes it",
			   "there is no %s, where sealed traces go: the units cannot write there", place->dir);
		return false;
	}
	if (say_not_writable(d, place))
		return false;
	if (!doctor_file_system(d, place->dir, &vfs))
		return true;
	room = (u64)vfs.f_bavail * vfs.f_frsize;
	if (room < place->conf.reserve + d->region_size) {
		doctor_say(d, "seal", DOCTOR_WARNING, "make room there, or set RESERVE= in " SEAL_CONF,
			   "%llu MiB are free for %s, of which RESERVE= keeps %llu MiB: a sealed trace may not fit",
			   room >> 20, place->dir, place->conf.reserve >> 20);
		return false;
	}
	return true;
}

static bool check_recipients(struct doctor *d, struct recipients *keys)
{
	static const char *const programs[] = { "/usr/bin/age", "/usr/local/bin/age", NULL };
	struct err err = ERR_INIT;
	char path[4096];

	machine_path(d->root, path, sizeof(path), RECIPIENTS);
	if (machine_exists(d->root, RECIPIENTS) && !is_safe_file(d, RECIPIENTS))
		doctor_say(d, "seal", DOCTOR_FAILURE, "chown root " RECIPIENTS "; chmod 644 " RECIPIENTS,
			   RECIPIENTS " may be changed by others than root, who could read all traces then");
	else if (recipients_read(keys, path, &err))
		doctor_say(d, "seal", DOCTOR_FAILURE, "one public key a line, as age-keygen prints it; then " REBUILD,
			   "%s; no trace is sealed", err.msg);
	else if (!machine_has_any(d->root, programs))
		doctor_say(d, "seal", DOCTOR_FAILURE, "install age, then " REBUILD,
			   "age is not installed, which encrypts; no trace is sealed");
	else
		return true;
	return false;
}

/* A key that is lost shows before it matters, or never. */
static void check_canary(struct doctor *d, const struct recipients *keys)
{
	char digest[80] = "";

	machine_read(d->root, DOCTOR_CANARY, digest, sizeof(digest));
	if (strcmp(digest, keys->digest))
		doctor_say(d, "key", DOCTOR_WARNING,
			   "epitaph seal --canary FILE here; epitaph unseal -i IDENTITY FILE where the private key is",
			   "no test was sealed to these recipients yet: without their private key nothing can be read");
}

/* Nothing is to be sealed; an image that was built earlier goes on. */
static void check_no_image_seals(struct doctor *d)
{
	struct err ignored = ERR_INIT;
	char path[128];

	snprintf(path, sizeof(path), "/var/lib/kdump/initrd.img-%s", d->release);
	if (d->has_kdump && has_in_initrd(d, path, is_any_recipients, &ignored) > 0)
		doctor_say(d, "seal", DOCTOR_FAILURE, REBUILD,
			   "%s still seals traces, and this machine's settings and recipients do not ask for it", path);
}

void doctor_check_seal(struct doctor *d)
{
	static struct seal_place place;
	struct err err = ERR_INIT;
	struct recipients keys;

	if (seal_place_find(&place, d->root, &err)) {
		doctor_say(d, "seal", DOCTOR_FAILURE, "correct it; epitaph-config(5) has the settings", "%s", err.msg);
		return;
	}
	/* Without recipients, that the disk is encrypted has been said. */
	if (!place.is_wanted || (place.conf.when != SEAL_WHEN_ALWAYS && !machine_exists(d->root, RECIPIENTS))) {
		check_no_image_seals(d);
		return;
	}
	if (place.conf.when != SEAL_WHEN_ALWAYS && !d->has_kdump) {
		doctor_say(d, "seal", DOCTOR_WARNING, "set up kdump; or nothing, if memory outlives a reset",
			   "nothing seals here: there is no capture kernel, and memory alone has a trace until the next boot");
		return;
	}
	if (!check_recipients(d, &keys) || !check_place(d, &place) ||
	    (place.root_is_encrypted && d->has_kdump && !check_capture_image(d, &place, &keys)))
		return;
	if (place.conf.when == SEAL_WHEN_ALWAYS && d->has_kdump && !check_policy_is_kept(d))
		return;
	/* What does not compress becomes a little larger. */
	if (place.is_raw && place.conf.quota < d->region_size + d->region_size / 100)
		doctor_say(d, "seal", DOCTOR_WARNING, "name a larger partition by PLACE= in " SEAL_CONF ", then epitaph setup --write and " REBUILD,
			   "%s has room for traces of %llu KiB, and the region has %llu KiB: one that compresses badly is not sealed",
			   place.dir, place.conf.quota >> 10, d->region_size >> 10);
	else if (place.conf.quota < d->region_size + d->region_size / 100)
		doctor_say(d, "seal", DOCTOR_WARNING, "set QUOTA= in " SEAL_CONF " to more than the region, then " REBUILD,
			   "QUOTA= allows %llu KiB, and the region has %llu KiB: a trace that compresses badly is not sealed",
			   place.conf.quota >> 10, d->region_size >> 10);
	else
		doctor_say(d, "seal", DOCTOR_OK, NULL, "traces are sealed for %u recipient%s, in %s", keys.nr,
			   keys.nr == 1 ? "" : "s", place.dir);
	check_canary(d, &keys);
	if (place.conf.when == SEAL_WHEN_ALWAYS && !place.root_is_encrypted && d->has_kdump)
		doctor_say(d, "vmcore", DOCTOR_WARNING, "if that must not be: let kdump save to an encrypted disk or send its dump",
			   "WHEN=always seals traces, and kdump saves its vmcore in the clear");
}
