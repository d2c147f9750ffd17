// SPDX-License-Identifier: GPL-2.0-or-later
#include "orc.h"

#include <elf.h>
#include <stdlib.h>

#include "base/byte_reader.h"

#define MAX_ROWS	(1U << 26)
#define MAX_ROW		16	/* bytes; it has 6 */
#define NR_KNOWN	1024	/* answers that are kept */
#define NR_SAMPLES	1024	/* rows that are looked at for their numbers */

/* Two tables of the same length: places relative to themselves, sorted, and entries. */
struct orc_rows {
	u64 places;
	u64 entries;
	u32 nr;
};

struct known_entry {
	u64 ip;
	enum orc_answer answer;
	struct orc_entry entry;
};

/**
 * struct orc - the tables of a kernel
 * @rows: the kernel's own
 * @is_old: the layout of before 6.4
 * @is_renumbered: registers have the numbers of 7.2
 * @known: answers, by the address
 */
struct orc {
	const struct kernel *kernel;
	struct orc_rows rows;
	const struct kernel_text *text;
	struct btf_member_place sp_offset, bp_offset, sp_reg, bp_reg, type, end;
	u32 row_size;
	bool is_old, is_renumbered;
	struct btf_member_place nr_orcs, orc_places, orc_entries;
	bool has_modules;
	struct known_entry known[NR_KNOWN];
};

/* --- where the tables are ------------------------------------------------ */

static bool find_row_layout(struct orc *orc, const struct kernel_btf *kt)
{
	if (!kernel_btf_member(kt, "orc_entry", "sp_offset", &orc->sp_offset) ||
	    !kernel_btf_member(kt, "orc_entry", "bp_offset", &orc->bp_offset) ||
	    !kernel_btf_member(kt, "orc_entry", "sp_reg", &orc->sp_reg) ||
	    !kernel_btf_member(kt, "orc_entry", "bp_reg", &orc->bp_reg) ||
	    !kernel_btf_member(kt, "orc_entry", "type", &orc->type) ||
	    !kernel_btf_size(kt, "orc_entry", &orc->row_size) || orc->row_size > MAX_ROW)
		return false;
	/* Up to 6.3 the end of a stack is a bit of its own. */
	orc->is_old = kernel_btf_member(kt, "orc_entry", "end", &orc->end);
	return orc->sp_offset.size == 2 && orc->bp_offset.size == 2 && orc->type.nr_bits &&
	       orc->sp_reg.nr_bits && orc->bp_reg.nr_bits;
}

static bool find_rows(struct orc *orc, struct kallsyms *kallsyms)
{
	u64 end_of_places, end_of_entries, nr;

	if (!kallsyms_address(kallsyms, "__start_orc_unwind_ip", &orc->rows.places) ||
	    !kallsyms_address(kallsyms, "__stop_orc_unwind_ip", &end_of_places) ||
	    !kallsyms_address(kallsyms, "__start_orc_unwind", &orc->rows.entries) ||
	    !kallsyms_address(kallsyms, "__stop_orc_unwind", &end_of_entries) ||
	    end_of_places < orc->rows.places || end_of_entries < orc->rows.entries)
		return false;
	nr = (end_of_places - orc->rows.places) / 4;
	if (!nr || nr > MAX_ROWS || nr > (end_of_entries - orc->rows.entries) / orc->row_size)
		return false;
	orc->rows.nr = nr;
	return true;
}

/* --- an address ---------------------------------------------------------- */

static bool module_rows(const struct orc *orc, const struct kernel_module *module,
			struct orc_rows *ret)
{
	struct vmem *vmem = orc->kernel->vmem;
	u64 nr;

	if (!vmem_number(vmem, module->va + orc->nr_orcs.offset, orc->nr_orcs.size, &nr) ||
	    !vmem_number(vmem, module->va + orc->orc_places.offset, orc->orc_places.size, &ret->places) ||
	    !vmem_number(vmem, module->va + orc->orc_entries.offset, orc->orc_entries.size, &ret->entries))
		return false;
	ret->nr = nr < MAX_ROWS ? nr : MAX_ROWS;
	return true;
}

/* The bits of a row that are member @m. */
static u32 row_bits(const u8 *row, const struct btf_member_place *m)
{
	struct bytes b = bytes_of(row, MAX_ROW, ORDER_LITTLE);

	return bytes_u32(&b, m->offset) >> m->bit & (u32)((1ULL << (m->nr_bits & 31)) - 1);
}

static enum orc_type type_of_row(const struct orc *orc, const u8 *row, u32 sp_reg)
{
	u32 type = row_bits(row, &orc->type);

	if (!orc->is_old)
		return type <= ORC_REGS_PARTIAL ? (enum orc_type)type : ORC_UNDEFINED;
	if (sp_reg == ORC_REG_UNDEFINED)
		return row_bits(row, &orc->end) ? ORC_END_OF_STACK : ORC_UNDEFINED;
	return type <= 2 ? ORC_CALL + type : ORC_UNDEFINED;
}

/* In the order of 7.2's numbers. */
static const enum orc_reg renumbered[] = {
	ORC_REG_UNDEFINED, ORC_REG_AX, ORC_REG_DX, ORC_REG_SP, ORC_REG_BP, ORC_REG_DI, ORC_REG_R10, ORC_REG_R13,
	ORC_REG_PREV_SP, ORC_REG_SP_INDIRECT, ORC_REG_BP_INDIRECT,
};
#define NO_REG		15	/* ORC_REG_MAX */

static u32 reg_of_row(const struct orc *orc, const u8 *row, const struct btf_member_place *m)
{
	u32 number = row_bits(row, m);

	if (orc->is_renumbered)
		return number < ARRAY_SIZE(renumbered) ? renumbered[number] : NO_REG;
	return number <= ORC_REG_SP_INDIRECT ? number : NO_REG;
}

/*
 * No type says which numbers the registers have. But most rows count from the stack pointer, which is 5, and since 7.x 3; the other
 * of these is a register that hardly any has.
 */
static bool find_numbers(const struct orc *orc)
{
	u32 nr[16] = { 0 }, step = orc->rows.nr / NR_SAMPLES + 1;
	u8 row[MAX_ROW] = { 0 };

	for (u32 i = 0; i < orc->rows.nr; i += step)
		if (vmem_get(orc->kernel->vmem, orc->rows.entries + (u64)orc->row_size * i, row, orc->row_size))
			nr[row_bits(row, &orc->sp_reg) & 15]++;
	return nr[3] > nr[5];
}

static enum orc_answer read_row(const struct orc *orc, u64 va, struct orc_entry *ret)
{
	u8 row[MAX_ROW] = { 0 };
	struct bytes b = bytes_of(row, sizeof(row), ORDER_LITTLE);

	if (!vmem_get(orc->kernel->vmem, va, row, orc->row_size))
		return ORC_UNREADABLE;
	ret->sp_offset = (int16_t)bytes_u16(&b, orc->sp_offset.offset);
	ret->bp_offset = (int16_t)bytes_u16(&b, orc->bp_offset.offset);
	ret->sp_reg = reg_of_row(orc, row, &orc->sp_reg);
	ret->bp_reg = reg_of_row(orc, row, &orc->bp_reg);
	ret->type = type_of_row(orc, row, ret->sp_reg);
	return ORC_FOUND;
}

/* The last row whose place is not behind @ip. */
static enum orc_answer search_rows(const struct orc *orc, const struct orc_rows *rows, u64 ip,
				   struct orc_entry *ret)
{
	u32 low = 0, high = rows->nr, place;

	while (low < high) {
		u32 middle = low + (high - low) / 2;
		u64 va = rows->places + 4ULL * middle;

		if (!vmem_u32(orc->kernel->vmem, va, &place))
			return ORC_UNREADABLE;
		if (va + (s64)(s32)place <= ip)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return ORC_NONE;
	return read_row(orc, rows->entries + (u64)orc->row_size * (low - 1), ret);
}

static enum orc_answer look_up(const struct orc *orc, u64 ip, struct orc_entry *ret)
{
	const struct kernel_module *module;
	struct orc_rows rows;

	/* A call of NULL: the return address is on top of the stack. */
	if (!ip || ip == ~0ULL) {
		*ret = (struct orc_entry){ .sp_offset = 8, .sp_reg = ORC_REG_SP, .type = ORC_CALL };
		return ORC_FOUND;
	}
	if (kernel_text_is_builtin(orc->text, ip))
		return search_rows(orc, &orc->rows, ip, ret);
	module = orc->has_modules ? kernel_text_module(orc->text, ip) : NULL;
	if (!module)
		return ORC_NONE;
	if (!module_rows(orc, module, &rows))
		return ORC_UNREADABLE;
	return search_rows(orc, &rows, ip, ret);
}

enum orc_answer orc_find(struct orc *orc, u64 ip, struct orc_entry *ret)
{
	struct known_entry *known = &orc->known[(ip ^ ip >> 10) % NR_KNOWN];

	/* Why it cannot be read is known only to the last read: ask again. */
	if (known->ip != ip || !ip || known->answer == ORC_UNREADABLE) {
		known->ip = ip;
		known->answer = look_up(orc, ip, &known->entry);
	}
	*ret = known->entry;
	return known->answer;
}

/* --- opening ------------------------------------------------------------- */

int orc_open(struct orc **ret, const struct kernel *kernel, const struct kernel_text *text, struct err *err)
{
	struct orc *orc = calloc(1, sizeof(*orc));
	const struct kernel_btf *kt = kernel->ktypes;

	if (!orc)
		return err_sys(err, "memory for ORC");
	orc->kernel = kernel;
	orc->text = text;
	if (!find_row_layout(orc, kt) || !find_rows(orc, kernel->kallsyms)) {
		orc_close(orc);
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "the kernel has no ORC (CONFIG_UNWINDER_ORC), or its tables are not where its symbols say");
	}
	orc->has_modules = kernel_btf_member(kt, "module", "arch.num_orcs", &orc->nr_orcs) &&
			   kernel_btf_member(kt, "module", "arch.orc_unwind_ip", &orc->orc_places) &&
			   kernel_btf_member(kt, "module", "arch.orc_unwind", &orc->orc_entries);
	orc->is_renumbered = !orc->is_old && find_numbers(orc);
	*ret = orc;
	return 0;
}

void orc_close(struct orc *orc)
{
	free(orc);
}

const char *orc_layout(const struct orc *orc)
{
	return orc->is_old ? "before 6.4" : orc->is_renumbered ? "7.2" : "6.4 and newer";
}
