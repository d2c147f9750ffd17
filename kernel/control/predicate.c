// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's parser of filters is behind the tracefs file "filter".  It stores its result
 * in the struct trace_event_file of that file.  The files in tracefs belong to the users of
 * ftrace.  So this makes a struct trace_event_file that is in no instance, and a struct file
 * for it: a copy of the opened file of the event, but for that pointer.  An instance would
 * take 1.4 MiB for each CPU, and could not be removed while a file of it is open.
 *
 * Files of tracefs take their text from user space only, so the text goes through a page
 * that is mapped there.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/mount.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>
#include <epitaph/probes.h>
#include "events/fields.h"
#include "events/probe.h"
#include "answer.h"
#include "compat.h"
#include "predicate.h"

/**
 * struct parser - a private file "filter", in no instance of ftrace
 * @event: that it is about
 * @known: its own, with which its module stays
 * @file: with @inode, as @opened has them
 * @opened: the event's own
 * @page: in the memory of this process
 */
struct parser {
	struct trace_event_file event;
	struct trace_event_file *known;
	struct file file;
	struct inode inode;
	struct file *opened;
	unsigned long page;
};

/* The mount goes with the last file of it. */
static struct file *open_filter(const char *system, const char *name)
{
	struct file_system_type *type = get_fs_type("tracefs");
	struct vfsmount *tracefs = type ? kern_mount(type) : ERR_PTR(-ENODEV);
	struct file *file;
	char *path;

	if (IS_ERR(tracefs))
		return ERR_CAST(tracefs);
	path = kasprintf(GFP_KERNEL, "events/%s/%s/filter", system, name);
	file = path ? file_open_root_mnt(tracefs, path, O_RDWR, 0) : ERR_PTR(-ENOMEM);
	kfree(path);
	kern_unmount(tracefs);
	return file;
}

static int lend_page(struct parser *parser)
{
	unsigned long page;

	if (!current->mm)
		return -EAGAIN;
	page = vm_mmap(NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, 0);
	if (IS_ERR_VALUE(page))
		return page;
	parser->page = page;
	return 0;
}

static int become(struct parser *parser, const char *system, const char *name)
{
	struct file *file = open_filter(system, name);

	if (IS_ERR(file))
		return PTR_ERR(file);
	parser->opened = file;
	if (!file->f_op->write || !file->f_op->read)
		return -EOPNOTSUPP;
	memcpy(&parser->file, file, sizeof(parser->file));
	memcpy(&parser->inode, file_inode(file), sizeof(parser->inode));
	parser->inode.i_private = &parser->event;
	parser->file.f_inode = &parser->inode;
	return lend_page(parser);
}

static void parser_close(struct parser *parser)
{
	if (parser->page)
		vm_munmap(parser->page, PAGE_SIZE);
	if (parser->opened)
		filp_close(parser->opened, NULL);
	trace_put_event_file(parser->known);
	kfree(parser);
}

static struct parser *parser_open(const char *system, const char *name)
{
	struct trace_event_file *known = trace_get_event_file(NULL, system, name);
	struct parser *parser;
	int err;

	if (IS_ERR(known))
		return ERR_PTR(-ENOENT);
	parser = kzalloc(sizeof(*parser), GFP_KERNEL);
	if (!parser) {
		trace_put_event_file(known);
		return ERR_PTR(-ENOMEM);
	}
	parser->known = known;
	parser->event.event_call = known->event_call;
	parser->event.system = known->system;
	parser->event.tr = known->tr;
	INIT_LIST_HEAD(&parser->event.list);
	INIT_LIST_HEAD(&parser->event.triggers);
	err = become(parser, system, name);
	if (!err)
		return parser;
	parser_close(parser);
	return ERR_PTR(err);
}

static int explain_predicate_error(struct parser *parser, const char *text)
{
	size_t len = strlen(text);
	loff_t pos = 0;
	ssize_t n;

	if (len >= PAGE_SIZE)
		return -E2BIG;
	if (copy_to_user((void __user *)parser->page, text, len))
		return -EFAULT;
	n = parser->file.f_op->write(&parser->file, (const char __user *)parser->page, len, &pos);
	return n < 0 ? n : 0;
}

/* From kmalloc(); NULL: there is no memory for it. */
static char *hear(struct parser *parser)
{
	char *text = kzalloc(PAGE_SIZE + 1, GFP_KERNEL);
	loff_t pos = 0;
	ssize_t n;

	if (!text)
		return NULL;
	n = parser->file.f_op->read(&parser->file, (char __user *)parser->page, PAGE_SIZE, &pos);
	if (n > 0 && copy_from_user(text, (void __user *)parser->page, n))
		text[0] = '\0';
	return text;
}

/* --- what is wrong ------------------------------------------------------------ */

static const char *nearest_field(const struct epitaph_event *ev, const char *word)
{
	static const char *const common[] = { "common_pid", "common_type", "common_flags",
					      "common_preempt_count", "comm", "cpu" };
	const struct epitaph_field *field;
	const char *nearest = common[0];
	unsigned int i;

	for (i = 1; i < ARRAY_SIZE(common); i++)
		if (epitaph_distance(word, common[i]) < epitaph_distance(word, nearest))
			nearest = common[i];
	for (field = ev->fields; field->type; field++)
		if (epitaph_distance(word, field->name) <= epitaph_distance(word, nearest))
			nearest = field->name;
	return nearest;
}

static bool is_letter(char c)
{
	return isalnum(c) || c == '_';
}

/* The word at @at of @said, or before it, as most kernels mean; @said is written to. */
static void say_field(struct epitaph_answer *answer, const struct epitaph_event *ev, char *said,
		      char *at)
{
	char *end;

	while (at > said && !is_letter(*at))
		at--;
	while (at > said && is_letter(at[-1]))
		at--;
	for (end = at; is_letter(*end); end++)
		;
	*end = '\0';
	if (*at)
		epitaph_answer(answer, "; the field nearest to '%s' is '%s'", at,
			       nearest_field(ev, at));
}

/*
 * The kernel says it in three lines: the expression, a caret below what it means, and
 * "parse_error: " with the reason.
 */
static void say_wrong(struct epitaph_answer *answer, const struct epitaph_event *ev, char *said,
		      const char *text)
{
	char *why = strstr(said, "\nparse_error: "), *caret = strchr(said, '\n');
	size_t len = strlen(text), at;

	at = min_t(size_t, strcspn(caret + 1, "^"), len);
	why += strlen("\nparse_error: ");
	why[strcspn(why, "\n")] = '\0';
	epitaph_answer(answer, "%s: '%s', at letter %zu: '%.20s'", why, text, at + 1, text + at);
	if (!strcmp(why, "Field not found"))
		say_field(answer, ev, said, said + at);
	epitaph_answer(answer, "\n");
}

static int refuse_predicate(struct parser *parser, const struct epitaph_event *ev,
			    const char *text, int err,
			    struct epitaph_answer *answer)
{
	char *said = hear(parser);

	if (said && strstr(said, "\nparse_error: ")) {
		say_wrong(answer, ev, said, text);
		err = -EINVAL;
	} else {
		epitaph_answer(answer, "the kernel does not take '%s' (%d)\n", text, err);
	}
	kfree(said);
	return err;
}

/*
 * Of a field that ftrace fills in where we cannot know how, anything could be the answer.
 * A text that is like its name is taken for it.
 */
static bool predicate_name_is_known(const char *text, struct epitaph_answer *answer)
{
	const char *unknown = NULL;

	if (!EPITAPH_KNOWS_PREEMPT_COUNT && strstr(text, "common_preempt_count"))
		unknown = "common_preempt_count";
	if (!EPITAPH_KNOWS_COMMON_FLAGS && strstr(text, "common_flags"))
		unknown = "common_flags";
	if (unknown)
		epitaph_answer(answer, "what ftrace has in '%s' on this kernel is not known to the recorder: 'common_pid', 'comm', 'cpu' and the event's own fields are\n",
			       unknown);
	return !unknown;
}

/* --- */

/* What it has read is taken out; "0" is for what the kernel counts beside. */
static struct event_filter *take_predicate(struct parser *parser)
{
	struct event_filter *filter = rcu_access_pointer(parser->event.filter);

	RCU_INIT_POINTER(parser->event.filter, NULL);
	explain_predicate_error(parser, "0");
	return filter ?: ERR_PTR(-EOPNOTSUPP);
}

struct event_filter *epitaph_predicate_new(const struct epitaph_event *ev, const char *text,
					   u16 *type, struct epitaph_answer *answer)
{
	struct event_filter *filter;
	struct parser *parser;
	int err;

	if (!EPITAPH_ENTRY_IS_FTRACES) {
		epitaph_answer(answer, "this kernel's own records begin otherwise than ours (PREEMPT_RT before 6.12), so it cannot filter them\n");
		return ERR_PTR(-EOPNOTSUPP);
	}
	if (!predicate_name_is_known(text, answer))
		return ERR_PTR(-EINVAL);
	parser = parser_open(ev->system, ev->name);
	if (IS_ERR(parser)) {
		err = PTR_ERR(parser);
		epitaph_answer(answer, err == -ENOENT ? "ftrace has no event '%s:%s', so its filter cannot be parsed\n" :
			       "the kernel's parser for '%s:%s' is not to be had\n", ev->system, ev->name);
		return ERR_PTR(err);
	}
	*type = parser->event.event_call->event.type;
	err = explain_predicate_error(parser, text);
	if (err) {
		filter = ERR_PTR(refuse_predicate(parser, ev, text, err, answer));
		explain_predicate_error(parser, "0");
	} else {
		filter = take_predicate(parser);
	}
	parser_close(parser);
	return filter;
}

/* Filters that could not be freed yet: there was no memory, or the process had none of its own any more. */
static struct event_filter *kept[16];
static DEFINE_MUTEX(kept_lock);

static bool keep_filter(struct event_filter *filter)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kept); i++) {
		if (kept[i])
			continue;
		kept[i] = filter;
		return true;
	}
	return false;
}

static void free_through(struct parser *parser, struct event_filter *filter)
{
	RCU_INIT_POINTER(parser->event.filter, filter);
	explain_predicate_error(parser, "0");
}

static void free_kept(struct parser *parser)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kept); i++) {
		if (kept[i])
			free_through(parser, kept[i]);
		kept[i] = NULL;
	}
}

/* Through any event: one that every kernel has, and is over before we are there. */
void epitaph_predicate_free(struct event_filter *filter)
{
	struct parser *parser;

	if (!filter)
		return;
	parser = parser_open("initcall", "initcall_finish");
	mutex_lock(&kept_lock);
	if (!IS_ERR(parser)) {
		free_through(parser, filter);
		free_kept(parser);
	} else if (!keep_filter(filter)) {
		pr_warn("the memory of a filter is lost (%ld)\n", PTR_ERR(parser));
	}
	mutex_unlock(&kept_lock);
	if (!IS_ERR(parser))
		parser_close(parser);
}

void epitaph_predicates_exit(void)
{
	struct parser *parser = parser_open("initcall", "initcall_finish");

	if (IS_ERR(parser))
		return;
	free_kept(parser);
	parser_close(parser);
}
