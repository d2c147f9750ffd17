// SPDX-License-Identifier: GPL-2.0-or-later
#include <endian.h>
#include <string.h>

#include "recording/branches.h"
#include "branches.h"
#include "json_common.h"

static void put_branch_end(FILE *f, const struct postmortem *pm, u64 addr, const char *name, size_t len)
{
	if (name)
		debuginfo_put_text(pm->debuginfo, f, name, len, true);
	else
		fprintf(f, "%#llx", addr);
}

static void put_branch_flags(FILE *f, const struct epitaph_branch *branch)
{
	if (branch->flags & EPITAPH_BRANCH_MISPREDICTED)
		fputs(", not predicted", f);
	if (branch->flags & EPITAPH_BRANCH_CYCLES)
		fprintf(f, ", %u cycles", le16toh(branch->cycles));
	if (branch->flags & EPITAPH_BRANCH_IN_TX)
		fputs(", in a transaction", f);
	if (branch->flags & EPITAPH_BRANCH_ABORT)
		fputs(", its abort", f);
	if (branch->flags & EPITAPH_BRANCH_SPECULATIVE)
		fputs(", on trial and taken back", f);
}

static const char *branches_kind(u32 kind)
{
	switch (kind) {
	case EPITAPH_BRANCHES_INTEL:
		return "Intel LBR";
	case EPITAPH_BRANCHES_ARCH:
		return "Intel architectural LBR";
	case EPITAPH_BRANCHES_AMD:
		return "AMD LBR v2";
	case EPITAPH_BRANCHES_BRBE:
		return "Arm BRBE";
	}
	return "of a kind that is not known";
}

static void put_branches(FILE *f, const struct postmortem *pm, const struct epitaph_branches *list)
{
	struct branch_ends ends = branch_ends_of(pm->recording, list);

	fprintf(f, "#\n# CPU %u: ", le32toh(list->cpu));
	if (le32toh(list->state) == EPITAPH_BRANCHES_TAKEN) {
		fputs("its last branches were not read: another one had the registers, as perf\n", f);
		return;
	}
	fprintf(f, "its last branches, the newest first (%s):\n", branches_kind(le32toh(list->kind)));
	while (branch_ends_next(&ends)) {
		fputs("#     ", f);
		put_branch_end(f, pm, le64toh(ends.branch->from), ends.from, ends.from_len);
		fputs(" -> ", f);
		put_branch_end(f, pm, le64toh(ends.branch->to), ends.to, ends.to_len);
		put_branch_flags(f, ends.branch);
		putc('\n', f);
	}
}

void print_branches(FILE *f, const struct postmortem *pm)
{
	struct epitaph_branches list;
	int good;

	for (u64 i = 0; (good = branches_read(pm->recording, i, &list)) != -2; i++) {
		if (good == 1)
			put_branches(f, pm, &list);
		else if (good == -1)
			fprintf(f, "#\n# CPU %llu: its last branches are damaged\n", i);
	}
}

/* --- JSON ---------------------------------------------------------------- */

static void json_end_of_branch(struct json *j, const char *key, const char *name_key, u64 addr,
			       const char *name, size_t len)
{
	json_known(j, key, addr, addr);
	if (name)
		json_text(j, name_key, name, len);
	else
		json_null(j, name_key);
}

static void json_branch(struct json *j, const struct branch_ends *ends)
{
	const struct epitaph_branch *branch = ends->branch;

	json_open(j, NULL, '{');
	json_end_of_branch(j, "from", "from_name", le64toh(branch->from), ends->from, ends->from_len);
	json_end_of_branch(j, "to", "to_name", le64toh(branch->to), ends->to, ends->to_len);
	if (branch->flags & (EPITAPH_BRANCH_PREDICTION | EPITAPH_BRANCH_MISPREDICTED))
		json_bool(j, "predicted", !(branch->flags & EPITAPH_BRANCH_MISPREDICTED));
	else
		json_null(j, "predicted");
	json_known(j, "cycles", le16toh(branch->cycles), branch->flags & EPITAPH_BRANCH_CYCLES);
	json_bool(j, "in_transaction", branch->flags & EPITAPH_BRANCH_IN_TX);
	json_bool(j, "abort", branch->flags & EPITAPH_BRANCH_ABORT);
	json_bool(j, "speculative", branch->flags & EPITAPH_BRANCH_SPECULATIVE);
	json_close(j, '}');
}

/* What damage there is, "damage_notes" counts. */
static void json_branches(struct json *j, const struct postmortem *pm, const struct epitaph_branches *list)
{
	static const char *const kinds[] = {
		[EPITAPH_BRANCHES_INTEL] = "intel", [EPITAPH_BRANCHES_ARCH] = "intel-architectural",
		[EPITAPH_BRANCHES_AMD] = "amd-v2", [EPITAPH_BRANCHES_BRBE] = "arm-brbe",
	};
	struct branch_ends ends = branch_ends_of(pm->recording, list);
	u32 kind = le32toh(list->kind);
	bool is_taken = le32toh(list->state) == EPITAPH_BRANCHES_TAKEN;

	json_open(j, NULL, '{');
	json_u64(j, "cpu", le32toh(list->cpu));
	json_u64(j, "ts_ns", clock_mono(&pm->recording->clock, le64toh(list->clock)));
	json_str(j, "kind", kind < ARRAY_SIZE(kinds) ? kinds[kind] : NULL);
	json_bool(j, "taken", is_taken);
	json_open(j, "branches", '[');
	while (!is_taken && branch_ends_next(&ends))
		json_branch(j, &ends);
	json_close(j, ']');
	json_close(j, '}');
}

void print_branches_json(struct json *j, const struct postmortem *pm)
{
	struct epitaph_branches list;
	int good;

	if (!generation_section(pm->recording->generation, EPITAPH_SEC_BRANCHES))
		return;
	json_open(j, "last_branches", '[');
	for (u64 i = 0; (good = branches_read(pm->recording, i, &list)) != -2; i++)
		if (good == 1)
			json_branches(j, pm, &list);
	json_close(j, ']');
}
