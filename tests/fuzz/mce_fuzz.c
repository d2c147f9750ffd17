// SPDX-License-Identifier: GPL-2.0-or-later
/* Machine checks of hostile registers, in words; two and more of them, joined. */
#include "mce/decode.h"
#include "print_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define RAW	128		/* bytes of input for one */

static void (* const puts_of[])(FILE *f, const struct mce *mce) = {
	mce_put_grade, mce_put_what, mce_put_status, mce_put_address, mce_put_global,
	mce_put_processor, mce_put_sources, mce_put_raw,
};

static void put_all(const struct mce *mce)
{
	static char text[1 << 16];
	FILE *f = fmemopen(text, sizeof(text), "w");

	MUST(f);
	for (size_t i = 0; i < ARRAY_SIZE(puts_of); i++)
		puts_of[i](f, mce);
	fputs(mce_grade_name(mce_grade(mce)), f);
	fflush(f);
	fuzz_check_text(text, ftell(f));
	fclose(f);
	MUST(mce_addr_lsb(mce) <= 64);
	mce_addr_bits(mce);
}

static struct mce mce_of(const u8 *raw)
{
	struct bytes b = bytes_of(raw, RAW, ORDER_LITTLE);
	struct mce mce = {
		.status = bytes_u64(&b, 0), .addr = bytes_u64(&b, 8), .misc = bytes_u64(&b, 16),
		.synd = bytes_u64(&b, 24), .ipid = bytes_u64(&b, 32), .mcgstatus = bytes_u64(&b, 40),
		.mcgcap = bytes_u64(&b, 48), .ip = bytes_u64(&b, 56), .mono_ns = bytes_u64(&b, 64),
		.real_ns = bytes_u64(&b, 64), .tsc = bytes_u64(&b, 72), .seq = bytes_u64(&b, 80),
		.cpuid = bytes_u32(&b, 88), .bank = bytes_u16(&b, 92), .cpu = bytes_u8(&b, 94),
		.vendor = bytes_u8(&b, 95), .sources = bytes_u32(&b, 96), .cs = bytes_u8(&b, 100),
		.severity = bytes_u8(&b, 101), .inject_flags = bytes_u8(&b, 102),
		.microcode = bytes_u32(&b, 103), .synd1 = bytes_u64(&b, 107), .pid = -1,
	};

	memcpy(mce.comm, raw + 112, 16);
	return mce;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct mces mces = { 0 };

	for (; size >= RAW; data += RAW, size -= RAW) {
		struct mce mce = mce_of(data);

		put_all(&mce);
		MUST(!mces_add(&mces, &mce, NULL));
	}
	mces_join(&mces);
	MUST(mces_count(&mces) <= mces.nr);
	for (u32 i = 0; i < mces.nr; i++)
		MUST(mces.list[i].same < mces.nr || !mces.nr);
	mces_free(&mces);
	return 0;
}
