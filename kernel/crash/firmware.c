// SPDX-License-Identifier: GPL-2.0-only
/* What the firmware is going to do to the memory. */
#include <linux/efi.h>
#include "start/start.h"
#include "firmware.h"

/*
 * TCG Platform Reset Attack Mitigation Specification 1.10, section 5: bit 0 asks
 * to clear all memory at the next reset.
 */
#define MOR_CLEARS	1

bool epitaph_firmware_clears(void)
{
	efi_char16_t name[] = L"MemoryOverwriteRequestControl";
	efi_guid_t vendor = EFI_GUID(0xe20939be, 0x32d4, 0x41be, 0xa1, 0x50, 0x89, 0x7f,
				     0x85, 0xd4, 0x98, 0x29);
	unsigned long size = 1;
	u8 request = 0;

	/* x86 has the flag from setup_arch() on, and no functions before the first initcalls are over. */
	if (epitaph_is_early() || !efi_enabled(EFI_RUNTIME_SERVICES) ||
	    !efi_rt_services_supported(EFI_RT_SUPPORTED_GET_VARIABLE))
		return false;
	return efi.get_variable(name, &vendor, NULL, &size, &request) == EFI_SUCCESS &&
	       size == 1 && (request & MOR_CLEARS);
}
