#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Records of /dev/kmsg: what is shown of them is what dmesg shows.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck source=tests/unit/console/lib-console.sh
. "$here/lib-console.sh"
cd "$dir" || exit 1

records() {
	cat <<'LINES'
6,2902,86761111625,-;virtio_balloon virtio0: Out of puff! Can't get 1 pages
 SUBSYSTEM=virtio
 DEVICE=+virtio:virtio0
3,2903,86997972896,-,caller=T31;INFO: task init:1 blocked for more than 122 seconds.
3,2904,86997973157,-,caller=T31;      Not tainted 6.1.0-56-amd64 #1
6,2906,86997973716,-,caller=T31;task:init            state:D stack:0     pid:1     ppid:0      flags:0x00000000
6,2907,86997973935,-,caller=T31;Call Trace:
6,2909,86997974273,-,caller=T31; schedule+0x50/0xc0
6,2911,86997974649,-,caller=T31; __mutex_lock+0x412/0x910
6,2915,86997975518,-,caller=T31; do_shrink_slab+0x15e/0x350
LINES
}

said_of_records() {
	records >kmsg
	of explain kmsg >printed && says 'signature hung-task:do_shrink_slab' && says 'for a mutex in do_shrink_slab()'
}
ok a_record_is_a_line_with_its_time said_of_records

properties_are_no_lines() {
	of report --all --source log kmsg >printed && says "T-236.863893: log: <6>virtio_balloon virtio0: Out of puff! Can't get 1 pages" &&
		! grep SUBSYSTEM printed
}
ok properties_are_no_lines properties_are_no_lines

# As a receiver of netconsole writes it into a file of its own.
with_a_date() {
	records | sed '/^ SUB/d; /^ DEV/d; s/^/May 21 20:00:40 x /; s/pages$/pages#012 SUBSYSTEM=virtio#012 DEVICE=+virtio:virtio0/' >received
	of report --all --source log kmsg >of-kmsg && of report --all --source log received | diff of-kmsg -
}
ok what_a_receiver_puts_in_front_is_skipped with_a_date

# of_log FILE: the texts
of_log() {
	of report --all --source log "$1" | sed -n 's/^.*: log: <[0-9]*>//p'
}

# Of this machine's kernel, or of what it gives to this user.
as_dmesg() {
	of_log of-dmesg >shown-of-dmesg && of_log of-dev >shown-of-dev && [ -s shown-of-dev ] && diff shown-of-dmesg shown-of-dev
}
timeout 1 cat /dev/kmsg >of-dev 2>/dev/null
if dmesg --raw >of-dmesg 2>/dev/null && [ -s of-dmesg ] && [ -s of-dev ]; then
	ok what_is_shown_is_what_dmesg_shows as_dmesg
else
	skip what_is_shown_is_what_dmesg_shows "this user may not read the kernel's log"
fi

two_lines() {
	printf '%s\n' '0,9,5000000,-;Kernel panic - not syncing: a\x09b\x5c\x0aand more\x0a' >kmsg
	of report --all --source log kmsg >printed && says 'panic - not syncing: a\x09b' && says '<0>and more'
}
ok what_is_escaped_is_as_it_was two_lines

# refused LINE
refused() {
	echo "$1" >text
	"$epitaph" explain text >printed 2>&1
	[ $? = 4 ] || { cat printed; return 1; }
}
ok a_list_of_numbers_is_no_record refused '1,2,3,4;5'
ok a_level_that_no_kernel_has_is_none refused '999,2,3,-;text'

finish
