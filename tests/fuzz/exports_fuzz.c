// SPDX-License-Identifier: GPL-2.0-or-later
/* A hostile region, exported as trace.dat and as CTF. */
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "export/export.h"
#include "print_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void check_trace_dat(const u8 *text, size_t size)
{
	static const char magic[] = "\x17\x08\x44tracing" "7";

	MUST(size > sizeof(magic) && !memcmp(text, magic, sizeof(magic)));
}

static void to_trace_dat(struct postmortem *pm, const struct window *window)
{
	static u8 text[4 << 20];
	FILE *f = fmemopen(text, sizeof(text), "w+");

	MUST(f);
	if (!export_trace_dat(f, pm, window, NULL) && !fflush(f) && !fseek(f, 0, SEEK_END))
		check_trace_dat(text, ftell(f));
	fclose(f);
}

static char ctf_path[] = "/dev/shm/epitaph-ctf-XXXXXX";

static void remove_dir(void)
{
	rmdir(ctf_path);
}

static int open_dir(void)
{
	static int dir = -1;

	if (dir < 0) {
		MUST(mkdtemp(ctf_path) && !atexit(remove_dir));
		dir = open(ctf_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		/* Only the descriptor is used, never the name. */
		MUST(dir >= 0);
	}
	return dir;
}

static void empty(int at)
{
	int fd = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fdopendir(fd);
	struct dirent *entry;

	MUST(dir);
	while ((entry = readdir(dir)))
		if (*entry->d_name != '.')
			MUST(!unlinkat(at, entry->d_name, 0));
	closedir(dir);
}

/* The metadata is text, whatever was in the names. */
static void check_ctf(int dir)
{
	static char text[1 << 20];
	int fd = openat(dir, "metadata", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	MUST(fd >= 0 && (n = read(fd, text, sizeof(text))) > 0);
	MUST(!strncmp(text, "/* CTF 1.8 */", 13));
	for (ssize_t i = 0; i < n; i++)
		MUST(text[i] == '\n' || text[i] == '\t' || (u8)text[i] >= 32);
	close(fd);
}

static void to_ctf(struct postmortem *pm, const struct window *window)
{
	int dir = open_dir();

	if (!export_ctf(dir, pm, window, NULL))
		check_ctf(dir);
	empty(dir);
}

/* The exporters say on stderr what they leave out; the fuzzer took hold of its own before. */
static void be_quiet(void)
{
	static FILE *nowhere;

	if (!nowhere)
		stderr = nowhere = fopen("/dev/null", "w");
	MUST(nowhere);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct window window = fuzz_window(data, size);
	struct postmortem pm;
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	if (size < 4096 || dump_open_fd(&in, fuzz_file("", data, size), &err))
		return 0;
	be_quiet();
	if (!pm_open_dump(&pm, in, POSTMORTEM_REGION, GENERATION_NEWEST, &err) &&
	    !pm_scan(&pm, NULL) && !window_choose(&window, &pm, NULL)) {
		to_trace_dat(&pm, &window);
		to_ctf(&pm, &window);
	}
	pm_close(&pm);
	return 0;
}
