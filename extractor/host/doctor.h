/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DOC: host
 *
 * The machine of the recorder: doctor's checks before a crash, and memory for the recorder on the
 * kernel's command line (setup.h).
 *
 *	struct doctor d = { .root = "" };
 *
 *	doctor_run(&d);
 *	doctor_put_text(&d);
 */
#ifndef EPITAPH_HOST_DOCTOR_H
#define EPITAPH_HOST_DOCTOR_H

#include "cmdline.h"
#include "machine_files.h"

#define DOCTOR_MAX	64	/* findings */

enum doctor_verdict {
	DOCTOR_OK,
	DOCTOR_WARNING,		/* one way out less, or something to know */
	DOCTOR_FAILURE,		/* it will not work, or not as it was set up */
};

/**
 * struct doctor_finding - what one check found
 * @check: its name, one word
 * @found: a sentence, printable
 * @advice: what to do, a sentence; "" where there is nothing
 * @seconds: that it took; -1: not a step, or not known
 */
struct doctor_finding {
	const char *check;
	enum doctor_verdict verdict;
	s64 seconds;
	char found[320];
	char advice[320];
};

/**
 * struct doctor - the machine, and the findings
 * @root: in front of each path; "" for this machine
 * @without_kdump: check as if no capture kernel were loaded
 * @cmdline: of the running kernel
 * @release: of the running kernel; "": unknown
 * @has_kdump: a capture kernel is loaded, so a crash need not outlive a reset
 * @has_recorder: the module is loaded
 * @region_addr: where it lies, if there is one
 * @region_size: bytes; 0: there is none
 * @region_kind: "memmap", "reserve_mem", "pages", "device" or "device_tree"
 */
struct doctor {
	const char *root;
	bool without_kdump;
	char cmdline[CMDLINE_SIZE];
	char release[MACHINE_RELEASE];
	bool has_kdump;
	bool has_recorder;
	u64 region_addr;
	u64 region_size;
	char region_kind[16];
	struct doctor_finding list[DOCTOR_MAX];
	unsigned int nr;
};

/* Runs every check. */
void doctor_run(struct doctor *d);

/* The checks, in this order: later checks use facts that earlier ones set. */
void doctor_check_crash(struct doctor *d);	/* sets has_kdump */
void doctor_check_region(struct doctor *d);	/* sets what the region is */
void doctor_check_hook(struct doctor *d);
void doctor_check_kdump_settings(struct doctor *d);
void doctor_check_capture_boot(struct doctor *d);
void doctor_check_seal(struct doctor *d);
void doctor_check_reset(struct doctor *d);
void doctor_check_modules(struct doctor *d);
void doctor_check_after(struct doctor *d);
void doctor_check_room(struct doctor *d);
void doctor_check_send(struct doctor *d);
void doctor_check_memory_errors(struct doctor *d);

/* Can the kernel that runs start another one when it dies? */
bool doctor_has_kexec(const struct doctor *d);

/**
 * doctor_say() - note a finding
 * @advice: NULL if nothing is to be done
 *
 * The finding is escaped.
 */
__attribute__((format(printf, 5, 6)))
void doctor_say(struct doctor *d, const char *check, enum doctor_verdict verdict,
		const char *advice, const char *fmt, ...);

/* doctor_took() - the finding that was noted last is a step that was done after so many seconds */
void doctor_took(struct doctor *d, s64 seconds);

#define DOCTOR_STORE	"/var/lib/epitaph"
#define DOCTOR_CANARY	DOCTOR_STORE "/canary"	/* digest of the recipients that a test was sealed to */

#define DOCTOR_IMAGE	128	/* characters of a path */

/* The initramfs of this kernel's capture kernel, and what builds it anew; false: none is known. */
bool doctor_find_kdump_image(const struct doctor *d, char path[DOCTOR_IMAGE], const char **ret_rebuild);

struct statvfs;

/* The file system where @path is, or will be made. */
bool doctor_file_system(const struct doctor *d, const char *path, struct statvfs *vfs);

/* All findings, to standard output: lines for people, or an array. */
void doctor_put_text(const struct doctor *d);
void doctor_put_json(const struct doctor *d);

unsigned int doctor_count(const struct doctor *d, enum doctor_verdict verdict);

#endif
