// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process_memory.h"
#include "os/progress.h"

/*
 * The page tables of a hostile dump may lead back into themselves, and so map more than could ever
 * be walked. A table of a process is at one place of it, and is a page that the dump has: a page
 * costs a file 24 bytes at least, where its like is there already. Large pages need no table more.
 *
 * What is mapped is memory of the host. That it has a page, costs a file a bit. The same page may be
 * there several times: the page of zeroes, pages merged by the host.
 */
#define TABLE_COST	24
#define FREE_WALKS	(1U << 17)
#define MOST_ALIASES	8
#define FREE_PAGES	(1ULL << 20)

/* What belongs to a dump of a guest. */
struct guest_memory {
	struct dump *host;
	struct process_memory *process;
};

static bool find_guest_page(void *priv, u64 host, u64 *paddr, u64 *len)
{
	struct guest_memory *memory = priv;

	return process_memory_find(memory->process, host, paddr, len) == PROCESS_PAGE_THERE;
}

static void close_guest_memory(void *priv)
{
	struct guest_memory *memory = priv;

	process_memory_close(memory->process);
	dump_close(memory->host);
	free(memory);
}

/* --- how much is there ----------------------------------------------------- */

struct amount_walk {
	struct guest_memory *memory;
	struct nested_amounts *amounts;
	u64 most_walks;
	u64 pages_left;
};

static void count_page(struct nested_amounts *amounts, struct dump *host, u64 paddr)
{
	u8 byte;

	if (dump_is_zero_by_size(host, paddr))
		amounts->zero_by_size += DUMP_PAGE;
	else if (dump_read(host, paddr, &byte, 1, NULL) == 1)
		amounts->there += DUMP_PAGE;
	else
		amounts->left_out += DUMP_PAGE;
}

/* @paddr and @len are of whole pages. A hole of a sparse file can be read, and so is there. */
static void count_there(struct nested_amounts *amounts, struct dump *host, u64 paddr, u64 len)
{
	u64 at = paddr, end = paddr + len, next, run;

	while (at < end) {
		if (!dump_next_data(host, at, &next, &run) || next > end)
			next = end;
		for (; at < next; at += DUMP_PAGE)
			count_page(amounts, host, at);
		if (at == end)
			break;
		run = run < end - at ? run : end - at;
		run = (run + DUMP_PAGE - 1) / DUMP_PAGE * DUMP_PAGE;
		amounts->there += run;
		at += run;
	}
}

static bool count_stretch(struct amount_walk *w, u64 host, u64 size, u64 *len)
{
	struct nested_amounts *amounts = w->amounts;
	u64 paddr;
	enum process_page page = process_memory_find(w->memory->process, host, &paddr, len);

	*len = *len < size ? *len : size;
	switch (page) {
	case PROCESS_PAGE_THERE:
		if (w->pages_left < *len / DUMP_PAGE)
			return false;
		w->pages_left -= *len / DUMP_PAGE;
		count_there(amounts, w->memory->host, paddr, *len);
		break;
	case PROCESS_PAGE_NONE:
		amounts->unmapped += *len;
		break;
	case PROCESS_PAGE_SWAPPED:
		amounts->swapped += *len;
		break;
	case PROCESS_PAGE_NO_TABLE:
		amounts->no_table += *len;
		break;
	}
	return process_memory_walks(w->memory->process) <= w->most_walks;
}

/* Of its memory, @most at most. */
static u64 host_pages(const struct dump *host, u64 most)
{
	u64 nr = 0;

	for (size_t i = 0; i < dump_nr_segments(host) && nr < most; i++)
		nr += dump_segment(host, i).size / DUMP_PAGE;
	return nr < most ? nr : most;
}

/* One walk through all of it, within the limits; later walks are not longer. */
static int count_amounts(struct guest_memory *memory, const struct kvm_guest *guest,
			 struct nested_amounts *amounts, struct err *err)
{
	u64 stored = dump_stored_size(memory->host);
	struct amount_walk w = {
		.memory = memory, .amounts = amounts,
		.most_walks = stored / TABLE_COST + FREE_WALKS,
		.pages_left = host_pages(memory->host, 8 * stored) * MOST_ALIASES + FREE_PAGES,
	};

	amounts->all = guest->size;
	for (u32 i = 0; i < guest->nr_slots; i++) {
		const struct nested_slot *slot = &guest->slots[i];
		u64 len;

		for (u64 done = 0; done < slot->size; done += len) {
			progress("looking for the guest's memory", slot->paddr + done, guest->size);
			if (!count_stretch(&w, slot->host + done, slot->size - done, &len))
				return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
					       "the page tables of process %lld map more than a dump of %llu bytes can hold",
					       guest->pid, stored);
		}
	}
	progress_end();
	return 0;
}

/* --- opening --------------------------------------------------------------- */

static int make_nested(struct nested_memory *nested, const struct kernel *kernel, const struct kvm_guest *guest,
		       struct err *err)
{
	struct guest_memory *memory = nested->priv;
	int ret = process_memory_open(&memory->process, kernel, guest->mm, err);

	if (!ret)
		ret = count_amounts(memory, guest, &nested->amounts, err);
	if (ret)
		return ret;
	nested->notes = &guest->notes;
	nested->nr_slots = guest->nr_slots;
	nested->slots = calloc(guest->nr_slots + 1, sizeof(*nested->slots));
	if (!nested->slots)
		return err_sys(err, "memory for the slots of a guest");
	if (guest->nr_slots)
		memcpy(nested->slots, guest->slots, guest->nr_slots * sizeof(*nested->slots));
	snprintf(nested->kind, sizeof(nested->kind), "memory of a guest of process %lld in a %.40s", guest->pid,
		 dump_kind(memory->host));
	return 0;
}

int guest_dump_make(struct dump **ret, struct dump *host, const struct kernel *kernel,
		    const struct kvm_guest *guest, struct err *err)
{
	struct guest_memory *memory = calloc(1, sizeof(*memory));
	struct nested_memory nested = {
		.host = host, .find = find_guest_page, .close = close_guest_memory, .priv = memory,
	};
	int res;

	if (!memory)
		return err_sys(err, "memory for a guest");
	memory->host = host;
	res = make_nested(&nested, kernel, guest, err);
	if (!res)
		res = dump_open_nested(ret, &nested, err);
	if (res) {
		process_memory_close(memory->process);
		free(nested.slots);
		free(memory);
	}
	return res;
}

int guest_dump_open(struct dump **ret, struct dump *host, const char *which, struct err *err)
{
	const struct kvm_guest *guest = NULL;
	struct kvm_guests *guests = NULL;
	struct kernel *kernel = NULL;
	int res = kernel_open(&kernel, host, err);

	if (!res)
		res = kvm_guests_open(&guests, kernel, false, err);
	if (!res)
		res = kvm_guests_find(guests, which, &guest, err);
	if (!res)
		res = guest_dump_make(ret, host, kernel, guest, err);
	kvm_guests_close(guests);
	kernel_close(kernel);
	if (res)
		dump_close(host);
	return res;
}
