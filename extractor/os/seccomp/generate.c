// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes seccomp_filters.c: which system calls a process in the sandbox may make.
 *
 * libseccomp makes the filters at build time, because to do so in each process would cost 0.3 ms.
 * usage: seccomp-filters ARCHITECTURE, as libseccomp calls it
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/types.h"
#include "os/seccomp_filter.h"

/* Allowed with any arguments. */
static const int allowed_calls[] = {
	SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(readv), SCMP_SYS(write), SCMP_SYS(pwrite64),
	SCMP_SYS(writev), SCMP_SYS(lseek), SCMP_SYS(close), SCMP_SYS(dup), SCMP_SYS(fstat),
	SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(fsync), SCMP_SYS(ftruncate),
	SCMP_SYS(fadvise64), SCMP_SYS(getdents64),
	SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
	SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
	SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group),
	SCMP_SYS(futex), SCMP_SYS(ppoll), SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres),
	SCMP_SYS(gettimeofday), SCMP_SYS(getrandom), SCMP_SYS(getpid), SCMP_SYS(gettid),
	SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(sysinfo), SCMP_SYS(getrusage),
};

/* Allowed if the low 32 bits of argument @arg, masked by @mask, are @value: int arguments. */
static const struct argument_rule {
	int call;
	unsigned int arg;
	u32 mask;
	u32 value;
} argument_rules[] = {
	{ SCMP_SYS(mmap), 2, PROT_EXEC, 0 },
	{ SCMP_SYS(mprotect), 2, PROT_EXEC, 0 },
	{ SCMP_SYS(ioctl), 1, ~0U, TCGETS },
	{ SCMP_SYS(ioctl), 1, ~0U, TIOCGWINSZ },
	{ SCMP_SYS(ioctl), 1, ~0U, BLKGETSIZE64 },
	{ SCMP_SYS(fcntl), 1, ~0U, F_DUPFD },
	{ SCMP_SYS(fcntl), 1, ~0U, F_DUPFD_CLOEXEC },
	{ SCMP_SYS(fcntl), 1, ~0U, F_GETFD },
	{ SCMP_SYS(fcntl), 1, ~0U, F_SETFD },
	{ SCMP_SYS(fcntl), 1, ~0U, F_GETFL },
	{ SCMP_SYS(tgkill), 0, ~0U, SECCOMP_OWN_PID },	/* abort() */
};

static const struct argument_rule openat_to_read = {
	SCMP_SYS(openat), 2, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0
};

static int allow_masked(scmp_filter_ctx filter, struct argument_rule r)
{
	return seccomp_rule_add(filter, SCMP_ACT_ALLOW, r.call, 1,
				SCMP_CMP(r.arg, SCMP_CMP_MASKED_EQ, r.mask, r.value));
}

static void add_rules(scmp_filter_ctx filter, enum seccomp_files files)
{
	int bad = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(allowed_calls); i++)
		bad |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed_calls[i], 0);
	for (i = 0; i < ARRAY_SIZE(argument_rules); i++)
		bad |= allow_masked(filter, argument_rules[i]);
	if (files == SECCOMP_MAKE_FILES)
		bad |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 0);
	else if (files == SECCOMP_READ_FILES)
		bad |= allow_masked(filter, openat_to_read);
	if (bad)
		exit(1);
}

/*
 * What is not allowed fails and does not kill: a C library newer than the list asks for calls
 * that it can do without. The same goes for the calls of another architecture of the machine.
 */
static scmp_filter_ctx new_filter(const char *arch)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	u32 token = seccomp_arch_resolve_name(arch);

	if (!filter || !token ||
	    seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM)))
		exit(1);
	if (token != seccomp_arch_native() &&
	    (seccomp_arch_remove(filter, SCMP_ARCH_NATIVE) || seccomp_arch_add(filter, token)))
		exit(1);
	return filter;
}

static void put_bpf(scmp_filter_ctx filter)
{
	u8 code[SECCOMP_MAX_CODE * sizeof(struct sock_filter)];
	FILE *f = tmpfile();
	size_t size, i;

	if (!f || seccomp_export_bpf(filter, fileno(f)))
		exit(1);
	rewind(f);
	size = fread(code, 1, sizeof(code), f);
	if (!size || !feof(f))
		exit(1);
	printf("\t{ (const unsigned char []){");
	for (i = 0; i < size; i++)
		printf("%s%u,", i % 24 ? "" : "\n\t\t", code[i]);
	printf("\n\t}, %zu },\n", size);
	fclose(f);
}

int main(int argc, char **argv)
{
	int files;

	if (argc != 2)
		return 2;
	puts("/* Made by os/seccomp/generate.c. */");
	puts("#include \"os/seccomp_filter.h\"\n");
	puts("const struct seccomp_filter seccomp_filters[] = {");
	for (files = 0; files < SECCOMP_FILTERS; files++) {
		scmp_filter_ctx filter = new_filter(argv[1]);

		add_rules(filter, files);
		put_bpf(filter);
		seccomp_release(filter);
	}
	puts("};");
	return fflush(stdout) || ferror(stdout);
}
