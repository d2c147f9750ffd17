// SPDX-License-Identifier: GPL-2.0-only
/* Machine checks, where we know of none: the section stays empty. */
#include "sources/mce.h"

void epitaph_mce_start(void)
{
}

void epitaph_mce_stop(void)
{
}

void epitaph_mce_read(enum epitaph_mce_source source)
{
}
