#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every event format is the kernel's own, byte for byte.

. "$(dirname "$0")/../lib.sh"

guest <<'END'
load_recorder events='*:*'
sh /test/format-compare.sh
END
pack_guest "$here/record/format-compare.sh"
boot
check "the guest ended well" guest_ended_well
check "formats were compared, none differs" \
	grep -E '^formats: [1-9][0-9]+ same, 0 different' "$out/guest.log"
finish
