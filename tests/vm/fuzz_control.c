// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_control SEED COMMANDS SECONDS PROCESSES: so many processes at once give the recorder so many
 * commands in all, or as many as that time allows: what its pages document, with words put in their
 * places by chance; such with bytes, blanks or words changed; and bytes by chance.  Between them
 * they write marks, read what it hands out and write to its files.
 *
 * Every process has numbers of its own from SEED.  The last lines say how many commands there were.
 * What is to be found shows in the kernel's log.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define MAX_COMMAND	4200

/* In memory of all processes. */
struct counts {
	unsigned long commands, done, refused, others;
};

static struct counts *counts;
static uint64_t state;

static uint64_t chance(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % below;
}

#define pick(list)	((list)[chance(NR(list))])

static const char *const events[] = {
	"sched:sched_switch", "sched:sched_wakeup", "sched:*", "irq:*", "irq:softirq_entry", "timer:*",
	"timer:timer_start", "workqueue:*", "raw_syscalls:*", "raw_syscalls:sys_enter", "kmem:*", "kmem:kmalloc",
	"kmem:mm_page_alloc", "signal:*", "printk:console", "module:*", "default", "*", "?later:*", "?*",
	"victim:*", "victim:seq", "epitaph:mark", "oom:*", "power:*", "ras:mc_event", "cgroup:*", "block:*",
	"sched", "x:y", ":", "**", "sched:sched_swich", "task:task_rename", "signal:signal_generate",
	"function:schedule", "?function:*",
};

static const char *const channels[] = {
	"main", "ras", "user", "a", "b", "c", "main@1", "a@2", "main@3", "x/y", "@", "channel",
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
};

static const char *const sizes[] = {
	"64K", "128K", "256K", "1M", "4K", "0", "-1", "18446744073709551615", "99999G", "128k", "1", "lots", "",
};

static const char *const expressions[] = {
	"prev_pid == 0", "prev_pid == 0 && next_comm ~ \"kworker*\"", "next_pid > 5 || prev_prio < 100", "vec == 1",
	"vec != 9", "id == 1", "bytes_req > 64", "comm == \"sh\"", "cpu == 1", "common_pid != 0",
	"!(prev_pid == 1)", "((((prev_pid == 1))))", "prev_comm == \"a\" && (next_pid & 7)", "0", "1", "prev_pid",
	"prev_pid ==", "nothing == 5", "call_site.function == 1", "function == 0", "msg ~ \"*e*\"",
	"next_comm == \"0123456789012345678901234567890123456789\"", "prev_pid == 99999999999999999999",
	"sig == 9", "common_flags & 1", "common_preempt_count > 0", "number > 5", "payload == 1",
};

static const char *const contexts[] = {
	"irq", "preempt", "task", "cgroup", "cgroup:memory", "cgroup:pids", "perf:page-faults", "perf:context-switches",
	"perf:cycles", "irq,preempt", "irq,task,cgroup", "irq,preempt,task,cgroup,perf:page-faults", "0", "irq,irq",
	",", "perf:", "cgroup:none", "perf:cpu-clock",
};

static const char *const numbers[] = { "0", "1", "2", "3", "5", "17", "4294967296", "-1", "1ms", "20ms", "99999ms" };

/* %e an event, %c a channel, %s a size, %x an expression, %w words of context, %n a number. */
static const char *const commands[] = {
	"events", "events %e", "events +%e", "events !%e", "events +%e !%e", "events %e %e +%e", "events default",
	"events +?%e", "status", "start", "stop", "start now", "bridge", "bridge on", "bridge off", "bridge %e",
	"channel", "channel add %c %s %e", "channel add %c %s stop %e !%e", "channel add %c %s overwrite %e %e",
	"channel add a 128K sched:*", "channel add b 256K %e", "channel add c 64K stop %e",
	"channel start %c", "channel stop %c", "channel stop %c", "channel remove %c", "channel remove %c",
	"channel remove main@1", "channel remove a@2", "filter", "filter %e %x", "filter %c %e %x", "filter %e 0",
	"filter %c %e 0", "filter sched:sched_switch %x", "filter a sched:sched_switch %x", "filter irq:softirq_entry %x",
	"context", "context %e %w", "context %c %e %w", "context %e 0", "context sched:sched_switch %w",
	"snapshot", "snapshot %c", "snapshot %c %s", "trigger", "trigger %e stop %c", "trigger %e snapshot %c",
	"trigger %e if %x snapshot %c", "trigger %e if %x stop %c after %n", "trigger %e snapshot %c after %n",
	"trigger sched:sched_switch if %x snapshot main after %n", "trigger remove %n", "trigger remove %n", "%e", "",
};

static const char *word(char kind)
{
	switch (kind) {
	case 'e': return pick(events);
	case 'c': return pick(channels);
	case 's': return pick(sizes);
	case 'x': return pick(expressions);
	case 'w': return pick(contexts);
	case 'n': return pick(numbers);
	}
	return "%";
}

/* To turn the bridge on and off takes as long as dozens of others. */
static const char *pick_command(void)
{
	const char *command = pick(commands);

	return strncmp(command, "bridge o", 8) || !chance(8) ? command : pick(commands);
}

/* A command as the pages have it; its bytes. */
static size_t compose(char *text)
{
	const char *at = pick_command();
	size_t len = 0;

	for (; *at; at++) {
		if (*at != '%')
			text[len++] = *at;
		else
			len = stpcpy(text + len, word(*++at)) - text;
	}
	return len;
}

/* Bytes changed, cut, doubled, or many blanks put in. */
static size_t spoil(char *text, size_t len)
{
	size_t i, n = 1 + chance(4), at;

	for (i = 0; i < n && len; i++) {
		at = chance(len);
		switch (chance(5)) {
		case 0: text[at] = chance(256); break;
		case 1: text[at] = " \t\n:*!+?@%\"()0"[chance(14)]; break;
		case 2: len = at; break;
		case 3:
			if (2 * len < MAX_COMMAND) {
				memcpy(text + len, text, len);
				len *= 2;
			}
			break;
		case 4: memset(text + at, text[at], len - at); break;
		}
	}
	return len;
}

static size_t noise(char *text)
{
	size_t len = chance(16) ? chance(200) : chance(MAX_COMMAND), i;

	for (i = 0; i < len; i++)
		text[i] = chance(256);
	return len;
}

static void command(int control)
{
	char text[MAX_COMMAND + 200], answer[8192];
	uint64_t kind = chance(20);
	size_t len = kind ? compose(text) : noise(text), piece;

	if (kind > 13)
		len = spoil(text, len);
	__atomic_add_fetch(&counts->commands, 1, __ATOMIC_RELAXED);
	if (write(control, text, len) < 0)
		__atomic_add_fetch(&counts->refused, 1, __ATOMIC_RELAXED);
	else
		__atomic_add_fetch(&counts->done, 1, __ATOMIC_RELAXED);
	/* All of the answer, a part of it or nothing. */
	piece = chance(3) ? sizeof(answer) : 1 + chance(100);
	for (kind = chance(8); kind && read(control, answer, piece) > 0; kind--)
		;
}

static void mark(void)
{
	static char text[5000];
	struct iovec parts[3];
	int fd = open("/dev/epitaph-mark", O_WRONLY | O_CLOEXEC), i;

	for (i = 0; i < 3; i++) {
		memset(text, chance(256), sizeof(text));
		parts[i] = (struct iovec){ text, chance(8) ? chance(60) : chance(sizeof(text)) };
	}
	if (fd >= 0 && writev(fd, parts, chance(4)) < 0 && errno == EFAULT)
		abort();
	close(fd);
}

static void read_some(const char *path)
{
	static char bytes[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	lseek(fd, chance(4) ? (off_t)chance(20 << 20) : (off_t)-chance(1 << 20), chance(2) ? SEEK_SET : SEEK_END);
	if (read(fd, bytes, chance(sizeof(bytes))) < 0 && errno == EFAULT)
		abort();
	close(fd);
}

static int touch_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	char bytes[64];
	int fd;

	(void)st;
	(void)ftw;
	if (type != FTW_F || chance(3))
		return 0;
	fd = open(path, (chance(4) ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (read(fd, bytes, sizeof(bytes)) < 0 && write(fd, bytes, chance(sizeof(bytes))) < 0)
		errno = 0;
	close(fd);
	return 0;
}

static void other(void)
{
	__atomic_add_fetch(&counts->others, 1, __ATOMIC_RELAXED);
	switch (chance(8)) {
	case 0: read_some("/dev/epitaph"); break;
	case 1: nftw("/sys/kernel/epitaph", touch_file, 8, FTW_PHYS); break;
	case 2: nftw("/sys/module/epitaph/parameters", touch_file, 8, FTW_PHYS); break;
	default: mark(); break;
	}
}

static void work(uint64_t seed, unsigned long limit, time_t end)
{
	int control = -1;

	state = seed * 0x9e3779b97f4a7c15ull + 1;
	while (counts->commands < limit && time(NULL) < end) {
		if (control < 0 || !chance(50)) {
			close(control);
			control = open("/dev/epitaph-control", O_RDWR | O_CLOEXEC);
		}
		if (chance(5))
			command(control);
		else
			other();
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	uint64_t seed = argc == 5 ? strtoull(argv[1], NULL, 0) : 0;
	unsigned long limit, i, nr;
	int status, bad = 0;
	time_t end;

	if (argc != 5)
		return 2;
	limit = strtoul(argv[2], NULL, 0);
	end = time(NULL) + atol(argv[3]);
	nr = strtoul(argv[4], NULL, 0);
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counts == MAP_FAILED)
		return 2;
	for (i = 0; i < nr; i++)
		if (!fork())
			work(seed * nr + i, limit, end);
	while (wait(&status) > 0)
		bad |= status;
	printf("seed %llu: %lu commands, %lu done, %lu refused; %lu other things\n", (unsigned long long)seed,
	       counts->commands, counts->done, counts->refused, counts->others);
	return !!bad;
}
