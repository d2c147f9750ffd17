// SPDX-License-Identifier: GPL-2.0-only
/* What each word of context is called, takes, and looks like in a format. */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "events/probe.h"
#include "answer.h"
#include "compat.h"
#include "context.h"
#include "context_word.h"
#include "recorder.h"

/* By kind; @takes: what follows a ':'. */
static const struct {
	const char *name;
	const char *takes;
	unsigned int size;
} kinds[] = {
	[EPITAPH_CONTEXT_IRQ] = { "irq", NULL, 1 },
	[EPITAPH_CONTEXT_PREEMPT] = { "preempt", NULL, 1 },
	[EPITAPH_CONTEXT_TASK] = { "task", NULL, 8 + TASK_COMM_LEN },
#ifdef CONFIG_CGROUPS
	[EPITAPH_CONTEXT_CGROUP] = { "cgroup", NULL, 8 },
	[EPITAPH_CONTEXT_CONTROLLER] = { "cgroup", "CONTROLLER", 8 },
#endif
	[EPITAPH_CONTEXT_COUNTER] = { "perf", "COUNTER", 8 },
};

/* By the kernel's numbers. */
static const char *const controllers[] = {
#ifdef CONFIG_CGROUPS
#define SUBSYS(name) #name,
#include <linux/cgroup_subsys.h>
#undef SUBSYS
#endif
};

unsigned int epitaph_context_size(enum epitaph_context_kind kind)
{
	return kinds[kind].size;
}

/* --- words ---------------------------------------------------------------------- */

static int no_word(struct epitaph_answer *answer, const char *text, const char *rest)
{
	const char *near = kinds[0].name;
	int i;

	for (i = 1; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].name && epitaph_distance(kinds[i].name, text) < epitaph_distance(near, text))
			near = kinds[i].name;
	epitaph_answer(answer, "no context is called '%s%s%s'; the nearest is '%s'; there are:", text,
		       rest ? ":" : "", rest ?: "", near);
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].name)
			epitaph_answer(answer, " %s%s%s", kinds[i].name, kinds[i].takes ? ":" : "",
				       kinds[i].takes ?: "");
	epitaph_answer(answer, "\n");
	return -EINVAL;
}

static int take_controller(struct epitaph_answer *answer, struct epitaph_context_word *word)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(controllers); i++)
		if (!strcmp(controllers[i], word->name)) {
			word->controller = i;
			return 0;
		}
	epitaph_answer(answer, "this kernel has no cgroup controller '%s'; it has:", word->name);
	for (i = 0; i < ARRAY_SIZE(controllers); i++)
		epitaph_answer(answer, " %s", controllers[i]);
	epitaph_answer(answer, "\n");
	return -EINVAL;
}

static int take_counter(struct epitaph_answer *answer, struct epitaph_context_word *word)
{
	struct epitaph_counter *counter = epitaph_counter_get(answer, word->name);

	if (IS_ERR(counter))
		return PTR_ERR(counter);
	word->counter = counter;
	return 0;
}

static int find_kind(const char *name, bool takes)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].name && !kinds[i].takes == !takes && !strcmp(kinds[i].name, name))
			return i;
	return -1;
}

/* Where ftrace says it in a way that we do not know, anything could be the answer. */
static bool context_kind_is_known(int kind)
{
	return (kind != EPITAPH_CONTEXT_IRQ || EPITAPH_KNOWS_COMMON_FLAGS) &&
	       (kind != EPITAPH_CONTEXT_PREEMPT || EPITAPH_KNOWS_PREEMPT_COUNT);
}

/* @text is cut at the ':'. */
static int parse_context_word(struct epitaph_answer *answer, struct epitaph_context_word *word,
			      char *text)
{
	char *rest = text, *name = strsep(&rest, ":");
	int kind = find_kind(name, rest);

	if (kind < 0)
		return no_word(answer, name, rest);
	if (!context_kind_is_known(kind)) {
		epitaph_answer(answer, "what ftrace has as '%s' on this kernel is not known to the recorder\n",
			       name);
		return -EINVAL;
	}
	word->kind = kind;
	word->name = rest ?: name;
	if (kind == EPITAPH_CONTEXT_CONTROLLER)
		return take_controller(answer, word);
	return kind == EPITAPH_CONTEXT_COUNTER ? take_counter(answer, word) : 0;
}

static int compare(const struct epitaph_context_word *a, const struct epitaph_context_word *b)
{
	return a->kind != b->kind ? (int)a->kind - (int)b->kind : strcmp(a->name, b->name);
}

static void let_go(struct epitaph_context_word *word)
{
	if (word->kind == EPITAPH_CONTEXT_COUNTER)
		epitaph_counter_put(word->counter);
}

/* In its place, unless it is there. */
static int add_context_word(struct epitaph_answer *answer, struct epitaph_context_words *words,
			    struct epitaph_context_word word)
{
	int i = words->nr;

	while (i && compare(&words->words[i - 1], &word) >= 0)
		i--;
	if (i < words->nr && !compare(&words->words[i], &word)) {
		let_go(&word);
		return 0;
	}
	if (words->nr == EPITAPH_CONTEXT_MAX) {
		let_go(&word);
		epitaph_answer(answer, "these are more than %u words\n", EPITAPH_CONTEXT_MAX);
		return -E2BIG;
	}
	memmove(&words->words[i + 1], &words->words[i], (words->nr - i) * sizeof(word));
	words->words[i] = word;
	words->nr++;
	return 0;
}

static int take_all(struct epitaph_answer *answer, struct epitaph_context_words *words)
{
	struct epitaph_context_word word;
	char *rest = words->spec, *item;
	int err = 0;

	while (!err && (item = strsep(&rest, ",")))
		err = parse_context_word(answer, &word, item) ?: add_context_word(answer, words,
					 word);
	return err;
}

static int write_context_text(struct epitaph_context_words *words)
{
	struct epitaph_answer text = {};
	int i;

	for (i = 0; i < words->nr; i++)
		epitaph_answer(&text, "%s%s%s%s", i ? "," : "", kinds[words->words[i].kind].name,
			       kinds[words->words[i].kind].takes ? ":" : "",
			       kinds[words->words[i].kind].takes ? words->words[i].name : "");
	if (!text.is_cut)
		words->text = kstrndup(text.text, text.used, GFP_KERNEL);
	epitaph_answer_free(&text);
	return words->text ? 0 : -ENOMEM;
}

struct epitaph_context_words *epitaph_context_words_new(struct epitaph_answer *answer,
							const char *text)
{
	struct epitaph_context_words *words = kzalloc(sizeof(*words), GFP_KERNEL);
	int err = -ENOMEM;

	if (!words)
		return ERR_PTR(err);
	words->users = 1;
	words->spec = kstrdup(text, GFP_KERNEL);
	if (words->spec)
		err = take_all(answer, words) ?: write_context_text(words);
	if (!err)
		return words;
	epitaph_context_words_put(words);
	return ERR_PTR(err);
}

struct epitaph_context_words *epitaph_context_words_get(struct epitaph_context_words *words)
{
	words->users++;
	return words;
}

void epitaph_context_words_put(struct epitaph_context_words *words)
{
	unsigned int i;

	if (!words || --words->users)
		return;
	for (i = 0; i < words->nr; i++)
		let_go(&words->words[i]);
	kfree(words->text);
	kfree(words->spec);
	kfree(words);
}

/* --- as a format has them -------------------------------------------------------- */

#define FLAGS								\
	"{ 0x1, \"irqs-off\" }, { 0x2, \"need-resched-lazy\" }, "	\
	"{ 0x4, \"need-resched\" }, { 0x8, \"hardirq\" }, "		\
	"{ 0x10, \"softirq\" }, { 0x20, \"preempt-resched\" }, "	\
	"{ 0x40, \"nmi\" }, { 0x80, \"bh-off\" }"

static void describe_field(struct epitaph_answer *fields, const char *type, const char *name,
			   unsigned int off, unsigned int size)
{
	epitaph_answer(fields, "\tfield:%s context_%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", type,
		       name, off, size, *type == 'i');
}

/* "cycles", "memory_cgroup" */
static void name_field(char *buf, size_t size, const struct epitaph_context_word *word)
{
	snprintf(buf, size, "%s%s", word->name,
		 word->kind == EPITAPH_CONTEXT_CONTROLLER ? "_cgroup" : "");
	strreplace(buf, '-', '_');
}

static void describe_fields(struct epitaph_answer *fields,
			    const struct epitaph_context_word *word, unsigned int off)
{
	char name[48];

	name_field(name, sizeof(name), word);
	switch (word->kind) {
	case EPITAPH_CONTEXT_IRQ:
	case EPITAPH_CONTEXT_PREEMPT:
		return describe_field(fields, "unsigned char", name, off, 1);
	case EPITAPH_CONTEXT_TASK:
		describe_field(fields, "int", "pid", off, 4);
		describe_field(fields, "int", "tgid", off + 4, 4);
		BUILD_BUG_ON(TASK_COMM_LEN != 16);
		return describe_field(fields, "char", "comm[16]", off + 8, 16);
	default:
		return describe_field(fields, "u64", name, off, 8);
	}
}

static void describe_print(struct epitaph_answer *print, struct epitaph_answer *args,
			   const struct epitaph_context_word *word)
{
	char name[48];

	name_field(name, sizeof(name), word);
	switch (word->kind) {
	case EPITAPH_CONTEXT_IRQ:
		epitaph_answer(print, " irq=%%s");
		epitaph_answer(args, ", REC->context_irq ? __print_flags(REC->context_irq, \"|\", " FLAGS ") : \"-\"");
		break;
	case EPITAPH_CONTEXT_PREEMPT:
		epitaph_answer(print, " preempt=%%u migrate=%%u");
		epitaph_answer(args, ", REC->context_preempt & 15, REC->context_preempt >> 4");
		break;
	case EPITAPH_CONTEXT_TASK:
		epitaph_answer(print, " task=%%s pid=%%d tgid=%%d");
		epitaph_answer(args, ", REC->context_comm, REC->context_pid, REC->context_tgid");
		break;
	case EPITAPH_CONTEXT_CGROUP:
		epitaph_answer(print, " cgroup=%%llu(%%ps)");
		epitaph_answer(args, ", REC->context_cgroup, (void *)(REC->context_cgroup + 0x%llx)",
			       EPITAPH_SYMBOL_CGROUP);
		break;
	default:
		epitaph_answer(print, " %s=%%llu", name);
		epitaph_answer(args, ", REC->context_%s", name);
		break;
	}
}

void epitaph_context_describe(const struct epitaph_context_words *words, unsigned int off,
			      struct epitaph_answer *fields, struct epitaph_answer *print,
			      struct epitaph_answer *args)
{
	const struct epitaph_context_word *word;
	int i;

	epitaph_answer(print, " |");
	for (i = words->nr - 1; i >= 0; i--) {
		describe_fields(fields, &words->words[i], off);
		off += kinds[words->words[i].kind].size;
	}
	for (word = words->words; word < words->words + words->nr; word++)
		describe_print(print, args, word);
}
