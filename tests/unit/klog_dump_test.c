// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * printk's ring out of a dump.
 *
 * build: extractor/err.c extractor/bytes.c extractor/codec.c extractor/input*.c extractor/mix.c
 * build: extractor/vm*.c extractor/paging.c extractor/klog_dump.c extractor/notes.c
 * build: extractor/ktypes.c extractor/enum_index.c extractor/kallsyms.c extractor/name_index.c -lbpf
 * build: tests/unit/kmem_image.c -lzstd -llzo2 -lz -lsnappy
 */
#include <string.h>

#include "klog_dump.h"
#include "kmem_image.h"
#include "tap.h"

#define NR_BITS		3	/* 8 descriptors */
#define SIZE_BITS	8	/* 256 bytes of text */
#define DESC_SIZE	24
#define INFO_SIZE	88
#define FIRST_ID	0x3fffffffffffff00ULL

enum { RESERVED, COMMITTED, FINALIZED, REUSABLE };

/* A ring as the kernel has it, and where the next line goes. */
struct log {
	struct kmem k;
	u64 descs, infos, text, ring;
	u64 id, seq, lpos;
};

static void put64(struct log *log, u64 va, u64 value)
{
	memcpy(kmem_at(&log->k, va), &value, 8);
}

static struct log log_make(void)
{
	static const char zero[4096];
	static const char * const info[] = {
		"SIZE(prb_desc)=24", "SIZE(printk_info)=88",
		"OFFSET(printk_ringbuffer.desc_ring)=0", "OFFSET(printk_ringbuffer.text_data_ring)=48",
		"OFFSET(prb_desc_ring.count_bits)=0", "OFFSET(prb_desc_ring.descs)=8",
		"OFFSET(prb_desc_ring.infos)=16", "OFFSET(prb_desc_ring.head_id)=24",
		"OFFSET(prb_desc_ring.tail_id)=32", "OFFSET(prb_desc.state_var)=0",
		"OFFSET(prb_desc.text_blk_lpos)=8", "OFFSET(prb_data_blk_lpos.begin)=0",
		"OFFSET(prb_data_blk_lpos.next)=8", "OFFSET(printk_info.seq)=0",
		"OFFSET(printk_info.ts_nsec)=8", "OFFSET(printk_info.text_len)=16",
		"OFFSET(printk_info.caller_id)=20", "OFFSET(prb_data_ring.size_bits)=0",
		"OFFSET(prb_data_ring.data)=8",
	};
	struct log log = {
		.k = kmem_make(&(struct kmem_paging){ KMEM_X86_64, 12, 48, 4 }),
		.id = FIRST_ID, .lpos = 0xffffffffffffff00ULL,
	};

	log.descs = kmem_put(&log.k, zero, DESC_SIZE << NR_BITS);
	log.infos = kmem_put(&log.k, zero, INFO_SIZE << NR_BITS);
	log.text = kmem_put(&log.k, zero, 1 << SIZE_BITS);
	log.ring = kmem_put(&log.k, zero, 88);
	put64(&log, log.ring, NR_BITS);
	put64(&log, log.ring + 8, log.descs);
	put64(&log, log.ring + 16, log.infos);
	put64(&log, log.ring + 48, SIZE_BITS);
	put64(&log, log.ring + 56, log.text);
	kmem_info(&log.k, "SYMBOL(prb)=%llx", (u64)kmem_put(&log.k, &log.ring, 8));
	for (size_t i = 0; i < ARRAY_SIZE(info); i++)
		kmem_info(&log.k, "%s", info[i]);
	return log;
}

static void set_ids(struct log *log, u64 nr)
{
	put64(log, log->ring + 24, log->id - 1);
	put64(log, log->ring + 32, log->id - nr);
}

static void say(struct log *log, u64 state, const char *text)
{
	u64 i = log->id & ((1 << NR_BITS) - 1), size = (8 + strlen(text) + 7) & ~7ULL;
	u64 begin = log->lpos, at = begin & ((1 << SIZE_BITS) - 1);
	u8 info[INFO_SIZE] = { 0 };

	if (at + size > 1 << SIZE_BITS) {
		log->lpos = (begin | ((1 << SIZE_BITS) - 1)) + 1;
		at = 0;
	}
	log->lpos += size;
	put64(log, log->descs + i * DESC_SIZE, log->id | state << 62);
	put64(log, log->descs + i * DESC_SIZE + 8, begin);
	put64(log, log->descs + i * DESC_SIZE + 16, log->lpos);
	put64(log, log->text + at, log->id);
	memcpy(kmem_at(&log->k, log->text + at + 8), text, strlen(text));
	memcpy(info, &log->seq, 8);
	memcpy(info + 8, &(u64){ 1000 * log->seq }, 8);
	memcpy(info + 16, &(uint16_t){ strlen(text) }, 2);
	info[18] = 1;
	info[19] = 3 << 5 | 2;
	memcpy(info + 20, &(u32){ 0x80000001 }, 4);
	memcpy(kmem_at(&log->k, log->infos + i * INFO_SIZE), info, sizeof(info));
	log->id++;
	log->seq++;
}

struct opened {
	struct input *in;
	struct vmem *vmem;
	struct klog_dump log;
	struct notes notes;
};

static struct opened open_log(struct log *log)
{
	struct opened o = { 0 };
	struct err err = ERR_INIT;

	if (!CHECK(!input_open_fd(&o.in, kmem_fd(&log->k), &err) &&
		   !vmem_open(&o.vmem, o.in, &err) &&
		   !klog_dump_read(&o.log, o.vmem, NULL, &o.notes, &err), "%s", err.msg))
		exit(99);
	return o;
}

static void close_log(struct opened *o, struct log *log)
{
	klog_dump_free(&o->log);
	notes_free(&o->notes);
	vmem_close(o->vmem);
	input_close(o->in);
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
	struct log log = log_make();
	struct opened o;

	say(&log, FINALIZED, "the first");
	say(&log, FINALIZED, "");
	say(&log, COMMITTED, "two\nlines");
	set_ids(&log, 3);
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
	struct log log = log_make();
	char text[64];
	struct opened o;

	log.id = ~0ULL >> 2;
	log.seq = log.id & 7;
	for (int i = 0; i < 25; i++) {
		log.id &= ~0ULL >> 2;
		sprintf(text, "line %d of some length", i);
		say(&log, FINALIZED, text);
	}
	set_ids(&log, 8);
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
	struct log log = log_make();
	struct opened o;

	say(&log, REUSABLE, "gone");
	say(&log, FINALIZED, "good");
	say(&log, RESERVED, "half");
	say(&log, FINALIZED, "overwritten");
	say(&log, FINALIZED, "nowhere");
	say(&log, FINALIZED, "another's");
	set_ids(&log, 6);
	put64(&log, log.text + ((log.lpos - 24 - 16 - 24) & 255), 1);	/* of "overwritten" */
	put64(&log, log.descs + ((log.id - 2) & 7) * DESC_SIZE + 16, 0x123456);
	put64(&log, log.descs + ((log.id - 1) & 7) * DESC_SIZE, 0x77 | 2ULL << 62);
	o = open_log(&log);
	CHECK(o.log.nr == 1 && o.log.nr_uncommitted == 1 && o.log.nr_textless == 1 &&
	      o.log.nr_damaged == 2, "%u %u %u %u", o.log.nr, o.log.nr_uncommitted,
	      o.log.nr_textless, o.log.nr_damaged);
	check_line(&o, 0, 1, "good");
	CHECK(o.notes.nr == 2, "%llu", o.notes.nr);
	close_log(&o, &log);
}

/* What the kernel died of, with the words before and behind it that are not it. */
static void check_panic(const char * const *lines, const char *want)
{
	struct log log = log_make();
	char buf[100] = "";
	struct opened o;
	u64 n = 0;

	for (; lines[n]; n++)
		say(&log, FINALIZED, lines[n]);
	set_ids(&log, n);
	o = open_log(&log);
	CHECK(klog_dump_panic(&o.log, buf, sizeof(buf)) == (*want != 0) && !strcmp(buf, want), "%s", buf);
	close_log(&o, &log);
}

static void log__the_last_words_are_the_panic_or_what_led_to_it(void)
{
	check_panic((const char *[]){ "hello", "Kernel panic - not syncing: why", "CPU: 1", NULL }, "why");
	check_panic((const char *[]){ "BUG: x", "Oops: 1", "Kernel panic - not syncing: Fatal exception",
				      NULL }, "BUG: x");
	check_panic((const char *[]){ "a kernel BUG at y!", "more", NULL }, "kernel BUG at y!");
	check_panic((const char *[]){ "hello", NULL }, "");
}

static void log__sizes_that_cannot_be_are_told(void)
{
	struct log log = log_make();
	struct opened o;

	say(&log, FINALIZED, "x");
	put64(&log, log.ring, 63);
	o = open_log(&log);
	CHECK(!o.log.there && !o.log.nr && o.notes.nr == 1, "%u", o.log.nr);
	close_log(&o, &log);
}

/* Four million descriptors, of which a page or two are there. */
static void log__many_descriptors_that_are_not_there_are_given_up(void)
{
	struct log log = log_make();
	struct opened o;

	put64(&log, log.ring, 22);
	put64(&log, log.ring + 8, log.descs + (2 << 20));
	put64(&log, log.ring + 24, FIRST_ID + (1 << 22));
	put64(&log, log.ring + 32, FIRST_ID + 1);
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
	TAP_RUN(log__the_last_words_are_the_panic_or_what_led_to_it);
	TAP_RUN(log__sizes_that_cannot_be_are_told);
	TAP_RUN(log__many_descriptors_that_are_not_there_are_given_up);
	return tap_done();
}
