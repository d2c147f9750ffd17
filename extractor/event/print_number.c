// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers and arrays that the expressions of a print program have in an event. */
#include <byteswap.h>

#include "print_program_impl.h"

struct bytes print_array(const struct node *node, struct bytes *payload)
{
	u32 loc, len;
	u64 at;

	if (node->kind != NODE_DYNAMIC)
		return bytes_of(payload->data + node->off,
				node->size ? node->size : payload->size - node->off,
				payload->order);
	loc = bytes_u32(payload, node->off);
	len = loc >> 16;
	at = node->value + (loc & 0xffff);
	/* It has nothing where the word does not lead into the payload. */
	if (at < FORMATS_COMMON || !bytes_has(payload, at - FORMATS_COMMON, len))
		return bytes_of(payload->data, 0, payload->order);
	return bytes_of(payload->data + at - FORMATS_COMMON, len, payload->order);
}

static u64 read_element(const struct node *node, struct bytes *payload)
{
	struct bytes array = print_array(node->a, payload);
	u64 i = print_number(node->b, payload), size = node->type.size;

	if (i >= array.size / size)
		return 0;
	return print_type_fit(node->type, bytes_number(&array, i * size, size, false));
}

static u64 divide(const struct node *node, u64 a, u64 b)
{
	bool is_rest = node->op == OP_MOD;

	if (!b)
		return 0;
	if (!node->from.is_signed)
		return is_rest ? a % b : a / b;
	if ((s64)b == -1)
		return is_rest ? 0 : -a;
	return is_rest ? (s64)a % (s64)b : (s64)a / (s64)b;
}

/* Of numbers of one type, in 64 bits. */
static u64 operate(const struct node *node, u64 a, u64 b)
{
	bool is_less = node->from.is_signed ? (s64)a < (s64)b : a < b;

	switch (node->op) {
	case OP_MUL:
		return a * b;
	case OP_DIV:
	case OP_MOD:
		return divide(node, a, b);
	case OP_ADD:
		return a + b;
	case OP_SUB:
		return a - b;
	case OP_EQ:
		return a == b;
	case OP_NE:
		return a != b;
	case OP_AND:
		return a & b;
	case OP_XOR:
		return a ^ b;
	case OP_OR:
		return a | b;
	case OP_LT:
		return is_less;
	case OP_GE:
		return !is_less;
	case OP_GT:
		return !is_less && a != b;
	default:
		return is_less || a == b;
	}
}

static u64 operation(const struct node *node, struct bytes *payload)
{
	u64 a = print_number(node->a, payload), b;

	if (node->op == OP_BOTH)
		return a && print_number(node->b, payload);
	if (node->op == OP_EITHER)
		return a || print_number(node->b, payload);
	a = print_type_fit(node->from, a);
	b = print_number(node->b, payload);
	if (node->op != OP_SHL && node->op != OP_SHR)
		return print_type_fit(node->type, operate(node, a, print_type_fit(node->from, b)));
	b &= node->from.size * 8 - 1;
	if (node->op == OP_SHL)
		a <<= b;
	else
		a = node->from.is_signed ? (u64)((s64)a >> b) : a >> b;
	return print_type_fit(node->type, a);
}

u64 print_number(const struct node *node, struct bytes *payload)
{
	u64 a;

	switch (node->kind) {
	case NODE_FIELD:
		return print_type_fit(node->from,
				      bytes_number(payload, node->off, node->from.size, false));
	case NODE_ELEMENT:
		return read_element(node, payload);
	case NODE_LENGTH:
		return bytes_u32(payload, node->off) >> 16;
	case NODE_CAST:
		return print_type_fit(node->type, print_number(node->a, payload));
	case NODE_OP:
		return operation(node, payload);
	case NODE_SWAPPED:
		return bswap_64(print_number(node->a, payload)) >> (64 - 8 * node->type.size);
	case NODE_CHOICE:
		/* Of "a ?: c", @a is asked once: choices may stand in each other. */
		a = print_number(node->a, payload);
		if (!a)
			a = print_number(node->c, payload);
		else if (node->b)
			a = print_number(node->b, payload);
		return print_type_fit(node->type, a);
	default:
		return node->value;
	}
}
