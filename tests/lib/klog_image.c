// SPDX-License-Identifier: GPL-2.0-or-later
#include "klog_image.h"

#include <string.h>

void log_put64(struct log *log, uint64_t va, uint64_t value)
{
	memcpy(kmem_at(&log->k, va), &value, 8);
}

struct log log_make(uint32_t nr_bits, uint32_t size_bits)
{
	static const char zero[8192];
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
		.nr_bits = nr_bits, .size_bits = size_bits, .facility = 1,
		.id = FIRST_ID, .lpos = 0xffffffffffffff00ULL,
	};

	log.descs = kmem_put(&log.k, zero, DESC_SIZE << nr_bits);
	log.infos = kmem_put(&log.k, zero, INFO_SIZE << nr_bits);
	log.text = kmem_put(&log.k, zero, 1ULL << size_bits);
	log.ring = kmem_put(&log.k, zero, 88);
	log_put64(&log, log.ring, nr_bits);
	log_put64(&log, log.ring + 8, log.descs);
	log_put64(&log, log.ring + 16, log.infos);
	log_put64(&log, log.ring + 48, size_bits);
	log_put64(&log, log.ring + 56, log.text);
	kmem_info(&log.k, "SYMBOL(prb)=%llx", (unsigned long long)kmem_put(&log.k, &log.ring, 8));
	for (size_t i = 0; i < sizeof(info) / sizeof(*info); i++)
		kmem_info(&log.k, "%s", info[i]);
	return log;
}

void log_set_ids(struct log *log, uint64_t nr)
{
	log_put64(log, log->ring + 24, log->id - 1);
	log_put64(log, log->ring + 32, log->id - nr);
}

void log_say(struct log *log, enum log_state state, const char *text)
{
	uint64_t i = log->id & ((1 << log->nr_bits) - 1), size = (8 + strlen(text) + 7) & ~7ULL;
	uint64_t begin = log->lpos, at = begin & ((1 << log->size_bits) - 1);
	uint8_t info[INFO_SIZE] = { 0 };

	if (at + size > 1ULL << log->size_bits) {
		log->lpos = (begin | ((1 << log->size_bits) - 1)) + 1;
		at = 0;
	}
	log->lpos += size;
	log_put64(log, log->descs + i * DESC_SIZE, log->id | (uint64_t)state << 62);
	log_put64(log, log->descs + i * DESC_SIZE + 8, begin);
	log_put64(log, log->descs + i * DESC_SIZE + 16, log->lpos);
	log_put64(log, log->text + at, log->id);
	memcpy(kmem_at(&log->k, log->text + at + 8), text, strlen(text));
	memcpy(info, &log->seq, 8);
	memcpy(info + 8, &(uint64_t){ 1000 * log->seq }, 8);
	memcpy(info + 16, &(uint16_t){ strlen(text) }, 2);
	info[18] = log->facility;
	info[19] = 3 << 5 | 2;
	memcpy(info + 20, &(uint32_t){ 0x80000001 }, 4);
	memcpy(kmem_at(&log->k, log->infos + i * INFO_SIZE), info, sizeof(info));
	log->id++;
	log->seq++;
}

