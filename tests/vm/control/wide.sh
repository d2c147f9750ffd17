#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Events that are larger than 4 KiB, in a channel with sub-buffers that hold them: what a filter lets
# through is what was emitted, also when another filtered event comes before it is recorded.

. "$(dirname "$0")/../lib.sh"

region_is 48M

guest <<'END'
# emits OUTER INNER: an event with so many letters, and one in the middle of it.
emits() {
	echo "$1 $2" >/sys/module/wide/parameters/go
}
# has EVENT LETTER COUNT: of the newest one, nothing but so many of that letter.
has() {
	epitaph-static report --all --channel wide /dev/epitaph 2>/tmp/said |
		sed -n "s/.* $1: value=[0-9]* text=//p" | tail -n 1 >/tmp/text
	echo "$1: $(tr -d '\n' </tmp/text | wc -c) letters, $(tr -d "$2\n" </tmp/text | wc -c) others"
	[ "$(tr -d '\n' </tmp/text | wc -c)" = "$3" ] && [ "$(tr -d "$2\n" </tmp/text | wc -c)" = 0 ]
}
# both OUTER INNER: both are there, whole.
both() {
	emits "$1" "$2"
	has outer o "$1" && has inner i "$2"
}
load_recorder channels=10M
insmod /test/wide.ko
check "a channel for large events" epitaph channel add wide 8M sub=64K 'wide:*'
check "without a filter they are whole" both 12000 100
check "a filter" epitaph filter wide wide:outer 'value < 1000'
check "of the other one, too" epitaph filter wide wide:inner 'value < 1000'
check "a small one and a small one" both 50 40
check "a large one" both 4200 40
check "one of 8 KiB" both 8000 100
check "the largest" both 16200 100
check "both are large" both 9000 3000
check "both are the largest" both 16200 16200
check "a filter that lets none through" epitaph filter wide wide:outer 'value > 1000'
check "they are emitted" emits 12000 60
check "what was large is not there" refused has outer o 12000
check "nothing was too large" sh -c '! grep -v "too_large 0" /sys/kernel/epitaph/channels/wide/cpu* | grep too_large'
rmmod wide
END
pack_guest "$top/extractor/epitaph-static" "${victim%/*}/wide.ko"
boot
check "the guest ended well" guest_ended_well
finish
