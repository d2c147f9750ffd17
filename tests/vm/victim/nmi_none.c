// SPDX-License-Identifier: GPL-2.0-only
/* An architecture on which a CPU cannot send itself an NMI, or we know no way. */
#include "victim.h"

void victim_nmi_here(void)
{
}

int victim_nmi_start(void)
{
	return 0;
}

void victim_nmi_stop(void)
{
}
