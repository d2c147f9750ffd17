// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records of firmware in words: the bytes are those that the kernel's GUID_INIT() makes, written out.
 *
 * build: extractor/mce/cper.c
 */
#include <string.h>

#include "mce/cper.h"
#include "tap.h"

static bool is_named(const u8 *type, const char *name)
{
	const char *found = cper_section_name(type);

	return found && !strcmp(found, name);
}

static void cper__sections_are_known_by_their_bytes(void)
{
	static const u8 pcie[] = "\x54\xe9\x95\xd9\xc1\xbb\x0f\x43\xad\x91\xb4\x4d\xcb\x3c\x6f\x35";
	static const u8 memory[] = "\x14\x11\xbc\xa5\x64\x6f\xde\x4e\xb8\x63\x3e\x83\xed\x7c\x83\xb1";
	static const u8 cxl[] = "\xb3\xcb\x1d\x60\x06\x9c\xab\x4e\xb8\xaf\x4e\x9b\xfb\x5c\x96\x24";
	u8 other[16];

	CHECK(is_named(pcie, "PCI Express"), "PCI Express");
	CHECK(is_named(memory, "memory"), "memory");
	CHECK(is_named(cxl, "CXL DRAM"), "CXL");
	memcpy(other, pcie, 16);
	for (u32 i = 0; i < 16; i++) {
		other[i] ^= 1;
		CHECK(!cper_section_name(other), "byte %u does not count", i);
		other[i] ^= 1;
	}
}

/* include/acpi/ghes.h: GHES_SEV_NO to GHES_SEV_PANIC, which are what ghes.c traces. */
static void cper__severities_are_those_of_ghes(void)
{
	static const char *const names[] = { "informational", "corrected", "recoverable", "fatal" };

	for (u32 i = 0; i < 4; i++)
		CHECK(!strcmp(cper_ghes_severity_name(i), names[i]), "%u", i);
	CHECK(!cper_ghes_severity_name(4) && !cper_ghes_severity_name(~0ULL), "no others");
}

int main(void)
{
	TAP_RUN(cper__sections_are_known_by_their_bytes);
	TAP_RUN(cper__severities_are_those_of_ghes);
	return tap_done();
}
