// SPDX-License-Identifier: GPL-2.0-or-later
/* Does the memory survive a reset? */
#include <stdio.h>
#include <string.h>

#include "doctor.h"

/*
 * TCG Platform Reset Attack Mitigation Specification 1.10, section 5: bit 0 of
 * the variable's value asks firmware to clear memory at the next reset.  efivarfs
 * puts four bytes of attributes in front.
 */
#define EFIVARS	"/sys/firmware/efi/efivars"
#define MOR	EFIVARS "/MemoryOverwriteRequestControl-e20939be-32d4-41be-a150-897f85d49829"

static void check_mor(struct doctor *d)
{
	char value[16];
	ssize_t n;

	if (!machine_exists(d->root, "/sys/firmware/efi")) {
		doctor_say(d, "overwrite", DOCTOR_OK, NULL,
			   "not an EFI machine: no request to clear memory at a reset");
		return;
	}
	n = machine_read(d->root, MOR, value, sizeof(value));
	if (n >= 5 && (value[4] & 1))
		/* Without kdump there is no other way for a trace to come back. */
		doctor_say(d, "overwrite", d->has_kdump ? DOCTOR_WARNING : DOCTOR_FAILURE,
			   "turn the clearing of memory (MemoryOverwriteRequest) off in the firmware's set-up, or rely on kdump",
			   "firmware is asked to clear all memory at the next reset: no trace outlives it");
	else if (n >= 5)
		doctor_say(d, "overwrite", DOCTOR_OK, NULL,
			   "firmware is not asked to clear memory at a reset");
	else if (machine_exists(d->root, EFIVARS "/BootOrder-8be4df61-93ca-11d2-aa0d-00e098032b8c") ||
		 machine_exists(d->root, EFIVARS "/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"))
		doctor_say(d, "overwrite", DOCTOR_OK, NULL,
			   "this firmware does not offer to clear memory at a reset");
	else
		doctor_say(d, "overwrite", DOCTOR_WARNING,
			   "mount -t efivarfs efivarfs " EFIVARS,
			   "EFI variables cannot be read: whether firmware clears memory at a reset is not known");
}

/* 0: the machine never reboots by itself. */
static void check_panic_timeout(struct doctor *d)
{
	char action[32];
	s64 seconds;

	if (d->has_kdump)
		return;
	machine_on_panic(d->root, action);
	if (strstr(action, "reipl"))
		doctor_say(d, "panic", DOCTOR_OK, NULL, "the machine is started again after a panic (on_panic is %s)", action);
	else if (*action)
		doctor_say(d, "panic", DOCTOR_WARNING, "echo reipl >" MACHINE_ON_PANIC " at each boot",
			   "after a panic the machine stands until somebody starts it, whatever kernel.panic is (on_panic is %s)",
			   action);
	else if (!machine_number(d->root, "/proc/sys/kernel/panic", &seconds))
		return;
	else if (seconds)
		doctor_say(d, "panic", DOCTOR_OK, NULL,
			   "the machine reboots after a panic (kernel.panic=%lld)",
			   (long long)seconds);
	else
		doctor_say(d, "panic", DOCTOR_WARNING, "sysctl kernel.panic=10",
			   "after a panic the machine stands until somebody resets it (kernel.panic=0)");
}

void doctor_check_reset(struct doctor *d)
{
	check_mor(d);
	check_panic_timeout(d);
}
