// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lttng_on EVENT... -- COMMAND...: runs it while LTTng-modules records those tracepoints into four
 * sub-buffers of 64 KiB that overwrite the oldest, as a snapshot session of lttng has it.  It
 * speaks to the tracer itself: its daemons would run in the guest that is measured.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lttng/abi.h>

static int failed(const char *what)
{
	perror(what);
	return -1;
}

static int enable(int channel, const char *name)
{
	struct lttng_kernel_abi_event event = { .instrumentation = LTTNG_KERNEL_ABI_TRACEPOINT };
	int fd;

	snprintf(event.name, sizeof(event.name), "%s", name);
	fd = ioctl(channel, LTTNG_KERNEL_ABI_EVENT, &event);
	return fd < 0 || ioctl(fd, LTTNG_KERNEL_ABI_ENABLE) ? failed(name) : 0;
}

/* A session with a channel; both stay open. */
static int begin(int *session)
{
	struct lttng_kernel_abi_channel channel = {
		.subbuf_size = 64 << 10, .num_subbuf = 4, .output = LTTNG_KERNEL_ABI_MMAP,
		.overwrite = 1,
	};
	int lttng = open("/proc/lttng", O_RDWR), fd;

	if (lttng < 0)
		return failed("/proc/lttng");
	*session = ioctl(lttng, LTTNG_KERNEL_ABI_SESSION);
	if (*session < 0)
		return failed("session");
	fd = ioctl(*session, LTTNG_KERNEL_ABI_CHANNEL, &channel);
	return fd < 0 ? failed("channel") : fd;
}

int main(int argc, char **argv)
{
	int session = -1, channel = begin(&session), i, status;
	pid_t pid;

	if (channel < 0)
		return 1;
	for (i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (enable(channel, argv[i]))
			return 1;
	if (i + 1 >= argc)
		return 2;
	if (ioctl(session, LTTNG_KERNEL_ABI_SESSION_START))
		return -failed("start");
	pid = fork();
	if (!pid) {
		execvp(argv[i + 1], argv + i + 1);
		_exit(127);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status ? 0 : 1;
}
