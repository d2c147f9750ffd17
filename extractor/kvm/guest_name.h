/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command line of QEMU calls its guest. */
#ifndef EPITAPH_KVM_GUEST_NAME_H
#define EPITAPH_KVM_GUEST_NAME_H

#include "guests.h"

/* Words of @size bytes in all, with a NUL behind each, are searched for -name and -uuid. */
void guest_name_take(struct kvm_guest *guest, const char *words, size_t size);

#endif
