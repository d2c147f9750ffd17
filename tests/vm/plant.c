// SPDX-License-Identifier: GPL-2.0-only
/*
 * plant PREFIX: puts a word of its own into each place where a kernel keeps what a program gives it,
 * and stays there. The word of kind N is PREFIX, N in two digits, and "Kw"; canaries.sh has the kinds.
 * Says "planted", or which place refused.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char *prefix;
static int failed;

/* In one of a few buffers, so that a call can name several. */
static const char *word(int kind)
{
	static char buf[4][64];
	static int next;
	char *p = buf[next++ % 4];

	snprintf(p, sizeof(buf[0]), "%s%02dKw", prefix, kind);
	return p;
}

static void done(int kind, long ret)
{
	if (ret >= 0)
		return;
	printf("plant: kind %d: %s\n", kind, strerror(errno));
	failed = 1;
}

static const char *at(const char *format, int kind)
{
	static char path[4][256];
	static int next;
	char *p = path[next++ % 4];

	snprintf(p, sizeof(path[0]), format, word(kind));
	return p;
}

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);
	int ret = fd < 0 ? -1 : write(fd, text, strlen(text));

	close(fd);
	return ret;
}

static void plant_files(void)
{
	int fd;

	done(5, mkdir(at("/tmp/%s", 5), 0700) ?: chdir(at("/tmp/%s", 5)));
	fd = open(at("/tmp/%s", 6), O_RDWR | O_CREAT, 0600);
	done(6, fd);
	done(7, write(fd, word(7), strlen(word(7))));
	done(8, symlink(at("/nowhere/%s", 8), "/tmp/link"));
	done(9, setxattr("/tmp", "trusted.plant", word(9), strlen(word(9)), 0));
	done(33, mknod(at("/tmp/%s", 33), S_IFCHR | 0600, 0x103));
	done(43, put(at("/disk/%s", 43), "x"));
}

static void plant_keys(void)
{
	long ring = syscall(SYS_keyctl, 1 /* JOIN_SESSION_KEYRING */, word(14));

	done(14, ring);
	done(15, syscall(SYS_add_key, "user", word(15), word(16), strlen(word(16)), -3 /* session */));
}

static void plant_sockets(void)
{
	struct sockaddr_un path = { .sun_family = AF_UNIX }, name = { .sun_family = AF_UNIX };
	int pair[2], ends[2], pty;
	char pts[64];

	snprintf(path.sun_path, sizeof(path.sun_path), "/tmp/%s", word(34));
	done(34, bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&path, sizeof(path)));
	snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1, "%s", word(35));
	done(35, bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&name, sizeof(name)));
	done(45, socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) ?: write(pair[0], word(45), strlen(word(45))));
	done(39, pipe(ends) ?: write(ends[1], word(39), strlen(word(39))));
	pty = open("/dev/ptmx", O_RDWR | O_NOCTTY);
	done(46, pty < 0 || grantpt(pty) || unlockpt(pty) ? -1 : 0);
	if (!ptsname_r(pty, pts, sizeof(pts)))
		done(46, open(pts, O_RDWR | O_NOCTTY) < 0 ? -1 : write(pty, word(46), strlen(word(46))));
}

static void plant_memory(void)
{
	char *heap = malloc(4096);
	mqd_t queue;

	done(38, heap ? 0 : -1);
	strcpy(heap, word(38));
	done(37, memfd_create(word(37), 0));
	queue = mq_open(at("/%s", 36), O_RDWR | O_CREAT, 0600, NULL);
	done(36, queue);
	done(47, mq_send(queue, word(47), strlen(word(47)), 0));
}

static void plant_bpf(void)
{
	struct bpf_insn insn[2] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0 }, { .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr map = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 1 };
	union bpf_attr prog = {
		.prog_type = BPF_PROG_TYPE_SOCKET_FILTER, .insn_cnt = 2, .insns = (unsigned long)insn,
		.license = (unsigned long)"GPL",
	};

	strcpy(map.map_name, word(40));
	done(40, syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof(map)));
	strcpy(prog.prog_name, word(41));
	done(41, syscall(SYS_bpf, BPF_PROG_LOAD, &prog, sizeof(prog)));
}

static void *wait_for_ever(void *unused)
{
	prctl(PR_SET_NAME, word(42));
	for (;;)
		usleep(20000);
	return unused;
}

/* The kernel's own line about it has its name. */
static void plant_segfault(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		volatile char *none = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		prctl(PR_SET_NAME, word(18));
		*none = 0;
		_exit(0);
	}
	done(18, pid < 0 ? -1 : waitpid(pid, &status, 0));
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 2)
		return 2;
	prefix = argv[1];
	plant_files();
	plant_keys();
	plant_sockets();
	plant_memory();
	plant_bpf();
	plant_segfault();
	done(42, -pthread_create(&thread, NULL, wait_for_ever, NULL));
	prctl(PR_SET_NAME, word(1));
	puts(failed ? "plant: not all" : "planted");
	fflush(stdout);
	for (;;)
		usleep(20000);
}
