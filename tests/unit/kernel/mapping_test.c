// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How the region is mapped in a confidential VM.  No such machine was seen: this is the decision alone.
 *
 * build: -I kernel
 */
#include "core/mapping.h"

#include "tap.h"

static void mapping__elsewhere_is_as_usual(void)
{
	CHECK(epitaph_mapping_of(false, false, false) == EPITAPH_MAP_AS_USUAL, "memmap=");
	CHECK(epitaph_mapping_of(false, false, true) == EPITAPH_MAP_AS_USUAL, "memmap=");
	CHECK(epitaph_mapping_of(false, true, true) == EPITAPH_MAP_AS_USUAL, "reserve_mem=");
}

static void mapping__the_kernels_own_ram_is_encrypted_already(void)
{
	CHECK(epitaph_mapping_of(true, true, true) == EPITAPH_MAP_AS_USUAL, "reserve_mem=");
	CHECK(epitaph_mapping_of(true, true, false) == EPITAPH_MAP_AS_USUAL, "reserve_mem=");
}

static void mapping__other_memory_is_never_shared_with_the_host(void)
{
	CHECK(epitaph_mapping_of(true, false, true) == EPITAPH_MAP_ENCRYPTED, "it can be");
	CHECK(epitaph_mapping_of(true, false, false) == EPITAPH_MAP_REFUSED, "it cannot be");
}

int main(void)
{
	TAP_RUN(mapping__elsewhere_is_as_usual);
	TAP_RUN(mapping__the_kernels_own_ram_is_encrypted_already);
	TAP_RUN(mapping__other_memory_is_never_shared_with_the_host);
	return tap_done();
}
