// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The firmware is asked only once it can answer: a kernel of x86 says from setup_arch() on that it has
 * runtime services, and has no function for them before the first initcalls are over.  That is when
 * a recorder that is built in opens its region.
 *
 * build: kernel/crash/firmware.c
 * build: -I tests/lib/kernel -I kernel -include kernel/include/epitaph/plat.h -fshort-wchar
 */
#include <linux/efi.h>

#include "crash/firmware.h"
#include "start/start.h"
#include "tap.h"

static bool is_early;
static u8 request;
struct efi efi;

bool epitaph_is_early(void)
{
	return is_early;
}

bool efi_enabled(int feature)
{
	return feature == EFI_RUNTIME_SERVICES;
}

bool efi_rt_services_supported(unsigned int mask)
{
	return mask == EFI_RT_SUPPORTED_GET_VARIABLE;
}

static efi_status_t answer(efi_char16_t *name, efi_guid_t *vendor, u32 *attr, unsigned long *size,
			   void *data)
{
	(void)vendor;
	(void)attr;
	if (name[0] != 'M' || *size != 1)
		return 1;
	*(u8 *)data = request;
	return EFI_SUCCESS;
}

static void firmware__what_it_was_asked_is_known_once_it_answers(void)
{
	is_early = false;
	efi.get_variable = answer;
	request = 1;
	CHECK(epitaph_firmware_clears(), "asked to clear");
	request = 0;
	CHECK(!epitaph_firmware_clears(), "not asked to clear");
}

static void firmware__a_kernel_that_has_no_function_for_it_yet_does_not_ask(void)
{
	is_early = true;
	efi.get_variable = NULL;
	CHECK(!epitaph_firmware_clears(), "nothing is known");
}

int main(void)
{
	TAP_RUN(firmware__what_it_was_asked_is_known_once_it_answers);
	TAP_RUN(firmware__a_kernel_that_has_no_function_for_it_yet_does_not_ask);
	return tap_done();
}
