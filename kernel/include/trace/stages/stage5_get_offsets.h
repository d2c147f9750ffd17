/* SPDX-License-Identifier: GPL-2.0-only */
/* Stage 5 for kernels before 6.0: how long this record's strings and arrays are. */
#undef __entry
#define __entry entry
#undef __field
#define __field(type, item)
#undef __field_ext
#define __field_ext(type, item, filter_type)
#undef __field_struct
#define __field_struct(type, item)
#undef __field_struct_ext
#define __field_struct_ext(type, item, filter_type)
#undef __array
#define __array(type, item, len)
#undef __dynamic_array
#define __dynamic_array(type, item, len)				\
	__item_length = (len) * sizeof(type);				\
	__data_offsets->item = __data_size +				\
			       offsetof(typeof(*entry), __data);	\
	__data_offsets->item |= __item_length << 16;			\
	__data_size += __item_length;
#undef __string
#define __string(item, src)						\
	__dynamic_array(char, item,					\
			strlen((src) ? (const char *)(src) : "(null)") + 1)

#define __bitmask_size_in_longs(nr_bits)				\
	(((nr_bits) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define __bitmask_size_in_bytes(nr_bits)				\
	(__bitmask_size_in_longs(nr_bits) * (BITS_PER_LONG / 8))
#undef __bitmask
#define __bitmask(item, nr_bits)					\
	__dynamic_array(unsigned long, item, __bitmask_size_in_longs(nr_bits))
