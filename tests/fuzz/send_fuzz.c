// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Both sides of a sending against hostile ones: the first byte says which of them is ours, and whether
 * it has a key; the rest is what the other says before it closes.  A depot and a trace lie in memory.
 */
#include <fcntl.h>
#include <ftw.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "transfer/receive.h"
#include "transfer/transmit.h"
#include "print_fuzz.h"

#define MOST	65536	/* bytes of a script: a socket takes them at once */

enum { AS_SENDER = 1, WITH_KEY = 2, WITH_HOST = 4 };

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static char top[] = "/dev/shm/send_fuzz.XXXXXX";
static struct depot depot = { -1, 1 << 16, 1 << 20, 0, 3 };
static const struct secret no_key;
static const struct secret a_key = { 16, "0123456789abcdef" };
static struct manifest trace;
static int trace_dir;
static unsigned int entries;

static int remove_one(const char *name, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type;
	return at->level > 0 ? remove(name) : 0;
}

static int count_one(const char *name, const struct stat *st, int type, struct FTW *at)
{
	(void)name, (void)st, (void)type;
	entries += at->level > 0;
	return 0;
}

static void empty_depot(void)
{
	nftw(top, remove_one, 8, FTW_PHYS | FTW_DEPTH);
}

static void remove_depot(void)
{
	empty_depot();
	rmdir(top);
}

/* As seeds.c has it. */
static void make_trace(void)
{
	memory_file(0, "", 0, "region", 6);
	trace_dir = memory_directory(1);
	manifest_set_host(&trace, "h");
	strcpy(trace.name, "n");
	digest_text(trace.generations[trace.nr_generations++], "g", 1);
	trace.files[trace.nr++] = (struct manifest_file){ .name = "region", .size = 6 };
	digest_text(trace.files[0].sum, "region", 6);
}

static void begin(void)
{
	MUST(mkdtemp(top));
	depot.fd = open(top, O_RDONLY | O_DIRECTORY);
	MUST(depot.fd >= 0);
	atexit(remove_depot);
	make_trace();
}

/* The other's end, which has said all that it says. */
static int play(const u8 *data, size_t size, int *ret_ours)
{
	int fds[2];

	MUST(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
	MUST(write(fds[0], data, size) == (ssize_t)size);
	shutdown(fds[0], SHUT_WR);
	*ret_ours = fds[1];
	return fds[0];
}

static char answer[MOST];

/* What came of it; the answer is in @answer. */
static int collect_once(const u8 *data, size_t size, int how)
{
	struct receive r = { &depot, how & WITH_KEY ? &a_key : &no_key, how & WITH_HOST ? "h" : "", "fuzz", NULL };
	struct err err = ERR_INIT;
	char said[1024];
	struct wire w;
	int ours, theirs = play(data, size, &ours), ret;
	ssize_t n;

	wire_init(&w, ours, ours, 0);
	ret = receive(&r, &w, said, sizeof(said), &err);
	close(ours);
	n = read(theirs, answer, sizeof(answer) - 1);
	close(theirs);
	answer[n > 0 ? n : 0] = 0;
	fuzz_check_text(answer, strlen(answer));
	fuzz_check_text(said, strlen(said));
	fuzz_check_text(err.msg, strlen(err.msg));
	MUST(ret ? *err.msg && !*said : !(how & WITH_KEY));
	return ret;
}

/* The same trace once more, and once more by another name. */
static void collect_again(const u8 *data, size_t size, int how)
{
	static u8 other[MOST];
	u8 *name;

	MUST(!collect_once(data, size, how) && strstr(answer, "\nhave "));
	memcpy(other, data, size);
	name = memmem(other, size, "\nname ", 6) + 6;
	*name = *name == 'a' ? 'b' : 'a';
	MUST(!collect_once(other, size, how));
	MUST(strstr(answer, memmem(data, size, "\ngeneration ", 12) < memmem(data, size, "\nmac ", 5) &&
			    memmem(data, size, "\ngeneration ", 12) ? "\nwithin " : "\nstored "));
}

static void collect(const u8 *data, size_t size, int how)
{
	int ret = collect_once(data, size, how);

	entries = 0;
	nftw(top, count_one, 8, FTW_PHYS);
	MUST(!entries == (ret || !strstr(answer, "\nstored ")));
	if (!entries)
		return;
	collect_again(data, size, how);
	empty_depot();
}

static void transmit_to(const u8 *data, size_t size, int how)
{
	static char given[MOST];
	struct placed placed = { false, "" };
	struct err err = ERR_INIT;
	struct wire w;
	int ours, theirs = play(data, size, &ours), ret;
	ssize_t n;

	wire_init(&w, ours, ours, wire_now() + 10000);
	ret = transmit(&w, &trace, trace_dir, how & WITH_KEY ? &a_key : &no_key, &placed, &err);
	close(ours);
	n = read(theirs, given, sizeof(given) - 1);
	close(theirs);
	given[n > 0 ? n : 0] = 0;
	fuzz_check_text(given, strlen(given));
	fuzz_check_text(err.msg, strlen(err.msg));
	MUST(ret < 0 || !(how & WITH_KEY));
	MUST(!*placed.within || manifest_is_plain(placed.within, MANIFEST_PLACE) || ret);
	/* Not a byte of a file to who has not got the key. */
	MUST(!(how & WITH_KEY) || !strstr(given, "\nmac ") || strlen(strstr(given, "\nmac ")) == 6 + 64);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	if (depot.fd < 0)
		begin();
	if (!size || size > MOST)
		return 0;
	if (data[0] & AS_SENDER)
		transmit_to(data + 1, size - 1, data[0]);
	else
		collect(data + 1, size - 1, data[0]);
	return 0;
}
