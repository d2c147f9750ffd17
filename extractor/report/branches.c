// SPDX-License-Identifier: GPL-2.0-or-later
#include <endian.h>
#include <string.h>

#include "base/text.h"
#include "branches.h"

/* The lines of a list's text that no branch has taken yet. */
struct branch_lines {
	const char *next, *end;
};

static struct branch_lines lines_of(const struct epitaph_branches *list)
{
	return (struct branch_lines){ list->text, list->text + strnlen(list->text, sizeof(list->text)) };
}

/* The name of one end of a branch: its line, if there is one, else the symbol's. NULL: it has none. */
static const char *end_name(const struct postmortem *pm, u64 addr, struct branch_lines *lines, size_t *len)
{
	const char *line = lines->next;
	const char *stop = line < lines->end ? memchr(line, '\n', lines->end - line) : NULL;

	if (stop) {
		lines->next = stop + 1;
		*len = stop - line;
		return line;
	}
	lines->next = lines->end;
	line = addr ? symbols_name(pm->recording->symbols, addr) : "(user)";
	*len = line ? strlen(line) : 0;
	return line;
}

/* Two zeros are none, whatever the text says. */
static bool is_branch(const struct epitaph_branch *branch)
{
	return branch->from || branch->to;
}

static u32 nr_branches(const struct epitaph_branches *list)
{
	u32 nr = le32toh(list->nr);

	return nr < EPITAPH_NR_BRANCHES ? nr : EPITAPH_NR_BRANCHES;
}

static void put_end(FILE *f, const struct postmortem *pm, u64 addr, struct branch_lines *lines)
{
	size_t len;
	const char *name = end_name(pm, addr, lines, &len);

	if (name)
		debuginfo_put_text(pm->debuginfo, f, name, len, true);
	else
		fprintf(f, "%#llx", addr);
}

static void put_flags(FILE *f, const struct epitaph_branch *branch)
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

static const char *kind_text(u32 kind)
{
	switch (kind) {
	case EPITAPH_BRANCHES_INTEL:
		return "Intel LBR";
	case EPITAPH_BRANCHES_ARCH:
		return "Intel architectural LBR";
	case EPITAPH_BRANCHES_AMD:
		return "AMD LBR v2";
	}
	return "of a kind that is not known";
}

static void put_list(FILE *f, const struct postmortem *pm, const struct epitaph_branches *list)
{
	struct branch_lines lines = lines_of(list);

	fprintf(f, "#\n# CPU %u: ", le32toh(list->cpu));
	if (le32toh(list->state) == EPITAPH_BRANCHES_TAKEN) {
		fputs("its last branches were not read: another one had the registers, as perf\n", f);
		return;
	}
	fprintf(f, "its last branches, the newest first (%s):\n", kind_text(le32toh(list->kind)));
	for (u32 i = 0; i < nr_branches(list); i++) {
		const struct epitaph_branch *branch = &list->branch[i];

		if (!is_branch(branch))
			continue;
		fputs("#     ", f);
		put_end(f, pm, le64toh(branch->from), &lines);
		fputs(" -> ", f);
		put_end(f, pm, le64toh(branch->to), &lines);
		put_flags(f, branch);
		putc('\n', f);
	}
}

void print_branches(FILE *f, const struct postmortem *pm)
{
	const struct section *sec = generation_section(pm->recording->generation, EPITAPH_SEC_BRANCHES);
	u64 n = section_entries(sec, sizeof(struct epitaph_branches));
	struct epitaph_branches list;

	for (u64 i = 0; i < n; i++) {
		int good = section_entry(pm->recording->generation, sec, i, &list, sizeof(list));

		if (good == -2)
			return;
		if (good == 1)
			put_list(f, pm, &list);
		else if (good == -1)
			fprintf(f, "#\n# CPU %llu: its last branches are damaged\n", i);
	}
}

/* --- JSON ---------------------------------------------------------------- */

static void json_end_of_branch(struct json *j, const char *key, const char *name_key,
			       const struct postmortem *pm, u64 addr, struct branch_lines *lines)
{
	size_t len;
	const char *name = end_name(pm, addr, lines, &len);

	if (addr)
		json_u64(j, key, addr);
	else
		json_null(j, key);
	if (name)
		json_text(j, name_key, name, len);
	else
		json_null(j, name_key);
}

static void json_branch(struct json *j, const struct postmortem *pm, const struct epitaph_branch *branch,
			struct branch_lines *lines)
{
	json_open(j, NULL, '{');
	json_end_of_branch(j, "from", "from_name", pm, le64toh(branch->from), lines);
	json_end_of_branch(j, "to", "to_name", pm, le64toh(branch->to), lines);
	if (branch->flags & (EPITAPH_BRANCH_PREDICTION | EPITAPH_BRANCH_MISPREDICTED))
		json_bool(j, "predicted", !(branch->flags & EPITAPH_BRANCH_MISPREDICTED));
	else
		json_null(j, "predicted");
	if (branch->flags & EPITAPH_BRANCH_CYCLES)
		json_u64(j, "cycles", le16toh(branch->cycles));
	else
		json_null(j, "cycles");
	json_bool(j, "in_transaction", branch->flags & EPITAPH_BRANCH_IN_TX);
	json_bool(j, "abort", branch->flags & EPITAPH_BRANCH_ABORT);
	json_bool(j, "speculative", branch->flags & EPITAPH_BRANCH_SPECULATIVE);
	json_close(j, '}');
}

/* What damage there is, "damage_notes" counts. */
static void json_list(struct json *j, const struct postmortem *pm, const struct epitaph_branches *list)
{
	static const char *const kinds[] = {
		[EPITAPH_BRANCHES_INTEL] = "intel", [EPITAPH_BRANCHES_ARCH] = "intel-architectural",
		[EPITAPH_BRANCHES_AMD] = "amd-v2",
	};
	struct branch_lines lines = lines_of(list);
	u32 kind = le32toh(list->kind);
	bool is_taken = le32toh(list->state) == EPITAPH_BRANCHES_TAKEN;

	json_open(j, NULL, '{');
	json_u64(j, "cpu", le32toh(list->cpu));
	json_u64(j, "ts_ns", clock_mono(&pm->recording->clock, le64toh(list->clock)));
	json_str(j, "kind", kind < ARRAY_SIZE(kinds) ? kinds[kind] : NULL);
	json_bool(j, "taken", is_taken);
	json_open(j, "branches", '[');
	for (u32 i = 0; i < nr_branches(list) && !is_taken; i++)
		if (is_branch(&list->branch[i]))
			json_branch(j, pm, &list->branch[i], &lines);
	json_close(j, ']');
	json_close(j, '}');
}

void print_branches_json(struct json *j, const struct postmortem *pm)
{
	const struct section *sec = generation_section(pm->recording->generation, EPITAPH_SEC_BRANCHES);
	u64 n = section_entries(sec, sizeof(struct epitaph_branches));
	struct epitaph_branches list;

	if (!sec)
		return;
	json_open(j, "last_branches", '[');
	for (u64 i = 0; i < n; i++) {
		int good = section_entry(pm->recording->generation, sec, i, &list, sizeof(list));

		if (good == -2)
			break;
		if (good == 1)
			json_list(j, pm, &list);
	}
	json_close(j, ']');
}
