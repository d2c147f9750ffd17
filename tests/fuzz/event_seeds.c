// SPDX-License-Identifier: GPL-2.0-or-later
/* What targets without a container start from. */
#include <stdio.h>
#include <string.h>

#include <epitaph/format.h>

#include "mce_table.h"
#include "seeds.h"

#define ARRAY_LEN(a) (sizeof(a) / sizeof(*(a)))

#define FORMAT						\
	"name: it\nID: 1\nformat:\n"			\
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"		\
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"		\
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"	\
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"			\
	"\tfield:u8 a;\toffset:8;\tsize:1;\tsigned:0;\n"	\
	"\tfield:s8 b;\toffset:9;\tsize:1;\tsigned:1;\n"	\
	"\tfield:int d;\toffset:12;\tsize:4;\tsigned:1;\n"	\
	"\tfield:unsigned long e;\toffset:16;\tsize:8;\tsigned:0;\n"	\
	"\tfield:u16 n[4];\toffset:24;\tsize:8;\tsigned:0;\n"	\
	"\tfield:char h[8];\toffset:32;\tsize:8;\tsigned:0;\n"	\
	"\tfield:__data_loc char[] i;\toffset:40;\tsize:4;\tsigned:0;\n"	\
	"\tfield:__rel_loc char[] k;\toffset:44;\tsize:4;\tsigned:0;\n\nprint fmt: "

/* These the library died of. */
static const char * const mended[] = {
	"name: print fmt:\nID: 1\nformat:\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:0;\n\n\tfield:char x[",
	"name: it\nID: 1\nformat:\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:0;\n\n"
	"\tfield:char x[\346];\toffset:4;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n",
	"name: it\nID: 1\nformat:\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:0;\n\n"
	"\tfield:char x[\377];\toffset:4;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n",
};

static const char * const prints[] = {
	"\"a=%d b=%-3d d=%x e=%llu %016lx\", REC->a, REC->b, REC->d, REC->e, REC->e",
	"\"%s|%8s %s %s\", REC->h, REC->h, __get_str(i), __get_rel_str(k)",
	"\"%s\", __print_symbolic(REC->a & 7, { 0, \"NONE\" }, { 1, \"ONE\" }, { 0x4, \"FOUR\" })",
	"\"%s\", __print_flags(REC->a, \"|\", { 1, \"A\" }, { 2, \"B\" }, { 0x18, \"CD\" })",
	"\"%s %d\", (REC->a & 3) ? \"x\" : \"y\", REC->d < 3 || REC->b >= 2 && !REC->a",
	"\"%pS %s %*d %.2s %c\", (void *)REC->e, __print_hex(REC->h, 8), 5, REC->d, REC->h, REC->a",
	"\"%s\", __print_array(REC->n, 4, sizeof(u16))",
	"\"%d\", ({ int x = REC->a; x; }), (REC->d << 3) / (REC->b - 2) % 7",
	"\"%d %d\", REC->a / REC->b, REC->d % REC->a",	/* the library divided by zero, */
	"\"%*d\", 1 / 0, 2",				/* here while it parsed */
	"\"%s\", REC->h, x % y",
	"\"%lu.%03lu \\\"%s\\\"\", REC->e / 1000, REC->e % (1000UL), REC->h",
	"\"%pI4 %pM %pUb %ld\", REC->n, REC->h, REC->h, sizeof(unsigned int)",
	/* There is no such field, its list is not closed; an index, where the library knows none. */
	"\"%s\", __print_flags(REC->afuzz\", { 0, \"A\" }, { 2, \"B\" }, { 5x18, \"CD\" })",
	"\"%s\", __print_flags(REC->none, \"|\", { 1, \"A\" })",
	"\"%d %d\", REC->n[1][2], REC->a ? REC->b : REC->n[1]",
	"\"%d\", 8 / 4 * 0",
	/* What bounds an index and a count, and what a divisor is. */
	"\"%d %d %d\", REC->n[(u8)1], REC->n[8 / 4], REC->n[REC->d]",
	"\"%d %d\", REC->d / (int)4, REC->d % (int)REC->a",
	"\"%s\", __print_array(__get_dynamic_array(i), __get_dynamic_array_len(i), sizeof(u8))",
	"\"%s\", __print_hex(REC->a + 1, 8)",
	"\"%12345d\", REC->a",
	"\"%llu %p\", (((u64)(REC)->a << 32) | REC->n[REC->b]), ((void *)0)",
};

void save_formats(const char *dir)
{
	static const char payload[] = "\1\2..\3\0\0\0\4\0\0\0\0\0\0\0abcdefgh" "text\0\0\0\0"
				      "\60\0\4\0\4\0\4\0" "one\0two";
	char seed[4096];
	int len;

	for (size_t i = 0; i < ARRAY_LEN(prints); i++) {
		len = snprintf(seed, sizeof(seed), "%s%s\n", FORMAT, prints[i]) + 1;
		memcpy(seed + len, payload, sizeof(payload));
		seed_save(dir, i, seed, len + sizeof(payload));
	}
	for (size_t i = 0; i < ARRAY_LEN(mended); i++)
		seed_save(dir, 50 + i, mended[i], strlen(mended[i]));
}

static void put(unsigned char *at, unsigned long long value, size_t size)
{
	memcpy(at, &value, size);
}

/* Of families 10h and 15h: each extended code of the northbridge, and each bank. */
static void save_old_amd(const char *dir, int nr)
{
	static const unsigned int cpuids[] = { 0x00100f42, 0x00600f12 };
	unsigned char seed[256];

	for (size_t i = 0; i < 32 + 8; i++) {
		memset(seed, 0, sizeof(seed));
		for (size_t k = 0; k < 2; k++) {
			unsigned char *raw = seed + 128 * k;

			put(raw, 0xb200000000000135 | (i < 32 ? i << 16 : 0), 8);
			put(raw + 88, cpuids[k], 4);
			put(raw + 92, i < 32 ? 4 : i - 32, 2);
			put(raw + 95, EPITAPH_VENDOR_AMD, 1);
		}
		seed_save(dir, nr + i, seed, sizeof(seed));
	}
}

/* Two in one seed: the first and its neighbour in the table. */
void save_mces(const char *dir)
{
	unsigned char seed[256];

	save_old_amd(dir, ARRAY_LEN(mce_table));
	for (size_t i = 0; i + 1 < ARRAY_LEN(mce_table); i += 2) {
		memset(seed, 0, sizeof(seed));
		for (size_t k = 0; k < 2; k++) {
			const struct mce_row *row = &mce_table[i + k];
			unsigned char *raw = seed + 128 * k;

			put(raw, row->status, 8);
			put(raw + 8, row->addr, 8);
			put(raw + 16, row->misc, 8);
			put(raw + 24, row->synd, 8);
			put(raw + 32, row->ipid, 8);
			put(raw + 40, row->mcgstatus, 8);
			put(raw + 48, row->mcgcap, 8);
			put(raw + 88, row->cpuid, 4);
			put(raw + 92, row->bank, 2);
			put(raw + 95, row->vendor, 1);
			put(raw + 96, 2, 4);
		}
		seed_save(dir, i / 2, seed, sizeof(seed));
	}
}

void save_texts(const char *dir)
{
	static const char * const texts[] = {
		"OSRELEASE=6.1.0-test\nPAGESIZE=4096\nSYMBOL(a)=ffffffff81000000\nOFFSET(a.b)=16\n"
		"SIZE(a)=8\nLENGTH(a)=4\nNUMBER(a)=-1\nKERNELOFFSET=1a000000\nCRASHTIME=1700000000\n",
		"\33[2J\\x1b \302\233 \342\200\256 \360\237\230\200 \377\300\200 \"</script>\"\r\n\t",
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		seed_save(dir, i, texts[i], strlen(texts[i]));
}
