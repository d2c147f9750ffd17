// SPDX-License-Identifier: GPL-2.0-or-later
#include "exit_words.h"

#include <string.h>

#include "event/field_iter.h"

#define ISA_VMX		1	/* arch/x86/include/asm/kvm_host.h: KVM_ISA_VMX, KVM_ISA_SVM */
#define ISA_SVM		2
#define VMX_BASIC	0xffff	/* of a reason; above it are flags */

/* The numbers of the processors' manuals; 0 is one of Intel's, and of AMD's not one that has words. */
static const struct {
	const char *words;
	u32 vmx;
	u32 svm;
} reasons[] = {
	{ "the guest raised an exception that the host handles", 0, 0x4e },
	{ "an interrupt of the host", 1, 0x60 },
	{ "an NMI of the host", ~0U, 0x61 },
	{ "triple fault: the guest is reset", 2, 0x7f },
	{ "it can take an interrupt now", 7, 0x64 },
	{ "it asks what processor this is", 10, 0x72 },
	{ "it sleeps: nothing to do", 12, 0x78 },
	{ "it drops a page from its TLB", 14, 0x79 },
	{ "it reads its counter of cycles", 16, 0x6e },
	{ "it asks the hypervisor", 18, 0x81 },
	{ "an access to a control register", 28, 0x65 },
	{ "an access to a debug register", 29, ~0U },
	{ "an access to a port", 30, 0x7b },
	{ "it reads a register of the processor", 31, ~0U },
	{ "an access to a register of the processor", ~0U, 0x7c },
	{ "it writes a register of the processor", 32, ~0U },
	{ "its state is invalid", 33, ~0U },
	{ "it waits for a write to memory", 36, 0x8b },
	{ "it waits in a loop", 40, 0x77 },
	{ "an access to its interrupt controller", 44, 0x402 },
	{ "an access to its interrupt controller", 56, 0x401 },
	{ "memory that the host has not mapped", 48, 0x400 },
	{ "an access to a device's memory", 49, ~0U },
	{ "its time slice ended", 52, ~0U },
	{ "it flushes its caches", 54, 0x89 },
};

static bool find_reason(const struct item *item, u32 *isa, u32 *reason)
{
	struct field field;

	if (!field_iter_find(item, "isa", &field) || field.kind != FIELD_NUMBER)
		return false;
	*isa = (u32)field.number;
	if (!field_iter_find(item, "exit_reason", &field) || field.kind != FIELD_NUMBER)
		return false;
	*reason = (u32)field.number;
	return true;
}

void put_exit_words(FILE *f, const struct item *item)
{
	u32 isa, reason;

	if (item->kind != ITEM_EVENT || strcmp(item_name(item), "kvm:kvm_exit") || !find_reason(item, &isa, &reason))
		return;
	for (u32 i = 0; i < ARRAY_SIZE(reasons); i++)
		if ((isa == ISA_VMX && reasons[i].vmx == (reason & VMX_BASIC)) || (isa == ISA_SVM && reasons[i].svm == reason)) {
			fprintf(f, " (%s)", reasons[i].words);
			return;
		}
}
