// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scalable banks of AMD: IPID has the unit of a bank, and bits 21:16 of the status have the
 * error. Names are those of the Processor Programming References, shortened.
 */
#include "vendor.h"

#define LAST_CPU_NODE	7	/* higher nodes are GPUs with memory */

static const char *const ls[] = {
	"load queue parity", "store queue parity", "miss address buffer payload parity",
	"L1 TLB parity", "data cache tag, type 5", "data cache tag, type 6",
	"data cache tag, type 1", "internal, type 1", "internal, type 2",
	"system read data, thread 0", "system read data, thread 1", "data cache tag, type 2",
	"data cache data, type 1: poison was used", "data cache data, type 2",
	"data cache data, type 3", "data cache tag, type 4", "L2 TLB parity", "PDC parity",
	"data cache tag, type 3", "data cache tag, type 5", "L2 fill data",
	"SCB line state or address", "SCB data, commit pipe 0", "SCB data, commit pipe 1",
	"SCB data of uncached DRAM or I/O", "system read data, write combine buffer",
	"hardware assertion",
};

static const char *const ls2[] = {
	"data cache ECC, read by a probe or victimization",
	"data cache ECC or L2 poison, read by a load",
	"data cache ECC, read-modify-write by a store",
	"data cache tag ECC or poison mismatch, probe or victimization",
	"data cache tag ECC or poison mismatch, load",
	"data cache tag ECC or poison mismatch, store",
	"EMEM ECC, load", "EMEM ECC, store", "L1 TLB parity", "L2 TLB parity", "PWC parity",
	"store queue parity", "load queue parity", "miss address buffer parity",
	"SCB state parity", "SCB address parity", "SCB data parity", "WCB parity",
	"poisoned line in the SCB", "system read data, load", "system read data, SCB store",
	"system read data, WCB store", "hardware assertion",
	"parity of STLF, SCB EMEM, store data mask or SRB data",
};

static const char *const instruction_fetch[] = {
	"microtag probe port parity", "microtag or full tag multi-hit", "full tag parity",
	"data array parity", "PRQ parity", "L0 ITLB parity", "L1 TLB parity", "L2 TLB parity",
	"BPQ snoop parity, thread 0", "BPQ snoop parity, thread 1", "L1 BTB multi-hit",
	"L2 BTB multi-hit", "poison in the L2's response", "system read data",
	"hardware assertion", "L1 TLB multi-hit", "L2 TLB multi-hit", "BSR parity", "CT MCE",
};

static const char *const l2[] = {
	"tag multi-way hit", "tag or state array ECC", "data array ECC", "hardware assertion",
	"SDP read response parity", "begun by a programmable state machine",
};

static const char *const decode[] = {
	"micro-op cache tag parity", "micro-op cache data parity", "IBB register file parity",
	"micro-op queue parity", "instruction dispatch queue parity",
	"fetch address FIFO parity", "patch RAM data parity", "patch RAM sequencer parity",
	"micro-op fetch queue parity", "hardware assertion",
};

static const char *const execution[] = {
	"watchdog timeout", "physical register file parity", "flag register file parity",
	"immediate displacement register file parity", "address generator payload parity",
	"EX payload parity", "checkpoint queue parity", "retire dispatch queue parity",
	"retire status queue parity", "scheduler queue parity", "branch buffer queue parity",
	"hardware assertion", "speculative map parity", "retire map parity",
};

static const char *const floating[] = {
	"physical register file parity", "free list parity", "schedule queue parity",
	"NSQ parity", "retire queue parity", "status register file parity",
	"hardware assertion", "mask register file parity",
};

static const char *const l3[] = {
	"shadow tag ECC", "shadow tag multi-way hit", "tag ECC", "tag multi-way hit",
	"data ECC", "SDP parity from the XI", "victim queue, data fabric", "hardware assertion",
	"poison created at XI WCB parity", "begun by a DSM action",
};

static const char *const cs[] = {
	"illegal request", "address violation", "security violation", "illegal response",
	"unexpected response", "request or probe parity", "read response parity",
	"atomic request parity", "probe filter ECC",
};

static const char *const cs2[] = {
	"illegal request", "address violation", "security violation", "illegal response",
	"unexpected response", "request or probe parity", "read response parity",
	"atomic request parity", "SDP read response matches nothing queued",
	"probe filter protocol", "probe filter ECC", "SDP read response with unexpected RETRY",
	"counter overflow", "counter underflow", "illegal request, no-data channel",
	"address violation, no-data channel", "security violation, no-data channel",
	"hardware assertion", "shadow tag protocol", "shadow tag ECC", "shadow tag transaction",
};

/* Erratum 1384 of Genoa: the errors of cs2 with other numbers. */
static const char *const cs2_1384[] = {
	"illegal request", "address violation", "security violation", "illegal response",
	"unexpected response", "request or probe parity", "read response parity",
	"atomic request parity", "SDP read response matches nothing queued",
	"SDP read response with unexpected RETRY", "counter overflow", "counter underflow",
	"probe filter protocol", "probe filter ECC", "illegal request, no-data channel",
	"address violation, no-data channel", "security violation, no-data channel",
	"hardware assertion",
};

static const char *const pie[] = {
	"hardware assertion", "register security violation", "link error",
	"poisoned data was used", "deferred error in the data fabric", "watchdog timeout",
	"CNLI SRAM ECC", "register access during a DF C-state", "DSM",
};

static const char *const umc[] = {
	"DRAM ECC", "poisoned data on DRAM", "SDP parity", "advanced peripheral bus",
	"command or address parity", "write data CRC", "DCQ SRAM ECC", "AES SRAM ECC",
	"ECS row", "ECS", "throttling", "read CRC", NULL, NULL, NULL, NULL, "RFM SRAM ECC",
};

static const char *const umc_hbm[] = {
	"DRAM on-die ECC", "poisoned data", "SDP parity", NULL, "address or command parity",
	"HBM write data parity", "consolidated SRAM ECC", NULL, NULL, "Rdb SRAM ECC",
	"thermal throttling", "HBM read data parity", NULL, "UMC firmware", "SRAM parity",
	"HBM CRC",
};

static const char *const umc2[] = {
	"DRAM ECC", "poisoned data", "SDP parity", NULL, "address or command parity",
	"write data parity", "DCQ SRAM ECC", NULL, "read data parity", "Rdb SRAM ECC",
	"RdRsp SRAM ECC", "LM32 MP",
};

static const char *const llc[] = {
	"counter overflow", "counter underflow", "write data parity", "read response parity",
	"tag ECC, macro 0", "tag ECC, macro 1", "data ECC",
};

static const char *const parameter_block[] = { "RAM ECC" };
static const char *const ram[] = { "RAM ECC or parity" };

static const char *const psp2[] = {
	"high SRAM ECC or parity", "low SRAM ECC or parity", "instruction cache bank 0",
	"instruction cache bank 1", "instruction tag RAM 0", "instruction tag RAM 1",
	"data cache bank 0", "data cache bank 1", "data cache bank 2", "data cache bank 3",
	"data tag bank 0", "data tag bank 1", "data tag bank 2", "data tag bank 3",
	"dirty data RAM", "TLB bank 0", "TLB bank 1", "system hub read buffer",
	"fuse IP SRAM", "PCRU fuse SRAM", "SIB SRAM", "mpASP SECEMC", "mpASP A5 hang",
	"SIB watchdog",
};

static const char *const smu2[] = {
	"high SRAM ECC or parity", "low SRAM ECC or parity", "data cache bank A",
	"data cache bank B", "data tag bank A", "data tag bank B", "instruction cache bank A",
	"instruction cache bank B", "instruction tag bank A", "instruction tag bank B",
	"system hub read buffer", "PHY RAS ECC",
	[58] = "correctable error of a graphics unit", [59] = "fatal error of a graphics unit",
	[62] = "poison of a graphics unit",
};

static const char *const mp5[] = {
	"high SRAM ECC or parity", "low SRAM ECC or parity", "data cache bank A",
	"data cache bank B", "data tag bank A", "data tag bank B", "instruction cache bank A",
	"instruction cache bank B", "instruction tag bank A", "instruction tag bank B",
	"fuse SRAM",
};

static const char *const nbio[] = {
	"ECC or parity", "PCIe", "SDP error event from outside", "SDP egress poison",
	"internal poison", "internal fatal event",
};

static const char *const pcie[] = {
	"CCIX PER message", "CCIX read response, non-data error",
	"CCIX write response, non-data error", "CCIX read response, data error",
	"CCIX write response not okay, data error",
};

static const char *const pcie2[] = { "SDP data parity" };

static const char *const xgmi_pcs[] = {
	"data loss", "training", "flow control acknowledge", "receive FIFO underflow",
	"receive FIFO overflow", "CRC", "bit error rate exceeded", "transmit VCID data",
	"replay buffer parity", "data parity", "replay FIFO overflow", "replay FIFO underflow",
	"elastic FIFO overflow", "deskew", "flow control CRC", "data startup limit",
	"flow control initialisation timeout", "recovery timeout", "ready serial timeout",
	"ready serial attempt", "recovery attempt", "recovery relock attempt",
	"replay attempt", "sync header", "transmit replay timeout", "receive replay timeout",
	"LinkSub transmit timeout", "LinkSub receive timeout", "receive command packet",
};

static const char *const phy[] = {
	"RAM ECC", "ARC instruction buffer parity", "ARC data buffer parity", "PHY APB",
};

static const char *const nbif[] = {
	"timeout from GMI", "SRAM ECC", "NTB error event", "SDP parity",
};

static const char *const sata[] = {
	"parity of port 0", "parity of port 1", "parity of port 2", "parity of port 3",
	"parity of port 4", "parity of port 5", "parity of port 6", "parity of port 7",
};

static const char *const usb[] = {
	"parity or ECC, S0 RAM0", "parity or ECC, S0 RAM1", "parity or ECC, S0 RAM2",
	"parity, PHY RAM0", "parity, PHY RAM1", "AXI slave response",
};

/**
 * struct smca_unit - a unit of the processor that has a bank
 * @hwid: as in IPID, bits 43:32
 * @type: as in IPID, bits 63:48
 * @errors: nr_errors names by extended code; NULL: unknown
 */
struct smca_unit {
	u16 hwid;
	u16 type;
	const char *name;
	const char *const *errors;
	u32 nr_errors;
};

#define ERRORS(list)	(list), ARRAY_SIZE(list)
#define NO_ERRORS	NULL, 0

static const struct smca_unit units[] = {
	{ 0x0b0, 0x00, "load-store unit", ERRORS(ls) },
	{ 0x0b0, 0x10, "load-store unit", ERRORS(ls2) },
	{ 0x0b0, 0x01, "instruction fetch unit", ERRORS(instruction_fetch) },
	{ 0x0b0, 0x02, "L2 cache", ERRORS(l2) },
	{ 0x0b0, 0x03, "decode unit", ERRORS(decode) },
	{ 0x0b0, 0x04, "reserved bank", NO_ERRORS },
	{ 0x0b0, 0x05, "execution unit", ERRORS(execution) },
	{ 0x0b0, 0x06, "floating point unit", ERRORS(floating) },
	{ 0x0b0, 0x07, "L3 cache", ERRORS(l3) },
	{ 0x02e, 0x00, "coherent slave", ERRORS(cs) },
	{ 0x02e, 0x01, "power, interrupts and so on (PIE)", ERRORS(pie) },
	{ 0x02e, 0x02, "coherent slave", ERRORS(cs2) },
	{ 0x02e, 0x04, "memory-attached last level cache", ERRORS(llc) },
	{ 0x096, 0x00, "memory controller (UMC)", ERRORS(umc) },
	{ 0x096, 0x01, "memory controller (UMC)", ERRORS(umc2) },
	{ 0x005, 0x00, "parameter block", ERRORS(parameter_block) },
	{ 0x0ff, 0x00, "security processor (PSP)", ERRORS(ram) },
	{ 0x0ff, 0x01, "security processor (PSP)", ERRORS(psp2) },
	{ 0x001, 0x00, "system management unit", ERRORS(ram) },
	{ 0x001, 0x01, "system management unit", ERRORS(smu2) },
	{ 0x001, 0x02, "microprocessor 5", ERRORS(mp5) },
	{ 0x001, 0x03, "MPDMA", NO_ERRORS },
	{ 0x018, 0x00, "northbridge I/O", ERRORS(nbio) },
	{ 0x046, 0x00, "PCI Express", ERRORS(pcie) },
	{ 0x046, 0x01, "PCI Express", ERRORS(pcie2) },
	{ 0x050, 0x00, "xGMI PCS", ERRORS(xgmi_pcs) },
	{ 0x06c, 0x00, "NBIF", ERRORS(nbif) },
	{ 0x080, 0x00, "system hub", ERRORS(nbif) },
	{ 0x0a8, 0x00, "SATA", ERRORS(sata) },
	{ 0x0aa, 0x00, "USB", ERRORS(usb) },
	{ 0x170, 0x00, "ultra short reach data plane", NO_ERRORS },
	{ 0x180, 0x00, "ultra short reach control plane", NO_ERRORS },
	{ 0x241, 0x00, "GMI PCS", NO_ERRORS },
	{ 0x259, 0x00, "xGMI PHY", ERRORS(phy) },
	{ 0x267, 0x00, "WAFL PHY", ERRORS(phy) },
	{ 0x269, 0x00, "GMI PHY", ERRORS(phy) },
};

static const struct smca_unit coherent_1384 = { 0x02e, 0x02, "coherent slave", ERRORS(cs2_1384) };
static const struct smca_unit controller_hbm = {
	0x096, 0x00, "memory controller (UMC)", ERRORS(umc_hbm),
};

static bool in_range(u32 n, u32 first, u32 last)
{
	return n >= first && n <= last;
}

static bool has_erratum_1384(const struct mce *mce)
{
	u32 model = mce_model(mce);

	if (mce_family(mce) == 0x1a)
		return in_range(model, 0x40, 0x4f);
	return mce_family(mce) == 0x19 && (in_range(model, 0x10, 0x1f) ||
					   in_range(model, 0x60, 0x7b) ||
					   in_range(model, 0xa0, 0xaf));
}

static bool has_hbm(const struct mce *mce)
{
	return mce_family(mce) == 0x19 && in_range(mce_model(mce), 0x90, 0x9f);
}

static const struct smca_unit *find_smca_unit(const struct mce *mce)
{
	u32 hwid = mce_bits(mce->ipid, 43, 32), type = mce_bits(mce->ipid, 63, 48);
	size_t i;

	if (hwid == 0x02e && type == 2 && has_erratum_1384(mce))
		return &coherent_1384;
	if (hwid == 0x096 && type == 0 && has_hbm(mce))
		return &controller_hbm;
	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (units[i].hwid == hwid && units[i].type == type)
			return &units[i];
	return NULL;
}

bool mce_is_controller(const struct mce *mce)
{
	return mce_bits(mce->ipid, 43, 32) == 0x096;
}

/* The DIMM: channel out of IPID, chip select out of the syndrome. */
static void put_dimm(FILE *f, const struct mce *mce)
{
	if (has_hbm(mce) || mce_bits(mce->ipid, 63, 48) ||
	    mce_bits(mce->ipid, 47, 44) > LAST_CPU_NODE)
		return;
	fprintf(f, ", channel %u", mce_bits(mce->ipid, 31, 20));
	if (mce->status & 1ULL << 53)
		fprintf(f, ", chip select %u", mce_bits(mce->synd, 2, 0));
}

void mce_put_scalable(FILE *f, const struct mce *mce)
{
	const struct smca_unit *unit = find_smca_unit(mce);
	u32 error = mce_bits(mce->status, 21, 16);
	const char *name;

	if (!mce->ipid) {
		fprintf(f, "a bank whose IPID was not recorded: extended code 0x%x", error);
		return;
	}
	if (!unit) {
		fprintf(f, "a unit that is not known here (hardware id 0x%x, type 0x%x): extended code 0x%x",
			mce_bits(mce->ipid, 43, 32), mce_bits(mce->ipid, 63, 48), error);
		return;
	}
	name = error < unit->nr_errors ? unit->errors[error] : NULL;
	if (name)
		fprintf(f, "%s: %s", unit->name, name);
	else
		fprintf(f, "%s: extended code 0x%x, which is not known here", unit->name, error);
	if (mce_is_controller(mce) && !error)
		put_dimm(f, mce);
}
