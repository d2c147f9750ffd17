/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of the dumped kernel, from the BTF in its memory: its own (CONFIG_DEBUG_INFO_BTF), or else that
 * of the recorder, which has what headers define: where a member lies, how large a struct is, which name an enum's value has.
 *
 * Members come, go and change with every kernel version: ask for a member and do without it if it
 * is missing. Each function returns whether the thing exists, and leaves @ret alone if not. A NULL
 * kernel_btf has nothing.
 */
#ifndef EPITAPH_LINUX_KERNEL_BTF_H
#define EPITAPH_LINUX_KERNEL_BTF_H

#include "kallsyms.h"
#include "vmem.h"

#define KTYPES_MAX_BYTES	(64U << 20)	/* of BTF; Debian's kernels have 4 to 6 MiB */

struct kernel_btf;

/* The kind of a type behind typedefs, const and the like. */
enum btf_kind {
	KKIND_OTHER,		/* functions, floating point, types that are only declared */
	KKIND_INT,		/* also bool and char */
	KKIND_POINTER,
	KKIND_ARRAY,
	KKIND_STRUCT,		/* or union */
	KKIND_ENUM,
};

/**
 * struct btf_member_place - a member of a struct or union
 * @offset: bytes from the start of the outermost struct
 * @size: bytes; 0: unknown, or an array that the end of the struct leaves open
 * @kind: of the member
 * @nr: elements of an array, @size / @nr bytes each
 * @nr_bits: of a bit field, else 0
 * @bit: its first bit, in the byte at @offset, for vmem_bits()
 * @type: of the member; for kernel_btf_of()
 */
struct btf_member_place {
	u32 offset;
	u32 size;
	enum btf_kind kind;
	u32 nr;
	u32 nr_bits;
	u32 bit;
	u32 type;
};

/**
 * kernel_btf_open() - read the types between __start_BTF and __stop_BTF, or else at dump_types()
 * @ret: for kernel_btf_close(); set only on success
 *
 * Return: 0; -ERR_NOT_OURS if the kernel has no BTF, or this program cannot
 *	read it; -ERR_CORRUPT if it is damaged or not all there; -ERR_IO without
 *	memory.
 */
int kernel_btf_open(struct kernel_btf **ret, struct vmem *vmem, struct kallsyms *kallsyms,
		    struct err *err);

/**
 * kernel_btf_parse() - the same for BTF in memory
 * @data: the caller may free it afterwards
 */
int kernel_btf_parse(struct kernel_btf **ret, const void *data, size_t size, struct err *err);

/**
 * kernel_btf_parse_module() - the types of a module, which go on from the kernel's
 * @base: the kernel's
 *
 * All types of @base are found in it too.
 */
int kernel_btf_parse_module(struct kernel_btf **ret, const void *data, size_t size,
			    const struct kernel_btf *base, struct err *err);

/* @kt may be NULL. */
void kernel_btf_close(struct kernel_btf *kt);

/* Is this program built with what reads types? */
bool kernel_btf_can_be_read(void);

/* Are they the recorder's, as the kernel has none? */
bool kernel_btf_is_recorders(const struct kernel_btf *kt);

/**
 * kernel_btf_member() - find a member
 * @type: name of a struct, union, or a typedef of one
 * @path: its name, or names with dots in between. Members of unnamed structs and unions count as
 *	members of the struct around them.
 */
bool kernel_btf_member(const struct kernel_btf *kt, const char *type, const char *path,
		       struct btf_member_place *ret);

/* The offset of a member of kind @kind. */
bool kernel_btf_offset(const struct kernel_btf *kt, const char *type, const char *path,
		       enum btf_kind kind, u32 *ret);

/* The offset of a variable that each CPU has, from the start of the section of such variables. */
bool kernel_btf_percpu(const struct kernel_btf *kt, const char *name, u32 *ret);

/* Size of a struct, union, enum or typedef in bytes. */
bool kernel_btf_size(const struct kernel_btf *kt, const char *type, u32 *ret);

/*
 * Name of the type of a member, of a pointer or array that of its elements; "" if it has none. It
 * lives as long as @kt.
 */
const char *kernel_btf_of(const struct kernel_btf *kt, const struct btf_member_place *member);

/**
 * struct btf_parameter - of a function
 * @name: "": it has none; lives as long as the kernel_btf
 * @type: for kernel_btf_behind()
 */
struct btf_parameter {
	const char *name;
	u32 type;
};

/**
 * kernel_btf_parameter() - what a function gets in a register
 * @nr: of the registers that numbers and pointers are handed over in, from 0 on
 *
 * Return: false: there is no such function or parameter; or functions of that name differ; or it is
 *	no number or pointer, or stands behind one that takes more than a register.
 */
bool kernel_btf_parameter(const struct kernel_btf *kt, const char *function, u32 nr,
			  struct btf_parameter *ret);

/**
 * kernel_btf_behind() - the member that lies behind a pointer
 * @pointer: a type; a pointer to a struct
 * @offset, @size: where in the struct, in bytes
 * @path: gets its name, "a.b[2].c"
 * @type: gets its type
 *
 * Return: false: there is none, or members of a union share the place.
 */
bool kernel_btf_behind(const struct kernel_btf *kt, u32 pointer, u32 offset, u32 size, char *path,
		       size_t room, u32 *type);

/* The name of the struct that a pointer of @type points to; "": it has none. */
const char *kernel_btf_pointee(const struct kernel_btf *kt, u32 type);

/* The value of enumerator @name of enum @type; a NULL @type is any enum. */
bool kernel_btf_enum_value(const struct kernel_btf *kt, const char *type, const char *name,
			   s64 *ret);

/* The name of @value in an enum, or NULL. It lives as long as @kt. */
const char *kernel_btf_enum_name(const struct kernel_btf *kt, const char *type, s64 value);

#endif
