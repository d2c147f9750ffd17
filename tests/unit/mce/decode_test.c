// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Machine checks in words, against a table of what others document of them.
 *
 * build: @extractor
 */
#include <string.h>

#include "mce_table.h"
#include "tap.h"

static struct mce of_row(const struct mce_row *row)
{
	return (struct mce){
		.vendor = row->vendor, .cpuid = row->cpuid, .bank = row->bank,
		.status = row->status, .mcgcap = row->mcgcap, .mcgstatus = row->mcgstatus,
		.addr = row->addr, .misc = row->misc, .synd = row->synd, .ipid = row->ipid,
		.sources = 1U << EPITAPH_MCE_LOGGED, .pid = -1,
	};
}

static bool says(void (*put)(FILE *f, const struct mce *mce), const struct mce *mce,
		 const char *words)
{
	char *text = mce_text(put, mce);
	bool does = words ? text && strstr(text, words) : !text;

	if (!does)
		printf("# it says: %s\n", text ? text : "nothing");
	free(text);
	return does;
}

static void mce__how_bad_it_is_follows_from_the_status(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(mce_table); i++) {
		struct mce mce = of_row(&mce_table[i]);

		CHECK(mce_grade(&mce) == mce_table[i].grade, "%s: %s", mce_table[i].from,
		      mce_grade_name(mce_grade(&mce)));
	}
}

static void mce__what_failed_is_what_others_say(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(mce_table); i++) {
		struct mce mce = of_row(&mce_table[i]);

		CHECK(says(mce_put_what, &mce, mce_table[i].what), "%s", mce_table[i].from);
	}
}

static void mce__an_address_is_told_with_what_it_is(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(mce_table); i++) {
		struct mce mce = of_row(&mce_table[i]);

		CHECK(says(mce_put_address, &mce, mce_table[i].address), "%s",
		      mce_table[i].from);
	}
}

static void mce__a_status_names_its_bits(void)
{
	static const struct {
		struct mce mce;
		const char *words;
	} rows[] = {
		{ { .status = 0x9000000000000151 }, NULL },
		{ { .status = 0xd000000000000151 }, "overflow: at least one other error" },
		{ { .status = 0x8000000000000151 }, "not enabled for reporting" },
		{ { .status = 0x9000004000000151 }, "1 corrected error counted" },
		{ { .status = 0x900000c000000151, .mcgcap = 0x400 }, "3 corrected errors" },
		{ { .status = 0x900000c000000151, .mcgcap = 0x200 }, NULL },
		{ { .status = 0x901fffc000000151, .mcgcap = 0x400 }, "32767 corrected errors counted or more" },
		{ { .status = 0x9020000000000151, .mcgcap = 0x800 }, "below the threshold (green)" },
		{ { .status = 0x9040000000000151, .mcgcap = 0x800 }, "above the threshold (yellow)" },
		{ { .status = 0x9000000000001151 }, "filtered" },
		{ { .status = 0xb100000000000151 }, "signalled by an exception (S)" },
		{ { .status = 0x9000000000000151, .inject_flags = 1 }, "injected by software" },
		{ { .status = 0x9000000000000151, .severity = 7 }, "graded 7 by the kernel (panic)" },
		{ { .vendor = 2, .cpuid = 0x800f11, .status = 0x9000400000000151 }, "CECC" },
		{ { .vendor = 2, .cpuid = 0x800f11, .status = 0xb000200000000151 }, "UECC" },
		{ { .vendor = 2, .cpuid = 0x800f11, .status = 0x9000010000000151 }, "found by the scrubber" },
		{ { .vendor = 2, .cpuid = 0x800f11, .status = 0xb080000000000151 }, "(TCC)" },
		{ { .vendor = 2, .cpuid = 0x800f11, .status = 0x9020000000000151, .synd = 0xab }, "syndrome 0xab" },
		{ { .vendor = 2, .cpuid = 0x800f11, .status = 0x9100002500000151 }, "of core 37" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK(says(mce_put_status, &rows[i].mce, rows[i].words), "%s",
		      rows[i].words ? rows[i].words : "nothing");
}

static void mce__a_processor_is_named(void)
{
	struct mce mce = { .cpuid = 0x50654 };

	CHECK(says(mce_put_processor, &mce, "Intel family 0x6 model 0x55 stepping 4"), "Intel");
	mce = (struct mce){ .vendor = EPITAPH_VENDOR_AMD, .cpuid = 0xa20f12 };
	CHECK(says(mce_put_processor, &mce, "AMD family 0x19 model 0x21 stepping 2"), "AMD");
	mce = (struct mce){ .vendor = 77 };
	CHECK(says(mce_put_processor, &mce, "maker 77"), "unknown");
}

static void mce__where_it_was_is_told_with_what_that_means(void)
{
	struct mce mce = { .mcgstatus = 5, .ip = 0x1234, .cs = 0x33 };

	CHECK(says(mce_put_global, &mce, "could be resumed (RIPV)"), "RIPV");
	CHECK(says(mce_put_global, &mce, "33:0x1234, in user space, which need not be"), "ip");
	mce = (struct mce){ .mcgstatus = 0xe, .ip = 0x1234, .cs = 0x10 };
	CHECK(says(mce_put_global, &mce, "cannot be resumed (RIPV clear)"), "no RIPV");
	CHECK(says(mce_put_global, &mce, "to this CPU alone (LMCE)"), "LMCE");
	CHECK(says(mce_put_global, &mce, "in the kernel, which is where it failed"), "EIPV");
}

/* Every number of every field leads to words that end; nothing is read outside a table. */
static void mce__no_number_is_too_strange(void)
{
	static const u8 vendors[] = { 0, 2, 5, 9, 10, 77 };
	u64 n = 0x9e3779b97f4a7c15;

	for (int i = 0; i < 300000; i++) {
		struct mce mce;
		char *text;
		u64 *words = (u64 *)&mce.status;

		memset(&mce, 0, sizeof(mce));
		for (int k = 0; k < 13; k++) {
			n ^= n << 13, n ^= n >> 7, n ^= n << 17;
			words[k] = i % 3 ? n : n & 0xffffff;
		}
		mce.status |= i % 2 ? STATUS_VAL | STATUS_ADDRV : 0;
		mce.vendor = vendors[i % 6];
		mce.cpuid = n >> 11;
		mce.sources = n >> 58;
		text = mce_text(mce_put_what, &mce);
		if (!CHECK(text && strlen(text) > 3, "%d", i))
			return;
		free(text);
		free(mce_text(mce_put_status, &mce));
		free(mce_text(mce_put_address, &mce));
		free(mce_text(mce_put_grade, &mce));
		free(mce_text(mce_put_raw, &mce));
	}
}

/* All 4096 codes: decoded, or shown as their number. */
static void mce__every_code_has_words_or_its_number(void)
{
	char number[20];

	for (u32 code = 0; code < 0x1000; code++) {
		struct mce mce = { .status = STATUS_VAL | code };
		char *text = mce_text(mce_put_what, &mce);

		snprintf(number, sizeof(number), "0x%04x", code);
		CHECK(text && (!strstr(text, "not known") || strstr(text, number)), "%s", number);
		free(text);
	}
}

int main(void)
{
	printf("# %zu records\n", ARRAY_SIZE(mce_table));
	TAP_RUN(mce__how_bad_it_is_follows_from_the_status);
	TAP_RUN(mce__what_failed_is_what_others_say);
	TAP_RUN(mce__an_address_is_told_with_what_it_is);
	TAP_RUN(mce__a_status_names_its_bits);
	TAP_RUN(mce__a_processor_is_named);
	TAP_RUN(mce__where_it_was_is_told_with_what_that_means);
	TAP_RUN(mce__no_number_is_too_strange);
	TAP_RUN(mce__every_code_has_words_or_its_number);
	return tap_done();
}
