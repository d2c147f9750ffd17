// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which kernel is read of a memory that has several and no note of VMCOREINFO, and where its memory
 * is in a file that leaves out a hole.
 *
 * build: tests/lib/kmem_image.c @extractor
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "linux_kernel/linux_kernel.h"
#include "kmem_image.h"
#include "tap.h"

#define PAGE		4096
#define STEXT		(KMEM_TEXT + 0x100000)
#define HIGH		(4ULL << 30)		/* memory behind the hole */
#define HIGH_SIZE	(1U << 20)
#define VA		0xffff888100000000ULL	/* of it */
#define NO_HEADER	(~0ULL)			/* ELFCORE_ADDR_MAX */
#define READ_HEADER	(~0ULL - 1)		/* ELFCORE_ADDR_ERR: it was read, and /proc/vmcore made of it */

static const char * const symbols[] = {
	"T_stext", "Delfcorehdr_addr", "Dmax_pfn", "Dmem_section", "Dvmcoreinfo_data", "B_end",
};

/* Each character is a token. */
static void put_names(struct kmem *k)
{
	uint16_t index[256];
	char table[512];
	uint8_t names[128];
	size_t at = 0, n = 0;
	uint32_t nr = ARRAY_SIZE(symbols);

	for (int i = 0; i < 256; i++) {
		index[i] = at;
		if (i > ' ' && i < 127)
			table[at++] = i;
		table[at++] = '\0';
	}
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		names[n++] = strlen(symbols[i]);
		memcpy(names + n, symbols[i], strlen(symbols[i]));
		n += strlen(symbols[i]);
	}
	kmem_info(k, "SYMBOL(kallsyms_token_table)=%llx", (u64)kmem_put(k, table, at));
	kmem_info(k, "SYMBOL(kallsyms_token_index)=%llx", (u64)kmem_put(k, index, sizeof(index)));
	kmem_info(k, "SYMBOL(kallsyms_num_syms)=%llx", (u64)kmem_put(k, &nr, sizeof(nr)));
	kmem_info(k, "SYMBOL(kallsyms_names)=%llx", (u64)kmem_put(k, names, n));
}

/* Its VMCOREINFO at the next page; @header: what it has in elfcorehdr_addr; @more: its last line. */
static void put_kernel(struct kmem *k, u64 header, const char *more)
{
	const u64 data[] = { header, (HIGH + HIGH_SIZE) / PAGE, VA + PAGE, VA };
	const u64 at = kmem_put(k, data, sizeof(data));
	const u64 addr[] = { STEXT, at, at + 8, at + 16, at + 24, KMEM_TEXT + 0x200000 };
	size_t common = strlen(k->info);
	int32_t offsets[ARRAY_SIZE(symbols)];
	u64 va = kmem_put(k, offsets, sizeof(offsets));

	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		offsets[i] = addr[i] - (va + 4 * i);
	memcpy(kmem_at(k, va), offsets, sizeof(offsets));
	kmem_info(k, "SYMBOL(kallsyms_offsets)=%llx", va);
	if (*more)
		kmem_info(k, "%s", more);
	k->used = (k->used + PAGE - 1) / PAGE * PAGE;
	kmem_put(k, k->info, PAGE);
	k->info[common] = '\0';
}

static struct kmem make_memory(void)
{
	struct kmem k = kmem_make(&(struct kmem_paging){ KMEM_X86_64, 12, 48, 4 });
	char uts[400] = "";

	strcpy(uts + 130, "6.1.0-test");
	strcpy(uts + 260, "x86_64");
	kmem_info(&k, "SYMBOL(init_uts_ns)=%llx", (u64)kmem_put(&k, uts, sizeof(uts)));
	kmem_info(&k, "OFFSET(uts_namespace.name)=0");
	kmem_info(&k, "SYMBOL(_stext)=%llx", STEXT);
	put_names(&k);
	k.bare = true;
	return k;
}

/* The kernel that is read has the line @has in its VMCOREINFO. */
static struct kernel *read_one(struct dump **in, struct kmem *k, const char *has)
{
	struct kernel *kernel = NULL;
	struct err err = ERR_INIT;

	CHECK(!dump_open_fd(in, kmem_fd(k), &err) && !kernel_open(&kernel, *in, &err), "%s", err.msg);
	if (!kernel)
		exit(99);
	CHECK(strstr(dump_vmcoreinfo(*in, NULL), has), "%s", dump_vmcoreinfo(*in, NULL));
	kmem_free(k);
	return kernel;
}

static bool is_unsure(const struct kernel *kernel)
{
	for (u64 i = 0; i < kernel->notes.kept; i++)
		if (strstr(kernel->notes.list[i].text, "more than one kernel"))
			return true;
	return false;
}

/* Below 4 GiB is the memory of the capture kernel, above it mostly the page of the one that crashed. */
static void kernels__the_capture_kernel_is_not_the_one_that_crashed(void)
{
	struct kmem k = make_memory();
	struct kernel *kernel;
	struct dump *in;

	put_kernel(&k, READ_HEADER, "NUMBER(of_capture)=1");
	put_kernel(&k, NO_HEADER, "NUMBER(of_crashed)=1");
	kernel = read_one(&in, &k, "of_crashed");
	CHECK(!kernel->is_capture && !is_unsure(kernel), "%llu notes", kernel->notes.kept);
	kernel_close(kernel);
	dump_close(in);
}

static void kernels__a_capture_kernel_alone_is_read(void)
{
	struct kmem k = make_memory();
	struct kernel *kernel;
	struct dump *in;

	put_kernel(&k, READ_HEADER, "NUMBER(of_capture)=1");
	kernel = read_one(&in, &k, "of_capture");
	CHECK(kernel->is_capture && !is_unsure(kernel), "%llu notes", kernel->notes.kept);
	kernel_close(kernel);
	dump_close(in);
}

/* A kernel that goes down writes its last line to a copy, in the memory of the capture kernel. */
static void kernels__the_copy_with_the_time_of_the_crash_counts(void)
{
	struct kmem k = make_memory();
	struct kernel *kernel;
	struct dump *in;

	put_kernel(&k, NO_HEADER, "");
	put_kernel(&k, NO_HEADER, "CRASHTIME=1796026260");
	kernel = read_one(&in, &k, "CRASHTIME");
	CHECK(kernel->crash_s == 1796026260 && !is_unsure(kernel), "%llu", kernel->crash_s);
	kernel_close(kernel);
	dump_close(in);
}

/* Without types there are no clocks. */
static void kernels__which_ran_last_may_be_unknown(void)
{
	struct kmem k = make_memory();
	struct kernel *kernel;
	struct dump *in;

	put_kernel(&k, NO_HEADER, "NUMBER(of_first)=1");
	put_kernel(&k, NO_HEADER, "NUMBER(of_second)=1");
	kernel = read_one(&in, &k, "of_first");
	CHECK(is_unsure(kernel), "%llu notes", kernel->notes.kept);
	kernel_close(kernel);
	dump_close(in);
}

/* A file of the memory, where what is above 4 GiB lies at @high. */
static int make_file(const struct kmem *k, u64 high)
{
	u64 page[2][PAGE / 8] = { 0 };
	int fd = memfd_create("memory", 0);

	memcpy(page[0], k->info, strlen(k->info));
	page[1][0] = VA + PAGE + 64;
	page[1][8] = 0x1000003;
	if (fd < 0 || pwrite(fd, k->mem, KMEM_SIZE, 0) != KMEM_SIZE || ftruncate(fd, high + HIGH_SIZE) ||
	    pwrite(fd, page, sizeof(page), high) != sizeof(page))
		abort();
	return fd;
}

static void check_high(u64 high, u64 hole)
{
	struct kmem k = make_memory();
	struct kernel *kernel = NULL;
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	u64 word = 0;

	for (u32 i = 0; i < 2; i++)
		kmem_map(&k, VA + i * PAGE, HIGH + i * PAGE, 0);
	put_kernel(&k, NO_HEADER, "");
	CHECK(!dump_open_fd(&in, make_file(&k, high), &err), "%s", err.msg);
	/* Twice: VMCOREINFO is known then. */
	for (u32 i = 0; i < 2; i++) {
		CHECK(!kernel_open(&kernel, in, &err), "%s", err.msg);
		if (!kernel)
			exit(99);
		CHECK(vmem_hole(kernel->vmem) == hole, "%#llx, not %#llx", vmem_hole(kernel->vmem), hole);
		CHECK((vmem_u64(kernel->vmem, VA + PAGE, &word) && word == VA + PAGE + 64) == (high >= HIGH || hole),
		      "%#llx: %s", word, vmem_why(kernel->vmem));
		kernel_close(kernel);
	}
	dump_close(in);
	kmem_free(&k);
}

/* As memory files of QEMU and VMware are; one that is cut is none. */
static void kernels__memory_behind_a_hole_that_the_file_leaves_out_is_found(void)
{
	check_high(KMEM_SIZE, HIGH - KMEM_SIZE);
	check_high(HIGH, 0);
	check_high(2 * KMEM_SIZE, HIGH - 2 * KMEM_SIZE);
}

int main(void)
{
	TAP_RUN(kernels__the_capture_kernel_is_not_the_one_that_crashed);
	TAP_RUN(kernels__a_capture_kernel_alone_is_read);
	TAP_RUN(kernels__the_copy_with_the_time_of_the_crash_counts);
	TAP_RUN(kernels__which_ran_last_may_be_unknown);
	TAP_RUN(kernels__memory_behind_a_hole_that_the_file_leaves_out_is_found);
	return tap_done();
}
