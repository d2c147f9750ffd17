// SPDX-License-Identifier: GPL-2.0-or-later
/* What this build is; the command links it too. */
#include <epitaph/epitaph.h>

#include "dump/page_codec.h"

const char *epitaph_version(void)
{
	return EPITAPH_VERSION;
}

const char *epitaph_page_codecs(void)
{
	return codec_list();
}
