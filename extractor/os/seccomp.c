// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list is of what is allowed.  What is not on it fails and does not kill:
 * a C library newer than the list asks for things that it can do without.
 */
#include "seccomp.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCH	AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH	AUDIT_ARCH_AARCH64
#elif defined(__s390x__)
#define ARCH	AUDIT_ARCH_S390X
#elif defined(__powerpc64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCH	AUDIT_ARCH_PPC64LE
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCH	AUDIT_ARCH_RISCV64
#endif

#ifdef ARCH

#define MAX_CODE	400
#define LOW_WORD	(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 4)

/* With whatever arguments. */
static const u32 plain[] = {
	SYS_read, SYS_pread64, SYS_readv, SYS_write, SYS_pwrite64, SYS_writev, SYS_lseek,
	SYS_close, SYS_dup, SYS_fstat, SYS_newfstatat, SYS_fsync, SYS_ftruncate,
	SYS_fadvise64, SYS_getdents64,
	SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise,
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
	SYS_restart_syscall, SYS_exit, SYS_exit_group, SYS_futex,
	SYS_ppoll, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_getrandom,
	SYS_getpid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_sysinfo, SYS_getrusage,
#ifdef SYS_statx
	SYS_statx,
#endif
};

static const u32 ioctls[] = { TCGETS, TIOCGWINSZ, BLKGETSIZE64 };
static const u32 fcntls[] = { F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL };

struct code {
	struct sock_filter op[MAX_CODE];
	unsigned short nr;
};

static void emit(struct code *c, u32 op, u32 k, u8 yes, u8 no)
{
	if (c->nr < MAX_CODE)
		c->op[c->nr++] = (struct sock_filter){ op, yes, no, k };
}

static void load(struct code *c, size_t off)
{
	emit(c, BPF_LD | BPF_W | BPF_ABS, off, 0, 0);
}

/* The low half: no argument that is looked at has more. */
static void load_arg(struct code *c, u32 i)
{
	load(c, offsetof(struct seccomp_data, args) + 8 * i + LOW_WORD);
}

static void answer(struct code *c, u32 verdict)
{
	emit(c, BPF_RET | BPF_K, verdict, 0, 0);
}

static void deny(struct code *c)
{
	answer(c, SECCOMP_RET_ERRNO | 1);	/* EPERM */
}

static void allow_if_equal(struct code *c, u32 value)
{
	emit(c, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
	answer(c, SECCOMP_RET_ALLOW);
}

static void load_nr(struct code *c)
{
	load(c, offsetof(struct seccomp_data, nr));
}

/* What follows, up to end_call(), is of one system call.  Return: where to end it. */
static unsigned short begin_call(struct code *c, u32 nr)
{
	emit(c, BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 0);
	return c->nr;
}

static void end_call(struct code *c, unsigned short begin)
{
	deny(c);
	c->op[begin - 1].jf = c->nr - begin;
}

static void allow_values(struct code *c, u32 nr, u32 arg, const u32 *values, size_t n)
{
	unsigned short begin = begin_call(c, nr);

	load_arg(c, arg);
	for (size_t i = 0; i < n; i++)
		allow_if_equal(c, values[i]);
	end_call(c, begin);
}

/* Unless one of @bits is set. */
static void allow_without(struct code *c, u32 nr, u32 arg, u32 bits)
{
	unsigned short begin = begin_call(c, nr);

	load_arg(c, arg);
	emit(c, BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0);
	answer(c, SECCOMP_RET_ALLOW);
	end_call(c, begin);
}

static void build(struct code *c, const struct seccomp_needs *needs)
{
	u32 self = getpid();

	load(c, offsetof(struct seccomp_data, arch));
	emit(c, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
	deny(c);
	load_nr(c);
	for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
		allow_if_equal(c, plain[i]);
	allow_without(c, SYS_mmap, 2, PROT_EXEC);
	allow_without(c, SYS_mprotect, 2, PROT_EXEC);
	allow_values(c, SYS_ioctl, 1, ioctls, ARRAY_SIZE(ioctls));
	allow_values(c, SYS_fcntl, 1, fcntls, ARRAY_SIZE(fcntls));
	allow_values(c, SYS_tgkill, 0, &self, 1);	/* abort() */
	if (needs->make_files)
		allow_if_equal(c, SYS_openat);
	else if (needs->read_files)
		allow_without(c, SYS_openat, 2, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC);
	deny(c);
}

bool seccomp_enter(const struct seccomp_needs *needs)
{
	struct code c = { .nr = 0 };
	struct sock_fprog prog = { .filter = c.op };

	build(&c, needs);
	prog.len = c.nr;
	return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

#else

bool seccomp_enter(const struct seccomp_needs *needs)
{
	(void)needs;
	return false;
}

#endif
