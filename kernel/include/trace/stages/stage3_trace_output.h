/* SPDX-License-Identifier: GPL-2.0-only */
/* Stage 3 for kernels before 6.0: what stage 6 uses of it. */
#undef __get_dynamic_array
#define __get_dynamic_array(field)					\
	((void *)__entry + (__entry->__data_loc_##field & 0xffff))
#undef __get_dynamic_array_len
#define __get_dynamic_array_len(field)					\
	((__entry->__data_loc_##field >> 16) & 0xffff)
#undef __get_str
#define __get_str(field) ((char *)__get_dynamic_array(field))
