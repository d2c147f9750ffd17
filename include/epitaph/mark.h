/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A mark with fields, for /dev/epitaph-mark: a call of ioctl().  A mark that is a text is one write().
 * docs/control.md has every error.
 */
#ifndef _EPITAPH_MARK_H
#define _EPITAPH_MARK_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define EPITAPH_MARK_FIELDS	16	/* at most */
#define EPITAPH_MARK_TEXT	4096	/* bytes of all texts */

enum epitaph_mark_field_type {
	EPITAPH_MARK_U64 = 1,
	EPITAPH_MARK_S64 = 2,
	EPITAPH_MARK_X64 = 3,		/* a u64 that is printed in hexadecimal */
	EPITAPH_MARK_STRING = 4,
};

/**
 * struct epitaph_mark_field - of a mark
 * @name: terminated: a letter or _, then letters, digits or _
 * @type: enum epitaph_mark_field_type
 * @reserved: 0
 * @value: the number; of a text its bytes, which are not terminated and have no NUL
 */
struct epitaph_mark_field {
	char	name[32];
	__u32	type;
	__u32	reserved;
	__u64	value;
};

/**
 * struct epitaph_mark_event - a mark with fields
 * @name: as a field's
 * @nr_fields: of @fields
 * @text_size: of @text: the texts of all fields, one behind the other
 * @fields, @text: addresses
 */
struct epitaph_mark_event {
	char	name[32];
	__u32	nr_fields;
	__u32	text_size;
	__u64	fields;
	__u64	text;
};

#define EPITAPH_MARK_EVENT	_IOW('E', 0x70, struct epitaph_mark_event)

#endif /* _EPITAPH_MARK_H */
