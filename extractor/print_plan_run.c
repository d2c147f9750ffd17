// SPDX-License-Identifier: GPL-2.0-or-later
#include "digits.h"
#include "formats.h"
#include "print_plan_impl.h"

static u64 read_field(const struct node *node, struct bytes *payload)
{
	switch (node->size) {
	case 1:
		return bytes_u8(payload, node->off);
	case 2:
		return bytes_u16(payload, node->off);
	case 4:
		return bytes_u32(payload, node->off);
	default:
		return bytes_u64(payload, node->off);
	}
}

/* As the library: compared as signed numbers, whatever they are. */
static u64 operate(const char *op, s64 a, s64 b)
{
	bool twice = op[0] == op[1], equal = op[1] == '=';
	u64 n = (u64)b & 63;

	switch (op[0]) {
	case '|':
		return twice ? a || b : a | b;
	case '&':
		return twice ? a && b : a & b;
	case '<':
		return twice ? (u64)a << n : equal ? a <= b : a < b;
	case '>':
		return twice ? (u64)(a >> n) : equal ? a >= b : a > b;
	case '=':
		return a == b;
	case '!':
		return a != b;
	case '-':
		return (u64)a - b;
	case '+':
		return (u64)a + b;
	default:
		return (u64)a * b;
	}
}

static u64 value_of(const struct node *node, struct bytes *payload)
{
	switch (node->kind) {
	case NODE_FIELD:
		return read_field(node, payload);
	case NODE_OP:
		return operate(node->op, value_of(node->a, payload), value_of(node->b, payload));
	default:
		return node->value;
	}
}

static void put_padded(struct pack *p, const struct step *step, const char *text, size_t len)
{
	size_t pad = len < step->width ? step->width - len : 0;
	u8 *to = pack_room(p, len + pad);

	if (!to)
		return;
	if (!step->is_left)
		to = (u8 *)memset(to, ' ', pad) + pad;
	memcpy(to, text, len);
	if (step->is_left)
		memset(to + len, ' ', pad);
	p->size += len + pad;
}

static void put_str(struct pack *p, const struct step *step, const char *text)
{
	put_padded(p, step, text, strlen(text));
}

static void put_hex(struct pack *p, u64 value)
{
	char buf[DIGITS_MAX];

	pack_bytes(p, "0x", 2);
	pack_bytes(p, buf, digits_hex(buf, value));
}

static void put_flags(struct pack *p, const struct step *step, const struct node *node,
		      struct bytes *payload)
{
	u64 value = value_of(node->a, payload);
	bool any = false;
	u32 i;

	for (i = 0; i < node->nr; i++) {
		u64 bits = node->labels[i].value;

		if (!bits || (value & bits) != bits)
			continue;
		if (any)
			pack_bytes(p, node->text, strlen(node->text));
		put_str(p, step, node->labels[i].text);
		any = true;
		value &= ~bits;
	}
	if (!value)
		return;
	if (any)
		pack_bytes(p, node->text, strlen(node->text));
	put_hex(p, value);
}

static void put_symbol(struct pack *p, const struct step *step, const struct node *node,
		       struct bytes *payload)
{
	u64 value = value_of(node->a, payload);
	u32 i;

	for (i = 0; i < node->nr; i++)
		if (node->labels[i].value == value)
			return put_str(p, step, node->labels[i].text);
	put_hex(p, value);
}

/*
 * Where a dynamic text begins; false: it is not within the payload, with its end.
 * The library looks at the length that is told only for whether there is any, and
 * whether it would lie within if it counted from the start.
 */
static bool find_text(const struct node *node, struct bytes *payload, u64 *off, size_t *len)
{
	u32 loc = bytes_u32(payload, node->off);
	u64 at = node->value + (loc & 0xffff);

	*len = 0;
	*off = 0;
	if (!(loc >> 16) || (loc & 0xffff) + (loc >> 16) > payload->size + FORMATS_COMMON)
		return true;
	if (at < FORMATS_COMMON || !bytes_has(payload, at - FORMATS_COMMON, 1))
		return false;
	*off = at - FORMATS_COMMON;
	*len = bytes_strlen(payload, *off, payload->size);
	return *off + *len < payload->size;
}

/* The library reads on to wherever a text ends; what is not of the event is its own. */
static bool texts_end(const struct print_plan *plan, struct bytes *payload)
{
	size_t len;
	u64 off;
	u32 i;

	for (i = 0; i < plan->nr_nodes; i++)
		if (plan->nodes[i].kind == NODE_DYNAMIC &&
		    !find_text(&plan->nodes[i], payload, &off, &len))
			return false;
	return true;
}

static void put_dynamic(struct pack *p, const struct step *step, const struct node *node,
			struct bytes *payload)
{
	size_t len;
	u64 off;

	if (find_text(node, payload, &off, &len) && off)
		put_padded(p, step, (const char *)payload->data + off, len);
}

static void put_text(struct pack *p, const struct step *step, const struct node *node,
		     struct bytes *payload)
{
	switch (node->kind) {
	case NODE_FLAGS:
		return put_flags(p, step, node, payload);
	case NODE_SYMBOL:
		return put_symbol(p, step, node, payload);
	case NODE_CHOICE:
		return put_text(p, step, value_of(node->a, payload) ? node->b : node->c, payload);
	case NODE_DYNAMIC:
		return put_dynamic(p, step, node, payload);
	case NODE_ARRAY:
		return put_padded(p, step, (const char *)payload->data + node->off,
				  bytes_strlen(payload, node->off, node->size));
	default:
		return put_str(p, step, node->text);
	}
}

static s64 signed_of(u64 value, u32 size)
{
	u32 unused = 64 - 8 * size;

	return (s64)(value << unused) >> unused;
}

static void put_number(struct pack *p, const struct step *step, u64 value)
{
	char buf[DIGITS_MAX + PRINT_MAX_WIDTH + 3], *to = buf;
	bool is_negative = step->letter == 'd' && signed_of(value, step->size) < 0;
	size_t len, zeroes;
	char digits[DIGITS_MAX];

	value = is_negative ? -(u64)signed_of(value, step->size) :
			      value << (64 - 8 * step->size) >> (64 - 8 * step->size);
	len = step->letter == 'x' ? digits_hex(digits, value) : digits_dec(digits, value);
	if (is_negative)
		*to++ = '-';
	if (step->has_prefix && value)
		to = (char *)memcpy(to, "0x", 2) + 2;
	zeroes = step->has_zeroes && step->width > to - buf + len ? step->width - (to - buf) - len : 0;
	to = (char *)memset(to, '0', zeroes) + zeroes;
	memcpy(to, digits, len);
	put_padded(p, step, buf, to + len - buf);
}

static void put_pointer(struct pack *p, u64 value)
{
	if (value)
		put_hex(p, value);
	else
		pack_bytes(p, "(nil)", 5);
}

/* As the library has been told to find it. */
static void put_function(struct pack *p, const struct print_plan *plan, const struct step *step,
			 u64 addr)
{
	struct tep_handle *tep = plan->event->tep;
	const char *name = tep_find_function(tep, addr);

	if (!name)
		return put_hex(p, addr);
	pack_bytes(p, name, strlen(name));
	if (!step->has_offset)
		return;
	pack_bytes(p, "+", 1);
	put_hex(p, addr - tep_find_function_address(tep, addr));
}

static void put_step(struct pack *p, const struct print_plan *plan, const struct step *step,
		     struct bytes *payload)
{
	switch (step->letter) {
	case 's':
		return put_text(p, step, step->node, payload);
	case 'p':
		return put_pointer(p, value_of(step->node, payload));
	case 'f':
		return put_function(p, plan, step, value_of(step->node, payload));
	default:
		return put_number(p, step, value_of(step->node, payload));
	}
}

bool print_plan_run(const struct print_plan *plan, struct pack *p, struct bytes *payload)
{
	const struct step *step;

	if (payload->size < plan->size || !texts_end(plan, payload))
		return false;
	for (step = plan->steps; step < plan->steps + plan->nr; step++) {
		pack_bytes(p, step->text, step->len);
		if (step->letter)
			put_step(p, plan, step, payload);
	}
	return true;
}
