// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab_owner.h"

#include <string.h>

#include "kernel_state/slab.h"
#include "linux_kernel/vmem.h"

#define PAGE		4096ULL
#define MOST_PLACES	2048	/* that are looked at */
#define MOST_OBJECTS	256
#define FEWEST_OBJECTS	32
#define MOST_POINTERS	64	/* different ones */
#define MOST_OF_OBJECT	4096	/* bytes of one */

struct pointers {
	u64 list[MOST_POINTERS];
	u32 times[MOST_POINTERS];
	u32 last[MOST_POINTERS];	/* the object that had it last */
	u32 nr;
};

static void take_pointer(struct pointers *pointers, u64 pointer, u32 object)
{
	u32 i = 0;

	while (i < pointers->nr && pointers->list[i] != pointer)
		i++;
	if (i == MOST_POINTERS)
		return;
	if (i == pointers->nr) {
		pointers->list[pointers->nr++] = pointer;
	} else if (pointers->last[i] == object) {
		return;
	}
	pointers->last[i] = object;
	pointers->times[i]++;
}

/* False: the dump lacks it. */
static bool take_object(struct pointers *pointers, const struct kernel *kernel, const struct kernel_object *object, u32 number)
{
	u64 words[MOST_OF_OBJECT / 8];
	u32 size = object->size < sizeof(words) ? object->size & ~7U : sizeof(words);

	if (!vmem_get(kernel->vmem, object->start, words, size))
		return false;
	for (u32 i = 0; i < size / 8; i++)
		if (words[i] >= ~0ULL << 31 && kernel_modules_at(kernel->modules, words[i]))
			take_pointer(pointers, words[i], number);
	return true;
}

bool slab_owner_find(struct slab_owner *ret, const struct kernel *kernel, const char *cache, u64 pages)
{
	struct pointers pointers = { .nr = 0 };
	struct kernel_object object;
	u64 symbol, direct, step = pages > MOST_PLACES ? pages / MOST_PLACES : 1;
	u32 most = 0;

	*ret = (struct slab_owner){ 0 };
	if (!kernel->modules || !kernel->kallsyms || !kallsyms_address(kernel->kallsyms, "page_offset_base", &symbol) ||
	    !vmem_number(kernel->vmem, symbol, 8, &direct))
		return false;
	for (u64 i = 0; i < MOST_PLACES && ret->nr_objects < MOST_OBJECTS; i++)
		if (kernel_object_at(kernel, direct + i * step * PAGE, &object) && object.state == KOBJECT_IN_USE && !strcmp(object.cache, cache) &&
		    take_object(&pointers, kernel, &object, ret->nr_objects + 1))
			ret->nr_objects++;
	for (u32 i = 1; i < pointers.nr; i++)
		if (pointers.times[i] > pointers.times[most])
			most = i;
	if (!pointers.nr)
		return false;
	ret->pointer = pointers.list[most];
	ret->nr_pointing = pointers.times[most];
	return ret->nr_objects >= FEWEST_OBJECTS && ret->nr_pointing > ret->nr_objects / 2;
}
