/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Error records of firmware: CPER, of the UEFI specification, appendix N. */
#ifndef EPITAPH_MCE_CPER_H
#define EPITAPH_MCE_CPER_H

#include "base/types.h"

/* What a section of this type is about; @type: as it lies in memory. NULL: unknown, perhaps a vendor's. */
const char *cper_section_name(const u8 type[16]);

/*
 * "corrected", "fatal", ...: of a severity as the kernel's ghes.c traces it, which is not the number of
 * the specification. NULL: there is no such severity.
 */
const char *cper_ghes_severity_name(u64 severity);

#endif
