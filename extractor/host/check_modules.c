// SPDX-License-Identifier: GPL-2.0-or-later
/* Will the kernel that boots next find the recorder, and be allowed to load it? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor.h"
#include "initrd.h"

#define MODULES		"/lib/modules"
#define DEP_SIZE	(4U << 20)
#define SIGNED		"~Module signature appended~\n"
#define KEY		"/var/lib/dkms/mok.pub"	/* a certificate, DER */
#define OWN_KEY		"/usr/share/epitaph/module-key-%s.der"	/* in a package of scripts/deb-modules */
#define KEY_SIZE	8192
#define EFIVARS		"/sys/firmware/efi/efivars"
#define SHIM		"605dab50-e046-4300-abb6-3dd810dd8b23"
#define DB		"d719b2cb-3d3a-4596-a3bc-dad00e67656f"
#define KEYS_SIZE	(1U << 18)

/* The line of modules.dep that depmod(8) made for it, up to the colon. */
static bool find_in_modules_dep(const char *dep, char *name, size_t size)
{
	const char *at = strstr(dep, "/epitaph.ko");
	const char *start = at;

	while (at && at[strcspn(at, ":\n ")] != ':')
		at = start = strstr(at + 1, "/epitaph.ko");
	if (!at)
		return false;
	while (start > dep && start[-1] != '\n')
		start--;
	snprintf(name, size, "%.*s", (int)strcspn(start, ":"), start);
	return true;
}

/* The file of a kernel's recorder, from the root. */
static bool find_module(const struct doctor *d, const char *release, char *path, size_t size)
{
	char dep_path[256], name[256];
	char *dep = malloc(DEP_SIZE);
	bool found;

	snprintf(dep_path, sizeof(dep_path), MODULES "/%s/modules.dep", release);
	found = dep && machine_read(d->root, dep_path, dep, DEP_SIZE) > 0 &&
		find_in_modules_dep(dep, name, sizeof(name));
	if (found)
		snprintf(path, size, MODULES "/%s/%s", release, name);
	free(dep);
	return found;
}

/* CONFIG_EPITAPH=y: docs/built-in.md. */
static bool is_built_in(const struct doctor *d, const char *release)
{
	char path[256], *text;
	bool found;

	snprintf(path, sizeof(path), MODULES "/%s/modules.builtin", release);
	text = machine_read_whole(d->root, path);
	found = text && strstr(text, "/epitaph.ko");
	free(text);
	return found;
}

/* struct kernels - the installed kernels; @anywhere: one of them has the recorder */
struct kernels {
	const struct doctor *d;
	char newest[MACHINE_RELEASE];
	bool anywhere;
};

static bool note_installed_kernel(const char *release, void *arg)
{
	struct kernels *kernels = arg;
	char path[512], boot[300], own[300];

	if (strlen(release) >= MACHINE_RELEASE)
		return false;
	kernels->anywhere |= find_module(kernels->d, release, path, sizeof(path)) || is_built_in(kernels->d, release);
	/* Where a boot loader finds a kernel. */
	snprintf(boot, sizeof(boot), "/boot/vmlinuz-%s", release);
	snprintf(own, sizeof(own), MODULES "/%s/vmlinuz", release);
	if ((machine_exists(kernels->d->root, boot) || machine_exists(kernels->d->root, own)) &&
	    strverscmp(release, kernels->newest) > 0)
		strcpy(kernels->newest, release);
	return false;
}

static void report_missing_module(struct doctor *d, const char *release, const char *when)
{
	char advice[320];

	snprintf(advice, sizeof(advice),
		 "install linux-headers-%s and run: dkms autoinstall -k %s; if that fails, /var/lib/dkms/epitaph/*/build/make.log has why",
		 release, release);
	doctor_say(d, "module", DOCTOR_FAILURE, advice, "epitaph.ko is not there for kernel %s, %s",
		   release, when);
}

static bool must_be_signed(const struct doctor *d)
{
	char text[128];

	if (machine_read(d->root, "/sys/kernel/security/lockdown", text, sizeof(text)) > 0 &&
	    (strstr(text, "[integrity]") || strstr(text, "[confidentiality]")))
		return true;
	return machine_read(d->root, "/sys/module/module/parameters/sig_enforce", text,
			    sizeof(text)) > 0 && text[0] == 'Y';
}

/* How far the key is that the modules are signed by. */
enum key_state {
	KEY_UNKNOWN,	/* no EFI variables to be seen */
	KEY_NONE,	/* DKMS has not made it yet, or another one signs */
	KEY_LOOSE,	/* nothing but a file */
	KEY_WAITS,	/* mokutil --import was run, and the firmware has not asked yet */
	KEY_FIRMWARE,	/* the firmware's db has it, which Debian's kernels trust for modules too */
	KEY_ENROLLED,
};

/**
 * struct module_key - that key
 * @path: of its certificate
 * @owner: words for whose it is
 */
struct module_key {
	enum key_state state;
	char path[128];
	const char *owner;
};

/* Lists of keys have the certificates as they are, one behind the other. */
static bool has_key(const struct doctor *d, const char *list, const char *key, size_t len)
{
	char *keys = malloc(KEYS_SIZE);
	ssize_t n = keys ? machine_read(d->root, list, keys, KEYS_SIZE) : -1;
	bool found = n > 0 && memmem(keys, n, key, len);

	free(keys);
	return found;
}

/* That of a package with the modules of @release, if there is one, or else DKMS's. */
static struct module_key find_key(const struct doctor *d, const char *release)
{
	struct module_key key = { .owner = "the key of the package" };
	char bytes[KEY_SIZE];
	ssize_t n;

	snprintf(key.path, sizeof(key.path), OWN_KEY, release);
	n = machine_read(d->root, key.path, bytes, sizeof(bytes));
	if (n <= 0) {
		key = (struct module_key){ .path = KEY, .owner = "the key of DKMS" };
		n = machine_read(d->root, KEY, bytes, sizeof(bytes));
	}
	if (n <= 0)
		key.state = KEY_NONE;
	else if (!machine_exists(d->root, EFIVARS "/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"))
		key.state = KEY_UNKNOWN;
	else if (has_key(d, EFIVARS "/MokListRT-" SHIM, bytes, n))
		key.state = KEY_ENROLLED;
	else if (has_key(d, EFIVARS "/db-" DB, bytes, n))
		key.state = KEY_FIRMWARE;
	else
		key.state = machine_exists(d->root, EFIVARS "/MokNew-" SHIM) ? KEY_WAITS : KEY_LOOSE;
	return key;
}

static void report_unsigned(struct doctor *d, const char *path, const char *release)
{
	static const char *const advice[] = {
		[KEY_UNKNOWN] = "have DKMS sign it: mokutil --import " KEY ", reboot to enrol that key, then dkms install --force",
		[KEY_NONE] = "have DKMS sign it: dkms build --force makes the key; then mokutil --import " KEY ", reboot to enrol it, dkms install --force",
		[KEY_LOOSE] = "have DKMS sign it: mokutil --import " KEY ", reboot to enrol that key, then dkms install --force",
		[KEY_WAITS] = "reboot, and confirm the key at the console, where shim asks for it; then dkms install --force",
		[KEY_FIRMWARE] = "the firmware has the key of DKMS: dkms build --force signs by it, then dkms install --force",
		[KEY_ENROLLED] = "the key of DKMS is enrolled: dkms build --force signs by it, then dkms install --force",
	};

	doctor_say(d, "signature", DOCTOR_FAILURE,
		   strstr(path, "/updates/epitaph/") ? "install epitaph-modules made by scripts/deb-modules --key KEY --cert CERT" :
						       advice[find_key(d, release).state],
		   "only signed modules may be loaded (lockdown or Secure Boot), and %s is not signed",
		   path);
}

/* What is loaded has a signature that is trusted, whatever its key. */
static void report_signed(struct doctor *d, const char *release)
{
	static const char found[] = "the module is signed, as it must be here";
	struct module_key key = find_key(d, release);
	char advice[256];

	if (d->has_recorder)
		key.state = KEY_ENROLLED;
	if (key.state == KEY_WAITS) {
		doctor_say(d, "signature", DOCTOR_WARNING,
			   "reboot, and confirm the key at the console, where shim asks for it",
			   "%s; its key waits to be enrolled, if %s has signed it", found, key.owner);
	} else if (key.state == KEY_LOOSE) {
		snprintf(advice, sizeof(advice), "mokutil --import %s, and reboot to enrol that key", key.path);
		doctor_say(d, "signature", DOCTOR_WARNING, advice,
			   "%s; %s is not enrolled, and what it has signed is refused", found, key.owner);
	} else if (key.state == KEY_FIRMWARE) {
		snprintf(advice, sizeof(advice), "if this kernel refuses it: mokutil --import %s, and reboot to enrol that key", key.path);
		doctor_say(d, "signature", DOCTOR_OK, advice,
			   "%s; the firmware's db has %s, which Debian's kernels trust", found, key.owner);
	} else {
		snprintf(advice, sizeof(advice), "mokutil --test-key %s says whether the key is enrolled", key.path);
		doctor_say(d, "signature", DOCTOR_OK, key.state == KEY_ENROLLED ? NULL : advice, "%s", found);
	}
}

static void check_signature(struct doctor *d, const char *path, const char *release)
{
	char tail[sizeof(SIGNED) - 1];
	struct err err = ERR_INIT;
	int fd = machine_open(d->root, path);
	int ret;

	if (fd < 0)
		return;
	ret = initrd_tail(fd, tail, sizeof(tail), &err);
	close(fd);
	if (ret)
		doctor_say(d, "signature", DOCTOR_WARNING, "modinfo -F signer epitaph",
			   "only signed modules may be loaded, and whether %s is signed is not known: %s",
			   path, err.msg);
	else if (memcmp(tail, SIGNED, sizeof(tail)))
		report_unsigned(d, path, release);
	else
		report_signed(d, release);
}

static bool is_recorder(const char *name)
{
	const char *base = strrchr(name, '/');

	return !strncmp(base ? base + 1 : name, "epitaph.ko", 10);
}

/* Loaded after the initramfs, nd_pmem may take the memory, and the first seconds are lost. */
static void check_early(struct doctor *d, const char *release)
{
	static const char *const places[][2] = { { "initrd.img-", "" }, { "initramfs-", ".img" },
						 { "initrd-", "" } };
	struct err err = ERR_INIT;
	char path[128], advice[200];
	int fd = -1, has;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(places) && fd < 0; i++) {
		snprintf(path, sizeof(path), "/boot/%s%s%s", places[i][0], release, places[i][1]);
		fd = machine_open(d->root, path);
	}
	if (fd < 0)
		return;
	has = initrd_has(fd, is_recorder, &err);
	close(fd);
	if (has > 0)
		doctor_say(d, "early", DOCTOR_OK, NULL, "%s has the recorder", path);
	snprintf(advice, sizeof(advice), "update-initramfs -u -k all, or dracut --force --kver %s", release);
	if (!has)
		doctor_say(d, "early", DOCTOR_WARNING, advice,
			   "%s does not have the recorder: it is loaded late, and the NVDIMM driver nd_pmem may take its memory before",
			   path);
}

static void check_newest_kernel(struct doctor *d, const struct kernels *kernels)
{
	const char *next = kernels->newest[0] ? kernels->newest : d->release;
	char path[512];

	if (is_built_in(d, next)) {
		doctor_say(d, "module", DOCTOR_OK, NULL, "built into kernel %s", next);
		return;
	}
	if (strcmp(next, d->release) && !find_module(d, next, path, sizeof(path))) {
		report_missing_module(d, next, "the newest: after a reboot into it nothing records");
		return;
	}
	if (!find_module(d, next, path, sizeof(path)))
		return;
	doctor_say(d, "module", DOCTOR_OK, NULL, "installed for kernel %s", next);
	if (must_be_signed(d))
		check_signature(d, path, next);
	check_early(d, next);
}

void doctor_check_modules(struct doctor *d)
{
	struct kernels kernels = { .d = d };
	char path[512];

	if (!d->release[0] || !machine_exists(d->root, MODULES))
		return;
	machine_each(d->root, MODULES, note_installed_kernel, &kernels);
	if (!kernels.anywhere && d->has_recorder)
		doctor_say(d, "module", DOCTOR_WARNING, "install epitaph-dkms",
			   "the recorder was loaded by hand and is installed for no kernel: not there after a reboot");
	else if (!is_built_in(d, d->release) && !find_module(d, d->release, path, sizeof(path)))
		report_missing_module(d, d->release, "which runs");
	if (kernels.anywhere)
		check_newest_kernel(d, &kernels);
}
