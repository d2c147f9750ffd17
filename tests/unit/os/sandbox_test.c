// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a process in the sandbox can still do, tried by one, and what is said of
 * one that dies.
 *
 * build: @extractor
 * only: plain
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "os/sandboxed_child.h"
#include "tap.h"

static char dir[] = "/tmp/epitaph-sandbox-XXXXXX";
static int dir_fd;

/* What @run returns when it runs locked in. */
static int locked(const struct sandbox *s, int (*run)(void *arg))
{
	return sandboxed_child_run(&(struct sandboxed_child){ .name = "test", .sandbox = *s, .run = run });
}

static const struct sandbox nothing = { .make_dir = -1 };

/* --- what must fail: 0 if it does, else a number that says what did not --- */

static int try_files(void *arg)
{
	char path[100];

	(void)arg;
	snprintf(path, sizeof(path), "%s/there", dir);
	if (open("/etc/passwd", O_RDONLY) >= 0)
		return 10;
	if (open(path, O_RDONLY) >= 0)
		return 11;
	if (open("/tmp/epitaph-sandbox-new", O_WRONLY | O_CREAT, 0600) >= 0)
		return 12;
	if (openat(dir_fd, "new", O_WRONLY | O_CREAT, 0600) >= 0)
		return 13;
	if (!unlink(path) || !rename(path, "/tmp/x") || !chmod(path, 0777) ||
	    !mkdir("/tmp/epitaph-sandbox-dir", 0700) || !symlink("/", "/tmp/epitaph-sandbox-link"))
		return 14;
	return errno == EPERM ? 0 : 15;
}

static int try_processes(void *arg)
{
	char *argv[] = { "true", NULL };
	pid_t pid;

	(void)arg;
	execv("/bin/true", argv);
	pid = fork();
	if (!pid)
		_exit(0);
	if (pid > 0)
		return 20;
	if (!ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) || !ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		return 21;
	if (!kill(getppid(), 0) || !kill(getppid(), SIGTERM))
		return 22;
	if (!syscall(SYS_tgkill, getppid(), getppid(), 0))
		return 23;
	return errno == EPERM ? 0 : 24;
}

static int try_network(void *arg)
{
	int pair[2];

	(void)arg;
	if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ||
	    socket(AF_NETLINK, SOCK_RAW, 0) >= 0)
		return 30;
	if (!socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		return 31;
	return errno == EPERM ? 0 : 32;
}

static int try_code(void *arg)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)arg;
	if (page == MAP_FAILED)
		return 40;
	if (!mprotect(page, 4096, PROT_READ | PROT_EXEC))
		return 41;
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		return 42;
	return errno == EPERM ? 0 : 43;
}

static int type_into_terminal(void *arg)
{
	(void)arg;
	if (!ioctl(0, TIOCSTI, "x") || errno != EPERM)
		return 50;
	return fcntl(0, F_SETFL, 0) && errno == EPERM ? 0 : 51;
}

#ifdef __x86_64__
/* Call 20 of i386 is getpid(); 0x40000000 marks the calls of x32. */
static int call_as_i386(void *arg)
{
	long ret;

	(void)arg;
	__asm__ volatile("int $0x80" : "=a"(ret) : "0"(20L) : "memory", "r8", "r9", "r10", "r11");
	return ret == -EPERM ? 0 : 55;
}

static int call_as_x32(void *arg)
{
	(void)arg;
	return syscall(0x40000000 | SYS_getpid) < 0 && errno == EPERM ? 0 : 56;
}
#endif

/* --- what must go on ------------------------------------------------------ */

static int use_what_is_open(void *arg)
{
	struct stat st;
	char *big = malloc(64 << 20);
	int copy = dup(dir_fd);

	(void)arg;
	if (!big || copy < 0 || fstat(copy, &st))
		return 60;
	memset(big, 1, 64 << 20);
	isatty(1);
	return write(1, "", 0) ? 61 : 0;
}

static int read_in_dir(void *arg)
{
	char byte = 0;
	int fd = openat(dir_fd, "there", O_RDONLY | O_NOFOLLOW);

	(void)arg;
	if (fd < 0 || read(fd, &byte, 1) != 1 || byte != 'x')
		return 70;
	if (openat(dir_fd, "there", O_WRONLY) >= 0 || openat(dir_fd, "new", O_CREAT | O_RDWR, 0600) >= 0)
		return 71;
	return open("/etc/passwd", O_RDONLY) < 0 ? 0 : 72;
}

static int make_in_dir(void *arg)
{
	int fd = openat(dir_fd, "made", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);

	(void)arg;
	if (fd < 0 || write(fd, "y", 1) != 1)
		return 80;
	if (open("/tmp/epitaph-sandbox-new", O_WRONLY | O_CREAT, 0600) >= 0)
		return 81;
	return openat(dir_fd, "there", O_RDONLY) < 0 ? 0 : 82;
}

/* --- the tests ------------------------------------------------------------ */

static bool has_landlock(void)
{
	return syscall(444, NULL, 0, 1) > 0;
}

static void sandbox__nothing_can_be_opened_made_or_changed(void)
{
	int status = locked(&nothing, try_files);

	CHECK(status == 0, "%d", status);
}

static void sandbox__no_process_can_be_started_traced_or_signalled(void)
{
	int status = locked(&nothing, try_processes);

	CHECK(status == 0, "%d", status);
}

static void sandbox__no_socket(void)
{
	int status = locked(&nothing, try_network);

	CHECK(status == 0, "%d", status);
}

static void sandbox__no_new_code(void)
{
	int status = locked(&nothing, try_code);

	CHECK(status == 0, "%d", status);
}

static void sandbox__nothing_is_typed_into_the_terminal(void)
{
	int status = locked(&nothing, type_into_terminal);

	CHECK(status == 0, "%d", status);
}

static void sandbox__no_call_of_another_architecture(void)
{
#ifdef __x86_64__
	int i386 = locked(&nothing, call_as_i386), x32 = locked(&nothing, call_as_x32);

	/* A kernel without the calls of i386 kills with SIGSEGV. */
	CHECK(i386 == 0 || i386 == ERR_CORRUPT, "%d", i386);
	CHECK(x32 == 0, "%d", x32);
#else
	TAP_SKIP("the calls of i386 and x32 are an x86-64's");
#endif
}

static void sandbox__what_is_open_is_used(void)
{
	int status = locked(&nothing, use_what_is_open);

	CHECK(status == 0, "%d", status);
}

static void sandbox__files_of_a_directory_that_was_named_are_read(void)
{
	struct sandbox s = { &dir_fd, 1, -1 };
	int status;

	if (!has_landlock())
		TAP_SKIP("this kernel has no landlock");
	status = locked(&s, read_in_dir);
	CHECK(status == 0, "%d", status);
}

static void sandbox__files_are_made_in_a_directory_that_was_named(void)
{
	struct sandbox s = { NULL, 0, dir_fd };
	int status;

	if (!has_landlock())
		TAP_SKIP("this kernel has no landlock");
	status = locked(&s, make_in_dir);
	CHECK(status == 0, "%d", status);
}

/* Landlock alone: the other layer would hide that this one is open. */
static int landlock_alone(void *arg)
{
	struct sandbox s = { &dir_fd, 1, -1 };

	(void)arg;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (sandbox_landlock(&s) < 1)
		return 90;
	if (open("/etc/passwd", O_RDONLY) >= 0 || open("/tmp/epitaph-sandbox-new", O_WRONLY | O_CREAT, 0600) >= 0)
		return 91;
	if (openat(dir_fd, "new", O_WRONLY | O_CREAT, 0600) >= 0)
		return 92;
	return openat(dir_fd, "there", O_RDONLY) >= 0 ? 0 : 93;
}

static void landlock__alone_keeps_files_out_of_reach(void)
{
	int status;
	pid_t pid;

	if (!has_landlock())
		TAP_SKIP("this kernel has no landlock");
	pid = fork();
	if (!pid)
		_exit(landlock_alone(NULL));
	waitpid(pid, &status, 0);
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status), "0x%x", status);
}

/* --- what is said --------------------------------------------------------- */

/* What sandboxed_child_run() says on stderr while it runs @run; its status in @status. */
static void said(char *buf, size_t size, int (*run)(void *arg), bool verbose, int *status)
{
	int saved = dup(2), out[2];
	ssize_t n;

	if (pipe(out))
		abort();
	dup2(out[1], 2);
	close(out[1]);
	*status = sandboxed_child_run(&(struct sandboxed_child){ .name = "test", .verbose = verbose,
					     .sandbox = nothing, .run = run });
	dup2(saved, 2);
	close(saved);
	n = read(out[0], buf, size - 1);
	buf[n < 0 ? 0 : n] = 0;
	close(out[0]);
}

static int die_of_nothing(void *arg)
{
	(void)arg;
	raise(SIGSEGV);
	return 0;
}

static int die_of_hunger(void *arg)
{
	char *p;
	size_t all;

	(void)arg;
	for (all = 0; all < 300UL << 20; all += 1 << 20) {
		p = malloc(1 << 20);
		if (!p)
			raise(SIGSEGV);
		memset(p, 1, 1 << 20);
	}
	return 0;
}

static int end_well(void *arg)
{
	(void)arg;
	return ERR_DAMAGED;
}

static int end_by_ctrl_c(void *arg)
{
	(void)arg;
	signal(SIGINT, SIG_DFL);
	return raise(SIGINT);
}

static void child__that_dies_is_told_and_is_5(void)
{
	char words[512];
	int status;

	said(words, sizeof(words), die_of_nothing, false, &status);
	CHECK(status == ERR_CORRUPT, "%d", status);
	CHECK(strstr(words, "epitaph test: ") && strstr(words, "signal 11"), "%s", words);
}

static void child__has_at_most_240_MiB_and_that_is_told(void)
{
	char words[512];
	int status;

	said(words, sizeof(words), die_of_hunger, false, &status);
	CHECK(status == ERR_CORRUPT, "%d", status);
	CHECK(strstr(words, "240 MiB"), "%s", words);
}

static void child__gives_its_status_and_is_quiet(void)
{
	char words[512];
	int status;

	said(words, sizeof(words), end_well, false, &status);
	CHECK(status == ERR_DAMAGED && !*words, "%d %s", status, words);
}

static void child__says_what_holds_it_if_asked(void)
{
	char words[512];
	int status;

	said(words, sizeof(words), end_well, true, &status);
	CHECK(strstr(words, "no_new_privs") && strstr(words, "seccomp") && strstr(words, "landlock"),
	      "%s", words);
}

static void child__that_is_interrupted_is_130_and_quiet(void)
{
	char words[512];
	int status;

	said(words, sizeof(words), end_by_ctrl_c, false, &status);
	CHECK(status == 128 + SIGINT && !*words, "%d %s", status, words);
}

static int use_inherited(void *arg)
{
	(void)arg;
	if (fcntl(70, F_GETFD) >= 0)
		return 100;
	return fcntl(71, F_GETFD) < 0 ? 101 : 0;
}

static void child__has_no_descriptor_that_was_inherited(void)
{
	int status;

	dup2(dir_fd, 70);
	dup3(dir_fd, 71, O_CLOEXEC);
	sandboxed_child_disown();
	status = locked(&nothing, use_inherited);
	CHECK(status == 0, "%d", status);
	close(70);
	close(71);
}

static int wait_long(void *arg)
{
	(void)arg;
	if (write(1, "x", 1) != 1)
		return 110;
	for (int i = 0; i < 200; i++)
		usleep(100000);
	return 0;
}

/* The pipe ends when its last writer has closed it. */
static void child__dies_with_its_parent(void)
{
	char byte;
	pid_t pid;
	int out[2];

	if (pipe(out))
		abort();
	pid = fork();
	if (!pid) {
		dup2(out[1], 1);
		close(out[0]);
		close(out[1]);
		_exit(locked(&nothing, wait_long));
	}
	close(out[1]);
	CHECK(read(out[0], &byte, 1) == 1, "it did not begin");
	kill(pid, SIGKILL);
	alarm(10);
	CHECK(read(out[0], &byte, 1) == 0, "it lives");
	alarm(0);
	waitpid(pid, NULL, 0);
	close(out[0]);
}

static void prepare(void)
{
	int fd;

	if (!mkdtemp(dir))
		abort();
	dir_fd = open(dir, O_RDONLY | O_DIRECTORY);
	fd = openat(dir_fd, "there", O_WRONLY | O_CREAT, 0600);
	if (fd < 0 || write(fd, "x", 1) != 1)
		abort();
	close(fd);
}

int main(void)
{
	prepare();
	TAP_RUN(sandbox__nothing_can_be_opened_made_or_changed);
	TAP_RUN(sandbox__no_process_can_be_started_traced_or_signalled);
	TAP_RUN(sandbox__no_socket);
	TAP_RUN(sandbox__no_new_code);
	TAP_RUN(sandbox__nothing_is_typed_into_the_terminal);
	TAP_RUN(sandbox__no_call_of_another_architecture);
	TAP_RUN(sandbox__what_is_open_is_used);
	TAP_RUN(sandbox__files_of_a_directory_that_was_named_are_read);
	TAP_RUN(sandbox__files_are_made_in_a_directory_that_was_named);
	TAP_RUN(landlock__alone_keeps_files_out_of_reach);
	TAP_RUN(child__that_dies_is_told_and_is_5);
	TAP_RUN(child__has_at_most_240_MiB_and_that_is_told);
	TAP_RUN(child__gives_its_status_and_is_quiet);
	TAP_RUN(child__says_what_holds_it_if_asked);
	TAP_RUN(child__that_is_interrupted_is_130_and_quiet);
	TAP_RUN(child__dies_with_its_parent);
	TAP_RUN(child__has_no_descriptor_that_was_inherited);
	unlinkat(dir_fd, "there", 0);
	unlinkat(dir_fd, "made", 0);
	rmdir(dir);
	return tap_done();
}
