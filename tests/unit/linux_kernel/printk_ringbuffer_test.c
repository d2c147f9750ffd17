// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * printk's ring out of a dump.
 *
 * build: tests/lib/klog_image.c tests/lib/kmem_image.c @extractor
 */
#include <string.h>

#include "linux_kernel/printk_ringbuffer.h"
#include "klog_image.h"
#include "tap.h"

#define NR_BITS		3	/* 8 descriptors */
#define SIZE_BITS	8	/* 256 bytes of text */

struct opened {
	struct dump *in;
	struct vmem *vmem;
	struct printk_ringbuffer log;
	struct damage_notes notes;
};

static struct opened open_log(struct log *log)
{
	struct opened o = { 0 };
	struct err err = ERR_INIT;

	if (!CHECK(!dump_open_fd(&o.in, kmem_fd(&log->k), &err) &&
		   !vmem_open(&o.vmem, o.in, &err) &&
		   !printk_ringbuffer_read(&o.log, o.vmem, NULL, &o.notes, &err), "%s", err.msg))
		exit(99);
	return o;
}

static void close_log(struct opened *o, struct log *log)
{
	printk_ringbuffer_free(&o->log);
	damage_notes_free(&o->notes);
	vmem_close(o->vmem);
	dump_close(o->in);
	kmem_free(&log->k);
}

static void check_line(const struct opened *o, u32 i, u64 seq, const char *text)
{
	const struct klog_record *r = &o->log.records[i];

	if (!CHECK(i < o->log.nr, "%u of %u", i, o->log.nr))
		return;
	CHECK(r->seq == seq && r->local_ns == 1000 * seq && r->line.priority == (1 << 3 | 3) &&
	      r->cpu == 1 && r->pid == -1 && !*r->comm, "%llu %llu %d %u %lld", r->seq, r->local_ns,
	      r->line.priority, r->cpu, r->pid);
	CHECK(r->line.len == strlen(text) && !memcmp(r->line.text, text, r->line.len), "%.*s",
	      (int)r->line.len, r->line.text);
}

static void log__lines_come_back_in_order_with_time_level_and_caller(void)
{
	struct log log = log_make(NR_BITS, SIZE_BITS);
	struct opened o;

	log_say(&log, FINALIZED, "the first");
	log_say(&log, FINALIZED, "");
	log_say(&log, COMMITTED, "two\nlines");
	log_set_ids(&log, 3);
	o = open_log(&log);
	CHECK(o.log.there && o.log.nr == 3 && !o.notes.nr, "%u", o.log.nr);
	check_line(&o, 0, 0, "the first");
	check_line(&o, 1, 1, "");
	check_line(&o, 2, 2, "two\nlines");
	close_log(&o, &log);
}

/* Three times round the descriptors, and round the text, with ids that wrap as well. */
static void log__what_wraps_is_whole(void)
{
	struct log log = log_make(NR_BITS, SIZE_BITS);
	char text[64];
	struct opened o;

	log.id = ~0ULL >> 2;
	log.seq = log.id & 7;
	for (int i = 0; i < 25; i++) {
		log.id &= ~0ULL >> 2;
		sprintf(text, "line %d of some length", i);
		log_say(&log, FINALIZED, text);
	}
	log_set_ids(&log, 8);
	o = open_log(&log);
	CHECK(o.log.nr + o.log.nr_textless == 8 && o.log.nr >= 6 && !o.log.nr_damaged, "%u %u %u",
	      o.log.nr, o.log.nr_textless, o.log.nr_damaged);
	for (u32 i = 0; i < o.log.nr; i++) {
		sprintf(text, "line %u of some length", 25 - o.log.nr + i);
		check_line(&o, i, log.seq - o.log.nr + i, text);
	}
	close_log(&o, &log);
}

static void log__what_is_no_line_is_counted_and_not_told(void)
{
	struct log log = log_make(NR_BITS, SIZE_BITS);
	struct opened o;

	log_say(&log, REUSABLE, "gone");
	log_say(&log, FINALIZED, "good");
	log_say(&log, RESERVED, "half");
	log_say(&log, FINALIZED, "overwritten");
	log_say(&log, FINALIZED, "nowhere");
	log_say(&log, FINALIZED, "another's");
	log_set_ids(&log, 6);
	log_put64(&log, log.text + ((log.lpos - 24 - 16 - 24) & 255), 1);	/* of "overwritten" */
	log_put64(&log, log.descs + ((log.id - 2) & 7) * DESC_SIZE + 16, 0x123456);
	log_put64(&log, log.descs + ((log.id - 1) & 7) * DESC_SIZE, 0x77 | 2ULL << 62);
	o = open_log(&log);
	CHECK(o.log.nr == 1 && o.log.nr_uncommitted == 1 && o.log.nr_textless == 1 &&
	      o.log.nr_damaged == 2, "%u %u %u %u", o.log.nr, o.log.nr_uncommitted,
	      o.log.nr_textless, o.log.nr_damaged);
	check_line(&o, 0, 1, "good");
	CHECK(o.notes.nr == 2, "%llu", o.notes.nr);
	close_log(&o, &log);
}

/* desc_reserve() moves the head on, and then marks the descriptor, which has the id of one round before till then. */
static void log__what_is_about_to_be_written_is_not_damaged(void)
{
	struct log log = log_make(NR_BITS, SIZE_BITS);
	struct opened o;

	for (int i = 0; i < 8; i++)
		log_say(&log, i ? FINALIZED : REUSABLE, "a line");
	log_set_ids(&log, 8);
	/* As behind the ninth: the oldest is the second, and the newest has the place of the first. */
	log_put64(&log, log.ring + 24, log.id);
	log_put64(&log, log.ring + 32, log.id - 7);
	o = open_log(&log);
	CHECK(o.log.nr == 7 && o.log.nr_uncommitted == 1 && !o.log.nr_damaged, "%u %u %u", o.log.nr,
	      o.log.nr_uncommitted, o.log.nr_damaged);
	close_log(&o, &log);
}

/* What the kernel died of, with the words before and behind it that are not it. */
static void check_panic(const char * const *lines, const char *want)
{
	struct log log = log_make(NR_BITS, SIZE_BITS);
	char buf[100] = "";
	struct opened o;
	u64 n = 0;

	for (; lines[n]; n++)
		log_say(&log, FINALIZED, lines[n]);
	log_set_ids(&log, n);
	o = open_log(&log);
	CHECK(!printk_ringbuffer_panic(&o.log, buf, sizeof(buf), NULL) && !strcmp(buf, want), "%s", buf);
	close_log(&o, &log);
}

static void log__the_last_words_are_the_panic_or_what_led_to_it(void)
{
	check_panic((const char *[]){ "hello", "Kernel panic - not syncing: why", "CPU: 1", NULL }, "why");
	check_panic((const char *[]){ "BUG: x", "Oops: 1", "Kernel panic - not syncing: Fatal exception",
				      NULL }, "BUG: x");
	check_panic((const char *[]){ "a kernel BUG at y!", "more", NULL }, "a kernel BUG at y!");
	check_panic((const char *[]){ "hello", NULL }, "");
}

static void log__sizes_that_cannot_be_are_told(void)
{
	struct log log = log_make(NR_BITS, SIZE_BITS);
	struct opened o;

	log_say(&log, FINALIZED, "x");
	log_put64(&log, log.ring, 63);
	o = open_log(&log);
	CHECK(!o.log.there && !o.log.nr && o.notes.nr == 1, "%u", o.log.nr);
	close_log(&o, &log);
}

/* Four million descriptors, of which a page or two are there. */
static void log__many_descriptors_that_are_not_there_are_given_up(void)
{
	struct log log = log_make(NR_BITS, SIZE_BITS);
	struct opened o;

	log_put64(&log, log.ring, 22);
	log_put64(&log, log.ring + 8, log.descs + (2 << 20));
	log_put64(&log, log.ring + 24, FIRST_ID + (1 << 22));
	log_put64(&log, log.ring + 32, FIRST_ID + 1);
	o = open_log(&log);
	CHECK(o.log.there && !o.log.nr && o.log.nr_damaged == 4 * KLOG_MAX_LINES, "%u",
	      o.log.nr_damaged);
	close_log(&o, &log);
}

int main(void)
{
	TAP_RUN(log__lines_come_back_in_order_with_time_level_and_caller);
	TAP_RUN(log__what_wraps_is_whole);
	TAP_RUN(log__what_is_no_line_is_counted_and_not_told);
	TAP_RUN(log__what_is_about_to_be_written_is_not_damaged);
	TAP_RUN(log__the_last_words_are_the_panic_or_what_led_to_it);
	TAP_RUN(log__sizes_that_cannot_be_are_told);
	TAP_RUN(log__many_descriptors_that_are_not_there_are_given_up);
	return tap_done();
}
