// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/fast_digits.h"
#include "print_address.h"
#include "print_program_impl.h"
#include "trampoline.h"

#define MAX_TEXT	(64U << 10)	/* of an event: no conversion begins behind it */
#define MAX_INTS	4096	/* of an array */
#define MAX_HEX		64	/* bytes of "%ph" */
#define MAX_DIGITS	(22 + PRINT_MAX_WIDTH)	/* 64 bits in octal, and the zeroes of "%.64d" */

/* How much room a conversion takes, and how much of a text it shows; -1: all of it. */
struct room {
	size_t width;
	s64 precision;
	bool is_left;
};

static struct room room_of(const struct step *step, struct bytes *payload)
{
	struct room room = { step->width, step->precision, step->is_left };
	s32 count;

	if (step->width_node) {
		count = print_number(step->width_node, payload);
		room.is_left |= count < 0;
		room.width = count < 0 ? -(s64)count : count;
		if (room.width > PRINT_MAX_WIDTH)
			room.width = PRINT_MAX_WIDTH;
	}
	if (step->precision_node) {
		count = print_number(step->precision_node, payload);
		room.precision = count < 0 ? 0 : count;
	}
	return room;
}

static void put_padded(struct pack *p, const struct room *room, const char *text, size_t len)
{
	size_t pad;
	u8 *to;

	if (room->precision >= 0 && len > (u64)room->precision)
		len = room->precision;
	pad = len < room->width ? room->width - len : 0;
	to = pack_room(p, len + pad);
	if (!to)
		return;
	if (!room->is_left && pad)
		to = (u8 *)memset(to, ' ', pad) + pad;
	if (len)
		copy_few(to, text, len);
	if (room->is_left && pad)
		memset(to + len, ' ', pad);
	p->size += len + pad;
}

static void put_hex(struct pack *p, u64 value)
{
	char buf[DIGITS_MAX];

	pack_bytes(p, "0x", 2);
	pack_bytes(p, buf, digits_hex(buf, value));
}

/* As the kernel: until no bit is left, and what is left then in hex. */
static void put_flags(struct pack *p, const struct node *node, struct bytes *payload)
{
	u64 value = print_number(node->a, payload);
	bool any = false;
	u32 i;

	for (i = 0; i < node->nr && value; i++) {
		const struct label *label = &node->labels[i];

		if (!label->is_known || (value & label->value) != label->value)
			continue;
		if (any)
			pack_bytes(p, node->text, node->len);
		pack_bytes(p, label->text, label->len);
		any = true;
		value &= ~label->value;
	}
	if (!value)
		return;
	if (any)
		pack_bytes(p, node->text, node->len);
	put_hex(p, value);
}

/* An empty label is none to the kernel. */
static void put_symbol(struct pack *p, const struct node *node, struct bytes *payload)
{
	u64 value = print_number(node->a, payload);
	u32 i;

	for (i = 0; i < node->nr; i++) {
		const struct label *label = &node->labels[i];

		if (!label->is_known || label->value != value)
			continue;
		if (!label->len)
			break;
		return pack_bytes(p, label->text, label->len);
	}
	put_hex(p, value);
}

/* No more than there are: what the count says is the event's. */
static u64 count_of(const struct node *node, struct bytes *payload, u64 most)
{
	u64 count = print_number(node, payload);

	return count < most ? count : most;
}

static void put_byte(struct pack *p, u8 byte)
{
	char buf[2];

	digits_byte(buf, byte);
	pack_bytes(p, buf, 2);
}

static void put_bytes(struct pack *p, const struct node *node, struct bytes *payload)
{
	struct bytes array = print_array(node->a, payload);
	u64 nr = count_of(node->b, payload, array.size), i;

	for (i = 0; i < nr; i++) {
		if (i)
			pack_bytes(p, node->text, node->len);
		put_byte(p, bytes_u8(&array, i));
	}
}

static void put_ints(struct pack *p, const struct node *node, struct bytes *payload)
{
	struct bytes array = print_array(node->a, payload);
	u64 size = print_number(node->c, payload), nr, i;

	if (size != 1 && size != 2 && size != 4)
		size = 8;
	nr = count_of(node->b, payload, array.size / size);
	pack_bytes(p, "{", 1);
	for (i = 0; i < nr && i < MAX_INTS; i++) {
		if (i)
			pack_bytes(p, ",", 1);
		put_hex(p, bytes_number(&array, i * size, size, false));
	}
	pack_bytes(p, "}", 1);
}

/* 32 bits at a time, the highest first. */
static void put_bitmask(struct pack *p, const struct print_program *program, const struct node *node,
			struct bytes *payload)
{
	struct bytes array = print_array(node->a, payload);
	u32 longs = array.size / program->long_size, per_long = program->long_size / 4, i, k;

	for (i = longs; i--;) {
		u64 bits = bytes_number(&array, (u64)i * program->long_size, program->long_size, false);

		for (k = per_long; k--;) {
			u32 part = bits >> 32 * k;

			if (i + 1 < longs || k + 1 < per_long)
				pack_bytes(p, ",", 1);
			put_byte(p, part >> 24);
			put_byte(p, part >> 16);
			put_byte(p, part >> 8);
			put_byte(p, part);
		}
	}
}

/* A number without a name is in hex. */
static void put_string(struct pack *p, const struct print_program *program,
		       const struct node *node, struct bytes *payload)
{
	const struct print_names *names = program->names;
	u64 addr = print_number(node->a, payload);
	char buf[PRINT_NAME_MAX];

	if (!addr)
		pack_bytes(p, "(null)", 6);
	else if (names && names->string && names->string(names->priv, addr, buf))
		pack_bytes(p, buf, strlen(buf));
	else
		put_hex(p, addr);
}

/*
 * As hex_dump_to_buffer() and its callers: each row on a line of its own, numbers of @node->off
 * bytes, or bytes, if they do not come out even.
 */
static void put_hex_dump(struct pack *p, const struct node *node, struct bytes *payload)
{
	struct bytes array = print_array(node->a, payload);
	u64 nr = count_of(node->b, payload, array.size), at, i;
	u32 size = nr % node->off ? 1 : node->off, k;

	pack_bytes(p, "\n", 1);
	for (at = 0; at < nr; at += node->size) {
		pack_bytes(p, node->text, node->len);
		for (i = at; i < nr && i < at + node->size; i += size) {
			u64 value = bytes_number(&array, i / size * size, size, false);

			if (i > at)
				pack_bytes(p, " ", 1);
			for (k = size; k--;)
				put_byte(p, value >> 8 * k);
		}
		pack_bytes(p, "\n", 1);
	}
}

/* What is put together first. */
static void put_made(struct pack *p, const struct print_program *program, const struct node *node,
		     struct bytes *payload)
{
	const struct print_words *words = node->words;
	const char *word;
	u64 value;

	switch (node->kind) {
	case NODE_FLAGS:
		return put_flags(p, node, payload);
	case NODE_SYMBOL:
		return put_symbol(p, node, payload);
	case NODE_HEX:
		return put_bytes(p, node, payload);
	case NODE_INTS:
		return put_ints(p, node, payload);
	case NODE_BITMASK:
		return put_bitmask(p, program, node, payload);
	case NODE_HEX_DUMP:
		return put_hex_dump(p, node, payload);
	case NODE_STRING:
		return put_string(p, program, node, payload);
	default:
		value = print_number(node->a, payload);
		word = value < words->nr ? words->words[value] : words->other;
		return pack_bytes(p, word, strlen(word));
	}
}

static void put_into_room(struct pack *p, const struct room *room, size_t start)
{
	size_t len = p->size - start, pad;
	u8 *text;

	if (room->precision >= 0 && len > (u64)room->precision)
		len = room->precision;
	p->size = start + len;
	pad = len < room->width ? room->width - len : 0;
	if (!pad || !pack_room(p, pad))
		return;
	text = p->data + start;
	if (room->is_left) {
		memset(text + len, ' ', pad);
	} else {
		memmove(text + pad, text, len);
		memset(text, ' ', pad);
	}
	p->size += pad;
}

static void put_text(struct pack *p, const struct print_program *program, const struct room *room,
		     const struct node *node, struct bytes *payload)
{
	size_t start = p->size;
	struct bytes array;

	while (node->kind == NODE_TEXT_CHOICE)
		node = print_number(node->a, payload) ? node->b : node->c;
	if (node_is_array(node)) {
		array = print_array(node, payload);
		return put_padded(p, room, (const char *)array.data,
				  bytes_strlen(&array, 0, array.size));
	}
	if (node->kind == NODE_TEXT)
		return put_padded(p, room, node->text, node->len);
	put_made(p, program, node, payload);
	put_into_room(p, room, start);
}

static size_t digits_of(const struct step *step, char *buf, u64 value)
{
	size_t len = 1, i;

	if (step->letter == 'o') {
		while (len < 22 && value >> 3 * len)
			len++;
		for (i = len; i--; value >>= 3)
			buf[i] = '0' + (value & 7);
		return len;
	}
	if (step->letter != 'x')
		return digits_dec(buf, value);
	len = digits_hex(buf, value);
	for (i = 0; step->is_upper && i < len; i++)
		if (buf[i] >= 'a')
			buf[i] -= 'a' - 'A';
	return len;
}

static char *put_prefix(const struct step *step, char *to, u64 value)
{
	if (!step->has_prefix || (step->letter != 'x' && (step->letter != 'o' || !value)))
		return to;
	*to++ = '0';
	if (step->letter == 'x')
		*to++ = step->is_upper ? 'X' : 'x';
	return to;
}

/* As many zeroes as the precision asks for, or as there is room for. */
static size_t zeroes_of(const struct step *step, const struct room *room, size_t sign,
			size_t digits)
{
	size_t least = room->precision > 0 ? room->precision : 0;

	if (least > PRINT_MAX_WIDTH)
		least = PRINT_MAX_WIDTH;
	if (step->has_zeroes && !room->is_left && room->width > sign + least)
		least = room->width - sign;
	return least > digits ? least - digits : 0;
}

/* "%u", "%d", "%x" and the like, of any size. */
static bool is_plain_number(const struct step *step, const struct room *room)
{
	return !room->width && room->precision < 0 && !step->plus && !step->has_prefix && !step->is_upper &&
	       step->letter != 'o';
}

static void put_plain_number(struct pack *p, const struct step *step, u64 value)
{
	bool is_signed = step->letter == 'd', is_negative;
	char *to = (char *)pack_room(p, 1 + DIGITS_MAX);

	if (!to)
		return;
	value = print_type_fit((struct print_type){ .size = step->size, .is_signed = is_signed }, value);
	is_negative = is_signed && (s64)value < 0;
	*to = '-';
	value = is_negative ? -value : value;
	p->size += is_negative + (step->letter == 'x' ? digits_hex(to + is_negative, value) :
							digits_dec(to + is_negative, value));
}

static void put_number(struct pack *p, const struct step *step, struct room room, u64 value)
{
	char buf[MAX_DIGITS + 3 + 22], digits[22], *to = buf;
	bool is_signed = step->letter == 'd', is_negative;
	const struct print_type type = { .size = step->size, .is_signed = is_signed };
	size_t len, zeroes;

	if (is_plain_number(step, &room))
		return put_plain_number(p, step, value);
	value = print_type_fit(type, value);
	is_negative = is_signed && (s64)value < 0;
	if (is_negative)
		*to++ = '-';
	else if (is_signed && step->plus)
		*to++ = step->plus;
	value = is_negative ? -value : value;
	to = put_prefix(step, to, value);
	len = digits_of(step, digits, value);
	zeroes = zeroes_of(step, &room, to - buf, len);
	to = (char *)memset(to, '0', zeroes) + zeroes;
	memcpy(to, digits, len);
	room.precision = -1;
	put_padded(p, &room, buf, to + len - buf);
}

/* "%px" */
static void put_digits(struct pack *p, const struct print_program *program, struct room room,
		       u64 value)
{
	const struct step step = { .letter = 'x', .size = program->long_size, .has_zeroes = true };

	if (!room.width)
		room.width = 2 * program->long_size;
	put_number(p, &step, room, value);
}

/* "%p", which the kernel shows a hash of, by its address. */
static void put_pointer(struct pack *p, const struct print_program *program,
			const struct room *room, u64 value)
{
	size_t start = p->size;

	if (program->names && program->names->pads_pointers)
		return put_digits(p, program, *room, value);
	if (value)
		put_hex(p, value);
	else
		pack_bytes(p, "(nil)", 5);
	put_into_room(p, room, start);
}

static void put_function(struct pack *p, const struct print_program *program,
			 const struct step *step, const struct room *room, u64 addr, u64 raw)
{
	const struct print_names *names = program->names;
	char buf[PRINT_NAME_MAX];
	size_t start = p->size;

	if (!names || !names->symbol || !names->symbol(names->priv, addr, raw, step->has_offset, buf))
		put_hex(p, addr);
	else if (step->is_place && is_trampoline(buf))
		pack_bytes(p, TRAMPOLINE_NAME, strlen(TRAMPOLINE_NAME));
	else if (step->is_place && !step->has_offset)
		pack_bytes(p, buf, strcspn(buf, " "));	/* without its module */
	else
		pack_bytes(p, buf, strlen(buf));
	put_into_room(p, room, start);
}

/* Of what a probe could not read, not even the end of a text is there. */
static void put_quoted(struct pack *p, const struct node *node, struct bytes *payload)
{
	struct bytes array = print_array(node, payload);

	if (!array.size)
		return pack_bytes(p, "(fault)", 7);
	pack_bytes(p, "\"", 1);
	pack_bytes(p, array.data, bytes_strlen(&array, 0, array.size));
	pack_bytes(p, "\"", 1);
}

static bool has_letter(const struct step *step, char letter)
{
	return memchr(step->extension, letter, step->extension_len);
}

/* "%*ph": as many bytes as there would be room. */
static void put_dump(struct pack *p, const struct step *step, const struct room *room,
		     struct bytes *array)
{
	const char *between = has_letter(step, 'C') ? ":" : has_letter(step, 'D') ? "-" :
			      has_letter(step, 'N') ? "" : " ";
	u64 nr = room->width ? room->width : 1, i;

	for (i = 0; i < nr && i < array->size && i < MAX_HEX; i++) {
		if (i)
			pack_bytes(p, between, strlen(between));
		put_byte(p, bytes_u8(array, i));
	}
}

/* The address that the array holds.  Of too few bytes, nothing. */
static size_t address_text(char buf[PRINT_ADDRESS_MAX], const struct step *step,
			   struct bytes *array)
{
	size_t i;

	switch (step->letter) {
	case 'M':
		return array->size < 6 ? 0 :
		       print_mac(buf, array->data, step->extension[0] == 'm' ? 0 :
				 has_letter(step, 'F') ? '-' : ':');
	case '4':
		return array->size < 4 ? 0 : print_ip4(buf, array->data);
	case '6':
		return array->size < 16 ? 0 : print_ip6(buf, array->data, has_letter(step, 'c'));
	case 'S':
		return print_sockaddr(buf, array, step->extension + 2, step->extension_len - 2);
	case 'a':
		/* "%pad": "0x" and all digits of the number at the address */
		if (array->size < 8)
			return 0;
		memcpy(buf, "0x", 2);
		for (i = 0; i < 8; i++)
			digits_byte(buf + 2 + 2 * i, bytes_u64(array, 0) >> (56 - 8 * i));
		return 2 + 16;
	case 'C':
		return array->size < 4 ? 0 : print_fourcc(buf, bytes_u32(array, 0));
	default:
		return array->size < 16 ? 0 :
		       print_uuid(buf, array->data, step->extension_len > 1 ? step->extension[1] : 0);
	}
}

static void put_step(struct pack *p, const struct print_program *program, const struct step *step,
		     struct bytes *payload, u64 raw)
{
	struct room room = room_of(step, payload);
	char c, address[PRINT_ADDRESS_MAX];
	struct bytes array;

	switch (step->letter) {
	case 's':
		return step->is_quoted ? put_quoted(p, step->node, payload) :
					 put_text(p, program, &room, step->node, payload);
	case 'c':
		c = print_number(step->node, payload);
		room.precision = -1;
		return put_padded(p, &room, &c, 1);
	case 'p':
		return put_pointer(p, program, &room, print_number(step->node, payload));
	case 'P':
		return put_digits(p, program, room, print_number(step->node, payload));
	case 'f':
		return put_function(p, program, step, &room, print_number(step->node, payload),
				    raw);
	case 'h':
		array = print_array(step->node, payload);
		return put_dump(p, step, &room, &array);
	case 'M':
	case '4':
	case '6':
	case 'S':
	case 'U':
	case 'a':
	case 'C':
		array = print_array(step->node, payload);
		return put_padded(p, &room, address, address_text(address, step, &array));
	default:
		return put_number(p, step, room, print_number(step->node, payload));
	}
}

bool print_program_run(const struct print_program *program, struct pack *p, struct bytes *payload,
		       u64 raw)
{
	const struct step *step;
	size_t start = p->size;

	if (payload->size < program->size)
		return false;
	for (step = program->steps; step < program->steps + program->nr; step++) {
		if (p->size - start > MAX_TEXT)
			break;
		pack_bytes(p, step->text, step->len);
		if (step->letter)
			put_step(p, program, step, payload, raw);
	}
	return true;
}
