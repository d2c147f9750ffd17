/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses of networks, UUIDs and pixel formats, as the kernel's "%p..." prints them. */
#ifndef EPITAPH_EVENT_PRINT_ADDRESS_H
#define EPITAPH_EVENT_PRINT_ADDRESS_H

#include "base/byte_reader.h"

#define PRINT_IP4_MAX		15
#define PRINT_IP6_MAX		46
#define PRINT_ADDRESS_MAX	96

/* Each gives how many characters it wrote to @buf, without a terminator. */

/* @between: a character between two bytes, or 0 */
size_t print_mac(char buf[PRINT_ADDRESS_MAX], const u8 mac[6], char between);

size_t print_ip4(char buf[PRINT_IP4_MAX], const u8 ip[4]);

/* @is_short: without leading zeroes, and :: for the longest run of them */
size_t print_ip6(char buf[PRINT_IP6_MAX], const u8 ip[16], bool is_short);

/* @how: b, l, and B, L for capitals; 0 is b */
size_t print_uuid(char buf[PRINT_ADDRESS_MAX], const u8 uuid[16], char how);

/*
 * "%pIS": a struct sockaddr of the recorded machine.
 * @how: @len letters: p with the port, c IPv6 without leading zeroes, f with the flow, s the scope
 */
size_t print_sockaddr(char buf[PRINT_ADDRESS_MAX], struct bytes *sockaddr, const char *how,
		      size_t len);

/* "%p4cc": "XR24 little-endian (0x34325258)" */
size_t print_fourcc(char buf[PRINT_ADDRESS_MAX], u32 format);

#endif
