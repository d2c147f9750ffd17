/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of the kernel's header what kernel/crash/firmware.c needs; a test has the firmware. */
#ifndef _EPITAPH_TEST_EFI_H
#define _EPITAPH_TEST_EFI_H

#include <epitaph/plat.h>

typedef u16 efi_char16_t;
typedef unsigned long efi_status_t;
typedef struct { u8 b[16]; } efi_guid_t;

#define EFI_GUID(a, b, c, d...)		((efi_guid_t){ { (a) & 0xff, (b) & 0xff, (c) & 0xff, d } })
#define EFI_SUCCESS			0
#define EFI_RUNTIME_SERVICES		3
#define EFI_RT_SUPPORTED_GET_VARIABLE	0x0010

extern struct efi {
	efi_status_t (*get_variable)(efi_char16_t *name, efi_guid_t *vendor, u32 *attr,
				     unsigned long *size, void *data);
} efi;

bool efi_enabled(int feature);
bool efi_rt_services_supported(unsigned int mask);

#endif
