// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A driver writes a register that this CPU does not have (it was written for another model): a general protection fault,
 * and no memory is in it.
 *
 * pattern: wrmsr of a model-specific register without a check
 * upstream: the class of "unchecked MSR access" (for example of uncore and RAPL drivers in guests)
 * finding: wrmsr in unit_enable(): MSR 0x6e1 (RCX)
 * never: a pointer; a freed object; a return address; an address that no memory can have
 * x86: wrmsr
 * must: ^likely: unit_enable\(\) .*wrmsr .*0x6e1
 * not: freed|NULL
 * guest: insmod /test/msr-that-cpu-lacks.ko
 */
#include "crash.h"

static noinline void unit_enable(u32 msr, u64 value)
{
	asm volatile("wrmsr" : : "c" (msr), "a" ((u32)value), "d" ((u32)(value >> 32)) : "memory");
}

static int __init unit_init(void)
{
	unit_enable(0x6e1, 0xff00000000000001ULL);
	return 0;
}
module_init(unit_init);
