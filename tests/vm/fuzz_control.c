// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_control SEED COMMANDS SECONDS PROCESSES: so many processes at once give the recorder so many
 * commands in all, or as many as that time allows: what its pages document, with words put in their
 * places by chance; such with bytes, blanks or words changed; and bytes by chance.  Between them
 * they write marks, with fields as well, read what it hands out, write to its files, are the reader of a channel, and have
 * rings of their own, whose pages they fill with anything.
 *
 * Every process has numbers of its own from SEED.  The last lines say how many commands there were.
 * What is to be found shows in the kernel's log.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <epitaph/consume.h>
#include <epitaph/mark.h>
#include <epitaph/rings.h>

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define MAX_COMMAND	4200
#define SLOT_SIZE	73728	/* EPITAPH_SLOT_SIZE */

/* In memory of all processes. */
struct counts {
	unsigned long commands, done, refused, others, readers, rings, typed;
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
	"main", "ras", "user", "a", "b", "c", "d", "p", "main@1", "a@2", "main@3", "x/y", "@", "channel",
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
	"channel add %c %s consume %e", "channel add d 256K consume sched:* irq:*", "channel add d 128K sub=4K consume %e",
	"channel add %c %s rings", "channel add p 512K rings", "channel add p %s rings", "channel stop p", "channel start p",
	"channel remove a", "channel remove b", "channel remove c", "channel remove d", "channel remove p", "channel set %c size=%s", "channel set a size=%s",
	"channel set b subs=%n", "channel set %c size=%s sub=%s", "channel set main size=%s",
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

/* A mark with fields: a good one, one of which some bytes are changed, or whose addresses lead nowhere. */
static void typed_mark(void)
{
	static const char *const names[] = { "deploy", "fuzz", "a_name_of_31_letters_which_fits0", "no name", "" };
	static struct epitaph_mark_field fields[20];
	static char text[5000];
	struct epitaph_mark_event event = { .fields = (uintptr_t)fields, .text = (uintptr_t)text };
	int fd = open("/dev/epitaph-mark", O_WRONLY | O_CLOEXEC);
	unsigned int i;

	snprintf(event.name, sizeof(event.name), "%s", names[chance(chance(4) ? 2 : NR(names))]);
	event.nr_fields = chance(chance(8) ? 17 : 100);
	memset(text, chance(8) ? 'x' : (int)chance(256), sizeof(text));
	for (i = 0; i < NR(fields); i++) {
		fields[i] = (struct epitaph_mark_field){ .type = 1 + chance(4), .value = chance(1ull << chance(54)) };
		snprintf(fields[i].name, sizeof(fields[i].name), "field%u", chance(30) ? i : 0);
		if (fields[i].type != EPITAPH_MARK_STRING)
			continue;
		fields[i].value = chance(8) ? chance(60) : chance(sizeof(text));
		if (i < event.nr_fields)
			event.text_size += fields[i].value;
	}
	if (!chance(4))
		((char *)fields)[chance(sizeof(fields))] = chance(256);
	if (!chance(8))
		((char *)&event)[chance(sizeof(event))] = chance(256);
	if (!ioctl(fd, EPITAPH_MARK_EVENT, chance(30) ? (void *)&event : (void *)4096))
		__atomic_add_fetch(&counts->typed, 1, __ATOMIC_RELAXED);
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

/* --- the reader of a channel ------------------------------------------------------ */

static sigjmp_buf after_fault;

static void on_fault(int signal)
{
	siglongjmp(after_fault, signal);
}

/* What it may be, or anything. */
static uint32_t near(uint32_t right)
{
	static const uint32_t odd[] = { 0, 1, 4095, 4096, 65536, 0x7fffffff, 0x80000000, 0xffffffff };

	return chance(4) ? right : chance(2) ? odd[chance(NR(odd))] : chance(1ull << 32);
}

/* Until one of them is not there. */
static void touch_pages(volatile unsigned char *at, size_t size, bool fill)
{
	volatile size_t i;

	if (sigsetjmp(after_fault, 1))
		return;
	for (i = chance(200); i; i--) {
		if (fill)
			at[chance(size)] = chance(256);
		else
			(void)at[chance(size)];
	}
}

/* Of what @fd hands out: some bytes; with @fill they are written to as well. */
static void use_pages(int fd, size_t size, bool fill)
{
	void *at = mmap(NULL, size, PROT_READ | (fill ? PROT_WRITE : 0), MAP_SHARED, fd, chance(8) ? 0 : 4096);

	if (at == MAP_FAILED)
		return;
	touch_pages(at, size, fill);
	if (!chance(4) && !munmap(at, 4096))
		touch_pages(at, size, fill);
	munmap(at, size);
}

/* By chance alone there is hardly ever a channel that has a reader, or rings. */
static void order(const char *command)
{
	int fd = open("/dev/epitaph-control", O_RDWR | O_CLOEXEC);

	if (fd >= 0 && write(fd, command, strlen(command)) < 0 && errno == EFAULT)
		abort();
	close(fd);
}

static int take_channel(struct epitaph_consume_take *taken)
{
	int fd;

	if (!chance(3))
		order("channel add d 256K consume sched:* irq:*");
	fd = open("/dev/epitaph", O_RDONLY | O_CLOEXEC);
	memset(taken, chance(4) ? 0 : 'x', sizeof(*taken));
	if (chance(16))
		strcpy(taken->name, chance(4) ? (const char *[]){ "a", "c", "d", "d" }[chance(4)] : "main");
	if (fd < 0)
		return fd;
	if (!ioctl(fd, EPITAPH_CONSUME_TAKE, taken)) {
		__atomic_add_fetch(&counts->readers, 1, __ATOMIC_RELAXED);
	} else if (chance(4)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void consume(void)
{
	static struct epitaph_consume_take taken;
	static struct epitaph_consume_ready ready;
	static int fd = -1;
	struct epitaph_consume_give give;
	struct epitaph_consume_wait wait;
	struct pollfd poller;

	if (fd < 0 || !chance(20)) {
		close(fd);
		fd = take_channel(&taken);
	}
	if (fd < 0)
		return;
	ready = (struct epitaph_consume_ready){ near(chance(2)), near(chance(2)), chance(9), chance(9) };
	if (!ioctl(fd, EPITAPH_CONSUME_READY, &ready) && ready.end < ready.begin && chance(2))
		ready.end = 0;
	give = (struct epitaph_consume_give){ near(ready.cpu), near(ready.begin), near(ready.end), near(0) };
	wait = (struct epitaph_consume_wait){ near(chance(9)), near(chance(200)) };
	poller = (struct pollfd){ fd, POLLIN, 0 };
	switch (chance(8)) {
	case 0: ioctl(fd, EPITAPH_CONSUME_WAIT, &wait); break;
	case 1: poll(&poller, 1, chance(10)); break;
	case 2: use_pages(fd, 4096 * (1 + chance(200)), !chance(4)); break;
	case 3: ioctl(fd, _IOC(chance(4), 'E', 0x50 + chance(20), chance(300)), chance(2) ? (void *)&give : NULL); break;
	default: ioctl(fd, EPITAPH_CONSUME_GIVE, &give); break;
	}
}

/* A ring of this process' own. */
static void ring(void)
{
	struct epitaph_ring_request request = { .name = "fuzz" };
	static int fds[8] = { -1, -1, -1, -1, -1, -1, -1, -1 };
	int *fd = &fds[chance(NR(fds))];

	if (*fd < 0 || !chance(4)) {
		close(*fd);
		*fd = open("/dev/epitaph-ring", O_RDWR | O_CLOEXEC);
	}
	if (!chance(4))
		order("channel add p 256K rings");
	if (!chance(8))
		memset(&request, chance(256), sizeof(request));
	if (!ioctl(*fd, EPITAPH_RING_OPEN, chance(30) ? (void *)&request : (void *)4096))
		__atomic_add_fetch(&counts->rings, 1, __ATOMIC_RELAXED);
	use_pages(*fd, chance(8) ? SLOT_SIZE : 4096 * (1 + chance(40)), true);
}

static void other(void)
{
	__atomic_add_fetch(&counts->others, 1, __ATOMIC_RELAXED);
	switch (chance(14)) {
	case 12: case 13: typed_mark(); break;
	case 8: case 9: consume(); break;
	case 10: ring(); break;
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
	signal(SIGBUS, on_fault);
	signal(SIGSEGV, on_fault);
	while (counts->commands < limit && time(NULL) < end) {
		if (control < 0 || !chance(50)) {
			close(control);
			control = open("/dev/epitaph-control", O_RDWR | O_CLOEXEC);
		}
		if (chance(4))
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
	printf("seed %llu: %lu commands, %lu done, %lu refused; %lu other things, %lu readers, %lu rings, %lu marks with fields\n",
	       (unsigned long long)seed, counts->commands, counts->done, counts->refused, counts->others,
	       counts->readers, counts->rings, counts->typed);
	return !!bad;
}
