/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What TP_fast_assign() may call, bounded by the room that was reserved.
 *
 * A header's strings and arrays are measured first and copied later, each time
 * by evaluating the same expression.  A name that grew in between must be cut,
 * not written over the records of others: the kernel's own macros of some
 * versions do the latter.  Room not written to is zero already.
 *
 * Included by <epitaph/generate.h> after the kernel's stage 6; @__end is where
 * the record ends.
 */
#define ASSIGN_FEW	64	/* bytes; a call of memcpy() costs more */

static __always_inline void epitaph_assign_str(char *dst, unsigned int room,
					       const char *src, const char *measured)
{
	if (!room)
		return;
	/* The text that was measured is as long as that, or has become shorter where it is. */
	if (likely(src == measured && src))
		epitaph_copy(dst, src, room - 1);
	else
		strscpy(dst, src ?: "(null)", room);
}

static __always_inline void epitaph_assign_mem(void *dst, const void *end,
					       const void *src, size_t len)
{
	size_t room = dst < end ? end - dst : 0;

	if (len > room)
		len = room;
	if (likely(len <= ASSIGN_FEW))
		epitaph_copy(dst, src, len);
	else
		__builtin_memcpy(dst, src, len);
}

static __always_inline void *epitaph_memcpy(void *dst, const void *start,
					    const void *end, const void *src,
					    size_t len)
{
	if (dst >= start && dst <= end)
		epitaph_assign_mem(dst, end, src, len);
	else	/* a variable of the header's own */
		__builtin_memcpy(dst, src, len);
	return dst;
}

/* Context is in front of what is of any length. */
#undef __dynamic_array
#define __dynamic_array(type, item, len)				\
	__entry->__data_loc_##item = __data_offsets.item + __data_shift;
#ifdef __rel_dynamic_array
# undef __rel_dynamic_array
# define __rel_dynamic_array(type, item, len)				\
	__entry->__rel_loc_##item = __data_offsets.item + __data_shift;
#endif

/* Where the kernel's own have the record for it, which may be in memory. */
#undef __get_dynamic_array
#define __get_dynamic_array(field) ((void *)__entry + (__data_offsets.field & 0xffff) + __data_shift)
#undef __get_dynamic_array_len
#define __get_dynamic_array_len(field) (__data_offsets.field >> 16 & 0xffff)

/* A record that is in registers must not have a pointer to it: then it would be in memory. */
#define blk_fill_rwbs(dst, opf...)					\
	({								\
		char __rwbs[8] __aligned(8) = "";			\
		bool __is_whole = __in_registers && sizeof(dst) == sizeof(__rwbs); \
									\
		(blk_fill_rwbs)(__is_whole ? __rwbs : dst, opf);	\
		if (__is_whole)						\
			__builtin_memcpy(dst, __rwbs, sizeof(__rwbs));	\
	})

#undef memcpy
#define memcpy(dst, src, len)						\
	(__builtin_constant_p(len) ? __builtin_memcpy(dst, src, len) :	\
	 epitaph_memcpy(dst, entry, __end, src, len))

#undef strcpy
#define strcpy(dst, src)						\
	({								\
		char *__dst = (dst);					\
									\
		epitaph_assign_str(__dst, __end - (void *)__dst, src, NULL); \
		__dst;							\
	})

/*
 * From 6.10 the source is given once, where the string is measured, and is in
 * __data_offsets; before, it is the second argument.
 */
#undef __assign_str
#define __assign_str(dst, src...)					\
	epitaph_assign_str(__get_str(dst), __get_dynamic_array_len(dst), \
			   (const char *)EPITAPH_SECOND(dst, ##src,	\
				__data_offsets.dst##_ptr_, ~),		\
			   __data_offsets.dst##_ptr_);

#undef __assign_rel_str
#define __assign_rel_str(dst, src...)					\
	epitaph_assign_str(__get_rel_str(dst),				\
			   __get_rel_dynamic_array_len(dst),		\
			   (const char *)EPITAPH_SECOND(dst, ##src,	\
				__data_offsets.dst##_ptr_, ~),		\
			   __data_offsets.dst##_ptr_);

/* The last byte stays zero. */
#undef __assign_str_len
#define __assign_str_len(dst, src, len)					\
	epitaph_assign_mem(__get_str(dst), __get_str(dst) +		\
			   __get_dynamic_array_len(dst) - 1, src, len)

#undef __assign_rel_str_len
#define __assign_rel_str_len(dst, src, len)				\
	epitaph_assign_mem(__get_rel_str(dst), __get_rel_str(dst) +	\
			   __get_rel_dynamic_array_len(dst) - 1, src, len)

#undef __assign_vstr
#define __assign_vstr(dst, fmt, va)					\
	do {								\
		va_list __copy;						\
									\
		va_copy(__copy, *(va));					\
		vsnprintf(__get_str(dst), __get_dynamic_array_len(dst),	\
			  fmt, __copy);					\
		va_end(__copy);						\
	} while (0)
