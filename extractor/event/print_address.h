/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses of networks and UUIDs, as the kernel's "%pM", "%pI4", "%pI6" and "%pU" print them. */
#ifndef EPITAPH_EVENT_PRINT_ADDRESS_H
#define EPITAPH_EVENT_PRINT_ADDRESS_H

#include "base/types.h"

#define PRINT_ADDRESS_MAX	48

/* Each gives how many characters it wrote to @buf, without a terminator. */
size_t print_mac(char buf[PRINT_ADDRESS_MAX], const u8 mac[6], bool colons);
size_t print_ip4(char buf[PRINT_ADDRESS_MAX], const u8 ip[4]);

/* @is_short: without leading zeroes, and :: for the longest run of them */
size_t print_ip6(char buf[PRINT_ADDRESS_MAX], const u8 ip[16], bool is_short);

/* @how: b, l, and B, L for capitals; 0 is b */
size_t print_uuid(char buf[PRINT_ADDRESS_MAX], const u8 uuid[16], char how);

#endif
