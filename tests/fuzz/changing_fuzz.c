// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hostile guest's region that changes while it is read: two reads of the same bytes give what the guest
 * likes.  What was copied is read from the copy alone; what is too large for a copy changes to the end.
 *
 * The input is a struct changing_input and up to MAX_CHANGES times a struct change; the regions that it
 * changes are the images beside the program, so that an input is short and most of a region stays good.
 */
#include <dirent.h>
#include <libgen.h>

#include "region/parity.h"
#include "print_fuzz.h"

int __real_dump_hold(struct dump *in, u64 start, u64 size, struct err *err);
int __wrap_dump_hold(struct dump *in, u64 start, u64 size, struct err *err);
u8 *__real_parity_read_table(const struct epitaph_gf *gf, struct dump *in, u64 addr, u32 size);
u8 *__wrap_parity_read_table(const struct epitaph_gf *gf, struct dump *in, u64 addr, u32 size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define MAX_IMAGES	200
#define IMAGE_SIZE	16384	/* larger ones are left out */
#define MAX_CHANGES	12

/* What costs much is done for one of so many inputs, and not as their bytes like it: the fuzzer would like it always. */
#define PRINTED		8
#define REPAIRED	64

struct changing_input {
	u8 image;
	u8 window;
	u8 is_not_held;	/* bit 0 */
} __attribute__((packed));

enum { CHANGE_ADD = 1, CHANGE_SET = 2, CHANGE_ONCE = 4 };	/* else: xor, and for good */

/**
 * struct change - by the guest, right before a read
 * @read: which one
 * @how: as above; its two upper bits are the logarithm of the bytes
 */
struct change {
	u8 read;
	u8 how;
	u16 at;
	u32 value;
} __attribute__((packed));

static struct {
	u8 data[IMAGE_SIZE];
	size_t size;
} images[MAX_IMAGES];
static unsigned int nr_images;

/* The file as the guest has it, and what it will do. */
static u8 *region;
static size_t region_size;
static const struct change *changes;
static size_t nr_changes;
static u8 before_change[MAX_CHANGES][8];
static unsigned int nr_reads;
static bool is_held, is_repaired;
static u64 held_start, held_size;

/* As if the region were too large for a copy. */
int __wrap_dump_hold(struct dump *in, u64 start, u64 size, struct err *err)
{
	int ret = is_held ? __real_dump_hold(in, start, size, err) : 0;

	held_start = start;
	held_size = ret == 1 ? size : 0;
	return ret;
}

u8 *__wrap_parity_read_table(const struct epitaph_gf *gf, struct dump *in, u64 addr, u32 size)
{
	return is_repaired ? __real_parity_read_table(gf, in, addr, size) : NULL;
}

/* FNV-1a, its bits mixed. */
static u32 sum_of(const u8 *data, size_t size)
{
	u32 sum = 2166136261;

	while (size--)
		sum = (sum ^ *data++) * 16777619;
	return sum ^ sum >> 15;
}

static void load_image(const char *dir, const char *name)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	if (!f || nr_images == MAX_IMAGES)
		return;
	images[nr_images].size = fread(images[nr_images].data, 1, IMAGE_SIZE, f);
	if (images[nr_images].size >= 4096 && fgetc(f) == EOF)
		nr_images++;
	fclose(f);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char program[4096], dir[4200];
	struct dirent **names = NULL;
	int nr;

	(void)argc;
	snprintf(program, sizeof(program), "%s", (*argv)[0]);
	snprintf(dir, sizeof(dir), "%s/images", dirname(program));
	nr = scandir(dir, &names, NULL, alphasort);
	for (int i = 0; i < nr; i++) {
		load_image(dir, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	if (nr_images)
		return 0;
	fprintf(stderr, "ERROR: no region of 4 to 16 KiB in %s; run makes them\n", dir);
	exit(1);
}

static size_t place_of(const struct change *change, u8 **at)
{
	size_t off = change->at % region_size, size = 1U << (change->how >> 6);

	*at = region + off;
	return size < region_size - off ? size : region_size - off;
}

static void do_change(unsigned int i)
{
	const struct change *change = &changes[i];
	u64 now = 0, value = change->value;
	u8 *at;
	size_t size = place_of(change, &at);

	memcpy(before_change[i], at, size);
	memcpy(&now, at, size);
	now = change->how & CHANGE_SET ? value : change->how & CHANGE_ADD ? now + value : now ^ value;
	memcpy(at, &now, size);
}

static void undo_change(unsigned int i)
{
	u8 *at;
	size_t size = place_of(&changes[i], &at);

	memcpy(at, before_change[i], size);
}

static void change_region(size_t off, size_t size)
{
	/* What was copied is never read again. */
	MUST(!held_size || off + size <= held_start || off >= held_start + held_size);
	for (unsigned int i = nr_changes; i-- > 0;)
		if (changes[i].how & CHANGE_ONCE && nr_reads && changes[i].read == nr_reads - 1)
			undo_change(i);
	for (unsigned int i = 0; i < nr_changes; i++)
		if (changes[i].read == nr_reads)
			do_change(i);
	nr_reads++;
}

static void print_changing(FILE *f, struct postmortem *pm, struct window *window)
{
	print_head(f, pm);
	print_end(f, pm, false, "", NULL);
	print_summary(f, pm, window);
	print_events(f, pm, window, false, NULL);
	print_cpus(f, pm);
}

/* Every item, its payload and its texts, without the cost of formats. */
static void walk_changing(struct postmortem *pm, const struct window *window)
{
	volatile u8 seen;
	const struct item *item;
	struct timeline *tl;

	if (timeline_open(&tl, pm, 0, window->damaged, NULL))
		return;
	while ((item = timeline_next(tl))) {
		for (u32 i = 0; item->kind == ITEM_EVENT && i < item->size; i++)
			seen = ((const u8 *)item->payload)[i];
		seen = item->comm ? strlen(item->comm) : 0;
		(void)seen;
	}
	timeline_close(tl);
}

static void look_at(struct dump *in, const struct changing_input *input, bool is_printed)
{
	struct window window = fuzz_window(&input->window, 1);
	struct postmortem pm;
	struct err err = ERR_INIT;

	if (is_printed) {
		fuzz_account(in, POSTMORTEM_REGION, print_changing, &input->window, 1);
		return;
	}
	if (!pm_open_dump(&pm, in, POSTMORTEM_REGION, GENERATION_NEWEST, &err) && !pm_scan(&pm, NULL))
		walk_changing(&pm, &window);
	pm_close(&pm);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct changing_input input;
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	u32 sum;
	int fd;

	if (size < sizeof(input))
		return 0;
	memcpy(&input, data, sizeof(input));
	region_size = images[input.image % nr_images].size;
	region = malloc(region_size);
	MUST(region);
	memcpy(region, images[input.image % nr_images].data, region_size);
	changes = (const struct change *)(data + sizeof(input));
	nr_changes = (size - sizeof(input)) / sizeof(*changes);
	nr_changes = nr_changes < MAX_CHANGES ? nr_changes : MAX_CHANGES;
	nr_reads = 0;
	sum = sum_of(data, size);
	is_held = !(input.is_not_held & 1);
	is_repaired = sum % REPAIRED == 0;
	held_size = 0;
	fd = memory_file(0, NULL, 0, region, region_size);
	memory_file_before(0, change_region);
	if (!dump_open_fd(&in, fd, &err))
		look_at(in, &input, sum / REPAIRED % PRINTED == 0);
	free(region);
	return 0;
}
