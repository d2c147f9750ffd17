#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What epitaph explain says of texts of kernels before 5.10, in the words that those print.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

# is KIND SIGNATURE CLAIM: of the text on standard input
is() {
	cat >log
	"$epitaph" explain --json log >json || [ $? = 1 ] || return
	jq -r '"kind \(.kind)", "signature \(.signature)", "claim \(.claim)"' json >said
	cat said
	grep -qFx "kind $1" said && grep -qFx "signature $2" said && grep -qF -- "$3" said
}

# Before 4.15 an address of 0 is printed as "(null)".
a_call_of_null() {
	is null-pointer 'null-pointer:port_send<sock_sendmsg' 'A function pointer was NULL and was called, by port_send() of module port' <<-'END'
		BUG: unable to handle kernel NULL pointer dereference at           (null)
		IP: [<          (null)>]           (null)
		PGD 73c74067 PUD 73114067 PMD 0
		Oops: 0010 [#1] SMP
		Modules linked in: port(O)
		CPU: 1 PID: 447 Comm: sender Tainted: G           O    4.1.15 #4
		RIP: 0010:[<0000000000000000>]  [<          (null)>]           (null)
		RSP: 0018:ffff880073473cb0  EFLAGS: 00010246
		RAX: ffffffff81e9fe80 RBX: ffff880073b55b00 RCX: 0000000000000006
		Call Trace:
		 [<ffffffffa0007c0f>] port_send+0x4f/0x60 [port]
		 [<ffffffff8151c8a8>] sock_sendmsg+0x38/0x50
		Code:  Bad RIP value.
		Kernel panic - not syncing: Fatal exception
	END
}
ok a_call_of_null a_call_of_null

finish
