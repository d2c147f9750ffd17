// SPDX-License-Identifier: GPL-2.0-only
/*
 * consume_misuse CHANNEL WHAT: a careless or hostile reader of a channel in mode "consume".  Exit
 * status 0: it was refused as docs/consume.md says.  With "hold", it takes the channel, reads
 * nothing, and waits for its end; with "lost", it waits until the region is no more.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <epitaph/consume.h>

static const char *channel;
static struct epitaph_consume_take take;
static int failures;

static void expect(const char *what, int result, int why)
{
	int errnum = result < 0 ? errno : 0;

	if (errnum == why)
		return;
	printf("%s: %s, not %s\n", what, strerror(errnum), strerror(why));
	failures++;
}

static int open_device(void)
{
	int fd = open("/dev/epitaph", O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		perror("/dev/epitaph");
		exit(1);
	}
	return fd;
}

static int try_take(int fd, const char *name)
{
	memset(&take, 0, sizeof(take));
	strncpy(take.name, name, sizeof(take.name) - 1);
	return ioctl(fd, EPITAPH_CONSUME_TAKE, &take);
}

static int be_reader(void)
{
	int fd = open_device();

	expect("take", try_take(fd, channel), 0);
	return fd;
}

static int map(int fd, size_t size, int prot, int flags, off_t off)
{
	return mmap(NULL, size, prot, flags, fd, off) == MAP_FAILED ? -1 : 0;
}

static int give(int fd, unsigned int cpu, unsigned int from, unsigned int to)
{
	struct epitaph_consume_give g = { .cpu = cpu, .from = from, .to = to };

	return ioctl(fd, EPITAPH_CONSUME_GIVE, &g);
}

static void without_a_channel(void)
{
	struct epitaph_consume_ready ready = { 0 };
	struct epitaph_consume_wait wait = { 0 };
	struct pollfd p = { .fd = open_device(), .events = POLLIN };

	expect("ready", ioctl(p.fd, EPITAPH_CONSUME_READY, &ready), ENOTCONN);
	expect("wait", ioctl(p.fd, EPITAPH_CONSUME_WAIT, &wait), ENOTCONN);
	expect("give", give(p.fd, 0, 0, 0), ENOTCONN);
	expect("map", map(p.fd, 4096, PROT_READ, MAP_SHARED, 0), ENOTCONN);
	expect("another number", ioctl(p.fd, 0x1234, &ready), ENOTTY);
	if (poll(&p, 1, 1000) != 1 || p.revents != POLLERR)
		expect("poll", 0, EIO);
}

static void wrong_names(void)
{
	int fd = open_device();

	expect("main", try_take(fd, "main"), EINVAL);
	expect("absent", try_take(fd, "absent"), ENOENT);
	memset(&take, 'a', sizeof(take));
	expect("no end", ioctl(fd, EPITAPH_CONSUME_TAKE, &take), EINVAL);
	expect("no memory", ioctl(fd, EPITAPH_CONSUME_TAKE, NULL), EFAULT);
}

static void two_readers(void)
{
	int fd = be_reader(), other = open_device();

	expect("again", try_take(fd, channel), EALREADY);
	expect("another", try_take(other, channel), EBUSY);
	close(fd);
	expect("the next", try_take(other, channel), 0);
}

static void write_to_rings(void)
{
	int fd = be_reader();
	void *at;

	expect("private", map(fd, take.ring_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, 0), EPERM);
	expect("shared", map(fd, take.ring_size, PROT_READ | PROT_WRITE, MAP_SHARED, 0), EACCES);
	at = mmap(NULL, take.ring_size, PROT_READ, MAP_SHARED, fd, 0);
	expect("later", mprotect(at, 4096, PROT_READ | PROT_WRITE), EACCES);
	expect("beyond", map(fd, take.ring_size * take.nr_rings + 4096, PROT_READ, MAP_SHARED, 0), EINVAL);
	expect("elsewhere", map(fd, 4096, PROT_READ, MAP_SHARED, 4096), EINVAL);
	expect("a program", map(fd, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, 0), EPERM);
}

static void wrong_index(void)
{
	struct epitaph_consume_ready ready = { .flags = EPITAPH_CONSUME_CLOSE };
	int fd = be_reader();

	expect("never ready", give(fd, 0, 0, take.ring_size - take.unit), EINVAL);
	expect("ready", ioctl(fd, EPITAPH_CONSUME_READY, &ready), 0);
	expect("behind it", give(fd, 0, ready.begin, (ready.end + take.unit) % take.ring_size), EINVAL);
	expect("within one", give(fd, 0, ready.begin, ready.begin + 8), EINVAL);
	expect("outside", give(fd, 0, ready.begin, take.ring_size), EINVAL);
	expect("from elsewhere", give(fd, 0, ready.begin + take.unit, ready.end), ESTALE);
	expect("no CPU", give(fd, 99999, 0, 0), EINVAL);
	ready.cpu = 99999;
	expect("of no CPU", ioctl(fd, EPITAPH_CONSUME_READY, &ready), EINVAL);
	ready.cpu = 0;
	ready.flags = 0x80;
	expect("a flag", ioctl(fd, EPITAPH_CONSUME_READY, &ready), EINVAL);
}

static void waiting(void)
{
	struct epitaph_consume_wait wait = { .watermark = 1, .ms = 100 };
	struct pollfd p = { .fd = be_reader(), .events = POLLIN };

	expect("wait", ioctl(p.fd, EPITAPH_CONSUME_WAIT, &wait), 0);
	if (poll(&p, 1, 5000) != 1 || p.revents != POLLIN)
		expect("poll", 0, EIO);
	wait.watermark = take.ring_size / take.unit;
	expect("more than there is", ioctl(p.fd, EPITAPH_CONSUME_WAIT, &wait), EINVAL);
}

static void without_rights(void)
{
	int fd = open_device();

	if (setuid(65534))
		expect("setuid", -1, 0);
	expect("take", try_take(fd, channel), EPERM);
}

static void hold(void)
{
	be_reader();
	pause();
}

static bool is_recording(void)
{
	char state[32] = "";
	int fd = open("/sys/kernel/epitaph/recording", O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, state, sizeof(state) - 1);

	close(fd);
	return n > 0 && !strstr(state, "removed");
}

static void lost(void)
{
	struct epitaph_consume_ready ready = { .flags = EPITAPH_CONSUME_CLOSE };
	int fd = be_reader(), to[2];
	void *at = mmap(NULL, take.ring_size, PROT_READ, MAP_SHARED, fd, 0);

	expect("pipe", pipe(to), 0);
	expect("mapped", write(to[1], at, 1) == 1 ? 0 : -1, 0);
	while (is_recording())
		usleep(50000);
	usleep(300000);
	expect("the mapping", write(to[1], at, 1) == 1 ? 0 : -1, EFAULT);
	expect("ready", ioctl(fd, EPITAPH_CONSUME_READY, &ready), 0);
	if (ready.begin != ready.end)
		expect("nothing is ready", 0, EIO);
	expect("give", give(fd, 0, ready.begin, ready.begin), EIO);
	expect("take", try_take(open_device(), channel), EIO);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "without-a-channel", without_a_channel }, { "wrong-names", wrong_names },
	{ "two-readers", two_readers }, { "write", write_to_rings }, { "wrong-index", wrong_index },
	{ "waiting", waiting }, { "without-rights", without_rights }, { "hold", hold },
	{ "lost", lost },
};

int main(int argc, char **argv)
{
	size_t i;

	channel = argc > 2 ? argv[1] : "";
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (argc < 3 || strcmp(argv[2], cases[i].name))
			continue;
		cases[i].run();
		return failures != 0;
	}
	fputs("usage: consume_misuse CHANNEL WHAT\n", stderr);
	return 2;
}
