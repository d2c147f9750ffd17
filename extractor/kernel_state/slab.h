/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The object of the slab allocator (SLUB, x86-64) that an address lies in, and whether the allocator
 * has it back; docs/kernel-memory.md.
 */
#ifndef EPITAPH_KERNEL_STATE_SLAB_H
#define EPITAPH_KERNEL_STATE_SLAB_H

#include "linux_kernel/linux_kernel.h"

#define KERNEL_CACHE_NAME	64

enum kernel_object_state {
	KOBJECT_UNKNOWN,	/* a list of free objects is damaged, not in the dump, or not understood */
	KOBJECT_IN_USE,		/* it is on no list of free objects */
	KOBJECT_FREE,
};

/**
 * struct kernel_object - of a slab
 * @start: its address
 * @size: bytes, without what the allocator adds
 * @cache: name of its cache; not escaped
 */
struct kernel_object {
	u64 start;
	u32 size;
	enum kernel_object_state state;
	char cache[KERNEL_CACHE_NAME];
};

/**
 * kernel_object_at() - the object that has the byte at @va
 *
 * Return: false: no slab is there, or this kernel's slabs are not understood.
 */
bool kernel_object_at(const struct kernel *kernel, u64 va, struct kernel_object *ret);

/**
 * kernel_object_has_link() - is a value one that only the allocator writes, into an object that is free?
 * @va: of any byte of the object, free or in use now
 * @value: that was read there
 * @ret: the object
 *
 * In a free object lies the address of the next free one, encoded (CONFIG_SLAB_FREELIST_HARDENED) with a secret and
 * with its own place: by chance it would be one of 2^50 numbers. It stays until the next owner writes there.
 *
 * Return: false: no, or the kernel does not encode them.
 */
bool kernel_object_has_link(const struct kernel *kernel, u64 va, u64 value, struct kernel_object *ret);

/* The same of any object: such a value says where it lay. */
bool kernel_object_of_link(const struct kernel *kernel, u64 value, struct kernel_object *ret);

/* Bytes of each object of the cache that has this name; 0: not known. */
u32 kernel_cache_object_size(const struct kernel *kernel, const char *name);

#endif
