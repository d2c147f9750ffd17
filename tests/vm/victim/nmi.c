// SPDX-License-Identifier: GPL-2.0-only
/* An NMI that the CPU sends to itself, on x86. */
#include <linux/percpu.h>
#include <linux/smp.h>
#include <asm/apic.h>
#include <asm/nmi.h>

#include "victim.h"

static DEFINE_PER_CPU(bool, nmi_sent);

/* Send this CPU an NMI, which victim_nmi() takes. */
void victim_nmi_here(void)
{
	this_cpu_write(nmi_sent, true);
	apic->send_IPI(smp_processor_id(), NMI_VECTOR);
}

static int victim_nmi(unsigned int cmd, struct pt_regs *regs)
{
	if (!this_cpu_read(nmi_sent))
		return NMI_DONE;
	this_cpu_write(nmi_sent, false);
	victim_emit(VICTIM_NMI, 4);
	victim_bug_in_nmi();
	return NMI_HANDLED;
}

int victim_nmi_start(void)
{
	return register_nmi_handler(NMI_LOCAL, victim_nmi, 0, "victim");
}

void victim_nmi_stop(void)
{
	unregister_nmi_handler(NMI_LOCAL, "victim");
}
