/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which memory of a process is the memory of its virtual machine. */
#ifndef EPITAPH_KVM_MEMORY_SLOTS_H
#define EPITAPH_KVM_MEMORY_SLOTS_H

#include "guest_layout.h"
#include "guests.h"

/*
 * memory_slots_read() - fill the guest's slots
 * @all: to which it belongs
 *
 * Slots that cannot be read, or overlap others, are left out and noted. Return: 0, or -ERR_IO.
 */
int memory_slots_read(const struct guest_layout *at, struct kvm_guest *guest, struct kvm_guests *all,
		      struct err *err);

#endif
