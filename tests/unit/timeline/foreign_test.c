// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What each command says of a vmcore without a region: of a kernel that has a
 * log, and neither symbols nor a trace.
 *
 * build: tests/lib/klog_image.c tests/lib/kmem_image.c
 * only: plain
 */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "klog_image.h"
#include "tap.h"

#define EPITAPH "../../extractor/epitaph"
#define REGION_AT	0x700000	/* in its memory, behind all else */

static const char *const died_of_mce[] = {
	"Linux version 6.1.0-test",
	"mce: [Hardware Error]: CPU 1: Machine Check Exception: 5 Bank 4: be00000000800400",
	"mce: [Hardware Error]: RIP !INEXACT! 10:<ffffffff81000010> {where}",
	"mce: [Hardware Error]: TSC 1234 ADDR 12345000 MISC 86 ",
	"mce: [Hardware Error]: PROCESSOR 0:50654 TIME 1700000000 SOCKET 0 APIC 2 microcode 2000065",
	"Kernel panic - not syncing: Fatal machine check on current CPU",
	NULL,
};

static const char *const died_of_null[] = {
	"Linux version 6.1.0-test", "Kernel panic - not syncing: \033[31msysrq triggered crash", NULL,
};

static const char *const died_later[] = {
	"Linux version 6.1.0-test", "of two lines the second is\nlate", "Kernel panic - not syncing: sysrq triggered crash", NULL,
};

static struct log log_of(const char *const *lines)
{
	struct log log = log_make(3, 10);
	size_t n;

	log.facility = 0;
	for (n = 0; lines[n]; n++)
		log_say(&log, FINALIZED, lines[n]);
	log_set_ids(&log, n);
	return log;
}

/* The file is there as long as the descriptor is open. */
static int dump_of(const char *const *lines)
{
	struct log log = log_of(lines);
	int fd = kmem_fd(&log.k);

	kmem_free(&log.k);
	return fd;
}

/* The kernel was recorded, if @same; else its memory has what the boot before recorded. */
static int dump_with_region(const char *const *lines, bool same)
{
	struct log log = log_of(lines);
	FILE *f = popen("../golden/mkregion ../golden/kernel-log.region /dev/stdout", "r");
	int fd;

	if (!f || !fread(log.k.mem + REGION_AT, 1, KMEM_SIZE - REGION_AT, f) || pclose(f))
		abort();
	/* "late" is the newest line that the recorder found: at 4 s. */
	if (same)
		log_put64(&log, log.infos + INFO_SIZE + 8, 4000000000);
	fd = kmem_fd(&log.k);
	kmem_free(&log.k);
	return fd;
}

/* Both streams of "epitaph ARGS" on the file; the exit status. */
static int said(char *buf, size_t size, const char *args, int fd)
{
	char cmd[300];
	size_t n;
	FILE *f;

	snprintf(cmd, sizeof(cmd), EPITAPH " %s /proc/%d/fd/%d 2>&1", args, getpid(), fd);
	f = popen(cmd, "r");
	if (!f)
		abort();
	n = fread(buf, 1, size - 1, f);
	buf[n] = 0;
	return WEXITSTATUS(pclose(f));
}

static bool has(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (!CHECK(strstr(text, *words), "no \"%s\" in %s", *words, text))
			return false;
	return true;
}

static void foreign__info_tells_kernel_crash_log_and_what_next(void)
{
	static const char *const words[] = {
		"ELF vmcore", "none: no region in this ELF vmcore", "6.1.0-test", "little-endian",
		"kernel log   2 lines", "trace        none was found", "next         ", "damage       ",
		"\\x1b[31msysrq triggered crash", NULL,
	};
	int fd = dump_of(died_of_null), status;
	char text[16384];

	status = said(text, sizeof(text), "info", fd);
	CHECK(status == 1, "%d", status);
	has(text, words);
	close(fd);
}

static void foreign__info_is_json_too(void)
{
	static const char *const words[] = {
		"\"region\":null", "\"kernel\":\"6.1.0-test\"", "\"log_lines\":2", "\"ftrace\":null",
		"\"machine_checks\":0", "\"damage\":[\"", NULL,
	};
	int fd = dump_of(died_of_null), status;
	char text[16384];

	status = said(text, sizeof(text), "info --json --generation all", fd);
	CHECK(status == 1, "%d", status);
	has(text, words);
	close(fd);
}

static void foreign__a_generation_of_it_is_not_there(void)
{
	int fd = dump_of(died_of_null), status;
	char text[16384];

	status = said(text, sizeof(text), "info --generation 1", fd);
	CHECK(status == 4 && strstr(text, "no region in this"), "%d %s", status, text);
	close(fd);
}

static void foreign__check_says_what_lacks(void)
{
	int fd = dump_of(died_of_null), status;
	char text[16384];

	status = said(text, sizeof(text), "check", fd);
	CHECK(status == 1 && strstr(text, "the kernel: "), "%d %s", status, text);
	status = said(text, sizeof(text), "check --json", fd);
	CHECK(status == 1 && strstr(text, "\"whole\":false") && strstr(text, "\"what\":\"the kernel: "),
	      "%d %s", status, text);
	close(fd);
}

static void foreign__machine_checks_come_from_the_log(void)
{
	static const char *const words[] = {
		"machine check 1 of 1", "bank 4 of CPU 1 (socket 0, APIC id 0x2)",
		"addr=0x12345000", "the kernel's log", NULL,
	};
	int fd = dump_of(died_of_mce), status;
	char text[16384];

	status = said(text, sizeof(text), "mce", fd);
	CHECK(status == 1, "%d", status);
	has(text, words);
	said(text, sizeof(text), "mce --raw", fd);
	CHECK(strstr(text, "cpu=1 bank=4") && strstr(text, "sources=kernel-log"), "%s", text);
	said(text, sizeof(text), "mce --json", fd);
	CHECK(strstr(text, "\"machine_checks\":1") && strstr(text, "\"bank\":4"), "%s", text);
	said(text, sizeof(text), "info", fd);
	CHECK(strstr(text, "1 machine check in the log"), "%s", text);
	close(fd);
}

static void foreign__without_machine_checks_a_sentence_says_where_was_looked(void)
{
	int fd = dump_of(died_of_null);
	char text[16384];

	said(text, sizeof(text), "mce", fd);
	CHECK(strstr(text, "none is in the kernel's log (2 lines)"), "%s", text);
	close(fd);
}

/* Neither lines nor tasks nor addresses of one boot have a meaning in the other. */
static void foreign__two_boots_are_not_one_timeline(void)
{
	int fd = dump_with_region(died_of_null, false);
	char text[16384];

	said(text, sizeof(text), "report --all", fd);
	CHECK(strstr(text, "number: value=") && !strstr(text, "sysrq triggered crash") &&
	      strstr(text, "# the dumped kernel is of another boot: --source ftrace,log reads it"), "%s", text);
	said(text, sizeof(text), "report --all --source all", fd);
	CHECK(strstr(text, "generation 1 is of another boot than this kernel; --generation 1 reads the recording") &&
	      strstr(text, "CRASH: ") && strstr(text, "sysrq triggered crash") && !strstr(text, "number: value="),
	      "%s", text);
	said(text, sizeof(text), "report --all --source all --generation 1", fd);
	CHECK(strstr(text, "number: value=") && !strstr(text, "sysrq triggered crash"), "%s", text);
	said(text, sizeof(text), "export --to json -o - --source all --generation 1", fd);
	CHECK(strstr(text, "\"crash\":null") && !strstr(text, "printk:log"), "%s", text);
	said(text, sizeof(text), "explain", fd);
	CHECK(strstr(text, "sysrq-c") && strstr(text, "generation 1 is of another boot"), "%s", text);
	said(text, sizeof(text), "explain --generation 1", fd);
	CHECK(strstr(text, "of another boot than generation 1") && !strstr(text, "sysrq-c"), "%s", text);
	close(fd);
}

/* The line that the recorder found is there, the second one of what one printk() printed. */
static void foreign__one_boot_is_one_timeline(void)
{
	int fd = dump_with_region(died_later, true);
	char text[16384];

	said(text, sizeof(text), "report --all --source all", fd);
	CHECK(strstr(text, "number: value=") && strstr(text, "CRASH: ") && !strstr(text, "another boot"), "%s", text);
	close(fd);
}

int main(void)
{
	TAP_RUN(foreign__info_tells_kernel_crash_log_and_what_next);
	TAP_RUN(foreign__info_is_json_too);
	TAP_RUN(foreign__a_generation_of_it_is_not_there);
	TAP_RUN(foreign__check_says_what_lacks);
	TAP_RUN(foreign__machine_checks_come_from_the_log);
	TAP_RUN(foreign__without_machine_checks_a_sentence_says_where_was_looked);
	TAP_RUN(foreign__two_boots_are_not_one_timeline);
	TAP_RUN(foreign__one_boot_is_one_timeline);
	return tap_done();
}
