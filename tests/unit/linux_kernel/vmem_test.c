// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Virtual memory of a dumped kernel.
 *
 * build: tests/lib/kmem_image.c @extractor
 */
#include <endian.h>
#include <string.h>

#include "base/byte_reader.h"
#include "linux_kernel/vmcoreinfo_search.h"
#include "linux_kernel/vmem.h"
#include "kmem_image.h"
#include "tap.h"

static const struct kmem_paging x86_4 = { KMEM_X86_64, 12, 48, 4 };
static const struct kmem_paging x86_5 = { KMEM_X86_64, 12, 57, 5 };

struct opened {
	struct dump *in;
	struct vmem *vmem;
};

static struct opened open_kmem(const struct kmem *k)
{
	struct opened o = { 0 };
	struct err err = ERR_INIT;

	CHECK(!dump_open_fd(&o.in, kmem_fd(k), &err), "%s", err.msg);
	if (o.in)
		CHECK(!vmem_open(&o.vmem, o.in, &err), "%s", err.msg);
	if (!o.vmem)
		exit(99);
	return o;
}

static void close_kmem(struct opened *o)
{
	vmem_close(o->vmem);
	dump_close(o->in);
}

/* Every word of the memory is its own address. */
static void fill(struct kmem *k, uint64_t from)
{
	for (uint64_t at = from; at < KMEM_SIZE; at += 8)
		memcpy(k->mem + at, &(uint64_t){ kmem_u64(&k->paging, at) }, 8);
}

static void check_at(struct opened *o, u64 va, u64 paddr)
{
	u64 word = 0;

	CHECK(vmem_u64(o->vmem, va, &word) && word == paddr, "%#llx: %#llx, not %#llx (%s)", va,
	      word, paddr, vmem_why(o->vmem));
}

static void check_sizes(const struct kmem_paging *paging, u64 base)
{
	struct kmem k = kmem_make(paging);
	u64 page = kmem_span(paging, 0), block = kmem_span(paging, 1);
	struct opened o;

	kmem_map(&k, base, 0x500000 & ~(page - 1), 0);
	if (block <= KMEM_SIZE / 4)
		kmem_map(&k, base + 4 * block, 0x400000, 1);
	fill(&k, 0x400000);
	o = open_kmem(&k);
	check_at(&o, base + 8, (0x500000 & ~(page - 1)) + 8);
	check_at(&o, base + page - 8, (0x500000 & ~(page - 1)) + page - 8);
	if (block <= KMEM_SIZE / 4)
		check_at(&o, base + 4 * block + page + 24, 0x400000 + page + 24);
	CHECK(!vmem_u64(o.vmem, base + page, &(u64){ 0 }) &&
	      vmem_lack(o.vmem) == VMEM_UNMAPPED, "%s", vmem_why(o.vmem));
	close_kmem(&o);
	kmem_free(&k);
}

static void vmem__x86_64_has_4_or_5_levels(void)
{
	check_sizes(&x86_4, 0xffff888000000000);
	check_sizes(&x86_5, 0xff11000000000000);
}

static void vmem__arm64_has_pages_of_4_16_and_64_KiB(void)
{
	check_sizes(&(struct kmem_paging){ KMEM_ARM64, 12, 48, 4 }, 0xffff800000000000);
	check_sizes(&(struct kmem_paging){ KMEM_ARM64, 12, 39, 3 }, 0xffffffc000000000);
	check_sizes(&(struct kmem_paging){ KMEM_ARM64, 12, 52, 5 }, 0xfff8000000000000);
	check_sizes(&(struct kmem_paging){ KMEM_ARM64, 14, 47, 3 }, 0xffffc00000000000);
	check_sizes(&(struct kmem_paging){ KMEM_ARM64, 16, 52, 3 }, 0xfff0000000000000);
}

static void vmem__s390x_has_2_to_5_levels_by_what_an_entry_says(void)
{
	check_sizes(&(struct kmem_paging){ KMEM_S390X, 12, 31, 2 }, 0x7c000000);
	check_sizes(&(struct kmem_paging){ KMEM_S390X, 12, 42, 3 }, 0x3ff80000000);
	check_sizes(&(struct kmem_paging){ KMEM_S390X, 12, 53, 4 }, 0x1bfff80000000);
	check_sizes(&(struct kmem_paging){ KMEM_S390X, 12, 64, 5 }, 0xffe0000000000000);
}

static void vmem__ppc64_has_radix_tables_in_either_byte_order(void)
{
	check_sizes(&(struct kmem_paging){ KMEM_PPC64, 16, 52, 4 }, 0xc008000000000000);
	check_sizes(&(struct kmem_paging){ KMEM_PPC64, 12, 52, 4 }, 0xc008000000000000);
	check_sizes(&(struct kmem_paging){ KMEM_PPC64_BE, 16, 52, 4 }, 0xc008000000000000);
}

/* The bytes 80 01 00 0f: bits @bit and on of the byte @at. */
static void check_bits(const struct kmem_paging *paging, u64 base, u32 at, u32 bit, u32 nr_bits, u64 wanted)
{
	struct kmem k = kmem_make(paging);
	struct opened o;
	u64 n = ~0ULL;

	kmem_map(&k, base, 0x500000, 0);
	memcpy(k.mem + 0x500000, "\x80\x01\x00\x0f", 4);
	o = open_kmem(&k);
	CHECK(vmem_bits(o.vmem, base + at, bit, nr_bits, &n) && n == wanted, "%u.%u:%u: %#llx, not %#llx", at, bit,
	      nr_bits, n, wanted);
	CHECK(!vmem_bits(o.vmem, base, 7, 26, &n) && !vmem_bits(o.vmem, base, 8, 1, &n) &&
	      !vmem_bits(o.vmem, base, 0, 0, &n), "%#llx", n);
	close_kmem(&o);
	kmem_free(&k);
}

static void vmem__bit_fields_begin_where_the_byte_order_says(void)
{
	const struct kmem_paging arm64 = { KMEM_ARM64, 12, 48, 4 }, s390x = { KMEM_S390X, 12, 42, 3 };

	check_bits(&arm64, 0xffff800000000000, 0, 0, 1, 0);
	check_bits(&arm64, 0xffff800000000000, 0, 7, 2, 3);
	check_bits(&arm64, 0xffff800000000000, 2, 0, 15, 0xf00);
	check_bits(&s390x, 0x3ff80000000, 0, 0, 1, 1);
	check_bits(&s390x, 0x3ff80000000, 0, 1, 7, 0);
	check_bits(&s390x, 0x3ff80000000, 2, 0, 15, 7);
	check_bits(&s390x, 0x3ff80000000, 0, 0, 32, 0x8001000f);
}

/* QEMU 7.2 calls dumps of ppc64le big-endian. */
static void vmem__a_kernel_may_have_another_order_than_its_dump_says(void)
{
	struct kmem k = kmem_make(&(struct kmem_paging){ KMEM_PPC64_BE, 16, 52, 4 });
	u64 at = 0xc008000000000000;
	struct opened o;
	u64 word = 0;

	kmem_map(&k, at, 0x500000, 0);
	memcpy(k.mem + 0x500000, &(u64){ htole64(0x1234) }, 8);
	o = open_kmem(&k);
	dump_set_byte_order(o.in, ORDER_LITTLE);
	CHECK(vmem_u64(o.vmem, at, &word) && word == 0x1234, "%#llx", word);
	close_kmem(&o);
	kmem_free(&k);
}

/* What modules and vmalloc have is in a hash, which is not read. */
static void vmem__ppc64_without_radix_tables_has_what_is_mapped_in_one_piece(void)
{
	struct kmem k = kmem_make(&(struct kmem_paging){ KMEM_PPC64_BE, 16, 52, 4 });
	struct opened o;

	memset(k.mem + k.root, 0, 8);
	fill(&k, 0x400000);
	o = open_kmem(&k);
	check_at(&o, 0xc000000000400008, 0x400008);
	CHECK(!vmem_u64(o.vmem, 0xc008000000000000, &(u64){ 0 }) &&
	      vmem_lack(o.vmem) == VMEM_NO_TABLE, "%s", vmem_why(o.vmem));
	CHECK(strstr(vmem_why(o.vmem), "hash"), "%s", vmem_why(o.vmem));
	close_kmem(&o);
	kmem_free(&k);
}

/* Kernels from 6.10 on are not where their virtual addresses are. */
static void vmem__s390x_says_where_its_image_is(void)
{
	struct kmem k = kmem_make(&(struct kmem_paging){ KMEM_S390X, 12, 42, 3 });
	struct opened o;

	strcpy(k.info, "OSRELEASE=6.12.0-test\nSYMBOL(lowcore_ptr)=3ffe0100000\n");
	kmem_info(&k, "SYMBOL(swapper_pg_dir)=%llx", 0x3ffe0000000 + (unsigned long long)k.root);
	kmem_info(&k, "KERNELOFFSET=3ffe0200000");
	kmem_info(&k, "KERNELOFFPHYS=200000");
	kmem_map(&k, 0x3ffe0500000, 0x500000, 1);
	fill(&k, 0x500000);
	o = open_kmem(&k);
	check_at(&o, 0x3ffe0512340, 0x512340);
	close_kmem(&o);
	kmem_free(&k);
}

static void vmem__a_page_of_1_GiB_is_read(void)
{
	struct kmem k = kmem_make(&x86_4);
	struct opened o;

	kmem_map(&k, 0xffff888040000000, 0, 2);
	fill(&k, 0x500000);
	o = open_kmem(&k);
	check_at(&o, 0xffff888040512340, 0x512340);
	CHECK(!vmem_u64(o.vmem, 0xffff888050000000, &(u64){ 0 }) &&
	      vmem_lack(o.vmem) == VMEM_LEFT_OUT && strstr(vmem_why(o.vmem), "no memory of this dump"),
	      "%s", vmem_why(o.vmem));
	close_kmem(&o);
	kmem_free(&k);
}

static void vmem__a_read_goes_over_pages_and_ends_where_nothing_is(void)
{
	struct kmem k = kmem_make(&x86_4);
	struct opened o;
	u64 words[1024] = { 0 };
	ssize_t n;

	kmem_map(&k, 0xffffc90000000000, 0x600000, 0);
	kmem_map(&k, 0xffffc90000001000, 0x400000, 0);
	fill(&k, 0x400000);
	o = open_kmem(&k);
	n = vmem_read(o.vmem, 0xffffc90000000800, words, sizeof(words));
	CHECK(n == 4096 + 2048, "%zd", n);
	CHECK(words[0] == 0x600800 && words[256] == 0x400000 && words[767] == 0x400ff8 && !words[768],
	      "%#llx %#llx %#llx", words[0], words[256], words[767]);
	CHECK(!strcmp(vmem_why(o.vmem), "nothing is mapped at virtual 0xffffc90000002000"), "%s",
	      vmem_why(o.vmem));
	close_kmem(&o);
	kmem_free(&k);
}

static void vmem__what_the_file_lacks_is_told_apart(void)
{
	struct kmem k = kmem_make(&x86_4);
	struct opened o;

	kmem_map(&k, 0xffffc90000000000, 0x700000, 0);
	k.size = 65536 + 0x600000;
	o = open_kmem(&k);
	CHECK(!vmem_u64(o.vmem, 0xffffc90000000010, &(u64){ 0 }) &&
	      vmem_lack(o.vmem) == VMEM_LEFT_OUT, "%s", vmem_why(o.vmem));
	CHECK(!strcmp(vmem_why(o.vmem), "page at 0x700000 (virtual 0xffffc90000000010) was left out of the dump, or is damaged"),
	      "%s", vmem_why(o.vmem));
	close_kmem(&o);
	kmem_free(&k);
}

/* The image is found by its address where a table is not in the dump; nothing else is. */
static void vmem__the_image_needs_no_tables(void)
{
	struct kmem k = kmem_make(&x86_4);
	uint64_t gone = 0x7000000063, va;
	struct opened o;

	va = kmem_put(&k, "in the image", 13);
	kmem_map(&k, 0xffffc90000000000, 0x600000, 0);
	memcpy(k.mem + kmem_entry(&k, va, 3), &gone, 8);
	memcpy(k.mem + kmem_entry(&k, 0xffffc90000000000, 3), &gone, 8);
	o = open_kmem(&k);
	CHECK(vmem_get(o.vmem, va, (char[13]){ 0 }, 13), "%s", vmem_why(o.vmem));
	CHECK(!vmem_u64(o.vmem, 0xffffc90000000000, &(u64){ 0 }) &&
	      vmem_lack(o.vmem) == VMEM_NO_TABLE, "%s", vmem_why(o.vmem));
	close_kmem(&o);
	kmem_free(&k);
}

/* Tables that are their own next level, at every level. */
static void vmem__tables_that_point_at_themselves_end(void)
{
	struct kmem k = kmem_make(&x86_5);
	struct opened o;
	u64 word;

	for (u64 i = 0; i < 512; i++)
		memcpy(k.mem + k.root + 8 * i, &(uint64_t){ k.root | 0x63 }, 8);
	o = open_kmem(&k);
	for (u64 va = 0xff00000000000000; va < 0xff00000000100000; va += 4096)
		CHECK(vmem_u64(o.vmem, va, &word) && word == (k.root | 0x63), "%#llx", va);
	for (u32 bit = 0; bit < 56; bit++)
		vmem_u64(o.vmem, ~0ULL << bit, &word);
	CHECK(!vmem_u64(o.vmem, 0x8000, &word), "a user's address was read");
	CHECK(!vmem_u64(o.vmem, 0x8000000000000000, &word), "an address that is none was read");
	close_kmem(&o);
	kmem_free(&k);
}

static void vmem__strings_end(void)
{
	struct kmem k = kmem_make(&x86_4);
	struct opened o;
	u64 va = kmem_put(&k, "word", 5);
	char buf[4];

	o = open_kmem(&k);
	CHECK(vmem_string(o.vmem, va, buf, 4) == 3 && !strcmp(buf, "wor"), "%s", buf);
	CHECK(vmem_string(o.vmem, va + 2, buf, 4) == 2 && !strcmp(buf, "rd"), "%s", buf);
	CHECK(vmem_string(o.vmem, 0xffffc90000000000, buf, 4) == -1 && !*buf, "%s", buf);
	close_kmem(&o);
	kmem_free(&k);
}

static int open_with(const char *info, struct err *err)
{
	struct kmem k = kmem_make(&x86_4);
	struct dump *in = NULL;
	struct vmem *vmem = NULL;
	int ret;

	strcpy(k.info, info);
	ret = dump_open_fd(&in, kmem_fd(&k), err);
	if (!ret)
		ret = vmem_open(&vmem, in, err);
	vmem_close(vmem);
	dump_close(in);
	kmem_free(&k);
	return ret;
}

static void vmem__what_it_cannot_read_is_refused_in_words(void)
{
	struct err err = ERR_INIT;

	CHECK(open_with("OSRELEASE=5\n", &err) == -ERR_NOT_OURS && strstr(err.msg, "machine"), "%s",
	      err.msg);
	CHECK(open_with("NUMBER(phys_base)=0\n", &err) == -ERR_CORRUPT &&
	      strstr(err.msg, "swapper_pg_dir"), "%s", err.msg);
	CHECK(open_with("NUMBER(phys_base)=0\nSYMBOL(swapper_pg_dir)=1000\n", &err) == -ERR_CORRUPT &&
	      strstr(err.msg, "outside"), "%s", err.msg);
	CHECK(open_with("NUMBER(phys_base)=0x\nNUMBER(kimage_voffset)=0\nPAGESIZE=4096\n"
			"SYMBOL(swapper_pg_dir)=0\nNUMBER(VA_BITS)=99\n", &err) == -ERR_CORRUPT &&
	      strstr(err.msg, "99 VA_BITS"), "%s", err.msg);
}

/* A copy of an older kernel's, whose name is not where it says, and then the right one; the name is @off bytes behind. */
static void check_search(u32 off, const char *says)
{
	struct kmem k = kmem_make(&x86_4);
	char uts[400] = "", wrong[4096], endless[4096];
	struct vmem *vmem = NULL;
	struct dump *in = NULL;
	struct err err = ERR_INIT;

	strcpy(uts + off + 130, "6.1.0-test");
	kmem_info(&k, "SYMBOL(init_uts_ns)=%llx", (u64)kmem_put(&k, uts, sizeof(uts)));
	kmem_info(&k, "%s", says);
	k.bare = true;
	CHECK(!dump_open_fd(&in, kmem_fd(&k), &err) && !dump_vmcoreinfo(in, NULL), "%s", err.msg);
	CHECK(vmcoreinfo_search(&vmem, in, &(u64){ 0 }, &err) == -ERR_NOT_OURS &&
	      strstr(err.msg, "no VMCOREINFO"), "%s", err.msg);
	dump_close(in);
	k.used = 0x10000;
	snprintf(wrong, sizeof(wrong), "OSRELEASE=5.10%s", strchr(k.info, '\n'));
	kmem_put(&k, wrong, sizeof(wrong));
	/* Any program's page may begin so, and have no line. */
	memset(endless, 'a', sizeof(endless));
	memcpy(endless, "OSRELEASE=", 10);
	kmem_put(&k, endless, sizeof(endless));
	kmem_put(&k, k.info, 4096);
	CHECK(!dump_open_fd(&in, kmem_fd(&k), &err) && !vmcoreinfo_search(&vmem, in, &(u64){ 0 }, &err) &&
	      !strcmp(dump_vmcoreinfo(in, NULL), k.info), "%s", err.msg);
	vmem_close(vmem);
	dump_close(in);
	kmem_free(&k);
}

static void vmem__VMCOREINFO_is_found_in_memory(void)
{
	check_search(0, "OFFSET(uts_namespace.name)=0");
	check_search(8, "OFFSET(uts_namespace.name)=8");
}

/* It does not say where the name is: a kref is in front of it. */
static void vmem__VMCOREINFO_before_5_11_is_found_in_memory(void)
{
	check_search(4, "NUMBER(of_nothing)=0");
}

int main(void)
{
	TAP_RUN(vmem__x86_64_has_4_or_5_levels);
	TAP_RUN(vmem__arm64_has_pages_of_4_16_and_64_KiB);
	TAP_RUN(vmem__s390x_has_2_to_5_levels_by_what_an_entry_says);
	TAP_RUN(vmem__bit_fields_begin_where_the_byte_order_says);
	TAP_RUN(vmem__s390x_says_where_its_image_is);
	TAP_RUN(vmem__ppc64_has_radix_tables_in_either_byte_order);
	TAP_RUN(vmem__a_kernel_may_have_another_order_than_its_dump_says);
	TAP_RUN(vmem__ppc64_without_radix_tables_has_what_is_mapped_in_one_piece);
	TAP_RUN(vmem__a_page_of_1_GiB_is_read);
	TAP_RUN(vmem__a_read_goes_over_pages_and_ends_where_nothing_is);
	TAP_RUN(vmem__what_the_file_lacks_is_told_apart);
	TAP_RUN(vmem__the_image_needs_no_tables);
	TAP_RUN(vmem__tables_that_point_at_themselves_end);
	TAP_RUN(vmem__strings_end);
	TAP_RUN(vmem__what_it_cannot_read_is_refused_in_words);
	TAP_RUN(vmem__VMCOREINFO_is_found_in_memory);
	TAP_RUN(vmem__VMCOREINFO_before_5_11_is_found_in_memory);
	return tap_done();
}
