// SPDX-License-Identifier: GPL-2.0-or-later
/* A file system that is damaged, and decided to panic. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "judge/words.h"
#include "panic.h"

#define MOST_IO_ERRORS	3

/* File systems that name their disk alone: "FAT-fs (vdb1): fs panic from previous error" */
static const char *const of_disk_alone[] = { "FAT-fs (", "exFAT-fs (", "bcachefs (" };

/* Where the disk's name begins; NULL: the text does not begin with one of them. */
static const char *disk_alone(struct report_text text)
{
	for (size_t i = 0; i < ARRAY_SIZE(of_disk_alone); i++)
		if (text.len > strlen(of_disk_alone[i]) && !memcmp(text.text, of_disk_alone[i], strlen(of_disk_alone[i])))
			return text.text + strlen(of_disk_alone[i]);
	return NULL;
}

/* "vdb" of "EXT4-fs error (device vdb): ..." and "EXT4-fs (device vdb): panic forced ...". */
static bool device_of(struct report_text text, char device[32])
{
	const char *at = text.text ? memmem(text.text, text.len, "(device ", 8) : NULL;
	size_t len = 0;

	at = at ? at + 8 : text.text ? disk_alone(text) : NULL;
	if (!at)
		return false;
	for (; at + len < text.text + text.len && len < 31 &&
	     (isalnum((unsigned char)at[len]) || at[len] == '-' || at[len] == '_'); len++)
		device[len] = at[len];
	device[len] = '\0';
	return len;
}

/* Is the disk of @len bytes @device itself, or does it have it as a partition: sda1, nvme0n1p2? */
static bool is_disk_of(const char *device, const char *disk, size_t len)
{
	if (!len || strncmp(device, disk, len))
		return false;
	device += len;
	if (isdigit((unsigned char)disk[len - 1]) && *device == 'p')
		device++;
	else if (isdigit((unsigned char)disk[len - 1]))
		return !*device;
	return strspn(device, "0123456789") == strlen(device);
}

/* Words in front of the disk's name: of the block layer, of the buffer cache and of a journal. */
static const char *const io_errors[] = {
	"error, dev ", "Buffer I/O error on dev ", "Buffer I/O error on device ",
	"updating journal superblock for ", "flushing file data on ",
};

/* The length of the disk's name at @at; a journal is called by its disk and its inode: sda1-8. */
static size_t disk_name(const char *at, const char *end, bool is_journal)
{
	size_t len = 0, digits = 0;

	while (at + len < end && (isalnum((unsigned char)at[len]) || at[len] == '-' || at[len] == '_'))
		len++;
	while (digits < len && isdigit((unsigned char)at[len - digits - 1]))
		digits++;
	return is_journal && digits && digits < len && at[len - digits - 1] == '-' ? len - digits - 1 : len;
}

/* Requests that a disk may refuse without harm, and an answer that it does not know one. */
static bool is_harmless(struct report_text line)
{
	static const char *const words[] = {
		"operation not supported error", "(WRITE_ZEROES)", "(DISCARD)", "(SECURE_ERASE)", "(SECURE ERASE)",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (report_text_has(line, words[i]))
			return true;
	return false;
}

/* Words of ext4, XFS and btrfs themselves, behind the device. */
static bool says_io_error(struct report_text line)
{
	static const char *const words[] = {
		"I/O error", "IO failure", "Cannot read block bitmap", "Cannot read inode bitmap",
		"unable to read itable block",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (report_text_has(line, words[i]))
			return true;
	return false;
}

static bool is_io_error(struct report_text line, const char *device)
{
	const char *end = line.text + line.len, *at;
	char named[32];

	if (is_harmless(line))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(io_errors); i++) {
		at = memmem(line.text, line.len, io_errors[i], strlen(io_errors[i]));
		if (!at)
			continue;
		at += strlen(io_errors[i]);
		if (is_disk_of(device, at, disk_name(at, end, i >= 3)))
			return true;
	}
	return says_io_error(line) && device_of(line, named) && !strcmp(device, named);
}

/* "sd 6:0:0:0: [sdb] Attached SCSI removable disk": drivers/scsi/sd.c. Up to then the name was another disk's, or none's. */
static bool is_attached(struct report_text line, const char *device)
{
	const char *end = memmem(line.text, line.len, "] Attached SCSI", 15), *at = end ? memrchr(line.text, '[', end - line.text) : NULL;

	return at && is_disk_of(device, at + 1, end - at - 1);
}

/* I/O errors of @device, or of the disk that it is a partition of: the first lines become evidence. */
static bool had_io_error(struct explain *explain, const char *device, u64 before)
{
	const struct report_lines *lines = &explain->death->lines;
	u32 nr = 0, first = lines->nr;

	while (first && !is_attached((struct report_text){ lines->list[first - 1].text, lines->list[first - 1].len }, device))
		first--;
	for (u32 i = first; i < lines->nr && nr < MOST_IO_ERRORS; i++) {
		struct report_text text = { lines->list[i].text, lines->list[i].len };

		if (lines->list[i].time > before || !is_io_error(text, device))
			continue;
		finding_evidence(explain->finding, lines->list[i].time, finding_line(text.text, text.len), "%.*s", WORDS(text));
		nr++;
	}
	return nr;
}

/* What such a file system said last before it panicked: "FAT-fs (vdb1): error, fat_get_cluster: invalid cluster chain" */
static void add_error_line(struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;
	const char *end = explain->said.text ? memchr(explain->said.text, ')', explain->said.len) : NULL;
	size_t len = end ? end - explain->said.text + 1 : 0;

	for (u32 i = lines->nr; len && disk_alone(explain->said) && i--; ) {
		struct report_text text = { lines->list[i].text, lines->list[i].len };

		if (text.len <= len || memcmp(text.text, explain->said.text, len) || !memmem(text.text + len, text.len - len, "error, ", 7))
			continue;
		finding_evidence(explain->finding, lines->list[i].time, finding_line(text.text, text.len), "%.*s", WORDS(text));
		return;
	}
}

/* Words with which the kernel's file systems panic. */
static bool is_forced(struct report_text said)
{
	static const char *const words[] = { "panic forced after error", "fs panic from previous error", "panic after error" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (report_text_has(said, words[i]))
			return true;
	return false;
}

bool judge_filesystem(struct explain *explain)
{
	const struct kernel_report *cause = explain->cause;
	struct finding *finding = explain->finding;
	char device[32];
	bool is_cause = cause && cause->kind == KERNEL_REPORT_FILESYSTEM;

	if (!is_cause && !is_forced(explain->said))
		return false;
	/* Each file system of the kernel names its device; a module's own panic() may use the same words. */
	if (!device_of(is_cause ? cause->title : explain->said, device)) {
		if (!is_cause)
			return false;
		snprintf(device, sizeof(device), "an unknown device");
	}
	words_report_evidence(explain, explain->panic);
	add_error_line(explain);
	if (had_io_error(explain, device, explain->panic ? explain->panic->time : explain->pm->end.time))
		finding_claim(finding, "filesystem", FINDING_LIKELY,
			      "The file system on %s has errors=panic and found an error, after reads or writes of its disk had failed.", device);
	else
		finding_claim(finding, "filesystem", FINDING_SHOWN,
			      "The file system on %s has errors=panic, and it found an error in itself.", device);
	if (is_cause)
		words_report_evidence(explain, cause);
	if (finding->strength == FINDING_SHOWN) {
		finding_note(&finding->not_found, "an I/O error of %s in the log", device);
		finding_open(finding, "What damaged it. On that machine, with the file system not mounted: fsck -n /dev/%s", device);
	}
	return true;
}
