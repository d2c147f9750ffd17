/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machine checks, and what others say of them.  "from" names who:
 *
 *   SDM      Intel SDM volume 3B, Interpreting Machine Check Error Codes
 *   APM      AMD APM volume 2, Machine Check Architecture
 *   severity Linux 6.1 arch/x86/kernel/cpu/mce/severity.c, its table by message
 *   edac     Linux 5.10 to 6.12 drivers/edac/mce_amd.c
 *   mcelog   mcelog 2965a540: p4.c, or the record in its input/ of that name
 *   ras      rasdaemon 769593be: events-arch-x86/mce-intel.c, mce-amd.c,
 *            mce-amd-k8.c, mce-amd-smca.c, by table and index
 *   logged   a line that many machines logged, decoded by edac
 *
 * and what it says there, in its words, where a name is short enough.  The
 * other columns are what must follow here: the grade, words that must be in
 * what failed, words that must be in what the address is (NULL: no address).
 */
#ifndef _EPITAPH_MCE_TABLE_H
#define _EPITAPH_MCE_TABLE_H

#include "mce/decode.h"

struct mce_row {
	const char *from;
	u8 vendor;
	u32 cpuid;
	u32 bank;
	u64 status;
	u64 mcgcap;
	u64 mcgstatus;
	u64 addr;
	u64 misc;
	u64 synd;
	u64 ipid;
	enum mce_grade grade;
	const char *what;
	const char *address;
};

#define INTEL	.vendor = EPITAPH_VENDOR_INTEL
#define AMD	.vendor = EPITAPH_VENDOR_AMD
#define HYGON	.vendor = EPITAPH_VENDOR_HYGON

#define SKX	INTEL, .cpuid = 0x50654, .mcgcap = 0x7000c16	/* SER_P, TES_P, CMCI_P */
#define OLD	INTEL, .cpuid = 0x10676, .mcgcap = 0x806	/* no SER_P, no CMCI_P */
#define K8	AMD, .cpuid = 0x00020f48
#define F10H	AMD, .cpuid = 0x00100f42
#define F15H	AMD, .cpuid = 0x00600f12
#define ZEN1	AMD, .cpuid = 0x00800f11
#define ZEN3	AMD, .cpuid = 0x00a20f12
#define GENOA	AMD, .cpuid = 0x00a10f11
#define MI300	AMD, .cpuid = 0x00a90f00
#define TURIN	AMD, .cpuid = 0x00b00f21

#define HWID(hwid, type, low)	((u64)(type) << 48 | (u64)(hwid) << 32 | (low))
#define CORE(type)		.ipid = HWID(0x0b0, type, 0)
#define UMC(low)		.ipid = HWID(0x096, 0, low)

static const struct mce_row mce_table[] = {
	/* Intel: simple codes. */
	{ "SDM: No Error", SKX, .status = 0x8000000000000000, .grade = MCE_CORRECTED,
	  .what = "no error" },
	{ "SDM: Unclassified", SKX, .status = 0x9000000000000001, .grade = MCE_CORRECTED,
	  .what = "unclassified error" },
	{ "SDM: Microcode ROM Parity Error", SKX, .status = 0xb200000000000002,
	  .grade = MCE_FATAL, .what = "microcode ROM parity" },
	{ "SDM: External Error", OLD, .status = 0xb200000000000003, .grade = MCE_FATAL,
	  .what = "BINIT#" },
	{ "SDM: FRC Error", OLD, .status = 0xb200000000000004, .grade = MCE_FATAL,
	  .what = "FRC error" },
	{ "SDM: Internal Parity Error", SKX, .status = 0xb200000000000005, .grade = MCE_FATAL,
	  .what = "internal parity error" },
	{ "SDM: SMM Handler Code Access Violation", SKX, .status = 0xb200000000000006,
	  .grade = MCE_FATAL, .what = "SMM handler" },
	{ "SDM: Internal Timer Error", SKX, .status = 0xbe00000000800400, .addr = 0x3fff8100,
	  .misc = 0x40, .grade = MCE_FATAL, .what = "internal timer error",
	  .address = "linear address 0x3fff8100" },
	{ "mcelog: input/unknown, Internal unclassified error: 40b", SKX, .bank = 1,
	  .status = 0x9c0000000000040b, .addr = 0xabcd, .misc = 0xabcdef,
	  .grade = MCE_CORRECTED, .what = "internal unclassified error 0x040b",
	  .address = "0xabcd" },
	{ "mcelog: input/iomca, IO MCA reported by root port 0:00:15.3", SKX, .bank = 1,
	  .status = 0x9c00000000000e0b, .addr = 0xabcd, .misc = 0xabcdef,
	  .grade = MCE_CORRECTED, .what = "root port 0000:00:15.3",
	  .address = "unknown kind, 0xabcd" },
	{ "SDM: I/O error, MISC not valid", SKX, .status = 0xb200000000000e0b,
	  .misc = 0xabcdef, .grade = MCE_FATAL, .what = "I/O error" },
	{ "SDM: 7 is not defined", SKX, .status = 0x9000000000000007, .grade = MCE_CORRECTED,
	  .what = "error code 0x0007, which is not known" },
	{ "mcelog: input/GENMCA, 0x20 is unknown", SKX, .status = 0x9000000000000020,
	  .grade = MCE_CORRECTED, .what = "error code 0x0020, which is not known" },
	{ "mcelog: input/GENMCA, 0x200 is unknown", SKX, .status = 0x9000000000000200,
	  .grade = MCE_CORRECTED, .what = "error code 0x0200, which is not known" },
	{ "mcelog: input/GENMCA, 0x300 is unknown", SKX, .status = 0x9000000000000300,
	  .grade = MCE_CORRECTED, .what = "error code 0x0300, which is not known" },

	/* Intel: compound codes. */
	{ "ras: LL[0], Generic memory hierarchy error", SKX, .status = 0x900000000000000c,
	  .grade = MCE_CORRECTED, .what = "cache hierarchy: level 0" },
	{ "SDM: generic cache hierarchy, LG", SKX, .status = 0x900000000000000f,
	  .grade = MCE_CORRECTED, .what = "cache hierarchy: generic level" },
	{ "ras: Instruction TLB Level-0 Error", SKX, .status = 0x9000000000000010,
	  .grade = MCE_CORRECTED, .what = "TLB: instruction, level 0" },
	{ "ras: Data TLB Level-1 Error", SKX, .status = 0x9000000000000015,
	  .grade = MCE_CORRECTED, .what = "TLB: data, level 1" },
	{ "ras: Generic TLB Level-2 Error", SKX, .status = 0x900000000000001a,
	  .grade = MCE_CORRECTED, .what = "TLB: generic, level 2" },
	{ "mcelog: input/skx_mirror1, GEN_CHANNEL0_ERR", INTEL, .cpuid = 0x50650, .bank = 7,
	  .status = 0x8800000000000080, .misc = 0x8000000000000000, .grade = MCE_CORRECTED,
	  .what = "memory controller: undefined request error, channel 0" },
	{ "mcelog: input/spr_uc_patscrub", INTEL, .cpuid = 0x806f0, .bank = 13,
	  .status = 0x8000000010100080, .grade = MCE_CORRECTED,
	  .what = "channel 0 (model-specific code 0x1010)" },
	{ "ras: mmm RD_CHANNEL1", SKX, .bank = 8, .status = 0x8c00004000010091,
	  .addr = 0x12345680, .misc = 0x86, .grade = MCE_CORRECTED,
	  .what = "memory controller: read error, channel 1",
	  .address = "physical address 0x12345680, exact to 64 bytes" },
	{ "ras: mmm RD, channel unspecified", SKX, .status = 0x900000000000009f,
	  .grade = MCE_CORRECTED, .what = "read error, channel unknown" },
	{ "ras: mmm WR_CHANNEL2", SKX, .status = 0x90000000000000a2, .grade = MCE_CORRECTED,
	  .what = "write error, channel 2" },
	{ "mcelog: input/GENMEM 0 0 0 1, AC_CHANNEL0", INTEL, .cpuid = 0x106a0, .bank = 2,
	  .mcgcap = 0x400, .status = 0x88000040000000b0, .grade = MCE_CORRECTED,
	  .what = "address or command error, channel 0" },
	{ "ras: mmm MS_CHANNEL3", SKX, .status = 0x90000000000000c3, .grade = MCE_CORRECTED,
	  .what = "scrubbing error, channel 3" },
	{ "ras: mmm RES5", SKX, .status = 0x90000000000000d0, .grade = MCE_CORRECTED,
	  .what = "memory controller: unknown request 5" },
	{ "mcelog: Memory as cache: RD_CHANNEL0", SKX, .status = 0x9000000000000290,
	  .grade = MCE_CORRECTED, .what = "memory used as cache: read error, channel 0" },
	{ "mcelog: Memory as cache: MS, unspecified", SKX, .status = 0x90000000000002cf,
	  .grade = MCE_CORRECTED, .what = "used as cache: scrubbing error, channel unknown" },
	{ "mcelog: input/GENCACHE 0 1 1 green", INTEL, .cpuid = 0x106a0, .mcgcap = 0x800,
	  .status = 0x8820000000000105, .grade = MCE_CORRECTED,
	  .what = "cache: data, level 1, generic error" },
	{ "mcelog: input/xen, bank 2 of CPU 1", OLD, .bank = 2, .status = 0xd400008000040150,
	  .addr = 0x1000, .grade = MCE_CORRECTED,
	  .what = "cache: instruction, level 0, instruction fetch",
	  .address = "unknown kind, 0x1000" },
	{ "ras: Data CACHE Eviction", SKX, .status = 0x9000000000000175, .grade = MCE_CORRECTED,
	  .what = "cache: data, level 1, eviction" },
	{ "ras: RRRR 9 is UNKNOWN", SKX, .status = 0x9000000000000195, .grade = MCE_CORRECTED,
	  .what = "unknown request 9" },
	{ "SDM: F is no part of the code", SKX, .status = 0x9000000000001151,
	  .grade = MCE_CORRECTED, .what = "cache: instruction, level 1, instruction fetch" },
	{ "ras: BUS Level-0 Local-CPU-originated Generic Memory-access", SKX,
	  .status = 0x9000000000000800, .grade = MCE_CORRECTED,
	  .what = "bus or interconnect: generic error, memory transaction, level 0, this processor asked, no timeout" },
	{ "ras: BUS Responed-to-request Read IO timed-out", SKX, .status = 0xb200000000000b1b,
	  .grade = MCE_FATAL,
	  .what = "generic read, I/O transaction, generic level, this processor answered, the request timed out" },
	{ "ras: BUS Observed-error-as-third-party Snoop", SKX, .status = 0x9000000000000c8c,
	  .grade = MCE_CORRECTED,
	  .what = "snoop, other transaction, level 0, this processor saw it as a third party" },

	/* Intel: how bad it is. */
	{ "severity: Invalid", SKX, .status = 0x1000000000000151, .grade = MCE_INVALID,
	  .what = "cache" },
	{ "severity: Processor context corrupt", SKX, .status = 0xbf80000000000134,
	  .addr = 0x1000, .misc = 0x86, .grade = MCE_FATAL, .what = "cache: data",
	  .address = "physical address 0x1000" },
	{ "severity: Neither restart nor error IP", SKX, .mcgstatus = 4,
	  .status = 0xbd80000000000134, .addr = 0x1000, .misc = 0x86, .grade = MCE_FATAL,
	  .what = "data read", .address = "physical address" },
	{ "severity: Action optional: memory scrubbing error, S set", SKX, .mcgstatus = 5,
	  .status = 0xbd000000000000c0, .addr = 0x7654321000, .misc = 0x8c, .grade = MCE_SRAO,
	  .what = "scrubbing error, channel 0",
	  .address = "physical address 0x7654321000, exact to 4096 bytes (a page)" },
	{ "severity: the same by CMCI, S clear", SKX, .status = 0xac000000000000c0,
	  .addr = 0x7654321000, .misc = 0x8c, .grade = MCE_SRAO, .what = "scrubbing error",
	  .address = "a page" },
	{ "severity: Action optional: last level cache writeback error", SKX,
	  .status = 0xac0000000000017a, .addr = 0x1000, .misc = 0x86, .grade = MCE_SRAO,
	  .what = "cache: generic, level 2, eviction", .address = "physical address" },
	{ "severity: Uncorrected Patrol Scrub Error", SKX, .bank = 13,
	  .status = 0x8c000000001000c1, .addr = 0x1000, .misc = 0x8c, .grade = MCE_SRAO,
	  .what = "scrubbing error, channel 1", .address = "physical address" },
	{ "severity: no patrol scrub quirk in bank 12", SKX, .bank = 12,
	  .status = 0x8c000000001000c1, .addr = 0x1000, .misc = 0x8c, .grade = MCE_CORRECTED,
	  .what = "scrubbing error, channel 1", .address = "physical address" },
	{ "severity: Uncorrected no action required", SKX, .status = 0xac00000000000090,
	  .addr = 0x1000, .misc = 0x86, .grade = MCE_UCNA, .what = "read error, channel 0",
	  .address = "physical address" },
	{ "severity: ignore OVER for UCNA", SKX, .status = 0xec00000000000090,
	  .addr = 0x1000, .misc = 0x86, .grade = MCE_UCNA, .what = "read error, channel 0",
	  .address = "physical address" },
	{ "severity: Illegal combination (UCNA with AR=1)", SKX, .status = 0xac80000000000134,
	  .addr = 0x1000, .misc = 0x86, .grade = MCE_FATAL, .what = "data read",
	  .address = "physical address" },
	{ "mcelog: input/dmr_dcu_srar, SRAR", INTEL, .cpuid = 0x400f10, .bank = 1,
	  .status = 0xbd80000010100134, .addr = 0x2000, .misc = 0x86, .mcgcap = 0x1000000,
	  .grade = MCE_SRAR, .what = "cache: data, level 0, data read",
	  .address = "physical address 0x2000" },
	{ "severity: Action required: instruction fetch", SKX, .mcgstatus = 7,
	  .status = 0xbd80000000000150, .addr = 0x2000, .misc = 0x86, .grade = MCE_SRAR,
	  .what = "cache: instruction, level 0, instruction fetch",
	  .address = "physical address" },
	{ "severity: Action required with lost events", SKX, .mcgstatus = 7,
	  .status = 0xfd80000000000134, .addr = 0x2000, .misc = 0x86, .grade = MCE_FATAL,
	  .what = "data read", .address = "physical address" },
	{ "severity: Action optional: unknown MCACOD", SKX, .mcgstatus = 5,
	  .status = 0xb100000000000001, .grade = MCE_SRAO, .what = "unclassified" },
	{ "severity: Uncorrected, no SER", OLD, .mcgstatus = 5, .status = 0xb000000000000134,
	  .grade = MCE_UNCORRECTED, .what = "data read" },
	{ "severity: Overflowed uncorrected, no SER", OLD, .mcgstatus = 5,
	  .status = 0xf000000000000134, .grade = MCE_FATAL, .what = "data read" },
	{ "SDM: without SER_P, MISC does not tell what ADDR is", OLD,
	  .status = 0x9c00000000000134, .addr = 0x3000, .misc = 0x86, .grade = MCE_CORRECTED,
	  .what = "data read", .address = "unknown kind, 0x3000" },
	{ "SDM: address mode 0", SKX, .status = 0x9c00000000000134, .addr = 0x3000,
	  .misc = 0x00, .grade = MCE_CORRECTED, .what = "data read",
	  .address = "segment offset 0x3000" },
	{ "SDM: address mode 3", SKX, .status = 0x9c00000000000134, .addr = 0x3000,
	  .misc = 0xc3, .grade = MCE_CORRECTED, .what = "data read",
	  .address = "memory address 0x3000, exact to 8 bytes" },
	{ "SDM: address mode 7", SKX, .status = 0x9c00000000000134, .addr = 0x3000,
	  .misc = 0x1cc, .grade = MCE_CORRECTED, .what = "data read",
	  .address = "generic address" },

	/* AMD before family 17h. */
	{ "ras: mce-amd-k8.c Chipkill ECC; edac: DRAM ECC error", K8, .bank = 4,
	  .status = 0x9400400000080813, .addr = 0x37fe0000, .grade = MCE_CORRECTED,
	  .what = "northbridge: DRAM ECC error; bus: generic read, memory transaction, level 3 or generic, this node asked, no timeout",
	  .address = "physical address 0x37fe0000" },
	{ "edac: Invalid GART PTE entry", K8, .bank = 4, .status = 0xa40000000005001b,
	  .addr = 0xe8000000, .grade = MCE_UNCORRECTED,
	  .what = "GART table walk; TLB: generic, level 3 or generic",
	  .address = "unknown kind" },
	{ "edac: NB Watchdog timeout", K8, .bank = 4, .status = 0xb200000000070f0f,
	  .grade = MCE_FATAL, .what = "northbridge: watchdog timeout; bus: generic, generic transaction" },
	{ "edac: CRC error detected on HT link", K8, .bank = 4, .status = 0x9000000000010c0f,
	  .grade = MCE_CORRECTED, .what = "CRC error on a HyperTransport link" },
	{ "edac: Sync error", K8, .bank = 4, .status = 0xb200000000020c0f, .grade = MCE_FATAL,
	  .what = "sync packets" },
	{ "edac: L3 ECC data cache error", F10H, .bank = 4, .status = 0x94004000001c010b,
	  .addr = 0x1000, .grade = MCE_CORRECTED,
	  .what = "northbridge: L3 data ECC error; memory hierarchy: generic, generic, level 3",
	  .address = "0x1000" },
	{ "ras: mce-amd.c Memory Error: data read, data, L1", F10H, .bank = 0,
	  .status = 0x9400400000000135, .addr = 0x2000, .grade = MCE_CORRECTED,
	  .what = "data cache: memory hierarchy: data read, data, level 1", .address = "0x2000" },
	{ "ras: mce-amd.c TLB Error: data, L1", F10H, .bank = 0, .status = 0x9000000000010015,
	  .grade = MCE_CORRECTED, .what = "TLB: data, level 1 (extended code 0x1)" },
	{ "edac: Execution Unit Error, family 15h bank 5", F15H, .bank = 5,
	  .status = 0xb200000000000f0f, .grade = MCE_FATAL, .what = "execution unit: bus" },
	{ "severity: Deferred, family 15h", F15H, .bank = 2, .status = 0x9400100000040135,
	  .addr = 0x3000, .grade = MCE_DEFERRED, .what = "combined unit: memory hierarchy",
	  .address = "0x3000" },
	{ "APM: bit 44 says nothing before family 15h", F10H, .bank = 0,
	  .status = 0x9000100000000135, .grade = MCE_CORRECTED, .what = "data cache" },

	/* AMD's scalable banks. */
	{ "logged: DRAM ECC error, L3/GEN, tx: GEN, mem-tx: RD", ZEN1, .bank = 15,
	  .status = 0xdc2040000000011b, .addr = 0x3e8b8c40, .synd = 0x100a801203,
	  UMC(0x50f00), .grade = MCE_CORRECTED,
	  .what = "memory controller (UMC): DRAM ECC, channel 0, chip select 3; memory hierarchy: generic read, generic, level 3",
	  .address = "normalised address 0x3e8b8c40; the memory controller's own" },
	{ "ras: find_umc_channel, 1", ZEN1, .bank = 16, .status = 0x9c2040000000011b,
	  .addr = 0x1000, .synd = 0x1, UMC(0x150f00), .grade = MCE_CORRECTED,
	  .what = "DRAM ECC, channel 1, chip select 1", .address = "normalised" },
	{ "ras: smca_umc_mce_desc[1], poison", ZEN1, .bank = 15, .status = 0xac2010000001011b,
	  .addr = 0x1000, UMC(0x50f00), .grade = MCE_DEFERRED,
	  .what = "poisoned data on DRAM", .address = "normalised" },
	{ "ras: smca_umc_mce_desc[16], RFM SRAM ECC", TURIN, .bank = 21,
	  .status = 0x982000000010011b, UMC(0), .grade = MCE_CORRECTED,
	  .what = "RFM SRAM ECC" },
	{ "ras: smca_umc_mce_desc[12] is Reserved", TURIN, .bank = 21,
	  .status = 0x98200000000c011b, UMC(0), .grade = MCE_CORRECTED,
	  .what = "memory controller (UMC): extended code 0xc, which is not known" },
	{ "ras: smca_umc_quirk_mce_desc[15], HBM CRC", MI300, .bank = 21,
	  .status = 0x98200000000f011b, UMC(0), .grade = MCE_CORRECTED, .what = "HBM CRC" },
	{ "logged: Execution Unit, Watchdog timeout", ZEN1, .bank = 5,
	  .status = 0xbea0000000000108, .addr = 0x1ffffc04a1e32, .misc = 0xd012000100000000,
	  .synd = 0x4d000000, CORE(5), .grade = MCE_FATAL,
	  .what = "execution unit: watchdog timeout; memory hierarchy: generic, generic, reserved level",
	  .address = "0x1ffffc04a1e32" },
	{ "logged: Load Store Unit, ext 1, poison", ZEN3, .bank = 0,
	  .status = 0xbc00080001010135, .addr = 0x7f6b3540, .misc = 0xd012000000000000,
	  CORE(0x10), .grade = MCE_UNCORRECTED,
	  .what = "load-store unit: data cache ECC or L2 poison, read by a load; memory hierarchy: data read, data, level 1",
	  .address = "physical address 0x7f6b3540, exact to 2 bytes" },
	{ "ras: smca_ls_mce_desc[12], poison consumption", ZEN1, .bank = 0,
	  .status = 0xb0000800000c0135, CORE(0), .grade = MCE_UNCORRECTED,
	  .what = "load-store unit: data cache data, type 1: poison was used" },
	{ "ras: smca_if_mce_desc[12], L2 Cache Response Poison", ZEN1, .bank = 1,
	  .status = 0xb0000800000c0151, CORE(1), .grade = MCE_UNCORRECTED,
	  .what = "instruction fetch unit: poison in the L2's response" },
	{ "ras: smca_l2_mce_desc[2], Data Array ECC", ZEN1, .bank = 2,
	  .status = 0x982040000002017a, CORE(2), .grade = MCE_CORRECTED,
	  .what = "L2 cache: data array ECC; memory hierarchy: eviction, generic, level 2" },
	{ "ras: smca_de_mce_desc[6], Patch RAM data parity", ZEN1, .bank = 3,
	  .status = 0xb2000000000600b5, CORE(3), .grade = MCE_FATAL,
	  .what = "decode unit: patch RAM data parity" },
	{ "ras: SMCA_RESERVED, bank 4", ZEN1, .bank = 4, .status = 0x9000000000000000,
	  CORE(4), .grade = MCE_CORRECTED, .what = "reserved bank" },
	{ "ras: smca_ex_mce_desc[13], Retire Map parity", ZEN3, .bank = 5,
	  .status = 0xb2000000000d0000, CORE(5), .grade = MCE_FATAL,
	  .what = "execution unit: retire map parity" },
	{ "ras: smca_fp_mce_desc[5], SRF parity", ZEN1, .bank = 6,
	  .status = 0x9000000000050000, CORE(6), .grade = MCE_CORRECTED,
	  .what = "floating point unit: status register file parity" },
	{ "ras: smca_l3_mce_desc[4], L3M data ECC", ZEN1, .bank = 7,
	  .status = 0x982040000004010b, CORE(7), .grade = MCE_CORRECTED,
	  .what = "L3 cache: data ECC" },
	{ "logged: Power, Interrupts, etc., Link Error", ZEN1, .bank = 22,
	  .status = 0x982000000002080b, .ipid = HWID(0x02e, 1, 0x500), .grade = MCE_CORRECTED,
	  .what = "(PIE): link error; bus: generic, I/O transaction, level 3 or generic, this node asked" },
	{ "ras: smca_cs2_mce_desc[10], Probe Filter ECC", ZEN3, .bank = 20,
	  .status = 0x98204000000a080b, .ipid = HWID(0x02e, 2, 0), .grade = MCE_CORRECTED,
	  .what = "coherent slave: probe filter ECC" },
	{ "ras: smca_cs2_quirk_mce_desc[10], erratum 1384", GENOA, .bank = 20,
	  .status = 0x98200000000a080b, .ipid = HWID(0x02e, 2, 0), .grade = MCE_CORRECTED,
	  .what = "coherent slave: counter overflow" },
	{ "ras: smca_psp_mce_desc[0]", ZEN1, .bank = 17, .status = 0x9820000000000400,
	  .ipid = HWID(0x0ff, 0, 0), .grade = MCE_CORRECTED,
	  .what = "security processor (PSP): RAM ECC or parity; internal: reserved kind 0" },
	{ "ras: smca_nbio_mce_desc[3], SDP Egress Poison", ZEN1, .bank = 19,
	  .status = 0xb00008000003080b, .ipid = HWID(0x018, 0, 0), .grade = MCE_UNCORRECTED,
	  .what = "northbridge I/O: SDP egress poison" },
	{ "ras: smca_pcie_mce_desc[1]", ZEN3, .bank = 23, .status = 0x982000000001080b,
	  .ipid = HWID(0x046, 0, 0), .grade = MCE_CORRECTED,
	  .what = "PCI Express: CCIX read response, non-data error" },
	{ "ras: mce-amd.c Internal hardware assert", ZEN3, .bank = 2,
	  .status = 0xb200000000030600, CORE(2), .grade = MCE_FATAL,
	  .what = "hardware assertion; internal: hardware assertion" },
	{ "ras: no row for 0x1ff", ZEN3, .bank = 24, .status = 0x9000000000050000,
	  .ipid = HWID(0x1ff, 9, 0), .grade = MCE_CORRECTED,
	  .what = "not known here (hardware id 0x1ff, type 0x9): extended code 0x5" },
	{ "APM: IPID 0 says nothing", ZEN1, .bank = 1, .status = 0x90000000000c0151,
	  .grade = MCE_CORRECTED, .what = "IPID was not recorded: extended code 0xc" },
	{ "ras: Hygon as AMD", HYGON, .cpuid = 0x00900f02, .bank = 15,
	  .status = 0x9c2040000000011b, .addr = 0x1000, UMC(0x50f00), .grade = MCE_CORRECTED,
	  .what = "DRAM ECC", .address = "normalised" },
	{ "severity: PCC before Deferred", ZEN1, .bank = 15, .status = 0xbe00100000000108,
	  .addr = 0x1000, CORE(5), .grade = MCE_FATAL, .what = "watchdog", .address = "0x1000" },
	{ "edac: lsb of family 17h is in ADDR[61:56]", ZEN1, .bank = 0,
	  .status = 0xbc00080000010135, .addr = 0x0600000012345640, CORE(0),
	  .grade = MCE_UNCORRECTED, .what = "store queue parity",
	  .address = "physical address 0x12345640, exact to 64 bytes" },
	{ "edac: the same, an odd number of bits", ZEN1, .bank = 0,
	  .status = 0xbc00080000010135, .addr = 0x0700000012345680, CORE(0),
	  .grade = MCE_UNCORRECTED, .what = "store queue parity",
	  .address = "physical address 0x12345680, exact to 128 bytes" },
	{ "edac: lsb of family 19h is in STATUS[29:24], and ADDR has 57 bits", ZEN3, .bank = 0,
	  .status = 0xbc00080006010135, .addr = 0x0100000012345640, CORE(0x10),
	  .grade = MCE_UNCORRECTED, .what = "load-store unit",
	  .address = "physical address 0x100000012345640, exact to 64 bytes" },
	{ "severity: MCI_STATUS_PADDRV, a system address", TURIN, .bank = 21,
	  .status = 0x9c4040000c00011b, .addr = 0x12345000, UMC(0), .grade = MCE_CORRECTED,
	  .what = "DRAM ECC, channel 0", .address = "physical address 0x12345000" },
};

#endif /* _EPITAPH_MCE_TABLE_H */
