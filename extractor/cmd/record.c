// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * epitaph record: a channel in mode "consume" goes into a directory.  The process that copies
 * looks at no event; what the events need to be read is copied by the process that reads.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <epitaph/format.h>

#include "base/byte_reader.h"
#include "base/parse_number.h"
#include "base/text.h"
#include "live/record.h"
#include "live/snapshot.h"
#include "os/conf_file.h"
#include "os/new_file.h"
#include "common.h"

#define DEVICE		"/dev/epitaph"
#define CHANNELS	"/sys/kernel/epitaph/channels"

/* A reader that was killed has it until the kernel has closed its files. */
#define TRIES		20
#define TRY_MS		50

/* @copier: the process that copies what events need, now; 0: none */
struct record_command {
	struct record_request request;
	const char *device;
	const char *channel;
	const char *path;
	pid_t copier;
};

static volatile int stop_recording;

static void on_record_signal(int sig)
{
	(void)sig;
	stop_recording = 1;
}

static void end_in_order(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = on_record_signal }, old;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		sigaction(signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(signals[i], &sa, NULL);
	}
}

/* --- the channel ----------------------------------------------------------------- */

static int refuse_channel(const struct record_command *c, struct err *err)
{
	switch (errno) {
	case ENOTTY:
		return err_set(err, ERR_IO, ERR_NO_OFF,
			       "%s: this recorder has no channels that are read out; load a newer one",
			       c->device);
	case ENOENT:
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "there is no channel '%s'; epitaph channel lists them", c->channel);
	case EINVAL:
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "the channel '%s' is not in mode consume; add one that is: epitaph channel add NAME SIZE consume GLOB...",
			       c->channel);
	case EBUSY:
		return err_set(err, ERR_IO, ERR_NO_OFF,
			       "the channel '%s' is being read: epitaph channel says by which process",
			       c->channel);
	case EPERM:
		return err_set(err, ERR_IO, ERR_NO_OFF, "%s: permission denied: run this command as root",
			       c->device);
	default:
		return err_sys(err, "channel %s", c->channel);
	}
}

static int take_channel(struct record_command *c, struct err *err)
{
	struct epitaph_consume_take *take = &c->request.take;
	int i;

	c->request.fd = open(c->device, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (c->request.fd < 0)
		return cmd_no_device(err, c->device);
	if (strlen(c->channel) >= sizeof(take->name)) {
		errno = ENOENT;
		return refuse_channel(c, err);
	}
	strcpy(take->name, c->channel);
	for (i = 0; ioctl(c->request.fd, EPITAPH_CONSUME_TAKE, take); i++) {
		if (errno != EBUSY || i == TRIES)
			return refuse_channel(c, err);
		poll(NULL, 0, TRY_MS);
	}
	return 0;
}

/* Events that were dropped because a ring was full, since the channel was added. */
static u64 dropped_events(const struct record_command *c)
{
	u64 sum = 0, n;
	char path[160], line[256];
	FILE *f;
	u32 cpu;

	for (cpu = 0; cpu < c->request.take.nr_rings; cpu++) {
		snprintf(path, sizeof(path), CHANNELS "/%s/cpu%u", c->channel, cpu);
		f = fopen(path, "re");
		while (f && fgets(line, sizeof(line), f))
			if (!strncmp(line, "full ", 5) && (line[strcspn(line, "\n")] = 0,
							   parse_number(line + 5, ~0ULL, &n)))
				sum += n;
		if (f)
			fclose(f);
	}
	return sum;
}

/* --- what the events need ---------------------------------------------------------- */

static int copy_tables(const struct record_command *c, int in, int out)
{
	struct snapshot_request request = {
		.device = c->device, .in = in, .channel = c->channel, .no_rings = true,
		.path = EPITAPH_ARCHIVE_REGION, .out = out,
	};
	struct reading reading = { .name = "record", .run = snapshot_device, .arg = &request, .make_dir = -1 };
	int status;

	request.counts = mmap(NULL, sizeof(*request.counts), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (request.counts == MAP_FAILED)
		return ERR_IO;
	status = reading_run(&reading, (struct file_list){ 0 });
	munmap(request.counts, sizeof(*request.counts));
	return status;
}

/* The salt of a region in a file, which stands in its header. */
static bool read_salt(int dir, const char *name, u64 *salt)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct epitaph_header hdr;
	bool is = fd >= 0 && pread(fd, &hdr, sizeof(hdr), 0) == sizeof(hdr);

	if (fd >= 0)
		close(fd);
	*salt = is ? le64toh(hdr.salt) : 0;
	return is;
}

/* Of the same generation as that which is there, if one is. */
static int place_tables(struct record_command *c, const char *temporary, struct err *err)
{
	u64 salt, there;

	if (!read_salt(c->request.dir, temporary, &salt))
		return err_sys(err, "%s/%s", c->path, temporary);
	if (read_salt(c->request.dir, EPITAPH_ARCHIVE_REGION, &there) && there != salt)
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "%s is an archive of another boot, or of a recorder that was loaded before; name a new directory",
			       c->path);
	c->request.salt = salt;
	if (renameat(c->request.dir, temporary, c->request.dir, EPITAPH_ARCHIVE_REGION))
		return err_sys(err, "%s/" EPITAPH_ARCHIVE_REGION, c->path);
	return fsync(c->request.dir) ? err_sys(err, "%s: fsync", c->path) : 0;
}

static int write_tables(struct record_command *c)
{
	char temporary[48];
	struct err err = ERR_INIT;
	int in = open(c->device, O_RDONLY | O_CLOEXEC | O_NOCTTY), out = -1, status;

	snprintf(temporary, sizeof(temporary), "." EPITAPH_ARCHIVE_REGION ".%ld", (long)getpid());
	/* Of a process that was killed, and had this number. */
	unlinkat(c->request.dir, temporary, 0);
	if (in >= 0)
		out = new_file_create(c->request.dir, temporary, &err);
	else
		cmd_no_device(&err, c->device);
	if (out < 0) {
		if (in >= 0)
			close(in);
		return status_fail("record", &err);
	}
	status = copy_tables(c, in, out);
	/* A name without its bytes is no archive, if the machine dies now. */
	if (status == ERR_OK && fsync(out)) {
		err_sys(&err, "%s/%s", c->path, temporary);
		status = status_fail("record", &err);
	}
	close(in);
	close(out);
	if (status == ERR_OK && place_tables(c, temporary, &err))
		status = status_fail("record", &err);
	if (status != ERR_OK)
		unlinkat(c->request.dir, temporary, 0);
	return status;
}

/* Rings do not wait: another process does it. */
static void refresh_tables(void *priv)
{
	struct record_command *c = priv;
	pid_t parent = getpid();

	if (c->copier && !waitpid(c->copier, NULL, WNOHANG))
		return;
	c->copier = fork();
	if (c->copier)
		return;
	/* The next reader shall not meet it at work in the same directory. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(ERR_IO);
	close(c->request.fd);
	_exit(write_tables(c));
}

/* --- the directory ------------------------------------------------------------------ */

static int check_archive(const struct record_command *c, struct err *err)
{
	u32 channel;

	if (record_dir_channel(c->request.dir, &channel) && channel != c->request.take.id)
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "%s is an archive of another channel, or of one that was removed since; name a new directory",
			       c->path);
	return 0;
}

static int open_archive(struct record_command *c, struct err *err)
{
	c->request.dir = new_file_open_dir(AT_FDCWD, c->path, err);
	if (c->request.dir < 0)
		return -ERR_IO;
	return check_archive(c, err);
}

static void tell_record_counts(const struct record_command *c, const struct record_counts *counts, u64 dropped)
{
	char size[32];

	text_size(size, sizeof(size), counts->bytes);
	fprintf(stderr, "epitaph record: %llu sub-buffers, %s, in %u piece%s", counts->subs, size,
		counts->pieces, counts->pieces == 1 ? "" : "s");
	if (dropped)
		fprintf(stderr, "; meanwhile the channel was full, and %llu event%s dropped", dropped,
			dropped == 1 ? " was" : "s were");
	putc('\n', stderr);
	(void)c;
}

static int record(struct record_command *c)
{
	struct record_counts counts = { 0 };
	struct err err = ERR_INIT;
	int status, ret;
	u64 dropped;

	if (take_channel(c, &err) || open_archive(c, &err))
		return status_fail("record", &err);
	status = write_tables(c);
	if (status != ERR_OK)
		return status;
	end_in_order();
	dropped = dropped_events(c);
	ret = record_channel(&c->request, &counts, &err);
	if (c->copier > 0)
		waitpid(c->copier, NULL, 0);
	if (ret)
		status = status_fail_file("record", c->path, &err);
	else
		status = write_tables(c);
	dropped = dropped_events(c) - dropped;
	tell_record_counts(c, &counts, dropped);
	return status_worse(status, dropped ? ERR_DAMAGED : ERR_OK);
}

static int misused_record(const struct record_command *c, int argc)
{
	if (!c->path)
		return cmd_misuse("record", "-o DIR is missing");
	if (optind == argc)
		return cmd_misuse("record", "which channel? epitaph channel lists them");
	if (argc - optind > 1)
		return cmd_misuse("record", "one channel at a time");
	return 0;
}

int cmd_record(int argc, char **argv)
{
	struct record_command c = {
		.device = DEVICE, .request = { .fd = -1, .dir = -1, .stop = &stop_recording },
	};
	struct record_request *r = &c.request;
	int opt;

	r->refresh = refresh_tables;
	r->priv = &c;
	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'o')
			c.path = optarg;
		else if (opt == 'd')
			c.device = optarg;
		else if (opt == 'y')
			r->sync = true;
		else if (opt == 'f' && (!parse_seconds(optarg, &r->for_ns) || !r->for_ns))
			return cmd_misuse("record", "--for: not a possible number: %s", optarg);
		else if (opt == 't' && !parse_seconds(optarg, &r->rotate_ns))
			return cmd_misuse("record", "--rotate-time: not a possible number: %s", optarg);
		else if (opt == 'z' && !conf_file_size(optarg, &r->rotate_size))
			return cmd_misuse("record", "--rotate-size: no size, as 512M: %s", optarg);
		else if (opt == 'K' && !parse_number(optarg, 1000000, &r->keep))
			return cmd_misuse("record", "--keep: no number: %s", optarg);
		else if (!strchr("ftzK", opt))
			return cmd_usage("record");
	}
	if (misused_record(&c, argc))
		return ERR_USAGE;
	c.channel = argv[optind];
	return record(&c);
}
