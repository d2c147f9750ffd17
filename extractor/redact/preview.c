// SPDX-License-Identifier: GPL-2.0-or-later
/* What "redact --dry-run" prints: of each class what goes and what stays, with examples. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "redact_impl.h"

#define NR_EXAMPLES	3
#define EXAMPLE_TEXT	48	/* bytes; what is longer is cut */

struct preview_example {
	char where[96];
	char before[EXAMPLE_TEXT + 4];
	char after[EXAMPLE_TEXT + 4];
};

/* What goes, or stays, of one class. */
struct preview_side {
	u64 values;
	u32 nr;
	struct preview_example examples[NR_EXAMPLES];
};

struct preview {
	struct preview_side goes[NR_CLASSES];
	struct preview_side stays[NR_CLASSES];
};

struct preview *preview_new(void)
{
	return calloc(1, sizeof(struct preview));
}

void preview_free(struct preview *preview)
{
	free(preview);
}

static void copy_example(char buf[EXAMPLE_TEXT + 4], const char *text, size_t n)
{
	bool is_cut = n > EXAMPLE_TEXT;

	n = is_cut ? EXAMPLE_TEXT : n;
	memcpy(buf, text, n);
	strcpy(buf + n, is_cut ? "..." : "");
}

/* Examples differ in what they were. */
void preview_text(struct preview *preview, enum field_class class, const char *where,
		  const char *before, size_t n, const char *after, size_t n_after)
{
	bool stays = n == n_after && !memcmp(before, after, n);
	struct preview_side *side = stays ? &preview->stays[class] : &preview->goes[class];
	struct preview_example e;
	u32 i;

	side->values++;
	if (side->nr == NR_EXAMPLES)
		return;
	snprintf(e.where, sizeof(e.where), "%s", where);
	copy_example(e.before, before, n);
	copy_example(e.after, after, n_after);
	for (i = 0; i < side->nr; i++)
		if (!strcmp(side->examples[i].before, e.before))
			return;
	side->examples[side->nr++] = e;
}

void preview_number(struct preview *preview, enum field_class class, const char *where, u64 before,
		    u64 after)
{
	bool is_hex = class == CLASS_ADDRESS || class == CLASS_REGISTER;
	struct preview_side *side = before == after ? &preview->stays[class] :
						      &preview->goes[class];
	char was[24], now[24];

	if (side->nr == NR_EXAMPLES) {
		side->values++;
		return;
	}
	snprintf(was, sizeof(was), is_hex ? "0x%llx" : "%llu", before);
	snprintf(now, sizeof(now), is_hex ? "0x%llx" : "%llu", after);
	preview_text(preview, class, where, was, strlen(was), now, strlen(now));
}

static void print_side(FILE *f, const struct redaction *r, const struct preview_side *sides,
		       bool is_going)
{
	u32 i, k;

	for (i = 0; i < NR_CLASSES; i++) {
		const struct preview_side *side = &sides[i];

		if (!side->values)
			continue;
		fprintf(f, "%s: %s: %llu value%s\n", classes_name(r->classes, i),
			classes_meaning(r->classes, i), side->values, side->values == 1 ? "" : "s");
		for (k = 0; k < side->nr; k++) {
			const struct preview_example *e = &side->examples[k];

			fputs("    ", f);
			text_put(f, e->where, strlen(e->where));
			fputs(": ", f);
			text_put(f, e->before, strlen(e->before));
			if (is_going) {
				fputs(" -> ", f);
				text_put(f, e->after, strlen(e->after));
			}
			putc('\n', f);
		}
	}
}

static void json_side(struct json *j, const struct redaction *r, const char *name,
		      const struct preview_side *sides)
{
	u32 i, k;

	json_open(j, name, '[');
	for (i = 0; i < NR_CLASSES; i++) {
		const struct preview_side *side = &sides[i];

		if (!side->values)
			continue;
		json_open(j, NULL, '{');
		json_str(j, "class", classes_name(r->classes, i));
		json_u64(j, "values", side->values);
		json_open(j, "examples", '[');
		for (k = 0; k < side->nr; k++) {
			json_open(j, NULL, '{');
			json_str(j, "where", side->examples[k].where);
			json_str(j, "before", side->examples[k].before);
			json_str(j, "after", side->examples[k].after);
			json_close(j, '}');
		}
		json_close(j, ']');
		json_close(j, '}');
	}
	json_close(j, ']');
}

void preview_print(const struct redaction *r, const struct redact_policy *policy)
{
	struct json j = { .f = policy->preview };

	if (policy->is_json) {
		json_open(&j, NULL, '{');
		json_str(&j, "profile", profile_name(r->profile));
		json_u64(&j, "events", r->count->events);
		json_u64(&j, "left_out", r->count->dropped);
		json_str(&j, "lacks", *r->count->left_out ? r->count->left_out : NULL);
		json_side(&j, r, "goes", r->preview->goes);
		json_side(&j, r, "stays", r->preview->stays);
		json_close(&j, '}');
		json_end(&j);
		return;
	}
	fprintf(policy->preview, "# profile %s: %llu event%s; nothing is written\n",
		profile_name(r->profile), r->count->events, r->count->events == 1 ? "" : "s");
	if (*r->count->left_out)
		fprintf(policy->preview, "# without %s\n", r->count->left_out);
	fputs("\n# what goes, or gets another name\n", policy->preview);
	print_side(policy->preview, r, r->preview->goes, true);
	fputs("\n# what stays\n", policy->preview);
	print_side(policy->preview, r, r->preview->stays, false);
}
