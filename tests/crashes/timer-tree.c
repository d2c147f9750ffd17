// SPDX-License-Identifier: GPL-2.0-only
/*
 * An entry of a red-black tree is freed and stays in the tree.  "notes" gets its memory, and "dispatcher" walks the
 * tree.
 *
 * pattern: kfree() without rb_erase()
 * upstream: the class of use after free in rb-trees (epoll, binder, i915, ceph caps)
 * finding: job_find() used a pointer that is text, of an entry of the tree jobs that was freed
 * never: "notes"; "dispatcher"; rb_erase()
 * must: ^likely: job_find\(\) .*tree jobs still has that
 * not: notes-
 * guest: insmod /test/timer-tree.ko
 * guest: sleep 60
 */
#include <linux/rbtree.h>
#include "crash.h"

struct job_owner {
	u64 done;
};

struct job {
	u64 due;
	struct rb_node node;
	struct job_owner *owner;
	u8 data[60];
};

static struct rb_root jobs = RB_ROOT;
static DEFINE_MUTEX(jobs_lock);
static struct job_owner owner;
static struct job *some[40];
static char *texts[400];

static void job_add(struct job *j)
{
	struct rb_node **link = &jobs.rb_node, *parent = NULL;

	while (*link) {
		parent = *link;
		link = j->due < rb_entry(parent, struct job, node)->due ? &parent->rb_left : &parent->rb_right;
	}
	rb_link_node(&j->node, parent, link);
	rb_insert_color(&j->node, &jobs);
}

static noinline struct job *job_find(u64 due)
{
	struct rb_node *n = jobs.rb_node;

	while (n) {
		struct job *j = rb_entry(n, struct job, node);

		j->owner->done++;
		if (j->due == due)
			return j;
		n = due < j->due ? n->rb_left : n->rb_right;
	}
	return NULL;
}

static int dispatcher(void *unused)
{
	u64 due;

	for (;;) {
		mutex_lock(&jobs_lock);
		for (due = 0; due < 40; due++)
			job_find(due);
		mutex_unlock(&jobs_lock);
		msleep(20);
	}
	return 0;
}

static noinline void job_cancel(int i)
{
	mutex_lock(&jobs_lock);
	kfree(some[i]);
	some[i] = NULL;
	mutex_unlock(&jobs_lock);
}

static int notes(void *unused)
{
	int i;

	msleep(900);
	mutex_lock(&jobs_lock);
	kfree(some[26]);
	some[26] = NULL;
	for (i = 0; i < 400; i++) {
		texts[i] = kmalloc(sizeof(struct job), GFP_KERNEL);
		if (texts[i])
			snprintf(texts[i], sizeof(struct job), "note %d: the quick brown fox jumps over the lazy dog, and then it sleeps for a day", i);
	}
	mutex_unlock(&jobs_lock);
	job_cancel(3);
	return 0;
}

static int __init tree_init(void)
{
	int i;

	for (i = 0; i < 40; i++) {
		some[i] = kzalloc(sizeof(*some[i]), GFP_KERNEL);
		if (!some[i])
			return -ENOMEM;
		some[i]->due = i;
		some[i]->owner = &owner;
		job_add(some[i]);
	}
	run_thread(notes, NULL, -1, "notes");
	return run_thread(dispatcher, NULL, -1, "dispatcher");
}
module_init(tree_init);
