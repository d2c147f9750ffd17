// SPDX-License-Identifier: GPL-2.0-or-later
#include "print_address.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/fast_digits.h"

#define NR_GROUPS	8

static char *write_byte(char *to, u8 byte)
{
	digits_byte(to, byte);
	return to + 2;
}

size_t print_mac(char buf[PRINT_ADDRESS_MAX], const u8 mac[6], char between)
{
	char *to = buf;
	u32 i;

	for (i = 0; i < 6; i++) {
		if (i && between)
			*to++ = between;
		to = write_byte(to, mac[i]);
	}
	return to - buf;
}

size_t print_ip4(char buf[PRINT_IP4_MAX], const u8 ip[4])
{
	char *to = buf;
	u32 i;

	for (i = 0; i < 4; i++) {
		if (i)
			*to++ = '.';
		to += digits_dec(to, ip[i]);
	}
	return to - buf;
}

static u32 group_of(const u8 ip[16], u32 i)
{
	return ip[2 * i] << 8 | ip[2 * i + 1];
}

/* The first of the longest runs of more than one zero; its length is 0 if there is none. */
static u32 longest_run(const u8 ip[16], u32 nr, u32 *ret_len)
{
	u32 start = 0, i, len = 0;

	*ret_len = 0;
	for (i = 0; i < nr; i++) {
		len = group_of(ip, i) ? 0 : len + 1;
		if (len > 1 && len > *ret_len) {
			start = i + 1 - len;
			*ret_len = len;
		}
	}
	return start;
}

/* "::ffff:1.2.3.4", and what ISATAP makes of an address. */
static bool ends_in_ip4(const u8 ip[16])
{
	static const u8 mapped[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(ip, mapped, sizeof(mapped)) ||
	       ((group_of(ip, 4) | 0x0200) == 0x0200 && group_of(ip, 5) == 0x5efe);
}

/* No more than they are. */
static size_t copy_digits(char *to, u32 group)
{
	char digits[DIGITS_MAX];
	size_t len = digits_hex(digits, group);

	memcpy(to, digits, len);
	return len;
}

static size_t print_short_ip6(char buf[PRINT_IP6_MAX], const u8 ip[16])
{
	bool has_ip4 = ends_in_ip4(ip), colon = false;
	u32 nr = has_ip4 ? NR_GROUPS - 2 : NR_GROUPS, len, i;
	u32 run = longest_run(ip, nr, &len);
	char *to = buf;

	for (i = 0; i < nr; i++) {
		if (len && i == run) {
			to = (char *)memcpy(to, "::", 2) + 2;
			i += len - 1;
			colon = false;
			continue;
		}
		if (colon)
			*to++ = ':';
		to += copy_digits(to, group_of(ip, i));
		colon = true;
	}
	if (!has_ip4)
		return to - buf;
	if (colon)
		*to++ = ':';
	return to - buf + print_ip4(to, ip + 12);
}

size_t print_ip6(char buf[PRINT_IP6_MAX], const u8 ip[16], bool is_short)
{
	char *to = buf;
	u32 i;

	if (is_short)
		return print_short_ip6(buf, ip);
	for (i = 0; i < 16; i++) {
		if (i && i % 2 == 0)
			*to++ = ':';
		to = write_byte(to, ip[i]);
	}
	return to - buf;
}

size_t print_uuid(char buf[PRINT_ADDRESS_MAX], const u8 uuid[16], char how)
{
	static const u8 big[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	static const u8 little[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	const u8 *order = tolower((u8)how) == 'l' ? little : big;
	char *to = buf;
	u32 i;

	for (i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*to++ = '-';
		to = write_byte(to, uuid[order[i]]);
	}
	for (i = 0; isupper((u8)how) && buf + i < to; i++)
		buf[i] = toupper((u8)buf[i]);
	return to - buf;
}

static char *put_part(char *to, char sign, u32 number)
{
	*to++ = sign;
	return to + digits_dec(to, number);
}

/* Port, flow and address are in the order of the network, family and scope in the machine's. */
size_t print_sockaddr(char buf[PRINT_ADDRESS_MAX], struct bytes *sockaddr, const char *how,
		      size_t len)
{
	bool has_port = memchr(how, 'p', len), has_flow = memchr(how, 'f', len);
	bool has_scope = memchr(how, 's', len), has_brackets = has_port || has_flow || has_scope;
	struct bytes network = bytes_of(sockaddr->data, sockaddr->size, ORDER_BIG);
	u32 family = sockaddr->size < 2 ? 0 : bytes_u16(sockaddr, 0);
	char *to = buf;

	if (family == AF_INET && sockaddr->size >= 8) {
		to += print_ip4(to, sockaddr->data + 4);
		if (has_port)
			to = put_part(to, ':', bytes_u16(&network, 2));
		return to - buf;
	}
	if (family != AF_INET6 || sockaddr->size < 28)
		return sockaddr->size < 2 ? 0 : (size_t)(stpcpy(buf, "(einval)") - buf);
	if (has_brackets)
		*to++ = '[';
	to += print_ip6(to, sockaddr->data + 8, memchr(how, 'c', len));
	if (has_brackets)
		*to++ = ']';
	if (has_port)
		to = put_part(to, ':', bytes_u16(&network, 2));
	if (has_flow)
		to = put_part(to, '/', bytes_u32(&network, 4) & 0x0fffffff);
	if (has_scope)
		to = put_part(to, '%', bytes_u32(sockaddr, 24));
	return to - buf;
}

size_t print_fourcc(char buf[PRINT_ADDRESS_MAX], u32 format)
{
	u32 letters = format & 0x7fffffff, i;

	for (i = 0; i < 4; i++) {
		u8 c = letters >> 8 * i;

		buf[i] = c < 128 && isprint(c) ? c : '.';
	}
	return 4 + snprintf(buf + 4, PRINT_ADDRESS_MAX - 4, " %s-endian (0x%08x)",
			    format >> 31 ? "big" : "little", format);
}
