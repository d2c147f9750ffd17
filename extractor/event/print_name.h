/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a print format says of an address in the dumped kernel: a symbol or a string.  Formats
 * call functions of these names; the layer that reads the kernel's memory answers them.
 */
#ifndef EPITAPH_EVENT_PRINT_NAME_H
#define EPITAPH_EVENT_PRINT_NAME_H

#include "format_lexer.h"

#define PRINT_NAME_WHERE	"__epitaph_where"	/* name+0x1/0x20 */
#define PRINT_NAME_FUNCTION	"__epitaph_function"	/* name */
#define PRINT_NAME_STRING	"__epitaph_string"

#define PRINT_NAME_MAX		624	/* bytes of such a text */

/* Text of the address that one of these functions is called with, terminated; its length. */
typedef size_t print_name_fn(u64 addr, char *buf, size_t size);

/* The function of that name; NULL: there is none. */
print_name_fn *print_name_function(const struct token *name);

size_t print_name_where(u64 addr, char *buf, size_t size);
size_t print_name_function_at(u64 addr, char *buf, size_t size);
size_t print_name_string(u64 addr, char *buf, size_t size);

/**
 * struct print_name_memory - the memory that the addresses are of
 * @symbol: "name+0x1/0x20 [module]"; false: it is not known
 * @string: terminated; false: it cannot be read
 */
struct print_name_memory {
	bool (*symbol)(u64 addr, char *buf, size_t size);
	bool (*string)(u64 addr, char *buf, size_t size);
};

/* From now on these are asked; without them an address is printed in hex. */
void print_name_use(const struct print_name_memory *memory);

#endif
