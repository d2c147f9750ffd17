/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the region is mapped in a confidential VM.  Memory that is no System RAM of the kernel's was
 * mapped shared with the host up to 6.14: what is recorded could be read there, and with TDX and
 * SEV-SNP the page is another one then.  Builds in user space as well.
 */
#ifndef EPITAPH_CORE_MAPPING_H
#define EPITAPH_CORE_MAPPING_H

#include <epitaph/plat.h>

enum epitaph_mapping {
	EPITAPH_MAP_AS_USUAL,
	EPITAPH_MAP_ENCRYPTED,
	EPITAPH_MAP_REFUSED,
};

/**
 * epitaph_mapping_of() - decide
 * @is_confidential: the memory of this guest is encrypted
 * @is_ram: System RAM, which the kernel has mapped already, as it should be
 * @can_encrypt: modules can map other memory encrypted
 */
static inline enum epitaph_mapping epitaph_mapping_of(bool is_confidential, bool is_ram,
						      bool can_encrypt)
{
	if (!is_confidential || is_ram)
		return EPITAPH_MAP_AS_USUAL;
	return can_encrypt ? EPITAPH_MAP_ENCRYPTED : EPITAPH_MAP_REFUSED;
}

#endif /* EPITAPH_CORE_MAPPING_H */
